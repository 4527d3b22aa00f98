"""Bodies that do not move freely: they reach what they are driven to, or keep their velocity."""

import math
from collections.abc import Mapping

import numpy as np

from ..model.pose import (
    Array,
    Pose,
    pose_from_matrix,
    quaternion_conjugate,
    quaternion_product,
    rotate,
)
from .bodies import Bodies, Motions


def drive(
    bodies: Bodies, start: Motions, motions: Motions, driven: Mapping[int, Array], duration: float
) -> dict[int, Pose]:
    """Give driven bodies the velocities that bring them to their goals; return these by body.

    `driven` are world matrices (4, 4) by node. Other kinematic bodies keep those of the `start`.
    """
    fixed = ~bodies.is_dynamic
    linear, angular = motions.linear.copy(), motions.angular.copy()
    linear[:, fixed] = start.linear[:, fixed]
    angular[:, fixed] = start.angular[:, fixed]
    goals: dict[int, Pose] = {}
    for node, matrix in driven.items():
        body = int(np.searchsorted(bodies.nodes, node))
        is_body = body < bodies.count and bodies.nodes[body] == node
        if not is_body or not fixed[body] or not np.isfinite(matrix).all():
            continue
        goal = pose_from_matrix(matrix)
        goals[body] = goal
        linear[:, body] = (_center(bodies, body, goal) - motions.center[:, body]) / duration
        angular[:, body] = _turn(motions.rotation[:, body], goal.rotation) / duration
    motions.linear, motions.angular = linear, angular
    return goals


def arrive(bodies: Bodies, motions: Motions, goals: Mapping[int, Pose]) -> None:
    """Put driven bodies exactly where they are wanted."""
    for body, goal in goals.items():
        motions.center[:, body] = _center(bodies, body, goal)
        motions.rotation[:, body] = goal.rotation


def _center(bodies: Bodies, body: int, frame: Pose) -> Array:
    """Return the center of mass (3,) of a body with a frame."""
    return frame.position + rotate(frame.rotation, bodies.center[:, body])


def _turn(start: Array, end: Array) -> Array:
    """Return the shorter rotation vector (3,) in world axes from one orientation to another."""
    q = quaternion_product(end, quaternion_conjugate(start))
    q = -q if q[3] < 0.0 else q
    sine = float(np.linalg.norm(q[:3]))
    return q[:3] * (2.0 * math.atan2(sine, q[3]) / sine if sine > 1e-12 else 2.0)
