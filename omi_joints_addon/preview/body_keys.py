"""Poses of bodies over time as keyframes of objects and bones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..authoring.joint_tracks import KEY_KINDS
from ..core.model.animation import Interpolation
from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..properties.bones import BodyBone, Node, object_of, world_matrix
from ..scene.animation import curves_of, is_animated
from ..scene.posed import PosedArmature, bone_matrices
from ..scene.structure import parents_of
from .frames import visited
from .pose import Bases, keep_near, rotation_path, start_rotation


class Keys(StrEnum):
    """Where keyframes of an animated object go; that of another one has an action of its own."""

    LAYER = "LAYER"
    """A new action, above the present one, which becomes an NLA track."""
    ACTION = "ACTION"
    """A new action; the present one is kept unused."""
    PRESENT = "PRESENT"
    """The present action, over its keys at the same frames."""


def insert_keys(
    blender_scene: bpy.types.Scene,
    objects: Sequence[Node],
    scene: PhysicsScene,
    nodes: Iterable[int],
    record: Sequence[Array],
    frames: Sequence[float],
    *,
    keys: Keys = Keys.LAYER,
    is_straight: bool = False,
    is_repeated: bool = False,
) -> int:
    """Key location and rotation of bodies at frames, leaving them where they are.

    Node i of `scene` is `objects[i]`; `record` are world matrices (n, 4, 4) at each frame. Between
    `is_straight` keys ways are linear; `is_repeated` ones begin again behind the last. Returns how
    many constraints and drivers of bones are muted now, since they would hide the keys.
    """
    nodes = sorted(nodes)
    owners = list(dict.fromkeys(object_of(objects[node]) for node in nodes))
    spaces = _spaces_at(blender_scene, objects, scene, owners, frames)
    for owner in owners:
        _make_room(owner, keys)
    muted = _insert_keys_of_bones(objects, scene, nodes, record, spaces, frames)
    for node in nodes:
        _insert_keys_of_object(objects[node], node, record, spaces, frames)
    if is_straight or is_repeated:
        for curve in _curves_of([objects[node] for node in nodes]):
            _finish(curve, is_straight=is_straight, is_repeated=is_repeated)
    return muted


def _finish(curve: Any, *, is_straight: bool, is_repeated: bool) -> None:
    """Set the ways between keys and behind them; an update would move bodies at rest to them."""
    if is_straight:
        points = curve.keyframe_points
        kind = KEY_KINDS[Interpolation.LINEAR]
        points.foreach_set("interpolation", np.full(len(points), kind, np.int32))
    if is_repeated and all(each.type != "CYCLES" for each in curve.modifiers):
        curve.modifiers.new("CYCLES")


def _curves_of(bodies: Sequence[Node]) -> Iterator[Any]:
    """Yield the curves of the channels of bodies."""
    starts: dict[bpy.types.Object, list[str]] = {}
    for body in bodies:
        own = ["location", "rotation_"]
        if isinstance(body, BodyBone):
            own = [f'pose.bones["{bpy.utils.escape_identifier(body.name)}"].']
        starts.setdefault(object_of(body), []).extend(own)
    for owner, paths in starts.items():
        for curve in curves_of(owner.animation_data):
            if curve.data_path.startswith(tuple(paths)):
                yield curve


@dataclass(frozen=True)
class _Spaces:
    """What the channels of bodies are in at a frame, by what else is animated."""

    bases: Bases
    matrices: Array
    """World matrices of all nodes (n, 4, 4)."""
    poses: dict[bpy.types.Object, Array]
    """Poses of the bones of armatures (m, 4, 4)."""


def _spaces_at(
    blender_scene: bpy.types.Scene,
    objects: Sequence[Node],
    scene: PhysicsScene,
    owners: Sequence[bpy.types.Object],
    frames: Sequence[float],
) -> list[_Spaces]:
    """Return the spaces at each frame: looked at once where nothing moves bodies along."""
    rigs = [owner for owner in owners if owner.type == "ARMATURE"]

    def now() -> _Spaces:
        matrices = np.array([np.array(world_matrix(obj)) for obj in objects])
        poses = {rig: bone_matrices(rig) for rig in rigs}
        return _Spaces(Bases(objects, scene, matrices), matrices, poses)

    if any(is_animated(each) for owner in owners for each in (owner, *parents_of(owner))):
        return [now() for _ in visited(blender_scene, frames)]
    return [now()] * len(frames)


def _make_room(owner: bpy.types.Object, keys: Keys) -> None:
    """Have an animated object's keyframes go to a new action, if that is where they are to go."""
    data: Any = owner.animation_data
    if keys == Keys.PRESENT or data is None or not is_animated(owner):
        return
    data.use_tweak_mode = False
    if data.action is not None and keys == Keys.LAYER:
        _push_down(data)
    elif data.action is not None:
        data.action.use_fake_user = True
    data.action = bpy.data.actions.new(f"{owner.name} Simulation")
    # Before it begins, what is below is seen.
    data.action_extrapolation = "HOLD_FORWARD"


