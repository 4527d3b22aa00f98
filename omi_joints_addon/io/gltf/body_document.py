"""What bodies of a file refer to: shapes, materials and filters of its document, trigger nodes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from ...core.findings.finding import Finding, Rule
from ...core.model.body import CollisionFilter, PhysicsMaterial
from ...core.model.shape import MeshShape, Shape, shape_type
from ...properties.surface import OMI_PG_physics_scene
from ..formats.gltf.members import CodecError, JsonObject
from ..formats.gltf.omi.body import (
    EXTENSION,
    BodiesDocument,
    NodeBody,
    filter_to_json,
    material_to_json,
)
from ..formats.gltf.omi.body import document_from_json as bodies_from_json
from ..formats.gltf.omi.shape import EXTENSION as SHAPE_EXTENSION
from ..formats.gltf.omi.shape import ShapesDocument, shape_to_json
from ..formats.gltf.omi.shape import document_from_json as shapes_from_json
from ..formats.gltf.rules import (
    NO_SUCH_MESH,
    NO_SUCH_PART,
    NO_SUCH_SHAPE,
    NODE_WITHOUT_TRIGGER,
    TRIGGER_IN_CIRCLE,
    TRIGGER_NODE_ELSEWHERE,
)
from .upstream import document_extension

T = TypeVar("T")
Used = dict[str, set[int]]


class BodyDocument:
    """The arrays of one document."""

    def __init__(self) -> None:
        self._bodies = BodiesDocument()
        self._shapes = ShapesDocument()
        self._mesh_count = 0
        self._used: Used = {"shape": set(), "physicsMaterial": set(), "collisionFilter": set()}

    def read(self, importer: Any) -> list[Finding]:
        """Read the document; return what is wrong with it."""
        self._mesh_count = len(importer.data.meshes or ())
        findings: list[Finding] = []
        value = document_extension(importer, EXTENSION)
        shapes = document_extension(importer, SHAPE_EXTENSION)
        try:
            if value is not None:
                self._bodies, found = bodies_from_json(value, f"/extensions/{EXTENSION}")
                findings += found
            if shapes is not None:
                self._shapes, found = shapes_from_json(shapes, f"/extensions/{SHAPE_EXTENSION}")
                findings += found
        except CodecError as error:
            findings.append(error.finding)
        return findings

    def shape(self, index: int | None) -> Shape | None:
        """Return a shape in glTF's axes; None where there is none."""
        return _element(self._shapes.shapes, index)

    def material(self, index: int | None) -> PhysicsMaterial | None:
        """Return a physics material; None where there is none."""
        return _element(self._bodies.materials, index)

    def filter(self, index: int | None) -> CollisionFilter | None:
        """Return a collision filter; None where there is none."""
        return _element(self._bodies.filters, index)

    def resolved(self, body: NodeBody, pointer: str) -> tuple[NodeBody, list[Finding]]:
        """Return a body without references that lead nowhere, and a finding for each of those."""
        findings: list[Finding] = []
        collider, trigger = body.collider, body.trigger
        if collider is not None:
            place = f"{pointer}/collider"
            collider = replace(
                collider,
                shape=self._usable_shape(collider.shape, place, findings),
                physics_material=self._usable(
                    "physicsMaterial", self.material, collider.physics_material, place, findings
                ),
                collision_filter=self._usable(
                    "collisionFilter", self.filter, collider.collision_filter, place, findings
                ),
            )
        if trigger is not None:
            place = f"{pointer}/trigger"
            trigger = replace(
                trigger,
                shape=self._usable_shape(trigger.shape, place, findings),
                collision_filter=self._usable(
                    "collisionFilter", self.filter, trigger.collision_filter, place, findings
                ),
            )
        return replace(body, collider=collider, trigger=trigger), findings

    def drop_unfit_parts(
        self, bodies: dict[int, NodeBody], nodes: list[Any]
    ) -> Iterator[tuple[int, Finding]]:
        """Take out of compound triggers what cannot be part of them; yield node and finding."""
        compounds = {i: b for i, b in bodies.items() if b.trigger is not None and b.trigger.nodes}
        parents: dict[int, int] = {}
        if compounds:
            parents = {child: i for i, node in enumerate(nodes) for child in node.children or ()}
        for index, body in compounds.items():
            assert body.trigger is not None
            faults = {part: _unfit(index, part, parents, bodies) for part in body.trigger.nodes}
            fit = tuple(part for part, fault in faults.items() if fault is None)
            bodies[index] = replace(body, trigger=replace(body.trigger, nodes=fit))
            place = f"/nodes/{index}/extensions/{EXTENSION}/trigger/nodes"
            for part, fault in faults.items():
                if fault is not None:
                    yield index, fault(place, index=part)

    def keep_rest(self, scene: OMI_PG_physics_scene) -> None:
        """Keep what no node refers to, and unknown members, for the next export."""
        bodies = {
            "physicsMaterials": list(self._unused("physicsMaterial", self._bodies.materials)),
            "collisionFilters": list(self._unused("collisionFilter", self._bodies.filters)),
        }
        shapes = {"shapes": list(self._unused("shape", self._shapes.shapes))}
        scene.bodies_carried = _kept(scene.bodies_carried, bodies, self._bodies.carried)
        scene.shapes_carried = _kept(scene.shapes_carried, shapes, self._shapes.carried)

    def _unused(self, name: str, elements: tuple[Any, ...]) -> Iterator[JsonObject]:
        for index, element in enumerate(elements):
            if index in self._used[name] or element is None or isinstance(element, MeshShape):
                continue
            if isinstance(element, Shape):
                yield shape_to_json(element)
            elif isinstance(element, PhysicsMaterial):
                yield material_to_json(element)
            else:
                yield filter_to_json(element)

    def _usable(
        self, name: str, get: Any, index: int | None, place: str, findings: list[Finding]
    ) -> int | None:
        if index is None:
            return None
        if get(index) is None:
            findings.append(NO_SUCH_PART(f"{place}/{name}", name=name, index=index))
            return None
        self._used[name].add(index)
        return index

    def _usable_shape(self, index: int | None, place: str, findings: list[Finding]) -> int | None:
        if index is None:
            return None
        shape = self.shape(index)
        if shape is None:
            findings.append(NO_SUCH_SHAPE(f"{place}/shape", index=index))
            return None
        if isinstance(shape, MeshShape) and not self._has_mesh(shape):
            type_ = shape_type(shape)
            findings.append(NO_SUCH_MESH(f"{place}/shape", type=type_, mesh=str(shape.mesh)))
            return None
        self._used["shape"].add(index)
        return index

    def _has_mesh(self, shape: MeshShape) -> bool:
        return shape.mesh is not None and shape.mesh < self._mesh_count


