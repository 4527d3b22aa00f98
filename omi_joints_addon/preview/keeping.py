"""What a preview shows, taken over as the pose of objects and bones."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..properties.bones import BodyBone, Node, object_of
from ..scene.animation import is_animated
from ..scene.posed import PosedArmature
from .pose import Bases, Posable, keep_near, rotation_path
from .session import Preview

_SAME = 1e-6
"""Difference of matrices that is rounding."""


def keep_pose(preview: Preview, matrices: Array, *, frame: int | None = None) -> int:
    """Give bodies the poses that a preview showed at world matrices (n, 4, 4).

    They are keyed at `frame` where it is given; what is linked from a library stays. Returns how
    many objects have animation instead that shows again when the frame changes.
    """
    is_away = np.abs(matrices - preview.scene.matrices).max(axis=(1, 2)) > _SAME
    nodes = [
        node
        for node in preview.scene.motions
        if is_away[node] and object_of(preview.objects[node]).is_editable
    ]
    bones = pose_bones(preview.objects, preview.scene, matrices, nodes)
    moved = [*_move_objects(preview, matrices, nodes), *bones]
    for each in moved if frame is not None else ():
        each.keyframe_insert("location", frame=frame)
        each.keyframe_insert(rotation_path(each), frame=frame)
    owners = {object_of(preview.objects[node]) for node in nodes}
    return 0 if frame is not None else sum(map(is_animated, owners))


def _move_objects(preview: Preview, matrices: Array, nodes: list[int]) -> Iterator[Posable]:
    bases = Bases(preview.objects, preview.scene)
    for node in nodes:
        obj = preview.objects[node]
        if not isinstance(obj, BodyBone):
            with kept([obj]):
                obj.matrix_basis = Matrix(bases.of(node, matrices).tolist())
            yield obj


def pose_bones(
    objects: Sequence[Node], scene: PhysicsScene, matrices: Array, nodes: Collection[int]
) -> Iterator[Posable]:
    """Pose the bones among nodes of a scene to world matrices (n, 4, 4); yield those of the rig."""
    numbers = {obj: node for node, obj in enumerate(objects)}
    rigs: dict[bpy.types.Object, list[BodyBone]] = {}
    for node in scene.motions:
        if isinstance(bone := objects[node], BodyBone):
            rigs.setdefault(bone.armature, []).append(bone)
    for rig, bones in rigs.items():
        places = [numbers[bone] for bone in bones]
        if not {numbers[rig], *places}.isdisjoint(nodes):
            chosen: list[Posable] = [bone.pose_bone for bone in bones]
            posed = PosedArmature(bones)
            with kept(chosen):
                posed.show(matrices[numbers[rig]], matrices[places])
            posed.keep()
            yield from chosen


@contextmanager
def kept(moved: list[Posable]) -> Iterator[None]:
    """Keep scales as they are, and rotations in the form that is nearest to the one before."""
    before = [(each.scale.copy(), tuple(getattr(each, rotation_path(each)))) for each in moved]
    yield
    for each, (scale, rotation) in zip(moved, before, strict=True):
        keep_near(each, rotation_path(each), rotation)
        each.scale = scale
