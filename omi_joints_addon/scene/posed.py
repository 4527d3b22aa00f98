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
        self._moved: Indices = np.array([numbers[bone.name] for bone in bones], np.intp)
        self._parents: list[int] = [numbers[b.parent.name] if b.parent else -1 for b in pose]
        self._rest = np.array([bone.bone.matrix_local for bone in pose], float)
        self._before = _matrices(pose, "matrix").swapaxes(1, 2).astype(float)
        above = np.array(self._parents)[self._moved]
        spaces = np.where(above[:, None, None] >= 0, self._rest[above], np.eye(4))
        self._above = above
        self._offsets = np.linalg.inv(spaces) @ self._rest[self._moved]
        self._keep({bone.name for bone in bones})

    def show(self, armature: Array, worlds: Array) -> None:
        """Pose the bones at world matrices (n, 4, 4); that of the armature is `armature`."""
        wanted = np.linalg.inv(armature) @ worlds
        poses = self._carried(wanted)
        spaces = np.where(self._above[:, None, None] >= 0, poses[self._above], np.eye(4))
        pose, bases = _bones(self._armature), np.linalg.inv(spaces @ self._offsets) @ wanted
        for number, basis in zip(self._moved.tolist(), bases.tolist(), strict=True):
            pose[number].matrix_basis = Matrix(basis)
        self._armature.update_tag(refresh={"OBJECT"})

    def hide(self) -> None:
        """Have the pose as it was."""
        try:
            put_back(self._armature)
        except ReferenceError:
            # The armature was removed meanwhile.
            return

    def keep(self) -> None:
        """Leave the bones where they are shown; what was muted poses them again."""
        _mute(self._armature, self._armature[JOURNAL][_MUTED].split("\n"), is_muted=False)
        del self._armature[JOURNAL]

    def _carried(self, wanted: Array) -> Array:
        """Return the pose of all bones (n, 4, 4): those between follow their parents.

        Blender lists parents first.
        """
        poses, places = self._before.copy(), dict(zip(self._moved.tolist(), wanted, strict=True))
        is_moved = np.zeros(len(poses), bool)
        for number, parent in enumerate(self._parents):
            if number in places:
                poses[number], is_moved[number] = places[number], True
            elif parent >= 0 and is_moved[parent]:
                local = np.linalg.inv(self._before[parent]) @ self._before[number]
                poses[number], is_moved[number] = poses[parent] @ local, True
        return poses

    def _keep(self, names: set[str]) -> None:
        """Write down the pose, and mute what else poses the bones."""
        journal: dict[str, Any] = {}
        for name, size in _CHANNELS:
            held = np.empty(size * len(self._rest), np.float32)
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


def _matrices(pose: Any, name: str) -> Array:
    """Return matrices of pose bones (n, 4, 4), their columns as rows, as Blender stores them."""
    columns = np.empty((len(pose), 4, 4), np.float32)
    pose.foreach_get(name, columns.reshape(-1))
    return columns  # type: ignore[return-value]
