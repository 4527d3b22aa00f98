"""The sidebar's panels that simulate joints, move and pose them."""

from typing import Any

import bpy
from bpy.types import Context, UILayout

from .. import preview as previews
from ..authoring.conditions import active_joint
from ..authoring.context import present
from ..core import meaning
from ..operators.preview.preview import is_posed
from ..preview.session import running
from ..properties.joint_position import shown_positions
from ..properties.named_poses import poses_of
from ..properties.pose import pose_of
from ..properties.preview import VALUES, OMI_PG_preview, preview_options
from ..scene.structure import settings_of
from .messages import draw_message
from .places import Documented, Icon, Sidebar, draw_props, section
from .rows import Rows

_MOST = 3
"""Problems that are shown."""
_POSITIONS = 8
"""Rows of positions to show before a list scrolls."""


class OMI_PT_preview(Documented, Sidebar, bpy.types.Panel):
    """Playing the simulation; the same rows whether or not one runs, so that none moves"""

    bl_label = "Simulation"
    page = "preview"
    bl_order = 5

    def draw(self, context: Context) -> None:
        layout = present(self.layout)
        options = preview_options(context)
        row = layout.row(align=True)
        _draw_play(row, context)
        control(row, "RESET", "LOOP_BACK")
        row.operator("omi.preview_bake", text="Bake", icon="KEY_HLT")
        row = layout.row(align=True)
        control(row, "STEP", "NEXT_KEYFRAME")
        row.operator("omi.preview_keep", text="Keep", icon="CHECKMARK")
        control(row, "STOP", "X")
        column = layout.column(align=True)
        column.prop(options, "contacts")
        cell = column.row()
        cell.active = options.contacts
        cell.prop(options, "floor")
        column.prop(options, "use_timeline")
        section(layout, _draw_options, options, text="Options")
        section(layout, _draw_pose, context, text="Pose")
        section(layout, _draw_rigid_bodies, text="Blender Rigid Bodies")


def _draw_options(layout: UILayout, options: OMI_PG_preview) -> None:
    """Draw what a simulation is like, beside what is chosen often."""
    column = layout.column()
    column.active = running() is None
    column.row().prop(options, "scope", expand=True)
    text = "Substeps" if options.substeps else "Automatic Steps"
    layout.prop(options, "substeps", text=text)
    draw_props(layout, options, "hold_root", "rigid_locks", "show_forces")


class OMI_PT_preview_state(Sidebar, bpy.types.Panel):
    """What the simulation meets, below all that is clicked: nothing moves when it comes or goes"""

    bl_label = "Simulation Messages"
    bl_order = 25

    @classmethod
    def poll(cls, _context: Context) -> bool:
        return bool(_messages())

    def draw(self, context: Context) -> None:
        for text, icon in _messages():
            draw_message(present(self.layout), context, text, icon=icon)


def draw_range_tools(layout: UILayout, context: Context) -> None:
    """Draw how the active joint is moved by hand, and its limits taken from where it is."""
    options, is_shown = preview_options(context), is_posed(context)
    row = layout.split(factor=0.45, align=True)
    if is_shown:
        control(row, "SWEEP", "PLAY")
    else:
        row.operator("omi.preview_range", text="Sweep All", icon="PLAY").sweep = True
    row.operator("omi.joint_limits_fit", text="From Animation")
    row = layout.row(align=True)
    for part in ("MIN", "MAX", "RANGE", "TARGET"):
        row.operator("omi.joint_limit_from_pose", text=part.title()).part = part
    layout.prop(options, "moves", text="Side")
    layout.prop(options, "past_limits")
    column = layout.column(align=True)
    column.enabled = options.past_limits and is_shown
    for name in VALUES:
        column.prop(options, name, slider=True)
    joint = present(active_joint(context))
    values, settings = shown_positions(joint), settings_of(joint)
    if values is None or settings is None:
        return
    column = layout.column(align=True, heading="Keyed")
    for axis in meaning.freedom.freedoms(settings.settings_to_core()):
        name = "along" if axis.is_linear else "about"
        column.prop(values, name, index=axis.axis, text=axis.label)


