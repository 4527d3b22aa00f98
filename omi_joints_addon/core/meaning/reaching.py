"""Inverse kinematics: positions of joints that bring bodies to goals, within limits.

Damped least squares (Levenberg, Marquardt) over all degrees of freedom of the tree, with their
bounds as an active set. Joints that close a loop are kept together as goals of their own, and what
follows another joint goes along. SI units and radians, world axes.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ..model.pose import Array, Pose, pose_from_matrix, relative_pose
from ..model.scene import Joint
from .authored import authored_range
from .axes import joint_axes
from .freedom import Freedom, clamped, freedoms, values_of_pose
from .kinematics import Kinematics

_NUDGE = 1e-6
"""Step of differences [m or rad]: its square is still above rounding."""
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

    def __init__(self, kinematics: Kinematics, *, held: Collection[int] = ()) -> None:
        """Take a scene; joints of `held` keep their positions."""
        self.kinematics = kinematics
        scene = kinematics.scene
        following = {each.joint for each in kinematics.couplings}
        free = [n for n in sorted(kinematics.children) if n not in following and n not in held]
        found = [(n, f) for n in free for f in freedoms(scene.joints[n].settings)]
        self._joint = np.array([n for n, _ in found], dtype=np.intp)
        self._axis = np.array([f.number for _, f in found], dtype=np.intp)
        ranges = [_range(scene.joints[n], f) for n, f in found]
        self._low, self._high = np.array(ranges, float).reshape(-1, 2).T
        self._shared = sorted({n for n, f in found if f.is_shared})
        self._loops = [n for n in kinematics.tree.loops if scene.joints[n].attributes.enabled]

    def reach(self, goals: Sequence[Goal], values: Array, *, steps: int = 60) -> Reached:
        """Return the values (j, 6) nearest to `values` from which no step comes nearer to goals."""
        values = self._within(np.array(values, float))
        error = self._errors(goals, values[None])[0]
        cost, damping = float(error @ error), _STIFF
        for _ in range(steps):
            rows = self._slopes(goals, values, error)
            while damping <= _MOST_DAMPING:
                step = self._step(rows, error, values, damping)
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

    def _step(self, rows: Array, error: Array, values: Array, damping: float) -> Array:
        """Return the step of all degrees of freedom; those that would leave their range stay."""
        now = values[self._joint, self._axis]
        slope = rows.T @ error
        is_free = ~(((now <= self._low) & (slope > 0.0)) | ((now >= self._high) & (slope < 0.0)))
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
        for number in self._shared:
            values[number] = clamped(self.kinematics.scene.joints[number].settings, values[number])
        return self.kinematics.with_followers(values)

    def _slopes(self, goals: Sequence[Goal], values: Array, error: Array) -> Array:
        """Return how errors change with each degree of freedom, shape (e, d)."""
        many = np.repeat(values[None], len(self._joint), axis=0)
        many[np.arange(len(self._joint)), self._joint, self._axis] += _NUDGE
        moved = self._errors(goals, self.kinematics.with_followers(many))
        return np.asarray((moved - error).T / _NUDGE)

    def _errors(self, goals: Sequence[Goal], values: Array) -> Array:
        """Return the errors (t, e) of goals and loops at values (t, j, 6)."""
        motions = self.kinematics.motions(values)
        parts = []
        for goal in goals:
            motion = motions[:, goal.body]
            if goal.place is not None:
                at = motion[:, :3, :3] @ goal.point + motion[:, :3, 3]
                parts.append(goal.weight * (at - goal.place))
            if goal.rotation is not None:
                parts.append(goal.weight * _turns(motion[:, :3, :3] @ goal.rotation.T))
        parts += [_LOOP * self._gaps(number, motions) for number in self._loops]
        return np.concatenate(parts, axis=-1) if parts else np.zeros((len(values), 0))

    def _gaps(self, number: int, motions: Array) -> Array:
        """Return by how much a joint that closes a loop is beyond its limits, (t, 6)."""
        scene = self.kinematics.scene
        joint, owner = scene.joints[number], scene.bodies()
        ends = (
            motions[:, owner[node]] @ scene.matrices[node] for node in (joint.node, joint.other)
        )
        one, other = (pose_from_matrix(matrices) for matrices in ends)
        values = values_of_pose(joint.settings, relative_pose(one, other))
        axes = joint_axes(joint.settings).all
        low, high = np.array([a.min for a in axes]), np.array([a.max for a in axes])
        return np.asarray(values - np.clip(values, low, high))

    def _misses(self, goals: Sequence[Goal], values: Array) -> tuple[float, float, float]:
        motions = self.kinematics.motions(values[None])[0]
        distance = angle = 0.0
        for goal in goals:
            motion = motions[goal.body]
            if goal.place is not None:
                at = motion[:3, :3] @ goal.point + motion[:3, 3]
                distance = max(distance, math.dist(at, goal.place))
            if goal.rotation is not None:
                turn = _turns((motion[:3, :3] @ goal.rotation.T)[None])
                angle = max(angle, float(np.linalg.norm(turn)))
        gaps = [np.abs(self._gaps(number, motions[None])).max() for number in self._loops]
        return distance, angle, float(max(gaps, default=0.0))


def _range(joint: Joint, freedom: Freedom) -> tuple[float, float]:
    """Return the ends of a degree of freedom [m or rad], also those of a turn and more."""
    axis = joint_axes(joint.settings).all[freedom.number]
    if freedom.is_linear or joint.attributes.whole_range is None:
        return axis.min, axis.max
    low, high = authored_range(joint.settings, joint.attributes)
    return low - joint.attributes.zero, high - joint.attributes.zero


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
