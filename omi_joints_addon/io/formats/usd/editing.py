"""A scene written as a layer above the stage that it was read from: edits are opinions.

Edits are found noun by noun: both scenes are written as prims and compared. Frames and
places are compared on the bodies that they are on, so that a body that moved takes them along.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....core.findings.loss import Loss, Losses, Noun
from ....core.meaning.animated import animated_joints
from ....core.model.animation import Track
from ....core.model.body import Motion
from ....core.model.pose import (
    Array,
    Pose,
    matrix_from_pose,
    pose_from_matrix,
    quaternion_conjugate,
    quaternion_product,
)
from ....core.model.scene import Joint, PhysicsScene
from ....core.model.settled import settled_matrix
from ....core.rewrite.turning import TURNS, moved_connected_frames
from .actuator_editing import edit_actuators
from .animation_writing import animated_joint_prim
from .body_prims import set_motion
from .couplings import JointPosition
from .joint_prims import JointPrim, joint_prim
from .joint_stacks import StackPart, parts_of
from .joint_states import is_own_state, set_joint_states
from .layer import plain, read_prim
from .names import Names
from .overs import Overs
from .pair_editing import edit_pairs
from .prim import CARRIER, Prim
from .pxr_access import usd
from .reading import StageRead
from .units import DEGREES

_LOCAL = ("physics:localPos", "physics:localRot")
_LOOKS = (Noun.VISUAL, Noun.COLOR, Noun.LIGHT)


@dataclass(frozen=True, kw_only=True, eq=False)
class Edited:
    """A scene that was read from a stage and edited since."""

    scene: PhysicsScene
    match: Mapping[int, int]
    """Node of each node of the stage that is still there."""
    joints: Mapping[str, int]
    """Number of each joint that is still there, by the path of its prim."""
    names: Mapping[str, str] = field(default_factory=dict)
    """New names of prims, by path."""
    unknown: frozenset[str] = frozenset()
    """Paths of bodies and joints that the scene never had."""
    elsewhere: frozenset[int] = frozenset()
    """Nodes that are of other stages."""
    near: float = 1e-6
    """Distance [m] and part of a unit axis within which places are the same, near the origin."""
    has_parts: bool = True
    """Whether colliders, couplings and the like are to be compared as well."""


def edited_by_number(read: StageRead, scene: PhysicsScene) -> Edited:
    """Return a scene whose nodes are those of the stage, by number; joints are those of nodes."""
    nodes = range(min(len(read.paths), len(scene.names)))
    numbers = {joint.node: number for number, joint in enumerate(scene.joints)}
    joints = {
        path: numbers[joint.node]
        for path, joint in zip(read.joint_paths, read.scene.joints, strict=True)
        if joint.node in numbers
    }
    names = {
        path: scene.names[node]
        for node, path in zip(nodes, read.paths, strict=False)
        if path and scene.names[node] != read.scene.names[node]
    }
    match = {node: node for node in nodes}
    return Edited(scene=scene, match=match, joints=joints, names=names)


def write_edits(stage: Any, layer: Any, read: StageRead, edited: Edited) -> Losses:
    """Write into a layer what was edited; return what cannot be expressed there."""
    edits = _Edits(stage, read, edited, Overs(stage, layer))
    with usd().Sdf.ChangeBlock():
        edits.write()
        edits.overs.seal()
    return edits.overs.losses


@dataclass(eq=False)
class _Starts:
    """Where the joints of a scene start, for the prims that they are written on."""

    scene: PhysicsScene
    prims: dict[str, Prim] = field(default_factory=dict)
    positions: dict[int, JointPosition] = field(default_factory=dict)

    def note(self, number: int, prim: Prim, found: JointPrim, sign: float = 1.0) -> None:
        """Note the prim of a joint, `sign` as `JointPosition` has it."""
        self.prims[prim.path] = prim
        self.positions[number] = JointPosition(prim.path, sign, found.zero[1])


@dataclass(eq=False)
class _Edits:
    stage: Any
    read: StageRead
    edited: Edited
    overs: Overs

    def __post_init__(self) -> None:
        self.before, self.after = self.read.scene, self.edited.scene
        self.match = self.edited.match
        paths = self.read.paths
        self.path_of = {other: paths[n] for n, other in self.match.items() if paths[n]}
        self.owner, self.owner_before = self.after.bodies(), self.before.bodies()
        self._cache = usd().UsdGeom.XformCache(usd().Usd.TimeCode.EarliestTime())
        self._world_before = matrix_from_pose(pose_from_matrix(self.before.matrices))
        self._world = matrix_from_pose(pose_from_matrix(self.after.matrices))
        self._tracks_before, self._tracks = map(animated_joints, (self.before, self.after))
        self._starts = _Starts(self.before), _Starts(self.after)
        self._reach = max(1.0, float(np.abs(self._world[:, :3, 3]).max(initial=0.0)))
        self._take_placement_out()

    def write(self) -> None:
        """Say everything."""
        for node, path in enumerate(self.read.paths):
            if path and node in self.before.motions and path not in self.edited.unknown:
                self._edit_body(node, path)
        for path, name in self.edited.names.items():
            self.overs.rename(path, name, name)
        here = {*self.match.values(), *self.edited.elsewhere}
        for node in self.after.motions.keys() - here:
            if not self.after.is_dynamic(node) and node not in self.after.colliders:
                continue
            text = "a new body has no prim; write the whole stage"
            self.overs.losses.lost(self.after.names[node], Noun.MOTION, text)
        for node, other in self.match.items():
            if node not in self.before.motions and other in self.after.motions:
                self._set_body(node, other, None, self.after.motions[other])
        self._edit_joints()
        self._edit_rest()

    def _take_placement_out(self) -> None:
        """Take out a motion of the whole: it is where the model stands, not how it is built."""
        roots = [n for n in self.match if self.before.parents[n] < 0]
        if not roots:
            return
        ones, others = self._world_before[roots], self._world[[self.match[n] for n in roots]]
        motion = others[0] @ np.linalg.inv(ones[0])
        is_moved = not self._are_same(motion, np.eye(4))
        if is_moved and self._are_same(motion @ ones, others):
            self._world = np.asarray(np.linalg.inv(motion) @ self._world)
            text = "the model as a whole was moved; the stage keeps its own place"
            self.overs.losses.converted("", Noun.POSE, text)

    def _edit_body(self, node: int, path: str) -> None:
        other = self.match.get(node)
        if other is None:
            self.overs.remove(path, self.before.names[node])
            return
        motion, now = self.before.motions[node], self.after.motions.get(other)
        if motion != now:
            self._set_body(node, other, motion, now)
        self._edit_place(node, other, path)

    def _set_body(self, node: int, other: int, motion: Motion | None, now: Motion | None) -> None:
        scale = np.linalg.norm(self.read.scales[node], axis=0)
        path = self.read.paths[node]
        before, after = (self._body_prim(path, each, scale) for each in (motion, now))
        self.overs.put(after, before, self.after.names[other])

    def _body_prim(self, path: str, motion: Motion | None, scale: Array) -> Prim:
        prim = Prim(path)
        if motion is not None:
            set_motion(prim, motion, scale, self.read.units)
        self._carry_as_before(prim)
        return prim

    def _carry_as_before(self, *prims: Prim) -> None:
        """Take out what is to be carried with prims that carry nothing on the stage."""
        for prim in prims:
            if not self.stage.GetPrimAtPath(prim.path).GetCustomDataByKey(CARRIER):
                prim.data = {}

    def _edit_place(self, node: int, other: int, path: str) -> None:
        """Place a prim where its node stands otherwise on the one above it than before."""
        above = int(self.before.parents[node])
        while above >= 0 and above not in self.match:
            above = int(self.before.parents[above])
        one, two = self._world_before[node], self._world[other]
        if above >= 0:
            one = np.linalg.solve(self._world_before[above], one)
            two = np.linalg.solve(self._world[self.match[above]], two)
        if self._are_same(one, two):
            return
        world = two if above < 0 else self._world_before[above] @ two
        world[:3, :3] = world[:3, :3] @ self.read.scales[node]
        prim = self.overs.prim(path, self.after.names[other])
        if prim is not None:
            outer = self._stage_world(prim.GetParent())
            local = np.linalg.solve(outer, np.linalg.solve(self.read.to_scene, world))
            self._set_place(prim, local)

    def _set_place(self, prim: Any, local: Array) -> None:
        """Set the steps of a transform that are there, or else give the prim one matrix.

        A reset of what is above it stays.
        """
        from .tree_prims import set_matrix, set_steps

        declared = Prim(str(prim.GetPath()))
        if set_steps(declared, plain(prim.GetAttribute("xformOpOrder").Get()), local):
            self.overs.put(declared, Prim(), declared.path)
            return
        is_reset = usd().UsdGeom.Xformable(prim).GetResetXformStack()
        matrix = self._stage_world(prim.GetParent()) @ local if is_reset else local
        if np.array_equal(settled_matrix(matrix), np.eye(4)):
            declared.set("xformOpOrder", "token[]", (), is_uniform=True)
        set_matrix(declared, matrix, is_reset=is_reset)
        self.overs.put(declared, Prim(), declared.path)

    def _stage_world(self, prim: Any) -> Array:
        return np.array(self._cache.GetLocalToWorldTransform(prim), dtype=float).T

    def _edit_joints(self) -> None:
        scope = ""
        names = Names()
        for number, path in enumerate(self.read.joint_paths):
            if path in self.edited.unknown:
                continue
            if path not in self.edited.joints:
                self.overs.remove(path, self.before.joints[number].place)
                continue
            self._edit_joint(number, path)
        new = []
        for number in self._new_joints():
            if not scope:
                scope = self._scope(names)
            new += self._new_joint_prims(number, scope, names)
        self._edit_starts()
        for prim in new:
            self.overs.define(prim)

    def _new_joints(self) -> Iterator[int]:
        """Yield the joints that the stage does not have, but for those of other stages."""
        for number in sorted(set(range(len(self.after.joints))) - set(self.edited.joints.values())):
            joint = self.after.joints[number]
            bodies = {int(self.owner[node]) for node in (joint.node, joint.other)}
            if joint.node not in self.edited.elsewhere and not bodies & self.edited.elsewhere:
                yield number
            elif bodies & self.path_of.keys():
                text = "it joins a body of this stage and one of another"
                self.overs.losses.lost(self.after.names[joint.node], Noun.JOINT, text)

    def _edit_joint(self, number: int, path: str) -> None:
        position = self.read.positions[number]
        before = self.before.joints[number]
        after = self.after.joints[self.edited.joints[path]]
        tracks = (
            self._tracks_before.get(number, ()),
            self._tracks.get(self.edited.joints[path], ()),
        )
        is_same = before.settings == after.settings and before.attributes == after.attributes
        parts = parts_of(before.settings, before.attributes)
        if parts:
            self._edit_parts(path, () if is_same else parts, after)
            return
        if actuators := self.read.actuators.get(path, {}):
            place = after.place or self.after.names[after.node]
            before, after = edit_actuators(self.overs, actuators, before, after, place)
        is_swapped = position.sign < 0.0
        one, two = (
            self._joint_prim(joint, each, is_swapped=is_swapped)
            for joint, each in zip((before, after), tracks, strict=True)
        )
        prim, there = _on_path(path, two, after), _on_path(path, one, before)
        place = after.place or self.after.names[after.node]
        starts = zip(self._starts, (number, self.edited.joints[path]), (one, two), strict=True)
        for each, joint, found in starts:
            each.note(joint, Prim(path, found.prim.type_name), found, position.sign)
        has_new_losses = self._note_losses(place, two, one)
        self._carry_as_before(there, *(() if has_new_losses else (prim,)))
        for side, end in enumerate(("other", "node") if is_swapped else ("node", "other")):
            ends = getattr(before, end), getattr(after, end)
            if two.prim.type_name != one.prim.type_name or not self._is_same_frame(*ends):
                self._set_frame(prim, side, ends[1], two)
        self.overs.put(prim, there, place)

    def _note_losses(self, place: str, found: JointPrim, before: JointPrim | None = None) -> bool:
        """Note what is newly lost of a joint on its prim; return whether there is anything."""
        losses = [loss for loss in found.losses if before is None or loss not in before.losses]
        self.overs.losses.found += [Loss(place, *loss) for loss in losses]
        return bool(losses)

    def _edit_starts(self) -> None:
        """Say where joints of articulations start, where the stage does not say it otherwise."""
        before, after = self._starts
        for starts in self._starts:
            set_joint_states(starts.scene, starts.prims, starts.positions, self.read.units)
        near = self.edited.near * self._reach * max(DEGREES, self.read.units.length)
        for path in before.prims.keys() & after.prims.keys():
            one, two = (_start(starts.prims[path]) for starts in self._starts)
            if abs(one - two) > near:
                declared = read_prim(self.stage.GetPrimAtPath(path), usd().Usd.TimeCode.Default())
                states = [name for name in declared.attributes if name.startswith("state:")]
                if all(is_own_state(declared, name) for name in states):
                    self.overs.put(after.prims[path], before.prims[path], path)

    def _edit_parts(self, path: str, before: Sequence[StackPart], after: Joint) -> None:
        """Say what was edited on the prims of one axis each that the joint was read from."""
        parts = parts_of(after.settings, after.attributes)
        if before and not parts:
            text = "the stage has a joint for each axis, which its limits are not any more"
            self.overs.losses.lost(self.after.names[after.node], Noun.LIMIT, text)
        for one, two in zip(before, parts, strict=False):
            each = path.rpartition("/")[0] + "/" + one.name
            prim, there = (
                joint_prim(part.settings, part.attributes, self.read.units).prim.copied(each)
                for part in (two, one)
            )
            self._carry_as_before(prim, there)
            self.overs.put(prim, there, self.after.names[after.node])

    def _joint_prim(self, joint: Joint, tracks: Sequence[Track], *, is_swapped: bool) -> JointPrim:
        units = self.read.units
        if tracks:
            return animated_joint_prim(joint, tracks, units, self.read.rate, is_swapped=is_swapped)
        return joint_prim(joint.settings, joint.attributes, units, is_swapped=is_swapped)

    def _is_same_frame(self, before: int, after: int) -> bool:
        """Return whether a frame is on the same body, and there where it was."""
        body, other = int(self.owner_before[before]), int(self.owner[after])
        if (body < 0) != (other < 0) or (body >= 0 and self.match.get(body, other) != other):
            return False
        one, two = self._world_before[before], self._world[after]
        if body >= 0:
            one = np.linalg.solve(self._world_before[body], one)
            two = np.linalg.solve(self._world[other], two)
        return self._are_same(one, two)

    def _are_same(self, one: Array, other: Array) -> bool:
        """Return whether matrices (..., 4, 4) are the same place, rounded as the scene is."""
        return bool(np.abs(one - other).max() <= self.edited.near * self._reach)

    def _set_frame(self, prim: Prim, side: int, node: int, found: JointPrim) -> None:
        """Relate one side of a joint to the prim of its body and place its frame there."""
        body = int(self.owner[node])
        path = self.path_of.get(body, "")
        world = self._world[node]
        if path:
            prim.relate(f"physics:body{side}", (path,))
            origin = self.read.paths.index(path)
            world = self._world_before[origin] @ np.linalg.solve(self._world[body], world)
        else:
            prim.relate(f"physics:body{side}", ())
        outer = self._stage_world(self.stage.GetPrimAtPath(path or "/"))
        place = np.linalg.solve(self.read.to_scene, world)
        position = np.linalg.solve(outer, place)[:3, 3]
        turns = [pose_from_matrix(each).rotation for each in (outer, place)]
        rotation = quaternion_product(quaternion_conjugate(turns[0]), turns[1])
        if found.shift:
            rotation = quaternion_product(rotation, TURNS[found.shift].rotation)
        pose = Pose(position, rotation)
        axis, zero = found.zero
        if side == 1 and zero:
            pose = moved_connected_frames(pose, is_angular=True, axis=axis, by=-zero)
        x, y, z, w = pose.rotation.tolist()
        prim.set(f"{_LOCAL[0]}{side}", "point3f", tuple(pose.position.tolist()))
        prim.set(f"{_LOCAL[1]}{side}", "quatf", (w, x, y, z))

    def _scope(self, names: Names) -> str:
        """Return the path of a scope for new joints, below the root of the stage."""
        root = self.stage.GetDefaultPrim()
        above = str(root.GetPath()) if root else "/"
        for prim in self.stage.TraverseAll():
            names.path(str(prim.GetParent().GetPath()), str(prim.GetName()))
        prim = Prim(names.path(above, "Joints"), type_name="Scope")
        self.overs.define(prim)
        return prim.path

    def _new_joint_prims(self, number: int, scope: str, names: Names) -> list[Prim]:
        """Return the prim of a joint that the stage does not have; none where it cannot be."""
        joint = self.after.joints[number]
        name = self.after.names[joint.node]
        if joint.connected is None:
            self.overs.losses.lost(name, Noun.JOINT, "it has no connected frame")
            return []
        found = self._joint_prim(joint, self._tracks.get(number, ()), is_swapped=False)
        self._note_losses(joint.place or name, found)
        prim = _on_path(names.path(scope, name), found, joint)
        self._starts[1].note(number, prim, found)
        for side, node in enumerate((joint.node, joint.other)):
            self._set_frame(prim, side, node, found)
        return [prim]

    def _edit_rest(self) -> None:
        """Say new roots of articulations; name what a layer of this program does not say."""
        roots = {a.root for a in self.before.articulations}
        for articulation in self.after.articulations:
            path = self.path_of.get(articulation.root)
            if path is not None and self.read.paths.index(path) not in roots:
                self.overs.put(_root(path), Prim(path), self.after.names[articulation.root])
        before = (
            [self.match.get(node, -1) for node in pair] for pair in self.before.excluded_pairs
        )
        for pair in edit_pairs(self.overs, before, self.after.excluded_pairs, self.path_of):
            text = "the stage does not say this of the bodies; write the whole stage"
            self.overs.losses.lost(self.after.names[pair[0]], Noun.EXCLUDED_PAIR, text)
        for noun, place in self._unexpressed():
            self.overs.losses.lost(place, noun, "the layer does not say it; write the whole stage")

    def _unexpressed(self) -> Iterator[tuple[Noun, str]]:
        if not self.edited.has_parts:
            return
        from ....core.checks.differences import differences

        nouns = (Noun.COLLIDER, Noun.SHAPE, Noun.MATERIAL, Noun.COLLISION_FILTER, Noun.TRIGGER)
        others = (Noun.COUPLING, Noun.GRAVITY, Noun.ARTICULATION, *_LOOKS)
        back = {other: node for node, other in self.match.items()}
        pairs = ((self.before, self.after, self.match), (self.after, self.before, back))
        seen = set()
        for one, two, match in pairs:
            for found in differences(one, two, match):
                place = one.names[found.node] if found.node >= 0 else ""
                if found.noun in (*nouns, *others) and (found.noun, place) not in seen:
                    seen.add((found.noun, place))
                    yield found.noun, place


def _root(path: str) -> Prim:
    prim = Prim(path)
    prim.apply("PhysicsArticulationRootAPI")
    return prim


def _on_path(path: str, found: JointPrim, joint: Joint) -> Prim:
    prim = found.prim.copied(path)
    if joint.enable_collision:
        prim.set("physics:collisionEnabled", "bool", True)
    return prim


def _start(prim: Prim) -> float:
    """Return the state of a joint, which is 0 where the prim does not have it."""
    value: float = sum(value for _kind, value in prim.attributes.values())
    return value
