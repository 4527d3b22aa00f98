"""The sidebar tab "Joints" of the 3D viewport: making joints, and the active one."""

from typing import Any, cast

import bpy
from bpy.types import Context, Object, UILayout

from .. import preview as previews
from ..authoring.conditions import selected_with_bones, selection_unfit
from ..authoring.context import present
from ..authoring.skins import armature_of
from ..core import meaning
from ..core.meaning.presets import PRESETS
from ..gizmos.joint_tool import PIVOT_TOOL
from ..operators.ragdoll.ragdoll import has_ragdoll
from ..preview.session import running
from ..properties.joint import OMI_PG_joint, joint_of
from ..properties.joint_settings import AXES, OMI_PG_joint_limit
from ..scene.structure import settings_of
from ..translation import translated
from .joint import draw_kind
from .joint_settings import draw_bounds
from .messages import draw_message
from .places import Documented, Icon, Sidebar, section
from .preview import draw_range_tools

_BONES = (
    "Ragdoll from Armature connects bones. Joints between chosen ones are made in Object Mode, of "
    "empties below the bones"
)
_LINES = 3
"""Lines that are kept for free axes; few joints have more."""


class OMI_PT_joint_create(Documented, Sidebar, bpy.types.Panel):
    """Buttons that connect the selected bodies"""

    bl_label = "Create"
    page = "tutorials/door"
    bl_order = 0

    @classmethod
    def poll(cls, context: Context) -> bool:
        return joint_of(context.object) is None

    def draw(self, context: Context) -> None:
        layout, reason = present(self.layout), selection_unfit(context)
        if has_bones(context.object):
            layout.operator("omi.ragdoll_add", icon="ARMATURE_DATA")
            layout.operator("omi.ragdoll_remove", icon="X")
        column = layout.column()
        column.active = reason is None
        _draw_patterns(column, context)
        if _is_constraint_selected(context):
            layout.operator("omi.rigid_body_constraint_convert", icon="RIGID_BODY_CONSTRAINT")
        _draw_hint(layout, context, reason)


class OMI_PT_joint_edit(Documented, Sidebar, bpy.types.Panel):
    """The active joint: its kind, its range with a slider for each free axis, its place"""

    bl_label = "Joint"
    page = "limits"
    bl_order = 0

    @classmethod
    def poll(cls, context: Context) -> bool:
        return joint_of(context.object) is not None

    def draw(self, context: Context) -> None:
        layout, joint = present(self.layout), present(context.object)
        # As high as Create, so that what is below stays where it is when the selection changes.
        head, middle, foot = (layout.column(align=True) for _ in range(3))
        head.prop(joint, "name", text="", icon="CONSTRAINT")
        head.separator(factor=1.2)
        settings = settings_of(joint)
        if settings is not None:
            draw_kind(head, settings)
            lines = draw_range(middle, context, settings)
            for _ in range(_LINES - lines):
                middle.label(text="")
        draw_axis(foot)
        row = foot.split(factor=0.62, align=True)
        place = row.operator("wm.tool_set_by_id", text="Place Pivot", icon="PIVOT_CURSOR")
        place.name = PIVOT_TOOL
        row.operator("omi.joint_axis_reverse", text="Flip", icon="FILE_REFRESH")
        foot.menu("OMI_MT_joint_context", text="More")
        section(layout, draw_range_tools, context, text="Range of Motion")


def draw_range(column: UILayout, context: Context, settings: OMI_PG_joint) -> int:
    """Draw a line for each free axis, bounds and a slider that moves the joint; return how many."""
    preview, manager = running(), context.window_manager
    is_open = preview is None or isinstance(preview, previews.mechanism.PosePreview)
    found = meaning.freedom.freedoms(settings.settings_to_core())
    shown: list[OMI_PG_joint_limit] = []
    for axis in found:
        split = column.split(factor=0.2, align=True)
        letter = AXES[axis.axis]
        split.label(text=f"Pos {letter}" if axis.is_linear else f"Rot {letter}")
        row = split.row(align=True)
        limit = _limit_of(settings, axis)
        if limit is None:
            row.label(text="Free")
        elif limit not in shown:
            draw_bounds(row, limit)
            shown.append(limit)
        cell = row.row(align=True)
        cell.enabled = is_open
        cell.prop(manager, "omi_joint_parts", index=axis.number, text="", slider=True)
    if not found:
        column.label(text="All axes are locked", icon="LOCKED")
    return max(len(found), 1)


