"""Check of several hinges between two bodies: out of line they hold each other fast."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from ..findings.finding import WARNING, Finding, rule
from ..findings.words import amount
from ..meaning.recognition import JointKind, joint_kind, main_axis_of
from ..model.graph import joint_ends
from ..model.pose import Array
from ..model.scene import Joint, PhysicsScene

_DISTANCE, _ANGLE = 5e-4, 2e-3
"""How far hinges may be out of line [m] and [rad]: a door 3 mm or half a degree off is frozen."""

OUT_OF_LINE = rule(
    "OMI-J018",
    WARNING,
    "the hinge is {gap} out of line with {other!r}, which connects the same bodies, so neither can"
    " turn; align their axes or make one of them soft",
    reason="Rigid hinges about different axes leave no motion that both allow.",
)


def check_alignment(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield the rigid hinges between two bodies that are out of line with the first of them."""
    for first, *others in _hinges(scene):
        for joint in others:
            gap = _gap(scene, first, joint)
            if gap:
                place = first.place or scene.names[first.node]
                yield OUT_OF_LINE(joint.place, gap=gap, other=place)


def _hinges(scene: PhysicsScene) -> Iterator[list[Joint]]:
    """Yield the rigid hinges of each two bodies that have several joints."""
    groups: defaultdict[tuple[int, ...], list[Joint]] = defaultdict(list)
    if len(scene.joints) > 1:
        ends = joint_ends(scene)
        for index in np.flatnonzero(ends.are_beside_others()):
            pair = sorted((int(ends.body[index]), int(ends.connected_body[index])))
            groups[tuple(pair)].append(scene.joints[index])
    for joints in groups.values():
        hinges = [joint for joint in joints if _is_rigid_hinge(joint)]
        if len(hinges) > 1:
            yield hinges


def _is_rigid_hinge(joint: Joint) -> bool:
    is_rigid = all(limit.is_rigid for limit in joint.settings.limits)
    return is_rigid and joint_kind(joint.settings) == JointKind.HINGE


def _gap(scene: PhysicsScene, one: Joint, other: Joint) -> str:
    """Return how far two hinges are out of line, in words; empty is not."""
    (place, along), (there, across) = _line(scene, one), _line(scene, other)
    if not np.isfinite([*place, *along, *there, *across]).all():
        return ""
    angle = float(np.arctan2(np.linalg.norm(np.cross(along, across)), abs(along @ across)))
    if angle > _ANGLE:
        return amount(angle, is_angular=True)
    distance = float(np.linalg.norm(np.cross(there - place, along)))
    return amount(distance, is_angular=False) if distance > _DISTANCE else ""


def _line(scene: PhysicsScene, hinge: Joint) -> tuple[Array, Array]:
    """Return a point of a hinge's axis and its direction in the world."""
    matrix = scene.matrices[hinge.node]
    axis = matrix[:3, main_axis_of(hinge.settings) or 0]
    with np.errstate(all="ignore"):
        return matrix[:3, 3], axis / np.linalg.norm(axis)
