"""Inverse kinematics: positions of joints that bring bodies to goals, within limits.

Damped least squares (Levenberg, Marquardt) over all degrees of freedom of the tree, with their
bounds as an active set. Joints that close a loop are kept together as goals of their own, and what
follows another joint goes along. SI units and radians, world axes.
"""

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..model.axes import other_axes
from ..model.joint import JointSettings
from ..model.pose import Array, Pose, pose_from_matrix, relative_pose
from .axes import joint_axes
from .freedom import clamped, cone_axis_of, freedoms, values_of_pose
from .kinematics import Kinematics
from .linkage import loops_with, range_of, rooms

_NUDGE = 1e-6
"""Half of a difference [m or rad] by which slopes of gaps are taken."""
_LOOP = 30.0
"""Weight of a loop beside a goal: it may give way by a thirtieth of what a goal is missed by."""
_STIFF, _LEAST_DAMPING, _MOST_DAMPING = 1e-4, 1e-9, 1e6
NEAR = 1e-5
"""Distance [m] and angle [rad] from a goal that count as there."""
_SETTLED = 1e-10
"""Improvement of a step, as a part of the cost, that ends the search."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Goal:
    """Where a body is to be."""

    body: int
    """Its node."""
    point: Array
    """The place that is to arrive [m], in the world at rest, shape (3,)."""
    place: Array | None = None
    """Where the point is to be [m], shape (3,); None leaves it free."""
    along: Array | None = None
    """A unit vector (3,) along which it does not matter how far from the place the point is."""
    rotation: Array | None = None
    """How the body is to be turned from rest, a matrix (3, 3); None leaves it free."""
    weight: float = 1.0
    """Weight beside other goals, of a meter as of a radian."""


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """What came of a search."""

    values: Array
    """Values of all joints, shape (j, 6)."""
    distance: float
    """How far the farthest goal is from its place [m]."""
    angle: float
    """Largest angle that a goal is turned by against what was asked [rad]."""
    gap: float
    """By how much a joint that closes a loop is beyond its limits [m or rad]."""


class Reach:
    """The degrees of freedom of a scene that reach for goals."""

    def __init__(
        self,
        kinematics: Kinematics,
        *,
        moving: Collection[int] | None = None,
        past_limits: bool = False,
    ) -> None:
        """Take a scene; joints that are not in `moving` keep their positions.

        Loops of `kinematics.tree` count if they contain a joint that moves.
        """
        self.kinematics = kinematics
        scene, joints = kinematics.scene, sorted(kinematics.children)
        following = {each.joint for each in kinematics.couplings}
        free = [n for n in joints if n not in following and (moving is None or n in moving)]
        found = [(n, f) for n in free for f in freedoms(scene.joints[n].settings)]
        self._joint = np.array([n for n, _ in found], dtype=np.intp)
        self._axis = np.array([f.number for _, f in found], dtype=np.intp)
        led = rooms(kinematics)
        ranges = [led.get(n) or range_of(scene.joints[n], f) for n, f in found]
        self._low, self._high = np.array(ranges, float).reshape(-1, 2).T
        if past_limits:
            self._low, self._high = -np.inf * np.ones(len(found)), np.inf * np.ones(len(found))
        shared = sorted({n for n, f in found if f.is_shared and not past_limits})
        rows = [(n, *row) for n in shared for row in _lengths(scene.joints[n].settings)]
        self._sharing = np.array([n for n, _, _ in rows], dtype=np.intp)
        self._counted = np.array([axes for _, axes, _ in rows]).reshape(-1, 6)
        self._longest = np.array([most for _, _, most in rows])
        self.loops = loops_with(kinematics, {*free, *kinematics.followers_of(free)})
        """Joints that close loops which are kept."""

    def range_of(self, number: int, axis: int) -> tuple[float, float] | None:
        """Return the range of one of a joint's values that may move, None for others."""
        places = np.flatnonzero((self._joint == number) & (self._axis == axis))
        return (float(self._low[places[0]]), float(self._high[places[0]])) if len(places) else None

    def within(self, values: Array) -> Array:
        """Return values within limits, followers in their places."""
        result = np.array(values, float)
        now = result[self._joint, self._axis]
        result[self._joint, self._axis] = np.clip(now, self._low, self._high)
        return self._within(result)

    def reach(
        self,
        goals: Sequence[Goal],
        values: Array,
        *,
        steps: int = 60,
        held: Collection[int] = (),
    ) -> Reached:
        """Return the values (j, 6) nearest to `values` from which no step comes nearer to goals.

        Joints of `held` keep their positions.
        """
        may_move = ~np.isin(self._joint, list(held))
        values = self._within(np.array(values, float))
        error = self._errors(goals, values[None])[0]
        cost, damping = float(error @ error), _STIFF
        for _ in range(steps):
            rows = self._slopes(goals, values)
            while damping <= _MOST_DAMPING:
                step = self._step(rows, error, values, damping, may_move)
                new = self._within(self._moved(values, step))
                new_error = self._errors(goals, new[None])[0]
                new_cost = float(new_error @ new_error)
                if new_cost < cost:
                    break
                damping *= 10.0
            else:
                break
            gain = cost - new_cost
            values, error, cost = new, new_error, new_cost
            damping = max(damping / 10.0, _LEAST_DAMPING)
            if gain <= _SETTLED * cost + 1e-18:
                break
        return Reached(values, *self._misses(goals, values))

    def search(self, goals: Sequence[Goal], values: Array, *, attempts: int) -> Reached:
        """Return the best of several searches, the first from `values`, others from anywhere.

        It ends with the first that arrives within `NEAR`; the same search has the same result.
        """
        best = self.reach(goals, values)
        random = np.random.default_rng(0)
        low = np.where(np.isfinite(self._low), self._low, -math.pi)
        high = np.where(np.isfinite(self._high), self._high, math.pi)
        for _ in range(attempts - 1):
            if max(best.distance, best.angle) <= NEAR:
                break
            start = values.copy()
            start[self._joint, self._axis] = random.uniform(np.minimum(low, high), high)
            best = min(best, self.reach(goals, start), key=_miss)
        return best

    def _step(
        self, rows: Array, error: Array, values: Array, damping: float, may_move: NDArray[np.bool_]
    ) -> Array:
        """Return the step of all degrees of freedom; those that would leave their range stay."""
        now = values[self._joint, self._axis]
        slope = rows.T @ error
        is_free = ~(((now <= self._low) & (slope > 0.0)) | ((now >= self._high) & (slope < 0.0)))
        is_free &= may_move
        step = np.zeros(len(now))
        chosen = rows[:, is_free]
        normal = chosen.T @ chosen + damping * np.eye(chosen.shape[1])
        step[is_free] = -np.linalg.solve(normal, slope[is_free])
        return step

    def _moved(self, values: Array, step: Array) -> Array:
        result = values.copy()
        result[self._joint, self._axis] = np.clip(
            values[self._joint, self._axis] + step, self._low, self._high
        )
        return result

    def _within(self, values: Array) -> Array:
        """Return values within what limits over several axes allow, followers in their places."""
        counted = np.linalg.norm(values[self._sharing] * self._counted, axis=-1)
        for number in {*self._sharing[counted > self._longest].tolist()}:
            values[number] = clamped(self.kinematics.scene.joints[number].settings, values[number])
        return self.kinematics.with_followers(values)

    def _slopes(self, goals: Sequence[Goal], values: Array) -> Array:
        """Return how errors change with each degree of freedom, shape (e, d)."""
        motions = self.kinematics.motions(values)
        twists = self._twists(values, motions)
        rows = [_goal_rows(goal, motions[goal.body], twists(goal.body)) for goal in goals]
        rows += [self._gap_rows(number, motions, twists) for number in self.loops]
        return np.concatenate(rows) if rows else np.zeros((0, len(self._joint)))

    def _twists(self, values: Array, motions: Array) -> Callable[[int], Array]:
        """Return what gives the twists (6, d) of a body by each degree of freedom."""
        tree = self.kinematics
        each = tree.twists(values, motions)
        shares: dict[tuple[int, int], Array] = {}
        """By how much joints that follow go with each degree of freedom."""
        columns = np.eye(len(self._joint))
        places = {
            (int(n), int(axis)): columns[at]
            for at, (n, axis) in enumerate(zip(self._joint, self._axis, strict=True))
        }
        for joint, own, source, other, slope in tree.follow_slopes(values):
            share = shares.get((source, other), places.get((source, other)))
            if share is not None:
                shares[joint, own] = slope * share

        def of(body: int) -> Array:
            path = tree.path(body)
            on_path = np.isin(self._joint, path)
            result = np.where(on_path[:, None], each[self._joint, self._axis], 0.0).T
            for (joint, axis), share in shares.items():
                if joint in path:
                    result = result + np.outer(each[joint, axis], share)
            return np.asarray(result)

        return of

    def _gap_rows(self, number: int, motions: Array, twists: Callable[[int], Array]) -> Array:
        """Return how the gap of a joint that closes a loop changes, shape (6, d)."""
        scene, owner = self.kinematics.scene, self.kinematics.scene.bodies()
        joint = scene.joints[number]
        here, there = (
            motions[owner[node]] @ scene.matrices[node] for node in (joint.node, joint.other)
        )
        apart = twists(int(owner[joint.other])) - twists(int(owner[joint.node]))
        # In the joint's frame, in which the gap is measured.
        turn, place = here[:3, :3] / np.linalg.norm(here[:3, :3], axis=0), here[:3, 3]
        about = turn.T @ apart[:3]
        along = turn.T @ (apart[3:] + np.cross(apart[:3], place, axis=0))
        gaps = self._gap_of(number, here @ _nudges() @ np.linalg.inv(here) @ there, here)
        slopes = (gaps[:6] - gaps[6:]).T / (2.0 * _NUDGE)
        return np.asarray(_LOOP * slopes @ np.concatenate((about, along)))

    def _errors(self, goals: Sequence[Goal], values: Array) -> Array:
        """Return the errors (t, e) of goals and loops at values (t, j, 6)."""
        motions = self.kinematics.motions(values)
        parts = []
        for goal in goals:
            motion = motions[:, goal.body]
            if goal.place is not None:
                at = motion[:, :3, :3] @ goal.point + motion[:, :3, 3]
                parts.append(goal.weight * _across(goal, at - goal.place))
            if goal.rotation is not None:
                parts.append(goal.weight * _turns(motion[:, :3, :3] @ goal.rotation.T))
        parts += [_LOOP * self._gaps(number, motions) for number in self.loops]
        return np.concatenate(parts, axis=-1) if parts else np.zeros((len(values), 0))

    def _gaps(self, number: int, motions: Array) -> Array:
        """Return by how much a joint that closes a loop is beyond its limits, (t, 6)."""
        scene, owner = self.kinematics.scene, self.kinematics.scene.bodies()
        joint = scene.joints[number]
        here, there = (
            motions[:, owner[node]] @ scene.matrices[node] for node in (joint.node, joint.other)
        )
        return self._gap_of(number, there, here)

    def _gap_of(self, number: int, there: Array, here: Array) -> Array:
        """Return by how much a joint with its ends at matrices (t, 4, 4) is beyond its limits."""
        settings = self.kinematics.scene.joints[number].settings
        pose = relative_pose(pose_from_matrix(here), pose_from_matrix(there))
        values, axes = values_of_pose(settings, pose), joint_axes(settings).all
        low, high = np.array([a.min for a in axes]), np.array([a.max for a in axes])
        return np.asarray(values - np.clip(values, low, high))

    def _misses(self, goals: Sequence[Goal], values: Array) -> tuple[float, float, float]:
        motions = self.kinematics.motions(values[None])[0]
        distance = angle = 0.0
        for goal in goals:
            motion = motions[goal.body]
            if goal.place is not None:
                at = motion[:3, :3] @ goal.point + motion[:3, 3]
                distance = max(distance, float(np.linalg.norm(_across(goal, at - goal.place))))
            if goal.rotation is not None:
                turn = _turns((motion[:3, :3] @ goal.rotation.T)[None])
                angle = max(angle, float(np.linalg.norm(turn)))
        gaps = [np.abs(self._gaps(number, motions[None])).max() for number in self.loops]
        return distance, angle, float(max(gaps, default=0.0))


