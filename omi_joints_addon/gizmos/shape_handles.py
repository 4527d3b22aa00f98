"""Handles of the active body's collision shape: drag faces, lengths and radii."""

from collections.abc import Iterable
from typing import Any

import bpy
from mathutils import Vector

from .. import overlay
from ..authoring.conditions import uneditable
from ..authoring.context import present
from ..core import shapes
from ..properties.body import body_data
from ..properties.body_reading import read_body
from ..properties.bones import BodyBone, Node, object_of, world_matrix
from ..properties.overlay import overlay_options
from ..properties.shape import OMI_PG_shape
from ..scene.windows import redraw_views
from ..translation import translated
from .handle_group import HandleGroup
from .joint_handles import FINE

MOST_HANDLES = 6
"""Handles that a shape has at most: the faces of a box."""


class OMI_GT_shape_handle(bpy.types.Gizmo):
    """Drag a face, an end or a radius. Shift: precise, Alt: both sides alike"""

    bl_idname = "OMI_GT_shape_handle"
    __slots__ = ("handle", "last_mouse", "mouse", "node", "shape", "start", "way")

    def setup(self) -> None:
        """Make the shape and forget the handle."""
        self.handle: shapes.handles.ShapeHandle | None = None
        self.shape = self.new_custom_shape("TRIS", overlay.marks.OCTAHEDRON.tolist())

    def draw(self, context: bpy.types.Context) -> None:
        self.draw_custom_shape(self.shape)

    def test_select(self, context: bpy.types.Context, location: Iterable[int]) -> int:
        """Return 0 where the mouse is near, -1 elsewhere."""
        place, mouse = self.matrix_basis.translation, Vector(tuple(location))
        is_near = self.handle is not None and overlay.handle_places.is_near(context, place, mouse)
        return 0 if is_near else -1

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        """Begin a drag: remember the shape and where the mouse holds the handle."""
        self.node, self.way = shaped_node(context), 0.0
        if self.node is None or self.handle is None:
            return {"CANCELLED"}
        self.start = present(_fit(self.node))
        self.last_mouse = Vector((event.mouse_region_x, event.mouse_region_y))
        seen = overlay.handle_places.seen_place(context, self._place(0.0))
        self.mouse = self.last_mouse.copy() if seen is None else seen
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: Any) -> Any:
        """Follow the mouse along the line of the handle."""
        if self.handle is None or self.node is None or shaped_node(context) != self.node:
            return {"CANCELLED"}
        mouse = Vector((event.mouse_region_x, event.mouse_region_y))
        self.mouse += (mouse - self.last_mouse) * (FINE if event.shift else 1.0)
        self.last_mouse = mouse
        places, handle = overlay.handle_places, self.handle
        self.way = places.value_along(context, self._place, self.mouse, self.way, handle)
        fit = shapes.handles.dragged(self.start, handle, self.way, is_symmetric=event.alt)
        _write(self.node, fit)
        _show_in_header(context, handle, fit)
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool | None) -> None:
        """End the drag; a cancelled one gives back the shape."""
        if context.area is not None:
            context.area.header_text_set(None)
        if self.node is None or shaped_node(context) != self.node:
            return
        if cancel:
            _write(self.node, self.start)
        else:
            message = translated("Drag Shape")
            bpy.ops.ed.undo_push(message=message)  # noqa: TID251 - a step of Gizmo.use_undo is named after the group, and Blender 4.5 has none

    def _place(self, way: float) -> Vector:
        """Return where in the world the handle is once it has moved by a way [m]."""
        place, direction = shapes.handles.line(self.start, present(self.handle))
        node: Any = self.node
        world: Vector = world_matrix(node) @ Vector((place + way * direction).tolist())
        return world


class OMI_GGT_shape_handles(HandleGroup, bpy.types.GizmoGroup):
    """Handles of the active body's collision shape, where shapes are drawn"""

    bl_idname = "OMI_GGT_shape_handles"
    bl_label = "Collision Shape"
    handle = OMI_GT_shape_handle.bl_idname
    most = MOST_HANDLES

    @classmethod
    def has_handles(cls, context: bpy.types.Context) -> bool:
        return shaped_node(context) is not None

    def draw_prepare(self, context: bpy.types.Context) -> None:
        """Put each handle where its size is."""
        node = shaped_node(context)
        fit = None if node is None else _fit(node)
        handles = [] if fit is None else list(shapes.handles.shape_handles(fit.shape))
        gizmos: Any = self.gizmos
        for number, gizmo in enumerate(gizmos):
            gizmo.hide = number >= len(handles)
            if node is not None and fit is not None and number < len(handles):
                place, _direction = shapes.handles.line(fit, handles[number])
                gizmo.handle = handles[number] if not gizmo.is_modal else gizmo.handle
                gizmo.color, gizmo.alpha = overlay.shapes.COLLIDER[:3], 0.9
                gizmo.color_highlight, gizmo.alpha_highlight = (1.0, 1.0, 1.0), 1.0
                world = world_matrix(node) @ Vector(place.tolist())
                gizmo.matrix_basis.translation = world


def shaped_node(context: bpy.types.Context) -> Node | None:
    """Return the active object or bone, if it has a shape of its own that can be dragged."""
    node: Node | None = context.object
    # A drag may outlive the extension. To ask an object for its data would make it.
    is_there = hasattr(bpy.types.Object, "omi_body")
    if node is None or not is_there or not overlay_options(context).show_shapes:
        return None
    if context.mode == "POSE":
        bone = context.active_pose_bone
        node = None if bone is None else BodyBone(object_of(node), bone.name)
    elif context.mode != "OBJECT":
        return None
    if node is None or uneditable(obj := object_of(node)) or not obj.visible_get():
        return None
    return node if _fit(node) is not None else None


def _fit(node: Node) -> "shapes.fit.Fit | None":
    """Return the shape of a body's collider, None where it is not one with sizes."""
    read = read_body(node)
    if read is None or read.values.collider.source != "CUSTOM":
        return None
    fit = read.values.collider.fit
    return fit if fit is not None and any(shapes.handles.shape_handles(fit.shape)) else None


def _write(node: Node, fit: "shapes.fit.Fit") -> None:
    """Set sizes and place of a shape; views and editors show it."""
    data: OMI_PG_shape = body_data(node).collider.shape
    data.from_fit(fit)
    object_of(node).update_tag()
    redraw_views()


def _show_in_header(
    context: bpy.types.Context, handle: "shapes.handles.ShapeHandle", fit: "shapes.fit.Fit"
) -> None:
    """Show the size and the keys in the header."""
    shape: Any = fit.shape
    name = "radius_top" if handle.name == "radii" else handle.name
    value = shape.size[handle.axis] if name == "size" else getattr(shape, name)
    units = present(context.scene).unit_settings
    text = overlay.labels.number_text(value, units, is_angle=False)
    label = {"size": "Size", "height": "Height"}.get(handle.name, "Radius")
    if context.area is not None:
        keys = translated("Shift: Fine, Alt: Both Sides")
        context.area.header_text_set(f"{translated(label)}: {text}    {keys}")
