"""Handles to drag the sizes of shapes: the faces of boxes, radii, and the ends of upright shapes.

Places and directions are those of the space that the shape stands in (`fit.Fit`), in m.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..model.pose import Array, rotation_matrix
from ..model.shape import Box, Capsule, Shape, Sphere, Upright
from .fit import Fit

THINNEST = 1e-4
"""Least size that a drag leaves [m]."""


@dataclass(frozen=True, slots=True)
class ShapeHandle:
    """A size that can be dragged along a line."""

    name: str
    """Name of the size, `radii` for both radii of an upright shape that are alike."""
    axis: int
    """0 X, 1 Y, 2 Z of the shape, which an upright one stands on."""
    sign: int
    """Side of the shape that it is on, 1 or -1."""
    place: tuple[float, float, float]
    """In the shape's own axes [m]."""

    is_angle, floor, ceiling = False, -math.inf, math.inf


def shape_handles(shape: Shape) -> Iterator[ShapeHandle]:
    """Yield the handles of a shape; meshes have none."""
    if isinstance(shape, Box):
        for axis, size in enumerate(shape.size):
            yield from (_handle("size", axis, sign, size / 2.0) for sign in (1, -1))
    if isinstance(shape, Sphere):
        yield from (_handle("radius", axis, 1, shape.radius) for axis in range(3))
    if isinstance(shape, Upright):
        yield from _upright_handles(shape)


def _upright_handles(shape: Upright) -> Iterator[ShapeHandle]:
    half, is_round = shape.height / 2.0, isinstance(shape, Capsule)
    for sign, radius in ((1, shape.radius_top), (-1, shape.radius_bottom)):
        yield _handle("height", 2, sign, half + (radius if is_round else 0.0))
    if shape.radius_top == shape.radius_bottom:
        yield from (_handle("radii", axis, 1, shape.radius_top) for axis in range(2))
    else:
        for name, z in (("radius_top", half), ("radius_bottom", -half)):
            yield ShapeHandle(name, 0, 1, (getattr(shape, name), 0.0, z))


def _handle(name: str, axis: int, sign: int, distance: float) -> ShapeHandle:
    x, y, z = (sign * distance if each == axis else 0.0 for each in range(3))
    return ShapeHandle(name, axis, sign, (x, y, z))


def line(fit: Fit, handle: ShapeHandle) -> tuple[Array, Array]:
    """Return where a handle is and which way it goes, shapes (3,)."""
    turn = rotation_matrix(np.array(fit.rotation))
    return np.array(fit.center) + turn @ handle.place, turn[:, handle.axis] * handle.sign


def dragged(fit: Fit, handle: ShapeHandle, way: float, *, is_symmetric: bool = False) -> Fit:
    """Return a shape with a handle moved by a `way` [m] along its line.

    The other side of a box or of an upright shape stays, unless the drag `is_symmetric`.
    """
    shape, axis, is_radius = fit.shape, handle.axis, handle.name.startswith("rad")
    names = ("radius_bottom", "radius_top") if handle.name == "radii" else (handle.name,)
    before = shape.size[axis] if isinstance(shape, Box) else getattr(shape, names[0])
    least = 0.0 if handle.name == "height" and isinstance(shape, Capsule) else THINNEST
    now = max(before + way * (2.0 if is_symmetric and not is_radius else 1.0), least)
    if isinstance(shape, Box):
        x, y, z = (now if each == axis else size for each, size in enumerate(shape.size))
        return _moved(fit, replace(shape, size=(x, y, z)), handle, now - before, is_symmetric)
    sizes: dict[str, Any] = dict.fromkeys(names, now)
    new = replace(shape, **sizes)
    return _moved(fit, new, handle, now - before, is_symmetric or is_radius)


def _moved(fit: Fit, shape: Shape, handle: ShapeHandle, growth: float, stays: bool) -> Fit:
    """Return a shape whose side at a handle has moved by its growth [m], or whose center stays."""
    if stays:
        return replace(fit, shape=shape)
    _place, direction = line(fit, handle)
    x, y, z = (np.array(fit.center) + 0.5 * growth * direction).tolist()
    return replace(fit, shape=shape, center=(x, y, z))
