"""The active joint in Properties > Physics: both ends and what they share."""

from typing import TYPE_CHECKING, Any

import bpy

from ..authoring.conditions import shown_joint
from ..authoring.context import present
from ..core.meaning.presets import settings_label
from ..core.model.attributes import NUMBERS
from ..operators.body.body import OMI_OT_body_remove
from ..operators.check.check import OMI_OT_check_select
from ..operators.joint.select import OMI_OT_joint_select
from ..operators.joint.settings import OMI_OT_joint_preset_apply, OMI_OT_joint_settings_unlink
from ..properties.body import body_data, motion_of
from ..properties.bones import Node
from ..properties.joint import joint_data, joint_of
from ..scene.findings import joint_findings
from ..scene.structure import (
    joint_bodies,
    settings_of,
)
from ..scene.watch import shown_scene
from ..translation import translated
from .messages import draw_finding, draw_message
from .places import PhysicsTab, is_narrow, split_layout

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

    from ..core.findings.finding import Finding
    from ..properties.joint import OMI_PG_joint


class OMI_PT_joint(PhysicsTab, bpy.types.Panel):
    """Both ends of the joint of the active object"""

    bl_label = "Physics Joint"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = context.object
        return obj is not None and (obj.type == "EMPTY" or joint_of(obj) is not None)

    def draw_header(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.prop(joint_data(present(context.object)), "enabled", text="")

    def draw(self, context: bpy.types.Context) -> None:
        layout, obj = split_layout(self, context), shown_joint(context)
        if obj is None:
            layout.label(text="Enable to make this empty a joint")
            return
        if obj != context.object:
            layout.label(text="Connected frame of", icon="LINKED")
            draw_joint_button(layout, obj, obj.name)
        settings = settings_of(obj)
        if settings is not None:
            draw_kind(layout.row(align=True), settings)
        for label, body in zip(("Body A", "Body B"), joint_bodies(obj), strict=True):
            _draw_body(layout, "" if is_narrow(context) else label, body)
        layout.prop(joint_data(obj), "enable_collision")
        _draw_sharing(layout, obj, settings, present(context.scene))


class OMI_PT_joint_findings(PhysicsTab, bpy.types.Panel):
    """What is wrong with the active joint, below all fields: these stay where they are"""

    bl_label = "Findings"
    bl_parent_id = "OMI_PT_joint"
    bl_order = 3

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return bool(_findings(context))

    def draw(self, context: bpy.types.Context) -> None:
        for found in _findings(context):
            draw_finding(present(self.layout), context, found)


def _findings(context: bpy.types.Context) -> "list[Finding]":
    obj = shown_joint(context)
    return [] if obj is None else joint_findings(obj, present(context.scene))


class OMI_PT_body_joints(PhysicsTab, bpy.types.Panel):
    """Joints of the active body"""

    bl_label = "Joints of This Body"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return motion_of(context.object) is not None and bool(_joints(context))

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        column = layout.column(align=True)
        for joint in _joints(context):
            draw_joint_button(column, joint, joint.name)
        layout.operator(OMI_OT_body_remove.bl_idname, icon="X")


def draw_joint_button(
    layout: bpy.types.UILayout, joint: bpy.types.Object, text: str, *, icon: "IconItems" = "NONE"
) -> None:
    """Draw a button that selects a joint."""
    button = layout.operator(
        OMI_OT_joint_select.bl_idname,
        text=text,
        icon="CONSTRAINT" if icon == "NONE" else icon,
        emboss=icon == "NONE",
    )
    button.name = joint.name
    button.library = joint.library.filepath if joint.library else ""


class OMI_PT_joint_more(PhysicsTab, bpy.types.Panel):
    """Settings of the active joint for other formats"""

    bl_label = "More"
    bl_order = 2
    bl_parent_id = "OMI_PT_joint"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return shown_joint(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout, obj = split_layout(self, context), present(shown_joint(context))
        joint, settings = joint_data(obj), settings_of(obj)
        layout.prop(joint, "connected_object", text="Connected")
        if settings is not None:
            layout.menu("OMI_MT_joint_profiles")
            layout.prop(settings, "settings_name")
        layout.row().prop(joint, "color")
        text = "For USD, URDF and MJCF; glTF files keep these, but engines ignore them"
        draw_message(layout, context, text, icon="INFO")
        for name in _MORE:
            layout.prop(joint.attributes, name)
        layout.prop(joint.coupling, "source")
        if joint.coupling.source is not None:
            layout.prop(joint.coupling, "multiplier")
            layout.prop(joint.coupling, "offset")
        if joint.attributes.carried:
            text = "Holds attributes of other programs"
            draw_message(layout, context, text, icon="PACKAGE")


_MORE = (
    "enabled",
    "in_articulation",
    *NUMBERS,
    "range_min",
    "range_max",
)


def _joints(context: bpy.types.Context) -> list[bpy.types.Object]:
    live = shown_scene(present(context.scene))
    body = live.nodes.numbers.get(present(context.object).session_uid, -2)
    return [live.nodes.objects[node] for node in live.ends.of_body(body).tolist()]


def _draw_body(layout: bpy.types.UILayout, label: str, body: Node | None) -> None:
    """Draw a body, which a click selects, and how it moves."""
    name = translated("None") if body is None else body.name
    text = f"{translated(label)}: {name}" if label else name
    cells = layout.split(factor=0.6, align=True)
    if not isinstance(body, bpy.types.Object):
        cells.label(text=text, translate=False)
    else:
        button = cells.operator(OMI_OT_check_select.bl_idname, text=text, translate=False)
        button.place = body.name
    if body is None:
        return
    if body.rigid_body is None:
        cells.prop(body_data(body), "motion_type", text="")
    else:
        motion = motion_of(body)
        cells.label(text=motion.type.title() if motion else "", icon="RIGID_BODY")


def draw_kind(row: bpy.types.UILayout, settings: "OMI_PG_joint") -> None:
    """Draw the menu of kinds, and that of one's own."""
    kind = settings_label(settings.settings_to_core())
    row.operator_menu_enum(
        OMI_OT_joint_preset_apply.bl_idname, "preset", text=kind, icon="CONSTRAINT"
    )
    row.menu("OMI_MT_joint_presets", text="", icon="PRESET")


def _draw_sharing(
    layout: bpy.types.UILayout,
    obj: bpy.types.Object,
    settings: "OMI_PG_joint | None",
    scene: bpy.types.Scene,
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
    row.operator(OMI_OT_joint_settings_unlink.bl_idname, text="", icon="UNLINKED")


CLASSES = (OMI_PT_joint, OMI_PT_joint_more, OMI_PT_joint_findings, OMI_PT_body_joints)
