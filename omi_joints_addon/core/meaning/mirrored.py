"""Poses mirrored across the plane between joints whose names tell left from right."""

import re
from collections.abc import Collection, Mapping

import numpy as np

from ..model.pose import Array, pose_from_matrix, relative_pose
from .freedom import values_of_pose
from .kinematics import Kinematics

_SIDES = {"left": "right", "l": "r", "fl": "fr", "rl": "rr", "hl": "hr", "bl": "br", "lh": "rh"}
_SIDES |= {"lf": "rf"} | {"lm": "rm", "ml": "mr"}
_OTHERS = _SIDES | {other: side for side, other in _SIDES.items()}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""A part of a name: rear_Left2, FL_hip, upperArm.R, leftKnee."""
_ALIKE = 0.999
"""Least cosine between directions that mirror each other."""


def other_sides(names: Collection[str]) -> dict[str, str]:
    """Return for each name that tells a side the one of the other side, where it is there."""
    pairs = ((name, _other(name, names)) for name in names)
    return {name: other for name, other in pairs if other is not None}


def mirrored_values(tree: Kinematics, values: Array, pairs: Mapping[int, int]) -> Array:
    """Return values (j, 6) of the mirrored pose: joints of `pairs` exchange theirs.

    The plane is halfway between them at rest. Joints between the sides turn to the other one; what
    does not mirror anything stays.
    """
    result = values.copy()
    plane = _plane(tree, pairs)
    if plane is None:
        return result
    for number in tree.children:
        _mirror(tree, values, result, pairs.get(number, number), number, plane)
    return tree.with_followers(result)


def _other(name: str, names: Collection[str]) -> str | None:
    """Return the name in which one word for a side is that of the other one."""
    for word in _WORD.finditer(name):
        other = _OTHERS.get(word[0].lower())
        if other is not None:
            written = other.upper() if word[0].isupper() else other
            written = other.capitalize() if word[0].istitle() and len(other) > 1 else written
            found = name[: word.start()] + written + name[word.end() :]
            if found in names:
                return found
    return None


def _plane(tree: Kinematics, pairs: Mapping[int, int]) -> Array | None:
    """Return the reflection (4, 4) that takes joints to those of the other side."""
    scene = tree.scene
    one, other = (
        scene.matrices[[scene.joints[n].node for n in numbers], :3, 3]
        for numbers in (list(pairs), list(pairs.values()))
    )
    ways = other - one
    if not len(ways) or not np.abs(ways).max() > 0.0:
        return None
    # Each pair is there in both directions.
    normal = np.linalg.svd(ways)[2][0]
    center = (one + other).mean(axis=0) / 2.0
    result = np.eye(4)
    result[:3, :3] -= 2.0 * np.outer(normal, normal)
    result[:3, 3] = 2.0 * (center @ normal) * normal
    return result


def _mirror(
    tree: Kinematics, values: Array, result: Array, source: int, number: int, plane: Array
) -> None:
    """Give a joint the mirrored values of another one, or of its own."""
    one, other = tree.freedoms.get(source), tree.freedoms.get(number)
    if one is not None and other is not None and one.is_linear == other.is_linear:
        way = plane[:3, :3] @ tree.screw(source)[1] * (1.0 if one.is_linear else -1.0)
        cosine = float(way @ tree.screw(number)[1])
        if abs(cosine) > _ALIKE:
            by = values[source, one.number] - tree.rest[source, one.number]
            rest = tree.rest[number, other.number]
            result[number, other.number] = rest + np.sign(cosine) * by
    elif one is None and other is None:
        result[number] = _several(tree, values, source, number, plane)


def _several(tree: Kinematics, values: Array, source: int, number: int, plane: Array) -> Array:
    """Return the six values of a joint whose body moves as the mirrored one of another joint."""
    motions = tree.motions(tree.rest)
    alone = tree.rest.copy()
    alone[source] = values[source]
    step = plane @ tree.motions(alone)[tree.children[source]] @ plane
    joint, owner = tree.scene.joints[number], tree.scene.bodies()
    moved = motions.copy()
    moved[tree.children[number]] = step
    ends = (moved[owner[node]] @ tree.scene.matrices[node] for node in (joint.node, joint.other))
    here, there = map(pose_from_matrix, ends)
    return values_of_pose(joint.settings, relative_pose(here, there))
