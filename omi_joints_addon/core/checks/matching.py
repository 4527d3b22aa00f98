"""Which nodes of two scenes are the same ones."""

import re
from collections import Counter
from collections.abc import Hashable, Sequence

from ..model.scene import PhysicsScene

_NUMBER = re.compile(r"[ _.]+\d+$")
"""What formats add to a name that another node has."""


def matched_by_name(before: PhysicsScene, after: PhysicsScene) -> dict[int, int]:
    """Return the node in `after` of each node in `before` that is there, by their names.

    Of several of one name, those of one kind on one body are the same, in their order; formats
    without equal names number them. Where names are unique, nothing else counts.
    """
    names = before.names
    if names == after.names and len({*names}) == len(names):
        return {node: node for node in range(len(names))}
    match: dict[int, int] = {}
    if len({*before.names}) < len(before.names) or len({*after.names}) < len(after.names):
        ones, others = _kinds(before), _kinds(after)
        known = {*before.names}
        numbered = [
            (kind, name if name in known else _NUMBER.sub("", name)) for kind, name in others
        ]
        for kinds in (others, numbered):
            _add(match, _with_bodies(before, ones), _with_bodies(after, kinds))
        _add(match, ones, others)
        _add(match, ones, numbered)
    _add(match, before.names, after.names)
    return match


def freely_named(scene: PhysicsScene) -> set[int]:
    """Return the nodes that nobody asks for by name: shapes, and those of which several have one.

    Bodies and joints have their names.
    """
    counts = Counter(scene.names)
    several = {node for node, name in enumerate(scene.names) if counts[name] > 1}
    joints = {joint.node for joint in scene.joints}
    return {*scene.colliders, *scene.visuals, *several - joints} - scene.motions.keys()


def _add(match: dict[int, int], ones: Sequence[Hashable], others: Sequence[Hashable]) -> None:
    """Match the nodes of equal keys that are not matched yet."""
    taken, places = {*match.values()}, dict[Hashable, list[int]]()
    for node in range(len(others) - 1, -1, -1):
        if node not in taken:
            places.setdefault(others[node], []).append(node)
    for node, key in enumerate(ones):
        if node not in match and places.get(key):
            match[node] = places[key].pop()


def _kinds(scene: PhysicsScene) -> list[tuple[str, str]]:
    """Return what each node is, and its name."""
    kinds = [""] * len(scene.names)
    for node in scene.visuals:
        kinds[node] = "visual"
    for node in scene.colliders:
        kinds[node] = "collider"
    for joint in scene.joints:
        kinds[joint.node] = "joint"
    for node in scene.motions:
        kinds[node] = "body"
    return [*zip(kinds, scene.names, strict=True)]


def _with_bodies(scene: PhysicsScene, kinds: Sequence[tuple[str, str]]) -> list[Hashable]:
    bodies = scene.bodies().tolist()
    names = [scene.names[body] if body >= 0 else "" for body in bodies]
    return [*zip(kinds, names, strict=True)]
