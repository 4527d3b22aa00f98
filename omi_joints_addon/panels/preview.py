"""The sidebar panel that moves and simulates joints."""

from typing import TYPE_CHECKING, Any, Literal

import bpy

from .. import overlay
from .. import preview as previews
from ..authoring.context import present
from ..core import checks, meaning
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
from ..properties.joint import SettingsCycleError, joint_of, shared_settings
from ..properties.named_poses import poses_of
from ..properties.pose import pose_of
from ..properties.preview import VALUES, preview_options
from ..scene.findings import known_breaches
from ..translation import translated
from .help import Documented
from .joint_tools import Sidebar
from .messages import draw_message
from .rows import Rows

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import IconItems

_MOST_SAGS = 3
_POSITIONS = 8
"""Rows of positions to show before a list scrolls."""


class OMI_PT_preview(Documented, Sidebar, bpy.types.Panel):
    """Motion of joints before any engine sees them"""

    bl_label = "Preview"
    page = "preview"

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        preview = running()
        # The same rows whether or not a preview runs, so that what is below stays in place.
        column = layout.column(align=True)
        column.active = preview is not None
        text = "No preview" if preview is None else translated(preview.status)
        column.label(text=text, icon="PLAY")
        if isinstance(preview, previews.simulated.SimulationPreview):
            _draw_controls(layout, context, is_playing=preview.is_playing)
        else:
            layout.operator(OMI_OT_preview_simulate.bl_idname, icon="PLAY")
        row = layout.row(align=True)
        row.operator(OMI_OT_preview_keep.bl_idname, icon="CHECKMARK")
        _control(row, "STOP", "X")


class OMI_PT_preview_range(Sidebar, bpy.types.Panel):
    """Moving one joint by hand"""

    bl_label = "Range of Motion"
    bl_parent_id = "OMI_PT_preview"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return joint_of(context.object) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        options = preview_options(context)
        is_moving = is_range_of(context)
        column = layout.column()
        column.enabled = not is_moving
        column.prop(options, "moves")
        row = layout.row(align=True)
        if is_moving:
            _control(row, "SWEEP", "PLAY")
            _control(row, "RESET", "LOOP_BACK")
        else:
            row.operator(OMI_OT_preview_range.bl_idname, icon="ORIENTATION_GIMBAL")
        column = layout.column()
        column.enabled = is_moving
        _draw_sliders(column, context)
        layout.prop(options, "past_limits")
        layout.label(text="Set from Pose")
        row = layout.row(align=True)
        for part in ("MIN", "MAX", "RANGE", "TARGET"):
            row.operator(OMI_OT_joint_limit_from_pose.bl_idname, text=part.title()).part = part
        layout.operator(OMI_OT_joint_limits_fit.bl_idname, icon="ANIM")


class OMI_PT_preview_simulation(Sidebar, bpy.types.Panel):
    """Simulating joints"""

    bl_label = "Simulation"
    bl_parent_id = "OMI_PT_preview"

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        options = preview_options(context)
        preview = running()
        column = layout.column()
        column.active = preview is None
        column.prop(options, "scope", expand=True)
        layout.prop(options, "hold_root")
        layout.prop(options, "substeps")
        layout.prop(options, "rigid_locks")
        _draw_contacts(layout.column(), context)
        layout.prop(options, "use_timeline")
        layout.prop(options, "show_forces")
        layout.operator(OMI_OT_preview_bake.bl_idname, icon="KEY_HLT")
        _draw_state(layout, context)


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


class OMI_PT_preview_pose(Sidebar, bpy.types.Panel):
    """Moving all joints of a mechanism by hand"""

    bl_label = "Pose"
    bl_parent_id = "OMI_PT_preview"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        pose, stored = pose_of(context), poses_of(present(context.scene))
        if isinstance(running(), previews.mechanism.PosePreview):
            name, rows = OMI_UL_positions.__name__, _POSITIONS
            layout.template_list(name, "", pose, "positions", pose, "active_index", rows=rows)
            row = layout.row(align=True)
            _control(row, "RANDOM", "MOD_NOISE")
            _control(row, "RESET", "LOOP_BACK")
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


def _draw_state(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw the time that a simulation has reached and what it meets, below what is clicked."""
    preview = running()
    if not isinstance(preview, previews.simulated.SimulationPreview):
        layout.label(text="0.00 s", icon="TIME")
        _draw_sags(layout, context)
        return
    layout.label(text=f"{preview.simulation.time:.2f} s", icon="TIME")
    for problem in preview.simulation.problems()[:_MOST_SAGS]:
        draw_message(layout, context, str(problem), icon="ERROR")
    _draw_sags(layout, context)
    reason = preview.without_contacts
    if reason is not None:
        draw_message(layout, context, translated(reason.message), icon="INFO")


def _draw_contacts(column: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw whether bodies touch."""
    options = preview_options(context)
    column.prop(options, "contacts")
    row = column.row()
    row.active = options.contacts
    row.prop(options, "floor")


def _draw_controls(
    layout: bpy.types.UILayout, context: bpy.types.Context, *, is_playing: bool
) -> None:
    """Draw the buttons of a simulation: those of the timeline where it goes with that."""
    row = layout.row(align=True)
    if preview_options(context).use_timeline:
        is_playing = present(context.screen).is_animation_playing
        row.operator(
            "screen.animation_play",
            text="Pause" if is_playing else "Play",
            icon="PAUSE" if is_playing else "PLAY",
        )
        return
    action: Literal["PAUSE", "PLAY"] = "PAUSE" if is_playing else "PLAY"
    _control(row, action, action)
    _control(row, "STEP", "NEXT_KEYFRAME")
    _control(row, "RESET", "LOOP_BACK")


def _draw_sliders(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draw a slider for each degree of freedom of the active joint."""
    options = preview_options(context)
    try:
        found = meaning.freedom.freedoms(shared_settings(present(context.object)))
    except SettingsCycleError:
        return
    column = layout.column(align=True)
    if options.past_limits:
        for name in VALUES:
            column.prop(options, name, slider=True)
        return
    for freedom in found:
        column.prop(options, VALUES[freedom.number], slider=not freedom.is_bounded)
        if freedom.is_bounded:
            _draw_range(column.row(align=True), context, freedom)
    if not found:
        layout.label(text="All axes are locked", icon="LOCKED")


def _draw_range(
    row: bpy.types.UILayout, context: bpy.types.Context, freedom: "meaning.freedom.Freedom"
) -> None:
    """Draw a slider that goes from one end of a range to the other, and the two ends."""
    units = present(context.scene).unit_settings
    low, high = (
        overlay.labels.number_text(value, units, is_angle=not freedom.is_linear)
        for value in (freedom.low, freedom.high)
    )
    row.use_property_split = False
    row.label(text=low)
    row.prop(preview_options(context), "parts", index=freedom.number, text="", slider=True)
    row.label(text=high)


def _draw_sags(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Tell how far soft locked axes sag before anything moves."""
    found = known_breaches(present(context.scene), checks.sag.SAGS.code)
    for item in found[:_MOST_SAGS]:
        text = f"{item.place}: {translated(item.message)}"
        draw_message(layout, context, text, icon="ERROR")


def _control(layout: bpy.types.UILayout, command: str, icon: "IconItems") -> None:
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
    "STOP": "Leave Preview",
}

CLASSES = (
    OMI_PT_preview,
    OMI_PT_preview_range,
    OMI_PT_preview_simulation,
    OMI_UL_positions,
    OMI_PT_preview_pose,
    OMI_PT_preview_rigid_body,
)
