"""Show bodies elsewhere for a while and put them back to the bit.

Only the transform channels of bodies are written, at most once per tick, and none of it as an undo
step.
"""

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene

_CHANNELS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


class RestPoses:
    """The transforms of a scene's bodies before a preview."""

    def __init__(self, objects: Sequence[bpy.types.Object], scene: PhysicsScene) -> None:
        """Remember them; node i of `scene` is `objects[i]`."""
        self.is_shown = False
        self._objects = objects
        self._scene = scene
        owner = scene.bodies()
        parents = scene.parents
        self._above = [
            int(owner[parents[node]]) if parents[node] >= 0 else -1 for node in range(len(objects))
        ]
        self._bodies = sorted(scene.motions, key=lambda node: _depth(parents, node))
        self._channels = {
            node: tuple(tuple(getattr(objects[node], name)) for name in _CHANNELS)
            for node in self._bodies
        }
        # The space of a body's own channels: its parent, and what Blender puts between the two.
        self._spaces = {
            node: scene.matrices[node] @ np.linalg.pinv(np.array(objects[node].matrix_basis))
            for node in self._bodies
        }
        self._moved: set[int] = set()

    def basis_of(self, node: int, matrices: Array) -> Array:
        """Return the local transform (4, 4) that shows a body at its matrix among `matrices`."""
        space = self._spaces[node]
        above = self._above[node]
        if above >= 0:
            space = matrices[above] @ np.linalg.pinv(self._scene.matrices[above]) @ space
        return np.asarray(np.linalg.pinv(space) @ matrices[node])

    def show(self, matrices: Array) -> None:
        """Show all nodes at world matrices (n, 4, 4)."""
        for node in self._bodies:
            above = self._above[node]
            is_elsewhere = not np.array_equal(matrices[node], self._scene.matrices[node])
            if not (is_elsewhere or node in self._moved or above in self._moved):
                continue
            self._moved.add(node)
            self._objects[node].matrix_basis = _matrix(self.basis_of(node, matrices))
        self.is_shown = True

    def restore(self) -> None:
        """Put every body back where it was."""
        for node in self._moved:
            obj = self._objects[node]
            try:
                for name, value in zip(_CHANNELS, self._channels[node], strict=True):
                    setattr(obj, name, value)
            except ReferenceError:
                # The object was removed meanwhile: there is nothing to put back.
                continue
        self._moved = set()
        self.is_shown = False


def _depth(parents: Any, node: int) -> int:
    depth = 0
    while parents[node] >= 0 and depth < len(parents):
        node, depth = int(parents[node]), depth + 1
    return depth


def _matrix(rows: Array) -> Matrix:
    return Matrix([[float(number) for number in row] for row in rows])
