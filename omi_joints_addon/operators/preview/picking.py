"""Which body is below the mouse: by its own surface, or by a skin that bones move."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import bpy
from bpy_extras.view3d_utils import (
    location_3d_to_region_2d,
    region_2d_to_origin_3d,
    region_2d_to_vector_3d,
)
from mathutils import Vector

from ... import authoring
from ... import preview as previews
from ...authoring.context import present
from ...preview.session import Preview
from ...properties.bones import BodyBone, Node

_REACH = 60.0
"""Distance [pixels] at which a body without a surface can be grabbed."""


def body_at(
    context: bpy.types.Context,
    preview: Preview,
    region: bpy.types.Region,
    view: Any,
    place: tuple[float, float],
) -> tuple[int, Vector] | None:
    """Return the body at a place of the region and the world point to hold it at."""
    moving = preview.held_bodies
    owner = preview.scene.bodies()
    origin, way = (
        region_2d_to_origin_3d(region, view, place),
        region_2d_to_vector_3d(region, view, place),
    )
    graph = context.evaluated_depsgraph_get()
    hit, point, _, face, obj, _ = present(context.scene).ray_cast(graph, origin, way)
    if hit:
        for each in hit_nodes(obj.evaluated_get(graph), face):
            body = int(owner[preview.objects.index(each)]) if each in preview.objects else -1
            if body in moving:
                return body, point
    nearest: tuple[float, int, Vector] | None = None
    is_simulated = isinstance(preview, previews.simulated.SimulationPreview)
    for node in moving if is_simulated else ():
        center = Vector(preview.live.shown.poses[node, :3, 3].tolist())
        shown = location_3d_to_region_2d(region, view, center)
        distance = _REACH if shown is None else (shown - Vector(place)).length
        if distance < (_REACH if nearest is None else nearest[0]):
            nearest = distance, node, center
    return None if nearest is None else nearest[1:]


def hit_nodes(obj: bpy.types.Object, face: int) -> Iterator[Node]:
    """Yield an evaluated object and, of a skin, the bones that move a face of it.

    Those that move it most come first, each with the bones above it.
    """
    yield present(obj.original)
    armature = authoring.skins.armature_of(obj.original)
    mesh: Any = obj.data
    if obj.type != "MESH" or armature is None or armature.pose is None:
        return
    weights = Counter[int]()
    for vertex in mesh.polygons[face].vertices:
        for entry in mesh.vertices[vertex].groups:
            weights[entry.group] += entry.weight
    for group, _ in weights.most_common():
        bone = armature.pose.bones.get(obj.vertex_groups[group].name)
        while bone is not None:
            yield BodyBone(armature, bone.name)
            bone = bone.parent
