"""The active joint in Properties > Physics: both ends and what they share."""

from typing import Any

import bpy
from bpy.types import Context, Object, UILayout

from ..authoring.conditions import locked, shown_joint
from ..authoring.context import present
from ..core.meaning.presets import settings_label
from ..core.model.attributes import NUMBERS
from ..operators.joint.bodies import FIELDS, is_offered
from ..properties.body import body_data, motion_of
from ..properties.bones import Node
from ..properties.joint import OMI_PG_joint, joint_data, joint_of
from ..scene.findings import joint_findings
from ..scene.structure import joint_bodies, settings_of
from ..scene.watch import shown_scene
from ..translation import translated
from .joint_settings import draw_settings
from .messages import draw_findings, draw_message
from .places import Icon, PhysicsTab, draw_field, draw_props, section, split_layout


class OMI_PT_joint(PhysicsTab, bpy.types.Panel):
    """The active joint: its kind and bodies, limits, drives, and settings for other formats"""

    bl_label = "Physics Joint"

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = context.object
        return obj is not None and (obj.type == "EMPTY" or joint_of(obj) is not None)

    def draw_header(self, context: Context) -> None:
        layout = present(self.layout)
        layout.prop(joint_data(present(context.object)), "enabled", text="")

    def draw(self, context: Context) -> None:
        layout, obj = split_layout(self, context), shown_joint(context)
        if obj is None:
            layout.label(text="Enable to make this empty a joint")
            return
        if obj != context.object:
            layout.label(text="Connected frame of", icon="LINKED")
            draw_joint_button(layout, obj, obj.name)
        settings = settings_of(obj)
        if settings is not None:
            draw_kind(layout, settings)
        for (end, field), body in zip(FIELDS.items(), joint_bodies(obj), strict=True):
            is_missing = body is not None and not is_offered(present(context.scene), body)
            _draw_body(layout, obj, field, end.name, body, is_missing=is_missing)
        layout.prop(joint_data(obj), "enable_collision")
        _draw_sharing(layout, obj, settings, present(context.scene))
        draw_settings(layout, obj)
        section(layout, _draw_more, context, obj, settings, text="More")
        # Below all fields: these stay where they are when something is wrong.
        if found := joint_findings(obj, present(context.scene)):
            section(layout, draw_findings, context, found, text="Findings", is_closed=False)


class OMI_PT_body_joints(PhysicsTab, bpy.types.Panel):
    """Joints of the active body"""

    bl_label = "Joints of This Body"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return motion_of(context.object) is not None and bool(_joints(context))

    def draw(self, context: Context) -> None:
        layout = present(self.layout)
        column = layout.column(align=True)
        for joint in _joints(context):
            draw_joint_button(column, joint, joint.name)
        layout.operator("omi.body_remove", icon="X")


def _joints(context: Context) -> list[Object]:
    live = shown_scene(present(context.scene))
    body = live.nodes.numbers.get(present(context.object).session_uid, -2)
    return [live.nodes.objects[node] for node in live.ends.of_body(body).tolist()]


def draw_joint_button(
    layout: UILayout, joint: Object, text: str, *, icon: Icon | None = None
) -> None:
    """Draw a button that selects a joint."""
    shown, is_plain = icon or "CONSTRAINT", icon is not None
    button = layout.operator("omi.joint_select", text=text, icon=shown, emboss=not is_plain)
    button.name = joint.name
    button.library = joint.library.filepath if joint.library else ""


def draw_kind(layout: UILayout, settings: OMI_PG_joint) -> None:
    """Draw the menu of kinds, and that of one's own."""
    row, kind = layout.row(align=True), settings_label(settings.settings_to_core())
    row.operator_menu_enum("omi.joint_preset_apply", "preset", text=kind, icon="CONSTRAINT")
    row.menu("OMI_MT_joint_presets", text="", icon="PRESET")


def _draw_body(
    layout: UILayout, joint: Object, field: str, end: str, body: Node | None, *, is_missing: bool
) -> None:
    """Draw the field of a body, the eyedropper and how the body moves; below these if narrow."""
    row, is_wide = layout.row(align=True), layout.use_property_split
    if not is_wide:
        row.label(text=joint.bl_rna.properties[field].name)
    cell = row.row(align=True)
    cell.enabled = locked(joint) is None
    named = (cell if is_wide else layout).row(align=True)
    named.alert = is_missing
    cell.operator("omi.joint_body_pick", text="", icon="EYEDROPPER").end = end
    if body is not None and body.rigid_body is None:
        row.prop(body_data(body), "motion_type", text="", icon_only=True)
    elif body is not None:
        row.label(text="", icon="RIGID_BODY")
    named.prop(joint, field, text=None if is_wide else "", icon="OBJECT_DATA")


def _draw_sharing(
    layout: UILayout, obj: Object, settings: OMI_PG_joint | None, scene: bpy.types.Scene
) -> None:
    """Draw with whom the joint shares its settings."""
    source = joint_data(obj).settings_source
    owner: Any = source if settings is None else settings.id_data
    count = len(shown_scene(scene).sharing(obj))
    if source is not None:
        text = translated("Shared with {joint}", joint=owner.name)
    elif count:
        text = translated("{count} users", count=count + 1)
    else:
        return
    row = layout.row()
    row.label(text=text, icon="LINKED")
    row.operator("omi.joint_settings_unlink", text="", icon="UNLINKED")


def _draw_more(
    layout: UILayout, context: Context, obj: Object, settings: OMI_PG_joint | None
) -> None:
    """Draw what few joints need, and what only other formats have."""
    joint = joint_data(obj)
    draw_field(layout, joint, "connected_object", text="Connected")
    if settings is not None:
        layout.menu("OMI_MT_joint_profiles")
        draw_field(layout, settings, "settings_name", text="Settings Name")
    layout.row().prop(joint, "color")
    text = "For USD, URDF and MJCF; glTF files keep these, but engines ignore them"
    draw_message(layout, context, text, icon="INFO")
    names = ("enabled", "in_articulation", *NUMBERS, "range_min", "range_max")
    draw_props(layout, joint.attributes, *names)
    layout.prop(joint.coupling, "source")
    if joint.coupling.source is not None:
        draw_props(layout, joint.coupling, "multiplier", "offset")
    if joint.attributes.carried:
        text = "Holds attributes of other programs"
        draw_message(layout, context, text, icon="PACKAGE")
