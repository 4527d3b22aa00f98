"""Empties of joints and bodies stay where they are when their transforms are applied.

Blender applies the transform of a mesh to its points. An empty has none, so that it jumps to the
origin of what it is below, and a joint or the body of a robot with it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.pose import Array
from ..properties.body import body_data_of
from ..properties.bones import world_matrix
from ..scene.structure import parents_of
from .following import scale_body
from .frames import place_under, rigid_matrix

_SAME = 1e-5
"""Difference of matrices that is rounding."""
_SMALL = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class PutBack:
    """How an object was put back: Blender's undo knows only what was before."""

    before: Array
    """Its own matrix and its parent inverse (8, 4) as Blender had left them."""
    after: Array
    """The same afterwards."""
    factor: float
    """By how much its shapes were scaled."""


def put_back(places: Mapping[bpy.types.Object, Array]) -> dict[int, PutBack]:
    """Put empties back that are elsewhere than at `places`, their world matrices (4, 4) before.

    What is below them stays where it is now. Return what was done, by `session_uid`.
    """
    moved = dict(_moved(places))
    wanted: dict[Any, Matrix] = dict(moved)
    for obj in moved:
        for child in obj.children:
            wanted.setdefault(child, world_matrix(child).copy())
    factors = {obj: _factor(obj, place, obj in moved) for obj, place in places.items()}
    changed = dict.fromkeys((*wanted, *(obj for obj, factor in factors.items() if factor != 1.0)))
    before = {obj: _local(obj) for obj in changed}
    for obj in sorted(wanted, key=lambda obj: len([*parents_of(obj)])):
        _put(obj, wanted, is_moved=obj in moved)
    for obj, factor in factors.items():
        scale_body(obj, factor)
    return {
        obj.session_uid: PutBack(local, _local(obj), factors.get(obj, 1.0))
        for obj, local in before.items()
    }


def put_back_again(
    objects: Iterable[bpy.types.Object], known: Mapping[int, Iterable[PutBack]]
) -> None:
    """Put objects back that undo has brought to where they were put back from."""
    for obj in objects:
        for each in known.get(obj.session_uid, ()):
            if np.array_equal(_local(obj), each.before):
                obj.matrix_basis = Matrix(each.after[:4].tolist())
                obj.matrix_parent_inverse = Matrix(each.after[4:].tolist())
                scale_body(obj, each.factor)
                break


def _moved(places: Mapping[bpy.types.Object, Array]) -> Iterable[tuple[bpy.types.Object, Matrix]]:
    """Yield the objects that are elsewhere, and where they were."""
    for obj, place in places.items():
        world = rigid_matrix(Matrix(place.tolist()))
        if np.abs(np.array(world) - np.array(rigid_matrix(world_matrix(obj)))).max() > _SAME:
            yield obj, world


def _factor(obj: bpy.types.Object, place: Array, is_moved: bool) -> float:
    """Return by how much the shapes of a body are to be scaled to stay as large in the world."""
    if body_data_of(obj) is None:
        return 1.0
    now = 1.0 if is_moved else max(_size(np.array(world_matrix(obj))), _SMALL)
    factor = _size(place) / now
    return factor if abs(factor - 1.0) > _SAME else 1.0


def _local(obj: bpy.types.Object) -> Array:
    return np.concatenate((np.array(obj.matrix_basis), np.array(obj.matrix_parent_inverse)))


def _put(obj: Any, wanted: Mapping[Any, Matrix], *, is_moved: bool) -> None:
    if obj.parent is None or obj.parent_type != "OBJECT":
        obj.matrix_world = wanted[obj]
        return
    above = wanted.get(obj.parent, world_matrix(obj.parent))
    if is_moved:
        place_under(obj, obj.parent, wanted[obj], above=above)
    else:
        inverse = above.inverted_safe() @ wanted[obj] @ obj.matrix_basis.inverted_safe()
        obj.matrix_parent_inverse = inverse


def _size(matrix: Array) -> float:
    """Return the mean scale of a matrix (4, 4)."""
    return float(np.linalg.norm(matrix[:3, :3], axis=0).mean())
