"""Poses of bodies over time as keyframes of objects and bones."""

from collections.abc import Iterable, Sequence

import bpy
from mathutils import Matrix

from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..properties.bones import BodyBone, Node
from ..scene.posed import PosedArmature
from .pose import Bases, keep_near, rotation_path, start_rotation


def insert_keys(
    objects: Sequence[Node],
    scene: PhysicsScene,
    nodes: Iterable[int],
    record: Sequence[Array],
    frames: Sequence[float],
) -> int:
    """Key location and rotation of bodies at frames, leaving them where they are.

    Node i of `scene` is `objects[i]`; `record` are world matrices (n, 4, 4) at each frame. Returns
    how many constraints and drivers of bones are muted now, since they would hide the keys.
    """
    nodes = sorted(nodes)
    bones = [node for node in nodes if isinstance(objects[node], BodyBone)]
    muted = _insert_keys_of_bones(objects, bones, record, frames)
    bases = Bases(objects, scene)
    for node in nodes:
        obj = objects[node]
        if isinstance(obj, BodyBone):
            continue
        path = rotation_path(obj)
        rest = {name: tuple(getattr(obj, name)) for name in ("location", path, "scale")}
        places = [Matrix(bases.of(node, matrices).tolist()) for matrices in record]
        _insert_keys_of_object(obj, places, frames)
        for name, value in rest.items():
            setattr(obj, name, value)
    return muted


def _insert_keys_of_object(
    obj: bpy.types.Object, places: Sequence[Matrix], frames: Sequence[float]
) -> None:
    path = rotation_path(obj)
    before = start_rotation(obj, path, places)
    for frame, place in zip(frames, places, strict=True):
        obj.matrix_basis = place
        keep_near(obj, path, before)
        before = tuple(getattr(obj, path))
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert(path, frame=frame)


def _insert_keys_of_bones(
    objects: Sequence[Node], nodes: list[int], record: Sequence[Array], frames: Sequence[float]
) -> int:
    """Key location and rotation of moving bones, and of what follows them, at frames.

    Their poses stay at rest. Returns how many constraints and drivers are muted for that.
    """
    rigs: dict[Node, dict[BodyBone, int]] = {}
    for node in nodes:
        if isinstance(bone := objects[node], BodyBone):
            rigs.setdefault(bone.armature, {})[bone] = node
    numbers, muted = {obj: node for node, obj in enumerate(objects)}, 0
    for rig, bones in rigs.items():
        posed = PosedArmature(list(bones))
        chosen = posed.pose_bones
        before = [tuple(getattr(bone, rotation_path(bone))) for bone in chosen]
        for frame, matrices in zip(frames, record, strict=True):
            posed.show(matrices[numbers[rig]], matrices[list(bones.values())])
            for place, each in enumerate(chosen):
                path = rotation_path(each)
                keep_near(each, path, before[place])
                before[place] = tuple(getattr(each, path))
                each.keyframe_insert("location", frame=frame)
                each.keyframe_insert(path, frame=frame)
        muted += posed.hold()
    return muted