def _element(elements: tuple[T | None, ...], index: int | None) -> T | None:
    return elements[index] if index is not None and index < len(elements) else None


def _unfit(
    compound: int, part: int, parents: Mapping[int, int], bodies: Mapping[int, NodeBody]
) -> Rule | None:
    """Return the rule against a part of a compound trigger; None where it is fit."""
    if part == compound or compound not in _above(part, parents):
        is_circle = part == compound or part in _above(compound, parents)
        return TRIGGER_IN_CIRCLE if is_circle else TRIGGER_NODE_ELSEWHERE
    body = bodies.get(part)
    return NODE_WITHOUT_TRIGGER if body is None or body.trigger is None else None


def _above(node: int, parents: Mapping[int, int]) -> set[int]:
    """Return the nodes above a node; a cycle of nodes ends at its start."""
    above: set[int] = set()
    while (node := parents.get(node, -1)) >= 0 and node not in above:
        above.add(node)
    return above


def _kept(known: str, unused: dict[str, list[JsonObject]], carried: str) -> str:
    """Return what a scene keeps of this document and earlier ones, as JSON object text."""
    kept: JsonObject = json.loads(known or "{}") | json.loads(carried or "{}")
    for name, values in unused.items():
        together = [*json.loads(known or "{}").get(name, ()), *values]
        if together:
            kept[name] = together
    return json.dumps(kept) if kept else ""
