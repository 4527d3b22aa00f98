"""Joints of a stage on the nodes of a scene: bodies, attachment frames, the world."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.animation import Track
from ....core.model.body import Motion, MotionType
from ....core.model.joint import JointSettings
from ....core.model.pose import (
    Array,
    Pose,
    compose,
    matrix_from_pose,
    pose_from_matrix,
    quaternion_conjugate,
    quaternion_product,
)
from ....core.model.scene import Joint
from ....core.rewrite.turning import FRAME_TURNS, moved_connected_frames
from .animation_reading import Change, read_animated_joint
from .couplings import JointPosition
from .joint_reading import JointRead, read_joint
from .joint_stacks import STACK, StackPart, merged_joint
from .nodes import StageNodes
from .physics_prims import FRAMES, WELD
from .prim import Prim
from .rules import ANIMATED_VALUE, NO_BODIES, NO_BODY
from .time_samples import Samples
from .units import Units
from .values import Values

WORLD_NAME = "World Anchor"
"""Name of the static body for joints that end in the world."""
_SAME = 1e-5
"""Gap of matrices [m] up to which a frame's own prim says where it is, more exactly."""
_AWAY = np.full((4, 4), np.inf)
_LOCAL = "physics:local"


class _End(NamedTuple):
    """What one side of a joint names."""

    node: int
    """Node that the frame is on, -1 for the world."""
    axes: int
    """Node in whose axes the frame is, -1 for the world."""


_WORLD = _End(-1, -1)
_Found = tuple[Prim, tuple[_End, _End], JointRead]
"""A joint, its ends, and what it says."""


class _Side(NamedTuple):
    """Where the frame of one side of a joint is."""

    matrix: Array
    """World matrix (4, 4) by the joint's own numbers."""
    own: int
    """Node of the frame's own prim, -1 for none."""
    is_there: bool
    """Whether that is there already, more exactly."""


_Row = tuple[_Found, tuple[_Side, _Side]]
"""A joint and where its frames are."""


