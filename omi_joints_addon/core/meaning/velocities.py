"""Initial velocities of bodies, and those of joints between them.

A body's own velocity is all it has: nothing is inherited from a body above it, in UsdPhysics as in
OMI_physics_body. SI units; a body's velocity is that of its center of mass.
"""

import math
from typing import NamedTuple

import numpy as np

from ..model.body import Motion, Vector
from ..model.graph import joint_ends
from ..model.pose import Array, cross, pose_from_matrix, rotation_matrix
from ..model.scene import PhysicsScene

_SAME = 1e-5
"""Difference of scales from 1 that does not count."""


def moves(motion: Motion) -> bool:
    """Return whether a motion has an initial velocity."""
    return any(motion.linear_velocity) or any(motion.angular_velocity)


def turn_of(scene: PhysicsScene, node: int) -> float:
    """Return how far the axes of a node are turned from those of the world [rad]."""
    rotation = pose_from_matrix(scene.matrices[node]).rotation
    return 2.0 * math.atan2(float(np.linalg.norm(rotation[:3])), abs(float(rotation[3])))


class Velocity(NamedTuple):
    """How a rigid body moves, in world axes."""

    place: Array
    """A point of the body [m], shape (3,)."""
    linear: Array
    """Velocity of that point [m/s]."""
    angular: Array
    """[rad/s]."""

    def at(self, place: Array) -> "Velocity":
        """Return the same motion by the velocity of another point."""
        carried = self.linear + cross(self.angular, place - self.place)
        return Velocity(place, carried, self.angular)

    @property
    def is_moving(self) -> bool:
        """Whether any of it is not zero."""
        return bool(self.linear.any() or self.angular.any())

    def plus(self, linear: Array, angular: Array) -> "Velocity":
        """Return the motion of a body with velocities relative to this one, in world axes."""
        return Velocity(self.place, self.linear + linear, self.angular + angular)


def at_rest(place: Array) -> Velocity:
    """Return no motion."""
    return Velocity(place, np.zeros(3), np.zeros(3))


def joint_velocities(scene: PhysicsScene) -> Array:
    """Return how connected frames move in their joints' frames, (j, 6) [m/s], then [rad/s].

    A joint that has no connected frame, or is on one body, does not move.
    """
    result, ends = np.zeros((len(scene.joints), 6)), joint_ends(scene)
    moves = {body: each for body, each in body_velocities(scene).items() if each.is_moving}
    chosen = np.isin(ends.body, list(moves)) | np.isin(ends.connected_body, list(moves))
    for number in np.flatnonzero(chosen & (ends.connected >= 0)).tolist():
        axes = _axes(scene, scene.joints[number].node)
        place = scene.matrices[ends.connected[number], :3, 3]
        one, other = (
            moves.get(int(bodies[number]), at_rest(place)).at(place)
            for bodies in (ends.body, ends.connected_body)
        )
        result[number, :3] = (other.linear - one.linear) @ axes
        result[number, 3:] = (other.angular - one.angular) @ axes
    return result


def body_velocities(scene: PhysicsScene) -> dict[int, Velocity]:
    """Return the initial velocity of each dynamic body's center of mass."""
    found = {}
    for body, motion in scene.motions.items():
        if not scene.is_dynamic(body):
            continue
        axes, place = _axes(scene, body), center_of(scene, body)
        linear, angular = (
            axes @ np.array(each, float)
            for each in (motion.linear_velocity, motion.angular_velocity)
        )
        found[body] = Velocity(place, linear, angular)
    return found


def center_of(scene: PhysicsScene, body: int) -> Array:
    """Return the center of mass of a body in the world."""
    matrix = scene.matrices[body]
    center = np.array(scene.motions[body].center_of_mass, float)
    return np.asarray(matrix[:3, 3] + matrix[:3, :3] @ center)


def center_in_meters(scene: PhysicsScene, body: int) -> Vector:
    """Return the center of mass of a body in its axes without scale."""
    x, y, z = scene.motions[body].center_of_mass
    scale = [math.hypot(*axis) for axis in scene.matrices[body, :3, :3].T.tolist()]
    if all(abs(factor - 1.0) <= _SAME for factor in scale):
        return x, y, z
    # Seven digits are what single precision holds.
    a, b, c = (float(f"{factor:.7g}") for factor in scale)
    return x * a, y * b, z * c


def _axes(scene: PhysicsScene, node: int) -> Array:
    """Return the axes of a node without its scale, as columns."""
    return rotation_matrix(pose_from_matrix(scene.matrices[node]).rotation)
