"""Operators that preview joints in the 3D viewport, without undo steps, and restore all."""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty
from bpy_extras.view3d_utils import (
    location_3d_to_region_2d,
    region_2d_to_location_3d,
    region_2d_to_origin_3d,
    region_2d_to_vector_3d,
)
from mathutils import Vector

from ... import preview as previews
from ...authoring.conditions import Explained, no_active_joint, other_mode
from ...authoring.context import present
from ...preview.session import Command, Preview, PreviewError, begin, running, stop
from ...properties.joint import joint_of
from ...scene import windows
from ...translation import report, translated

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

_PAUSE = 0.1
"""Time [s] between two looks at sidebars and headers, which cost more to draw than they change."""
_REACH = 60.0
"""Distance [pixels] at which a body without a surface can be grabbed."""


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
    _told = -_PAUSE
    """Time [s] of the timer when the headers were told last."""
    _preview: Preview

    def make(self, context: bpy.types.Context) -> Preview:
        """Return the preview to run; raises `PreviewError`."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        try:
            self._preview = self.make(context)
        except PreviewError as error:
            report(self, "WARNING", error)
            return {"CANCELLED"}
        begin(self._preview)
        manager = present(context.window_manager)
        self._timer = manager.event_timer_add(
            previews.simulated.frame_duration(context.scene), window=context.window
        )
        manager.modal_handler_add(self)  # type: ignore[arg-type]
        return {"RUNNING_MODAL"}

    def modal(
        self, context: bpy.types.Context, event: bpy.types.Event
    ) -> "set[OperatorReturnItems]":
        is_leaving = event.type == "ESC" and event.value == "PRESS"
        if is_leaving:
            stop()
        if self._preview.is_over:
            self._leave(context)
            return {"CANCELLED"} if is_leaving else {"CANCELLED", "PASS_THROUGH"}
        if event.type == "TIMER":
            self._tick(context)
            return {"PASS_THROUGH"}
        region = _region_at(context, event)
        if region is not None and region.type == "WINDOW":
            return self.view_event(context, event, region)
        return {"PASS_THROUGH"}

    def view_event(
        self, context: bpy.types.Context, event: bpy.types.Event, region: bpy.types.Region
    ) -> "set[OperatorReturnItems]":
        """Handle an event over the viewport."""
        return {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Put everything back when Blender ends the operator."""
        stop()

    def _tick(self, context: bpy.types.Context) -> None:
        """Show the next moment where it is time; whatever fails, everything is put back."""
        duration = present(self._timer).time_duration
        if duration == self._elapsed:
            return
        elapsed, self._elapsed, is_shown = duration - self._elapsed, duration, False
        before = self._preview.live.version
        try:
            self._preview.tick(context, elapsed)
            is_shown = not self._preview.is_over
        finally:
            if not is_shown:
                stop()
                self._leave(context)
        if is_shown and self._preview.live.version != before:
            windows.redraw_regions("WINDOW")
        if is_shown and duration - self._told >= _PAUSE:
            self._told = duration
            activity = f"{translated(self._preview.kind)}: {translated(self._preview.activity)}"
            tell(context, activity, translated(self.hints))

    def _leave(self, context: bpy.types.Context) -> None:
        if self._timer is not None:
            present(context.window_manager).event_timer_remove(self._timer)
            self._timer = None
        tell(context, None, None)
        windows.redraw_regions("WINDOW")


def tell(context: bpy.types.Context, activity: str | None, hints: str | None) -> None:
    """Say in the headers of 3D views what runs and in the status bar what keys do; None clears."""
    if context.workspace is not None:
        text = None if activity is None else f"{activity}    {hints}"
        context.workspace.status_text_set(text)
    for area in windows.areas("VIEW_3D"):
        area.header_text_set(activity)
    windows.redraw_regions("UI")


class OMI_OT_preview_range(Modal, bpy.types.Operator):
    """Move the active joint through its range without physics; Esc restores everything"""

    bl_idname = "omi.preview_range"
    bl_label = "Preview Range of Motion"
    bl_options = set()
    conditions = (other_mode, no_active_joint, already_running)

    def make(self, context: bpy.types.Context) -> Preview:
        return previews.motion_range.RangePreview(context, present(context.object))


