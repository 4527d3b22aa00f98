"""Armatures that a preview poses, and that are put back to the bit afterwards.

Blender evaluates pose bones from the originals and has no way to show others, so the originals are
written, one by one: of linked and overridden armatures `foreach_set` silently leaves out what
cannot be edited there. What they were is kept beside them as a custom property until they are put
back: undo steps and automatically saved files that are made meanwhile hold it, too.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.graph import Indices
from ..core.model.pose import Array
from ..properties.bones import JOURNAL, BodyBone
from .bone_leaders import BoneLeaders

_CHANNELS = (
    *(("location", 3), ("rotation_euler", 3), ("rotation_quaternion", 4)),
    *(("rotation_axis_angle", 4), ("scale", 3)),
)
_MUTED = "muted"


class PosedArmature:
    """The pose of one armature while a preview moves bones of it."""

    def __init__(self, bones: Sequence[BodyBone]) -> None:
        """Take the bodies among the bones of an armature; hold aside what else poses them."""
        self._armature = bones[0].armature
        pose = _bones(self._armature)
        numbers = {bone.name: number for number, bone in enumerate(pose)}
        self._bodies: Indices = np.array([numbers[bone.name] for bone in bones], np.intp)
        self._parents: list[int] = [numbers[b.parent.name] if b.parent else -1 for b in pose]
        self._before = bone_matrices(self._armature)
        found = BoneLeaders(pose, self._parents, self._bodies.tolist())
        self._leaders, self.posed = found.leaders, found.posed
        self._keep({pose[number].name for number in self.posed})

    @property
    def pose_bones(self) -> list[bpy.types.PoseBone]:
        """The bones that are posed: bodies, and what follows them by no other means."""
        pose = _bones(self._armature)
        return [pose[number] for number in self.posed]

    def show(self, armature: Array, worlds: Array, poses: Array | None = None) -> None:
        """Pose the bones at world matrices (n, 4, 4) of bodies; the armature's is `armature`.

        `poses` (m, 4, 4) are what all its bones are at, None as they are now.
        """
        pose = _bones(self._armature)
        bodies = np.linalg.inv(armature) @ worlds
        poses = self._carried(bodies, bone_matrices(self._armature) if poses is None else poses)
        for number in self.posed:
            bone, above = pose[number].bone, self._parents[number]
            spaces: dict[str, Any] = {}
            if above >= 0:
                spaces["parent_matrix"] = Matrix(poses[above])
                spaces["parent_matrix_local"] = pose[above].bone.matrix_local
            pose[number].matrix_basis = bone.convert_local_to_pose(
                Matrix(poses[number]), bone.matrix_local, invert=True, **spaces
            )
        self._armature.update_tag(refresh={"OBJECT"})

    def hide(self) -> None:
        """Have the pose as it was."""
        try:
            put_back(self._armature)
        except ReferenceError:
            # The armature was removed meanwhile.
            return

    def hold(self) -> int:
        """Have the pose as it was, what else poses the bones out of play; return how much that is.

        Keyframes of the bones are seen only then.
        """
        muted = list(filter(None, self._armature[JOURNAL][_MUTED].split("\n")))
        put_back(self._armature)
        _mute(self._armature, muted, is_muted=True)
        return len(muted)

    def keep(self) -> None:
        """Leave the bones where they are shown; what was muted poses them again."""
        _mute(self._armature, self._armature[JOURNAL][_MUTED].split("\n"), is_muted=False)
        del self._armature[JOURNAL]

    def _carried(self, bodies: Array, poses: Array) -> Array:
        """Return the pose of all bones (n, 4, 4): those that follow a body keep their place on it.

        `bodies` (m, 4, 4) and `poses` (n, 4, 4) are the poses wanted of bodies, and those that all
        bones have now. Blender lists parents first.
        """
        moves = dict(zip(self._bodies.tolist(), bodies, strict=True))
        ways = {body: pose @ np.linalg.inv(self._before[body]) for body, pose in moves.items()}
        for number, leader in enumerate(self._leaders):
            if leader >= 0:
                poses[number] = ways[leader] @ self._before[number]
        return poses

    def _keep(self, names: set[str]) -> None:
        """Write down the pose, and mute what else poses the bones."""
        journal: dict[str, Any] = {}
        for name, size in _CHANNELS:
            held = np.empty(size * len(self._before), np.float32)
            _bones(self._armature).foreach_get(name, held)
            journal[name] = held.tolist()
        muted = [path for path, each in _posing(self._armature, names) if not each.mute]
        self._armature[JOURNAL] = journal | {_MUTED: "\n".join(muted)}
        _mute(self._armature, muted, is_muted=True)


def put_back(armature: bpy.types.Object) -> None:
    """Give an armature the pose that a preview wrote down."""
    journal: Any = armature.get(JOURNAL)
    if journal is None:
        return
    pose = _bones(armature)
    for name, size in _CHANNELS:
        held = np.array(journal[name], np.float32).reshape(-1, size)
        if len(held) == len(pose):
            for bone, values in zip(pose, held.tolist(), strict=True):
                setattr(bone, name, values)
    _mute(armature, journal[_MUTED].split("\n"), is_muted=False)
    del armature[JOURNAL]
    armature.update_tag(refresh={"OBJECT"})


def _posing(armature: bpy.types.Object, names: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield what poses bones beside their channels: constraints and drivers, by paths."""
    for name in names:
        for constraint in _bones(armature)[name].constraints:
            path = f'["{bpy.utils.escape_identifier(constraint.name)}"]'
            yield f'pose.bones["{bpy.utils.escape_identifier(name)}"].constraints{path}', constraint
    data = armature.animation_data
    starts = tuple(f'pose.bones["{bpy.utils.escape_identifier(name)}"].' for name in names)
    for number, driver in enumerate(() if data is None else data.drivers):
        if driver.data_path.startswith(starts):
            yield f"animation_data.drivers[{number}]", driver


def _mute(armature: bpy.types.Object, paths: Iterable[str], *, is_muted: bool) -> None:
    for path in filter(None, paths):
        try:
            armature.path_resolve(path).mute = is_muted
        except (ValueError, AttributeError):
            # Removed meanwhile.
            continue


def _bones(armature: bpy.types.Object) -> Any:
    pose: Any = armature.pose
    return pose.bones


def bone_matrices(armature: bpy.types.Object) -> Array:
    """Return the poses of the bones of an armature (n, 4, 4), in its axes."""
    pose = _bones(armature)
    columns = np.empty((len(pose), 4, 4), np.float32)
    pose.foreach_get("matrix", columns.reshape(-1))
    return columns.swapaxes(1, 2).astype(float)
