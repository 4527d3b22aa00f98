"""Area, center and inertia of the surfaces of shapes, which are of even thickness.

A shell has density 1 kg/m², so that its mass is its area. Closed forms, sums over the parts of the
surface; primitives stand on Z.
"""

import math

import numpy as np

from ..model.pose import Array
from ..model.shape import Box, Capsule, Cylinder, Shape, Sphere, unusable_sizes
from .inertia import Solid


def primitive_shell(shape: Shape) -> Solid | None:
    """Return the shell of a shape; None for meshes, tapered and unknown shapes."""
    if unusable_sizes(shape):
        return None
    if isinstance(shape, Box):
        return _box(np.array(shape.size) / 2.0)
    if isinstance(shape, Sphere):
        area = 4.0 * math.pi * shape.radius**2
        return _shell(area, *[2.0 / 3.0 * area * shape.radius**2] * 2)
    if not isinstance(shape, Capsule | Cylinder) or shape.radius_bottom != shape.radius_top:
        return None
    radius, height = shape.radius_top, shape.height
    side = 2.0 * math.pi * radius * height
    across, along = side * (radius**2 / 2.0 + height**2 / 12.0), side * radius**2
    if isinstance(shape, Cylinder):
        ends = 2.0 * math.pi * radius**2
        across += ends * (radius**2 + height**2) / 4.0
        return _shell(side + ends, across, along + ends * radius**2 / 2.0)
    ends = 4.0 * math.pi * radius**2
    # Half a sphere's shell has its center of mass at half of its radius.
    across += ends * (5.0 / 12.0 * radius**2 + ((height + radius) / 2.0) ** 2)
    return _shell(side + ends, across, along + 2.0 / 3.0 * ends * radius**2)


def _shell(area: float, across: float, along: float) -> Solid:
    return Solid(area, np.zeros(3), np.diag((across, across, along)))


def _box(half: Array) -> Solid:
    """Return the shell of a box from its half sides (3,)."""
    areas = 8.0 * np.prod(half) / half
    # Mean square of each coordinate on the faces across each axis, shape (faces, coordinates).
    squares = half**2 / 3.0 + np.diag(half**2 * 2.0 / 3.0)
    second = areas @ squares
    return Solid(float(areas.sum()), np.zeros(3), np.diag(second.sum() - second))
