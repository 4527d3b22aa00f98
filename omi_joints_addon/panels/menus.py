"""Menus: Add, Object and Pose with all operators, those of the right mouse button, a pie."""

from typing import TYPE_CHECKING

import bpy

from .. import authoring
from ..authoring.conditions import selected_joints
from ..authoring.context import present
from ..operators.exchange.example_add import EXAMPLES, OMI_OT_example_add
from ..operators.joint.add import OMI_OT_joint_add
from ..operators.joint.mirror import OMI_OT_joint_mirror
from ..operators.joint.own_presets import (
    OMI_OT_joint_preset_delete,
    OMI_OT_joint_preset_load,
    OMI_OT_joint_preset_save,
)
from ..operators.joint.profiles import (
    OMI_OT_joint_profile_apply,
    OMI_OT_joint_profile_remove,
    OMI_OT_joint_profile_store,
)
from ..operators.joint.select import OMI_OT_joint_bodies_select, OMI_OT_joint_connected_select
from ..operators.preview.preview import OMI_OT_preview_range, OMI_OT_preview_simulate
from ..operators.rigid_body.constraint import OMI_OT_rigid_body_constraint_convert
from ..properties.joint import joint_of
from .joint_tools import draw_axis, draw_edits, draw_presets

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems


class OMI_MT_joint_add(bpy.types.Menu):
    """Joints between the selected bodies"""

    bl_label = "Physics Joint"

    def draw(self, _context: bpy.types.Context) -> None:
        layout = present(self.layout)
        draw_presets(layout)
        layout.separator()
        text = "Rope (Chain of Pins)"
        chain = layout.operator(OMI_OT_joint_add.bl_idname, text=text, icon="LINKED")
        chain.preset, chain.pattern = "PIN", "CHAIN"


class OMI_MT_examples(bpy.types.Menu):
    """Ready-made characters and machines with physics joints"""

    bl_label = "Physics Examples"

    def draw(self, _context: bpy.types.Context) -> None:
        layout = present(self.layout)
        for file, name, _ in EXAMPLES:
            layout.operator(OMI_OT_example_add.bl_idname, text=name).example = file


class OMI_MT_joint_context(bpy.types.Menu):
    """All that can be done with joints"""

    bl_label = "Physics Joint"

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.menu(OMI_MT_joint_add.__name__, text="Add", icon="ADD")
        layout.menu(OMI_MT_body.__name__, icon="MOD_PHYSICS")
        layout.menu(OMI_MT_bones.__name__, text="Ragdoll", icon="ARMATURE_DATA")
        layout.separator()
        if joint_of(context.object) is not None:
            draw_edits(layout)
            layout.menu(OMI_MT_joint_profiles.__name__)
            layout.separator()
        _draw_all(layout, _OF_JOINTS)


class OMI_MT_body(bpy.types.Menu):
    """All that can be done with bodies"""

    bl_label = "Physics Body"

    def draw(self, _context: bpy.types.Context) -> None:
        _draw_all(present(self.layout), _OF_BODIES)


class OMI_MT_bones(bpy.types.Menu):
    """All that can be done with the bones of a character"""

    bl_label = "Physics"

    def draw(self, _context: bpy.types.Context) -> None:
        _draw_all(present(self.layout), _OF_BONES)


def _draw_all(layout: bpy.types.UILayout, names: tuple[str, ...]) -> None:
    """Draw operators by their names, "-" for a line between them."""
    layout.operator_context = "INVOKE_DEFAULT"
    for name in names:
        if name == "-":
            layout.separator()
        else:
            layout.operator(f"omi.{name}")


_OF_JOINTS = (
    *("preview_range", "preview_simulate", "preview_pose", "preview_bake", "preview_keep", "-"),
    *("joint_limits_fit", "joint_stiffness_set", "joint_connected_select", "joint_loops_close"),
    *("joint_table", "-"),
    *("rigid_body_constraint_convert", "rigid_body_preview_build", "rigid_body_preview_clean"),
)
_OF_BODIES = (
    *("body_add", "body_anchor_add", "body_shape_fit", "-"),
    *("body_mass_from_density", "body_inertia_from_shape", "-"),
    *("body_pair_add", "body_pairs_find", "-"),
    *("body_nest", "body_flatten", "-", "body_remove"),
)
_OF_BONES = (
    *("ragdoll_add", "ragdoll_activate", "ragdoll_targets_key", "ragdoll_remove", "-"),
    *("joint_stiffness_set", "body_pairs_find", "-"),
    *("preview_simulate", "preview_pose", "preview_bake", "preview_keep"),
)


