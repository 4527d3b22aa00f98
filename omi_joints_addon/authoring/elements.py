"""What is under the mouse: vertex, edge, face or bone to put a joint frame at. World space."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
from bpy_extras.view3d_utils import (
    location_3d_to_region_2d,
    region_2d_to_origin_3d,
    region_2d_to_vector_3d,
)
from mathutils import Matrix, Vector
from mathutils.geometry import intersect_point_line

from ..core.findings.sentence import Sentence
from .context import present

BONE_REACH = 25.0
"""Distance from the mouse at which a bone's end counts [pixels at interface scale 1]."""


@dataclass(frozen=True, slots=True)
class Element:
    """A place and the frame there."""

    matrix: Matrix
    """Position [m], and rotation with Z along the normal, the edge or, for a bone, its own axes."""
    name: str
    """What was found, for a person."""


def element_of(context: bpy.types.Context, mouse: tuple[float, float], kind: str) -> Element | None:
    """Return the VERTEX, EDGE, FACE or BONE under the mouse, which is given in region pixels."""
    if kind == "BONE":
        return _bone(context, mouse)
    is_hit, place, normal, face, obj, matrix = _seen(context, mouse)
    if not is_hit:
        return None
    if kind == "FACE":
        return Element(_frame(place, normal), Sentence("a face of {object}", object=obj.name))
    mesh: Any = obj.evaluated_get(context.evaluated_depsgraph_get()).data
    corners = [matrix @ mesh.vertices[number].co for number in mesh.polygons[face].vertices]
    if kind == "VERTEX":
        nearest = min(corners, key=lambda corner: (corner - place).length)
        return Element(_frame(nearest, normal), Sentence("a vertex of {object}", object=obj.name))
    point, along = min(_edge_points(corners, place), key=lambda each: (each[0] - place).length)
    return Element(_frame(point, along), Sentence("an edge of {object}", object=obj.name))


def object_at(context: bpy.types.Context, mouse: tuple[float, float]) -> bpy.types.Object | None:
    """Return the object with faces under the mouse, which is given in region pixels."""
    found: bpy.types.Object | None = _seen(context, mouse)[4]
    return found


def _seen(context: bpy.types.Context, mouse: tuple[float, float]) -> Any:
    """Return what a ray through the mouse hits, as `Scene.ray_cast` has it."""
    region, view = present(context.region), present(context.region_data)
    origin = region_2d_to_origin_3d(region, view, mouse)
    ray = region_2d_to_vector_3d(region, view, mouse)
    return present(context.scene).ray_cast(context.evaluated_depsgraph_get(), origin, ray)


def _edge_points(corners: list[Vector], place: Vector) -> Iterator[tuple[Vector, Vector]]:
    """Yield for each edge of a face the point nearest to a place, and the direction of the edge."""
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        nearest, part = intersect_point_line(place, start, end)
        point = start if part < 0.0 else end if part > 1.0 else Vector(nearest[:])
        yield point, end - start


def _bone(context: bpy.types.Context, mouse: tuple[float, float]) -> Element | None:
    """Return the end of a visible bone that is seen nearest to the mouse."""
    reach = BONE_REACH * present(context.preferences).system.ui_scale
    found: list[tuple[float, Element]] = []
    for obj in context.visible_objects:
        if obj.type != "ARMATURE" or obj.pose is None:
            continue
        for bone in obj.pose.bones:
            for end in (bone.head, bone.tail):
                place = obj.matrix_world @ end
                seen = location_3d_to_region_2d(
                    present(context.region), present(context.region_data), place
                )
                if seen is not None and (seen - Vector(mouse)).length <= reach:
                    matrix = (obj.matrix_world @ bone.matrix).normalized()
                    matrix.translation = place
                    distance = (seen - Vector(mouse)).length
                    name = Sentence("bone {bone} of {object}", bone=bone.name, object=obj.name)
                    found.append((distance, Element(matrix, name)))
    return min(found, key=lambda each: each[0])[1] if found else None


def _frame(place: Vector, direction: Vector) -> Matrix:
    """Return the frame at a place with Z along a direction."""
    rotation = direction.to_track_quat("Z", "Y").to_matrix().to_4x4()
    return Matrix.Translation(place) @ rotation
