"""Inertia for bodies that have neither their own nor a shape to work it out from.

It is made up, and the same wherever one is needed: that of an even ball.
"""

from collections.abc import Collection

import numpy as np

from ..findings.sentence import Sentence
from ..model.scene import PhysicsScene

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
