"""What a force along or about an axis of a joint moves: the reduced mass or inertia of its bodies.

Bodies that further joints hold are taken as free. SI units.
"""

import math
from typing import NamedTuple

import numpy as np

from ..model.graph import Indices, Mask, joint_ends
from ..model.pose import Array, cross, rotation_matrix
from ..model.scene import PhysicsScene

_ARM = 0.1
"""Distance [m] from which on it gives a moment of inertia, where a body declares none."""


class ChosenAxes(NamedTuple):
    """Axes of joints, shapes (s,)."""

    joint: Indices
    """Number of the joint in its scene."""
    axis: Indices
    """0 X, 1 Y, 2 Z of the joint's frame."""
    is_angular: Mask


def moved_inertias(scene: PhysicsScene, axes: ChosenAxes) -> Array:
    """Return mass [kg] or moment of inertia [kg·m²] that moves along or about axes, shape (s,).

    NaN where nothing can move, both ends are on one body, or a body declares no inertia and has its
    center of mass near the axis.
    """
    ends = joint_ends(scene)
    one, other = ends.body[axes.joint], ends.connected_body[axes.joint]
    frames = scene.matrices[ends.node[axes.joint]]
    inverse = np.zeros(len(one))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for body, is_dynamic in ((one, ends.is_dynamic), (other, ends.is_connected_dynamic)):
            rows = np.flatnonzero(is_dynamic[axes.joint])
            chosen = ChosenAxes(axes.joint[rows], axes.axis[rows], axes.is_angular[rows])
            inverse[rows] += 1.0 / _inertias(scene, body[rows], frames[rows], chosen)
        return np.where((inverse > 0.0) & (one != other), 1.0 / inverse, math.nan)


def _inertias(scene: PhysicsScene, bodies: Indices, frames: Array, axes: ChosenAxes) -> Array:
    """Return what single bodies contribute, NaN where unknown, shape (s,)."""
    motions = [scene.motions[body] for body in bodies.tolist()]
    mass = np.array([motion.mass for motion in motions], float)
    own = np.array([motion.inertia_diagonal for motion in motions], float).reshape(-1, 3)
    center = np.array([motion.center_of_mass for motion in motions], float).reshape(-1, 3)
    principal = np.array([motion.inertia_orientation for motion in motions], float).reshape(-1, 4)
    matrices = scene.matrices[bodies]
    is_usable = _are_usable(frames) & _are_usable(matrices)
    frames, matrices = (
        np.where(is_usable[:, None, None], each, np.eye(4)) for each in (frames, matrices)
    )
    along = _directions(frames)[np.arange(len(bodies)), :, axes.axis]
    turned = _directions(matrices) @ rotation_matrix(principal)
    arm = matrices[:, :3, 3] + (matrices[:, :3, :3] @ center[..., None])[..., 0]
    arm = np.square(cross(arm - frames[:, :3, 3], along)).sum(axis=1)
    moment = (np.square((along[:, None, :] @ turned)[:, 0]) * own).sum(axis=1)
    is_known = is_usable & ((moment > 0.0) | (arm >= _ARM**2))
    moment = np.where(is_known, moment + mass * arm, math.nan)
    found = np.where(axes.is_angular, moment, mass)
    return np.where(found > 0.0, found, math.nan)


def _are_usable(matrices: Array) -> Mask:
    return np.asarray((np.abs(matrices) < 1e12).all(axis=(1, 2)))


def _directions(matrices: Array) -> Array:
    """Return the axes of nodes as columns of length one, shape (s, 3, 3)."""
    axes = matrices[:, :3, :3]
    return np.asarray(axes / np.sqrt(np.square(axes).sum(axis=1, keepdims=True)))
