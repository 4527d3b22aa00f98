"""Collision shapes of objects as lines in the world, in plain numpy."""

from collections.abc import Iterator

import bpy
import numpy as np

from ..core.model.pose import Array, rotation_matrix
from ..core.shapes.fit import Fit
from ..core.shapes.outline import shape_segments
from ..properties.body import body_data
from .geometry import Vertices

COLLIDER = (0.25, 0.85, 0.45, 0.9)
TRIGGER = (0.35, 0.65, 1.0, 0.9)
"""RGBA of outlines, told apart by readers of any colour vision through their brightness."""


def shape_lines(objects: list[bpy.types.Object]) -> Vertices:
    """Return the outlines of the shapes that objects have themselves, in world axes."""
    points: list[Array] = [np.empty((0, 3))]
    colors: list[tuple[tuple[float, ...], int]] = []
    for obj in objects:
        for fit, color in _fits(obj):
            segments = world_segments(obj, fit)
            points.append(segments)
            colors.append((color, len(segments)))
    position = np.concatenate(points).astype(np.float32)
    rgba = np.array([color for color, _ in colors], np.float32).reshape(-1, 4)
    return Vertices(
        position,
        np.repeat(rgba, [count for _, count in colors], axis=0),
        np.zeros(len(position), np.int32),
    )


def world_segments(obj: bpy.types.Object, fit: Fit) -> Array:
    """Return the outline of a shape of an object in world axes, two points a line, shape (p, 3)."""
    local = shape_segments(fit.shape).reshape(-1, 3) @ rotation_matrix(fit.rotation).T + fit.center
    matrix = np.array(obj.matrix_world)
    world: Array = local @ matrix[:3, :3].T + matrix[:3, 3]
    return world


def _fits(obj: bpy.types.Object) -> Iterator[tuple[Fit, tuple[float, ...]]]:
    """Yield the shapes that an object has itself, with their colours."""
    body = body_data(obj)
    if body.collider.source == "CUSTOM" and (fit := body.collider.shape.fit()) is not None:
        yield fit, COLLIDER
    if body.trigger.enabled and (fit := body.trigger.shape.fit()) is not None:
        yield fit, TRIGGER
