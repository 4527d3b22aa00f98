"""Initial velocities of joints to those of bodies, and back. SI units, world axes."""

from collections.abc import Mapping

import numpy as np

from ....core.model.pose import Array
from .layout import Body
from .placing import ShiftJoint

Velocity = tuple[Array, Array]
"""Linear, of the origin of the body, and angular, each shape (3,)."""


def body_velocities(
    order: list[tuple[ShiftJoint, int]], worlds: Mapping[Body, Array]
) -> dict[Body, Velocity]:
    """Return the velocity of each body that moves at the start.

    `order` are the joints of the tree from `fixed` outwards, with the end (0 or 1) nearer to it:
    each adds its own motion to that of the body it hangs on.
    """
    found: dict[Body, Velocity] = {}
    rest = (np.zeros(3), np.zeros(3))
    for joint, end in order:
        near, far = joint.bodies[end], joint.bodies[1 - end]
        linear, angular = found.get(near, rest)
        frame = worlds[joint.bodies[0]] @ joint.frame(0)
        moved = worlds[joint.bodies[1]] @ joint.frame(1)
        sign = 1.0 if end == 0 else -1.0
        along, about = sign * (joint.velocity @ frame[:3, :3].T)
        # The second frame moves in the first: its origin at `along`, turning `about` its origin.
        origin, pivot = worlds[far][:3, 3], moved[:3, 3] if end == 0 else frame[:3, 3]
        carried = linear + np.cross(angular, origin - worlds[near][:3, 3])
        found[far] = (carried + along + np.cross(about, origin - pivot), angular + about)
    return {body: each for body, each in found.items() if np.any(each[0]) or np.any(each[1])}


def joint_velocity(
    joint: ShiftJoint, worlds: Mapping[Body, Array], velocities: Mapping[Body, Velocity]
) -> float:
    """Return the velocity [m/s or rad/s] of a joint with one axis from those of its bodies."""
    frame = worlds[joint.bodies[0]] @ joint.frame(0)
    axis, pivot = frame[:3, :3] @ joint.axis, (worlds[joint.bodies[1]] @ joint.frame(1))[:3, 3]
    rest = (np.zeros(3), np.zeros(3))
    (one, spin), (other, turn) = (velocities.get(body, rest) for body in joint.bodies)
    if joint.kind == "revolute":
        return float(axis @ (turn - spin))
    first, second = (worlds[body][:3, 3] for body in joint.bodies)
    return float(
        axis @ (other + np.cross(turn, pivot - second) - one - np.cross(spin, pivot - first))
    )
