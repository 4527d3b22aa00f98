"""What bodies of a document refer to, found: shapes, materials, filters and nodes. Axes of Blender.

A reference that leads nowhere is a finding, and none.
"""

from collections.abc import Callable, Iterator
from typing import Any

from ....core.findings.finding import Finding
from ....core.model.axes import shape_from_gltf
from ....core.model.body import Collider, Trigger
from ....core.model.shape import MeshShape, Shape, shape_type
from .dialect_physics import Physics
from .document_nodes import Parents, shown_index
from .omi.body import NodeCollider, NodeTrigger
from .rules import (
    NO_SUCH_MESH,
    NO_SUCH_PART,
    NO_SUCH_SHAPE,
    NODE_WITHOUT_TRIGGER,
    TRIGGER_IN_CIRCLE,
    TRIGGER_NODE_ELSEWHERE,
)


class Resources:
    """The arrays of one dialect in a document with so many meshes and these parents of nodes."""

    def __init__(self, physics: Physics, meshes: int, parents: Parents) -> None:
        self.findings: list[Finding] = []
        self._physics = physics
        self._meshes = meshes
        self._parents = parents
        self._colliders: dict[int, Collider] = {}
        """Colliders by `id` of what the document says, which keeps its values."""
        self._shapes = [shape and shape_from_gltf(shape) for shape in physics.shapes]

    def collider(self, node: int, collider: NodeCollider) -> Collider:
        """Return the collider of a node; one that is the same and sound is looked up once."""
        found = self._colliders.get(id(collider))
        if found is None:
            before = len(self.findings)
            found = self._collider(collider, f"{self._physics.body_place(node)}/collider")
            if len(self.findings) == before:
                self._colliders[id(collider)] = found
        return found

    def _collider(self, collider: NodeCollider, place: str) -> Collider:
        materials, filters = self._physics.bodies.materials, self._physics.bodies.filters
        return Collider(
            shape=self._shape(collider.shape, place),
            material=self._at(materials, collider.physics_material, place, "physicsMaterial"),
            collision_filter=self._at(filters, collider.collision_filter, place, "collisionFilter"),
            carried=collider.carried,
        )

    def trigger(self, node: int, trigger: NodeTrigger) -> Trigger:
        """Return the trigger of a node."""
        place = f"{self._physics.body_place(node)}/trigger"
        filters = self._physics.bodies.filters
        return Trigger(
            shape=self._shape(trigger.shape, place),
            nodes=tuple(self._parts(node, trigger, place)),
            collision_filter=self._at(filters, trigger.collision_filter, place, "collisionFilter"),
            carried=trigger.carried,
        )

    def _at(self, elements: tuple[Any, ...], index: int | None, place: str, name: str) -> Any:
        if index is None:
            return None
        found = elements[index] if index < len(elements) else None
        if found is None:
            self.findings.append(
                NO_SUCH_PART(f"{place}/{name}", name=name, index=shown_index(index))
            )
        return found

    def _shape(self, index: int | None, place: str) -> Shape | None:
        if index is None:
            return None
        shape = self._shapes[index] if index < len(self._shapes) else None
        if shape is None:
            self.findings.append(NO_SUCH_SHAPE(f"{place}/shape", index=shown_index(index)))
        elif isinstance(shape, MeshShape) and not self._has_mesh(shape):
            words = {"type": str(shape_type(shape)), "mesh": str(shape.mesh)}
            self.findings.append(NO_SUCH_MESH(f"{place}/shape", **words))
            return None
        return shape

    def _has_mesh(self, shape: MeshShape) -> bool:
        return shape.mesh is not None and shape.mesh < self._meshes

    def _parts(self, node: int, trigger: NodeTrigger, place: str) -> Iterator[int]:
        """Yield the nodes that can be parts of a compound trigger."""
        for part in trigger.nodes:
            rule = self._against(node, part)
            if rule is None:
                yield part
            else:
                self.findings.append(rule(f"{place}/nodes", index=shown_index(part)))

    def _against(self, node: int, part: int) -> Callable[..., Finding] | None:
        """Return the rule against a part of a compound trigger, None where it is fit."""
        if part == node or (part < len(self._parents) and part in self._above(node)):
            return TRIGGER_IN_CIRCLE
        if part >= len(self._parents) or node not in self._above(part):
            return TRIGGER_NODE_ELSEWHERE
        there = self._physics.nodes.get(part)
        return NODE_WITHOUT_TRIGGER if there is None or there.body.trigger is None else None

    def _above(self, node: int) -> Iterator[int]:
        while (node := int(self._parents[node])) >= 0:
            yield node
