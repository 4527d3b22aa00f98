"""What a preview shows, to stay: its motion as keyframes, its pose as that of the scene."""

from typing import TYPE_CHECKING

import bpy

from ... import authoring
from ... import preview as previews
from ...authoring.conditions import Explained, no_preview_mode, nothing_to_simulate
from ...authoring.context import present
from ...classes import OperatorResult
from ...core import meaning
from ...declared import EnumProperty, FloatProperty, IntProperty
from ...preview.session import PreviewError, running, stop
from ...properties.preview import preview_options
from ...translation import refused, report
from .preview import nothing_running

if TYPE_CHECKING:
    from ...core.model.pose import Array


_FIRST, _LAST = -1048574, 1048574
"""The frames that Blender can count."""


class OMI_OT_preview_bake(Explained, bpy.types.Operator):
    """Bake the simulated motion of the bodies to keyframes: what the running preview has shown"""

    bl_idname = "omi.preview_bake"
    bl_label = "Bake to Keyframes"
    # Adjusted afterwards, it would be another motion: what was shown is known while it runs.
    bl_options = {"UNDO"}
    conditions = (no_preview_mode, nothing_to_simulate)

    frames = IntProperty(
        name="Frames",
        description=(
            "Number of frames to simulate; 0 bakes the motion that the running preview has "
            "shown, or up to the end of the scene"
        ),
        default=0,
        min=0,
        soft_max=1000,
    )
    start = IntProperty(
        name="First Frame",
        description="Frame of the first keyframe; the motion before it is left out",
        default=_FIRST,
        min=_FIRST,
        max=_LAST,
    )
    end = IntProperty(
        name="Last Frame",
        description="Frame of the last keyframe; the motion after it is left out",
        default=_LAST,
        min=_FIRST,
        max=_LAST,
    )
    step = IntProperty(
        name="Every",
        description="Distance of keyframes in frames; the last one gets a keyframe, too",
        default=1,
        min=1,
        soft_max=12,
    )
    tolerance = FloatProperty(
        name="Simplify",
        description="How far bodies may be from the motion between keyframes, of which there "
        "are fewer then, with straight ways between them; 0 keeps all",
        default=0.0,
        min=0.0,
        soft_max=0.1,
        subtype="DISTANCE",
    )
    blend = IntProperty(
        name="Loop",
        description="Frames at the end that go over into the first pose, so that the motion "
        "can be repeated without end; 0 does not repeat it",
        default=0,
        min=0,
        soft_max=48,
    )
    target = EnumProperty(
        name="Keyframes In",
        description="Where keyframes of what is animated already go",
        items=(
            (
                "LAYER",
                "New Layer",
                "A new action above the present one, which stays as an NLA track",
            ),
            ("ACTION", "New Action", "A new action; the present one stays in the file"),
            (
                "PRESENT",
                "Present Action",
                "The present action, over its keyframes at the same frames",
            ),
        ),
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> OperatorResult:
        scene, shown = present(context.scene), running()
        self.start, self.end = scene.frame_current, max(scene.frame_end, scene.frame_current + 1)
        if isinstance(shown, previews.simulated.SimulationPreview) and len(shown.record) > 1:
            self.start = scene.frame_current if shown.first_frame is None else shown.first_frame
            self.end = self.start + len(shown.record) - 1
        return present(context.window_manager).invoke_props_dialog(self, confirm_text="Bake")

    def draw(self, _context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        column = layout.column(align=True)
        for name in ("start", "end", "step", "tolerance", "blend"):
            column.prop(self, name)
        layout.prop(self, "target")

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        try:
            preview, record, first = self._motion(context)
        except PreviewError as error:
            return refused(self, "WARNING", error)
        frames = self._chosen(range(first, first + len(record)))
        if not frames:
            return refused(self, "WARNING", "No frame of the motion is between these frames")
        for each in preview.simulation.problems():
            text = "{place}: {problem}"
            report(self, "WARNING", text, place=each.place, problem=each.message)
        whole = record[frames[0] - first : frames[-1] - first + 1]
        motion, frames = self._shaped(preview, whole, frames)
        muted = previews.body_keys.insert_keys(
            present(context.scene),
            preview.objects,
            preview.scene,
            preview.simulation.moving_nodes,
            motion,
            frames,
            keys=previews.body_keys.Keys(self.target),
            is_straight=self.tolerance > 0.0,
            is_repeated=self.blend > 0,
        )
        if muted:
            text = (
                "Muted, since they would hide the keys: constraints and drivers of bones ({count})"
            )
            report(self, "WARNING", text, count=muted)
        self._report_length(frames, present(context.scene))
        return {"FINISHED"}

    def _motion(
        self, context: bpy.types.Context
    ) -> "tuple[previews.simulated.SimulationPreview, list[Array], int]":
        """Return a simulation at rest, the motion that was shown or is simulated, its first frame.

        The preview that runs ends.
        """
        shown, scene = running(), present(context.scene)
        record, first = [], None
        if isinstance(shown, previews.simulated.SimulationPreview) and not self.frames:
            record, first = shown.record, shown.first_frame
        stop()
        preview = previews.simulated.SimulationPreview(context)
        if len(record) < 2 or record[0].shape != preview.scene.matrices.shape:
            end = scene.frame_end if self.end == _LAST else self.end
            for _ in range(self.frames or max(1, end - scene.frame_current)):
                preview.next_frame(preview_options(context).substeps)
            record = preview.record
        return preview, record, scene.frame_current if first is None else first

    def _chosen(self, frames: range) -> list[int]:
        """Return the frames that are to have keyframes."""
        inside = [frame for frame in frames if self.start <= frame <= self.end]
        return sorted({*inside[:: self.step], *inside[-1:]})

    def _shaped(
        self,
        preview: "previews.simulated.SimulationPreview",
        whole: "list[Array]",
        frames: list[int],
    ) -> "tuple[list[Array], list[int]]":
        """Return the whole motion at frames, as a loop and in fewer, as far as that is asked for.

        `whole` has each frame from the first to the last of `frames`.
        """
        import numpy as np

        if self.blend and len(whole) > 1:
            whole = list(meaning.recording.looped(np.array(whole), self.blend))
        motion = [whole[frame - frames[0]] for frame in frames]
        if not self.tolerance:
            return motion, frames
        nodes = sorted(preview.simulation.moving_nodes)
        reaches = [authoring.frames.largest_extent(preview.objects[node]) for node in nodes]
        record = np.array(motion)[:, nodes]
        kept = meaning.recording.kept_frames(record, np.array(reaches), self.tolerance)
        return [motion[number] for number in kept], [frames[number] for number in kept]

    def _report_length(self, frames: list[int], scene: bpy.types.Scene) -> None:
        seconds = (frames[-1] - frames[0] + 1) * previews.simulated.frame_duration(scene)
        text = "Keyframes: {count}, {seconds:.2f} s"
        report(self, "INFO", text, count=len(frames), seconds=seconds)


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
