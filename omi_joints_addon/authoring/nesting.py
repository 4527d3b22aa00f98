"""Parents of bodies: bodies below those that their joints connect them to, or beside each other.

World poses stay; what moves by keyframes relative to its parent is left where it is.
"""

from collections.abc import Callable, Collection
from dataclasses import replace

import bpy
from mathutils import Matrix

from ..core.model.scene import PhysicsScene
from ..core.rewrite.tree import flattened, nested
from ..properties.bones import world_matrix
from ..scene.animation import is_animated
from ..scene.reading import objects_to_core
from .conditions import locked

Rewrite = Callable[[PhysicsScene], PhysicsScene]


def nest_bodies(scene: bpy.types.Scene, bodies: Collection[bpy.types.Object]) -> int:
    """Parent each of `bodies` to the body that its joints connect it to; return how many moved."""
    return _reparent(scene, bodies, _nested)


def flatten_bodies(scene: bpy.types.Scene, bodies: Collection[bpy.types.Object]) -> int:
    """Take each of `bodies` from below other bodies; return how many moved."""
    return _reparent(scene, bodies, flattened)


def keeps_parent(obj: bpy.types.Object) -> bool:
    """Return whether an object cannot get another parent in place."""
    is_fixed = is_animated(obj) or locked(obj) is not None
    return is_fixed or obj.parent_type not in ("OBJECT", "ARMATURE")


def _nested(scene: PhysicsScene) -> PhysicsScene:
    """Return the scene nested; bodies without joints stay below what is not a body."""
    owner, after = scene.bodies(), nested(scene)
    parents = after.parents.copy()
    for body in scene.motions:
        above = scene.parents[body]
        if parents[body] < 0 <= above and owner[above] < 0:
            parents[body] = above
    return replace(after, parents=parents)


def _reparent(
    scene: bpy.types.Scene, bodies: Collection[bpy.types.Object], rewrite: Rewrite
) -> int:
    objects = list(scene.objects)
    before, _findings = objects_to_core(objects)
    after = rewrite(before)
    worlds = [world_matrix(obj).copy() for obj in objects]
    moved = 0
    for node, parent in enumerate(after.parents.tolist()):
        obj = objects[node]
        if parent == before.parents[node] or obj not in bodies or keeps_parent(obj):
            continue
        obj.parent = None if parent < 0 else objects[parent]
        obj.parent_type = "OBJECT"
        above = Matrix() if parent < 0 else worlds[parent].inverted_safe()
        obj.matrix_parent_inverse = above
        obj.matrix_basis = worlds[node]
        moved += 1
    return moved
