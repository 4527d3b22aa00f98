"""What tests of checks in Blender share: findings as they are now, fixes pressed, settings."""

from typing import Any

import bpy

from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.scene.findings import settled_findings

LOCKED = JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0)


def findings_now() -> list[Any]:
    """Return the findings."""
    bpy.context.view_layer.update()
    return settled_findings(bpy.context.scene)


def codes_now() -> list[str]:
    return [found.code for found in findings_now()]


def press_fix(code: str) -> set[str]:
    (found,) = [item for item in findings_now() if item.code == code]
    operator = getattr(bpy.ops.omi, f"check_fix_{found.rule.fix}")
    return operator("EXEC_DEFAULT", True, code=found.code, place=found.place, part=found.part)


def set_settings(joint: Any, *limits: JointLimit, drives: tuple[JointDrive, ...] = ()) -> None:
    joint.omi_joint.settings_from_core(JointSettings(limits=limits, drives=drives))
