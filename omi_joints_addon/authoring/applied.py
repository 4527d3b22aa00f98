"""Empties of joints and bodies stay where they are when their transforms are applied.

Blender applies the transform of a mesh to its points. An empty has none, so that it jumps to the
origin of what it is below, and a joint or the body of a robot with it.
"""

from collections.abc import Mapping
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.pose import Array
from ..properties.body import body_data_of
from .following import scale_body
from .frames import place_under, rigid_matrix

_SAME = 1e-5
"""Difference of matrices that is rounding."""
_SMALL = 1e-12


def put_back(places: Mapping[bpy.types.Object, Array]) -> None:
    """Put empties back that are elsewhere than at `places`, their world matrices (4, 4) before.

    What is below them stays where it is now.
    """
    wanted: dict[Any, Matrix] = {}
    for obj, place in places.items():
        before = Matrix(place.tolist())
        world = rigid_matrix(before)
        if _difference(world, rigid_matrix(obj.matrix_world)) > _SAME:
            wanted[obj] = world
            scale_body(obj, _size(before))
        elif body_data_of(obj) is not None:
            scale_body(obj, _size(before) / max(_size(obj.matrix_world), _SMALL))
    moved = dict(wanted)
    for obj in moved:
        for child in obj.children:
            wanted.setdefault(child, child.matrix_world.copy())
    for obj in sorted(wanted, key=_depth):
        _put(obj, wanted, is_moved=obj in moved)


def _put(obj: Any, wanted: Mapping[Any, Matrix], *, is_moved: bool) -> None:
    if obj.parent is None or obj.parent_type != "OBJECT":
        obj.matrix_world = wanted[obj]
        return
    above = wanted.get(obj.parent, obj.parent.matrix_world)
    if is_moved:
        place_under(obj, obj.parent, wanted[obj], above=above)
    else:
        inverse = above.inverted_safe() @ wanted[obj] @ obj.matrix_basis.inverted_safe()
        obj.matrix_parent_inverse = inverse


def _size(matrix: Matrix) -> float:
    """Return the mean scale of a matrix."""
    return float(np.linalg.norm(np.array(matrix)[:3, :3], axis=0).mean())


def _depth(obj: Any) -> int:
    depth = 0
    while (obj := obj.parent) is not None:
        depth += 1
    return depth


def _difference(one: Matrix, other: Matrix) -> float:
    return float(np.abs(np.array(one) - np.array(other)).max())
