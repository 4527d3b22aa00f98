"""Selecting objects. The context says in which view layer."""

from collections.abc import Iterable

import bpy

from ..scene.structure import body_object_of, is_dynamic, joint_bodies, joint_objects
from .context import present


def select_only(
    context: bpy.types.Context, objects: list[bpy.types.Object], *, extend: bool = False
) -> bool:
    """Select the objects that are visible, the first of them active; return whether any is."""
    return select_in(present(context.view_layer), objects, extend=extend)


def select_in(
    layer: bpy.types.ViewLayer, objects: list[bpy.types.Object], *, extend: bool = False
) -> bool:
    """Select the objects that a view layer shows, as `select_only` does."""
    layer.update()  # new objects are not visible before
    shown = [
        obj
        for obj in objects
        if layer.objects.get(obj.name) == obj and obj.visible_get(view_layer=layer)
    ]
    if not shown:
        return False
    if not extend:
        for obj in list(layer.objects.selected):
            obj.select_set(False, view_layer=layer)
    for obj in shown:
        obj.select_set(True, view_layer=layer)
    layer.objects.active = shown[0]
    return True


def connected_joints(
    chosen: Iterable[bpy.types.Object],
    objects: Iterable[bpy.types.Object],
    *,
    is_chain: bool = False,
) -> list[bpy.types.Object]:
    """Return the joints among `objects` that hold the same bodies as the chosen objects.

    `is_chain` goes on from body to body; bodies that do not move end a chain.
    """
    ends = {joint: joint_bodies(joint) for joint in joint_objects(objects)}
    reached = {body for obj in chosen for body in ends.get(obj, (body_object_of(obj),)) if body}
    found: dict[bpy.types.Object, None] = {}
    front = set(reached)
    while front:
        new = [joint for joint, bodies in ends.items() if front & set(bodies)]
        found |= dict.fromkeys(new)
        beyond = {body for joint in new for body in ends[joint] if body and is_dynamic(body)}
        front = beyond - reached if is_chain else set()
        reached |= beyond
    return list(found)
