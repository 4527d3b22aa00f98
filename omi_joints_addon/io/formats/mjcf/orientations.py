"""Rotations x y z w of the attributes that turn elements of MJCF, one at a time."""

import math
from collections.abc import Sequence

import numpy as np

from ....core.model.pose import rotation_from_matrix

Rotation = tuple[float, float, float, float]
ORIENTATIONS = {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}
"""How many numbers each attribute has."""
NO_TURN: Rotation = (0.0, 0.0, 0.0, 1.0)


def rotation_of(
    name: str, values: Sequence[float], *, angle: float, sequence: str
) -> Rotation | None:
    """Return the rotation of an attribute in `ORIENTATIONS`, None without a direction.

    `angle` is what one of its angles is [rad], `sequence` the axes of `euler`.
    """
    if name == "quat":
        return _quaternion(values)
    if name == "axisangle":
        axis = _unit(values[:3])
        return None if axis is None else _about(axis, values[3] * angle)
    if name == "euler":
        return _euler([value * angle for value in values], sequence)
    return _from_axes(values) if name == "xyaxes" else from_z(values)


def from_z(values: Sequence[float]) -> Rotation | None:
    """Return the smallest rotation that turns Z onto a vector, None for one without length."""
    z = _unit(values)
    if z is None:
        return None
    sine = math.hypot(z[0], z[1])
    if sine < 1e-10:
        return NO_TURN if z[2] > 0.0 else (1.0, 0.0, 0.0, 0.0)
    return _about((-z[1] / sine, z[0] / sine, 0.0), math.atan2(sine, z[2]))


def _quaternion(values: Sequence[float]) -> Rotation | None:
    unit = _unit(values)
    return None if unit is None else (unit[1], unit[2], unit[3], unit[0])


def _unit(values: Sequence[float]) -> list[float] | None:
    length = math.hypot(*values)
    return [value / length for value in values] if 1e-12 < length < math.inf else None


def _about(axis: Sequence[float], angle: float) -> Rotation:
    sine = math.sin(angle / 2.0)
    return axis[0] * sine, axis[1] * sine, axis[2] * sine, math.cos(angle / 2.0)


def _euler(angles: Sequence[float], sequence: str) -> Rotation:
    """Return the rotation of three angles: lower case turns with the body, upper does not."""
    found = NO_TURN
    for letter, angle in zip(sequence, angles, strict=True):
        axis = [0.0, 0.0, 0.0]
        axis["xyz".index(letter.lower())] = 1.0
        turn = _about(axis, angle)
        found = _product(found, turn) if letter.islower() else _product(turn, found)
    return found


def _product(one: Rotation, other: Rotation) -> Rotation:
    a, b, c, w = one
    x, y, z, v = other
    return (
        w * x + v * a + b * z - c * y,
        w * y + v * b + c * x - a * z,
        w * z + v * c + a * y - b * x,
        w * v - a * x - b * y - c * z,
    )


def _from_axes(values: Sequence[float]) -> Rotation | None:
    """Return the rotation whose X is the first vector and whose Y is near the second."""
    x = _unit(values[:3])
    if x is None:
        return None
    along = sum(one * other for one, other in zip(x, values[3:], strict=True))
    y = _unit([value - along * one for one, value in zip(x, values[3:], strict=True)])
    if y is None:
        return None
    axes = np.column_stack((x, y, np.cross(x, y)))
    one, two, three, four = rotation_from_matrix(axes).tolist()
    return one, two, three, four
