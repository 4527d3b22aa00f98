"""Which of several bodies are connected, and in which order a chain runs."""

import re
from collections.abc import Callable, Collection, Iterable
from itertools import pairwise
from types import MappingProxyType

import bpy
import numpy as np
from mathutils import Vector
from mathutils.kdtree import KDTree

from ..core.model.pose import Array
from ..properties.body import motion_of
from ..properties.bones import object_of, world_matrix
from ..properties.joint import joint_data
from ..scene.structure import bodies_above, is_dynamic, parents_of
from .conditions import locked
from .context import present
from .joints import Pair

Body = bpy.types.Object
_TIE = 1e-5
"""Part of a distance by which single precision may be off."""


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
    """Return the pairs of a chain that begins at the first body; `order` is a key of `ORDERS`."""
    first, *others = bodies
    links = [first, *ORDERS[order](first, others)]
    pairs = [Pair(after, before) for before, after in pairwise(links)]
    if is_ring and len(links) > 2:
        pairs.append(Pair(links[-1], first))
    return pairs or [Pair(first, None)]


def nearest_object(context: bpy.types.Context, body: Body) -> Body | None:
    """Return the visible object with a mesh whose box is nearest to that of a body.

    Not what is below or above the body; of equals the one whose middle is nearest.
    """
    own, family = _box(body), {body, *body.children_recursive, *parents_of(body)}
    others = [
        obj
        for obj in present(context.view_layer).objects
        if obj.type == "MESH" and obj not in family and obj.visible_get()
    ]
    return min(others, key=lambda obj: _apart(own, _box(obj)), default=None)


def _box(obj: Body) -> Array:
    """Return the lowest and the highest corner (2, 3) of an object along the world's axes."""
    corners = [world_matrix(obj) @ Vector(corner) for corner in obj.bound_box]
    points = np.array(corners)
    return np.array([points.min(axis=0), points.max(axis=0)])


def _apart(one: Array, other: Array) -> tuple[float, float]:
    """Return the distances between two boxes and between their middles."""
    gap = np.maximum(np.maximum(one[0] - other[1], other[0] - one[1]), 0.0)
    middles = one.mean(axis=0) - other.mean(axis=0)
    return float(np.linalg.norm(gap)), float(np.linalg.norm(middles))


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
        if body is not None and motion_of(body) is None and (reason := locked(object_of(body))):
            yield f"{reason}: it has no motion type"


def _by_nearest(first: Body, others: list[Body]) -> list[Body]:
    """Return the bodies in steps to the nearest one left, of equals the first, from `first` on."""
    places = [world_matrix(obj).translation for obj in others]
    here, left, order = world_matrix(first).translation, set(range(len(others))), list[Body]()
    tree, kept = _tree(places, left), len(left)
    while left:
        # Those that were passed stay in the tree until they are as many as those left.
        if 2 * len(left) < kept:
            tree, kept = _tree(places, left), len(left)
        following = _nearest(here, places, left, tree)
        here = places[following[-1]]
        left.difference_update(following)
        order += (others[number] for number in following)
    return order


def _nearest(here: Vector, places: list[Vector], left: set[int], tree: KDTree) -> list[int]:
    """Return which of the places left is nearest, or all that are right here, in order."""
    distance = tree.find(here.to_tuple(), filter=left.__contains__)[2]
    if distance is None:  # none has a number for a place
        return [min(left)]
    found = tree.find_range(here.to_tuple(), distance * (1.0 + _TIE))
    near = [number for _place, number, _distance in found if number in left]
    if distance == 0.0:
        return sorted(near)
    return [min(near, key=lambda number: ((places[number] - here).length, number))]


def _tree(places: list[Vector], numbers: Collection[int]) -> KDTree:
    """Return some of the places for searches."""
    tree = KDTree(len(numbers))
    for number in numbers:
        tree.insert(places[number].to_tuple(), number)
    tree.balance()
    return tree


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
    origin = world_matrix(first).translation
    return sorted(others, key=lambda obj: (world_matrix(obj).translation - origin).length)


ORDERS: MappingProxyType[str, Callable[[Body, list[Body]], list[Body]]] = MappingProxyType(
    {"NEAREST": _by_nearest, "NAME": _by_name, "DISTANCE": _by_distance}
)