class OMI_UL_positions(Rows, bpy.types.UIList):
    """Joints of the mechanism that is posed, with their positions"""

    def draw_row(self, context: Context, layout: UILayout, item: Any, index: int) -> None:
        row = layout.split(factor=0.35)
        row.label(text=item.name.removesuffix(" Joint"), translate=False)
        row = row.row(align=True)
        row.prop(item, "distance" if item.is_linear else "angle", text="")
        if item.is_bounded:
            row.prop(item, "part", text="", slider=True)
        icon: Icon = "PINNED" if item.is_pinned else "UNPINNED"
        row.prop(item, "is_pinned", text="", icon=icon, emboss=False)

    def filter_items(self, context: Context, data: Any, positions: str | None) -> Any:
        """Return which rows are shown: those of the chosen chain whose names are searched for."""
        items = getattr(data, positions or "positions")
        helper: Any = bpy.types.UI_UL_list
        shown = [self.bitflag_filter_item] * len(items)
        if self.filter_name:
            shown = helper.filter_items_by_name(self.filter_name, self.bitflag_filter_item, items)
        chain = data.chain if any(each.chain == data.chain for each in items) else ""
        kept = (not chain or each.chain == chain for each in items)
        return [flag if is_kept else 0 for flag, is_kept in zip(shown, kept, strict=True)], []


def _draw_pose(layout: UILayout, context: Context) -> None:
    """Draw what moves all joints of a mechanism by hand, and the poses that are kept."""
    pose, stored = pose_of(context), poses_of(present(context.scene))
    if isinstance(running(), previews.mechanism.PosePreview):
        if len(pose.chains) > 1:
            layout.prop_search(pose, "chain", pose, "chains", icon="LINKED")
        data = (pose, "positions", pose, "active_index")
        layout.template_list("OMI_UL_positions", "", *data, rows=_POSITIONS)
        row = layout.row(align=True)
        control(row, "RANDOM", "MOD_NOISE")
        control(row, "MIRROR", "MOD_MIRROR")
        control(row, "RESET", "LOOP_BACK")
        layout.operator("omi.preview_positions_key", icon="KEY_HLT")
    else:
        layout.operator("omi.preview_pose", icon="ARMATURE_DATA")
    row = layout.row()
    row.template_list("UI_UL_list", "omi_poses", stored, "poses", stored, "active_index", rows=2)
    column = row.column(align=True)
    column.operator_context = "INVOKE_DEFAULT"
    column.operator("omi.preview_pose_store", text="", icon="ADD")
    column.operator("omi.preview_pose_remove", text="", icon="REMOVE")
    row = layout.row(align=True)
    row.operator("omi.preview_pose_apply", icon="CHECKMARK")
    row.prop(pose, "blend", slider=True)


def _draw_rigid_bodies(layout: UILayout) -> None:
    """Draw what makes Blender's own rigid bodies of the scene."""
    layout.label(text="Less accurate than the simulation", icon="INFO")
    layout.operator("omi.rigid_body_preview_build", icon="RIGID_BODY")
    layout.operator("omi.rigid_body_preview_clean", icon="TRASH")


def _messages() -> "list[tuple[str, Icon]]":
    """Return what the simulation that runs meets, with icons."""
    preview = running()
    if preview is None or not isinstance(preview, previews.simulated.SimulationPreview):
        return []
    reason = preview.without_contacts
    found: list[tuple[str, Icon]] = [] if reason is None else [(reason.message, "INFO")]
    return [*((str(each), "ERROR") for each in preview.simulation.problems()[:_MOST]), *found]


def _draw_play(row: UILayout, context: Context) -> None:
    """Draw the button that plays and pauses: the timeline's where the simulation goes with it."""
    preview = running()
    if preview is None or not isinstance(preview, previews.simulated.SimulationPreview):
        row.operator("omi.preview_simulate", text="Play", icon="PLAY")
        return
    has_timeline = preview_options(context).use_timeline
    playing = present(context.screen).is_animation_playing if has_timeline else preview.is_playing
    action: Icon = "PAUSE" if playing else "PLAY"
    if has_timeline:
        row.operator("screen.animation_play", text=_LABELS[action], icon=action)
    else:
        control(row, action, action)


def control(layout: UILayout, command: str, icon: Icon) -> None:
    """Draw the button of one command."""
    button = layout.operator("omi.preview_control", text=_LABELS[command], icon=icon)
    button.command = command


_LABELS = {
    "PLAY": "Play",
    "PAUSE": "Pause",
    "STEP": "Step",
    "RESET": "Reset",
    "SWEEP": "Sweep All",
    "RANDOM": "Random",
    "MIRROR": "Mirror",
    "STOP": "Leave",
}
