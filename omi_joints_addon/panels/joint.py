"""The active joint in Properties > Physics: both ends, limits and drives."""

from typing import TYPE_CHECKING, Any

import bpy

from ..authoring.context import present
from ..core.meaning.recognition import joint_kind
from ..operators.joint.limits import (
    OMI_OT_joint_drive_add,
    OMI_OT_joint_drive_duplicate,
    OMI_OT_joint_drive_move,
    OMI_OT_joint_drive_remove,
    OMI_OT_joint_limit_add,
    OMI_OT_joint_limit_duplicate,
    OMI_OT_joint_limit_move,
    OMI_OT_joint_limit_remove,
)
from ..operators.joint.settings import OMI_OT_joint_preset_apply, OMI_OT_joint_settings_unlink
from ..properties.body import body_data, motion_of
from ..properties.joint import AXES, OTHER, joint_data, joint_of
from ..scene.findings import joint_findings
from ..scene.structure import joint_bodies, settings_of, sharing_joints
from .messages import draw_finding

if TYPE_CHECKING:
    from ..properties.joint import OMI_PG_joint, OMI_PG_joint_drive, OMI_PG_joint_limit


class PhysicsTab:
    """Place of a panel: the Physics tab of the Properties editor."""

    bl_space_type: Any = "PROPERTIES"
    bl_region_type: Any = "WINDOW"
    bl_context = "physics"