@dataclass(eq=False)
class JointPlacing:
    """Joints as they find their places."""

    nodes: StageNodes
    motions: dict[int, Motion]
    units: Units
    to_scene: Array
    """Matrix (4, 4) from the world of the stage to Z up in meters."""
    is_there: Callable[[str], bool]
    """Whether the stage has a prim at a path."""
    samples: Mapping[str, Mapping[str, Samples]]
    """What changes over time of joints, by path and name of the attribute."""
    rate: float
    """Time codes per second."""
    joints: list[Joint] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    """Path of the prim of each joint."""
    positions: list[JointPosition] = field(default_factory=list)
    """How the prim of each joint counts its position."""
    welds: dict[str, int] = field(default_factory=dict)
    """Root body of each weld that the writer made, by path."""
    bodies_by_path: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Bodies of each joint, by path; -1 is the world."""
    separate_pairs: list[tuple[int, int]] = field(default_factory=list)
    """Bodies whose joint says that they do not collide."""
    tracks: list[Track] = field(default_factory=list)
    """What changes over time of the joints."""
    findings: list[Finding] = field(default_factory=list)
    _changes: dict[str, tuple[Change, ...]] = field(default_factory=dict)
    _world: int = -1
    _fixed: set[str] = field(default_factory=set)
    _owned: set[int] = field(default_factory=set)
    _shared: dict[JointSettings, JointSettings] = field(default_factory=dict)
    _parts: dict[str, list[str]] = field(default_factory=dict)
    """Paths of the further prims of each joint that is several."""
    _known: dict[tuple[object, ...], JointRead] = field(default_factory=dict)

    def add(self, prims: Sequence[Prim]) -> None:
        """Add the joints of these prims."""
        found: list[_Found] = []
        for prim in prims:
            ends = self._ends(prim)
            if ends is None:
                continue
            if WELD in prim.data and ends[1].node >= 0:
                self.welds[prim.path] = self._body(ends[1].node)
                continue
            found.append((prim, ends, self._read(prim)))
        if not found:
            return
        sides = [self._sides(found, side) for side in (0, 1)]
        for (prim, ends, read), at in self._merged(found, *sides):
            nodes = (ends[0].node, ends[1].node)
            first, second = (
                self._frame(prim, side, nodes[side], at[side], is_swapped=read.is_swapped)
                for side in (0, 1)
            )
            self._add(prim, nodes, read, (first, second))

    def _merged(
        self, found: Sequence[_Found], first: Sequence[_Side], second: Sequence[_Side]
    ) -> list[_Row]:
        """Return the joints with stacks of them between the same bodies as one (`joint_stacks`)."""
        rows = list(zip(found, zip(first, second, strict=True), strict=True))
        stacks: dict[tuple[tuple[_End, _End], bool], list[int]] = {}
        for number, (prim, ends, read) in enumerate(found):
            if _may_be_part(prim, read):
                stacks.setdefault((ends, read.is_swapped), []).append(number)
        gone: set[int] = set()
        for numbers in stacks.values():
            if len(numbers) > 1 and (whole := _whole([rows[n] for n in numbers])) is not None:
                rows[numbers[0]] = whole
                gone.update(numbers[1:])
                self._parts[whole[0][0].path] = [found[n][0].path for n in numbers[1:]]
                self._drop_changes([found[n][0].path for n in numbers])
        return [row for number, row in enumerate(rows) if number not in gone]

    def _drop_changes(self, paths: Iterable[str]) -> None:
        """Report what changes over time of joints that are one here: its numbers are others."""
        for path in paths:
            if self._changes.pop(path, ()):
                names = self.samples[path]
                self.findings += [ANIMATED_VALUE(path, name=name) for name in names]

    def _read(self, prim: Prim) -> JointRead:
        """Return what a prim says; those that say the same are read once."""
        if prim.path in self.samples:
            samples = self.samples[prim.path]
            animated, self._changes[prim.path] = read_animated_joint(prim, samples, self.units)
            return animated
        key = prim.type_name, *map(tuple, (prim.schemas, _declared(prim), prim.data.items()))
        read = self._known.get(key)
        if read is None:
            read = read_joint(prim, self.units)
            # Findings name the prim.
            if not read.findings:
                self._known[key] = read
        return read

    def _sides(self, found: Sequence[_Found], side: int) -> list[_Side]:
        matrices = matrix_from_pose(self._poses(found, side))
        targets = (prim.targets.get(FRAMES[side]) or ("",) for prim, _ends, _read in found)
        own = [self.nodes.by_path.get(target, -1) for target, *_ in targets]
        there = np.array([self.nodes.matrices[node] if node >= 0 else _AWAY for node in own])
        is_there = np.abs(there - matrices).max(axis=(1, 2)) <= _SAME
        return list(map(_Side, matrices, own, is_there.tolist()))

    def prims_of(self, number: int) -> tuple[str, ...]:
        """Return the paths of the prims of a joint: several where it is a stack of them."""
        path = self.paths[number]
        return (path, *self._parts.get(path, ()))

    def is_fixed_joint(self, path: str) -> bool:
        """Return whether the joint of a path is a fixed joint."""
        return path in self._fixed

    def _ends(self, prim: Prim) -> tuple[_End, _End] | None:
        """Return what body0 and body1 name; None where one is gone."""
        found = []
        for side in (0, 1):
            targets = prim.targets.get(f"physics:body{side}", ())
            end = self._end(targets[0]) if targets else _WORLD
            if end is None:
                self.findings.append(NO_BODY(prim.path, path=targets[0]))
                return None
            found.append(end)
        if found[0].node == found[1].node:
            what = "the world to itself" if found[0].node < 0 else "a body to itself"
            self.findings.append(NO_BODIES(prim.path, what=what))
            return None
        return found[0], found[1]

    def _end(self, path: str) -> _End | None:
        """Return what a path names: a prim without place stands for the body above, or the world.

        None where there is not a prim.
        """
        node = self.nodes.at_or_above(path)
        if node >= 0 and self.nodes.paths[node] == path:
            return _End(node, node)
        if not self.is_there(path):
            return None
        return _End(self.nodes.body_of(node, self.motions), node)

    def _add(
        self, prim: Prim, ends: tuple[int, int], read: JointRead, frames: tuple[int, int]
    ) -> None:
        self.findings += read.findings
        first, second = frames[::-1] if read.is_swapped else frames
        settings = self._shared.setdefault(read.settings, read.settings)
        self.joints.append(
            Joint(
                node=first,
                connected=second,
                settings=settings,
                enable_collision=read.enable_collision,
                attributes=read.attributes,
                place=self.nodes.names[first],
            )
        )
        self.tracks += self._tracks(prim.path)
        self.paths.append(prim.path)
        position = JointPosition(prim.path, read.sign, read.zero, is_swapped=read.is_swapped)
        self.positions.append(position)
        bodies = (
            -1 if ends[0] < 0 else self._body(ends[0]),
            -1 if ends[1] < 0 else self._body(ends[1]),
        )
        for path in self.prims_of(len(self.paths) - 1):
            self.bodies_by_path[path] = bodies
        if prim.type_name == "PhysicsFixedJoint":
            self._fixed.add(prim.path)
        if not read.enable_collision and min(bodies) >= 0:
            self.separate_pairs.append(bodies)

    def _tracks(self, path: str) -> Iterator[Track]:
        """Yield what changes over time of the joint that was added last."""
        number = len(self.joints) - 1
        for change in self._changes.get(path, ()):
            yield Track(
                joints=(number,),
                kind=change.kind,
                number=change.number,
                member=change.member,
                seconds=change.keys.codes / self.rate,
                values=change.keys.values,
                interpolation=change.keys.interpolation,
                place=self.joints[number].place,
            )

    def _body(self, node: int) -> int:
        """Return the body at or above a node; one without becomes a static body."""
        above = self.nodes.body_of(node, self.motions)
        if above >= 0:
            return above
        self.motions[node] = Motion(type=MotionType.STATIC)
        return node

    def _world_node(self) -> int:
        if self._world < 0:
            self._world = self.nodes.add("", WORLD_NAME, -1, np.eye(4))
            self.motions[self._world] = Motion(type=MotionType.STATIC)
        return self._world

    def _frame(self, prim: Prim, side: int, end: int, at: _Side, *, is_swapped: bool) -> int:
        """Return the node of an attachment frame: its own prim, or a new node on the body."""
        node = at.own
        body = -1 if end < 0 else self._body(end)
        if node >= 0 and node not in self._owned and self.nodes.body_of(node, self.motions) == body:
            if not at.is_there:
                self.nodes.matrices[node] = at.matrix
        else:
            body = self._world_node() if end < 0 else body
            is_other = (side == 1) != is_swapped
            own = prim.info.get("displayName") or prim.path.rpartition("/")[2]
            name = f"{own} Connected" if is_other else own
            node = self.nodes.add("", name, body if end < 0 else end, at.matrix)
        self._owned.add(node)
        return node

    def _poses(self, found: Sequence[_Found], side: int) -> Pose:
        """Return the world poses of one side's frames, which are given in the axes of prims."""
        place, turn = f"physics:localPos{side}", f"physics:localRot{side}"
        values = [Values(prim, findings=self.findings) for prim, *_ in found]
        numbers = [each.get(place) + each.get(turn) for each in values]
        position, rotation = np.array(numbers)[:, :3], np.array(numbers)[:, [4, 5, 6, 3]]
        turns = np.array([FRAME_TURNS[read.shift].rotation for *_, read in found])
        axes = [self._axes_of(ends[side].axes) for _prim, ends, _read in found]
        outer, scales = (np.array(each) for each in zip(*axes, strict=True))
        length = np.linalg.norm(rotation, axis=1, keepdims=True)
        rotation = np.where(length > 1e-9, rotation, (0.0, 0.0, 0.0, 1.0))
        rotation /= np.linalg.norm(rotation, axis=1, keepdims=True)
        rotation = quaternion_product(rotation, quaternion_conjugate(turns))
        inner = Pose(np.einsum("nij,nj->ni", scales, position), rotation)
        for at, (_prim, _ends, read) in enumerate(found):
            axis, angle = read.turn
            if side == 1 and angle:
                one = moved_connected_frames(inner.at(at), is_angular=True, axis=axis, by=angle)
                inner.rotation[at] = one.rotation
        return compose(pose_from_matrix(outer), inner)

    def _axes_of(self, end: int) -> tuple[Array, Array]:
        """Return the rigid matrix (4, 4) of a node and what its prim's axes measure (3, 3)."""
        if end >= 0:
            return self.nodes.matrices[end], self.nodes.scales[end]
        rigid = np.eye(4)
        rigid[:3, :3] = self.to_scene[:3, :3] / self.units.meters
        return rigid, np.eye(3) * self.units.meters


