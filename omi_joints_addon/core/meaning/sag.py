"""How far soft locked axes sag under weight, which needs no simulation: m·g/k."""

import math

from ..model.joint import JointLimit
from ..model.scene import PhysicsScene

NOTABLE_SAG = 0.01
"""Sag [m] from which on it is reported."""


def static_sag(limit: JointLimit, load: float) -> float | None:
    """Return how far [m] a soft lock of linear axes sags under a load [N], None for others."""
    is_soft = limit.is_locked and not limit.is_rigid and bool(limit.linear_axes)
    if not is_soft:
        return None
    return load / limit.stiffness if limit.stiffness > 0.0 else math.inf


def scene_sags(scene: PhysicsScene) -> dict[int, float]:
    """Return the largest static sag [m] of each joint with soft locks, by number of the joint.

    The load is the weight of the heavier dynamic body at its ends; what hangs below adds to it.
    """
    owner, pull = scene.bodies(), math.dist(scene.gravity, (0.0, 0.0, 0.0))
    found: dict[int, float] = {}
    for number, joint in enumerate(scene.joints):
        locks = [limit for limit in joint.settings.limits if static_sag(limit, 0.0) is not None]
        if not locks:
            continue
        bodies = [int(owner[end]) for end in (joint.node, joint.other)]
        motions = [scene.motions[body] for body in bodies if scene.is_dynamic(body)]
        load = max((abs(m.mass * m.gravity_factor) * pull for m in motions), default=0.0)
        sags = [static_sag(limit, load) for limit in locks]
        found[number] = max(sag for sag in sags if sag is not None)
    return found
