"""Menus: Add, Object and Pose with all operators, those of the right mouse button, a pie."""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.types import Context, UILayout

from .. import authoring
from ..authoring.conditions import selected_joints
from ..authoring.context import present
from ..operators.exchange.example_add import EXAMPLES
from ..properties.joint import joint_of
from .joint_tools import draw_axis, draw_edits, draw_presets
from .places import Icon


class OMI_MT_joint_add(bpy.types.Menu):
    """Joints between the selected bodies"""

    bl_label = "Physics Joint"

    def draw(self, _context: Context) -> None:
        layout = present(self.layout)
        draw_presets(layout)
        layout.separator()
        text = "Rope (Chain of Pins)"
        chain = layout.operator("omi.joint_add", text=text, icon="LINKED")
        chain.preset, chain.pattern = "PIN", "CHAIN"


class OMI_MT_examples(bpy.types.Menu):
    """Ready-made characters and machines with physics joints"""

    bl_label = "Physics Examples"

    def draw(self, _context: Context) -> None:
        layout = present(self.layout)
        for file, name, _ in EXAMPLES:
            layout.operator("omi.example_add", text=name).example = file


class OMI_MT_joint_context(bpy.types.Menu):
    """All that can be done with joints"""

    bl_label = "Physics Joint"

    def draw(self, context: Context) -> None:
        layout = present(self.layout)
        layout.menu("OMI_MT_joint_add", text="Add", icon="ADD")
        layout.menu("OMI_MT_body", icon="MOD_PHYSICS")
        layout.menu("OMI_MT_bones", text="Ragdoll", icon="ARMATURE_DATA")
        layout.separator()
        if joint_of(context.object) is not None:
            draw_edits(layout)
            layout.menu("OMI_MT_joint_profiles")
            layout.separator()
        _draw_all(layout, _OF_JOINTS)


class OMI_MT_body(bpy.types.Menu):
    """All that can be done with bodies"""

    bl_label = "Physics Body"

    def draw(self, _context: Context) -> None:
        _draw_all(present(self.layout), _OF_BODIES)


class OMI_MT_bones(bpy.types.Menu):
    """All that can be done with the bones of a character"""

    bl_label = "Physics"

    def draw(self, _context: Context) -> None:
        _draw_all(present(self.layout), _OF_BONES)


def _draw_all(layout: UILayout, names: tuple[str, ...]) -> None:
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
    *("joint_chain_show", "joint_table", "preview_pose_store", "-"),
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
    *("joint_stiffness_set", "body_pairs_find", "joint_connected_select", "joint_chain_show", "-"),
    *("preview_simulate", "preview_pose", "preview_pose_store", "preview_bake", "preview_keep"),
)


class OMI_MT_joint_pie(bpy.types.Menu):
    """The most used tools of joints around the mouse"""

    bl_label = "Physics Joints"

    def draw(self, context: Context) -> None:
        pie = present(self.layout).menu_pie()
        pie.operator_context = "INVOKE_DEFAULT"
        pie.menu("OMI_MT_joint_add", text="Add", icon="ADD")
        pie.operator("omi.preview_simulate", text="Simulate", icon="PLAY")
        pie.operator("omi.joint_bodies_select", icon="RESTRICT_SELECT_OFF")
        pie.operator("omi.preview_range", text="Range", icon="ORIENTATION_GIMBAL")
        select = pie.operator("omi.joint_connected_select", text="Select Chain", icon="LINKED")
        select.extend_chain = True
        pie.operator("omi.joint_connected_select", text="Select Connected", icon="SNAP_ON")
        pie.operator("omi.joint_mirror", icon="MOD_MIRROR")
        if joint_of(context.object) is not None:
            draw_axis(pie.box())


class OMI_MT_joint_presets(bpy.types.Menu):
    """Presets of your own"""

    bl_label = "Joint Presets"

    def draw(self, _context: Context) -> None:
        layout = present(self.layout)
        found = authoring.own_presets.own_presets()
        for path in found:
            row = layout.row()
            row.operator("omi.joint_preset_load", text=path.stem).filepath = str(path)
            row.operator("omi.joint_preset_delete", text="", icon="X").name = path.stem
        if found:
            layout.separator()
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("omi.joint_preset_save", icon="ADD")


class OMI_MT_joint_profiles(bpy.types.Menu):
    """Profiles of the selected joints: sets of limits and drives, one of which is in use"""

    bl_label = "Profiles"

    def draw(self, context: Context) -> None:
        layout = present(self.layout)
        used = authoring.profiles.profiles_in_use(selected_joints(context))
        for name, is_used in used.items():
            row = layout.row()
            icon: Icon = "RADIOBUT_ON" if is_used else "RADIOBUT_OFF"
            row.operator("omi.joint_profile_apply", text=name, icon=icon).name = name
            row.operator("omi.joint_profile_remove", text="", icon="X").name = name
        if used:
            layout.separator()
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("omi.joint_profile_store", icon="ADD")


def _entry(name: str, *operators: str) -> Callable[[Any, Context], None]:
    """Return what draws a menu below a line in one of Blender's, and operators of a joint."""

    def draw(menu: Any, context: Context) -> None:
        menu.layout.separator()
        menu.layout.menu(name, icon="CONSTRAINT")
        if joint_of(context.object) is not None:
            _draw_all(menu.layout, operators)

    return draw


def _draw_add_entry(menu: Any, _context: Context) -> None:
    """Draw the entries of the Add menu."""
    menu.layout.menu("OMI_MT_joint_add", icon="CONSTRAINT")
    menu.layout.menu("OMI_MT_examples", icon="ASSET_MANAGER")


def _draw_rigid_body_entry(menu: Any, _context: Context) -> None:
    """Draw the entry of the menu of Blender's rigid bodies."""
    _draw_all(menu.layout, ("-", "rigid_body_constraint_convert"))


_TOOLS = ("preview_range", "preview_simulate", "joint_bodies_select")
MENUS = (
    ("VIEW3D_MT_object_rigid_body", _draw_rigid_body_entry),
    ("VIEW3D_MT_add", _draw_add_entry),
    ("VIEW3D_MT_object", _entry("OMI_MT_joint_context")),
    ("VIEW3D_MT_object_context_menu", _entry("OMI_MT_joint_context", *_TOOLS)),
    ("VIEW3D_MT_pose", _entry("OMI_MT_bones")),
    ("VIEW3D_MT_pose_context_menu", _entry("OMI_MT_bones")),
)
