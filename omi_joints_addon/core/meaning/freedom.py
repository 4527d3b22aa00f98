"""Degrees of freedom that the limits of a joint leave: poses, clamping, paths, fitting.

Six values stand for a pose: x, y, z of the connected frame [m] and three angles [rad], all in the
joint's frame. Without a cone the angles are the twists about X, Y and Z. With a cone the third
axis' angle is the twist, the other two are the rotation vector of the swing after it, whose length
is the cone's angle.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..model.axes import other_axes, remaining_axis
from ..model.joint import JointLimit, JointSettings
from ..model.pose import Array, Pose, quaternion_product
from .axes import Bound, JointAxis, effective_bounds, joint_axes
from .metric import limit_metrics

_NAMES = "XYZ"
_HALF_TURN = math.pi - 1e-6
_LOCK_WIDTH = 1e-6
_POSES = 48
"""Poses of a path."""
_ROUNDS = 8
"""Times that values are scaled: angles about three axes grow only nearly in proportion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Freedom:
    """One degree of freedom."""

    number: int
    """Which of the six values it is: 0 to 2 along, 3 to 5 about X, Y and Z."""
    low: float
    """Least value to show [m or rad]."""
    high: float
    """Largest value to show [m or rad]."""
    is_bounded: bool
    """Whether limits give both ends, else the span shown is chosen."""
    is_shared: bool
    """Whether other degrees of freedom take a part of its range."""

    @property
    def is_linear(self) -> bool:
        """Whether it is a distance."""
        return self.number < 3

    @property
    def axis(self) -> int:
        """Axis of the joint's frame."""
        return self.number % 3

    @property
    def label(self) -> str:
        """Name to show."""
        return f"{'Along' if self.is_linear else 'About'} {_NAMES[self.axis]}"


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """A path through the poses that limits allow."""

    label: str
    """Name to show."""
    values: Array
    """Shape (n, 6); starts and ends at the rest values."""


def freedoms(settings: JointSettings) -> tuple[Freedom, ...]:
    """Return the axes that can move; those without bounds get ± 1 m or ± half a turn."""
    freedoms = []
    for number, axis in enumerate(joint_axes(settings).all):
        low, high = _shown(axis, 1.0 if number < 3 else math.pi)
        if high - low > _LOCK_WIDTH:
            is_bounded = math.isfinite(axis.min) and math.isfinite(axis.max)
            freedoms.append(
                Freedom(
                    number=number,
                    low=low,
                    high=high,
                    is_bounded=is_bounded,
                    is_shared=axis.is_shared,
                )
            )
    return tuple(freedoms)


def rest_values(settings: JointSettings) -> Array:
    """Return the values nearest to zero that the limits allow, shape (6,)."""
    return clamped(settings, np.zeros(6))


def cone_axis_of(settings: JointSettings) -> int | None:
    """Return the axis of the first cone among the limits, None where there is none.

    It is the one that the cone's two axes leave.
    """
    pairs = [limit for limit in settings.limits if len(limit.angular_axes) == 2]
    for bound in effective_bounds(pairs):
        if bound.is_angular:
            return remaining_axis(bound.axes)
    return None


def pose_of_values(settings: JointSettings, values: Array) -> Pose:
    """Return the pose of values (..., 6)."""
    values = np.asarray(values, float)
    return Pose(values[..., :3], rotation_of_angles(cone_axis_of(settings), values[..., 3:]))


def rotation_of_angles(third: int | None, angles: Array) -> Array:
    """Return the quaternions (..., 4) of angles (..., 3), `third` is the axis of the cone."""
    if third is None:
        half = np.clip(angles, -_HALF_TURN, _HALF_TURN) / 2.0
        rotation = np.concatenate((np.tan(half), np.ones_like(half[..., :1])), axis=-1)
        return np.asarray(rotation / np.linalg.norm(rotation, axis=-1, keepdims=True))
    turn = np.eye(3)[third] * angles[..., third, None]
    return quaternion_product(_rotation(angles - turn), _rotation(turn))


def values_of_pose(settings: JointSettings, pose: Pose) -> Array:
    """Return the values (..., 6) of poses: the inverse of `pose_of_values`."""
    return _values(cone_axis_of(settings), pose)


