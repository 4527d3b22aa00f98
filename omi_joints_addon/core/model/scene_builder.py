"""A scene that grows node by node, as readers make it."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .body import Collider, Motion, Trigger
from .light import Light
from .mesh import Mesh, Visual
from .pose import Array
from .scene import EMPTY, Joint, PhysicsScene


@dataclass(slots=True, eq=False)
class SceneBuilder:
    """Nodes with what is on them, and the joints between them."""

    first: int = 0
    """Number of the first node."""
    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    """Parent of each node, -1 for none."""
    matrices: list[Array] = field(default_factory=list)
    """World matrices at rest, (4, 4)."""
    motions: dict[int, Motion] = field(default_factory=dict)
    colliders: dict[int, Collider] = field(default_factory=dict)
    triggers: dict[int, Trigger] = field(default_factory=dict)
    visuals: dict[int, Visual] = field(default_factory=dict)
    lights: dict[int, Light] = field(default_factory=dict)
    meshes: list[Mesh] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)

    def add(self, name: str, parent: int, matrix: Array) -> int:
        """Add a node with a world matrix (4, 4) and return its number."""
        self.names.append(name)
        self.parents.append(parent)
        self.matrices.append(matrix)
        return self.first + len(self.names) - 1

    def add_joint(self, joint: Joint) -> int:
        """Add a joint and return its number."""
        self.joints.append(joint)
        return len(self.joints) - 1

    def scene(self, **others: Any) -> PhysicsScene:
        """Return the scene; `others` are fields that do not grow, such as couplings."""
        return replace(
            self.behind(EMPTY), motions=self.motions, joints=tuple(self.joints), **others
        )

    def behind(self, scene: PhysicsScene) -> PhysicsScene:
        """Return a scene with the nodes behind its own, and what is on all instead of its own.

        Its motions and joints stay.
        """
        matrices = np.array(self.matrices, dtype=float).reshape(-1, 4, 4)
        return replace(
            scene,
            names=(*scene.names, *self.names),
            parents=np.append(scene.parents, np.array(self.parents, dtype=np.intp)),
            matrices=np.concatenate((scene.matrices, matrices)),
            colliders=self.colliders,
            triggers=self.triggers,
            visuals=self.visuals,
            lights=self.lights,
            meshes=tuple(self.meshes),
        )
