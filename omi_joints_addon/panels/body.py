"""The active object as a physics body in Properties > Physics, beside Blender's Rigid Body."""

from typing import Any

import bpy
from bpy.types import Context, Object, UILayout

from ..authoring.context import present
from ..properties.body import (
    OMI_PG_body,
    OMI_PG_collider,
    OMI_PG_trigger,
    body_data,
    body_data_of,
    motion_of,
)
from ..properties.body_reading import AUTO, is_compound_part, read_body
from ..properties.collider import has_collider
from ..properties.joint import joint_of
from ..properties.shape import MESH_TYPES, NONE, OMI_PG_shape
from ..properties.surface import OMI_PG_collision_filter, physics_scene
from ..scene.structure import body_object_of
from ..translation import translated
from .messages import draw_message
from .places import PhysicsTab, draw_choice, draw_props, section, split_layout

_SIZES = {
    "BOX": ("size",),
    "SPHERE": ("radius",),
    "CAPSULE": ("height", "radius_bottom", "radius_top"),
    "CYLINDER": ("height", "radius_bottom", "radius_top"),
}


class OMI_PT_body(PhysicsTab, bpy.types.Panel):
    """How a physics engine sees the active object: how it moves, its shape, filters, trigger"""

    bl_label = "Physics Body"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return context.object is not None and joint_of(context.object) is None

    def draw_header(self, context: Context) -> None:
        layout, obj = present(self.layout), present(context.object)
        if motion_of(obj) is None:
            layout.operator("omi.body_add", text="", icon="CHECKBOX_DEHLT", emboss=False)
        elif obj.rigid_body is None:
            off = layout.operator("wm.context_set_enum", text="", icon="CHECKBOX_HLT", emboss=False)
            off.data_path, off.value = "object.omi_body.motion_type", NONE

    def draw(self, context: Context) -> None:
        layout, obj = split_layout(self, context), present(context.object)
        is_body, is_solid = motion_of(obj) is not None, has_collider(obj)
        _draw_motion(layout, context, obj)
        if is_body or is_solid:
            _draw_shape(layout, body_data(obj).collider)
        read = read_body(obj)
        if body_object_of(obj) is not None or is_solid or (read is not None and read.is_trigger):
            _draw_sections(layout, context, body_data(obj), is_body=is_body)


def _draw_motion(layout: UILayout, context: Context, obj: Object) -> None:
    """Draw how the object moves, or how it becomes a body."""
    motion = motion_of(obj)
    # To read the data of an override makes it, which its library does not know.
    body = body_data(obj) if obj.override_library is None else body_data_of(obj)
    if motion is None and is_compound_part(obj):
        layout.label(text="A shape of its compound parent", icon="INFO")
    elif motion is None:
        layout.operator("omi.body_add", icon="ADD")
        if body_object_of(obj) is None and body is not None:
            layout.prop(body.trigger, "enabled")
    elif obj.rigid_body is not None:
        text = translated("{kind}, by the Rigid Body above", kind=motion.type.title())
        draw_message(layout, context, text, icon="RIGID_BODY")
    else:
        draw_choice(layout, body, "motion_type", text="Type")
    if motion is not None:
        row = layout.row(align=True)
        row.prop(present(body) if obj.rigid_body is None else obj.rigid_body, "mass")
        row.operator("omi.body_mass_from_density", text="", icon="MOD_FLUID")


def _draw_shape(layout: UILayout, collider: OMI_PG_collider) -> None:
    """Draw the collision shape and its surface as far as they are set for each body."""
    layout.prop(collider, "source", text="Shape")
    if collider.source == "CUSTOM":
        draw_choice(
            layout, collider.shape, "type", text=" " if layout.use_property_split else "Type"
        )
        layout.operator("omi.body_shape_fit", icon="SHADING_BBOX")
    layout.prop(collider.material, "use_material")
    column = layout.column(align=True)
    column.active = collider.material.use_material
    is_wide, column.use_property_split = layout.use_property_split, False
    for name in ("static_friction", "dynamic_friction", "restitution"):
        if not is_wide:
            column.label(text=collider.material.bl_rna.properties[name].name)
        column.prop(collider.material, name, text=None if is_wide else "")


def _draw_sections(layout: UILayout, context: Context, body: OMI_PG_body, *, is_body: bool) -> None:
    """Draw what is set less often, below headings; parts of bodies have less of it."""
    collider, trigger = body.collider, body.trigger
    section(layout, _draw_sizes, context, collider, text="Shape")
    section(layout, _draw_surface, context, collider, text="Material Details")
    if is_body:
        section(layout, _draw_mass, body, text="Mass Properties")
        section(layout, draw_velocities, body, text="Velocity")
    switch = (collider.collision_filter, "use_filter")
    section(layout, _draw_collisions, context, collider, text="Collision Filter", switch=switch)
    section(layout, _draw_trigger, trigger, text="Trigger", switch=(trigger, "enabled"))
    if is_body:
        section(layout, _draw_hierarchy, body, text="Hierarchy")


def _draw_sizes(layout: UILayout, context: Context, collider: OMI_PG_collider) -> None:
    if collider.source == "CUSTOM":
        draw_sizes(layout, collider.shape)
        layout.prop(collider.shape, "shape_name")
    if collider.source != NONE and present(context.object).type == "MESH":
        layout.prop(collider, "is_hidden")


