"""What a preview shows, to stay: its motion as keyframes, its pose as that of the scene."""

from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty

from ... import preview as previews
from ...authoring.conditions import Explained, no_preview_mode, nothing_to_simulate
from ...authoring.context import present
from ...classes import OperatorResult
from ...preview.session import PreviewError, running, stop
from ...properties.preview import preview_options
from ...translation import refused, report
from .preview import nothing_running


class OMI_OT_preview_bake(Explained, bpy.types.Operator):
    """Bake the simulated motion of the bodies to keyframes, starting at the current frame"""

    bl_idname = "omi.preview_bake"
    bl_label = "Bake to Keyframes"
    conditions = (no_preview_mode, nothing_to_simulate)

    if TYPE_CHECKING:
        frames: int
    else:
        frames: IntProperty(
            name="Frames",
            description=(
                "Number of frames to simulate; 0 bakes the motion that the running preview has "
                "shown, or up to the end of the scene"
            ),
            default=0,
            min=0,
            soft_max=1000,
        )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        shown = running()
        record, began = [], None
        if isinstance(shown, previews.simulated.SimulationPreview) and not self.frames:
            record, began = shown.record, shown.first_frame
        stop()
        scene = present(context.scene)
        try:
            preview = previews.simulated.SimulationPreview(context)
            if len(record) < 2 or record[0].shape != preview.scene.matrices.shape:
                count = self.frames or max(1, scene.frame_end - scene.frame_current)
                for _ in range(count):
                    preview.next_frame(preview_options(context).substeps)
                record = preview.record
        except PreviewError as error:
            return refused(self, "WARNING", error)
        for each in preview.simulation.problems():
            text = "{place}: {problem}"
            report(self, "WARNING", text, place=each.place, problem=each.message)
        first = scene.frame_current if began is None else began
        nodes = preview.simulation.moving_nodes
        frames = range(first, first + len(record))
        keys = previews.body_keys.insert_keys
        muted = keys(preview.objects, preview.scene, nodes, record, frames)
        if muted:
            text = "{count} constraints and drivers of bones are muted: they would hide the keys"
            report(self, "WARNING", text, count=muted)
        self._report_length(len(record), scene)
        return {"FINISHED"}

    def _report_length(self, frames: int, scene: bpy.types.Scene) -> None:
        seconds = frames * previews.simulated.frame_duration(scene)
        report(self, "INFO", "{frames} frames, {seconds:.2f} s", frames=frames, seconds=seconds)


class OMI_OT_preview_keep(Explained, bpy.types.Operator):
    """Leave the preview with bodies and bones where it shows them; Auto Keying keys them"""

    bl_idname = "omi.preview_keep"
    bl_label = "Keep Pose"
    conditions = (nothing_running,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        preview = present(running())
        matrices = preview.shown_matrices
        stop()
        present(context.view_layer).update()
        scene = present(context.scene)
        is_keyed = present(scene.tool_settings).use_keyframe_insert_auto
        frame = scene.frame_current if is_keyed else None
        count = previews.keeping.keep_pose(preview, matrices, frame=frame)
        if count:
            report(
                self,
                "WARNING",
                "{count} objects are animated: their poses are lost when the frame changes, "
                "unless they are keyed",
                count=count,
            )
        return {"FINISHED"}


CLASSES = (
    OMI_OT_preview_bake,
    OMI_OT_preview_keep,
)
