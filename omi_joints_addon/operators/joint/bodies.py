"""The two bodies of a joint as fields of its object: a name to choose, and an eyedropper."""

import sys
from collections.abc import Iterator
from typing import Any

import bpy

from ... import authoring
from ... import preview as previews
from ...authoring.conditions import Explained, active_joint_locked, not_object_mode
from ...authoring.context import present
from ...classes import OperatorResult
from ...core.findings.sentence import Sentence
from ...core.meaning.sides import End
from ...declared import EnumProperty
from ...properties.bones import BodyBone, Node, object_of
from ...properties.joint import has_joint_data, joint_data
from ...scene.structure import body_bones_of
from ...scene.watch import shown_scene
from ...scene.windows import redraw_views
from ...translation import popup, refused, translated
from .ends import ENDS

FIELDS = {End.JOINT: "omi_joint_body", End.CONNECTED: "omi_connected_body"}
"""Properties of objects: the body at each end of a joint, by its name."""


def _text(node: Node | None) -> str:
    """Return what stands for a body: a bone's armature and name, nothing for the world."""
    if isinstance(node, BodyBone):
        return f"{node.armature.name}: {node.name}"
    return "" if node is None else node.name


def _choices(scene: bpy.types.Scene) -> Iterator[Node]:
    """Yield what can be the body of a joint: objects that are not joints or frames, and bones."""
    objects = list(scene.objects)
    yield from filter(_is_body, objects)
    for obj in (obj for obj in objects if obj.type == "ARMATURE"):
        yield from body_bones_of(obj)


def _is_body(obj: bpy.types.Object) -> bool:
    """Return whether an object is neither a joint nor a connected frame."""
    data = joint_data(obj) if has_joint_data(obj) else None
    return data is None or not (data.enabled or data.is_connected_frame)


def is_offered(scene: bpy.types.Scene, body: Node) -> bool:
    """Return whether the fields list a body, however many others there are."""
    live = shown_scene(scene)
    is_inside = object_of(body).session_uid in live.nodes.numbers or not live.is_current
    return is_inside and (isinstance(body, BodyBone) or _is_body(body))


def _put(joint: bpy.types.Object, end: End, text: str) -> None:
    """Put an end of a joint on what a text stands for, or show why that cannot be done."""
    context = bpy.context  # noqa: TID251 - Blender gives no context to who sets a property
    scene = present(context.scene)
    body = next((node for node in _choices(scene) if _text(node) == text), None) if text else None
    if text and body is None:
        reason: str | None = Sentence("{text} is not an object of this scene", text=text)
    else:
        reason = not_object_mode(context) or authoring.ends.unfit_body(joint, end, body)
    if reason is None:
        authoring.ends.set_body(context, joint, end, body)
        redraw_views()
    elif bpy.app.background:
        sys.stderr.write(f"{joint.name}: {translated(reason)}\n")
    else:
        popup(reason)


def _field(end: End, name: str) -> Any:
    """Return the property of the body at an end of a joint."""

    def get(joint: bpy.types.Object) -> str:
        return _text(authoring.ends.body_at(joint, end))

    def put(joint: bpy.types.Object, text: str) -> None:
        if text != get(joint):
            _put(joint, end, text)

    def search(_joint: bpy.types.Object, context: bpy.types.Context, _part: str) -> list[str]:
        return list(map(_text, _choices(present(context.scene))))

    return bpy.props.StringProperty(
        name=name,
        description=(
            "Body at this end of the joint; the frame stays where it is. An object that is not a "
            "body becomes one. Empty is the world"
        ),
        get=get,
        set=put,
        search=search,
        # Without SUGGESTION, Blender lists all objects at each draw of the field.
        search_options={"SORT", "SUGGESTION"},
        options={"SKIP_SAVE"},
    )


class OMI_OT_joint_body_pick(Explained, bpy.types.Operator):
    """Click the object in the viewport that is to be at this end of the joint"""

    bl_idname = "omi.joint_body_pick"
    bl_label = "Pick Body"
    bl_options: Any = {"UNDO", "INTERNAL"}  # its click cannot be repeated with other values
    end = EnumProperty(name="End", description="End of the joint", items=ENDS)
    conditions = (not_object_mode, active_joint_locked)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        """Wait for a click."""
        window = present(context.window)
        window.cursor_modal_set("EYEDROPPER")
        present(context.window_manager).modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> OperatorResult:
        """Take the object under the click; the right button and Esc cancel."""
        if event.type in {"ESC", "RIGHTMOUSE"}:
            return self._end(context, None)
        if event.type != "LEFTMOUSE" or event.value != "PRESS":
            return {"RUNNING_MODAL"}
        return self._end(context, _clicked(context, event))

    def _end(self, context: bpy.types.Context, picked: bpy.types.Object | None) -> OperatorResult:
        present(context.window).cursor_modal_restore()
        if picked is None:
            return refused(self, "WARNING", "No object was clicked")
        setattr(present(context.object), FIELDS[End[self.end]], picked.name)
        return {"FINISHED"}


def _clicked(context: bpy.types.Context, event: bpy.types.Event) -> bpy.types.Object | None:
    """Return the object under the mouse in the 3D view that this is over."""
    area, region = previews.rest.region_at(context, event) or (None, None)
    if area is None or region is None or area.type != "VIEW_3D" or region.type != "WINDOW":
        return None
    with context.temp_override(area=area, region=region):
        mouse = event.mouse_x - region.x, event.mouse_y - region.y
        return authoring.elements.object_at(context, mouse)


def attach() -> None:
    """Add the fields."""
    owner: Any = bpy.types.Object
    for (end, field), name in zip(FIELDS.items(), ("Body A", "Body B"), strict=True):
        setattr(owner, field, _field(end, name))


def detach() -> None:
    """Remove the fields."""
    for field in FIELDS.values():
        if hasattr(bpy.types.Object, field):
            delattr(bpy.types.Object, field)