def _lengths(settings: JointSettings) -> Iterator[tuple[Array, float]]:
    """Yield which values each bound over several axes counts, and up to what length it holds.

    It is -1 where the length of values is not what the bound measures.
    """
    third = cone_axis_of(settings)
    for bound in joint_axes(settings).bounds:
        if len(bound.axes) > 1:
            axes = np.zeros(6)
            axes[[axis + 3 * bound.is_angular for axis in bound.axes]] = 1.0
            is_cone = third is not None and bound.axes == other_axes(third)
            is_length = bound.min <= 0.0 and (is_cone or not bound.is_angular)
            yield axes, bound.max if is_length else -1.0


def _goal_rows(goal: Goal, motion: Array, twist: Array) -> Array:
    """Return how the errors of a goal change, shape (e, d), with the twists (6, d) of its body."""
    rows = []
    if goal.place is not None:
        at = motion[:3, :3] @ goal.point + motion[:3, 3]
        speed = twist[3:] + np.cross(twist[:3], at, axis=0)
        rows.append(goal.weight * _across(goal, speed.T).T)
    if goal.rotation is not None:
        error = _turns((motion[:3, :3] @ goal.rotation.T)[None])[0]
        rows.append(goal.weight * _turn_slope(error) @ twist[:3])
    return np.concatenate(rows)


