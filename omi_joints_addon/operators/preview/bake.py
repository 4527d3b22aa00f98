"""Simulated motion as keyframes."""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import IntProperty
from mathutils import Matrix

from ... import preview as previews
from ...authoring.conditions import Explained, other_mode
from ...authoring.context import present
from ...preview.session import PreviewError, running, stop
from ...properties.preview import preview_options
from ...translation import report

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems

    from ...core.model.pose import Array


class OMI_OT_preview_bake(Explained, bpy.types.Operator):
    """Bake the simulated motion of the bodies to keyframes, starting at the current frame"""

    bl_idname = "omi.preview_bake"
    bl_label = "Bake to Keyframes"
    bl_options = {"REGISTER", "UNDO"}
    conditions = (other_mode,)

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

    def execute(self, context: bpy.types.Context) -> "set[OperatorReturnItems]":
        shown = running()
        record = (
            shown.record
            if isinstance(shown, previews.simulated.SimulationPreview) and not self.frames
            else []
        )
        stop()
        try:
            preview = previews.simulated.SimulationPreview(context)
        except PreviewError as error:
            report(self, "WARNING", error)
            return {"CANCELLED"}
        scene = present(context.scene)
        if len(record) < 2 or record[0].shape != preview.scene.matrices.shape:
            count = self.frames or max(1, scene.frame_end - scene.frame_current)
            for _ in range(count):
                preview.next_frame(preview_options(context).substeps)
            record = preview.record
        for problem in preview.simulation.problems():
            report(
                self, "WARNING", "{place}: {problem}", place=problem.place, problem=problem.message
            )
        _insert_keys(preview, record, scene.frame_current)
        report(
            self,
            "INFO",
            "{frames} frames, {seconds:.2f} s",
            frames=len(record),
            seconds=len(record) * previews.simulated.frame_duration(scene),
        )
        return {"FINISHED"}


def _insert_keys(
    preview: "previews.simulated.SimulationPreview", record: "list[Array]", first: int
) -> None:
    """Key location and rotation of each moving body at every frame, leaving it at rest."""
    bases = previews.pose.Bases(preview.objects, preview.scene)
    for node in sorted(preview.simulation.moving_nodes):
        obj: bpy.types.Object = preview.objects[node]
        path = _rotation_path(obj)
        before = getattr(obj, path).copy() if path != "rotation_axis_angle" else None
        rest = {name: tuple(getattr(obj, name)) for name in ("location", path, "scale")}
        for number, matrices in enumerate(record):
            obj.matrix_basis = Matrix(bases.of(node, matrices).tolist())
            if before is not None:
                _keep_near(obj, path, before)
                before = getattr(obj, path).copy()
            obj.keyframe_insert("location", frame=first + number)
            obj.keyframe_insert(path, frame=first + number)
        for name, value in rest.items():
            setattr(obj, name, value)


def _rotation_path(obj: bpy.types.Object) -> str:
    """Return the rotation channel that the object uses."""
    if obj.rotation_mode == "QUATERNION":
        return "rotation_quaternion"
    return "rotation_axis_angle" if obj.rotation_mode == "AXIS_ANGLE" else "rotation_euler"


def _keep_near(obj: bpy.types.Object, path: str, before: Any) -> None:
    """Choose the form of the rotation that is nearest to the one before."""
    now = getattr(obj, path)
    if path == "rotation_quaternion":
        if now.dot(before) < 0.0:
            obj.rotation_quaternion = -now
    else:
        now.make_compatible(before)
        obj.rotation_euler = now


CLASSES = (OMI_OT_preview_bake,)
