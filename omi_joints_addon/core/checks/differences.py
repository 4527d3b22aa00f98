"""What differs between two scenes that are meant to be the same, noun by noun.

Writers find with it what their document does not say: they read it again and compare.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np

from ..findings.loss import Noun
from ..model.body import Collider, Trigger
from ..model.mesh import Visual
from ..model.pose import Array, pose_from_matrix, rotation_matrix
from ..model.scene import PhysicsScene
from ..model.shape import MeshShape, Shape
from .difference import CLOSE, Difference, are_same_places, is_read_back
from .joint_differences import joint_differences


def differences(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int], *, reach: float = 1.0
) -> list[Difference]:
    """Return what of `before` is not in `after`, each once.

    `match` has the node in `after` of each node in `before` that is there. What `after` has beside
    does not count. Places are compared as if they were at least `reach` [m] from the origin.
    """
    found = [
        *_of_nodes(before, after, match, reach),
        *_of_bodies(before, after, match, reach),
        *joint_differences(before, after, match, reach=reach),
        *_of_parts(before, after, match),
        *_of_lights(before, after, match),
        *_of_scene(before, after, match),
    ]
    return list(dict.fromkeys(found))


def _of_nodes(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int], reach: float
) -> Iterator[Difference]:
    """Yield names, places and parents of nodes; frames of joints are looked at with these."""
    frames = {end for joint in before.joints for end in (joint.node, joint.other)}
    owner, other_owner = before.bodies().tolist(), after.bodies().tolist()
    parents, other_parents = before.parents.tolist(), after.parents.tolist()
    moved = _moved(before, after, match, reach)
    for node, name in enumerate(before.names):
        if node in frames and node not in before.motions:
            continue
        if node not in match:
            yield Difference(node, Noun.NODE)
            continue
        other = match[node]
        if name != after.names[other]:
            yield Difference(node, Noun.NAME)
        if node in moved:
            yield Difference(node, Noun.POSE)
        above, other_above = parents[node], other_parents[other]
        one = owner[above] if above >= 0 else -1
        two = other_owner[other_above] if other_above >= 0 else -1
        if match.get(one, -1) != two:
            yield Difference(node, Noun.PARENT)


def _of_bodies(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int], reach: float
) -> Iterator[Difference]:
    shared = [node for node in before.motions if match.get(node, -1) in after.motions]
    gone = before.motions.keys() - {*shared}
    yield from (Difference(node, Noun.MOTION) for node in sorted(gone))
    others = [match[node] for node in shared]
    are_still = (before.matrices[shared] == after.matrices[others]).all(axis=(1, 2)).tolist()
    pairs = [
        pair
        for *pair, is_still in zip(shared, others, are_still, strict=True)
        if not is_still or before.motions[pair[0]] != after.motions[pair[1]]
    ]
    one = _measured(before, [node for node, _ in pairs])
    two = _measured(after, [other for _, other in pairs])
    least = {Noun.CENTER_OF_MASS: reach}
    are_close = {
        noun: _are_rows_close(value, two[noun], least.get(noun, 1e-3))
        for noun, value in one.items()
    }
    for row, (node, other) in enumerate(pairs):
        motion, new = before.motions[node], after.motions[other]
        for noun, field in MOTION.items():
            if noun in are_close:
                is_equal = are_close[noun][row]
            else:
                is_equal = is_read_back(getattr(motion, field), getattr(new, field))
            if not is_equal:
                yield Difference(node, noun)


MOTION: Mapping[Noun, str] = {
    Noun.MOTION: "type",
    Noun.MASS: "mass",
    Noun.CENTER_OF_MASS: "center_of_mass",
    Noun.INERTIA: "inertia_diagonal",
    Noun.VELOCITY: "linear_velocity",
    Noun.GRAVITY_FACTOR: "gravity_factor",
    Noun.CARRIED: "carried",
}
"""Fields of a motion; vectors are compared as `_measured` returns them."""


def _measured(scene: PhysicsScene, nodes: Sequence[int]) -> dict[Noun, Array]:
    """Return what motions say, a row each, in world axes: the body's own axes do not count."""
    motions = [scene.motions[node] for node in nodes]
    matrices = scene.matrices[list(nodes)].reshape(-1, 4, 4)

    def vectors(field: str, width: int = 3) -> Array:
        values = [getattr(motion, field) for motion in motions]
        return np.array(values, dtype=float).reshape(-1, width)

    axes = rotation_matrix(pose_from_matrix(matrices).rotation)
    turn = axes @ rotation_matrix(vectors("inertia_orientation", 4))
    moments = vectors("inertia_diagonal")
    center = matrices[:, :3, :3] @ vectors("center_of_mass")[:, :, None]
    velocities = [
        (axes @ vectors(field)[:, :, None])[:, :, 0]
        for field in ("linear_velocity", "angular_velocity")
    ]
    return {
        Noun.CENTER_OF_MASS: center[:, :, 0] + matrices[:, :3, 3],
        Noun.INERTIA: (turn * moments[:, None, :] @ np.swapaxes(turn, 1, 2)).reshape(-1, 9),
        Noun.VELOCITY: np.concatenate(velocities, axis=1),
    }


