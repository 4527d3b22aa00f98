"""Poses that views show in place of a scene's own, in Blender's evaluated copies of objects.

The objects themselves stay as they are: files, undo steps, exports and scripts never hold what a
preview shows, whatever window they are made in, and to put all back is to have Blender evaluate the
objects again.
"""

from collections.abc import Iterable, Mapping, Sequence

import bpy
import numpy as np
from mathutils import Matrix

from ..core.model.graph import Indices
from ..core.model.pose import Array
from ..core.outline.pieces import State

_SAME = 1e-7
"""Difference of matrices that is rounding."""


class Shown:
    """What a preview shows of one scene."""

    def __init__(self, objects: Sequence[bpy.types.Object], rest: Array) -> None:
        """Show nothing yet; node i is `objects[i]`, at rest at `rest[i]`."""
        self._objects = objects
        self._rest = rest
        self._poses: dict[int, Matrix] = {}
        """Matrices of nodes that were moved."""
        self.matrices = rest.copy()
        """World matrices of all nodes, shape (n, 4, 4)."""
        self.states: Mapping[int, State] = {}
        """States of joints by node; a joint that is not among them has the state of its pose."""

    def show(
        self, depsgraph: bpy.types.Depsgraph, matrices: Array, states: Mapping[int, State]
    ) -> list[int]:
        """Show nodes at world matrices (n, 4, 4); return the nodes that look different now."""
        is_away = np.abs(matrices - self._rest).max(axis=(1, 2)) > _SAME
        wanted = np.where(is_away[:, None, None], matrices, self._rest)
        moved = np.flatnonzero((wanted != self.matrices).any(axis=(1, 2)))
        turned = {node for node, _ in self.states.items() ^ states.items()}
        self.matrices, self.states = wanted, dict(states)
        self._move(depsgraph, moved)
        return [*moved.tolist(), *turned]

    def keep(self, depsgraph: bpy.types.Depsgraph) -> None:
        """Show again what Blender evaluated anew."""
        for node, pose in self._poses.items():
            copy = self._copy(node, depsgraph)
            if copy is not None and copy.matrix_world != pose:
                copy.matrix_world = pose

    def hide(self) -> None:
        """Have Blender evaluate what was moved."""
        for node in self._poses:
            try:
                self._objects[node].update_tag(refresh={"OBJECT"})
            except ReferenceError:
                # The object was removed meanwhile: there is nothing to put back.
                continue

    def is_away(self, node: int) -> bool:
        """Return whether a node is shown elsewhere."""
        return node in self._poses

    def rest_at(self, node: int, matrix: Array) -> None:
        """Take over where a node that is not shown elsewhere is at rest."""
        self._rest[node] = self.matrices[node] = matrix

    def touched(self) -> Iterable[int]:
        """Return the nodes that were moved or have a state."""
        return {*self._poses, *self.states}

    def _move(self, depsgraph: bpy.types.Depsgraph, nodes: Indices) -> None:
        for node in nodes.tolist():
            pose = Matrix(self.matrices[node].tolist())
            copy = self._copy(node, depsgraph)
            if copy is not None:
                copy.matrix_world = pose
                self._poses[node] = copy.matrix_world.copy()

    def _copy(self, node: int, depsgraph: bpy.types.Depsgraph) -> bpy.types.Object | None:
        """Return the evaluated copy of an object, None where it was removed meanwhile."""
        try:
            return self._objects[node].evaluated_get(depsgraph)
        except ReferenceError:
            return None
