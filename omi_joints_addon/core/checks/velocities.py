"""Check of initial velocities: bodies do not inherit them, so joints may be pulled apart."""

from collections.abc import Iterator

import numpy as np

from ..findings.finding import WARNING, Finding, rule
from ..findings.words import amount
from ..meaning.axes import joint_axes
from ..meaning.velocities import joint_velocities
from ..model.scene import PhysicsScene

_NOTABLE = 1e-3
"""Speed [m/s and rad/s] along or about a locked axis that is reported."""

PULLED_APART = rule(
    "OMI-J021",
    WARNING,
    "the initial velocities of its bodies pull the locked axes of the joint apart at {speed}/s; "
    "give both bodies velocities that the joint allows",
    reason="A body has its own velocity only: none is inherited from a parent (UsdPhysics, nested "
    "bodies; OMI_physics_body, motion). Engines take the rest away in the first step.",
)


def check_velocities(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield the joints whose bodies start with velocities that their locked axes exclude."""
    if not any(
        any((*motion.linear_velocity, *motion.angular_velocity))
        for motion in scene.motions.values()
    ):
        return
    velocities = joint_velocities(scene)
    for number in np.flatnonzero((np.abs(velocities) > _NOTABLE).any(axis=1)).tolist():
        joint = scene.joints[number]
        is_locked = [axis.min == axis.max for axis in joint_axes(joint.settings).all]
        off = np.abs(velocities[number]) * is_locked
        if not joint.attributes.enabled:
            continue
        if not np.isfinite(off).all() or off.max() <= _NOTABLE:
            continue
        is_angular = bool(off[3:].max() > off[:3].max())
        speed = amount(float(off.max()), is_angular=is_angular)
        yield PULLED_APART(joint.place or scene.names[joint.node], speed=speed)
