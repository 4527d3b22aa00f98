"""Where a shape of a node stands: on the node itself, or on one of its own as files need it."""

from dataclasses import dataclass

import numpy as np

from ..model.body import Vector
from ..model.pose import Array, Pose, compose, matrix_from_pose, pose_from_matrix
from ..model.shape import (
    MeshShape,
    OtherShape,
    Shape,
    enclosing_scaled_shape,
    scaled_shape_of,
)
from .fit import Fit

_SAME = 1e-5
"""Relative difference of scales that does not count."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedShape:
    """A shape with sizes in meters."""

    shape: Shape
    matrix: Array | None = None
    """World matrix (4, 4) without scale of the node that it stands on; None is the given node."""


def placed_shape(world: Array, fit: Fit) -> PlacedShape:
    """Return a shape of a node with the world matrix `world` (4, 4) as a node without scale has it.

    Meshes and shapes of other types scale with their node. What cannot take the node's scale or
    shear encloses what it would be.
    """
    if isinstance(fit.shape, MeshShape | OtherShape):
        return PlacedShape(fit.shape)
    scale = np.linalg.norm(world[:3, :3], axis=0)
    is_scaled = bool((np.abs(scale - 1.0) > _SAME).any())
    if not is_scaled and fit.up == 2 and not any(fit.center):
        return PlacedShape(fit.shape)
    shape = enclosing_scaled_shape(fit.shape, along_shape(scale, fit)) if is_scaled else fit.shape
    node = pose_from_matrix(world)
    center = world[:3, :3] @ fit.center + world[:3, 3]
    turn = Pose(np.zeros(3), np.array(fit.rotation))
    place = compose(Pose(center, node.rotation), turn)
    return PlacedShape(shape, matrix_from_pose(place))


def is_uneven(fit: Fit, scale: Vector) -> bool:
    """Return whether a shape cannot take the scale of its object and stay itself."""
    is_round = not isinstance(fit.shape, MeshShape | OtherShape)
    return is_round and scaled_shape_of(fit.shape, along_shape(np.array(scale), fit)) is None


def along_shape(scale: Array, fit: Fit) -> tuple[float, float, float]:
    """Return the factors of an object's axes as those of a shape that stands on another axis.

    Seven digits are what single precision holds: a turned matrix gives 1.9999999 for 2.
    """
    x, y, z = (float(f"{factor:.7g}") for factor in scale)
    return {0: (z, y, x), 1: (x, z, y), 2: (x, y, z)}[fit.up]
