"""Handles of the active joint: drag bounds of limits and targets of drives."""

import math
import traceback
from collections.abc import Iterable
from typing import Any

import bpy
from mathutils import Matrix, Vector

from .. import authoring, overlay
from .. import preview as previews
from .. import scene as scenes
from ..authoring.conditions import active_joint
from ..authoring.context import present
from ..core import outline
from ..core.model.axes import AXIS_LETTERS
from ..core.model.joint import JointSettings
from ..properties.joint import OMI_PG_joint, joint_data
from ..scene.windows import redraw_views
from ..translation import popup, translated
from .handle_group import HandleGroup

FINE = 0.1
"""How much of the mouse's way counts while Shift is held."""
MOST_HANDLES = 32
"""Handles of one joint that are shown."""
_AXIS_COLORS = ("axis_x", "axis_y", "axis_z")


class OMI_GT_joint_handle(bpy.types.Gizmo):
    """Drag a bound or a target, or type a number. Ctrl: snap, Shift: precise, Alt: symmetric"""

    bl_idname = "OMI_GT_joint_handle"
    __slots__ = (
        *("handle", "last_mouse", "mouse", "owner", "shape"),
        *("start", "twin", "typed", "value"),
    )

    def setup(self) -> None:
        """Make the shape and forget the handle."""
        self.handle: outline.handles.Handle | None = None
        self.shape = self.new_custom_shape("TRIS", overlay.marks.OCTAHEDRON.tolist())

    def draw(self, context: bpy.types.Context) -> None:
        self.draw_custom_shape(self.shape)

    def test_select(self, context: bpy.types.Context, location: Iterable[int]) -> int:
        """Return 0 where the mouse is near, -1 elsewhere."""
        place, mouse = self.matrix_basis.translation, Vector(tuple(location))
        is_near = self.handle is not None and overlay.handle_places.is_near(context, place, mouse)
        return 0 if is_near else -1

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Begin a drag: remember the settings and where the mouse holds the handle."""
        data = _edited(context)
        if data is None or self.handle is None:
            return {"CANCELLED"}
        self.owner, self.start = present(data.id_data).session_uid, data.settings_to_core()
        joint = present(active_joint(context))
        self.twin = authoring.symmetry.twin_of(context, joint) if context.mode == "POSE" else None
        if self.handle.is_drive:
            data.active_drive = self.handle.index
        else:
            data.active_limit = self.handle.index
        self.value, self.typed = self.handle.value, ""
        if not self.handle.is_drive:
            overlay.ghost.GHOST.show(joint, previews.action_poses.used_limits(context, joint))
        self.last_mouse = Vector((event.mouse_region_x, event.mouse_region_y))
        seen = overlay.handle_places.seen_at(context, self.handle, self.value)
        self.mouse = self.last_mouse.copy() if seen is None else seen
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: Any) -> Any:
        """Follow the mouse; whatever fails ends the drag with one sentence."""
        try:
            return self._follow(context, event)
        except Exception as error:  # noqa: BLE001 - Blender would print it at each move of the mouse
            traceback.print_exception(error)
            popup(
                "The drag ended and the old value is back: {fault} (the console shows details)",
                fault=f"{type(error).__name__}: {error}",
            )
            return {"CANCELLED"}

    def _follow(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        data, handle = _edited(context), self.handle
        if data is None or handle is None or not self._is_dragged(data, handle):
            return {"CANCELLED"}
        mouse = Vector((event.mouse_region_x, event.mouse_region_y))
        self.mouse += (mouse - self.last_mouse) * (FINE if event.shift else 1.0)
        self.last_mouse = mouse
        self.value = overlay.handle_places.value_at(context, handle, self.mouse, self.value)
        value = outline.handles.snapped(handle, self.value) if event.ctrl else self.value
        if event.value == "PRESS":
            self.typed = typed_with(self.typed, event.type, event.unicode)
        number = typed_value(self.typed, present(context.scene).unit_settings, handle.is_angle)
        value = value if number is None else number
        value = _write(data, handle, value, self.start, is_symmetric=event.alt)
        self._mirror(data)
        _show_in_header(context, handle, value, self.typed)
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool | None) -> None:
        """End the drag; a cancelled one gives back the settings."""
        overlay.ghost.GHOST.hide()
        if context.area is not None:
            context.area.header_text_set(None)
        data = self._dragged(context)
        if data is None or self.handle is None:
            return
        if cancel:
            _restore(data, self.handle, self.start)
            self._mirror(data)
            return
        _key(context, data, self.handle, self.start)
        if self.twin is not None:
            _key(context, self.twin.data, self.handle, self.twin.start)
        message = translated("Set {bound}", bound=_bound_text(self.handle))
        bpy.ops.ed.undo_push(message=message)  # noqa: TID251 - a step of Gizmo.use_undo is named after the group, and Blender 4.5 has none
        _redraw(data)

    def _mirror(self, data: OMI_PG_joint) -> None:
        """Have the other side's joint follow, where X-Axis Mirror is on, and show both."""
        if self.twin is not None:
            self.twin.follow(data.settings_to_core())
            _redraw(self.twin.data)
        _redraw(data)

    def _dragged(self, context: bpy.types.Context) -> OMI_PG_joint | None:
        """Return the settings that the drag began with, None where their element is gone."""
        objects = present(context.blend_data).objects
        owner = next((each for each in objects if each.session_uid == self.owner), None)
        if owner is None or not hasattr(owner, "omi_joint") or self.handle is None:
            return None
        data = joint_data(owner)
        return data if self._is_dragged(data, self.handle) else None

    def _is_dragged(self, data: OMI_PG_joint, handle: "outline.handles.Handle") -> bool:
        """Return whether a drag began with these settings, and its element is still there."""
        elements: Any = data.drives if handle.is_drive else data.limits
        return present(data.id_data).session_uid == self.owner and handle.index < len(elements)


