"""What differs between two scenes that are meant to be the same, noun by noun.

Writers find with it what their document does not say: they read it again and compare.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..findings.loss import ATTRIBUTE_NOUNS, Noun
from ..model.attributes import JointAttributes
from ..model.body import Collider, Trigger
from ..model.graph import joint_ends
from ..model.joint import JointDrive
from ..model.mesh import Visual
from ..model.pose import Array, pose_from_matrix, rotation_matrix
from ..model.scene import Joint, PhysicsScene
from ..model.shape import MeshShape, Shape

_CLOSE = 1e-6
"""Relative difference of numbers, and meters and parts of a unit axis, that count as equal."""


class Difference(NamedTuple):
    """One field that is not the same."""

    node: int
    """Node of the body, joint, collider or visual in the first scene; -1 is the whole scene."""
    noun: Noun


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
        *_of_joints(before, after, match, reach),
        *_of_parts(before, after, match),
        *_of_lights(before, after, match),
        *_of_scene(before, after, match),
    ]
    return list(dict.fromkeys(found))


def joint_differences(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> list[Difference]:
    """Return what of the joints of `before` is not in `after`, as `differences` does."""
    return list(dict.fromkeys(_of_joints(before, after, match, 1.0)))


def matched_by_name(before: PhysicsScene, after: PhysicsScene) -> dict[int, int]:
    """Return the nodes of equal name; of several of one name, in their order."""
    places: dict[str, list[int]] = {}
    for node in range(len(after.names) - 1, -1, -1):
        places.setdefault(after.names[node], []).append(node)
    return {node: places[name].pop() for node, name in enumerate(before.names) if places.get(name)}


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
    rows = {node: row for row, node in enumerate(shared)}
    ones = _measured(before, shared)
    others = _measured(after, [match[node] for node in shared])
    least = {Noun.CENTER_OF_MASS: reach}
    are_close = {
        noun: _are_rows_close(value, others[noun], least.get(noun, 1e-3))
        for noun, value in ones.items()
    }
    are_all_close = [all(row) for row in zip(*are_close.values(), strict=True)]
    for node, motion in before.motions.items():
        if node not in rows:
            yield Difference(node, Noun.MOTION)
            continue
        row, other = rows[node], after.motions[match[node]]
        is_same = motion == other
        if is_same and are_all_close[row]:
            continue
        for noun, field in MOTION.items():
            if noun in are_close:
                is_close = are_close[noun][row]
            else:
                is_close = is_same or _is_close(getattr(motion, field), getattr(other, field))
            if not is_close:
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
    are_close = np.abs(one - other).max(axis=1, initial=0.0) <= _CLOSE * scale
    found: list[bool] = are_close.tolist()
    return found


def _of_joints(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int], reach: float
) -> Iterator[Difference]:
    numbers = {joint.node: number for number, joint in enumerate(after.joints)}
    pairs, other_pairs = joint_ends(before).pairs(), joint_ends(after).pairs()
    found = [numbers.get(match.get(joint.node, -1)) for joint in before.joints]
    apart = _apart(before, after, found, reach)
    for at, (joint, pair, number) in enumerate(zip(before.joints, pairs, found, strict=True)):
        if number is None:
            yield Difference(joint.node, Noun.JOINT)
            continue
        other = after.joints[number]
        if tuple(match.get(body, -1) for body in pair) != other_pairs[number]:
            yield Difference(joint.node, Noun.JOINT)
        if before.names[joint.node] != after.names[other.node]:
            yield Difference(joint.node, Noun.NAME)
        for noun in _of_joint(joint, other):
            yield Difference(joint.node, noun)
        if at in apart:
            yield Difference(joint.node, Noun.FRAMES)


def _apart(
    before: PhysicsScene, after: PhysicsScene, found: Sequence[int | None], reach: float
) -> frozenset[int]:
    """Return the joints whose frames are at other places; `found` are their numbers in `after`."""
    numbers = [number for number, other in enumerate(found) if other is not None]
    pairs = [(before.joints[n], after.joints[found[n] or 0]) for n in numbers]
    same = np.ones(len(pairs), dtype=bool)
    for end in ("node", "other"):
        ones = [getattr(one, end) for one, _ in pairs]
        others = [getattr(other, end) for _, other in pairs]
        same &= _are_same_places(before.matrices[ones], after.matrices[others], reach)
    return frozenset(compress(numbers, (~same).tolist()))


def _of_joint(one: Joint, other: Joint) -> Iterator[Noun]:
    if one.attributes != other.attributes:
        yield from _of_attributes(one.attributes, other.attributes)
    if one.enable_collision != other.enable_collision:
        yield Noun.ENABLE_COLLISION
    if one.carried != other.carried:
        yield Noun.CARRIED
    if one.settings != other.settings:
        yield from _of_settings(one, other)


def _of_attributes(one: JointAttributes, other: JointAttributes) -> Iterator[Noun]:
    for field, noun in ATTRIBUTE_NOUNS.items():
        if not _is_close(getattr(one, field), getattr(other, field)):
            yield noun


def _of_settings(one: Joint, other: Joint) -> Iterator[Noun]:
    a, b = one.settings, other.settings
    if a.name != b.name:
        yield Noun.SETTINGS_NAME
    parts, others = (a, *a.limits, *a.drives), (b, *b.limits, *b.drives)
    if list(map(_carried, parts)) != list(map(_carried, others)):
        yield Noun.CARRIED
    for noun, read in _LIMIT.items() if a.limits != b.limits else ():
        if not _are_close(a.limits, b.limits, read):
            yield noun
    if a.drives != b.drives:
        yield from _of_drives(a.drives, b.drives)


def _of_drives(one: Sequence[JointDrive], other: Sequence[JointDrive]) -> Iterator[Noun]:
    if [(d.type, d.axis) for d in one] != [(d.type, d.axis) for d in other]:
        yield Noun.DRIVE
    for noun, read in _DRIVE.items():
        if not _are_close(one, other, read):
            yield noun


def _velocity_target(drive: JointDrive) -> float | None:
    """Return the velocity that a drive aims at: beside a position, one that is not given is 0."""
    is_spring = drive.velocity_target is None and drive.position_target is not None
    return 0.0 if is_spring else drive.velocity_target


_carried = attrgetter("carried")
_LIMIT: Mapping[Noun, Callable[[Any], Any]] = {
    Noun.LIMIT: attrgetter("linear_axes", "angular_axes", "min", "max"),
    Noun.LIMIT_SPRING: attrgetter("stiffness", "damping"),
}


def _are_close(one: Sequence[Any], other: Sequence[Any], read: Callable[[Any], Any]) -> bool:
    values, others = tuple(map(read, one)), tuple(map(read, other))
    return values == others or _is_close(values, others)


_DRIVE: Mapping[Noun, Callable[[Any], Any]] = {
    Noun.DRIVE_MODE: attrgetter("mode"),
    Noun.MAX_FORCE: attrgetter("max_force"),
    Noun.POSITION_TARGET: attrgetter("position_target"),
    Noun.VELOCITY_TARGET: _velocity_target,
    Noun.DRIVE_STIFFNESS: attrgetter("stiffness"),
    Noun.DRIVE_DAMPING: attrgetter("damping"),
}


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
        if other is None or not _is_close((light.type, *light.color), (other.type, *other.color)):
            yield Difference(node, Noun.LIGHT)


def _of_collider(one: Collider, other: Collider | None) -> Iterator[Noun]:
    if other is None:
        yield Noun.COLLIDER
        return
    if one == other:
        return
    if not _is_same_shape(one.shape, other.shape):
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
    if not _is_same_shape(one.shape, other.shape):
        yield Noun.SHAPE
    if not _is_close(one.color, other.color):
        yield Noun.COLOR
    if one.carried != other.carried:
        yield Noun.CARRIED


def _is_same_trigger(one: Trigger, other: Trigger | None, match: Mapping[int, int]) -> bool:
    if other is None:
        return False
    moved = replace(one, nodes=tuple(match.get(node, -1) for node in one.nodes), shape=None)
    return moved == replace(other, shape=None) and _is_same_shape(one.shape, other.shape)


def _is_same_shape(one: Shape | None, other: Shape | None) -> bool:
    """Return whether shapes are the same; which mesh it is does not count."""
    if isinstance(one, MeshShape) and isinstance(other, MeshShape) and type(one) is type(other):
        has_mesh = (one.mesh is None) == (other.mesh is None)
        return has_mesh and replace(one, mesh=None) == replace(other, mesh=None)
    if one is None or other is None or type(one) is not type(other):
        return one is other
    names = type(one).__dataclass_fields__
    return all(_is_close(getattr(one, name), getattr(other, name)) for name in names)


def _of_scene(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> Iterator[Difference]:
    if before.name != after.name:
        yield Difference(-1, Noun.NAME)
    if not _is_close(before.gravity, after.gravity):
        yield Difference(-1, Noun.GRAVITY)
    roots = {(articulation.root, articulation.is_fixed) for articulation in after.articulations}
    for articulation in before.articulations:
        if (match.get(articulation.root, -1), articulation.is_fixed) not in roots:
            yield Difference(articulation.root, Noun.ARTICULATION)
    pairs = {frozenset(pair) for pair in after.excluded_pairs}
    for pair in before.excluded_pairs:
        if frozenset(match.get(node, -1) for node in pair) not in pairs:
            yield Difference(pair[0], Noun.EXCLUDED_PAIR)
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
        if other is None or not _is_close(
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
    same = _are_same_places(before.matrices[nodes], after.matrices[others], reach)
    return frozenset(compress(nodes, (~same).tolist()))


def _are_same_places(ones: Array, others: Array, reach: float) -> NDArray[np.bool_]:
    """Return which world matrices (n, 4, 4) are equal within rounding, shape (n,)."""
    ones, others = (each.reshape(-1, 4, 4) for each in (ones, others))
    scale = np.maximum(reach, np.abs(ones[:, :3, 3]).max(axis=1, initial=0.0))
    are_same = np.abs(ones - others).max(axis=(1, 2), initial=0.0) <= _CLOSE * scale
    return np.asarray(are_same)


def _is_close(one: object, other: object) -> bool:
    """Return whether values are equal, numbers within rounding."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)
    if isinstance(one, np.ndarray):
        scale = max(1e-3, float(np.abs(one).max(initial=0.0)))
        return bool(np.abs(one - other).max(initial=0.0) <= _CLOSE * scale)
    if isinstance(one, tuple) and isinstance(other, tuple) and one != other:
        return len(one) == len(other) and all(map(_is_close, one, other))
    return bool(one == other)
