"""Selecting objects. The context says in which view layer."""

from collections import defaultdict
from collections.abc import Iterable

import bpy

from ..properties.bones import Node
from ..scene.structure import BodiesAbove, is_dynamic, joint_objects
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
    # Not by `layer.objects`, which looks through all of them for each name.
    shown = [obj for obj in objects if obj.visible_get(view_layer=layer)]
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
    above = BodiesAbove()
    ends = {joint: set(above.of_joint(joint)) - {None} for joint in joint_objects(objects)}
    joints, held = list(ends), defaultdict[Node | None, list[int]](list)
    for number, joint in enumerate(joints):
        for body in ends[joint]:
            held[body].append(number)
    reached = {body for obj in chosen for body in ends.get(obj, {above.of(obj)} - {None})}
    found: dict[bpy.types.Object, None] = {}
    front = set(reached)
    while front:
        new = [joints[n] for n in sorted({number for body in front for number in held[body]})]
        found |= dict.fromkeys(new)
        beyond = {body for joint in new for body in ends[joint]} - reached
        front = {body for body in beyond if is_dynamic(body)} if is_chain else set()
        reached |= front
    return list(found)
