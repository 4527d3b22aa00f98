"""Which bodies of a mechanism touch as its joints move: always, at rest, or never.

In one half of the configurations each joint is at an end of its range or at rest, at first all at
the same end; in the other anywhere within its limits. Joints that close a loop are let go, so that
all that a loop can do is among them.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ...meaning.freedom import freedoms, within
from ...meaning.kinematics import Kinematics
from ...model.graph import WORLD, joint_ends, mechanism_of
from ...model.pose import Array, pose_from_matrix, quaternion_product
from ...model.scene import PhysicsScene
from ..bodies import Bodies, bodies_of, motions_at_rest
from .finding import ContactFinder
from .shapes import contact_shapes, meetings

SAMPLES = 2000
"""Configurations that are tried."""
_ALWAYS = 0.95
"""Share of the configurations in which a pair touches that counts as always (as in MoveIt)."""
_TOUCHING = 1e-5
"""Distance [m] that counts as touching."""
_TOGETHER = 200_000
"""Matrices of bodies that are worked out at once."""


class Touch(StrEnum):
    """When two bodies touch."""

    ALWAYS = "always"
    AT_REST = "at rest"
    SOMETIMES = "sometimes"
    NEVER = "never"


def connected_bodies(scene: PhysicsScene, starts: Collection[int]) -> set[int]:
    """Return the bodies of the mechanism of some bodies, these and what holds it among them."""
    own = mechanism_of(scene, starts)
    pairs = [pair for pair in joint_ends(scene).pairs() if not own.isdisjoint(pair)]
    return own.union(starts, *pairs) - {WORLD}


def self_collisions(
    scene: PhysicsScene, members: Collection[int], *, samples: int = SAMPLES
) -> dict[tuple[int, int], Touch]:
    """Return when two bodies touch, by their nodes, of all pairs that may collide.

    Only those among `members`, bodies of one mechanism, count. Raises `ValueError` where there is
    no finding what touches.
    """
    bodies, _ = bodies_of(scene)
    every = (shape for shape in contact_shapes(scene, bodies)[0] if not shape.is_trigger)
    shapes = [shape for shape in every if bodies.nodes[shape.body] in members]
    meeting = meetings(scene, bodies, shapes)
    may_touch = np.zeros((bodies.count, bodies.count), bool)
    one, other = np.nonzero(meeting.are_allowed)
    body = np.array([shape.body for shape in shapes], np.intp)
    may_touch[body[one], body[other]] = True
    if not len(one):
        return {}
    finder, tree = ContactFinder(bodies, shapes, meeting), Kinematics(scene)
    (at_rest,) = _touches(finder, bodies, tree, tree.rest[None])
    counts = np.zeros(may_touch.shape, np.intp)
    tried = _configurations(tree, members, samples, np.random.default_rng(0))
    for values in np.array_split(tried, 1 + samples * bodies.count // _TOGETHER):
        for touching in _touches(finder, bodies, tree, values):
            counts += touching
    return {
        (int(bodies.nodes[a]), int(bodies.nodes[b])): _touch(counts[a, b] / samples, at_rest[a, b])
        for a, b in np.argwhere(np.triu(may_touch)).tolist()
    }


def _touch(share: float, at_rest: np.bool_) -> Touch:
    if share >= _ALWAYS:
        return Touch.ALWAYS
    if at_rest:
        return Touch.AT_REST
    return Touch.SOMETIMES if share > 0.0 else Touch.NEVER


def _configurations(
    tree: Kinematics, members: Collection[int], samples: int, random: np.random.Generator
) -> Array:
    """Return values (s, j, 6) of all joints; those of other bodies stay at rest."""
    values = np.tile(tree.rest, (samples, 1, 1))
    corners = samples // 2
    for number in (n for n, body in tree.children.items() if body in members):
        settings = tree.scene.joints[number].settings
        for each in freedoms(settings):
            rest = tree.rest[number, each.number]
            ends = random.choice((each.low, rest, each.high), corners)
            ends[:2] = each.low, each.high
            anywhere = random.uniform(each.low, each.high, samples - corners)
            values[:, number, each.number] = np.concatenate((ends, anywhere))
        values[:, number] = within(settings, values[:, number])
    return tree.with_followers(values)


def _touches(
    finder: ContactFinder, bodies: Bodies, tree: Kinematics, values: Array
) -> Iterator[NDArray[np.bool_]]:
    """Yield which bodies touch (n, n) in each of some configurations (s, j, 6)."""
    moved = tree.motions(values)[:, bodies.nodes]
    centers = np.einsum("snij,jn->sin", moved[:, :, :3, :3], bodies.centers(bodies.rest))
    centers += moved[:, :, :3, 3].swapaxes(1, 2)
    turned = quaternion_product(pose_from_matrix(moved).rotation, bodies.rest.rotation)
    rest = motions_at_rest(bodies)
    still = replace(rest, linear=np.zeros_like(rest.linear), angular=np.zeros_like(rest.angular))
    for center, rotation in zip(centers, turned.swapaxes(1, 2), strict=True):
        finder.find(replace(still, center=center, rotation=rotation), 0.0)
        found = finder.contacts(np.ones(bodies.count, bool))
        close = found.distance < _TOUCHING
        touching = np.zeros((bodies.count, bodies.count), bool)
        touching[found.first[close], found.second[close]] = True
        yield touching | touching.T
