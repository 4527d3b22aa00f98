"""The active object as a physics body in Properties > Physics, beside Blender's Rigid Body."""

from typing import TYPE_CHECKING, Any

import bpy

from ..authoring.context import present
from ..operators.body.body import OMI_OT_body_add, OMI_OT_body_shape_fit
from ..operators.body.lists import (
    OMI_OT_body_pair_add,
    OMI_OT_body_pair_remove,
    OMI_OT_body_system_add,
    OMI_OT_body_system_remove,
    OMI_OT_body_trigger_parts,
)
from ..operators.body.mass import OMI_OT_body_inertia_from_shape, OMI_OT_body_mass_from_density
from ..operators.body.nesting import OMI_OT_body_flatten, OMI_OT_body_nest
from ..operators.body.pairs import OMI_OT_body_pairs_find
from ..properties.body import OMI_PG_body, body_data, body_data_of, motion_of
from ..properties.body_reading import AUTO, is_compound_part, read_body
from ..properties.collider import has_collider
from ..properties.joint import joint_of
from ..properties.shape import MESH_TYPES, NONE
from ..properties.surface import physics_scene
from ..properties.words import OTHER
from ..scene.structure import body_object_of
from ..translation import translated
from .messages import draw_message
from .places import PhysicsTab, split_layout

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

    from ..properties.body import OMI_PG_collider
    from ..properties.shape import OMI_PG_shape
    from ..properties.surface import OMI_PG_collision_filter

_SIZES = {
    "BOX": ("size",),
    "SPHERE": ("radius",),
    "CAPSULE": ("height", "radius_bottom", "radius_top"),
    "CYLINDER": ("height", "radius_bottom", "radius_top"),
}


class OMI_PT_body(PhysicsTab, bpy.types.Panel):
    """How a physics engine sees the active object"""

    bl_label = "Physics Body"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return context.object is not None and joint_of(context.object) is None

    def draw_header(self, context: bpy.types.Context) -> None:
        layout, obj = present(self.layout), present(context.object)
        if motion_of(obj) is None:
            icon: IconItems = "CHECKBOX_DEHLT"
            layout.operator(OMI_OT_body_add.bl_idname, text="", icon=icon, emboss=False)
        elif obj.rigid_body is None:
            off = layout.operator("wm.context_set_enum", text="", icon="CHECKBOX_HLT", emboss=False)
            off.data_path, off.value = "object.omi_body.motion_type", NONE

    def draw(self, context: bpy.types.Context) -> None:
        layout, obj = split_layout(self, context), present(context.object)
        motion = motion_of(obj)
        # To read the data of an override makes it, which its library does not know.
        body = body_data(obj) if obj.override_library is None else body_data_of(obj)
        if motion is None and is_compound_part(obj):
            layout.label(text="A shape of its compound parent", icon="INFO")
        elif motion is None:
            layout.operator(OMI_OT_body_add.bl_idname, icon="ADD")
            if body_object_of(obj) is None and body is not None:
                layout.prop(body.trigger, "enabled")
        elif obj.rigid_body is not None:
            text = translated("{kind}, by the Rigid Body above", kind=motion.type.title())
            draw_message(layout, context, text, icon="RIGID_BODY")
        else:
            body = present(body)
            layout.prop(body, "motion_type", text="Type")
            if body.motion_type == OTHER:
                layout.prop(body, "other_motion_type")
        if motion is not None:
            row = layout.row(align=True)
            row.prop(present(body) if obj.rigid_body is None else obj.rigid_body, "mass")
            row.operator(OMI_OT_body_mass_from_density.bl_idname, text="", icon="MOD_FLUID")
        if motion is not None or has_collider(obj):
            _draw_shape(layout, body_data(obj).collider)


def _draw_shape(layout: bpy.types.UILayout, collider: "OMI_PG_collider") -> None:
    """Draw the collision shape and its surface as far as they are set for each body."""
    layout.prop(collider, "source", text="Shape")
    if collider.source == "CUSTOM":
        layout.prop(collider.shape, "type", text=" ")
        layout.operator(OMI_OT_body_shape_fit.bl_idname, icon="SHADING_BBOX")
    layout.prop(collider.material, "use_material", text="Own Surface")
    column = layout.column(align=True)
    column.active = collider.material.use_material
    column.prop(collider.material, "static_friction", text="Friction")
    column.prop(collider.material, "dynamic_friction", text="Sliding")
    column.prop(collider.material, "restitution", text="Bounce")


