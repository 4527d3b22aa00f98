"""Simulated motion as keyframes."""

from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty
from mathutils import Matrix

from ... import preview as previews
from ... import scene as scenes
from ...authoring.conditions import Explained, no_preview_mode
from ...authoring.context import present
from ...preview.session import PreviewError, running, stop
from ...properties.bones import BodyBone
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
    conditions = (no_preview_mode,)

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
    nodes = sorted(preview.simulation.moving_nodes)
    bones = [node for node in nodes if isinstance(preview.objects[node], BodyBone)]
    _insert_keys_of_bones(preview, bones, record, first)
    bases = previews.pose.Bases(preview.objects, preview.scene)
    for node in nodes:
        obj = preview.objects[node]
        if isinstance(obj, BodyBone):
            continue
        path = previews.pose.rotation_path(obj)
        rest = {name: tuple(getattr(obj, name)) for name in ("location", path, "scale")}
        places = [Matrix(bases.of(node, matrices).tolist()) for matrices in record]
        before = previews.pose.start_rotation(obj, path, places)
        for number, place in enumerate(places):
            obj.matrix_basis = place
            previews.pose.keep_near(obj, path, before)
            before = tuple(getattr(obj, path))
            obj.keyframe_insert("location", frame=first + number)
            obj.keyframe_insert(path, frame=first + number)
        for name, value in rest.items():
            setattr(obj, name, value)


def _insert_keys_of_bones(
    preview: "previews.simulated.SimulationPreview",
    nodes: list[int],
    record: "list[Array]",
    first: int,
) -> None:
    """Key location and rotation of moving bones at every frame, leaving their poses at rest."""
    rigs: dict[bpy.types.Object, dict[BodyBone, int]] = {}
    for node in nodes:
        if isinstance(bone := preview.objects[node], BodyBone):
            rigs.setdefault(bone.armature, {})[bone] = node
    numbers = {obj: node for node, obj in enumerate(preview.objects)}
    for rig, bones in rigs.items():
        posed = scenes.posed.PosedArmature(list(bones))
        chosen = [bone.pose_bone for bone in bones]
        before = [tuple(getattr(bone, previews.pose.rotation_path(bone))) for bone in chosen]
        for number, matrices in enumerate(record):
            posed.show(matrices[numbers[rig]], matrices[list(bones.values())])
            for place, each in enumerate(chosen):
                path = previews.pose.rotation_path(each)
                previews.pose.keep_near(each, path, before[place])
                before[place] = tuple(getattr(each, path))
                each.keyframe_insert("location", frame=first + number)
                each.keyframe_insert(path, frame=first + number)
        posed.hide()


CLASSES = (OMI_OT_preview_bake,)
