"""Initial velocities of joints to those of bodies, and back. SI units, world axes."""

from collections.abc import Mapping

import numpy as np

from ....core.meaning.velocities import Velocity as BodyVelocity
from ....core.meaning.velocities import center_in_meters
from ....core.model.pose import Array, cross
from ....core.model.scene import PhysicsScene
from .layout import Body
from .placing import ShiftJoint

Velocity = tuple[Array, Array]
"""Linear, of the origin of the body, and angular, each shape (3,)."""
STILL: Velocity = (np.zeros(3), np.zeros(3))


def body_velocities(
    order: list[tuple[ShiftJoint, int]], worlds: Mapping[Body, Array]
) -> dict[Body, Velocity]:
    """Return the velocity of each body that moves at the start.

    `order` are the joints of the tree from `fixed` outwards, with the end (0 or 1) nearer to it:
    each adds its own motion to that of its parent.
    """
    found: dict[Body, Velocity] = {}
    for joint, end in order:
        near, far = joint.bodies[end], joint.bodies[1 - end]
        if near not in found and not joint.velocity.any():
            continue
        axes = (worlds[joint.bodies[0]] @ joint.frame(0))[:3, :3]
        place = (worlds[joint.bodies[1]] @ joint.frame(1))[:3, 3]
        # The second frame moves in the first: its origin, and the turn about that.
        along, about = (1.0 if end == 0 else -1.0) * (joint.velocity @ axes.T)
        base = BodyVelocity(worlds[near][:3, 3], *found.get(near, STILL)).at(place)
        moved = base.plus(along, about).at(worlds[far][:3, 3])
        found[far] = (moved.linear, moved.angular)
    return {body: each for body, each in found.items() if np.any(each[0]) or np.any(each[1])}


def scene_velocities(scene: PhysicsScene, worlds: Array) -> dict[int, Velocity]:
    """Return the velocity of each body of a scene that moves, by node; `worlds` are (n, 4, 4)."""
    found = {}
    for node, motion in scene.motions.items():
        axes = worlds[node][:3, :3]
        angular = axes @ motion.angular_velocity
        # A motion has the velocity of the center of mass.
        linear = axes @ motion.linear_velocity
        linear -= cross(angular, axes @ center_in_meters(scene, node))
        if scene.is_dynamic(node) and (linear.any() or angular.any()):
            found[node] = (linear, angular)
    return found


def joint_velocity(
    axis: Array, pivot: Array, velocities: tuple[Velocity, Velocity], origins: Array, *, turns: bool
) -> float:
    """Return the velocity [m/s or rad/s] of a joint with one axis from those of its two bodies.

    `axis` and `pivot` (3,) are where the second frame is, `origins` (2, 3) those of the bodies.
    """
    (one, spin), (other, turn) = velocities
    if turns:
        return float(axis @ (turn - spin))
    first, second = pivot - origins
    return float(axis @ (other + cross(turn, second) - one - cross(spin, first)))
