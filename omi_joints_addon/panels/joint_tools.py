"""The sidebar tab "Joints" of the 3D viewport: making, editing and listing joints; menus."""

from typing import Any

import bpy

from ..core.meaning.presets import PRESETS
from ..core.meaning.recognition import joint_kind
from ..operators.joint.add import OMI_OT_joint_add
from ..operators.joint.ends import (
    OMI_OT_joint_ends_swap,
    OMI_OT_joint_frame_align,
    OMI_OT_joint_frame_snap,
)
from ..operators.joint.remove import OMI_OT_joint_remove
from ..operators.joint.select import OMI_OT_joint_bodies_select, OMI_OT_joint_select
from ..operators.joint.settings import (
    OMI_OT_joint_settings_copy,
    OMI_OT_joint_settings_link,
    OMI_OT_joint_settings_unlink,
)
from ..operators.rigid_body.constraint import OMI_OT_rigid_body_constraint_convert
from ..properties.joint import joint_of
from ..scene.structure import settings_of

PRESET_ICONS: Any = {
    "FIXED": "LOCKED",
    "PIN": "PINNED",
    "HINGE": "DRIVER_ROTATIONAL_DIFFERENCE",
    "SLIDER": "DRIVER_DISTANCE",
    "CYLINDRICAL": "MESH_CYLINDER",
    "PLANAR": "MESH_PLANE",
    "BALL_WITH_CONE": "CONE",
    "UNIVERSAL": "ORIENTATION_GIMBAL",
    "SUSPENSION_SPRING": "MOD_SCREW",
    "HINGE_MOTOR": "FILE_REFRESH",
    "POSITION_SERVO": "DRIVER",
}


class Sidebar:
    """Place of a panel: the tab "Joints" of the 3D viewport's sidebar."""

    bl_space_type: Any = "VIEW_3D"
    bl_region_type: Any = "UI"
    bl_category = "Joints"


class OMI_PT_joint_create(Sidebar, bpy.types.Panel):
    """Buttons that joint the selected bodies"""

    bl_label = "Create"

    def draw(self, _context: bpy.types.Context) -> None:
        layout: Any = self.layout
        grid = layout.grid_flow(columns=2, even_columns=True, align=True)
        _draw_presets(grid)
        layout.operator(
            OMI_OT_rigid_body_constraint_convert.bl_idname, icon="RIGID_BODY_CONSTRAINT"
        )


class OMI_PT_joint_edit(Sidebar, bpy.types.Panel):
    """Tools for the selected joints"""

    bl_label = "Edit"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return joint_of(context.object) is not None

    def draw(self, _context: bpy.types.Context) -> None:
        layout: Any = self.layout
        _draw_edits(layout.column(align=True))


class OMI_PT_joint_list(Sidebar, bpy.types.Panel):
    """All joints of the scene"""

    bl_label = "Joints in Scene"

    def draw(self, context: bpy.types.Context) -> None:
        scene, manager = context.scene, context.window_manager
        layout: Any = self.layout
        layout.template_list(
            "OMI_UL_joints", "", scene, "objects", manager, "omi_joint_row", rows=6
        )


class OMI_UL_joints(bpy.types.UIList):
    """Joints of a scene; a click selects one"""

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: Any,
        data: Any,
        item: Any,
        icon: int | None,
        active_data: Any,
        active_property: str | None,
        index: int | None = 0,
        flt_flag: int | None = 0,
    ) -> None:
        symbol = "EMPTY_ARROWS"
        if item.select_get():
            symbol = "RADIOBUT_ON" if item == context.object else "RADIOBUT_OFF"
        split = layout.split(factor=0.7)
        name = split.row()
        name.alignment = "LEFT"
        button = name.operator(
            OMI_OT_joint_select.bl_idname, text=item.name, icon=symbol, emboss=False
        )
        button.name = item.name
        button.library = item.library.filepath if item.library else ""
        settings = settings_of(item)
        split.label(text=joint_kind(settings.settings_to_core()).label if settings else "")

    def filter_items(self, context: bpy.types.Context, data: Any, property: Any) -> Any:  # noqa: A002
        """Return which objects are joints whose name holds the text searched for, and an order."""
        objects = getattr(data, property)
        helpers: Any = bpy.types.UI_UL_list
        shown = self.bitflag_filter_item
        matches = [shown] * len(objects)
        if self.filter_name:
            matches = helpers.filter_items_by_name(self.filter_name, shown, objects, "name")
        elif self.use_filter_invert:
            matches = [0] * len(objects)
        # Blender inverts afterwards, which must not show what is no joint.
        other = shown if self.use_filter_invert else 0
        flags = [
            match if obj.omi_joint.enabled else other
            for obj, match in zip(objects, matches, strict=True)
        ]
        order = helpers.sort_items_by_name(objects, "name") if self.use_filter_sort_alpha else []
        return flags, order


