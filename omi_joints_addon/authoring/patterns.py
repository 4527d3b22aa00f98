"""Which of several bodies are connected, and in which order a chain runs."""

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from types import MappingProxyType

import bpy

from ..properties.body import motion_of
from ..properties.joint import joint_data
from ..scene.structure import bodies_above, is_dynamic
from .conditions import locked
from .context import present
from .joints import Pair

Body = bpy.types.Object


def selected_bodies(context: bpy.types.Context) -> list[Body]:
    """Return what is selected, the active object first, without attachment frames."""
    objects = present(context.scene).objects
    ends = {joint_data(obj).connected_object for obj in objects if joint_data(obj).enabled}
    active = context.active_object
    others = [
        obj
        for obj in context.selected_objects
        if obj != active
        and not joint_data(obj).enabled
        and (obj not in ends or obj.type != "EMPTY")
    ]
    return [active, *others] if active else others


def star(bodies: list[Body]) -> list[Pair]:
    """Return the pairs that connect all other bodies to the first; a single one to the world."""
    first, *others = bodies
    return [Pair(other, first) for other in others] or [Pair(first, None)]


def chain(bodies: list[Body], *, order: str = "NEAREST", is_ring: bool = False) -> list[Pair]:
    """Return the pairs of a chain that hangs from the first body; `order` is a key of `ORDERS`."""
    first, *others = bodies
    links = [first, *ORDERS[order](first, others)]
    pairs = [Pair(after, before) for before, after in pairwise(links)]
    if is_ring and len(links) > 2:
        pairs.append(Pair(links[-1], first))
    return pairs or [Pair(first, None)]


def resolved(pair: Pair) -> Pair:
    """Return the pair of the bodies that the selected objects belong to.

    A part of a body, an object without motion below it, stands for the body; not where both parts
    belong to the same one: then the objects are to become bodies themselves. Where only the anchor
    is dynamic, it is the one that moves.
    """
    moving = next(bodies_above(pair.moving), pair.moving)
    anchor = next(bodies_above(pair.anchor), pair.anchor)
    if moving == anchor:
        return pair
    if is_dynamic(anchor) and motion_of(moving) is not None and not is_dynamic(moving):
        return Pair(anchor, moving) if anchor else pair
    return Pair(moving, anchor)


def unmovable(pair: Pair) -> Iterable[str]:
    """Yield why a body of the pair cannot become one."""
    for body in (pair.moving, pair.anchor):
        if body is not None and motion_of(body) is None and (reason := locked(body)):
            yield f"{reason}: it has no motion type"


def _by_nearest(first: Body, others: list[Body]) -> list[Body]:
    """Return the bodies in steps to the nearest one left, starting from `first`."""
    left = {obj: obj.matrix_world.translation for obj in others}
    here, order = first.matrix_world.translation, []
    while left:
        nearest = min(left, key=lambda obj: (left[obj] - here).length)
        here = left.pop(nearest)
        order.append(nearest)
    return order


def _by_name(_first: Body, others: list[Body]) -> list[Body]:
    """Return the bodies by name, "Link.2" before "Link.10"."""
    return sorted(
        others,
        key=lambda obj: [
            (not part.isdigit(), int(part) if part.isdigit() else 0, part)
            for part in re.split(r"(\d+)", obj.name)
        ],
    )


def _by_distance(first: Body, others: list[Body]) -> list[Body]:
    """Return the bodies by distance from `first`."""
    origin = first.matrix_world.translation
    return sorted(others, key=lambda obj: (obj.matrix_world.translation - origin).length)


ORDERS: MappingProxyType[str, Callable[[Body, list[Body]], list[Body]]] = MappingProxyType(
    {"NEAREST": _by_nearest, "NAME": _by_name, "DISTANCE": _by_distance}
)
