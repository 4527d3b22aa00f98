"""Which way a new joint turns or slides: directions in world space from two bodies.

Boxes are the bounding boxes of the bodies along the moving body's own axes; without an anchor the
moving body is compared with itself.
"""

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..core.meaning.presets import PRESETS, Fitting, Preset
from ..core.model.pose import Array
from ..properties.bones import world_matrix
from .frames import rigid_matrix
from .pivots import Pivots, round_of

NESTED = 1e-4
"""Part of the body's size by which it must stick out of the other to leave it that way."""


def fitting_axis(
    preset: Preset,
    moving: bpy.types.Object,
    anchor: bpy.types.Object | None,
    pivot: Vector,
    *,
    pivots: Pivots | None = None,
) -> Vector:
    """Return the unit direction that fits a preset between two bodies.

    Which one fits is the preset's own (`Fitting`). What turns does so about the positive side of
    the nearest world axis, however the body's own axes are turned or mirrored: wheels on both sides
    of a car roll the same way. With `pivots`, a wheel turns about the axis of its surface.
    """
    fitting = PRESETS[preset].fitting
    if fitting == Fitting.UPRIGHT:
        return Vector((0.0, 0.0, 1.0))
    space = rigid_matrix(world_matrix(moving))
    one = _box(moving, space)
    other = one if anchor is None else _box(anchor, space)
    if fitting == Fitting.LEAVING:
        direction = _leaving(one, other)
    elif fitting == Fitting.TOWARD:
        direction = _toward(one, np.array(space.inverted() @ pivot))
    elif wheel := _wheel_axis(preset, moving, pivots):
        return _on_positive_side(wheel)
    else:
        turning = _shortest(one) if fitting == Fitting.SHORTEST else _common_edge(one, other)
        return _on_positive_side(_in_world(turning, space))
    return _in_world(direction, space)


def _wheel_axis(preset: Preset, moving: bpy.types.Object, pivots: Pivots | None) -> Vector | None:
    body = round_of(pivots, moving) if pivots and PRESETS[preset].is_turning else None
    return body.axis if body and body.is_disc else None


def _in_world(direction: Array, space: Matrix) -> Vector:
    return (space.to_3x3() @ Vector(direction.tolist())).normalized()


def _on_positive_side(direction: Vector) -> Vector:
    """Return a direction or its opposite, which points along the world axis nearest to it."""
    nearest = 2 - int(np.argmax(np.round(np.abs(np.array(direction))[::-1], 4)))
    return -direction if direction[nearest] < 0.0 else direction


def face_normal(pivots: Pivots, anchor: bpy.types.Object, place: Vector) -> Vector | None:
    """Return the normal of an object's face nearest to a place, None where it has no faces."""
    surface = pivots.surface(anchor)
    if surface is None:
        return None
    normal: Vector | None = surface.tree.find_nearest(place)[1]
    return normal


def _box(obj: bpy.types.Object, space: Matrix) -> Array:
    """Return the lowest and the highest corner (2, 3) of an object's box in a space."""
    matrix = space.inverted() @ world_matrix(obj)
    corners = [Vector(corner) for corner in obj.bound_box] if obj.type != "EMPTY" else [Vector()]
    points = np.array([matrix @ corner for corner in corners])
    return np.array([points.min(axis=0), points.max(axis=0)])


def _leaving(one: Array, other: Array) -> Array:
    """Return the way on which a box sticks out of the other most, else on which it is out first."""
    size = max(float(np.ptp(one, axis=0).max()), 1e-9)
    out = np.array([other[0] - one[0], one[1] - other[1]])
    if out.max() <= NESTED * size:
        out = -np.array([one[1] - other[0], other[1] - one[0]])
    side, axis = np.unravel_index(int(np.argmax(np.round(out / size, 4))), out.shape)
    return np.asarray((-1.0 if side == 0 else 1.0) * np.eye(3)[axis])


def _common_edge(one: Array, other: Array) -> Array:
    """Return the axis along which two boxes overlap most; Z before Y before X."""
    overlap = np.minimum(one[1], other[1]) - np.maximum(one[0], other[0])
    size = max(float(np.abs(overlap).max()), 1e-9)
    return np.asarray(np.eye(3)[2 - int(np.argmax(np.round(overlap[::-1] / size, 4)))])


def _shortest(one: Array) -> Array:
    """Return the axis of a box's shortest extent; Z before Y before X."""
    extent = np.ptp(one, axis=0)
    size = max(float(extent.max()), 1e-9)
    return np.asarray(np.eye(3)[2 - int(np.argmin(np.round(extent[::-1] / size, 4)))])


def _toward(one: Array, pivot: Array) -> Array:
    """Return the axis, either way, that points from the pivot to the middle of a box best."""
    way = one.mean(axis=0) - pivot
    axis = 2 - int(np.argmax(np.round(np.abs(way[::-1]), 6)))
    return np.asarray((-1.0 if way[axis] < 0.0 else 1.0) * np.eye(3)[axis])