def _limit_of(settings: OMI_PG_joint, axis: "meaning.freedom.Freedom") -> OMI_PG_joint_limit | None:
    """Return the first limit that leaves an axis room, None where none bounds it."""
    name = "linear_axes" if axis.is_linear else "angular_axes"
    limits = (each for each in settings.limits if getattr(each, name)[axis.axis])
    return next((each for each in limits if not each.to_core().is_locked), None)


def _draw_patterns(column: UILayout, context: Context) -> None:
    """Draw a button for each kind of joint, and those that connect many bodies in one kind."""
    draw_presets(column.grid_flow(columns=2, even_columns=True, align=True))
    manager: Any = context.window_manager
    column.prop(manager, "omi_joint_preset", text="")
    row = column.row(align=True)
    row.operator_context = "INVOKE_DEFAULT"
    chain = row.operator("omi.joint_add", text="Chain", icon="LINKED")
    each = row.operator("omi.joint_add", text="Each to Active", icon="PIVOT_ACTIVE")
    chain.pattern, each.pattern = "CHAIN", "EACH_TO_ACTIVE"
    chain.preset = each.preset = manager.omi_joint_preset


def _draw_hint(layout: UILayout, context: Context, reason: str | None) -> None:
    """Draw what to select, below the buttons: they stay where they are when it comes or goes."""
    bones = selected_with_bones(context)
    armatures = filter(None, map(armature_of, bones))
    if context.mode == "POSE":
        draw_message(layout, context, translated(_BONES), icon="INFO")
    elif bones and not any(map(has_ragdoll, armatures)):
        draw_message(layout, context, translated(reason or ""), icon="ERROR")
    elif reason is not None and not bones:
        layout.label(text="Select bodies, the one that holds last", icon="INFO")
    else:
        layout.label(text="")  # what is below stays where it is


def has_bones(obj: Object | None) -> bool:
    """Return whether an object is an armature or the skin of one."""
    return obj is not None and (obj.type == "ARMATURE" or obj.find_armature() is not None)


def _is_constraint_selected(context: Context) -> bool:
    """Return whether an object with a Rigid Body Constraint is selected, where there are any."""
    world = present(context.scene).rigidbody_world
    constraints = world and world.constraints
    return bool(constraints and constraints.objects) and any(
        obj.rigid_body_constraint for obj in context.selected_objects
    )


def draw_presets(layout: UILayout) -> None:
    """Draw a button for each kind of joint."""
    layout.operator_context = "INVOKE_DEFAULT"
    for preset, info in PRESETS.items():
        icon = cast(Icon, info.icon)
        layout.operator("omi.joint_add", text=info.label, icon=icon).preset = preset.name


def draw_axis(layout: UILayout) -> None:
    """Draw the buttons that turn the frames of the selected joints in place."""
    row = layout.row(align=True)
    row.label(text="Axis")
    for axis in (*AXES, "AUTO"):
        text = "Fit" if axis == "AUTO" else axis
        row.operator("omi.joint_axis_set", text=text).axis = axis


def draw_edits(layout: UILayout) -> None:
    """Draw the tools for joints that exist."""
    layout.prop(bpy.data.window_managers[0], "omi_move_both_frames", text="Move Both Frames")
    align = layout.operator("omi.joint_frame_align", text="Align Frames", icon="SNAP_ON")
    align.end = "CONNECTED"
    edits: tuple[tuple[str, str, Icon], ...] = (
        ("frame_snap", "Place Pivot at Cursor", "PIVOT_CURSOR"),
        ("ends_swap", "Swap Ends", "ARROW_LEFTRIGHT"),
        ("mirror", "Mirror Joint", "MOD_MIRROR"),
        ("settings_copy_out", "Copy Limits and Drives", "COPYDOWN"),
        ("settings_paste", "Paste Limits and Drives", "PASTEDOWN"),
        ("settings_copy", "Copy to Selected", "COPYDOWN"),
        ("settings_link", "Link Settings", "LINKED"),
        ("settings_unlink", "Make Single-User", "UNLINKED"),
        ("strength_scale", "Scale Drive Strength", "DRIVER"),
        ("bodies_select", "Select Bodies", "RESTRICT_SELECT_OFF"),
        ("remove", "Remove Joint", "X"),
    )
    for name, text, icon in edits:
        layout.operator(f"omi.joint_{name}", text=text, icon=icon)
