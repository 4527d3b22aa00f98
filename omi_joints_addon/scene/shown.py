"""What views show of a live scene: its nodes as they were read, or as a preview moves them."""

from collections.abc import Mapping, Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.model.graph import Indices
from ..core.model.pose import Array
from ..core.outline.pieces import State
from .nodes import Nodes
from .preview_poses import PreviewPoses


class ShownScene:
    """What views show; its counters are listed in the docstring of `LiveScene`."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self.version = 0
        self.outside = 0
        self.selections = 0
        self.unreported = 0
        self.versions: NDArray[np.int64] = np.empty(0, np.int64)
        self.shaded: NDArray[np.int64] = np.empty(0, np.int64)
        self.preview: PreviewPoses | None = None

    @property
    def poses(self) -> Array:
        """World matrices that views show, shape (n, 4, 4)."""
        return self._nodes.matrices if self.preview is None else self.preview.matrices

    @property
    def states(self) -> Mapping[int, State]:
        """States of joints that a preview shows, by node."""
        return {} if self.preview is None else self.preview.states

    def is_away(self, node: int) -> bool:
        """Return whether a preview shows a node elsewhere."""
        return self.preview is not None and self.preview.is_away(node)

    def rest_at(self, node: int, matrix: Array) -> None:
        """Take over where a node that no preview moves is."""
        if self.preview is not None:
            self.preview.rest_at(node, matrix)

    def stamp(self, nodes: int | Sequence[int] | Indices) -> None:
        """Have nodes drawn anew."""
        self.version += 1
        self.versions[nodes] = self.version

    def stamp_shaded(self, nodes: Sequence[int]) -> None:
        """Have views ask again whether nodes with animated visibility are hidden."""
        self.version += 1
        self.shaded[nodes] = self.version

    def renumber(self, take: Indices) -> None:
        """Take over that node i was node `take[i]`, -1 for a new one."""
        self.version += 1
        self.versions, self.shaded = (
            np.where(take >= 0, np.append(each, 0)[take], self.version)
            for each in (self.versions, self.shaded)
        )

    def show(
        self,
        depsgraph: bpy.types.Depsgraph,
        matrices: Array,
        states: Mapping[int, State],
        *,
        all_reported: bool = True,
    ) -> None:
        """Show poses (n, 4, 4) and states of joints by node in place of the scene's.

        `all_reported` is whether Blender has to learn of each object that moves.
        """
        if self.preview is None:
            self.preview = PreviewPoses(self._nodes.objects, self._nodes.matrices.copy())
        moved = self.preview.show(depsgraph, matrices, states, all_reported=all_reported)
        if moved:
            self.stamp(moved)

    def hide(self) -> Indices:
        """Show the scene as it is; return the nodes that a preview had moved."""
        preview, self.preview = self.preview, None
        if preview is None:
            return np.empty(0, np.intp)
        if touched := list(preview.touched()):
            self.stamp(touched)
        preview.hide()
        return preview.moved()
