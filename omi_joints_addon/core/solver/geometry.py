"""Where joint frames are, what their rows measure, and how bodies change that.

Values agree with `metric`; directions are the gradients of the values by relative displacement
or rotation, in the axes of the joint's frame. Batches stand in the last axis.
"""

from dataclasses import dataclass

import numpy as np

from ..model.pose import Array
from .elimination import Indices
from .gears import Ratios
from .rows import Form, Group, RowTable
from .vectors import apply, apply_inverse, conjugate_product, cross, matrices, product, wrapped

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


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Frames of all joints at one moment, in world axes."""

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
    """How the two bodies of each joint move the rows: (r, 6, j), linear then angular.

    What couplings add to their rows is in `ratios`.
    """

    joint: Array
    connected: Array
    ratios: Ratios

    @property
    def both(self) -> tuple[Array, Array]:
        """Of the joints' own bodies, and of the connected ones."""
        return self.joint, self.connected


def ends(first: Frames, second: Frames, center: Array, rotation: Array) -> Ends:
    """Return the joint frames `first` and connected frames `second` of placed bodies."""
    qa, qb = rotation[:, first.body], rotation[:, second.body]
    origin = center[:, first.body] + apply(matrices(qa), first.offset)
    point = center[:, second.body] + apply(matrices(qb), second.offset)
    frame_a, frame_b = product(qa, first.rotation), product(qb, second.rotation)
    axes = matrices(frame_a)
    return Ends(
        point, axes, apply_inverse(axes, point - origin), conjugate_product(frame_a, frame_b)
    )


def measure(table: RowTable, at: Ends) -> Array:
    """Return what every row measures [m or rad], shape (r, j)."""
    values = np.zeros(table.is_row.shape)
    flat = values.ravel()
    for group in table.groups:
        flat[group.flat] = _MEASURES[group.form](group, at)[0]
    return values


def measure_with_directions(table: RowTable, at: Ends) -> tuple[Array, Array]:
    """Return values (r, j) and their gradients (r, 3, j) in joint axes."""
    values, directions = np.zeros(table.is_row.shape), np.zeros((3, table.is_row.size))
    flat = values.ravel()
    for group in table.groups:
        flat[group.flat], direction = _MEASURES[group.form](group, at)
        directions[:, group.flat] = _unit(group.axis) if direction is None else direction
    return values, directions.reshape(3, *table.is_row.shape).transpose(1, 0, 2)


def jacobian(
    table: RowTable, first: Frames, second: Frames, at: Ends, directions: Array, center: Array
) -> tuple[Array, Array]:
    """Return how bodies at `center` move rows along `directions`, as in `Jacobian`.

    Both arms reach to the connected frame's origin: the joint's axes turn with its body.
    """
    world = np.einsum("ikj,rkj->irj", at.axes, directions)
    linear = np.where(table.is_linear, world, 0.0)
    turning = world - linear
    parts = list[Array]()
    for frames, sign in ((first, -1.0), (second, 1.0)):
        arm = (at.point - center[:, frames.body])[:, None]
        part = np.empty((world.shape[1], 6, world.shape[2]))
        part[:, :3] = (sign * linear).transpose(1, 0, 2)
        part[:, 3:] = (sign * (cross(arm, linear) + turning)).transpose(1, 0, 2)
        parts.append(part)
    return parts[0], parts[1]


def rates(jac: Jacobian, first: Frames, second: Frames, velocity: Array) -> Array:
    """Return how fast each row changes (r, j) under body velocities (6, n)."""
    own = frame_rates(jac.both, velocity[:, first.body], velocity[:, second.body])
    return jac.ratios.rates(own)


def frame_rates(jacobians: tuple[Array, Array], own: Array, other: Array) -> Array:
    """Return rates (r, j) under velocities (6, j) of the bodies of joints, without couplings."""
    joint = np.einsum("rij,ij->rj", jacobians[0], own)
    return np.asarray(joint + np.einsum("rij,ij->rj", jacobians[1], other))


_Result = tuple[Array, Array | None]
"""Values (n,) and gradients (3, n); None stands for the row's own axis."""


def _unit(axis: Indices) -> Array:
    return np.asarray(np.eye(3)[:, axis])


def _distance_along(group: Group, at: Ends) -> _Result:
    return at.offset[group.axis, group.joint], None


def _distance_across(group: Group, at: Ends) -> _Result:
    across = at.offset[:, group.joint] * (np.arange(3)[:, None] != group.axis)
    return _length_and_direction(across, (group.axis + 1) % 3)


def _twist(group: Group, at: Ends) -> _Result:
    q = at.rotation[:, group.joint]
    w, v, axis = q[3], q[:3], _unit(group.axis)
    part = (v * axis).sum(axis=0)
    gradient = w * w * axis + w * cross(v, axis) + part * v
    size = np.maximum(w * w + part * part, _TINY)
    return wrapped(2.0 * np.arctan2(part, w)), gradient / size


def _cone(group: Group, at: Ends) -> _Result:
    tilt, angle = _tilt(group.axis, group.joint, at)
    direction = _length_and_direction(tilt, (group.axis + 1) % 3)[1]
    return angle, direction


def _swing_part(group: Group, at: Ends) -> _Result:
    tilt, angle = _tilt(group.third, group.joint, at)
    sine = np.maximum(np.sqrt((tilt * tilt).sum(axis=0)), _TINY)
    part = tilt[group.axis, np.arange(len(angle))]
    return np.where(sine > 1e-8, part * angle / sine, part), None


def _tilt(axis: Indices, joint: Indices, at: Ends) -> tuple[Array, Array]:
    """Return axis · sine (3, n) and angle (n,) of the turn between the frames' axes `axis`."""
    q, unit = at.rotation[:, joint], _unit(axis)
    turn = 2.0 * cross(q[:3], unit)
    moved = unit + q[3] * turn + cross(q[:3], turn)
    tilt = cross(unit, moved)
    return tilt, np.arctan2(np.sqrt((tilt * tilt).sum(axis=0)), (unit * moved).sum(axis=0))


def _rotation_part(group: Group, at: Ends) -> _Result:
    q = at.rotation[:, group.joint]
    sine = np.sqrt((q[:3] * q[:3]).sum(axis=0))
    angle = 2.0 * np.arctan2(sine, np.abs(q[3]))
    scale = np.where(sine > 1e-8, angle / np.maximum(sine, _TINY), 2.0) * np.where(q[3] < 0, -1, 1)
    return q[group.axis, np.arange(len(angle))] * scale, None


def _angle(group: Group, at: Ends) -> _Result:
    q = at.rotation[:, group.joint]
    sine, direction = _length_and_direction(q[:3] * np.where(q[3] < 0.0, -1.0, 1.0), group.axis)
    return 2.0 * np.arctan2(sine, np.abs(q[3])), direction


def _length_and_direction(vector: Array, fallback: Indices) -> tuple[Array, Array]:
    """Return lengths (n,) and unit vectors (3, n), along `fallback` for no length."""
    length = np.sqrt((vector * vector).sum(axis=0))
    direction = np.where(length > 1e-9, vector / np.maximum(length, _TINY), _unit(fallback))
    return length, direction


_MEASURES = {
    Form.DISTANCE_ALONG: _distance_along,
    Form.DISTANCE_ACROSS: _distance_across,
    Form.SWING_PART: _swing_part,
    Form.ROTATION_PART: _rotation_part,
    Form.TWIST: _twist,
    Form.CONE: _cone,
    Form.ANGLE: _angle,
}