def _may_be_part(prim: Prim, read: JointRead) -> bool:
    """Return whether a prim may be one joint of a stack: of one axis, and following no other."""
    is_own = "joint" in prim.data and STACK not in prim.data
    is_plain = read.attributes.in_articulation
    is_following = any("Mimic" in schema for schema in prim.schemas)
    is_typed = prim.type_name in ("PhysicsRevoluteJoint", "PhysicsPrismaticJoint")
    return is_typed and is_plain and not is_own and not is_following


def _whole(rows: Sequence[_Row]) -> _Row | None:
    """Return the one joint that several are."""
    parts = [
        StackPart(
            name=prim.path.rpartition("/")[2], settings=read.settings, attributes=read.attributes
        )
        for (prim, _ends, read), _sides in rows
    ]
    prim, ends, read = rows[0][0]
    order = (1, 0) if read.is_swapped else (0, 1)
    first, second = (np.array([sides[side].matrix for _found, sides in rows]) for side in order)
    merged = merged_joint(parts, first, second)
    if merged is None:
        return None
    whole, frames = merged
    findings = tuple(found for (_prim, _ends, each), _sides in rows for found in each.findings)
    read = replace(
        read, settings=whole.settings, attributes=whole.attributes, shift=0, findings=findings
    )
    one, two = (_Side(frames[side], -1, is_there=False) for side in order)
    return (prim, ends, read), (one, two)


def _declared(prim: Prim) -> Iterable[tuple[str, tuple[str, object]]]:
    """Return the attributes of a joint, its frames aside."""
    return (pair for pair in prim.attributes.items() if not pair[0].startswith(_LOCAL))
