"""Bodies that do not collide: pairs of the scene, and both ends of a joint without collisions.

MuJoCo leaves out collisions of a body with its parent, but not where one of them stands still, and
not between the ends of an equality constraint.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ....core.model.graph import SpanningTree, joint_ends
from ....core.model.scene import PhysicsScene

Pair = tuple[int, int]


def written_exclusions(scene: PhysicsScene, tree: SpanningTree) -> Iterator[Pair]:
    """Yield the pairs of bodies that a document has to exclude from collisions."""
    known = set(map(frozenset, scene.excluded_pairs))
    yield from scene.excluded_pairs
    for number, pair in colliding_joints(scene, tree.loops):
        if not scene.joints[number].enable_collision and frozenset(pair) not in known:
            known.add(frozenset(pair))
            yield pair


def with_exclusions(scene: PhysicsScene, pairs: Sequence[Pair]) -> PhysicsScene:
    """Return a scene that was read, its joints without collisions where its file excludes them."""
    excluded = set(map(frozenset, pairs))
    loops = [n for n, joint in enumerate(scene.joints) if not joint.attributes.in_articulation]
    joints = list(scene.joints)
    jointed = set()
    for number, pair in colliding_joints(scene, loops):
        jointed.add(frozenset(pair))
        can_collide = frozenset(pair) not in excluded
        joints[number] = replace(joints[number], enable_collision=can_collide)
    rest = tuple(pair for pair in pairs if frozenset(pair) not in jointed)
    return replace(scene, joints=tuple(joints), excluded_pairs=rest)


def colliding_joints(scene: PhysicsScene, loops: Collection[int]) -> Iterator[tuple[int, Pair]]:
    """Yield number and bodies of each joint whose ends collide unless they are excluded."""
    owner = scene.bodies()
    solid = {int(owner[node]) for node in scene.colliders}
    ends = joint_ends(scene)
    pairs = zip(ends.body.tolist(), ends.connected_body.tolist(), strict=True)
    for number, pair in enumerate(pairs):
        moving = sum(map(scene.is_dynamic, pair))
        is_apart = pair[0] != pair[1] and solid.issuperset(pair)
        if is_apart and (moving == 1 or (moving == 2 and number in loops)):
            yield number, pair
