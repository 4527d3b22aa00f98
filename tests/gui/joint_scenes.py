"""Joints to look at and to drag, for scenarios."""

from typing import Any

import bpy
from harness import Gui, Point, addon
from mathutils import Matrix

LOCKED = ({"linear_axes": (0, 1, 2), "min": 0.0, "max": 0.0},)
"""Limits that hold the place."""
HINGE = (
    *LOCKED,
    {"angular_axes": (0, 1), "min": 0.0, "max": 0.0},
    {"angular_axes": (2,), "min": -0.6, "max": 1.4},
)


def add_joint(
    *limits: dict[str, Any], drives: tuple[dict[str, Any], ...] = (), pose: Matrix | None = None
) -> bpy.types.Object:
    """Add a joint at the origin, active and alone selected, between two bodies that are empties."""
    core = addon("core.model.joint")
    static, dynamic = (_empty(name, (0.0, y, 0.0)) for name, y in (("Base", 3.0), ("Body", -3.0)))
    static.omi_body.motion_type, dynamic.omi_body.motion_type = "STATIC", "DYNAMIC"
    joint, connected = _empty("Joint"), _empty("Connected")
    joint.parent, connected.parent = static, dynamic
    bpy.context.view_layer.update()
    for frame, world in ((joint, Matrix()), (connected, pose or Matrix())):
        frame.matrix_parent_inverse = frame.parent.matrix_world.inverted()
        frame.matrix_basis = world
    joint.omi_joint.enabled = True
    joint.omi_joint.connected_object = connected
    joint.omi_joint.settings_from_core(
        core.JointSettings(
            limits=tuple(core.JointLimit(**limit) for limit in limits),
            drives=tuple(core.JointDrive(**drive) for drive in drives),
        )
    )
    bpy.context.view_layer.update()
    activate(joint)
    return joint


def activate(obj: bpy.types.Object) -> None:
    """Make an object active and alone selected."""
    for other in bpy.context.view_layer.objects:
        other.select_set(False)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def handle_at(gui: Gui, field: str, index: int, value: float | None = None) -> Point:
    """Return where the handle of a value of the active joint is, or would be at another value."""
    joint = bpy.context.object
    settings = addon("properties.joint").shared_settings(joint)
    moving = addon("scene.watch").live_scene(bpy.context.scene).moving_end(joint)
    is_mirrored = addon("core.outline.sides").drawn_from(settings, moving).is_at_connected
    (handle,) = (
        each
        for each in addon("core.outline.handles").handles(settings, is_mirrored=is_mirrored)
        if (each.field, each.index) == (field, index)
    )
    place = addon("overlay.handle_places").handle_place
    return gui.to_window(place(bpy.context, handle, handle.value if value is None else value))


def is_near(value: float, expected: float, tolerance: float = 1e-5) -> bool:
    """Return whether a value is as expected; pytest is not installed in desktop Blender."""
    return abs(value - expected) <= tolerance


def overlay() -> Any:
    """Return the extension's overlay."""
    return addon("overlay.joint_overlay").OVERLAY


def shown_joints() -> int:
    """Return how many joints the view that shows most of them draws."""
    return max((int((view.versions >= 0).sum()) for view in overlay().views.values()), default=0)


def _empty(name: str, place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    obj = bpy.data.objects.new(name, None)
    obj.empty_display_size, obj.location = 1.0, place
    bpy.context.scene.collection.objects.link(obj)
    return obj
