"""Blender's own Rigid Body Constraints that no file holds, since they are not joints."""

from collections.abc import Collection

import bpy

from ..core.findings.finding import Finding
from ..properties.joint import joint_of
from ..properties.rigid_body_constraint import constraint_joint
from .rules import CONSTRAINTS_LEFT_OUT

_NAMED = 3
"""Names in one line."""


def constraints_left_out(
    scene: bpy.types.Scene, written: Collection[object] | None = None
) -> list[Finding]:
    """Return the finding about constraints that do something in Blender and are not joints.

    Only those between objects that are `written`, where these are given.
    """
    world = scene.rigidbody_world
    if world is None or world.constraints is None:
        return []
    names = [
        obj.name
        for obj in world.constraints.objects
        if joint_of(obj) is None
        and (joint := constraint_joint(obj)[0]) is not None
        and (written is None or {joint.body, joint.connected_body} <= {*written})
    ]
    if not names:
        return []
    shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return [CONSTRAINTS_LEFT_OUT(names[0], count=len(names), names=shown, option="--constraints")]
