"""Shapes of a ragdoll: capsules and boxes that fit what the bodies' bones deform.

Points are in the axes of the body's bone, Y along it [m].
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..model.pose import Array
from ..model.shape import Box, Capsule, Sphere
from ..shapes.fit import Fit
from .parts import Part

BOX_PARTS = (Part.HIPS, Part.SPINE, Part.CHEST, Part.HAND, Part.FOOT)
"""Parts that are as thick as they are wide are not long: boxes fit them."""
HELD = 0.98
"""Share of the points between the ends of a shape."""
_AROUND = 0.85
"""Share of the points within the radius of a capsule."""
_MOST_WEIGHT = 0.5
"""Weight from which on a point belongs to a body."""
_FEWEST = 8
"""Points from which on they decide about a shape."""
_SLENDER = 0.15
"""Radius of a bone that deforms nothing, in lengths."""
_GRID = 5
"""Points of a shape along each axis that are looked for in others."""


def owners(weights: Iterable[tuple[ArrayLike, ArrayLike, ArrayLike]], bodies: int) -> list[Array]:
    """Return the body of each point of some meshes, -1 for none, one array for each mesh.

    `weights` are for each mesh: point, body and weight of each entry, shapes (w,); the number of
    points is that of the largest point. Weights of the bones of one body add up.
    """
    found = []
    for point, body, weight in weights:
        at, of = np.asarray(point, np.intp), np.asarray(body, np.intp)
        count = int(at.max()) + 1 if len(at) else 0
        keys, some = at * bodies + of, np.asarray(weight, float)
        total = np.bincount(keys[of >= 0], some[of >= 0], count * bodies).reshape(count, bodies)
        most = total.argmax(axis=1) if count else np.empty(0, np.intp)
        is_held = total[np.arange(count), most] >= _MOST_WEIGHT
        found.append(np.where(is_held, most, -1))
    return found


def fitted_shape(kind: str, points: Array, length: float) -> Fit:
    """Return the capsule or box of points (n, 3); of a bone of some length without points."""
    if len(points) < _FEWEST:
        return _bone_shape(kind, length)
    low, high = np.quantile(points, ((1.0 - HELD) / 2.0, (1.0 + HELD) / 2.0), axis=0)
    x, y, z = ((low + high) / 2.0).tolist()
    size = np.maximum(high - low, 1e-3 * float((high - low).max()))
    if kind == "box":
        return Fit(shape=Box(size=_three(size)), center=(x, y, z))
    across = np.hypot(points[:, 0] - x, points[:, 2] - z)
    radius = min(float(np.quantile(across, _AROUND)), float(size.max()) / 2.0)
    return _capsule(radius, float(size[1]), (x, y, z))


def _bone_shape(kind: str, length: float) -> Fit:
    center = (0.0, length / 2.0, 0.0)
    if kind == "box":
        width = 2.0 * _SLENDER * length
        return Fit(shape=Box(size=(width, length, width)), center=center)
    return _capsule(_SLENDER * length, length, center)


def _capsule(radius: float, extent: float, center: tuple[float, float, float]) -> Fit:
    height = extent - 2.0 * radius
    if height <= 1e-3 * extent:
        return Fit(shape=Sphere(radius=max(radius, extent / 2.0)), center=center)
    shape = Capsule(height=height, radius_bottom=radius, radius_top=radius)
    return Fit(shape=shape, center=center, up=1)


def mirrored_fit(fit: Fit) -> Fit:
    """Return a shape of a bone as the bone of the other side has it: X points the other way."""
    x, y, z = fit.center
    return Fit(shape=fit.shape, center=(-x, y, z), up=fit.up)


def overlapping(fits: Sequence[Fit], worlds: Array) -> NDArray[np.bool_]:
    """Return which shapes overlap, shape (n, n); world matrices (n, 4, 4) are of their nodes.

    Points in each shape are looked for in all others.
    """
    grids = np.array([_grid(fit) for fit in fits]).reshape(len(fits), -1, 3)
    points = grids @ worlds[:, :3, :3].swapaxes(1, 2) + worlds[:, None, :3, 3]
    found = np.zeros((len(fits), len(fits)), bool)
    for number, (fit, world) in enumerate(zip(fits, worlds, strict=True)):
        inverse = np.linalg.inv(world)
        local = points @ inverse[:3, :3].T + inverse[:3, 3] - fit.center
        found[number] = _holds(fit, local).any(axis=1)
    overlap: NDArray[np.bool_] = (found | found.T) & ~np.eye(len(fits), dtype=bool)
    return overlap


def _grid(fit: Fit) -> Array:
    """Return points in a shape (p, 3)."""
    half = _half_size(fit)
    steps = np.linspace(-1.0, 1.0, _GRID)
    cube = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    if not isinstance(fit.shape, Box):
        # A ball, stretched along the axis of a capsule.
        radius = np.linalg.norm(cube, axis=1, keepdims=True)
        cube = cube * np.abs(cube).max(axis=1, keepdims=True) / np.where(radius > 0, radius, 1.0)
    return np.asarray(cube * half + fit.center)


def _half_size(fit: Fit) -> Array:
    shape = fit.shape
    if isinstance(shape, Box):
        return np.array(shape.size) / 2.0
    if isinstance(shape, Capsule):
        half = np.full(3, shape.radius_bottom)
        half[fit.up] += shape.height / 2.0
        return half
    return np.full(3, shape.radius if isinstance(shape, Sphere) else 0.0)


def _holds(fit: Fit, points: Array) -> NDArray[np.bool_]:
    """Return which points (…, 3) around the center of a shape are inside."""
    shape, half = fit.shape, _half_size(fit)
    if isinstance(shape, Box):
        inside: NDArray[np.bool_] = (np.abs(points) < half).all(axis=-1)
        return inside
    radius = shape.radius_bottom if isinstance(shape, Capsule) else half[0]
    away = np.maximum(np.abs(points) - (half - radius), 0.0)
    near: NDArray[np.bool_] = np.linalg.norm(away, axis=-1) < radius
    return near


def _three(values: Array) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