class OMI_OT_preview_simulate(Modal, bpy.types.Operator):
    """Simulate joints without collisions; drag bodies with the mouse, Esc restores all"""

    bl_idname = "omi.preview_simulate"
    bl_label = "Simulate Joints"
    bl_options = set()
    conditions = (other_mode, already_running)
    _depth: Vector | None = None

    hints = "Esc: Leave    Space: Play or Pause    Drag: Pull a Body"

    def make(self, context: bpy.types.Context) -> Preview:
        return previews.simulated.SimulationPreview(context)

    def view_event(
        self, context: bpy.types.Context, event: bpy.types.Event, region: bpy.types.Region
    ) -> "set[OperatorReturnItems]":
        preview = self._preview
        assert isinstance(preview, previews.simulated.SimulationPreview)
        if event.type == "SPACE" and event.value == "PRESS":
            preview.obey(Command.PAUSE if preview.is_playing else Command.PLAY)
        elif event.type == "LEFTMOUSE" and event.value == "PRESS":
            if not self._grab(context, event, region):
                return {"PASS_THROUGH"}
        elif self._depth is not None and event.type == "LEFTMOUSE":
            preview.simulation.release()
            self._depth = None
        elif self._depth is not None and event.type == "MOUSEMOVE":
            place = _mouse(event, region)
            view = _view_of(context, region)
            target = region_2d_to_location_3d(region, view, place, self._depth)
            preview.simulation.drag(target[:])
        else:
            return {"PASS_THROUGH"}
        return {"RUNNING_MODAL"}

    def _grab(
        self, context: bpy.types.Context, event: bpy.types.Event, region: bpy.types.Region
    ) -> bool:
        """Hold the dynamic body under the mouse, or one near it; return whether there is one."""
        preview = self._preview
        assert isinstance(preview, previews.simulated.SimulationPreview)
        view, place = _view_of(context, region), _mouse(event, region)
        found = _body_at(context, preview, region, view, place)
        if found is not None:
            body, point = found
            preview.simulation.grab(body, point[:])
            self._depth = point
        return found is not None


def _body_at(
    context: bpy.types.Context,
    preview: "previews.simulated.SimulationPreview",
    region: bpy.types.Region,
    view: Any,
    place: tuple[float, float],
) -> tuple[int, Vector] | None:
    """Return the dynamic body at a place of the region and the world point to hold it at."""
    moving = preview.simulation.moving_nodes
    owner = preview.scene.bodies()
    origin, way = (
        region_2d_to_origin_3d(region, view, place),
        region_2d_to_vector_3d(region, view, place),
    )
    graph = context.evaluated_depsgraph_get()
    hit, point, _, _, obj, _ = present(context.scene).ray_cast(graph, origin, way)
    if hit and obj.original in preview.objects:
        body = int(owner[preview.objects.index(obj.original)])
        if body in moving:
            return body, point
    nearest: tuple[float, int, Vector] | None = None
    for node in moving:
        center = Vector(preview.live.poses[node, :3, 3].tolist())
        shown = location_3d_to_region_2d(region, view, center)
        distance = _REACH if shown is None else (shown - Vector(place)).length
        if distance < (_REACH if nearest is None else nearest[0]):
            nearest = distance, node, center
    return None if nearest is None else nearest[1:]


def _region_at(context: bpy.types.Context, event: bpy.types.Event) -> bpy.types.Region | None:
    """Return the region of a 3D view under the mouse; None over other editors."""
    found = None
    for area in present(context.screen).areas:
        if area.type != "VIEW_3D":
            continue
        for region in area.regions:
            is_in = (
                0 <= event.mouse_x - region.x < region.width
                and 0 <= event.mouse_y - region.y < region.height
            )
            # The sidebar lies over the drawing region.
            if is_in and (found is None or found.type == "WINDOW"):
                found = region
    return found


def _view_of(context: bpy.types.Context, region: bpy.types.Region) -> Any:
    """Return the 3D view's projection of a region."""
    for area in present(context.screen).areas:
        if any(each == region for each in area.regions):
            space: Any = area.spaces.active
            return region.data or space.region_3d
    return None


def _mouse(event: bpy.types.Event, region: bpy.types.Region) -> tuple[float, float]:
    return event.mouse_x - region.x, event.mouse_y - region.y


class OMI_OT_preview_control(Explained, bpy.types.Operator):
    """Control the running preview"""

    bl_idname = "omi.preview_control"
    bl_label = "Control Preview"
    bl_options = set()
    conditions = (nothing_running,)

    if TYPE_CHECKING:
        command: str
    else:
        command: EnumProperty(
            name="Command",
            description="What the preview should do",
            items=(
                ("PLAY", "Play", "Resume the simulation"),
                ("PAUSE", "Pause", "Pause the simulation"),
                ("STEP", "Step", "Advance by one frame"),
                ("RESET", "Reset", "Return to the rest pose"),
                ("SWEEP", "Sweep All", "Move through each degree of freedom and around cones"),
                ("STOP", "Leave", "Restore everything and leave the preview"),
            ),
        )

    @classmethod
    def description(cls, context: bpy.types.Context, properties: Any) -> str:
        """Return the tooltip of the command's button."""
        return str(
            properties.bl_rna.properties["command"].enum_items[properties.command].description
        )

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        preview = running()
        if preview is None:
            return {"CANCELLED"}
        preview.obey(Command(self.command))
        return {"FINISHED"}


def is_range_of(context: bpy.types.Context) -> bool:
    """Return whether the range of the active joint is being previewed."""
    preview = running()
    active = context.object
    return (
        preview is not None
        and isinstance(preview, previews.motion_range.RangePreview)
        and active is not None
        and joint_of(active) is not None
        and active.name == preview.joint
    )


CLASSES = (OMI_OT_preview_range, OMI_OT_preview_simulate, OMI_OT_preview_control)
