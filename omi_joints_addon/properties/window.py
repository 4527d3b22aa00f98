"""Choices and lists of the interface in the window manager, which files and undo leave out."""

from typing import Any

import bpy

from ..core.meaning.presets import PRESETS, Preset

SORTS = (
    ("SCENE", "Scene", "As Blender lists the objects"),
    ("NAME", "Name", "By name"),
    ("KIND", "Kind", "By the kind of joint, then by name"),
    ("STATE", "State", "Joints with errors first, then those with warnings"),
)
"""Orders of the lists of joints."""


class OMI_PG_joint_row(bpy.types.PropertyGroup):
    """Room for one joint or check in lists; which one it shows the live scene alone knows."""


def row_places() -> Any:
    """Return the collection of rows of joints."""
    return _manager().omi_joint_rows


def check_places() -> Any:
    """Return the collection of rows of checks."""
    return _manager().omi_check_rows


def opened_rule() -> str:
    """Return the code of the rule whose objects the checks list, empty for none."""
    return str(_manager().omi_check_opened)


def joint_sort() -> str:
    """Return the order of the lists, of `SORTS`."""
    return str(_manager().omi_joint_sort)


def moves_both_frames() -> bool:
    """Return whether the other frame of a joint follows the one that is dragged."""
    return bool(_manager().omi_move_both_frames)


def window_properties() -> dict[str, Any]:
    """Return the definitions of the properties by their names."""
    define: Any = bpy.props
    return {
        "omi_joint_rows": define.CollectionProperty(
            type=OMI_PG_joint_row, options={"HIDDEN", "SKIP_SAVE"}
        ),
        "omi_check_rows": define.CollectionProperty(
            type=OMI_PG_joint_row, options={"HIDDEN", "SKIP_SAVE"}
        ),
        "omi_check_row": define.IntProperty(
            name="Check", description="Row of the list of checks that is explained", min=0
        ),
        "omi_check_opened": define.StringProperty(
            name="Opened Rule", description="Rule whose objects are listed"
        ),
        "omi_joint_sort": define.EnumProperty(
            name="Sort By", description="Order of the joints in lists", items=SORTS
        ),
        "omi_move_both_frames": define.BoolProperty(
            name="Move Both Frames",
            description=(
                "Moving or rotating one frame of a joint in the viewport takes the other one "
                "along, so that the pivot moves; off to move one frame only"
            ),
            default=True,
            options={"SKIP_SAVE"},
        ),
        "omi_joint_preset": define.EnumProperty(
            name="Kind",
            description="Kind of joint that Chain and Each to Active make",
            items=tuple(
                (preset.name, info.label, info.description, info.icon, number)
                for number, (preset, info) in enumerate(PRESETS.items())
            ),
            default=Preset.PIN.name,
            options={"SKIP_SAVE"},
        ),
    }


def _manager() -> Any:
    """Return the only window manager that Blender has."""
    return bpy.data.window_managers[0]
