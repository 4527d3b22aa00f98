"""The dialects of physics in glTF documents, and whole documents from one to the other.

The OMI extensions are the form that everything else reads and writes: a document in another
dialect gets them before it is read, and one that is to hold another dialect gets that after it is
written. Documents are JSON objects and changed in place.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from ....core.findings.finding import Finding
from .dialect import Dialect
from .dialect_physics import Physics, read_khr, read_omi, resolved_body, resolved_joint, said_of
from .document_members import (
    children_of,
    declare,
    extension_of,
    lists_of_roots,
    nodes_of,
    remove_extensions,
    set_extension,
)
from .khr import implicit_shapes as khr_implicit_shapes
from .khr import rigid_bodies as khr
from .khr.geometry import GeometryWriter
from .khr.rigid_bodies import NodePhysics, PhysicsDocument
from .members import JsonObject
from .omi import body as omi_physics_body
from .omi import joint as omi_physics_joint
from .omi import shape as omi_physics_shape
from .omi.body import NodeBody
from .omi.shape import ShapesDocument
from .rules import DIALECTS_DISAGREE

OMI_EXTENSIONS = frozenset(
    (omi_physics_body.EXTENSION, omi_physics_joint.EXTENSION, omi_physics_shape.EXTENSION)
)
KHR_EXTENSIONS = frozenset((khr.EXTENSION, khr_implicit_shapes.EXTENSION))
T = TypeVar("T")
_AGAIN = frozenset(("OMI-B001", "OMI-B002", "OMI-B006", "OMI-S001"))
"""Rules whose findings come again when the OMI form is read, as the value is kept."""


EXTENSIONS = {Dialect.OMI: OMI_EXTENSIONS, Dialect.KHR: KHR_EXTENSIONS}


def dialects_of(document: JsonObject) -> frozenset[Dialect]:
    """Return the dialects that a document or one of its nodes has extension objects of."""
    owners = (document, *nodes_of(document))
    return frozenset(
        dialect
        for dialect, names in EXTENSIONS.items()
        if any(extension_of(owner, name) is not None for owner in owners for name in names)
    )


def remove_dialect(document: JsonObject, dialect: Dialect) -> None:
    """Remove a dialect from a document."""
    remove_extensions(document, EXTENSIONS[dialect])


def add_omi(document: JsonObject) -> list[Finding]:
    """Add the OMI form of what a document says in KHR; return what is wrong with that.

    Where a node has both, OMI's stays, with a finding if they disagree.
    """
    if Dialect.KHR not in dialects_of(document):
        return []
    is_both = Dialect.OMI in dialects_of(document)
    physics, found = read_khr(document)
    findings = [item for item in found if item.code not in _AGAIN]
    write = _OmiArrays(document, read_omi(document)[0] if is_both else Physics()).add(physics)
    known = read_omi(document)[0] if is_both else Physics()
    for index, node in physics.nodes.items():
        translated, there = write(node), known.nodes.get(index, NodePhysics())
        owner = document["nodes"][index]
        is_same = resolved_body(there.body, known) == resolved_body(translated.body, known)
        if _has(owner, omi_physics_body.EXTENSION) and not is_same:
            findings.append(DIALECTS_DISAGREE(f"/nodes/{index}", what="the body"))
        is_same = resolved_joint(there.joint, known) == resolved_joint(translated.joint, known)
        if _has(owner, omi_physics_joint.EXTENSION) and translated.joint and not is_same:
            findings.append(DIALECTS_DISAGREE(f"/nodes/{index}", what="the joint"))
        _add_node(owner, translated)
    declare(document, sorted(OMI_EXTENSIONS))
    return findings


def _add_node(owner: JsonObject, node: NodePhysics) -> None:
    """Add the OMI form of what a node says, but what it has of that."""
    if not _has(owner, omi_physics_body.EXTENSION):
        value = omi_physics_body.node_body_to_json(node.body)
        set_extension(owner, omi_physics_body.EXTENSION, value)
    joint = node.joint
    if joint is None or joint.connected_node is None:
        # Without connected node it is invalid, and has been reported.
        return
    if not _has(owner, omi_physics_joint.EXTENSION):
        value = omi_physics_joint.node_joint_to_json(joint)
        set_extension(owner, omi_physics_joint.EXTENSION, value)


def _has(owner: JsonObject, extension: str) -> bool:
    return extension_of(owner, extension) is not None


def add_khr(
    document: JsonObject, physics: Physics | None = None, *, keep_originals: bool = True
) -> None:
    """Add the KHR form of some physics to a document, replacing one it has.

    Without `physics` it is what the document says in the OMI extensions. `keep_originals` adds
    what only OMI can say. A mesh that is a shape gets a node outside of all scenes where no node
    will do. Raises `CodecError` where a value has no place in JSON.
    """
    physics = physics or read_omi(document)[0]
    remove_dialect(document, Dialect.KHR)
    geometries = GeometryWriter(physics.shapes, _MeshNodes(document))
    for index, node in physics.nodes.items():
        joint = node.joint
        if joint is not None and joint.connected_node is None:
            node = replace(node, joint=None)  # noqa: PLW2901 - a joint of one end is none
        value = khr.node_to_json(node, geometries, f"/nodes/{index}", keep_original=keep_originals)
        set_extension(document["nodes"][index], khr.EXTENSION, value)
    shapes = ShapesDocument(shapes=geometries.implicit_shapes(), carried=physics.shapes_carried)
    set_extension(
        document, khr_implicit_shapes.EXTENSION, khr_implicit_shapes.document_to_json(shapes)
    )
    root = khr.document_to_json(
        PhysicsDocument(bodies=physics.bodies, joints=physics.joints),
        keep_originals=keep_originals,
    )
    set_extension(document, khr.EXTENSION, root)
    declare(document, sorted(KHR_EXTENSIONS))


def remove_mesh_nodes(document: JsonObject) -> None:
    """Remove nodes at the end of a document that only lend their mesh to geometries (`add_khr`).

    The OMI form refers to the mesh itself.
    """
    nodes = document.get("nodes", [])
    lent = _lent_nodes(document)
    while nodes and set(nodes[-1]) == {"mesh"} and len(nodes) - 1 in lent:
        nodes.pop()


def mesh_nodes(document: JsonObject) -> set[int]:
    """Return the nodes outside of all scenes that only lend their mesh to geometries."""
    nodes = document.get("nodes", [])
    return {
        index
        for index in _lent_nodes(document)
        if index < len(nodes) and not {"children", "skin", "extensions"} & set(nodes[index])
    }


def _lent_nodes(document: JsonObject) -> set[int]:
    """Return the nodes that geometries refer to and nothing shows."""
    lent = {
        _geometry_node(extension_of(node, khr.EXTENSION), part)
        for node in nodes_of(document)
        for part in ("collider", "trigger")
    }
    roots = [index for listed in lists_of_roots(document) for index in listed]
    shown = {index for index in roots if isinstance(index, int)}
    shown |= {child for node in nodes_of(document) for child in children_of(node)}
    return {index for index in lent - shown if index is not None and index >= 0}


def _geometry_node(value: Any, part: str) -> int | None:
    for name in (part, "geometry", "node"):
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, int) else None


class _OmiArrays:
    """The arrays of resources of the OMI extensions of a document, made where they are missing."""

    def __init__(self, document: JsonObject, known: Physics) -> None:
        self._document = document
        self._known = known

    def add(self, physics: Physics) -> Callable[[NodePhysics], NodePhysics]:
        """Add resources; return what gives a node the indices they have got."""
        bodies, shapes = physics.bodies.carried, physics.shapes_carried
        self._set(omi_physics_body.EXTENSION, json.loads(bodies) if bodies else {})
        self._set(omi_physics_shape.EXTENSION, json.loads(shapes) if shapes else {})
        known, body = self._known, omi_physics_body
        materials = self._merge(
            (body.EXTENSION, "physicsMaterials"),
            (known.bodies.materials, physics.bodies.materials),
            body.material_to_json,
        )
        filters = self._merge(
            (body.EXTENSION, "collisionFilters"),
            (known.bodies.filters, physics.bodies.filters),
            body.filter_to_json,
        )
        settings = self._merge(
            (omi_physics_joint.EXTENSION, "physicsJoints"),
            (known.joints.settings, physics.joints.settings),
            omi_physics_joint.settings_to_json,
        )
        shape_indices = self._merge(
            (omi_physics_shape.EXTENSION, "shapes"),
            (known.shapes, physics.shapes),
            omi_physics_shape.shape_to_json,
        )

        def write(node: NodePhysics) -> NodePhysics:
            body = _renumbered(node.body, shape_indices, materials, filters)
            joint = node.joint
            if joint is not None:
                joint = replace(joint, joint=_at(settings, joint.joint))
            return NodePhysics(body=body, joint=joint)

        return write

    def _merge(
        self,
        name: tuple[str, str],
        resources: tuple[tuple[T | None, ...], tuple[T | None, ...]],
        to_json: Callable[[T], JsonObject],
    ) -> list[int | None]:
        """Add resources behind those there, but such as say the same in KHR; return their indices.

        `name` is that of the extension and its array.
        """
        there, new = resources
        places: dict[Any, int] = {}
        for index, resource in enumerate(there):
            places.setdefault(said_of(resource), index)
        extension = extension_of(self._document, name[0])
        array = extension.get(name[1]) if isinstance(extension, dict) else None
        array = list(array) if isinstance(array, list) else []
        indices: list[int | None] = []
        for resource in new:
            if resource is not None and said_of(resource) not in places:
                places[said_of(resource)] = len(array)
                array.append(to_json(resource))
            indices.append(None if resource is None else places[said_of(resource)])
        self._set(name[0], {name[1]: array} if array else {})
        return indices

    def _set(self, extension: str, members: JsonObject) -> None:
        """Add members to an extension object; those there stay, but for arrays."""
        there = extension_of(self._document, extension)
        there = there if isinstance(there, dict) else {}
        arrays = {name: value for name, value in members.items() if isinstance(value, list)}
        set_extension(self._document, extension, members | there | arrays)


class _MeshNodes:
    """Finds or makes nodes that provide a mesh and nothing below it."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        self._nodes: dict[int, int] = {}
        for index, node in enumerate(nodes_of(document)):
            mesh = node.get("mesh")
            if isinstance(mesh, int) and not children_of(node) and "skin" not in node:
                self._nodes.setdefault(mesh, index)

    def __call__(self, mesh: int) -> int:
        if mesh not in self._nodes:
            nodes = self._document.setdefault("nodes", [])
            self._nodes[mesh] = len(nodes)
            nodes.append({"mesh": mesh})
        return self._nodes[mesh]


def _renumbered(
    body: NodeBody,
    shapes: list[int | None],
    materials: list[int | None],
    filters: list[int | None],
) -> NodeBody:
    collider, trigger = body.collider, body.trigger
    if collider is not None:
        collider = replace(
            collider,
            shape=_index(shapes, collider.shape),
            physics_material=_index(materials, collider.physics_material),
            collision_filter=_index(filters, collider.collision_filter),
        )
    if trigger is not None:
        trigger = replace(
            trigger,
            shape=_index(shapes, trigger.shape),
            collision_filter=_index(filters, trigger.collision_filter),
        )
    return replace(body, collider=collider, trigger=trigger)


def _index(indices: list[int | None], index: int | None) -> int | None:
    """Return where a resource has gone; one that is not there keeps a number that is none."""
    return None if index is None else _at(indices, index)


def _at(indices: list[int | None], index: int) -> int:
    found = indices[index] if index < len(indices) else None
    # Beyond any array: the reader of the OMI form says that it is missing.
    return 2**31 - 1 if found is None else found
