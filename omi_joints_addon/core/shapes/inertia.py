"""Volume, center of mass and inertia of shapes and meshes, filled evenly.

A solid has density 1 kg/m³, so that its mass is its volume; `inertia_at` gives other masses.
Primitives are solids of revolution, or boxes, whose integrals are polynomials; meshes are sums over
tetrahedra (Tonon, "Explicit Exact Formulas for the 3-D Tetrahedron Inertia Tensor", 2005). All
exact but for rounding.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from ..model.pose import Array, Pose, rotate, rotation_from_matrix, rotation_matrix
from ..model.shape import Box, Capsule, Cylinder, Shape, Sphere, unusable_sizes
from .hull import convex_hull

Polynomial = tuple[float, ...]
"""Coefficients, lowest power first."""
Profile = tuple[Polynomial, float, float]
"""Squared radius of a solid of revolution over the height, from one height to another."""
_ROUNDING = 1e-6
"""Share by which a moment may exceed the sum of the others by rounding."""
_LEAST = 1e-12
"""Share by which it is then less."""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """Mass properties at density 1."""

    volume: float
    """[m³]."""
    center: Array
    """Center of mass [m], shape (3,)."""
    inertia: Array
    """Inertia tensor about the center [kg·m² at 1 kg/m³], shape (3, 3)."""


def primitive_solid(shape: Shape) -> Solid | None:
    """Return the solid of a shape, which stands on Z.

    None for shapes that are meshes, unknown, or of unusable sizes.
    """
    if unusable_sizes(shape):
        return None
    if isinstance(shape, Box):
        return _box_solid(np.array(shape.size))
    profile = _profile(shape)
    return _revolution_solid(profile) if profile else None


def mesh_solid(vertices: ArrayLike, triangles: ArrayLike) -> Solid | None:
    """Return the solid inside a closed mesh: vertices (n, 3) [m], triangles (t, 3).

    None where the mesh is not closed or holds no volume; triangles may face out or in.
    """
    points = np.asarray(vertices, float)
    if not len(points) or not len(np.asarray(triangles)):
        return None
    middle = points.mean(axis=0)
    a, b, c = np.moveaxis((points - middle)[np.asarray(triangles)], 1, 0)
    areas = np.cross(b - a, c - a)
    if np.linalg.norm(areas.sum(axis=0)) > 1e-4 * np.linalg.norm(areas, axis=1).sum():
        return None
    # Signed volumes of the tetrahedra from the middle, times 6.
    parts = np.einsum("ij,ij->i", a, np.cross(b, c))
    volume = float(parts.sum()) / 6.0
    if abs(volume) <= 1e-12 * float(np.ptp(points, axis=0).max()) ** 3:
        return None
    corners = a + b + c
    center = parts @ corners / (24.0 * volume)
    weighted = parts[:, None]
    moments = (a * weighted).T @ a + (b * weighted).T @ b + (c * weighted).T @ c
    moments += (corners * weighted).T @ corners
    second = moments / 120.0 - volume * np.outer(center, center)
    return _solid(volume, center + middle, second)


def convex_solid(vertices: ArrayLike) -> Solid | None:
    """Return the solid of the convex hull of vertices (n, 3) [m]; None for a flat hull."""
    return mesh_solid(vertices, convex_hull(vertices))


def placed(solid: Solid, pose: Pose) -> Solid:
    """Return a solid given in the axes of `pose` in the space that the pose is given in."""
    return placed_all([solid], Pose(pose.position[None], pose.rotation[None]))[0]


def placed_all(solids: Sequence[Solid], poses: Pose) -> list[Solid]:
    """Return solids given in the axes of `poses` (n,) in the space that the poses are given in."""
    turns = rotation_matrix(poses.rotation)
    own = np.array([solid.center for solid in solids]).reshape(-1, 3)
    centers = poses.position + rotate(poses.rotation, own)
    inertias = np.array([solid.inertia for solid in solids]).reshape(-1, 3, 3)
    turned = turns @ inertias @ np.swapaxes(turns, 1, 2)
    return [
        Solid(solid.volume, center, inertia)
        for solid, center, inertia in zip(solids, centers, turned, strict=True)
    ]


def combined(solids: Sequence[Solid]) -> Solid | None:
    """Return several solids as one by the parallel axis theorem; overlaps count twice."""
    volume = sum(solid.volume for solid in solids)
    if not volume > 0.0:
        return None
    if len(solids) == 1:
        return solids[0]
    center = sum((solid.volume * solid.center for solid in solids), np.zeros(3)) / volume
    inertia = np.zeros((3, 3))
    for solid in solids:
        inertia += solid.inertia + solid.volume * _point_inertia(solid.center - center)
    return Solid(volume, center, inertia)


def inertia_at(solid: Solid, mass: float) -> Array:
    """Return the inertia tensor [kg·m²] about the center of mass at another mass [kg]."""
    return np.asarray(solid.inertia * (mass / solid.volume))


def principal_axes(inertia: ArrayLike) -> tuple[Array, Array]:
    """Return the principal moments (..., 3) of tensors (..., 3, 3), and rotations x y z w.

    The rotations (..., 4) are those of the principal axes. Of all ways to name the axes, the one
    turned least; a tensor that is diagonal but for rounding is not turned at all.
    """
    tensor = np.asarray(inertia, float)
    flat = tensor.reshape(-1, 3, 3)
    moments: Array = np.diagonal(flat, axis1=1, axis2=2).copy()
    turns = np.tile((0.0, 0.0, 0.0, 1.0), (len(flat), 1))
    beside = np.abs(flat * ~np.eye(3, dtype=bool)).max(axis=(1, 2), initial=0.0)
    # Not a number is turned by no comparison.
    is_turned = ~(beside <= 1e-9 * np.abs(moments).max(axis=1, initial=0.0))
    if is_turned.any():
        moments[is_turned], turns[is_turned] = _turned_axes(flat[is_turned])
    return moments.reshape(tensor.shape[:-1]), turns.reshape(*tensor.shape[:-2], 4)


def balanced(moments: Sequence[float]) -> tuple[float, float, float]:
    """Return principal moments that a body can have: the mean three times for others.

    What is too large by rounding only becomes the sum of the other two.
    """
    one, two, three = map(float, moments)
    large, rest = max(one, two, three), sum((one, two, three)) - max(one, two, three)
    if large <= rest:
        return one, two, three
    if large > rest * (1.0 + _ROUNDING):
        return (((large + rest) / 3.0),) * 3
    one, two, three = (min(each, rest * (1.0 - _LEAST)) for each in (one, two, three))
    return one, two, three


def _turned_axes(tensors: Array) -> tuple[Array, Array]:
    """Return principal moments (n, 3) and rotations (n, 4) of tensors (n, 3, 3)."""
    # As large as they may be, sums and squares of the numbers stay finite.
    size = np.abs(tensors).max(axis=(1, 2))[:, None, None]
    moments, axes = np.linalg.eigh(tensors / size / 2.0 + np.swapaxes(tensors, 1, 2) / size / 2.0)
    orders = np.array(list(permutations(range(3))))
    traces = np.abs(axes[:, np.arange(3), orders]).sum(axis=2)
    order = orders[traces.argmax(axis=1)][:, None, :]
    axes = np.take_along_axis(axes, np.broadcast_to(order, axes.shape), axis=2)
    axes = axes * np.where(np.diagonal(axes, axis1=1, axis2=2) < 0.0, -1.0, 1.0)[:, None, :]
    least = np.diagonal(axes, axis1=1, axis2=2).argmin(axis=1)
    mirrored = np.flatnonzero(np.linalg.det(axes) < 0.0)
    axes[mirrored, :, least[mirrored]] *= -1.0
    found = size[:, 0] * np.take_along_axis(moments, order[:, 0], axis=1)
    return found, rotation_from_matrix(axes)


def _box_solid(size: Array) -> Solid:
    volume = float(np.prod(size))
    return _solid(volume, np.zeros(3), np.diag(volume * size**2 / 12.0))


def _profile(shape: Shape) -> list[Profile]:
    """Return squared radii over the height, bottom first; empty for no solid of revolution."""
    if isinstance(shape, Sphere):
        return [_ball(shape.radius, 0.0)]
    if isinstance(shape, Cylinder):
        half = shape.height / 2.0
        return [_frustum(shape.radius_bottom, shape.radius_top, -half, half)]
    if isinstance(shape, Capsule):
        return _capsule_profile(shape)
    return []


def _capsule_profile(shape: Capsule) -> list[Profile]:
    """Return two caps and the cone that touches both; one ball where it holds the other."""
    half = shape.height / 2.0
    bottom, top = shape.radius_bottom, shape.radius_top
    if abs(bottom - top) >= shape.height:
        return [_ball(bottom, -half) if bottom > top else _ball(top, half)]
    sine = (bottom - top) / shape.height
    cosine = math.sqrt(1.0 - sine**2)
    low, high = -half + bottom * sine, half + top * sine
    below, above = _ball(bottom, -half), _ball(top, half)
    return [
        (below[0], below[1], low),
        _frustum(bottom * cosine, top * cosine, low, high),
        (above[0], high, above[2]),
    ]


def _ball(radius: float, height: float) -> Profile:
    squared = (radius**2 - height**2, 2.0 * height, -1.0)
    return squared, height - radius, height + radius


def _frustum(bottom: float, top: float, low: float, high: float) -> Profile:
    slope = (top - bottom) / (high - low)
    radius = (bottom - slope * low, slope)
    return _product(radius, radius), low, high


def _revolution_solid(profile: list[Profile]) -> Solid:
    """Return the solid that a squared radius turned about Z makes."""
    volume = _integral(profile, (1.0,), 1)
    middle = _integral(profile, (0.0, 1.0), 1) / volume
    along = _integral(profile, (0.0, 0.0, 1.0), 1) - volume * middle**2
    across = _integral(profile, (1.0,), 2) / 4.0
    center = np.array((0.0, 0.0, middle))
    return _solid(volume, center, np.diag((across, across, along)))


def _integral(profile: list[Profile], factor: Polynomial, power: int) -> float:
    """Return pi times the integral of factor * radius^(2 power) over the height."""
    total = 0.0
    for squared, low, high in profile:
        terms = factor
        for _ in range(power):
            terms = _product(terms, squared)
        total += _primitive(terms, high) - _primitive(terms, low)
    return math.pi * total


def _product(one: Polynomial, other: Polynomial) -> Polynomial:
    found = [0.0] * (len(one) + len(other) - 1)
    for n, a in enumerate(one):
        for m, b in enumerate(other):
            found[n + m] += a * b
    return tuple(found)


def _primitive(terms: Polynomial, at: float) -> float:
    """Return the integral of a polynomial from 0."""
    found = 0.0
    for number in range(len(terms), 0, -1):
        found = (found + terms[number - 1] / number) * at
    return found


def _solid(volume: float, center: Array, second: Array) -> Solid:
    """Return a solid from its second moments (3, 3) about the center, negative if inside out."""
    sign = math.copysign(1.0, volume)
    inertia = sign * (np.trace(second) * np.eye(3) - second)
    return Solid(abs(volume), center, (inertia + inertia.T) / 2.0)


def _point_inertia(offset: Array) -> Array:
    """Return the inertia tensor of 1 kg at an offset (3,)."""
    return np.asarray(offset @ offset * np.eye(3) - np.outer(offset, offset))
