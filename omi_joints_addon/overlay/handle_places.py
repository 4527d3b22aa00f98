"""Where handles of joints are in 3D views, and which values the mouse gives them."""

from collections.abc import Callable, Iterable
from typing import Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

from ..authoring.conditions import active_joint, uneditable
from ..authoring.context import present
from ..core.model.pose import Array, handedness, pose_from_matrix, rotate
from ..core.outline.handles import Draggable, Handle, handles, nearest_value
from ..core.outline.sides import drawn_from
from ..properties.bones import world_matrix
from ..properties.joint import OMI_PG_joint, drawn_size, joint_data, settings_owner
from ..properties.overlay import overlay_options
from ..scene.watch import live_scene
from .detail import screen_sizes

REACH = 12.0
"""Distance from a handle at which the mouse takes it [pixels at interface scale 1]."""


def edited_joint(context: bpy.types.Context) -> OMI_PG_joint | None:
    """Return the data that handles edit: of the active, visible joint that owns its settings."""
    obj = active_joint(context) if context.mode in ("OBJECT", "POSE") else None
    if obj is None:
        return None
    if joint_data(obj).settings_source is not None or uneditable(obj):
        return None
    return joint_data(settings_owner(obj)) if obj.visible_get() else None


def shown_handles(context: bpy.types.Context, data: OMI_PG_joint) -> Iterable[Handle]:
    """Return the handles of the active joint, at the end that it is drawn at."""
    obj = present(active_joint(context))
    settings, moving = data.settings_to_core(), overlay_options(context).moving_end()
    if joint_data(obj).connected_object is None:
        return handles(settings)
    drawn = drawn_from(settings, moving or live_scene(present(context.scene)).moving_end(obj))
    return handles(settings, is_mirrored=drawn.is_at_connected)


def is_over_handle(context: bpy.types.Context, mouse: Vector) -> bool:
    """Return whether the mouse at a point of the region [pixels] would take a handle."""
    space: Any = context.space_data
    data = edited_joint(context) if space.show_gizmo and space.show_gizmo_context else None
    found = () if data is None else shown_handles(context, data)
    places = (handle_place(context, each, each.value) for each in found)
    return any(is_near(context, place, mouse) for place in places)


def is_near(context: bpy.types.Context, place: Vector, mouse: Vector) -> bool:
    """Return whether the mouse at a point of the region [pixels] takes a handle at a place [m]."""
    preferences: Any = context.preferences
    point = seen_place(context, place)
    return point is not None and (point - mouse).length <= REACH * preferences.system.ui_scale


def handle_size(context: bpy.types.Context, obj: bpy.types.Object) -> float:
    """Return the size [m] at which a view shows angles of a joint, whether or not it draws them."""
    space: Any = context.space_data
    region = present(context.region)
    preferences: Any = context.preferences
    options = overlay_options(context)
    factor = drawn_size(obj)
    if options.size_mode == "WORLD":
        return float(factor * options.size)
    point = np.array([world_matrix(obj).translation])
    view = space.region_3d if context.region_data is None else context.region_data
    pixels = np.array([factor * options.screen_size * preferences.system.ui_scale])
    perspective = np.array(view.perspective_matrix)
    return float(screen_sizes(point, perspective, region.width, pixels)[0])


def handle_place(context: bpy.types.Context, handle: Handle, value: float) -> Vector:
    """Return where a value's handle is in the world [m]."""
    obj = present(active_joint(context))
    end: Any = joint_data(obj).connected_object if handle.is_mirrored else obj
    world = np.array(world_matrix(end))
    frame, size = pose_from_matrix(world), handle_size(context, obj) * float(handedness(world))
    anchor, offset = handle.place(value)
    local = anchor + size * offset
    return Vector((frame.position + rotate(frame.rotation, local)).tolist())


def seen_at(context: bpy.types.Context, handle: Handle, value: float) -> Vector | None:
    """Return where in the region a value's handle is seen [pixels], None behind the view."""
    return seen_place(context, handle_place(context, handle, value))


def seen_place(context: bpy.types.Context, place: Vector) -> Vector | None:
    """Return where in the region a place of the world [m] is seen [pixels]."""
    region: Any = context.region
    view: Any = context.region_data
    return location_3d_to_region_2d(region, view, place)


def value_at(context: bpy.types.Context, handle: Handle, mouse: Vector, start: float) -> float:
    """Return the value near `start` that the mouse means at a point of the region [pixels]."""

    def place(value: float) -> Vector:
        return handle_place(context, handle, value)

    return value_along(context, place, mouse, start, handle)


def value_along(
    context: bpy.types.Context,
    place: Callable[[float], Vector],
    mouse: Vector,
    start: float,
    handle: Draggable,
) -> float:
    """Return the value near `start` whose place in the world [m] the mouse means."""

    def seen(value: float) -> Array | None:
        point = seen_place(context, place(value))
        return None if point is None else np.array(point)

    return nearest_value(seen, np.array(mouse), start, handle)