def _are_rows_close(one: Array, other: Array, least: float) -> list[bool]:
    """Return which rows (n, m) are equal within rounding of numbers that are at least `least`."""
    scale = np.maximum(least, np.abs(one).max(axis=1, initial=0.0))
    are_close = np.abs(one - other).max(axis=1, initial=0.0) <= CLOSE * scale
    found: list[bool] = are_close.tolist()
    return found


def _of_parts(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> Iterator[Difference]:
    for node, collider in before.colliders.items():
        other = after.colliders.get(match.get(node, -1))
        for noun in _of_collider(collider, other):
            yield Difference(node, noun)
    there = {node for node, other in match.items() if other in after.disabled_colliders}
    for node in before.disabled_colliders.keys() - there:
        yield Difference(node, Noun.COLLIDER)
    for node, trigger in before.triggers.items():
        if not _is_same_trigger(trigger, after.triggers.get(match.get(node, -1)), match):
            yield Difference(node, Noun.TRIGGER)
    for node, visual in before.visuals.items():
        for noun in _of_visual(visual, after.visuals.get(match.get(node, -1))):
            yield Difference(node, noun)


def _of_lights(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> Iterator[Difference]:
    for node, light in before.lights.items():
        other = after.lights.get(match.get(node, -1))
        if other is None or not is_read_back(
            (light.type, *light.color), (other.type, *other.color)
        ):
            yield Difference(node, Noun.LIGHT)


def _of_collider(one: Collider, other: Collider | None) -> Iterator[Noun]:
    if other is None:
        yield Noun.COLLIDER
        return
    if one == other:
        return
    if not is_same_shape(one.shape, other.shape):
        yield Noun.SHAPE
    if one.material != other.material:
        yield Noun.MATERIAL
    if one.collision_filter != other.collision_filter:
        yield Noun.COLLISION_FILTER
    if one.carried != other.carried:
        yield Noun.CARRIED


def _of_visual(one: Visual, other: Visual | None) -> Iterator[Noun]:
    if other is None or (one.mesh is None) != (other.mesh is None):
        yield Noun.VISUAL
        return
    if not is_same_shape(one.shape, other.shape):
        yield Noun.SHAPE
    if not is_read_back(one.color, other.color):
        yield Noun.COLOR
    if one.material != other.material:
        yield Noun.LOOK
    if one.texture != other.texture:
        yield Noun.TEXTURE
    if one.carried != other.carried:
        yield Noun.CARRIED


def _is_same_trigger(one: Trigger, other: Trigger | None, match: Mapping[int, int]) -> bool:
    if other is None:
        return False
    moved = replace(one, nodes=tuple(match.get(node, -1) for node in one.nodes), shape=None)
    return moved == replace(other, shape=None) and is_same_shape(one.shape, other.shape)


def is_same_shape(one: Shape | None, other: Shape | None) -> bool:
    """Return whether shapes are the same; which mesh it is does not count."""
    if isinstance(one, MeshShape) and isinstance(other, MeshShape) and type(one) is type(other):
        has_mesh = (one.mesh is None) == (other.mesh is None)
        return has_mesh and replace(one, mesh=None) == replace(other, mesh=None)
    if one is None or other is None or type(one) is not type(other):
        return one is other
    names = type(one).__dataclass_fields__
    return all(is_read_back(getattr(one, name), getattr(other, name)) for name in names)


def _of_scene(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> Iterator[Difference]:
    if before.name != after.name:
        yield Difference(-1, Noun.NAME)
    if not is_read_back(before.gravity, after.gravity):
        yield Difference(-1, Noun.GRAVITY)
    roots = {(articulation.root, articulation.is_fixed) for articulation in after.articulations}
    for articulation in before.articulations:
        if (match.get(articulation.root, -1), articulation.is_fixed) not in roots:
            yield Difference(articulation.root, Noun.ARTICULATION)
    pairs = {frozenset(pair) for pair in after.excluded_pairs}
    for pair in before.excluded_pairs:
        if frozenset(match.get(node, -1) for node in pair) not in pairs:
            yield Difference(pair[0], Noun.EXCLUDED_PAIR)
    poses = {pose.name for pose in after.poses}
    if any(pose.name not in poses for pose in before.poses):
        yield Difference(-1, Noun.NAMED_POSE)
    yield from _of_couplings(before, after, match)


def _of_couplings(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> Iterator[Difference]:
    others = {
        tuple(after.joints[number].node for number in (coupling.joint, coupling.source)): coupling
        for coupling in after.couplings
    }
    for coupling in before.couplings:
        joint, source = (before.joints[n].node for n in (coupling.joint, coupling.source))
        other = others.get((match.get(joint, -1), match.get(source, -1)))
        if other is None or not is_read_back(
            _trimmed(coupling.coefficients), _trimmed(other.coefficients)
        ):
            yield Difference(joint, Noun.COUPLING)


def _trimmed(coefficients: tuple[float, ...]) -> tuple[float, ...]:
    """Return coefficients without zeros at their end."""
    last = max((n for n, value in enumerate(coefficients) if value), default=-1)
    return coefficients[: last + 1]


def _moved(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int], reach: float
) -> frozenset[int]:
    nodes, others = list(match.keys()), list(match.values())
    same = are_same_places(before.matrices[nodes], after.matrices[others], reach)
    return frozenset(compress(nodes, (~same).tolist()))
