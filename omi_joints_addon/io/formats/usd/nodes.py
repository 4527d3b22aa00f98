"""Nodes of a scene as they are read from a stage."""

from collections.abc import Container
from dataclasses import dataclass, field

import numpy as np

from ....core.model.pose import Array, matrix_from_pose, pose_from_matrix


@dataclass(slots=True, eq=False)
class StageNodes:
    """Nodes as they are read, rigid and in meters."""

    paths: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    matrices: list[Array] = field(default_factory=list)
    """Rigid world matrices (4, 4) [m], Z up."""
    scales: list[Array] = field(default_factory=list)
    """What the axes of the prim measure in the node's axes [m], (3, 3)."""
    by_path: dict[str, int] = field(default_factory=dict)

    def add(self, path: str, name: str, parent: int, matrix: Array | None = None) -> int:
        """Add a node and return its number; one of a prim is placed later, by `place`."""
        node = len(self.paths)
        self.paths.append(path)
        self.names.append(name)
        self.parents.append(parent)
        if matrix is not None:
            self.matrices.append(matrix)
            self.scales.append(np.eye(3))
        if path:
            self.by_path[path] = node
        return node

    def place(self, worlds: Array) -> None:
        """Place all nodes by world matrices (n, 4, 4) of their prims [m], Z up."""
        rigid = matrix_from_pose(pose_from_matrix(worlds))
        self.matrices = list(rigid)
        self.scales = list(np.swapaxes(rigid[:, :3, :3], 1, 2) @ worlds[:, :3, :3])

    def at_or_above(self, path: str) -> int:
        """Return the node of the nearest prim at or above a path, -1 for none."""
        while path and path != "/":
            if path in self.by_path:
                return self.by_path[path]
            path = path.rpartition("/")[0]
        return -1

    def body_of(self, node: int, motions: Container[int]) -> int:
        """Return the nearest body at or above a node, -1 for none."""
        while node >= 0 and node not in motions:
            node = self.parents[node]
        return node

    def lengths(self) -> Array:
        """Return how long the axes of the prims are [m], shape (n, 3); negative where mirrored."""
        scales = np.array(self.scales, dtype=float).reshape(-1, 3, 3)
        signs = np.where(np.linalg.det(scales) < 0.0, -1.0, 1.0)
        return np.asarray(np.linalg.norm(scales, axis=1) * signs[:, None])
