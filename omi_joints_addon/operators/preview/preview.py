"""Operators that preview joints in the 3D viewport, without undo steps, and restore all."""

import traceback
from functools import partial
from typing import Any

import bpy

from ... import preview as previews
from ...authoring.conditions import (
    Explained,
    active_joint,
    no_active_joint,
    no_preview_mode,
    nothing_to_simulate,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...declared import BoolProperty, EnumProperty
from ...preview.session import Command, Preview, PreviewError, begin, running, stop
from ...properties.pose import key_of, pose_of
from ...scene import windows
from ...translation import refused, translated
from .hands import Hands

_PAUSE = 0.1
"""Time [s] between two looks at sidebars and headers, which cost more to draw than they change."""


def already_running(_context: bpy.types.Context) -> str | None:
    """Return why no preview can start."""
    return "A preview is running; press Esc in the viewport to leave it" if running() else None


def nothing_running(_context: bpy.types.Context) -> str | None:
    """Return why there is nothing to control."""
    return None if running() else "No preview is running"


class Modal(Explained):
    """Runs a preview on a timer; takes the events that it needs and lets all others pass."""

    hints = "Esc: Leave"
    """What keys and buttons do, for the status bar."""
    _timer: bpy.types.Timer | None = None
    _elapsed = 0.0
    """Time [s] of the timer at the last tick."""
    _shown = -_PAUSE
    """Time [s] of the timer when the headers were set last."""
    _preview: Preview
    _hands: Hands

    def make(self, context: bpy.types.Context) -> Preview:
        """Return the preview to run; raises `PreviewError`."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        try:
            self._preview = self.make(context)
        except PreviewError as error:
            return refused(self, "WARNING", error)
        begin(self._preview, partial(self._leave, context))
        self._hands = Hands(self._preview)
        manager = present(context.window_manager)
        self._timer = manager.event_timer_add(
            previews.simulated.frame_duration(context.scene), window=context.window
        )
        manager.modal_handler_add(self)  # type: ignore[arg-type]
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> OperatorResult:
        is_leaving = event.type == "ESC" and event.value == "PRESS"
        if is_leaving:
            stop()
        if self._preview.is_over:
            self._leave(context)
            return {"CANCELLED"} if is_leaving else {"CANCELLED", "PASS_THROUGH"}
        try:
            if event.type == "TIMER":
                self._tick(context)
                return {"PASS_THROUGH"}
            is_taken = self._hands.take(context, event)
        except Exception as error:  # noqa: BLE001 - whatever fails, one sentence tells of it
            self._leave(context)
            return _failed(self, error)
        return {"RUNNING_MODAL"} if is_taken else {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Put everything back when Blender ends the operator, and leave no timer behind."""
        stop()
        self._leave(context)

    def _tick(self, context: bpy.types.Context) -> None:
        """Show the next moment where it is time; whatever fails, everything is put back."""
        duration = present(self._timer).time_duration
        if duration == self._elapsed:
            return
        elapsed, self._elapsed, is_shown = duration - self._elapsed, duration, False
        before = self._preview.live.shown.version
        try:
            _follow(context)
            self._preview.tick(context, elapsed)
            is_shown = not self._preview.is_over
        finally:
            if not is_shown:
                stop()
                self._leave(context)
        if is_shown and self._preview.live.shown.version != before:
            windows.redraw_regions("WINDOW")
        if is_shown and duration - self._shown >= _PAUSE:
            self._shown = duration
            preview = self._preview
            activity = f"{translated(preview.kind)}: {translated(preview.status)}"
            activity += f"  {translated(preview.clock)}"
            show_status(activity.rstrip(), translated(self.hints))

    def _leave(self, context: bpy.types.Context) -> None:
        if self._timer is not None:
            present(context.window_manager).event_timer_remove(self._timer)
            self._timer = None
        _clear_status()


def _failed(operator: Any, error: Exception) -> OperatorResult:
    """End the preview, put everything back and report why in a sentence; the console has more."""
    stop()
    if isinstance(error, PreviewError):
        return refused(operator, "WARNING", error)
    traceback.print_exception(error)
    return refused(
        operator,
        "ERROR",
        "The preview ended and everything is back in place: {fault} (the console shows details)",
        fault=f"{type(error).__name__}: {error}",
    )


def show_status(activity: str, hints: str) -> None:
    """Show in headers of 3D views what runs, and in status bars what keys do."""
    for window in windows.windows():
        window.workspace.status_text_set(f"{activity}    {hints}")
    for area in windows.areas("VIEW_3D"):
        area.header_text_set(activity)
    windows.redraw_regions("UI")


def _clear_status() -> None:
    """Clear those texts, also in workspaces and editors that were shown meanwhile."""
    for workspace in bpy.data.workspaces:
        workspace.status_text_set(None)
    for screen in bpy.data.screens:
        for area in screen.areas:
            area.header_text_set(None)
    for kind in ("UI", "WINDOW"):
        windows.redraw_regions(kind)


def _follow(context: bpy.types.Context) -> None:
    """Hear of the events of windows that were opened meanwhile."""
    for window in windows.windows():
        names = (operator.bl_idname for operator in window.modal_operators)
        if not (bpy.app.background or any(name.startswith("OMI_OT_preview") for name in names)):
            with context.temp_override(window=window):
                operators: Any = bpy.ops.omi  # type: ignore[attr-defined]  # noqa: TID251 - one hears of one window only
                operators.preview_window_follow("INVOKE_DEFAULT")


class OMI_OT_preview_range(Modal, bpy.types.Operator):
    """Move the active joint by sliders or by dragging its body; Esc restores everything"""

    bl_idname = "omi.preview_range"
    bl_label = "Preview Range of Motion"
    bl_options = set()
    conditions = (no_preview_mode, no_active_joint, already_running)

    hints = "Esc: Leave    Drag: Move the Body    I: Key Positions"

    sweep = BoolProperty(
        name="Sweep All",
        description="Move through each degree of freedom and around cones",
        options={"SKIP_SAVE"},
    )

    def make(self, context: bpy.types.Context) -> Preview:
        preview = previews.mechanism.PosePreview(context, present(active_joint(context)))
        if self.sweep:
            preview.obey(Command.SWEEP)
        return preview


class OMI_OT_preview_pose(Modal, bpy.types.Operator):
    """Pose the active object's mechanism by sliders or by dragging bodies; Esc restores all"""

    bl_idname = "omi.preview_pose"
    bl_label = "Pose Mechanism"
    bl_options = set()
    conditions = (no_preview_mode, already_running)

    hints = "Esc: Leave    Drag: Move a Body, the Chain Follows    I: Key Positions"

    def make(self, context: bpy.types.Context) -> Preview:
        return previews.mechanism.PosePreview(context)


class OMI_OT_preview_simulate(Modal, bpy.types.Operator):
    """Simulate bodies, their joints and contacts; drag bodies with the mouse, Esc restores all"""

    bl_idname = "omi.preview_simulate"
    bl_label = "Simulate Joints"
    bl_options = set()
    conditions = (no_preview_mode, nothing_to_simulate, already_running)

    hints = "Esc: Leave    Space: Play or Pause    Drag: Pull a Body"

    def make(self, context: bpy.types.Context) -> Preview:
        return previews.simulated.SimulationPreview(context)


class OMI_OT_preview_window_follow(Explained, bpy.types.Operator):
    """Control the running preview from another window by the same keys and mouse buttons"""

    bl_idname = "omi.preview_window_follow"
    bl_label = "Follow Preview"
    bl_options = {"INTERNAL"}
    conditions = (nothing_running,)
    _hands: Hands | None = None

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        present(context.window_manager).modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> OperatorResult:
        preview = running()
        if preview is None:
            return {"CANCELLED", "PASS_THROUGH"}
        if event.type == "ESC" and event.value == "PRESS":
            stop()
            return {"CANCELLED"}
        if self._hands is None or self._hands.preview is not preview:
            self._hands = Hands(preview)
        try:
            is_taken = self._hands.take(context, event)
        except Exception as error:  # noqa: BLE001 - whatever fails, one sentence tells of it
            return _failed(self, error)
        return {"RUNNING_MODAL"} if is_taken else {"PASS_THROUGH"}


class OMI_OT_preview_control(Explained, bpy.types.Operator):
    """Control the running preview"""

    bl_idname = "omi.preview_control"
    bl_label = "Control Preview"
    bl_options = set()
    conditions = (nothing_running,)

    command = EnumProperty(
        name="Command",
        description="What the preview should do",
        items=(
            ("PLAY", "Play", "Resume the simulation"),
            ("PAUSE", "Pause", "Pause the simulation"),
            ("STEP", "Step", "Advance by one frame"),
            ("RESET", "Reset", "Return to the rest pose"),
            ("SWEEP", "Sweep All", "Move through each degree of freedom and around cones"),
            ("RANDOM", "Random", "Move every joint to somewhere within its limits"),
            (
                "MIRROR",
                "Mirror",
                "Exchange left and right, by names such as .L and .R or left_ and right_",
            ),
            ("STOP", "Leave", "Restore everything and leave the preview"),
        ),
    )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the tooltip of the command's button."""
        return str(
            properties.bl_rna.properties["command"].enum_items[properties.command].description
        )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        preview = running()
        if preview is None:
            return {"CANCELLED"}
        try:
            preview.obey(Command(self.command))
        except PreviewError as error:
            return refused(self, "WARNING", error)
        return {"FINISHED"}


def is_posed(context: bpy.types.Context) -> bool:
    """Return whether the active joint is being posed, alone or in its mechanism."""
    joint = active_joint(context)
    if joint is None or not isinstance(running(), previews.mechanism.PosePreview):
        return False
    return bool(pose_of(context).rows_of(key_of(joint)))
