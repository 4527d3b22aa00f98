"""Shapes of prims in the world, as UsdGeom says."""

from typing import Any

import numpy as np

from ...core.model.pose import Array
from .model import EngineCollider

AXES = {"X": 0, "Y": 1, "Z": 2}
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def shape_of(prim: Any, matrix: Array) -> EngineCollider | None:
    """Return the shape of a prim with a world matrix (4, 4) [m], None for one that has no end."""
    from pxr import UsdGeom  # type: ignore[import-not-found]

    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    place = matrix[:3, 3]
    if prim.IsA(UsdGeom.Mesh):
        points = np.array(UsdGeom.Mesh(prim).GetPointsAttr().Get() or (), float).reshape(-1, 3)
        return EngineCollider(points=points @ matrix[:3, :3].T + place) if len(points) else None
    if prim.IsA(UsdGeom.Cube):
        half = 0.5 * float(UsdGeom.Cube(prim).GetSizeAttr().Get())
        return EngineCollider(points=half * _CORNERS @ matrix[:3, :3].T + place)
    if prim.IsA(UsdGeom.Sphere):
        radius = float(UsdGeom.Sphere(prim).GetRadiusAttr().Get()) * float(scale[0])
        return EngineCollider(points=place[None].copy(), radius=radius)
    for schema in (UsdGeom.Capsule, UsdGeom.Cylinder):
        if prim.IsA(schema):
            shape = schema(prim)
            axis = AXES[str(shape.GetAxisAttr().Get())]
            radius = float(shape.GetRadiusAttr().Get()) * float(scale[axis - 1])
            along = 0.5 * float(shape.GetHeightAttr().Get()) * matrix[:3, axis]
            ends = np.array((along, -along)) + place
            if schema is UsdGeom.Capsule:
                return EngineCollider(points=ends, radius=radius)
            return EngineCollider(points=ends, disc=(along / np.linalg.norm(along), radius))
    return None
