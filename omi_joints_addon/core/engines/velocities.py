"""Initial velocities of bodies as engines take them: in world axes, or of none that is driven."""

import math

import numpy as np

from ..model.body import Motion
from ..model.pose import pose_from_matrix
from ..model.scene import PhysicsScene


def moves(motion: Motion) -> bool:
    """Return whether a motion has an initial velocity."""
    return any(motion.linear_velocity) or any(motion.angular_velocity)


def turn_of(scene: PhysicsScene, node: int) -> float:
    """Return how far the axes of a node are turned from those of the world [rad]."""
    rotation = pose_from_matrix(scene.matrices[node]).rotation
    return 2.0 * math.atan2(float(np.linalg.norm(rotation[:3])), abs(float(rotation[3])))
