"""Local transforms of bodies that show them at world matrices, for keyframes and kept poses."""

import math
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion, Vector

from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..properties.bones import BodyBone, Node

Posable = bpy.types.Object | bpy.types.PoseBone
_NO_TURN = 1e-6
"""Angle [rad] that turns nothing, so that any axis will do."""


class Bases:
    """The spaces that the transform channels of a scene's objects are in."""

    def __init__(
        self, objects: Sequence[Node], scene: PhysicsScene, matrices: Array | None = None
    ) -> None:
        """Remember where they are at rest; node i of `scene` is `objects[i]`.

        `matrices` (n, 4, 4) are given where they are not those of the scene now.
        """
        owner, parents = scene.bodies(), scene.parents
        self._rest = scene.matrices if matrices is None else matrices
        self._above = {
            node: int(owner[parents[node]]) if parents[node] >= 0 else -1 for node in scene.motions
        }
        # The space of a body's own channels: its parent, and what Blender puts between the two.
        self._spaces = {
            node: self._rest[node] @ np.linalg.pinv(np.array(obj.matrix_basis))
            for node in scene.motions
            if not isinstance(obj := objects[node], BodyBone)
        }

    def of(self, node: int, matrices: Array) -> Array:
        """Return the local transform (4, 4) that shows a body at its matrix among `matrices`."""
        space, above = self._spaces[node], self._above[node]
        if above >= 0:
            space = matrices[above] @ np.linalg.pinv(self._rest[above]) @ space
        return np.asarray(np.linalg.pinv(space) @ matrices[node])


def rotation_path(obj: Posable) -> str:
    """Return the rotation channel that an object or a bone uses."""
    if obj.rotation_mode == "QUATERNION":
        return "rotation_quaternion"
    return "rotation_axis_angle" if obj.rotation_mode == "AXIS_ANGLE" else "rotation_euler"


def start_rotation(obj: bpy.types.Object, path: str, places: Sequence[Matrix]) -> tuple[float, ...]:
    """Return the present rotation; a turn is about the axis of the first of some places."""
    found = tuple(getattr(obj, path))
    if path != "rotation_axis_angle":
        return found
    for turn in (place.to_quaternion() for place in places):
        if abs(turn.angle) > _NO_TURN:
            return found[0], turn.axis.x, turn.axis.y, turn.axis.z
    return found


def keep_near(obj: Posable, path: str, before: tuple[float, ...]) -> None:
    """Choose the form of the rotation that is nearest to the one before."""
    now: Any = getattr(obj, path)
    if path == "rotation_quaternion":
        if now.dot(Quaternion(before)) < 0.0:
            obj.rotation_quaternion = -now
    elif path == "rotation_axis_angle":
        obj.rotation_axis_angle = _near_turn(tuple(now), before)
    else:
        now.make_compatible(Euler(before, now.order))
        obj.rotation_euler = now


def _near_turn(now: tuple[float, ...], before: tuple[float, ...]) -> tuple[float, ...]:
    """Return the angle [rad] and axis of a turn in the form nearest to another such turn."""
    angle, *axis = now
    if Vector(axis).dot(Vector(before[1:])) < 0.0:
        angle, axis = -angle, [-number for number in axis]
    angle += math.tau * round((before[0] - angle) / math.tau)
    is_turn = abs(math.sin(angle)) > _NO_TURN or math.cos(angle) < 0.0
    return angle, *(axis if is_turn else before[1:])