def _draw_pairs(layout: bpy.types.UILayout, body: OMI_PG_body) -> None:
    """Draw the bodies that a body passes through."""
    for number, each in enumerate(body.excluded):
        row = layout.row(align=True)
        heading = "" if number else "Does Not Collide With"
        field = row.row(align=True, heading=heading)
        field.enabled = False
        field.prop(each, "body", text="")
        remove: Any = row.operator(OMI_OT_body_pair_remove.bl_idname, text="", icon="X")
        remove.index = number
    row = layout.row(align=True)
    row.operator(OMI_OT_body_pair_add.bl_idname, icon="MOD_PHYSICS")
    row.operator(OMI_OT_body_pairs_find.bl_idname, text="By Motion", icon="VIEWZOOM")


class _BodyPanel(PhysicsTab):
    """Panel of one part of the active body."""

    bl_parent_id = "OMI_PT_body"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = context.object
        if obj is None or joint_of(obj) is not None:
            return False
        is_part = body_object_of(obj) is not None or has_collider(obj)
        body = read_body(obj)
        return is_part or (body is not None and body.is_trigger)


class _MotionPanel(_BodyPanel):
    """Panel of what only bodies have, not their parts."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return motion_of(context.object) is not None


class OMI_PT_body_motion(_MotionPanel, bpy.types.Panel):
    """Center and inertia of the active body"""

    bl_label = "Mass Properties"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, body = split_layout(self, context), _body(context)
        if any(body.inertia_diagonal):
            _draw_inertia(layout, body)
        else:
            _draw_vector(layout, body, "center_of_mass")
            layout.label(text="Inertia: automatic, from the shapes")
        layout.operator(OMI_OT_body_inertia_from_shape.bl_idname, icon="ORIENTATION_GIMBAL")


class OMI_PT_body_velocity(_MotionPanel, bpy.types.Panel):
    """Velocities that the active body starts with"""

    bl_label = "Velocity"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        _draw_velocities(split_layout(self, context), _body(context))


def draw_motion(layout: bpy.types.UILayout, body: OMI_PG_body) -> None:
    """Draw how a body without a Rigid Body moves."""
    layout.prop(body, "mass")
    _draw_inertia(layout, body)
    _draw_velocities(layout, body)


class OMI_PT_body_collider(_BodyPanel, bpy.types.Panel):
    """Collision shape of the active object"""

    bl_label = "Shape"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, collider = split_layout(self, context), _body(context).collider
        if collider.source == "CUSTOM":
            draw_shape(layout, collider.shape)
        if collider.source != NONE and present(context.object).type == "MESH":
            layout.prop(collider, "is_hidden")


class OMI_PT_body_material(_BodyPanel, bpy.types.Panel):
    """How the surface of the active collider combines with others"""

    bl_label = "Surface"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, obj = split_layout(self, context), present(context.object)
        collider = body_data(obj).collider
        if not collider.material.use_material:
            is_rigid = collider.source == AUTO and obj.rigid_body is not None
            layout.label(text="Of the Rigid Body" if is_rigid else "Of the engine", icon="INFO")
        column = layout.column()
        column.active = collider.material.use_material
        column.use_property_split = False  # the names need the whole width
        for name in ("friction_combine", "restitution_combine"):
            row = column.split(factor=0.55)
            row.label(text=collider.material.bl_rna.properties[name].name)
            row.prop(collider.material, name, text="")
        column.prop(collider.material, "material_name")


class OMI_PT_body_filter(_BodyPanel, bpy.types.Panel):
    """What the active collider collides with"""

    bl_label = "Collision Filter"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        collision_filter = _body(context).collider.collision_filter
        present(self.layout).prop(collision_filter, "use_filter", text="")

    def draw(self, context: bpy.types.Context) -> None:
        layout, obj = split_layout(self, context), present(context.object)
        collider, rigid = body_data(obj).collider, obj.rigid_body
        if collider.collision_filter.use_filter:
            _draw_filter(layout, collider.collision_filter, "collider")
        elif collider.source == AUTO and rigid is not None:
            text = "Names of the Rigid Body's collections"
            draw_message(layout, context, text, icon="INFO")
            for index, is_member in enumerate(rigid.collision_collections):
                if is_member:
                    layout.prop(physics_scene(present(context.scene)), f"system_{index + 1}")
        else:
            layout.label(text="Collides with everything", icon="INFO")


class OMI_PT_body_trigger(_BodyPanel, bpy.types.Panel):
    """Volume of the active object that detects bodies"""

    bl_label = "Trigger"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        present(self.layout).prop(_body(context).trigger, "enabled", text="")

    def draw(self, context: bpy.types.Context) -> None:
        layout = split_layout(self, context)
        trigger = _body(context).trigger
        layout.active = trigger.enabled
        draw_shape(layout, trigger.shape)
        layout.operator(OMI_OT_body_trigger_parts.bl_idname, icon="OUTLINER")
        for item in trigger.nodes:
            layout.prop(item, "node")
        layout.prop(trigger.collision_filter, "use_filter")
        if trigger.collision_filter.use_filter:
            _draw_filter(layout, trigger.collision_filter, "trigger")


class OMI_PT_body_tree(_MotionPanel, bpy.types.Panel):
    """The active body among others: articulations, excluded pairs, parents"""

    bl_label = "Hierarchy"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout, body = split_layout(self, context), _body(context)
        layout.prop(body, "articulation")
        if body.articulation:
            layout.prop(body, "articulation_is_fixed")
        _draw_pairs(layout, body)
        row = layout.row(align=True)
        row.operator(OMI_OT_body_nest.bl_idname, icon="OUTLINER")
        row.operator(OMI_OT_body_flatten.bl_idname, icon="ALIGN_JUSTIFY")


def draw_shape(layout: bpy.types.UILayout, shape: "OMI_PG_shape") -> None:
    """Draw a shape and what there is to do with it."""
    draw_sizes(layout, shape)
    if shape.type in _SIZES:
        layout.operator(OMI_OT_body_shape_fit.bl_idname, icon="SHADING_BBOX")
    if shape.type != NONE:
        layout.prop(shape, "shape_name")


def draw_sizes(layout: bpy.types.UILayout, shape: "OMI_PG_shape") -> None:
    """Draw type and sizes of a shape."""
    layout.prop(shape, "type")
    if shape.type == OTHER:
        layout.prop(shape, "other_type")
    for name in _SIZES.get(shape.type, ()):
        layout.prop(shape, name)
    if shape.type in MESH_TYPES:
        layout.prop(shape, "mesh")
    elif shape.type in _SIZES:
        layout.prop(shape, "offset")
        if shape.type in {"CAPSULE", "CYLINDER"}:
            layout.row().prop(shape, "up", expand=True)


def _draw_inertia(layout: bpy.types.UILayout, body: OMI_PG_body) -> None:
    _draw_vector(layout, body, "center_of_mass")
    layout.prop(body, "inertia_diagonal", text="Inertia kg·m²")
    if any(body.inertia_diagonal):
        layout.prop(body, "inertia_orientation", text="Orientation")


def _draw_velocities(layout: bpy.types.UILayout, body: OMI_PG_body) -> None:
    _draw_vector(layout, body, "linear_velocity")
    _draw_vector(layout, body, "angular_velocity")
    layout.prop(body, "gravity_factor")


def _draw_vector(layout: bpy.types.UILayout, body: OMI_PG_body, name: str) -> None:
    """Draw a vector below its name, which needs the whole width."""
    column = layout.column(align=True)
    column.use_property_split = False
    column.label(text=body.bl_rna.properties[name].name)
    column.row(align=True).prop(body, name, text="")


def _draw_filter(
    layout: bpy.types.UILayout, collision_filter: "OMI_PG_collision_filter", owner: str
) -> None:
    _draw_systems(layout, collision_filter, owner, "systems", "Member Of")
    layout.prop(collision_filter, "mode")
    if collision_filter.mode != "ALL":
        _draw_systems(layout, collision_filter, owner, "other_systems", "Systems")
    layout.prop(collision_filter, "filter_name")


def _draw_systems(
    layout: bpy.types.UILayout,
    collision_filter: "OMI_PG_collision_filter",
    owner: str,
    names: str,
    title: str,
) -> None:
    row = layout.row()
    row.label(text=title)
    add = row.operator(OMI_OT_body_system_add.bl_idname, text="", icon="ADD")
    add.owner, add.names = owner, names
    for index, item in enumerate(getattr(collision_filter, names)):
        row = layout.row(align=True)
        row.prop(item, "system", text="")
        remove = row.operator(OMI_OT_body_system_remove.bl_idname, text="", icon="REMOVE")
        remove.owner, remove.names, remove.index = owner, names, index


def _body(context: bpy.types.Context) -> OMI_PG_body:
    return body_data(present(context.object))


CLASSES = (
    OMI_PT_body,
    OMI_PT_body_collider,
    OMI_PT_body_material,
    OMI_PT_body_motion,
    OMI_PT_body_velocity,
    OMI_PT_body_filter,
    OMI_PT_body_trigger,
    OMI_PT_body_tree,
)
