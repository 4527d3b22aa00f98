"""Pairs of bodies of a mechanism that need not collide, found by moving its joints."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import bpy

from ..core.solver import contacts
from ..properties.body import exclude_pair
from ..properties.bones import BodyBone, Node, object_of
from ..scene.reading import nodes_of, scene_to_core
from ..scene.structure import BodiesAbove, body_bones_of
from .bone_pairs import exclude_bones
from .conditions import locked
from .context import present
from .skins import armature_of

if TYPE_CHECKING:
    from ..core.solver.contacts.self_collision import Touch

Pair = tuple[Node, Node]


def find_pairs(context: bpy.types.Context, *, samples: int) -> "dict[Pair, Touch]":
    """Return when two bodies of the active object's mechanism touch, of all that may collide.

    Raises `ValueError` saying why they cannot be found.
    """
    if problem := contacts.unavailable():
        raise ValueError(problem)
    from ..core.solver.contacts.self_collision import connected_bodies, self_collisions

    present(context.view_layer).update()
    scene, active = present(context.scene), present(context.object)
    core, _ = scene_to_core(scene, depsgraph=context.evaluated_depsgraph_get())
    objects, bodies = nodes_of(scene), _bodies_of(active)
    members = connected_bodies(core, [node for node, obj in enumerate(objects) if obj in bodies])
    found = self_collisions(core, members, samples=samples)
    return {(objects[one], objects[other]): touch for (one, other), touch in found.items()}


def exclude_pairs(pairs: Sequence[Pair]) -> list[Pair]:
    """Keep pairs of bodies from colliding; return those that cannot be changed here.

    Bones get collision filters, objects list each other.
    """
    return [pair for pair in pairs if not _exclude(*pair)]


def _exclude(one: Node, other: Node) -> bool:
    if any(locked(object_of(each)) is not None for each in (one, other)):
        return False
    if isinstance(one, BodyBone) and isinstance(other, BodyBone):
        return exclude_bones(one, other)
    if isinstance(one, BodyBone) or isinstance(other, BodyBone):
        return False
    exclude_pair(one, other)
    return True


def _bodies_of(active: bpy.types.Object) -> list[Node]:
    """Return the bodies that an object is, carries, connects or has as bones."""
    armature = armature_of(active)
    bones: list[Node] = [] if armature is None else list(body_bones_of(armature))
    if bones:
        return bones
    return [body for body in BodiesAbove().of_joint(active) if body is not None]