class OMI_PT_joint(PhysicsTab, bpy.types.Panel):
    """Both ends of the joint of the active object"""

    bl_label = "Physics Joint"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        obj = present(context.object)
        return obj is not None and (obj.type == "EMPTY" or joint_of(obj) is not None)

    def draw_header(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        layout.prop(joint_data(present(context.object)), "enabled", text="")

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        obj = present(context.object)
        layout.use_property_split = True
        layout.use_property_decorate = False
        joint = joint_of(obj)
        if joint is None:
            layout.label(text="Turn on to make this empty a joint")
            return
        for found in joint_findings(obj, present(context.scene)):
            draw_finding(layout, context, found)
        layout.prop(joint, "connected_object")
        layout.prop(joint, "enable_collision")
        for label, body in zip(("Body", "Connected Body"), joint_bodies(obj), strict=True):
            _draw_body(layout.row(), label, body)
        _draw_settings(layout, obj)
        _draw_sharing(layout, obj, present(context.scene))


class SettingsPanel(PhysicsTab):
    """Panel of a list of the settings that the active joint uses."""

    bl_parent_id = "OMI_PT_joint"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return settings_of(context.object) is not None


class OMI_PT_joint_limits(SettingsPanel, bpy.types.Panel):
    """Limits of the active joint"""

    bl_label = "Limits"

    def draw(self, context: bpy.types.Context) -> None:
        settings = settings_of(context.object)
        if settings is None:
            return
        layout: Any = self.layout
        operators = (
            OMI_OT_joint_limit_add,
            OMI_OT_joint_limit_remove,
            OMI_OT_joint_limit_duplicate,
            OMI_OT_joint_limit_move,
        )
        _draw_list(layout.row(), settings, "limit", [cls.bl_idname for cls in operators])
        if settings.limits:
            index = min(settings.active_limit, len(settings.limits) - 1)
            _draw_limit(layout, settings.limits[index])


class OMI_PT_joint_drives(SettingsPanel, bpy.types.Panel):
    """Drives of the active joint"""

    bl_label = "Drives"

    def draw(self, context: bpy.types.Context) -> None:
        settings = settings_of(context.object)
        if settings is None:
            return
        layout: Any = self.layout
        operators = (
            OMI_OT_joint_drive_add,
            OMI_OT_joint_drive_remove,
            OMI_OT_joint_drive_duplicate,
            OMI_OT_joint_drive_move,
        )
        _draw_list(layout.row(), settings, "drive", [cls.bl_idname for cls in operators])
        if settings.drives:
            index = min(settings.active_drive, len(settings.drives) - 1)
            _draw_drive(layout, settings.drives[index])


class OMI_PT_joint_more(PhysicsTab, bpy.types.Panel):
    """What other formats know of the active joint"""

    bl_label = "More"
    bl_parent_id = "OMI_PT_joint"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return joint_of(context.object) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout: Any = self.layout
        attributes = joint_data(present(context.object)).attributes
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.label(text="For USD, URDF and MJCF; glTF has no words for these", icon="INFO")
        for name in _MORE:
            layout.prop(attributes, name)
        if attributes.carried:
            layout.label(text="Holds attributes of other programs", icon="PACKAGE")


_MORE = (
    "enabled",
    "in_articulation",
    "break_force",
    "break_torque",
    "effort",
    "velocity",
    "friction",
    "armature",
)


class OMI_UL_joint_limits(bpy.types.UIList):
    """Limits with their axes and bounds"""

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
        layout.label(
            text=_limit_title(item),
            icon="DRIVER_DISTANCE" if any(item.linear_axes) else "DRIVER_ROTATIONAL_DIFFERENCE",
        )
        row = layout.row(align=True)
        for end in ("min", "max"):
            cell = row.row(align=True)
            cell.active = getattr(item, f"use_{end}")
            cell.prop(item, _shown(item, end), text="", emboss=False)


class OMI_UL_joint_drives(bpy.types.UIList):
    """Drives with their axis and what they do"""

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
        kind = item.other_type if item.type == OTHER else item.type.title()
        parts = [
            name
            for name, used in (
                ("Spring", item.use_position_target),
                ("Motor", item.use_velocity_target),
            )
            if used
        ]
        layout.label(text=f"{kind} {item.axis}")
        layout.label(text=" and ".join(parts) or "No Target")


def _draw_body(row: Any, label: str, body: bpy.types.Object | None) -> None:
    """Draw the name of a body and how it moves."""
    split = row.split(factor=0.4)
    name = split.row()
    name.alignment = "RIGHT"
    name.label(text=label)
    if body is None:
        split.label(text="None")
    elif body.rigid_body is not None:
        motion = motion_of(body)
        split.label(text=f"{body.name}: {motion.type.title() if motion else ''} (Rigid Body)")
    else:
        cells = split.row(align=True)
        cells.label(text=body.name)
        cells.prop(body_data(body), "motion_type", text="")


def _draw_settings(layout: Any, obj: bpy.types.Object) -> None:
    """Draw what kind of joint it is."""
    settings = settings_of(obj)
    if settings is not None:
        kind = joint_kind(settings.settings_to_core()).label
        row = layout.row(align=True)
        row.operator_menu_enum(
            OMI_OT_joint_preset_apply.bl_idname, "preset", text=kind, icon="CONSTRAINT"
        )
        layout.prop(settings, "settings_name")


def _draw_sharing(layout: Any, obj: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Draw with whom the joint shares its settings."""
    settings, source = settings_of(obj), joint_data(obj).settings_source
    owner: Any = source if settings is None else settings.id_data
    if source is not None:
        text = f"Settings shared with {owner.name}"
    elif count := len(sharing_joints(scene.objects)[obj]):
        text = f"Settings used by {count} more joint{'s' if count > 1 else ''}"
    else:
        return
    row = layout.row()
    row.label(text=text, icon="LINKED")
    row.operator(OMI_OT_joint_settings_unlink.bl_idname, text="Make Single-User")


def _draw_list(row: Any, settings: "OMI_PG_joint", item: str, operators: list[str]) -> None:
    """Draw the list of limits or drives beside the buttons that add, remove, copy and move."""
    lists = f"{item}s"
    row.template_list(f"OMI_UL_joint_{lists}", "", settings, lists, settings, f"active_{item}")
    column = row.column(align=True)
    for operator, icon in zip(operators, ("ADD", "REMOVE", "DUPLICATE"), strict=False):
        column.operator(operator, text="", icon=icon)
    _draw_moves(column, operators[-1])


def _draw_moves(column: Any, operator: str) -> None:
    """Draw the buttons that move the active item of a list."""
    column.separator()
    column.operator(operator, text="", icon="TRIA_UP").direction = "UP"
    column.operator(operator, text="", icon="TRIA_DOWN").direction = "DOWN"


def _draw_limit(layout: Any, limit: "OMI_PG_joint_limit") -> None:
    layout.use_property_split = True
    layout.use_property_decorate = False
    for axes in ("linear_axes", "angular_axes"):
        row = layout.row(align=True, heading=axes.title().replace("_", " "))
        for index, letter in enumerate(AXES):
            row.prop(limit, axes, index=index, text=letter, toggle=True)
    for end, heading in (("min", "Minimum"), ("max", "Maximum")):
        _draw_optional(layout, limit, f"use_{end}", _shown(limit, end), heading=heading)
    _draw_optional(layout, limit, "use_stiffness", "stiffness", heading="Soft")
    layout.prop(limit, "damping")


def _draw_drive(layout: Any, drive: "OMI_PG_joint_drive") -> None:
    layout.use_property_split = True
    layout.use_property_decorate = False
    for name in ("type", "mode"):
        layout.prop(drive, name)
        if getattr(drive, name) == OTHER:
            layout.prop(drive, f"other_{name}")
    layout.row().prop(drive, "axis", expand=True)
    unit = {"LINEAR": "_distance", "ANGULAR": "_angle"}.get(drive.type, "")
    for target, heading in (("position_target", "Position"), ("velocity_target", "Velocity")):
        _draw_optional(layout, drive, f"use_{target}", f"{target}{unit}", heading=heading)
        factor = layout.row()
        factor.active = getattr(drive, f"use_{target}")
        factor.prop(drive, "stiffness" if target == "position_target" else "damping")
    _draw_optional(layout, drive, "use_max_force", "max_force", heading="Maximum Force")


def _draw_optional(
    layout: Any, data: bpy.types.PropertyGroup, use: str, value: str, *, heading: str
) -> None:
    """Draw a number that a check box turns on."""
    row = layout.row(align=True, heading=heading)
    row.prop(data, use, text="")
    cell = row.row()
    cell.active = getattr(data, use)
    cell.prop(data, value, text="")


def _shown(limit: "OMI_PG_joint_limit", end: str) -> str:
    """Return the property that shows a bound in the unit of the limit's axes."""
    linear, angular = any(limit.linear_axes), any(limit.angular_axes)
    if linear == angular:
        return end
    return f"{end}_distance" if linear else f"{end}_angle"


def _limit_title(limit: "OMI_PG_joint_limit") -> str:
    """Return the axes of a limit in words."""
    parts = [
        f"{label} {''.join(axis for axis, used in zip(AXES, flags, strict=True) if used)}"
        for label, flags in (("Linear", limit.linear_axes), ("Angular", limit.angular_axes))
        if any(flags)
    ]
    return ", ".join(parts) or "No Axes"


CLASSES = (
    OMI_UL_joint_limits,
    OMI_UL_joint_drives,
    OMI_PT_joint,
    OMI_PT_joint_limits,
    OMI_PT_joint_drives,
    OMI_PT_joint_more,
)
