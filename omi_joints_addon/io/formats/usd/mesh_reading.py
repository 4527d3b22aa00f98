"""Meshes of a stage as triangles."""

from functools import partial
from typing import Any

import numpy as np

from ....core.model.mesh import Mesh, MeshData
from ....core.model.numbers import all_usable
from ....core.model.pose import Array


def read_mesh(prim: Any, axes: Array, time: Any) -> Mesh:
    """Return the mesh of a prim; `axes` (4, 4) takes its points to the axes of its node [m].

    The arrays are taken now and made triangles when they are asked for, so that no stage stays
    open.
    """
    points = _array(prim, "points", time, np.float64)
    counts = _array(prim, "faceVertexCounts", time, np.int64)
    indices = _array(prim, "faceVertexIndices", time, np.int64)
    is_left = _value(prim, "orientation", time) == "leftHanded"
    is_mirrored = bool(np.linalg.det(axes[:3, :3]) < 0.0) != is_left

    read = partial(_placed, points, counts, indices, axes, is_mirrored)
    return Mesh(name=str(prim.GetName()), read=read)


def _placed(points: Any, counts: Any, indices: Any, axes: Array, is_mirrored: bool) -> MeshData:
    """Return a mesh in the axes of its node; raises `ValueError` for a damaged one."""
    if points.ndim != 2 or points.shape[-1] != 3 or not all_usable(points):
        raise ValueError("its points are not triples of usable numbers")
    placed = points @ axes[:3, :3].T + axes[:3, 3]
    return MeshData(placed, _triangles(counts, indices, len(points), is_mirrored))


def _triangles(counts: Any, indices: Any, points: int, is_mirrored: bool) -> Any:
    """Return faces as fans of triangles, shape (t, 3); raises `ValueError` for damaged ones."""
    if counts.ndim != 1 or indices.ndim != 1 or (counts < 0).any():
        raise ValueError("its faces are damaged")
    if int(counts.sum()) != len(indices) or ((indices < 0) | (indices >= points)).any():
        raise ValueError("its faces refer to missing points")
    starts = np.concatenate(([0], np.cumsum(counts)))[:-1]
    fans = np.maximum(counts - 2, 0)
    start = np.repeat(starts, fans)
    number = np.arange(int(fans.sum())) - np.repeat(np.cumsum(fans) - fans, fans)
    corners = np.stack((start, start + number + 1, start + number + 2), axis=-1)
    triangles = indices[corners].reshape(-1, 3)
    return triangles[:, ::-1] if is_mirrored else triangles


def _value(prim: Any, name: str, time: Any) -> Any:
    attribute = prim.GetAttribute(name)
    return attribute.Get(time) if attribute else None


def _array(prim: Any, name: str, time: Any, kind: Any) -> Any:
    value = _value(prim, name, time)
    try:
        with np.errstate(invalid="ignore"):
            return np.array(value if value is not None else (), dtype=kind)
    except (TypeError, ValueError, OverflowError):
        return np.array(np.nan)