def _across(goal: Goal, way: Array) -> Array:
    """Return what counts of ways (..., 3) from a goal's place."""
    if goal.along is None:
        return way
    return np.asarray(way - (way @ goal.along)[..., None] * goal.along)


def _turn_slope(turn: Array) -> Array:
    """Return how a rotation vector (3,) changes with what is turned on about the world's axes."""
    angle = float(np.linalg.norm(turn))
    x, y, z = turn
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    if angle < 1e-4:
        return np.asarray(np.eye(3) - cross / 2.0 + cross @ cross / 12.0)
    square = 1.0 / angle**2 - (1.0 + math.cos(angle)) / (2.0 * angle * math.sin(angle))
    return np.asarray(np.eye(3) - cross / 2.0 + square * cross @ cross)


def _nudges() -> Array:
    """Return small turns about and steps along each axis, and back, (12, 4, 4)."""
    result = np.broadcast_to(np.eye(4), (12, 4, 4)).copy()
    for axis in range(3):
        one, two = (axis + 1) % 3, (axis + 2) % 3
        for at, step in ((axis, _NUDGE), (axis + 6, -_NUDGE)):
            result[at, two, one], result[at, one, two] = step, -step
            result[at + 3, axis, 3] = step
    return result


def _miss(found: Reached) -> float:
    return found.distance + found.angle


def _turns(matrices: Array) -> Array:
    """Return the rotation vectors (t, 3) [rad] of rotation matrices (t, 3, 3)."""
    padded = np.broadcast_to(np.eye(4), (len(matrices), 4, 4)).copy()
    padded[:, :3, :3] = matrices
    pose: Pose = pose_from_matrix(padded)
    sine = np.linalg.norm(pose.rotation[:, :3], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, pose.rotation[:, 3:])
    return np.asarray(
        pose.rotation[:, :3] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)
    )