def values_of_poses(settings: Sequence[JointSettings], poses: Pose) -> Array:
    """Return the values (n, 6) of joints, the pose of each that of its connected frame."""
    values = np.zeros((len(settings), 6))
    thirds = list(map(cone_axis_of, settings))
    for third in {*thirds}:
        rows = [row for row, each in enumerate(thirds) if each == third]
        values[rows] = _values(third, poses.at(rows))
    return values


def _values(third: int | None, pose: Pose) -> Array:
    """Return the values (..., 6) of poses, `third` is the axis of the cone."""
    q = np.where(pose.rotation[..., 3:] < 0.0, -pose.rotation, pose.rotation)
    twists = 2.0 * np.arctan2(q[..., :3], q[..., 3:])
    if third is None:
        return np.concatenate((pose.position, twists), axis=-1)
    turn = np.eye(3)[third] * twists[..., third, None]
    swing = quaternion_product(q, _rotation(-turn))
    sine = np.linalg.norm(swing[..., :3], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, np.abs(swing[..., 3:]))
    sign = np.where(swing[..., 3:] < 0.0, -1.0, 1.0)
    vector = swing[..., :3] * sign * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)
    vector[..., third] = twists[..., third]
    return np.concatenate((pose.position, vector), axis=-1)


def clamped(settings: JointSettings, values: Array) -> Array:
    """Return the values (6,) brought into the limits: each axis alone, then what several share."""
    axes = joint_axes(settings)
    result = np.asarray(values, float).copy()
    for number, axis in enumerate(axes.all):
        low, high = _shown(axis, math.inf if number < 3 else math.pi)
        result[number] = min(max(result[number], low), high)
    for bound in axes.bounds:
        if len(bound.axes) > 1:
            result = _into(settings, bound, result)
    return result


def within(settings: JointSettings, values: Array) -> Array:
    """Return values (..., 6) of which those that several axes limit together are scaled.

    Each axis alone is within its own range before.
    """
    result = np.array(values, float)
    for bound in joint_axes(settings).bounds:
        numbers = _numbers(bound)
        for _ in range(_ROUNDS if len(numbers) > 1 else 0):
            measured = _metric(settings, bound, result)
            goal = np.clip(measured, bound.min, bound.max)
            result[..., numbers] *= (goal / np.maximum(measured, 1e-12))[..., None]
    return result


def sweeps(settings: JointSettings) -> list[Sweep]:
    """Return paths along each degree of freedom, then around the edges of shared limits.

    Values past a bound that others share are clamped.
    """
    rest = rest_values(settings)
    found = []
    for freedom in freedoms(settings):
        ends = np.array((rest[freedom.number], freedom.high, freedom.low, rest[freedom.number]))
        marks = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(ends)))))
        values = np.repeat(rest[None], _POSES, axis=0)
        values[:, freedom.number] = np.interp(np.linspace(0.0, marks[-1], _POSES), marks, ends)
        found.append(_clamped_sweep(settings, freedom.label, values))
    return found + list(_edges(settings, rest))


def fitted_limits(poses: Pose, *, cone_axis: int | None = None) -> tuple[JointLimit, ...]:
    """Return the tightest limits that contain n poses.

    Poses are those of the connected frame in the joint's, shapes (n, 3) and (n, 4).

    Axes that stay at zero are locked together, others get a range each; with `cone_axis` the
    rotation about the other two gets one cone. Twists that go all around are left free.
    """
    limits = list(_fitted(poses.position.T, is_linear=True))
    settings = (
        JointSettings(limits=_cone(cone_axis, 1.0)) if cone_axis is not None else JointSettings()
    )
    angles = values_of_pose(settings, poses)[..., 3:].T
    if cone_axis is None:
        return (*limits, *_fitted(angles, is_linear=False))
    swing = np.delete(angles, cone_axis, axis=0)
    widest = float(np.linalg.norm(swing, axis=0).max())
    limits += _cone(cone_axis, 0.0 if widest <= _LOCK_WIDTH else min(widest, math.pi))
    return (*limits, *_fitted(angles, is_linear=False, axes=(cone_axis,)))


