"""Surfaces of primitive shapes as meshes, to be shown. SI units, upright shapes stand on Z."""

import math

import numpy as np

from ..model.mesh import MeshData
from ..model.pose import Array
from ..model.shape import Box, Capsule, Cylinder, Shape, Sphere

_SEGMENTS = 32
_RINGS = 8
"""Rings of a half ball."""


def shape_surface(shape: Shape) -> MeshData | None:
    """Return a closed mesh around a primitive; None for meshes and unknown shapes."""
    if isinstance(shape, Box):
        return _box(np.array(shape.size))
    profile = _profile(shape)
    return None if profile is None else _revolved(profile)


def _box(size: Array) -> MeshData:
    signs = np.array([(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], float)
    quads = np.array(
        ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    )
    triangles = np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))
    return MeshData(points=signs * size / 2.0, triangles=triangles.astype(np.intp))


def _profile(shape: Shape) -> Array | None:
    """Return radius and height of the rings between the poles, the poles first and last."""
    if isinstance(shape, Sphere):
        return _arc(shape.radius, 0.0, -1.0, 1.0)
    if isinstance(shape, Cylinder):
        half = shape.height / 2.0
        ends = ((0.0, -half), (shape.radius_bottom, -half), (shape.radius_top, half), (0.0, half))
        return np.array(ends)
    if not isinstance(shape, Capsule):
        return None
    bottom, top, half = shape.radius_bottom, shape.radius_top, shape.height / 2.0
    if abs(bottom - top) >= shape.height:
        return _arc(max(bottom, top), half if top > bottom else -half, -1.0, 1.0)
    tangent = math.asin((bottom - top) / shape.height) / (math.pi / 2.0)
    lower, upper = _arc(bottom, -half, -1.0, tangent), _arc(top, half, tangent, 1.0)
    return np.concatenate((lower, upper))


def _arc(radius: float, height: float, start: float, end: float) -> Array:
    """Return rings of a ball from latitude `start` to `end`, in quarter turns."""
    count = max(2, round(_RINGS * (end - start)) + 1)
    latitude = np.linspace(start, end, count) * math.pi / 2.0
    rings = np.stack((np.cos(latitude) * radius, height + np.sin(latitude) * radius), axis=1)
    rings[np.abs(np.linspace(start, end, count)) == 1.0, 0] = 0.0
    return np.asarray(rings)


def _revolved(profile: Array) -> MeshData:
    """Return a profile turned about Z, its first and last point being poles."""
    angles = np.arange(_SEGMENTS) * 2.0 * math.pi / _SEGMENTS
    circle = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    inner = profile[1:-1]
    rings = np.concatenate(
        (
            inner[:, None, :1] * circle[None],
            np.repeat(inner[:, None, 1:], _SEGMENTS, axis=1),
        ),
        axis=2,
    ).reshape(-1, 3)
    poles = np.array(((0.0, 0.0, profile[0, 1]), (0.0, 0.0, profile[-1, 1])))
    here, after = np.arange(_SEGMENTS), np.roll(np.arange(_SEGMENTS), -1)
    last = (len(inner) - 1) * _SEGMENTS
    bottom, top = len(rings), len(rings) + 1
    faces = [
        np.stack((np.full(_SEGMENTS, bottom), after, here), axis=1),
        np.stack((np.full(_SEGMENTS, top), last + here, last + after), axis=1),
    ]
    for ring in range(len(inner) - 1):
        low, high = ring * _SEGMENTS, (ring + 1) * _SEGMENTS
        faces += [
            np.stack((low + here, low + after, high + after), axis=1),
            np.stack((low + here, high + after, high + here), axis=1),
        ]
    return MeshData(np.concatenate((rings, poles)), np.concatenate(faces).astype(np.intp))