class OMI_MT_joint_add(bpy.types.Menu):
    """Joints between the selected bodies"""

    bl_label = "Physics Joint"

    def draw(self, _context: bpy.types.Context) -> None:
        _draw_presets(self.layout)


class OMI_MT_joint_context(bpy.types.Menu):
    """Tools for the selected joints and bodies"""

    bl_label = "Physics Joint"

    def draw(self, context: bpy.types.Context) -> None:
        if joint_of(context.object) is None:
            _draw_presets(self.layout)
        else:
            _draw_edits(self.layout)


def _draw_presets(layout: Any) -> None:
    """Draw a button for each kind of joint."""
    layout.operator_context = "INVOKE_DEFAULT"
    for preset, info in PRESETS.items():
        button = layout.operator(
            OMI_OT_joint_add.bl_idname, text=info.label, icon=PRESET_ICONS[preset.name]
        )
        button.preset = preset.name


def _draw_edits(layout: Any) -> None:
    """Draw the tools for joints that exist."""
    layout.operator(OMI_OT_joint_bodies_select.bl_idname, icon="RESTRICT_SELECT_OFF")
    layout.operator(OMI_OT_joint_ends_swap.bl_idname, icon="ARROW_LEFTRIGHT")
    align = layout.operator(OMI_OT_joint_frame_align.bl_idname, text="Align Connected to Joint")
    align.end = "CONNECTED"
    align = layout.operator(OMI_OT_joint_frame_align.bl_idname, text="Align Joint to Connected")
    align.end = "JOINT"
    layout.operator(OMI_OT_joint_frame_snap.bl_idname, icon="PIVOT_CURSOR")
    layout.separator()
    layout.operator(OMI_OT_joint_settings_copy.bl_idname, icon="COPYDOWN")
    layout.operator(OMI_OT_joint_settings_link.bl_idname, icon="LINKED")
    layout.operator(OMI_OT_joint_settings_unlink.bl_idname, icon="UNLINKED")
    layout.separator()
    layout.operator(OMI_OT_joint_remove.bl_idname, icon="X")


def _draw_add_entry(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry of the Add menu."""
    layout: Any = menu.layout
    layout.menu(OMI_MT_joint_add.__name__, icon="CONSTRAINT")


def _draw_context_entry(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry of the object context menu."""
    layout: Any = menu.layout
    layout.separator()
    layout.menu(OMI_MT_joint_context.__name__, icon="CONSTRAINT")


def _draw_rigid_body_entry(menu: bpy.types.Menu, _context: bpy.types.Context) -> None:
    """Draw the entry of the menu of Blender's rigid bodies."""
    layout: Any = menu.layout
    layout.separator()
    layout.operator(OMI_OT_rigid_body_constraint_convert.bl_idname)


def attach() -> None:
    """Add the entries to Blender's menus, and the row number that Blender's list needs."""
    bpy.types.VIEW3D_MT_object_rigid_body.append(_draw_rigid_body_entry)
    bpy.types.VIEW3D_MT_add.append(_draw_add_entry)
    bpy.types.VIEW3D_MT_object_context_menu.append(_draw_context_entry)
    manager: Any = bpy.types.WindowManager
    properties: Any = bpy.props
    manager.omi_joint_row = properties.IntProperty(
        name="Joint Row", description="Row of the list of joints", options={"HIDDEN", "SKIP_SAVE"}
    )


def detach() -> None:
    """Remove what `attach` added."""
    manager: Any = bpy.types.WindowManager
    if hasattr(manager, "omi_joint_row"):
        del manager.omi_joint_row
    bpy.types.VIEW3D_MT_object_context_menu.remove(_draw_context_entry)
    bpy.types.VIEW3D_MT_add.remove(_draw_add_entry)
    bpy.types.VIEW3D_MT_object_rigid_body.remove(_draw_rigid_body_entry)


CLASSES = (
    OMI_UL_joints,
    OMI_MT_joint_add,
    OMI_MT_joint_context,
    OMI_PT_joint_create,
    OMI_PT_joint_edit,
    OMI_PT_joint_list,
)
