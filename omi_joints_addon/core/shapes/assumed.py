"""Inertia for bodies that have none of their own: that of their shapes, else of an even ball.

The ball is made up, and the same wherever one is needed.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from ..findings.sentence import Sentence
from ..model.pose import Array
from ..model.scene import PhysicsScene
from .body_solids import body_solids
from .inertia import inertia_at

SMALLEST_RADIUS = 0.05
"""Of a ball [m] where no joint is farther from the center of mass."""


def assumed_radii(scene: PhysicsScene, bodies: Collection[int]) -> dict[int, float]:
    """Return the radius [m] of the ball by body: it reaches the farthest joint frame on it."""
    found = dict.fromkeys(bodies, SMALLEST_RADIUS)
    owner = scene.bodies()
    for joint in scene.joints if found else ():
        for node in (joint.node, joint.connected):
            body = -1 if node is None else int(owner[node])
            if body in found:
                matrix = scene.matrices[body]
                center = matrix[:3, :3] @ np.array(scene.motions[body].center_of_mass)
                distance = np.linalg.norm(scene.matrices[node][:3, 3] - matrix[:3, 3] - center)
                found[body] = max(found[body], float(distance))
    return found


def assumed_moment(mass: float, radius: float) -> float:
    """Return the moment of inertia [kg·m²] of an even ball about any axis."""
    return 0.4 * mass * radius**2


def assumed_text(radius: float) -> str:
    """Return what to say of an inertia that is made up."""
    text = "it has none and no shape: that of a ball of {radius:.3g} m is made up"
    return Sentence(text, radius=radius)


class RequiredInertia(NamedTuple):
    """The inertia of a body that has none, where a document has to have one."""

    tensor: Array
    """About the center of mass, in the axes of the body [kg·m²], shape (3, 3)."""
    radius: float | None
    """Of the ball that is made up [m]; None where the shapes give it."""


def required_inertias(
    scene: PhysicsScene, masses: Mapping[int, float]
) -> dict[int, RequiredInertia]:
    """Return the inertias of bodies of some masses [kg], by node."""
    solids, _ = body_solids(scene, masses)
    radii = assumed_radii(scene, masses.keys() - solids.keys())
    found = {
        body: RequiredInertia(np.eye(3) * assumed_moment(masses[body], radius), radius)
        for body, radius in radii.items()
    }
    return found | {
        body: RequiredInertia(inertia_at(solid, masses[body]), None)
        for body, solid in solids.items()
    }