class OMI_GGT_joint_handles(HandleGroup, bpy.types.GizmoGroup):
    """Handles of the active joint"""

    bl_idname = "OMI_GGT_joint_handles"
    bl_label = "Joint Limits"
    handle = OMI_GT_joint_handle.bl_idname
    most = MOST_HANDLES

    @classmethod
    def has_handles(cls, context: bpy.types.Context) -> bool:
        return _edited(context) is not None

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put each handle where its value is."""
        data = _edited(context)
        shown = () if data is None else overlay.handle_places.shown_handles(context, data)
        found = {each.key: each for each in shown}
        waiting = []
        gizmos: Any = self.gizmos
        for gizmo in gizmos:
            handle = gizmo.handle and found.pop(gizmo.handle.key, None)
            if handle is not None:
                _show(context, gizmo, handle)
            elif not gizmo.is_modal:
                if not gizmo.hide:
                    gizmo.hide, gizmo.handle = True, None
                waiting.append(gizmo)
        for gizmo, handle in zip(waiting, found.values(), strict=False):
            _show(context, gizmo, handle)


def _show(context: bpy.types.Context, gizmo: Any, handle: "outline.handles.Handle") -> None:
    """Put a gizmo at a handle, in the color of its axis, minima darker."""
    preferences: Any = context.preferences
    colors = preferences.themes[0].user_interface
    color = getattr(colors, _AXIS_COLORS[handle.axis])
    if handle.is_drive:
        color = colors.gizmo_primary
    shade = 0.6 if handle.field == "min" else 1.0
    gizmo.handle, gizmo.hide = handle, False
    gizmo.color = [shade * each for each in color[:3]]
    gizmo.color_highlight = colors.gizmo_hi[:3]
    gizmo.alpha, gizmo.alpha_highlight = 0.9, 1.0
    place = overlay.handle_places.handle_place(context, handle, handle.value)
    gizmo.matrix_basis = Matrix.Translation(place)


def _edited(context: bpy.types.Context) -> OMI_PG_joint | None:
    """Return the data that handles edit; what the overlay needs is loaded by the first joint."""
    # A drag may outlive the extension.
    is_there = hasattr(bpy.types.Object, "omi_joint") and active_joint(context) is not None
    return overlay.handle_places.edited_joint(context) if is_there else None


def _restore(data: OMI_PG_joint, handle: "outline.handles.Handle", start: JointSettings) -> None:
    """Give a limit or drive the values back that it had."""
    if handle.is_drive:
        data.drives[handle.index].from_core(start.drives[handle.index])
    else:
        data.limits[handle.index].from_core(start.limits[handle.index])


def _write(
    data: OMI_PG_joint,
    handle: "outline.handles.Handle",
    value: float,
    start: JointSettings,
    *,
    is_symmetric: bool,
) -> float:
    """Set the value of a handle, for a symmetric range the opposite bound too; return it."""
    if handle.is_drive:
        value = outline.handles.bounded(handle, value, start)
        data.drives[handle.index].position_target = value
        return value
    limit = data.limits[handle.index]
    if is_symmetric and handle.floor < 0.0:
        value = min(value, 0.0) if handle.field == "min" else max(value, 0.0)
        value = min(max(value, handle.floor), handle.ceiling)
        limit.use_min = limit.use_max = True
        limit.min, limit.max = -abs(value), abs(value)
        return value
    limit.from_core(start.limits[handle.index])
    value = outline.handles.bounded(handle, value, start)
    setattr(limit, handle.field, value)
    return value


def _key(
    context: bpy.types.Context,
    data: OMI_PG_joint,
    handle: "outline.handles.Handle",
    start: JointSettings,
) -> None:
    """Key what was dragged and has keys, where Auto Keying is on, as Blender's own fields do."""
    scene, owner = present(context.scene), data.id_data
    if not isinstance(owner, bpy.types.Object):
        return
    if not present(scene.tool_settings).use_keyframe_insert_auto:
        return
    if handle.is_drive:
        names: tuple[str, ...] = ("position_target",)
        element = f"omi_joint.drives[{handle.index}]."
    else:
        limit, before = data.limits[handle.index], start.limits[handle.index]
        names = tuple(n for n in ("min", "max") if getattr(limit, n) != getattr(before, n))
        element = f"omi_joint.limits[{handle.index}]."
    for path in {curve.data_path for curve in scenes.animation.curves_of(owner.animation_data)}:
        if path.startswith(element) and path.removeprefix(element).startswith(names):
            owner.keyframe_insert(path, frame=scene.frame_current_final)


