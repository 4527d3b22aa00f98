"""How far soft locked axes sag under weight, which needs no simulation: m·g/k."""

import math
from collections.abc import Iterator

import numpy as np

from ..model.joint import JointLimit
from ..model.scene import PhysicsScene

NOTABLE_SAG = 0.01
"""Sag [m] from which on it is told."""


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
    for number, limits in _soft_locks(scene):
        joint = scene.joints[number]
        bodies = [int(owner[end]) for end in (joint.node, joint.other)]
        motions = [scene.motions[body] for body in bodies if scene.is_dynamic(body)]
        load = max((abs(m.mass * m.gravity_factor) * pull for m in motions), default=0.0)
        sags = [static_sag(limit, load) for limit in limits]
        found[number] = max(sag for sag in sags if sag is not None)
    return found


def _soft_locks(scene: PhysicsScene) -> Iterator[tuple[int, list[JointLimit]]]:
    """Yield the joints with soft locks of linear axes, and these."""
    columns = scene.joint_columns
    limits = columns.values.limits
    soft = (limits.min == limits.max) & ~np.isinf(limits.stiffness) & (limits.linear > 0)
    is_soft = np.zeros(columns.values.count, dtype=np.bool_)
    is_soft[limits.owner[soft]] = True
    for number in np.flatnonzero(is_soft[columns.settings]).tolist():
        settings = columns.known[columns.settings[number]]
        yield number, [limit for limit in settings.limits if static_sag(limit, 0.0) is not None]
