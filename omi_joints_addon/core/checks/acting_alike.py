"""Joints and bodies of two scenes that act alike, however they are described.

Formats of one axis turn frames, count from another zero, exchange ends, and make a body that cannot
move part of what holds it. SI units and radians; ranges and targets count from the pose at rest.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..findings.loss import Noun
from ..meaning.axes import Interval, JointAxes, joint_axes
from ..meaning.freedom import values_of_poses
from ..model.filters import pairs_beyond_joints
from ..model.graph import joint_ends
from ..model.joint import DriveMode, JointDrive
from ..model.pose import Array, cross
from ..model.scene import PhysicsScene
from .difference import CLOSE, Difference, is_read_back

_SEVERAL = -2
"""Axis of a joint that has several."""
_UNBOUNDED = 1e5
"""Bounds that are as good as none [m or rad]."""
_OF_AXES = frozenset((Noun.JOINT, Noun.FRAMES))
_OF_RANGES = frozenset((Noun.LIMIT, Noun.LIMIT_SPRING))
_OF_DRIVES = frozenset(
    (
        *(Noun.DRIVE, Noun.DRIVE_MODE, Noun.DRIVE_STIFFNESS, Noun.DRIVE_DAMPING),
        *(Noun.MAX_FORCE, Noun.POSITION_TARGET, Noun.VELOCITY_TARGET),
    )
)
_OF_JOINTS = _OF_AXES | _OF_RANGES | _OF_DRIVES
_OF_HELD = frozenset(
    (
        *(Noun.NODE, Noun.PARENT, Noun.MOTION, Noun.MASS, Noun.CENTER_OF_MASS, Noun.INERTIA),
        *(Noun.GRAVITY_FACTOR, Noun.VELOCITY),
    )
)
"""What does not matter of a body that cannot move."""
_OF_WELDS = frozenset((*_OF_JOINTS, Noun.ENABLE_COLLISION, Noun.ENABLED, Noun.IN_ARTICULATION))


def without_alike(
    found: Iterable[Difference], before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> Iterator[Difference]:
    """Yield the differences between two scenes that matter to how anything moves or looks.

    `match` has the node in `after` of each node in `before` that is there.
    """
    found = list(found)
    if found:
        yield from _mattering(found, before, after, match)


def _mattering(
    found: list[Difference], before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> Iterator[Difference]:
    nodes = {each.node for each in found}
    one, two = _Mechanism(before), _Mechanism(after)
    places = {other: node for node, other in match.items()}
    pairs = [pair for pair in _pairs(before, after, match) if before.joints[pair[0]].node in nodes]
    ones = one.acting([number for number, _ in pairs])
    twos = two.acting([other for _, other in pairs])
    alike = {
        each.node: _alike(each, other, line, places)
        for each, other, line in zip(ones, twos, _lines(ones, twos), strict=True)
    }
    welds = {before.joints[n].node for n in one.welds if one.is_within_held(n)}
    held = one.held - {node for node in one.held if match.get(node, -1) in two.free}
    owners = before.bodies().tolist()
    apart = {body for body, _ in pairs_beyond_joints(before)}
    for each in found:
        is_alike = each.noun in alike.get(each.node, ())
        is_weld = each.node in welds and each.noun in _OF_WELDS
        owner = owners[each.node] if each.node >= 0 else None
        is_held = owner in held and each.noun in _OF_HELD
        is_part = each.node not in before.motions and each.noun != Noun.PARENT
        # What is on no body is on the world.
        is_loose = owner == -1 and each.noun in (Noun.NODE, Noun.PARENT)
        is_joined = each.noun == Noun.EXCLUDED_PAIR and each.node not in apart
        is_held = is_held and not is_part
        if not (is_alike or is_weld or is_loose or is_joined or is_held):
            yield each


def held_bodies(scene: PhysicsScene) -> set[int]:
    """Return the bodies that are static, or welded to such."""
    return _Mechanism(scene).held


def welded_joints(scene: PhysicsScene) -> set[int]:
    """Return the joints that hold two bodies as they are."""
    return _Mechanism(scene).welds


def welded_and_held(scene: PhysicsScene) -> tuple[set[int], set[int]]:
    """Return what `welded_joints` and `held_bodies` do."""
    mechanism = _Mechanism(scene)
    return mechanism.welds, mechanism.held


def _held(scene: PhysicsScene, welds: Sequence[set[int]]) -> set[int]:
    found = {node for node, motion in scene.motions.items() if motion.type == "static"}
    count = -1
    while len(found) != count:
        count = len(found)
        for pair in welds:
            if pair & {-1, *found}:
                found |= pair - {-1}
    return found


class _Acting(NamedTuple):
    """What a joint does between two bodies, -1 for what cannot move."""

    node: int
    bodies: tuple[int, int]
    axis: int
    """0 to 5; -1 for a weld, -2 for a joint with several."""
    direction: Array
    """World direction in which the second body moves, seen from the first, as values grow."""
    anchor: Array
    """A point of the axis in the world [m]."""
    rest: float
    axes: JointAxes

    @property
    def is_ball(self) -> bool:
        """Whether it holds two points together and nothing else, whichever end is first."""
        angles = self.axes.angular
        is_free = all(angle.is_free and not angle.drives for angle in angles)
        return self.axes.moving == (3, 4, 5) and is_free and not self.axes.shared


class _Mechanism:
    """A scene and what of it cannot move."""

    def __init__(self, scene: PhysicsScene) -> None:
        self.scene = scene
        self._pairs = joint_ends(scene).pairs()
        settings = [joint.settings for joint in scene.joints]
        self._rests = values_of_poses(settings, scene.relative_poses()).tolist()
        self._axes = list(map(joint_axes, settings))
        self.welds = {number for number in range(len(self._axes)) if self._is_weld(number)}
        enabled = [n for n in self.welds if scene.joints[n].attributes.enabled]
        self.held = _held(scene, [{*self._pairs[number]} for number in enabled])
        self.free = scene.motions.keys() - self.held

    def _is_weld(self, number: int) -> bool:
        """Return whether a joint holds two bodies as they are."""
        axes = self._axes[number]
        moving = [(axis, axes.all[axis].own) for axis in axes.moving]
        if (
            axes.shared
            or axes.further
            or not all(own.is_held and not own.is_soft for _, own in moving)
        ):
            return False
        rests = self._rests[number]
        return all(abs(rests[axis] - own.min) <= CLOSE for axis, own in moving)

    def is_within_held(self, number: int) -> bool:
        """Return whether a joint ties what cannot move anyway."""
        return {*self._pairs[number]} <= {-1, *self.held}

    def acting(self, numbers: Sequence[int]) -> list[_Acting]:
        """Return what joints do."""
        axes = [self._axis(number) for number in numbers]
        frames = self.scene.matrices[self.scene.joint_nodes[numbers]]
        directions = np.take_along_axis(
            frames[:, :3, :3], np.array(axes, dtype=int).reshape(-1, 1, 1) % 3, axis=2
        )[:, :, 0]
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return [
            self._acting(*each)
            for each in zip(numbers, axes, directions, frames[:, :3, 3], strict=True)
        ]

    def _acting(self, number: int, axis: int, direction: Array, anchor: Array) -> _Acting:
        one, two = (-1 if body in self.held else body for body in self._pairs[number])
        node = self.scene.joints[number].node
        rest = self._rests[number][axis] if axis >= 0 else 0.0
        return _Acting(node, (one, two), axis, direction, anchor, rest, self._axes[number])

    def _axis(self, number: int) -> int:
        """Return the axis of a joint as `_Acting` has it."""
        if number in self.welds:
            return -1
        axes = self._axes[number]
        is_several = len(axes.moving) > 1 or axes.shared or axes.further
        return _SEVERAL if is_several else axes.moving[0]


class _Line(NamedTuple):
    """How the axis of a joint lies to that of another."""

    cosine: float
    """Of the angle between their directions."""
    is_at_one_place: bool
    """Whether the second is where the first is, if they are parallel."""


def _lines(ones: Sequence[_Acting], twos: Sequence[_Acting]) -> list[_Line]:
    """Return how the axes of pairs of joints lie to each other."""
    directions, others = (
        np.array([each.direction for each in side]).reshape(-1, 3) for side in (ones, twos)
    )
    anchors, places = (
        np.array([each.anchor for each in side]).reshape(-1, 3) for side in (ones, twos)
    )
    cosines = (directions * others).sum(axis=1)
    apart = np.abs(cross(directions, places - anchors)).max(axis=1, initial=0.0)
    scales = np.abs(anchors).max(axis=1, initial=1.0)
    return list(map(_Line, cosines.tolist(), (apart <= CLOSE * scales).tolist()))


def _pairs(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> Iterator[tuple[int, int]]:
    numbers = {joint.node: number for number, joint in enumerate(after.joints)}
    for number, joint in enumerate(before.joints):
        other = numbers.get(match.get(joint.node, -1))
        if other is not None:
            yield number, other


def _alike(one: _Acting, two: _Acting, line: _Line, places: Mapping[int, int]) -> frozenset[Noun]:
    """Return the nouns of which two joints mean the same; `places` has nodes of the first scene."""
    if min(one.axis, 0) != min(two.axis, 0):
        return frozenset()
    bodies = tuple(-1 if body < 0 else places.get(body, -2) for body in two.bodies)
    if bodies not in (one.bodies, one.bodies[::-1]):
        return frozenset()
    if one.axis == _SEVERAL:
        is_alike = bodies == one.bodies or (one.is_ball and two.is_ball)
        return frozenset((Noun.JOINT,)) if is_alike else frozenset()
    if one.axis < 0:
        return _OF_JOINTS
    sign = 1.0 if bodies == one.bodies else -1.0
    turn = sign * line.cosine
    is_other_kind = (one.axis < 3) != (two.axis < 3)
    # Sliders may be beside each other.
    is_apart = one.axis >= 3 and not line.is_at_one_place
    if is_other_kind or is_apart or abs(abs(line.cosine) - 1.0) > CLOSE:
        return frozenset()
    return _OF_AXES | _of_axis(one, two, math.copysign(1.0, turn))


def _of_axis(one: _Acting, two: _Acting, sign: float) -> frozenset[Noun]:
    first, second = one.axes.all[one.axis], two.axes.all[two.axis]
    ranges = (_range(first.own, one.rest, 1.0), _range(second.own, two.rest, sign))
    drives, others = (
        _summed([_drive(drive, part.rest, turn) for drive in axis.drives if _acts(drive)])
        for axis, part, turn in ((first, one, 1.0), (second, two, sign))
    )
    found = _OF_RANGES if is_read_back(*ranges) else frozenset()
    return found | (_OF_DRIVES if is_read_back(drives, others) else frozenset())


def _range(own: Interval, rest: float, sign: float) -> tuple[float, ...]:
    """Return range and softness from the pose at rest."""
    ends = sorted(sign * (end - rest) for end in (own.min, own.max))
    low, high = (math.copysign(math.inf, end) if abs(end) >= _UNBOUNDED else end for end in ends)
    softness = (own.stiffness, own.damping) if own.is_soft else (math.inf, 0.0)
    return (low, high, *softness)


def _acts(drive: JointDrive) -> bool:
    """Return whether a drive makes any force."""
    return bool(drive.acting_stiffness or drive.acting_damping)


class _Drive(NamedTuple):
    """What a drive does from the pose at rest."""

    is_force: bool
    stiffness: float
    damping: float
    max_force: float
    target: float
    velocity: float


def _drive(drive: JointDrive, rest: float, sign: float) -> _Drive:
    target = drive.position_target
    return _Drive(
        drive.mode == DriveMode.FORCE,
        drive.acting_stiffness,
        drive.acting_damping,
        drive.max_force,
        0.0 if target is None or not drive.acting_stiffness else sign * (target - rest),
        sign * (drive.velocity_target or 0.0) if drive.acting_damping else 0.0,
    )


def _summed(drives: Sequence[_Drive]) -> tuple[_Drive, ...]:
    """Return the one drive that springs and dampers of any strength are together."""
    if len(drives) < 2 or not all(each.is_force and each.max_force == math.inf for each in drives):
        return tuple(drives)
    stiffness, damping = (
        sum(each.stiffness for each in drives),
        sum(each.damping for each in drives),
    )
    target = sum(each.stiffness * each.target for each in drives) / (stiffness or 1.0)
    velocity = sum(each.damping * each.velocity for each in drives) / (damping or 1.0)
    return (_Drive(True, stiffness, damping, math.inf, target, velocity),)