class OMI_MT_joint_pie(bpy.types.Menu):
    """The most used tools of joints around the mouse"""

    bl_label = "Physics Joints"

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        pie = layout.menu_pie()
        pie.operator_context = "INVOKE_DEFAULT"
        pie.menu(OMI_MT_joint_add.__name__, text="Add", icon="ADD")
        pie.operator(OMI_OT_preview_simulate.bl_idname, text="Simulate", icon="PLAY")
        pie.operator(OMI_OT_joint_bodies_select.bl_idname, icon="RESTRICT_SELECT_OFF")
        pie.operator(OMI_OT_preview_range.bl_idname, text="Range", icon="ORIENTATION_GIMBAL")
        select = pie.operator(
            OMI_OT_joint_connected_select.bl_idname, text="Select Chain", icon="LINKED"
        )
        select.extend_chain = True
        pie.operator(
            OMI_OT_joint_connected_select.bl_idname, text="Select Connected", icon="SNAP_ON"
        )
        pie.operator(OMI_OT_joint_mirror.bl_idname, icon="MOD_MIRROR")
        if joint_of(context.object) is not None:
            draw_axis(pie.box())


class OMI_MT_joint_presets(bpy.types.Menu):
    """Presets of your own"""

    bl_label = "Joint Presets"

    def draw(self, _context: bpy.types.Context) -> None:
        layout = present(self.layout)
        found = authoring.own_presets.own_presets()
        for path in found:
            row = layout.row()
            row.operator(OMI_OT_joint_preset_load.bl_idname, text=path.stem).filepath = str(path)
            row.operator(OMI_OT_joint_preset_delete.bl_idname, text="", icon="X").name = path.stem
        if found:
            layout.separator()
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator(OMI_OT_joint_preset_save.bl_idname, icon="ADD")


class OMI_MT_joint_profiles(bpy.types.Menu):
    """Profiles of the selected joints: sets of limits and drives, one of which is in use"""

    bl_label = "Profiles"

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        used = authoring.profiles.profiles_in_use(selected_joints(context))
        for name, is_used in used.items():
            row = layout.row()
            icon: IconItems = "RADIOBUT_ON" if is_used else "RADIOBUT_OFF"
            row.operator(OMI_OT_joint_profile_apply.bl_idname, text=name, icon=icon).name = name
            row.operator(OMI_OT_joint_profile_remove.bl_idname, text="", icon="X").name = name
        if used:
            layout.separator()
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator(OMI_OT_joint_profile_store.bl_idname, icon="ADD")


def _draw_add_entry(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry of the Add menu."""
    layout = present(menu.layout)
    layout.menu(OMI_MT_joint_add.__name__, icon="CONSTRAINT")
    layout.menu(OMI_MT_examples.__name__, icon="ASSET_MANAGER")


def _draw_object_entry(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry of the Object menu."""
    layout = present(menu.layout)
    layout.separator()
    layout.menu(OMI_MT_joint_context.__name__, icon="CONSTRAINT")


def _draw_context_entry(menu: bpy.types.Menu, context: bpy.types.Context) -> None:
    """Draw the entries of the context menu of objects: of a joint what is done most."""
    _draw_object_entry(menu, context)
    if joint_of(context.object) is not None:
        _draw_all(
            present(menu.layout), ("preview_range", "preview_simulate", "joint_bodies_select")
        )


def _draw_bones_entry(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry of the menus of Pose Mode."""
    layout = present(menu.layout)
    layout.separator()
    layout.menu(OMI_MT_bones.__name__, icon="CONSTRAINT")


def _draw_rigid_body_entry(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry of the menu of Blender's rigid bodies."""
    layout = present(menu.layout)
    layout.separator()
    layout.operator(OMI_OT_rigid_body_constraint_convert.bl_idname)


CLASSES = (
    OMI_MT_joint_add,
    OMI_MT_examples,
    OMI_MT_joint_context,
    OMI_MT_body,
    OMI_MT_bones,
    OMI_MT_joint_pie,
    OMI_MT_joint_presets,
    OMI_MT_joint_profiles,
)
MENUS = (
    ("VIEW3D_MT_object_rigid_body", _draw_rigid_body_entry),
    ("VIEW3D_MT_add", _draw_add_entry),
    ("VIEW3D_MT_object", _draw_object_entry),
    ("VIEW3D_MT_object_context_menu", _draw_context_entry),
    ("VIEW3D_MT_pose", _draw_bones_entry),
    ("VIEW3D_MT_pose_context_menu", _draw_bones_entry),
)