def _shown(axis: JointAxis, span: float) -> tuple[float, float]:
    """Return a range without infinite ends; the middle of one that allows nothing."""
    low = axis.min if math.isfinite(axis.min) else min(-span, axis.max - span)
    high = axis.max if math.isfinite(axis.max) else max(span, axis.min + span)
    return (low, high) if low <= high else ((low + high) / 2.0,) * 2


def _rotation(vector: Array) -> Array:
    """Return the quaternions (..., 4) of rotation vectors (..., 3) [rad]."""
    half = np.linalg.norm(vector, axis=-1, keepdims=True) / 2.0
    return np.concatenate((vector * np.sinc(half / np.pi) / 2.0, np.cos(half)), axis=-1)


def _numbers(bound: Bound) -> list[int]:
    return [axis + 3 * bound.is_angular for axis in bound.axes]


def _metric(settings: JointSettings, bound: Bound, values: Array) -> Array:
    """Return what a bound measures of values (..., 6), shape (...)."""
    limit = _limit(bound.axes, -math.inf, math.inf, is_linear=not bound.is_angular)
    return np.asarray(next(limit_metrics(limit, pose_of_values(settings, values))))


def _into(settings: JointSettings, bound: Bound, values: Array) -> Array:
    """Scale the values that a bound over several axes measures until it holds."""
    measured = float(_metric(settings, bound, values))
    if bound.min <= measured <= bound.max:
        return values
    goal = bound.max if measured > bound.max else bound.min
    result, numbers = values.copy(), _numbers(bound)
    if measured <= 1e-12:
        result[numbers[0]] = goal
        return result
    # Distances and the angle of a cone grow in proportion, other angles nearly so.
    result[numbers] = values[numbers] * (goal / measured)
    if math.isclose(float(_metric(settings, bound, result)), goal, rel_tol=1e-12):
        return result
    low, high = 0.0, 1.0 if measured > goal else 2.0 * goal / measured
    for _ in range(60):
        middle = (low + high) / 2.0
        result[numbers] = values[numbers] * middle
        if _metric(settings, bound, result) > goal:
            high = middle
        else:
            low = middle
    result[numbers] = values[numbers] * (low if measured > goal else high)
    return result


def _clamped_sweep(settings: JointSettings, label: str, values: Array) -> Sweep:
    return Sweep(label, np.array([clamped(settings, row) for row in values]))


def _edges(settings: JointSettings, rest: Array) -> Iterator[Sweep]:
    """Yield a way around the edge of each limit over two or three axes that leaves room."""
    for bound in effective_bounds(settings.limits):
        if len(bound.axes) < 2 or not 0.0 < bound.max < math.inf:
            continue
        numbers = _numbers(bound)[:2]
        turn = np.linspace(0.0, 2.0 * np.pi, _POSES)
        values = np.repeat(rest[None], _POSES + 2, axis=0)
        values[1:-1, numbers] = bound.max * np.stack((np.cos(turn), np.sin(turn)), axis=-1)
        names = "".join(_NAMES[axis] for axis in bound.axes)
        yield _clamped_sweep(settings, f"Around {names}", values)


def _cone(axis: int, angle: float) -> tuple[JointLimit, ...]:
    return (
        JointLimit(
            angular_axes=other_axes(axis), min=0.0 if angle == 0.0 else -math.inf, max=angle
        ),
    )


def _fitted(
    values: Array, *, is_linear: bool, axes: Sequence[int] = (0, 1, 2)
) -> Iterator[JointLimit]:
    """Yield limits of the axes with values (3, n)."""
    still = tuple(axis for axis in axes if np.abs(values[axis]).max() <= _LOCK_WIDTH)
    if still:
        yield _limit(still, 0.0, 0.0, is_linear=is_linear)
    for axis in axes:
        low, high = float(values[axis].min()), float(values[axis].max())
        is_whole = not is_linear and (low <= -math.pi or high >= math.pi)
        if axis not in still and not is_whole:
            yield _limit((axis,), low, high, is_linear=is_linear)


def _limit(axes: tuple[int, ...], low: float, high: float, *, is_linear: bool) -> JointLimit:
    if is_linear:
        return JointLimit(linear_axes=axes, min=low, max=high)
    return JointLimit(angular_axes=axes, min=low, max=high)
