"""Exact changes of frames: axes renamed, half turns, the zero moved, a whole scene turned.

Every function comes with the settings that mean the same afterwards. Poses are those of
`model.pose`, vectorised over any leading shape.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..model.body import Quaternion
from ..model.joint import JointLimit, JointSettings
from ..model.pose import Array, Pose, cross, quaternion_product, rotate, rotation_matrix
from ..model.scene import PhysicsScene

X, Y, Z = 0, 1, 2
_OPPOSITE = -0.95
"""Cosine of the angle from which two vectors count as opposite; few drawn axes are near it."""


@dataclass(frozen=True, slots=True)
class AxisTurn:
    """A rotation of both frames, each in its own axes, that gives the axes other names."""

    sources: tuple[int, int, int]
    """Which axis becomes the new X, Y and Z."""
    signs: tuple[int, int, int]
    """1, or -1 where the new axis points the other way."""
    rotation: Quaternion
    """x y z w, to apply to both frames in their own axes."""


IDENTITY = AxisTurn((0, 1, 2), (1, 1, 1), (0.0, 0.0, 0.0, 1.0))
X_BECOMES_Y = AxisTurn((2, 0, 1), (1, 1, 1), (-0.5, -0.5, -0.5, 0.5))
X_BECOMES_Z = AxisTurn((1, 2, 0), (1, 1, 1), (0.5, 0.5, 0.5, 0.5))
TURNS = (IDENTITY, X_BECOMES_Y, X_BECOMES_Z)
"""Turns that move the names of the axes by 0, 1 and 2 places."""
HALF_TURNS = (
    AxisTurn((0, 1, 2), (1, -1, -1), (1.0, 0.0, 0.0, 0.0)),
    AxisTurn((0, 1, 2), (-1, 1, -1), (0.0, 1.0, 0.0, 0.0)),
    AxisTurn((0, 1, 2), (-1, -1, 1), (0.0, 0.0, 1.0, 0.0)),
)
"""Half turns about X, Y and Z: the values of the other two axes change their signs."""
FRAME_TURNS = (*TURNS, *HALF_TURNS)


def turned_settings(settings: JointSettings, turn: AxisTurn) -> JointSettings:
    """Return the settings that mean the same after both frames have been turned alike."""
    if turn == IDENTITY:
        return settings
    limits = tuple(part for limit in settings.limits for part in _turned_limit(limit, turn))
    drives = []
    for drive in settings.drives:
        axis = turn.sources.index(drive.axis)
        turned = replace(drive, axis=axis)
        drives.append(turned if turn.signs[axis] > 0 else turned.reversed())
    return replace(settings, limits=limits, drives=tuple(drives))


def frames_of_axes(axes: ArrayLike, *, main: int) -> Array:
    """Return rotations (..., 4) for the joint frames of one-axis joints of tree formats.

    `axes` (..., 3) are unit axes of motion of the child seen from the parent, in the space of the
    result; `main` is the axis of the frame that is to lie along them, Z for hinges and X for
    sliders. The joint node is below the child and OMI measures the connected frame, which is the
    parent's, from it; so the frame's axis is turned against the axis of motion by a half turn, and
    limits, targets and velocities keep the numbers and signs of the file.
    """
    half_turn = HALF_TURNS[X if main == Z else Z].rotation
    return quaternion_product(arcs(np.eye(3)[main], axes), half_turn)


def arcs(start: ArrayLike, ends: ArrayLike) -> Array:
    """Return rotations (..., 4) that turn the unit vector `start` (3,) onto unit `ends` (..., 3).

    They are the smallest ones, but for ends nearly opposite, where those are ill defined: there the
    half turn about a fixed perpendicular of `start` comes first.
    """
    one, other = np.asarray(start, float), np.asarray(ends, float)
    is_opposite = (other @ one < _OPPOSITE)[..., None]
    from_one = np.where(is_opposite, -one, one)
    turn = np.concatenate(
        (cross(from_one, other), 1.0 + np.sum(from_one * other, axis=-1, keepdims=True)), axis=-1
    )
    turn /= np.linalg.norm(turn, axis=-1, keepdims=True)
    across = cross(one, np.eye(3)[np.argmin(np.abs(one))])
    half_turn = np.append(across / np.linalg.norm(across), 0.0)
    return np.where(is_opposite, quaternion_product(turn, half_turn), turn)


def zero_of_range(lower: float, upper: float) -> float | None:
    """Return the angle [rad] that is to become zero, so that a range about one axis is exact.

    0 for ranges within half a turn to either side; their middle for those that reach beyond it;
    None for a turn and more, which limits cannot say.
    """
    if not upper - lower < 2.0 * math.pi:
        return None
    if -math.pi <= lower <= upper <= math.pi:
        return 0.0
    return (lower + upper) / 2.0


def moved_connected_frames(frames: Pose, *, is_angular: bool, axis: int, by: ArrayLike) -> Pose:
    """Return connected frames for which the positions `by` (...) [m or rad] count as zero."""
    amount = np.asarray(by, float)[..., None] * np.eye(3)[axis]
    if not is_angular:
        return Pose(frames.position - rotate(frames.rotation, amount), frames.rotation)
    half = -amount / 2.0
    turn = np.concatenate((np.sin(half), np.cos(half[..., axis, None])), axis=-1)
    return Pose(frames.position, quaternion_product(frames.rotation, turn))


def turned_scene(scene: PhysicsScene, rotation: Quaternion) -> PhysicsScene:
    """Return the scene turned about the world's origin, gravity too; x y z w."""
    turn = np.eye(4)
    turn[:3, :3] = np.round(matrix := rotation_matrix(np.array(rotation)), 15)
    x, y, z = (matrix @ np.array(scene.gravity)).tolist()
    return replace(scene, matrices=turn @ scene.matrices, gravity=(x, y, z))


Z_UP_TO_Y_UP: Quaternion = (-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))


def _turned_limit(limit: JointLimit, turn: AxisTurn) -> tuple[JointLimit, ...]:
    """Return the limit, in two where its linear and its angular axis get different signs."""
    linear = _turned_part(limit, limit.linear_axes, math.inf, turn)
    angular = _turned_part(limit, limit.angular_axes, math.pi, turn)
    if limit.linear_axes and limit.angular_axes and linear[1:] != angular[1:]:
        return (
            replace(limit, linear_axes=linear[0], angular_axes=(), min=linear[1], max=linear[2]),
            replace(limit, linear_axes=(), angular_axes=angular[0], min=angular[1], max=angular[2]),
        )
    _, lower, upper = linear if limit.linear_axes else angular
    turned = replace(limit, linear_axes=linear[0], angular_axes=angular[0], min=lower, max=upper)
    return (turned,)


def _turned_part(
    limit: JointLimit, axes: tuple[int, ...], half_turn: float, turn: AxisTurn
) -> tuple[tuple[int, ...], float, float]:
    """Return axes and bounds; the half turn itself is positive from either side."""
    new = tuple(sorted(turn.sources.index(axis) for axis in axes))
    is_at_cut = limit.min == half_turn or limit.max == -half_turn
    if len(new) != 1 or turn.signs[new[0]] > 0 or is_at_cut:
        return new, limit.min, limit.max
    return new, 0.0 - limit.max, 0.0 - limit.min
