"""What Blender's lists of joints need: as many items as there are joints, and their order.

Both are of the window manager, which files and undo leave out.
"""

from typing import Any

import bpy

SORTS = (
    ("SCENE", "Scene", "As Blender lists the objects"),
    ("NAME", "Name", "By name"),
    ("KIND", "Kind", "By the kind of joint, then by name"),
    ("STATE", "State", "Joints with errors first, then those with warnings"),
)
"""Orders of the lists of joints."""


class OMI_PG_joint_row(bpy.types.PropertyGroup):
    """Room for one joint in lists; which one it shows is known to the live scene alone."""


def row_places() -> Any:
    """Return the collection of rows."""
    return _manager().omi_joint_rows


def joint_sort() -> str:
    """Return the order of the lists, of `SORTS`."""
    return str(_manager().omi_joint_sort)


def _manager() -> Any:
    """Return the only window manager that Blender has."""
    return bpy.data.window_managers[0]


def attach() -> None:
    """Add the rows and their order to the window manager."""
    manager: Any = bpy.types.WindowManager
    properties: Any = bpy.props
    manager.omi_joint_rows = properties.CollectionProperty(
        type=OMI_PG_joint_row, options={"HIDDEN", "SKIP_SAVE"}
    )
    manager.omi_joint_sort = properties.EnumProperty(
        name="Sort By", description="Order of the joints in lists", items=SORTS
    )


def detach() -> None:
    """Remove what `attach` added."""
    manager: Any = bpy.types.WindowManager
    for name in ("omi_joint_rows", "omi_joint_sort"):
        if hasattr(manager, name):
            delattr(manager, name)


CLASSES = (OMI_PG_joint_row,)
