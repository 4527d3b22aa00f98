"""What the bones of an armature deform: points of its meshes and their weights, at rest."""

from collections.abc import Iterator, Mapping
from itertools import chain

import bpy
import numpy as np

from ..core.model.pose import Array
from ..core.ragdoll.shapes import owners
from ..properties.mesh_points import mesh_points


def armature_of(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """Return an armature, or the one that deforms a mesh; None for anything else."""
    if obj is None or obj.type == "ARMATURE":
        return obj
    return next(_armatures(obj), None)


def skins_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the meshes of a scene that an armature deforms."""
    return [obj for obj in scene.objects if obj.type == "MESH" and armature in _armatures(obj)]


def points_of_bodies(
    armature: bpy.types.Object, scene: bpy.types.Scene, bodies: Mapping[str, int], count: int
) -> list[Array]:
    """Return the world points (p, 3) that each of some bodies moves most, in the rest pose.

    `bodies` are the numbers of bodies by the names of their bones.
    """
    skins = skins_of(armature, scene)
    found = owners((_weights(skin, bodies) for skin in skins), count)
    parts: list[list[Array]] = [[] for _ in range(count)]
    for skin, owner in zip(skins, found, strict=True):
        points = mesh_points(skin.data)[: len(owner)].astype(float)  # type: ignore[arg-type]
        world = np.array(skin.matrix_world)
        points = points @ world[:3, :3].T + world[:3, 3]
        for number in range(count):
            parts[number].append(points[owner == number])
    return [np.concatenate([np.empty((0, 3)), *each]) for each in parts]


def _weights(skin: bpy.types.Object, bodies: Mapping[str, int]) -> tuple[Array, Array, Array]:
    """Return point, body and weight of each entry in the vertex groups of a mesh, shapes (w,)."""
    mesh: bpy.types.Mesh = skin.data  # type: ignore[assignment]
    each = [vertex.groups for vertex in mesh.vertices]
    counts = np.fromiter(map(len, each), np.intp, len(each))
    entries = list(chain.from_iterable(each))
    groups = np.fromiter((entry.group for entry in entries), np.intp, len(entries))
    weights = np.fromiter((entry.weight for entry in entries), float, len(entries))
    names = {group.index: bodies.get(group.name, -1) for group in skin.vertex_groups}
    table = np.full(max(names, default=0) + 1, -1, np.intp)
    table[list(names)] = list(names.values())
    is_known = groups < len(table)
    body = np.where(is_known, table[np.where(is_known, groups, 0)], -1)
    return np.repeat(np.arange(len(each)), counts), body, weights


def _armatures(obj: bpy.types.Object) -> Iterator[bpy.types.Object]:
    for modifier in obj.modifiers:
        if isinstance(modifier, bpy.types.ArmatureModifier) and modifier.object is not None:
            yield modifier.object
    if obj.parent_type == "ARMATURE" and obj.parent is not None:
        yield obj.parent
