"""The dialects of physics in glTF documents, and whole documents from one to the other.

The OMI extensions are the form that everything else reads and writes: a document in another
dialect gets them before it is read, and one that is to hold another dialect gets that after it is
written. Documents are JSON objects and changed in place.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from ...core.findings import Finding, finding
from ...core.shape import Shape
from . import khr_implicit_shapes, omi_physics_body, omi_physics_joint, omi_physics_shape
from . import khr_physics_rigid_bodies as khr
from .document_members import (
    declare,
    extension_of,
    nodes_of,
    remove_extensions,
    resource_indices,
    set_extension,
)
from .khr_geometry import GeometryReader, GeometryWriter
from .khr_physics_rigid_bodies import NodePhysics, PhysicsDocument
from .members import CodecError, JsonObject
from .omi_physics_body import BodiesDocument, NodeBody, NodeCollider, NodeTrigger
from .omi_physics_joint import JointsDocument, NodeJoint
from .omi_physics_shape import ShapesDocument

OMI_EXTENSIONS = frozenset(
    (omi_physics_body.EXTENSION, omi_physics_joint.EXTENSION, omi_physics_shape.EXTENSION)
)
KHR_EXTENSIONS = frozenset((khr.EXTENSION, khr_implicit_shapes.EXTENSION))
T = TypeVar("T")
_AGAIN = frozenset(("OMI-B001", "OMI-B002", "OMI-B006", "OMI-S001"))
"""Rules whose findings come again when the OMI form is read, as the value is kept."""


class Dialect(StrEnum):
    """A set of extensions that says physics."""

    OMI = "omi"
    """OMI_physics_joint, OMI_physics_body and OMI_physics_shape."""
    KHR = "khr"
    """KHR_physics_rigid_bodies and KHR_implicit_shapes."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Physics:
    """All that a document says of physics, in one dialect."""

    bodies: BodiesDocument
    joints: JointsDocument
    shapes: tuple[Shape | None, ...]
    shapes_carried: str
    nodes: dict[int, NodePhysics]


def add_omi(document: JsonObject) -> list[Finding]:
    """Add the OMI form of what a document says in KHR; return what is wrong with that.

    Where a node has both, OMI's stays, with a finding if they disagree.
    """
    if Dialect.KHR not in dialects_of(document):
        return []
    physics, findings = _read_khr(document)
    arrays = _OmiArrays(document)
    write = arrays.add(physics)
    known, _ = _read_omi(document)
    for index, node in physics.nodes.items():
        owner, place = document["nodes"][index], f"/nodes/{index}"
        translated = write(node)
        there = known.nodes.get(index, NodePhysics())
        if extension_of(owner, omi_physics_body.EXTENSION) is None:
            value = omi_physics_body.node_body_to_json(translated.body)
            set_extension(owner, omi_physics_body.EXTENSION, value)
        elif _resolved_body(there.body, known) != _resolved_body(translated.body, known):
            findings.append(finding("OMI-J446", place, what="the body"))
        joint = translated.joint
        if joint is None:
            continue
        if extension_of(owner, omi_physics_joint.EXTENSION) is None:
            value = (
                {} if joint.connected_node is None else omi_physics_joint.node_joint_to_json(joint)
            )
            set_extension(owner, omi_physics_joint.EXTENSION, value)
        elif _resolved_joint(there.joint, known) != _resolved_joint(joint, known):
            findings.append(finding("OMI-J446", place, what="the joint"))
    declare(document, sorted(OMI_EXTENSIONS))
    return findings


def add_khr(document: JsonObject, *, keep_originals: bool = True) -> None:
    """Add the KHR form of what a document says in the OMI extensions, replacing one it has.

    `keep_originals` adds what only OMI can say. A mesh that is a shape gets a node outside of all
    scenes where no node will do. Raises `CodecError` where a value has no place in JSON.
    """
    physics, _ = _read_omi(document)
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
    lent = {
        geometry.get("node")
        for node in nodes_of(document)
        for part in ("collider", "trigger")
        if isinstance(geometry := _geometry(extension_of(node, khr.EXTENSION), part), dict)
    }
    shown = {index for scene in document.get("scenes", ()) for index in scene.get("nodes", ())}
    shown |= {child for node in nodes_of(document) for child in node.get("children", ())}
    while nodes and set(nodes[-1]) == {"mesh"} and len(nodes) - 1 in lent - shown:
        nodes.pop()


def _geometry(value: Any, part: str) -> Any:
    owner = value.get(part) if isinstance(value, dict) else None
    return owner.get("geometry") if isinstance(owner, dict) else None


