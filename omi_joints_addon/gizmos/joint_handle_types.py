"""Registers the handles of joints and shapes, and keeps their types while one is dragged.

Blender's operator of a drag reads its group and gizmo once more when the drag ends, also where
their types are gone and they are freed (`gizmo_tweak_modal`): Blender crashes.
"""

import bpy

from ..classes import is_registered, unregister_class
from ..scene.windows import windows
from .joint_handles import OMI_GGT_joint_handles, OMI_GT_joint_handle
from .shape_handles import OMI_GGT_shape_handles, OMI_GT_shape_handle

TYPES: tuple[type, ...] = (
    *(OMI_GT_joint_handle, OMI_GGT_joint_handles),
    *(OMI_GT_shape_handle, OMI_GGT_shape_handles),
)
_DRAG = "GIZMOGROUP_OT_gizmo_tweak"
"""Blender's operator of every drag of a gizmo."""
_PAUSE = 0.1
"""Time [s] between looks at whether a drag has ended: without data of joints, it ends soon."""


def attach() -> None:
    """Register the handles, unless a drag kept them."""
    if bpy.app.timers.is_registered(_remove):
        bpy.app.timers.unregister(_remove)
    for cls in TYPES:
        if not is_registered(cls):
            bpy.utils.register_class(cls)


def detach() -> None:
    """Remove the handles, after the drag that runs."""
    pause = _remove()
    if pause is not None:
        bpy.app.timers.register(_remove, first_interval=pause, persistent=True)


def _remove() -> float | None:
    """Remove the handles where nothing is dragged; return when to look again."""
    if _is_dragging():
        return _PAUSE
    for cls in reversed(TYPES):
        unregister_class(cls)
    return None


def _is_dragging() -> bool:
    return any(
        operator.bl_idname == _DRAG for window in windows() for operator in window.modal_operators
    )
