"""The sidebar's panels that simulate joints, move and pose them."""

from typing import TYPE_CHECKING, Any, Literal

import bpy

from .. import preview as previews
from ..authoring.context import present
from ..operators.joint.limits_from_pose import OMI_OT_joint_limit_from_pose, OMI_OT_joint_limits_fit
from ..operators.preview.bake import OMI_OT_preview_bake, OMI_OT_preview_keep
from ..operators.preview.pose import (
    OMI_OT_preview_pose_apply,
    OMI_OT_preview_pose_remove,
    OMI_OT_preview_pose_store,
)
from ..operators.preview.preview import (
    OMI_OT_preview_control,
    OMI_OT_preview_pose,
    OMI_OT_preview_range,
    OMI_OT_preview_simulate,
    is_range_of,
)
from ..operators.rigid_body.preview import (
    OMI_OT_rigid_body_preview_build,
    OMI_OT_rigid_body_preview_clean,
)
from ..preview.session import running
from ..properties.named_poses import poses_of
from ..properties.pose import pose_of
from ..properties.preview import VALUES, preview_options
from .help import Documented
from .messages import draw_message
from .places import Sidebar
from .rows import Rows

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

_MOST = 3
"""Problems that are shown."""
_POSITIONS = 8
"""Rows of positions to show before a list scrolls."""


class OMI_PT_preview(Documented, Sidebar, bpy.types.Panel):
    """Playing the simulation; the same rows whether or not one runs, so that none moves"""

    bl_label = "Simulation"
    page = "preview"
    bl_order = 5

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        options = preview_options(context)
        row = layout.row(align=True)
        _draw_play(row, context)
        control(row, "RESET", "LOOP_BACK")
        row.operator(OMI_OT_preview_bake.bl_idname, text="Bake", icon="KEY_HLT")
        row = layout.row(align=True)
        control(row, "STEP", "NEXT_KEYFRAME")
        row.operator(OMI_OT_preview_keep.bl_idname, text="Keep", icon="CHECKMARK")
        control(row, "STOP", "X")
        column = layout.column(align=True)
        column.prop(options, "contacts")
        cell = column.row()
        cell.active = options.contacts
        cell.prop(options, "floor")
        column.prop(options, "use_timeline")


class OMI_PT_preview_simulation(Sidebar, bpy.types.Panel):
    """What a simulation is like, beside what is chosen often"""

    bl_label = "Options"
    bl_parent_id = "OMI_PT_preview"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        options = preview_options(context)
        column = layout.column()
        column.active = running() is None
        column.row().prop(options, "scope", expand=True)
        text = "Substeps" if options.substeps else "Automatic Steps"
        layout.prop(options, "substeps", text=text)
        for name in ("hold_root", "rigid_locks"):
            layout.prop(options, name)
        layout.prop(options, "show_forces")


class OMI_PT_preview_state(Sidebar, bpy.types.Panel):
    """What the simulation meets, below all that is clicked: nothing moves when it comes or goes"""

    bl_label = "Simulation Messages"
    bl_order = 25

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        return bool(_messages())

    def draw(self, context: bpy.types.Context) -> None:
        for text, icon in _messages():
            draw_message(present(self.layout), context, text, icon=icon)


class OMI_PT_preview_range(Sidebar, bpy.types.Panel):
    """Moving the active joint by hand, and taking limits from where it is"""

    bl_label = "Range of Motion"
    bl_parent_id = "OMI_PT_joint_edit"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        options = preview_options(context)
        row = layout.row(align=True)
        if is_range_of(context):
            control(row, "SWEEP", "PLAY")
        else:
            button = row.operator(OMI_OT_preview_range.bl_idname, text="Sweep All", icon="PLAY")
            button.sweep = True
        row.operator(OMI_OT_joint_limits_fit.bl_idname, text="From Animation", icon="ANIM")
        row = layout.row(align=True)
        for part in ("MIN", "MAX", "RANGE", "TARGET"):
            row.operator(OMI_OT_joint_limit_from_pose.bl_idname, text=part.title()).part = part
        layout.prop(options, "moves", text="Side")
        layout.prop(options, "past_limits")
        column = layout.column(align=True)
        column.enabled = options.past_limits and is_range_of(context)
        for name in VALUES:
            column.prop(options, name, slider=True)


