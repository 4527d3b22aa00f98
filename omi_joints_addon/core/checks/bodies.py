"""Checks of bodies: masses, inertia, and bodies below bodies."""

from collections.abc import Iterator

import numpy as np

from ..findings.finding import WARNING, Finding, rule
from ..findings.fix import Fix
from ..model.body import Motion, MotionType
from ..model.graph import Indices, Mask
from ..model.scene import PhysicsScene

_ROUNDING = 1e-4
"""Part of a moment of inertia that counts as rounding."""


BELOW_MOVING_BODY = rule(
    "OMI-B013",
    WARNING,
    "the body is a child of the moving body {above!r}; engines that keep the node tree, such as "
    "Godot, move it along, so make it a sibling instead",
    reason="OMI_physics_body: a descendant with its own motion is an independent body.",
)
MASS_NOT_POSITIVE = rule(
    "OMI-B014",
    WARNING,
    "the mass of the dynamic body is {mass:g}, but must be above zero",
    reason="OMI_physics_body: mass in kilograms; no engine can move a body without mass.",
)
IMPOSSIBLE_INERTIA = rule(
    "OMI-B015",
    WARNING,
    "moments of inertia {moments} are impossible: the largest exceeds the sum of the other two; "
    "compute them from the shape",
    reason="Principal moments obey the triangle inequality.",
    fix=Fix.INERTIA_FROM_SHAPE,
)
WITHOUT_SHAPE = rule(
    "OMI-B016",
    WARNING,
    "the dynamic body has a mesh but no collision shape, so nothing can touch it, and it falls "
    "through the floor; fit a shape to it",
    reason="OMI_physics_body: a body collides by the colliders on and below its node only.",
    fix=Fix.FIT_SHAPE,
)
SYSTEM_WITHOUT_NAME = rule(
    "OMI-J450",
    WARNING,
    "the collision system has an empty name; give it one, or leave it out",
    reason=(
        "OMI_physics_body: systems are identified by their names; engines treat an empty one as "
        "none."
    ),
)


def check_bodies(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what is wrong with the bodies of a scene."""
    # Files share one motion between many bodies, which is judged once.
    known: dict[int, tuple[Finding, ...]] = {}
    for node, motion in scene.motions.items():
        found = known.get(id(motion))
        if found is None:
            found = known[id(motion)] = tuple(_check_motion(motion))
        for item in found:
            yield item.at(scene.place_of(node))
    yield from _check_nesting(scene)


def check_shapes(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield the dynamic bodies that can be seen but not touched.

    Bodies that show nothing, such as the frames of sensors, need no shape.
    """
    if not scene.motions:
        return
    is_solid, is_shown = (np.zeros(len(scene.names), np.bool_) for _ in range(2))
    is_solid[list(scene.colliders)] = is_shown[list(scene.visuals)] = True
    is_solid[[node for node, kinds in scene.carries.items() if "collider" in kinds]] = True
    is_shown[[node for node, kinds in scene.carries.items() if "mesh" in kinds]] = True
    for body in bodies_without_shape(scene.bodies(), scene.are_dynamic(), is_solid, is_shown):
        yield WITHOUT_SHAPE(scene.place_of(int(body)))


def bodies_without_shape(
    bodies: Indices, is_dynamic: Mask, is_solid: Mask, is_shown: Mask
) -> Indices:
    """Return the dynamic bodies that have a mesh but no collider; all of shape (n,).

    `bodies` is the body that each node belongs to, -1 for none (`PhysicsScene.bodies`).
    """
    return np.flatnonzero(is_dynamic & having(bodies, is_shown) & ~having(bodies, is_solid))


def having(bodies: Indices, is_part: Mask) -> Mask:
    """Return which bodies have a node that is marked; all of shape (n,)."""
    found = np.zeros(len(bodies) + 1, np.bool_)
    found[bodies[is_part]] = True
    return found[:-1]


def _check_motion(motion: Motion) -> Iterator[Finding]:
    if motion.type != MotionType.DYNAMIC:
        return
    if not motion.mass > 0.0:
        yield MASS_NOT_POSITIVE(mass=motion.mass)
    small, middle, large = sorted(motion.inertia_diagonal)
    if large > (small + middle) * (1.0 + _ROUNDING) and small > 0.0:
        words = ", ".join(f"{moment:g}" for moment in motion.inertia_diagonal)
        yield IMPOSSIBLE_INERTIA(moments=words)


def _check_nesting(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield the bodies below one that moves."""
    bodies = np.fromiter(scene.motions, dtype=np.intp, count=len(scene.motions))
    if len(bodies) < 2:
        return
    parents = scene.parents[bodies]
    above = np.where(parents >= 0, scene.bodies()[parents], -1)
    for node, holder in zip(bodies[above >= 0], above[above >= 0], strict=True):
        if scene.motions[int(holder)].type != MotionType.STATIC:
            yield BELOW_MOVING_BODY(scene.place_of(int(node)), above=scene.names[holder])
