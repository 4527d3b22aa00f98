"""Local transforms of bodies that show them at world matrices, for keyframes."""

from collections.abc import Sequence

import numpy as np

from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..properties.bones import BodyBone, Node


class Bases:
    """The spaces that the transform channels of a scene's objects are in."""

    def __init__(self, objects: Sequence[Node], scene: PhysicsScene) -> None:
        """Remember where they are at rest; node i of `scene` is `objects[i]`."""
        owner, parents = scene.bodies(), scene.parents
        self._rest = scene.matrices
        self._above = {
            node: int(owner[parents[node]]) if parents[node] >= 0 else -1 for node in scene.motions
        }
        # The space of a body's own channels: its parent, and what Blender puts between the two.
        self._spaces = {
            node: scene.matrices[node] @ np.linalg.pinv(np.array(obj.matrix_basis))
            for node in scene.motions
            if not isinstance(obj := objects[node], BodyBone)
        }

    def of(self, node: int, matrices: Array) -> Array:
        """Return the local transform (4, 4) that shows a body at its matrix among `matrices`."""
        space, above = self._spaces[node], self._above[node]
        if above >= 0:
            space = matrices[above] @ np.linalg.pinv(self._rest[above]) @ space
        return np.asarray(np.linalg.pinv(space) @ matrices[node])