class _OmiArrays:
    """The arrays of resources of the OMI extensions of a document, made where they are missing."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document

    def add(self, physics: Physics) -> Callable[[NodePhysics], NodePhysics]:
        """Add resources; return what gives a node the indices they have got."""
        bodies = omi_physics_body.document_to_json(physics.bodies)
        joints = omi_physics_joint.document_to_json(physics.joints)
        shapes = ShapesDocument(shapes=physics.shapes, carried=physics.shapes_carried)
        shape_values = omi_physics_shape.document_to_json(shapes)
        materials = self._merge(omi_physics_body.EXTENSION, bodies, "physicsMaterials")
        filters = self._merge(omi_physics_body.EXTENSION, bodies, "collisionFilters")
        settings = self._merge(omi_physics_joint.EXTENSION, joints, "physicsJoints")
        shape_indices = self._merge(omi_physics_shape.EXTENSION, shape_values, "shapes")

        def write(node: NodePhysics) -> NodePhysics:
            body = _renumbered(node.body, shape_indices, materials, filters)
            joint = node.joint
            if joint is not None:
                joint = replace(joint, joint=_at(settings, joint.joint))
            return NodePhysics(body=body, joint=joint)

        return write

    def _merge(self, extension: str, value: JsonObject, name: str) -> list[int | None]:
        """Add the members of an extension object, those of array `name` behind those there."""
        there = extension_of(self._document, extension)
        there = there if isinstance(there, dict) else {}
        array = there.get(name)
        array = list(array) if isinstance(array, list) else []
        indices = resource_indices(value.get(name, ()), array)
        others = {key: member for key, member in value.items() if not isinstance(member, list)}
        members = others | there | ({name: array} if array else {})
        set_extension(self._document, extension, members)
        return indices


class _MeshNodes:
    """Finds or makes nodes that provide a mesh and nothing below it."""

    def __init__(self, document: JsonObject) -> None:
        self._document = document
        self._nodes: dict[int, int] = {}
        for index, node in enumerate(nodes_of(document)):
            mesh = node.get("mesh")
            if isinstance(mesh, int) and not node.get("children") and "skin" not in node:
                self._nodes.setdefault(mesh, index)

    def __call__(self, mesh: int) -> int:
        if mesh not in self._nodes:
            nodes = self._document.setdefault("nodes", [])
            self._nodes[mesh] = len(nodes)
            nodes.append({"mesh": mesh})
        return self._nodes[mesh]


def _read_khr(document: JsonObject) -> tuple[Physics, list[Finding]]:
    findings: list[Finding] = []
    root = _read(document, khr.EXTENSION, "", khr.document_from_json, findings)
    root = root or PhysicsDocument()
    shapes = _read(
        document,
        khr_implicit_shapes.EXTENSION,
        "",
        khr_implicit_shapes.document_from_json,
        findings,
    )
    shapes = shapes or ShapesDocument()
    owners = nodes_of(document)
    meshes = [node.get("mesh") for node in owners]
    geometries = GeometryReader(
        shapes.shapes, [mesh if isinstance(mesh, int) else None for mesh in meshes]
    )
    nodes: dict[int, NodePhysics] = {}
    for index, owner in enumerate(owners):
        node = _read(
            owner,
            khr.EXTENSION,
            f"/nodes/{index}",
            lambda value, pointer: khr.node_from_json(value, pointer, geometries),
            findings,
        )
        if node is not None:
            nodes[index] = node
    physics = Physics(
        bodies=root.bodies,
        joints=root.joints,
        shapes=tuple(geometries.shapes),
        shapes_carried=shapes.carried,
        nodes=nodes,
    )
    return physics, [found for found in findings if found.code not in _AGAIN]


def _read_omi(document: JsonObject) -> tuple[Physics, list[Finding]]:
    findings: list[Finding] = []
    body, joint = omi_physics_body, omi_physics_joint
    bodies = _read(document, body.EXTENSION, "", body.document_from_json, findings)
    joints = _read(document, joint.EXTENSION, "", joint.document_from_json, findings)
    name = omi_physics_shape.EXTENSION
    shapes = _read(document, name, "", omi_physics_shape.document_from_json, findings)
    shapes = shapes or ShapesDocument()
    nodes: dict[int, NodePhysics] = {}
    for index, owner in enumerate(nodes_of(document)):
        place = f"/nodes/{index}"
        node_body = _read(owner, body.EXTENSION, place, body.node_body_from_json, findings)
        node_joint = _read(owner, joint.EXTENSION, place, joint.node_joint_from_json, findings)
        if node_body is not None or node_joint is not None:
            nodes[index] = NodePhysics(body=node_body or NodeBody(), joint=node_joint)
    physics = Physics(
        bodies=bodies or BodiesDocument(),
        joints=joints or JointsDocument(),
        shapes=shapes.shapes,
        shapes_carried=shapes.carried,
        nodes=nodes,
    )
    return physics, findings


def _read(
    owner: JsonObject,
    extension: str,
    place: str,
    read: Callable[[Any, str], tuple[T, list[Finding]]],
    findings: list[Finding],
) -> T | None:
    """Return an extension object as its codec reads it, None where it is absent or unreadable."""
    value = extension_of(owner, extension)
    if value is None:
        return None
    try:
        result, found = read(value, f"{place}/extensions/{extension}")
    except CodecError as error:
        findings.append(error.finding)
        return None
    findings.extend(found)
    return result


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


def _resolved_joint(joint: NodeJoint | None, physics: Physics) -> Any:
    """Return what a joint says in KHR, its settings in place of their index."""
    if joint is None:
        return None
    settings = _element(physics.joints.settings, joint.joint)
    if settings is not None:
        settings = replace(khr.khr_settings(settings), carried="")
    return joint.connected_node, joint.enable_collision, settings


def _resolved_body(body: NodeBody, physics: Physics) -> Any:
    """Return what a body says in KHR, the elements of arrays in place of their indices."""
    said = khr.khr_body(body)
    motion = said.motion and replace(said.motion, carried="")
    return motion, _resolved(said.collider, physics), _resolved(said.trigger, physics)


def _resolved(part: NodeCollider | NodeTrigger | None, physics: Physics) -> Any:
    if part is None:
        return None
    shape = _element(physics.shapes, part.shape)
    extra: Any = None
    if isinstance(part, NodeTrigger):
        extra = set(part.nodes)
    else:
        extra = _element(physics.bodies.materials, part.physics_material)
    return shape, extra, _element(physics.bodies.filters, part.collision_filter)


def _element(array: tuple[Any, ...], index: int | None) -> Any:
    return array[index] if index is not None and index < len(array) else None