def _draw_surface(layout: UILayout, context: Context, collider: OMI_PG_collider) -> None:
    material = collider.material
    if not material.use_material:
        is_rigid = collider.source == AUTO and present(context.object).rigid_body is not None
        layout.label(text="From the Rigid Body" if is_rigid else "Engine default", icon="INFO")
    column = layout.column()
    column.active = material.use_material
    column.use_property_split = False  # the names need the whole width
    for name in ("friction_combine", "restitution_combine"):
        row = column.split(factor=0.55)
        row.label(text=material.bl_rna.properties[name].name)
        row.prop(material, name, text="")
    column.prop(material, "material_name")


def _draw_mass(layout: UILayout, body: OMI_PG_body) -> None:
    if any(body.inertia_diagonal):
        draw_inertia(layout, body)
    else:
        _draw_vector(layout, body, "center_of_mass")
        layout.label(text="Inertia: automatic, from the shapes")
    layout.operator("omi.body_inertia_from_shape", icon="ORIENTATION_GIMBAL")


def _draw_collisions(layout: UILayout, context: Context, collider: OMI_PG_collider) -> None:
    rigid = present(context.object).rigid_body
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


def _draw_trigger(layout: UILayout, trigger: OMI_PG_trigger) -> None:
    layout.active = trigger.enabled
    draw_choice(layout, trigger.shape, "type")
    draw_sizes(layout, trigger.shape)
    if trigger.shape.type in _SIZES:
        layout.operator("omi.body_shape_fit", icon="SHADING_BBOX")
    if trigger.shape.type != NONE:
        layout.prop(trigger.shape, "shape_name")
    layout.operator("omi.body_trigger_parts", icon="OUTLINER")
    for item in trigger.nodes:
        layout.prop(item, "node")
    layout.prop(trigger.collision_filter, "use_filter")
    if trigger.collision_filter.use_filter:
        _draw_filter(layout, trigger.collision_filter, "trigger")


def _draw_hierarchy(layout: UILayout, body: OMI_PG_body) -> None:
    layout.prop(body, "articulation")
    if body.articulation:
        layout.prop(body, "articulation_is_fixed")
    for number, each in enumerate(body.excluded):
        row = layout.row(align=True)
        field = row.row(align=True, heading="" if number else "Does Not Collide With")
        field.enabled = False
        field.prop(each, "body", text="")
        draw_pair_removal(row, number)
    column = layout.column(align=True)
    column.operator("omi.body_pair_add", icon="MOD_PHYSICS")
    column.operator("omi.body_pairs_find", text="Exclude by Motion", icon="VIEWZOOM")
    row = layout.row(align=True)
    row.operator("omi.body_nest", icon="OUTLINER")
    row.operator("omi.body_flatten", icon="ALIGN_JUSTIFY")


def draw_pair_removal(row: UILayout, number: int) -> None:
    """Draw the button that lets two bodies collide again."""
    remove: Any = row.operator("omi.body_pair_remove", text="", icon="X")
    remove.index = number


def draw_sizes(layout: UILayout, shape: OMI_PG_shape) -> None:
    """Draw the sizes of a shape."""
    draw_props(layout, shape, *_SIZES.get(shape.type, ()))
    if shape.type in MESH_TYPES:
        layout.prop(shape, "mesh")
    elif shape.type in _SIZES:
        layout.prop(shape, "offset")
        if shape.type in {"CAPSULE", "CYLINDER"}:
            layout.row().prop(shape, "up", expand=True)


def draw_inertia(layout: UILayout, body: OMI_PG_body) -> None:
    """Draw the center of mass and the inertia of a body."""
    _draw_vector(layout, body, "center_of_mass")
    layout.prop(body, "inertia_diagonal", text="Inertia kg·m²")
    if any(body.inertia_diagonal):
        layout.prop(body, "inertia_orientation", text="Orientation")


def draw_velocities(layout: UILayout, body: OMI_PG_body) -> None:
    """Draw how fast a body is at the start, and how much gravity it feels."""
    _draw_vector(layout, body, "linear_velocity")
    _draw_vector(layout, body, "angular_velocity")
    layout.prop(body, "gravity_factor")


def _draw_vector(layout: UILayout, body: OMI_PG_body, name: str) -> None:
    """Draw a vector below its name, which needs the whole width."""
    column = layout.column(align=True)
    column.use_property_split = False
    column.label(text=body.bl_rna.properties[name].name)
    column.row(align=True).prop(body, name, text="")


def _draw_filter(layout: UILayout, collision_filter: OMI_PG_collision_filter, owner: str) -> None:
    """Draw the systems that the collider or trigger is in, and those that it collides with."""
    _draw_systems(layout, collision_filter, owner, "systems", "Member Of")
    layout.prop(collision_filter, "mode")
    if collision_filter.mode != "ALL":
        _draw_systems(layout, collision_filter, owner, "other_systems", "Systems")
    layout.prop(collision_filter, "filter_name")


def _draw_systems(
    layout: UILayout,
    collision_filter: OMI_PG_collision_filter,
    owner: str,
    names: str,
    title: str,
) -> None:
    row = layout.row()
    row.label(text=title)
    add = row.operator("omi.body_system_add", text="", icon="ADD")
    add.owner, add.names = owner, names
    for index, item in enumerate(getattr(collision_filter, names)):
        row = layout.row(align=True)
        row.prop(item, "system", text="")
        remove = row.operator("omi.body_system_remove", text="", icon="REMOVE")
        remove.owner, remove.names, remove.index = owner, names, index
