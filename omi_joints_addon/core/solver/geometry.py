"""Where joint frames are, what their rows measure, and how bodies change that.

Values agree with `metric`; directions are the gradients of the values by relative displacement
or rotation, in the axes of the joint's frame. Batches stand in the last axis.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..model.pose import Array
from .elimination import Indices
from .gears import Ratios
from .rows import Form
from .table import Grid, Group, RowTable
from .vectors import (
    apply,
    apply_inverse,
    conjugate_product,
    cross,
    length,
    matrices,
    product,
    wrapped,
)

_TINY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """Attachment frames as their bodies carry them: from the center of mass, in body axes."""

    body: Indices
    """Body of each frame, shape (j,)."""
    offset: Array
    """[m], shape (3, j)."""
    rotation: Array
    """Shape (4, j)."""
    axes: Array
    """The same as matrices, shape (3, 3, j)."""


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Frames of all joints at one moment, in world axes; of two moments one after the other."""

    point: Array
    """Origins of the connected frames [m], shape (3, j)."""
    axes: Array
    """Axes of the joint frames as columns, shape (3, 3, j)."""
    offset: Array
    """Origin of the connected frame in the joint frame [m], shape (3, j)."""
    rotation: Array
    """Rotation of the connected frame in the joint frame, shape (4, j)."""


@dataclass(frozen=True, slots=True, eq=False)
class Jacobian:
    """How the two bodies of each joint move its rows."""

    blocks: Array
    """Shape (j, 12, r): of the joint's body, linear then angular, then of the connected one."""
    ratios: Ratios
    """What couplings add."""

    def rates(self, velocities: Array) -> Array:
        """Return how fast rows change (k, r, j) under k velocities (k, 12, j) of both bodies."""
        found = velocities.transpose(2, 0, 1) @ self.blocks
        return np.ascontiguousarray(found.transpose(1, 2, 0))


def frames_on(body: Indices, offset: Array, rotation: Array) -> Frames:
    """Return the frames on bodies (j,) at offsets (3, j) with rotations (4, j)."""
    return Frames(body, offset, rotation, matrices(rotation))


def joined(first: Frames, second: Frames) -> Frames:
    """Return frames of joints and then the connected ones, (2 j)."""
    return frames_on(
        np.concatenate((first.body, second.body)),
        np.concatenate((first.offset, second.offset), axis=1),
        np.concatenate((first.rotation, second.rotation), axis=1),
    )


def twice(first: Frames, second: Frames, count: int) -> Frames:
    """Return `joined` frames of `count` bodies and of as many that stand for a second moment."""
    pairs = [joined(each, replace(each, body=each.body + count)) for each in (first, second)]
    return joined(*pairs)


def ends(frames: Frames, center: Array, rotation: Array, axes: Array) -> Ends:
    """Return the frames of bodies; `frames` are the joints', then the connected ones.

    Bodies have their centers of mass (3, n), rotations (4, n), and these as matrices (3, 3, n).
    """
    count = len(frames.body) // 2
    carried = axes.take(frames.body, 2)
    place = center.take(frames.body, 1) + apply(carried, frames.offset)
    turns = product(rotation.take(frames.body, 1), frames.rotation)
    own = np.einsum("ikj,klj->ilj", carried[:, :, :count], frames.axes[:, :, :count])
    point = place[:, count:]
    offset = apply_inverse(own, point - place[:, :count])
    return Ends(point, own, offset, conjugate_product(turns[:, :count], turns[:, count:]))


def measure(grid: Grid, at: Ends) -> Array:
    """Return what every row measures [m or rad], shape (r, j)."""
    return measure_with_directions(grid, at)[0]


def measure_with_directions(grid: Grid, at: Ends) -> tuple[Array, Array]:
    """Return values (r, j) and their gradients (3, r, j) in joint axes."""
    directions = grid.directions.copy()
    values = np.zeros(directions.shape[1:])
    flat, ways = values.ravel(), directions.reshape(3, -1)
    for group in grid.groups:
        flat[group.flat], direction = _MEASURES[group.form](group, at)
        if not group.form.is_constant:
            ways[:, group.flat] = direction
    return values, directions