def _push_down(data: Any) -> None:
    """Make the action an NLA track, as *Push Down Action* does."""
    action, track = data.action, data.nla_tracks.new()
    track.name = action.name
    strip = track.strips.new(action.name, round(action.frame_range[0]), action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = data.action_slot
    strip.blend_type, strip.extrapolation = data.action_blend_type, data.action_extrapolation
    strip.use_animated_influence = data.action_influence != 1.0
    if strip.use_animated_influence:
        strip.influence = data.action_influence


def _insert_keys_of_object(
    obj: Node,
    node: int,
    record: Sequence[Array],
    spaces: Sequence[_Spaces],
    frames: Sequence[float],
) -> None:
    """Key an object that is no bone where a record has its node; it stays where it is."""
    if isinstance(obj, BodyBone):
        return
    pairs = zip(spaces, record, strict=True)
    places = [Matrix(space.bases.of(node, now).tolist()) for space, now in pairs]
    path = rotation_path(obj)
    rest = {name: tuple(getattr(obj, name)) for name in ("location", path, "scale")}
    before = start_rotation(obj, path, places)
    for frame, place in zip(frames, places, strict=True):
        obj.matrix_basis = place
        keep_near(obj, path, before)
        before = tuple(getattr(obj, path))
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert(path, frame=frame)
    for name, value in rest.items():
        setattr(obj, name, value)


def _insert_keys_of_bones(
    objects: Sequence[Node],
    scene: PhysicsScene,
    nodes: list[int],
    record: Sequence[Array],
    spaces: Sequence[_Spaces],
    frames: Sequence[float],
) -> int:
    """Key location and rotation of moving bones, and of what follows them, at frames.

    Their poses stay at rest. Returns how many constraints and drivers are muted for that.
    """
    rigs: dict[bpy.types.Object, dict[BodyBone, int]] = {}
    for node in nodes:
        if isinstance(bone := objects[node], BodyBone):
            rigs.setdefault(bone.armature, {})[bone] = node
    numbers, muted, owner = {obj: node for node, obj in enumerate(objects)}, 0, scene.bodies()
    for rig, bones in rigs.items():
        posed, number = PosedArmature(list(bones)), numbers[rig]
        is_carried = int(owner[number]) in nodes
        chosen = posed.pose_bones
        before = [tuple(getattr(bone, rotation_path(bone))) for bone in chosen]
        for frame, matrices, space in zip(frames, record, spaces, strict=True):
            above = matrices[number] if is_carried else space.matrices[number]
            posed.show(above, matrices[list(bones.values())], space.poses[rig].copy())
            before = [_key_bone(*pair, frame) for pair in zip(chosen, before, strict=True)]
        muted += posed.hold()
    return muted


def _key_bone(bone: bpy.types.PoseBone, before: tuple[float, ...], frame: float) -> Any:
    """Key a bone near its rotation before; return its rotation."""
    path = rotation_path(bone)
    keep_near(bone, path, before)
    bone.keyframe_insert("location", frame=frame)
    bone.keyframe_insert(path, frame=frame)
    return tuple(getattr(bone, path))
