"""Which bodies collision filters keep apart."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from .body import CollisionFilter, MotionType
from .graph import joint_ends
from .scene import PhysicsScene

_ANY = CollisionFilter()


def pairs_beyond_joints(scene: PhysicsScene) -> Iterator[tuple[int, int]]:
    """Yield the excluded pairs of bodies that no joint between the two keeps apart by itself."""
    apart = {
        frozenset(pair)
        for pair, joint in zip(joint_ends(scene).pairs(), scene.joints, strict=True)
        if not joint.enable_collision and joint.attributes.enabled
    }
    yield from (pair for pair in scene.excluded_pairs if frozenset(pair) not in apart)


def filtered_pairs(
    scene: PhysicsScene, filters: Mapping[int, CollisionFilter | None]
) -> Iterator[tuple[int, int]]:
    """Yield pairs of bodies of which no collider meets one of the other, each once.

    `filters` are those of colliders by their nodes. One of the bodies is dynamic, the first has
    the lower node.
    """
    owner = scene.bodies()
    of_body: defaultdict[int, set[CollisionFilter]] = defaultdict(set)
    for node, each in filters.items():
        if owner[node] >= 0:
            of_body[int(owner[node])].add(each or _ANY)
    members: defaultdict[str, set[int]] = defaultdict(set)
    for body, held in of_body.items():
        for system in {name for each in held for name in each.collision_systems}:
            members[system].add(body)
    found: set[tuple[int, int]] = set()
    for body, held in of_body.items():
        for other in _maybe_apart(held, members, of_body):
            pair = (min(body, other), max(body, other))
            is_moving = any(scene.motions[each].type == MotionType.DYNAMIC for each in pair)
            if body != other and is_moving and not _meet(held, of_body[other]):
                found.add(pair)
    yield from sorted(found)


def _maybe_apart(
    held: set[CollisionFilter],
    members: Mapping[str, set[int]],
    every: Mapping[int, set[CollisionFilter]],
) -> set[int]:
    """Return the bodies that filters of another one may keep away."""
    if any(each.collide_with_systems is not None for each in held):
        return set(every)
    named = {name for each in held for name in each.not_collide_with_systems or ()}
    return {body for name in named for body in members.get(name, ())}


def _meet(some: set[CollisionFilter], others: set[CollisionFilter]) -> bool:
    return any(_allows(a, b) and _allows(b, a) for a in some for b in others)


def _allows(one: CollisionFilter, other: CollisionFilter) -> bool:
    systems = set(other.collision_systems)
    if one.collide_with_systems is not None:
        return not systems.isdisjoint(one.collide_with_systems)
    return systems.isdisjoint(one.not_collide_with_systems or ())