class OMI_UL_positions(Rows, bpy.types.UIList):
    """Joints of the mechanism that is posed, with their positions"""

    def draw_row(
        self, context: bpy.types.Context, layout: bpy.types.UILayout, item: Any, index: int
    ) -> None:
        row = layout.split(factor=0.35)
        row.label(text=item.name, translate=False)
        row = row.row(align=True)
        row.prop(item, "distance" if item.is_linear else "angle", text="")
        if item.is_bounded:
            row.prop(item, "part", text="", slider=True)
        icon: IconItems = "PINNED" if item.is_pinned else "UNPINNED"
        row.prop(item, "is_pinned", text="", icon=icon, emboss=False)

    def filter_items(self, context: bpy.types.Context, data: Any, positions: str | None) -> Any:
        """Return which rows are shown: those of the chosen chain whose names are searched for."""
        items = getattr(data, positions or "positions")
        helper: Any = bpy.types.UI_UL_list
        shown = [self.bitflag_filter_item] * len(items)
        if self.filter_name:
            shown = helper.filter_items_by_name(self.filter_name, self.bitflag_filter_item, items)
        chain = data.chain if any(each.chain == data.chain for each in items) else ""
        kept = (not chain or each.chain == chain for each in items)
        return [flag if is_kept else 0 for flag, is_kept in zip(shown, kept, strict=True)], []


class OMI_PT_preview_pose(Sidebar, bpy.types.Panel):
    """Moving all joints of a mechanism by hand"""

    bl_label = "Pose"
    bl_parent_id = "OMI_PT_preview"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        pose, stored = pose_of(context), poses_of(present(context.scene))
        if isinstance(running(), previews.mechanism.PosePreview):
            if len(pose.chains) > 1:
                layout.prop_search(pose, "chain", pose, "chains", icon="LINKED")
            name, rows = OMI_UL_positions.__name__, _POSITIONS
            layout.template_list(name, "", pose, "positions", pose, "active_index", rows=rows)
            row = layout.row(align=True)
            control(row, "RANDOM", "MOD_NOISE")
            control(row, "RESET", "LOOP_BACK")
        else:
            layout.operator(OMI_OT_preview_pose.bl_idname, icon="ARMATURE_DATA")
        row = layout.row()
        row.template_list(
            "UI_UL_list", "omi_poses", stored, "poses", stored, "active_index", rows=2
        )
        column = row.column(align=True)
        column.operator_context = "INVOKE_DEFAULT"
        column.operator(OMI_OT_preview_pose_store.bl_idname, text="", icon="ADD")
        column.operator(OMI_OT_preview_pose_remove.bl_idname, text="", icon="REMOVE")
        row = layout.row(align=True)
        row.operator(OMI_OT_preview_pose_apply.bl_idname, icon="CHECKMARK")
        row.prop(pose, "blend", slider=True)


class OMI_PT_preview_rigid_body(Sidebar, bpy.types.Panel):
    """Blender's own rigid bodies"""

    bl_label = "Blender Rigid Bodies"
    bl_parent_id = "OMI_PT_preview"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.label(text="Less accurate than the simulation", icon="INFO")
        layout.operator(OMI_OT_rigid_body_preview_build.bl_idname, icon="RIGID_BODY")
        layout.operator(OMI_OT_rigid_body_preview_clean.bl_idname, icon="TRASH")


def _messages() -> "list[tuple[str, IconItems]]":
    """Return what the simulation that runs meets, with icons."""
    preview = running()
    if preview is None or not isinstance(preview, previews.simulated.SimulationPreview):
        return []
    reason = preview.without_contacts
    found: list[tuple[str, IconItems]] = [] if reason is None else [(reason.message, "INFO")]
    return [*((str(each), "ERROR") for each in preview.simulation.problems()[:_MOST]), *found]


def _draw_play(row: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the button that plays and pauses: the timeline's where the simulation goes with it."""
    preview = running()
    if preview is None or not isinstance(preview, previews.simulated.SimulationPreview):
        row.operator(OMI_OT_preview_simulate.bl_idname, text="Play", icon="PLAY")
        return
    has_timeline = preview_options(context).use_timeline
    playing = present(context.screen).is_animation_playing if has_timeline else preview.is_playing
    action: Literal["PAUSE", "PLAY"] = "PAUSE" if playing else "PLAY"
    if has_timeline:
        row.operator("screen.animation_play", text=_LABELS[action], icon=action)
    else:
        control(row, action, action)


def control(layout: bpy.types.UILayout, command: str, icon: "IconItems") -> None:
    """Draw the button of one command."""
    layout.operator(
        OMI_OT_preview_control.bl_idname, text=_LABELS[command], icon=icon
    ).command = command


_LABELS = {
    "PLAY": "Play",
    "PAUSE": "Pause",
    "STEP": "Step",
    "RESET": "Reset",
    "SWEEP": "Sweep All",
    "RANDOM": "Random",
    "STOP": "Leave",
}

CLASSES = (
    OMI_PT_preview,
    OMI_PT_preview_simulation,
    OMI_PT_preview_state,
    OMI_PT_preview_range,
    OMI_UL_positions,
    OMI_PT_preview_pose,
    OMI_PT_preview_rigid_body,
)