def jacobian(table: RowTable, axes: Array, directions: Array, arms: Array) -> Array:
    """Return the blocks of a `Jacobian` for rows along `directions` in the joints' `axes`.

    Both `arms` (3, 2, j) [m] reach from the bodies' centers of mass to the connected frame's
    origin: the joint's axes turn with its body.
    """
    world = np.einsum("ikj,krj->irj", axes, directions)
    linear = world * table.is_linear
    blocks = np.empty((2, 2, *world.shape))
    blocks[:, 0] = linear
    blocks[:, 1] = cross(arms[:, :, None], linear[:, None]).swapaxes(0, 1)
    blocks[:, 1] += world - linear
    np.negative(blocks[0], out=blocks[0])
    by_joint = np.ascontiguousarray(blocks.transpose(4, 0, 1, 2, 3))
    return by_joint.reshape(world.shape[2], 12, world.shape[1])


_Result = tuple[Array, Array]
"""Values (n,) and gradients (3, n)."""


def _distance_along(group: Group, at: Ends) -> _Result:
    return at.offset[group.axis, group.joint], group.unit


def _distance_across(group: Group, at: Ends) -> _Result:
    across = at.offset[:, group.joint] * (1.0 - group.unit)
    return _length_and_direction(across, group.across)


def _twist(group: Group, at: Ends) -> _Result:
    q = at.rotation.take(group.joint, 1)
    w, v = q[3], q[:3]
    part = q[group.axis, np.arange(len(w))]
    gradient = w * w * group.unit + w * cross(v, group.unit) + part * v
    size = np.maximum(w * w + part * part, _TINY)
    return wrapped(2.0 * np.arctan2(part, w)), gradient / size


def _cone(group: Group, at: Ends) -> _Result:
    """Measure the turn that takes the axes `axis` apart; it is about axis x moved axis."""
    q = at.rotation.take(group.joint, 1)
    turn = 2.0 * cross(q[:3], group.unit)
    moved = group.unit + q[3] * turn + cross(q[:3], turn)
    sine, direction = _length_and_direction(cross(group.unit, moved), group.across)
    return np.arctan2(sine, (group.unit * moved).sum(axis=0)), direction


def _swing_part(group: Group, at: Ends) -> _Result:
    """Measure the part about an axis of the turn that takes the third axis away from itself.

    u is along that axis, v along the other one of the two, t along the third.
    """
    u, v, t, w = at.rotation[group.parts, group.joint]
    half_sine, half_cosine = np.hypot(u, v), np.hypot(t, w)
    half = half_sine * half_cosine
    scale = np.arctan2(half_sine, half_cosine) / np.maximum(half, _TINY)
    part = 2.0 * (u * w + group.sign * v * t)
    return part * np.where(half > 5e-9, scale, 1.0), group.unit


def _rotation_part(group: Group, at: Ends) -> _Result:
    q = at.rotation.take(group.joint, 1)
    sine = length(q[:3])
    angle = 2.0 * np.arctan2(sine, np.abs(q[3]))
    scale = np.where(sine > 1e-8, angle / np.maximum(sine, _TINY), 2.0) * np.where(q[3] < 0, -1, 1)
    return q[group.axis, np.arange(len(angle))] * scale, group.unit


def _angle(group: Group, at: Ends) -> _Result:
    q = at.rotation.take(group.joint, 1)
    sine, direction = _length_and_direction(q[:3] * np.where(q[3] < 0.0, -1.0, 1.0), group.unit)
    return 2.0 * np.arctan2(sine, np.abs(q[3])), direction


def _length_and_direction(vector: Array, fallback: Array) -> _Result:
    """Return lengths (n,) and unit vectors (3, n), along `fallback` for no length."""
    size = length(vector)
    return size, np.where(size > 1e-9, vector / np.maximum(size, _TINY), fallback)


_MEASURES = {
    Form.DISTANCE_ALONG: _distance_along,
    Form.DISTANCE_ACROSS: _distance_across,
    Form.SWING_PART: _swing_part,
    Form.ROTATION_PART: _rotation_part,
    Form.TWIST: _twist,
    Form.CONE: _cone,
    Form.ANGLE: _angle,
}