def _redraw(data: OMI_PG_joint) -> None:
    """Have views and editors show changed settings: setting properties does not."""
    owner: Any = data.id_data
    owner.update_tag()
    redraw_views()


def typed_with(typed: str, key: str, sign: str) -> str:
    """Return what has been typed in a drag after one more key."""
    if key == "BACK_SPACE":
        return typed[:-1]
    is_sign = bool(sign) and (sign in "0123456789.,-")
    return typed + sign.replace(",", ".") if is_sign else typed


def typed_value(typed: str, units: bpy.types.UnitSettings, is_angle: bool) -> float | None:
    """Return a typed number as a bound [rad or m], None where it is not one yet."""
    try:
        number = float(typed)
    except ValueError:
        return None
    if is_angle:
        return number if units.system_rotation == "RADIANS" else math.radians(number)
    if units.system == "NONE":
        return number
    return float(bpy.utils.units.to_value(units.system, "LENGTH", typed)) / units.scale_length


def _bound_text(handle: "outline.handles.Handle") -> str:
    """Return what a handle sets, in words."""
    name = {"min": "Minimum", "max": "Maximum"}.get(handle.field, "Target")
    words = "{bound} about {axis}" if handle.is_angle else "{bound} along {axis}"
    return translated(words, bound=translated(name), axis=AXIS_LETTERS[handle.axis])


def _show_in_header(
    context: bpy.types.Context, handle: "outline.handles.Handle", value: float, typed: str
) -> None:
    """Show the value, what is typed and the keys in the header."""
    units = present(context.scene).unit_settings
    text = overlay.labels.number_text(value, units, is_angle=handle.is_angle)
    number = f" [{typed}|]" if typed else ""
    keys = translated("Type a Number, Ctrl: Snap, Shift: Fine, Alt: Symmetric")
    if context.area is not None:
        context.area.header_text_set(f"{_bound_text(handle)}: {text}{number}    {keys}")
