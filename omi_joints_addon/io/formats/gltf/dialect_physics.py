"""All physics of a glTF document in one dialect, as values that both dialects share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from ....core.findings.finding import Finding
from ....core.model.body import PhysicsMaterial
from ....core.model.joint import JointSettings
from ....core.model.plain import JsonObject
from ....core.model.shape import MeshShape, OtherShape, Shape
from .dialect import Dialect
from .document_members import extension_of
from .document_nodes import DocumentNodes
from .khr import implicit_shapes as khr_implicit_shapes
from .khr import rigid_bodies as khr
from .khr.geometry import GeometryReader
from .khr.rigid_bodies import NodePhysics, PhysicsDocument
from .known import Known
from .members import read_or_none
from .omi import body as omi_physics_body
from .omi import joint as omi_physics_joint
from .omi import shape as omi_physics_shape
from .omi.body import BodiesDocument, NodeBody, NodeCollider, NodeTrigger
from .omi.joint import JointsDocument, NodeJoint
from .omi.shape import ShapesDocument

T = TypeVar("T")
_NOTHING = NodePhysics()


class Physics(NamedTuple):
    """All that a document says of physics, in one dialect; the axes are glTF's."""

    dialect: Dialect = Dialect.OMI
    bodies: BodiesDocument = BodiesDocument()
    joints: JointsDocument = JointsDocument()
    shapes: tuple[Shape | None, ...] = ()
    shapes_carried: str = ""
    nodes: Mapping[int, NodePhysics] = {}

    def body_place(self, node: int) -> str:
        """Return the JSON pointer of the body of a node."""
        is_omi = self.dialect == Dialect.OMI
        return f"/nodes/{node}/extensions/{omi_physics_body.EXTENSION if is_omi else khr.EXTENSION}"

    def joint_place(self, node: int) -> str:
        """Return the JSON pointer of the joint of a node."""
        if self.dialect == Dialect.OMI:
            return f"/nodes/{node}/extensions/{omi_physics_joint.EXTENSION}"
        return f"/nodes/{node}/extensions/{khr.EXTENSION}/joint"

    @property
    def arrays(self) -> tuple[Sequence[Any], ...]:
        """Shapes, materials, filters and joint settings, which nodes refer to by index."""
        bodies = self.bodies
        return self.shapes, bodies.materials, bodies.filters, self.joints.settings

    @property
    def joints_place(self) -> str:
        """JSON pointer of the extension object that holds the joint settings."""
        is_omi = self.dialect == Dialect.OMI
        return f"/extensions/{omi_physics_joint.EXTENSION if is_omi else khr.EXTENSION}"


def read_khr(
    document: JsonObject, nodes: DocumentNodes | None = None
) -> tuple[Physics, list[Finding]]:
    """Return what a document says in KHR_physics_rigid_bodies, and what is wrong with it.

    `nodes` are those of the document, where they have been looked through already.
    """
    nodes = nodes or DocumentNodes(document)
    findings: list[Finding] = []
    root = _read(document, khr.EXTENSION, khr.document_from_json, findings)
    root = root or PhysicsDocument()
    name = khr_implicit_shapes.EXTENSION
    shapes = _read(document, name, khr_implicit_shapes.document_from_json, findings)
    shapes = shapes or ShapesDocument()
    meshes = [mesh if isinstance(mesh, int) else None for mesh in nodes.of_each("mesh")]
    geometries = GeometryReader(shapes.shapes, meshes)
    found = _khr_nodes(nodes, geometries, findings)
    physics = Physics(
        dialect=Dialect.KHR,
        bodies=root.bodies,
        joints=root.joints,
        shapes=tuple(geometries.shapes),
        shapes_carried=shapes.carried,
        nodes=found,
    )
    return physics, findings


def _khr_nodes(
    nodes: DocumentNodes, geometries: GeometryReader, findings: list[Finding]
) -> dict[int, NodePhysics]:
    def read_node(value: object, pointer: str) -> tuple[NodePhysics, list[Finding]]:
        return khr.node_from_json(value, pointer, geometries)

    return _at_nodes(nodes, khr.EXTENSION, read_node, findings)


def read_omi(
    document: JsonObject, nodes: DocumentNodes | None = None
) -> tuple[Physics, list[Finding]]:
    """Return what a document says in the OMI extensions, and what is wrong with it.

    `nodes` are those of the document, where they have been looked through already.
    """
    nodes = nodes or DocumentNodes(document)
    findings: list[Finding] = []
    body, joint = omi_physics_body, omi_physics_joint
    bodies = _read(document, body.EXTENSION, body.document_from_json, findings)
    joints = _read(document, joint.EXTENSION, joint.document_from_json, findings)
    name = omi_physics_shape.EXTENSION
    shapes = _read(document, name, omi_physics_shape.document_from_json, findings)
    shapes = shapes or ShapesDocument()
    node_bodies = _at_nodes(nodes, body.EXTENSION, body.bodies_reader(), findings)
    node_joints = _at_nodes(nodes, joint.EXTENSION, joint.node_joint_from_json, findings)
    found = {node: NodePhysics(body=declared) for node, declared in node_bodies.items()}
    for node, declared in node_joints.items():
        found[node] = NodePhysics(body=node_bodies.get(node, _NOTHING.body), joint=declared)
    physics = Physics(
        bodies=bodies or BodiesDocument(),
        joints=joints or JointsDocument(),
        shapes=shapes.shapes,
        shapes_carried=shapes.carried,
        nodes=found,
    )
    return physics, findings


def _read(
    document: JsonObject,
    extension: str,
    read: Callable[[Any, str], tuple[T, list[Finding]]],
    findings: list[Finding],
) -> T | None:
    """Return an extension object as its codec reads it, None where it is absent or unreadable."""
    value = extension_of(document, extension)
    if value is None:
        return None
    return read_or_none(read, value, f"/extensions/{extension}", findings)


def _at_nodes(
    nodes: DocumentNodes,
    extension: str,
    read: Callable[[Any, str], tuple[T, list[Finding]]],
    findings: list[Finding],
) -> dict[int, T]:
    """Return what nodes say in an extension, by node; equal values are read once."""
    found: dict[int, T] = {}
    known = Known(read)
    for index, value in nodes.extension(extension):
        part, problems = known(value)
        if problems:
            findings += _at_node(problems, index, extension)
        if part is not None:
            found[index] = part
    return found


def _at_node(findings: Sequence[Finding], index: int, extension: str) -> list[Finding]:
    """Return findings about the extension object of a node, whose places are within it."""
    pointer = f"/nodes/{index}/extensions/{extension}"
    return [item.at(pointer + item.place) for item in findings]


def khr_value(resource: Any) -> Any:
    """Return the value of an element of an array in KHR, without what is carried beside it.

    Its value can be a key.
    """
    if resource is None:
        return None
    if isinstance(resource, JointSettings):
        return replace(khr.merged_settings(resource), carried="")
    if isinstance(resource, PhysicsMaterial):
        resource = khr.khr_material(resource)
    if isinstance(resource, Shape):
        resource = replace(resource, geometry_carried="")
        if isinstance(resource, MeshShape):
            resource = replace(resource, name="")
        elif isinstance(resource, OtherShape):
            return resource
    return replace(resource, carried="")


def resolved_joint(joint: NodeJoint | None, physics: Physics) -> Any:
    """Return what a joint says in KHR, its settings in place of their index."""
    if joint is None:
        return None
    settings = khr_value(_element(physics.joints.settings, joint.joint))
    return joint.connected_node, joint.enable_collision, settings


def resolved_body(body: NodeBody, physics: Physics) -> Any:
    """Return what a body says in KHR, the elements of arrays in place of their indices."""
    declared = khr.khr_body(body)
    motion = declared.motion and replace(declared.motion, carried="")
    return motion, _resolved(declared.collider, physics), _resolved(declared.trigger, physics)


def _resolved(part: NodeCollider | NodeTrigger | None, physics: Physics) -> Any:
    if part is None:
        return None
    shape = khr_value(_element(physics.shapes, part.shape))
    collision_filter = khr_value(_element(physics.bodies.filters, part.collision_filter))
    if isinstance(part, NodeTrigger):
        return shape, collision_filter, frozenset(part.nodes)
    material = khr_value(_element(physics.bodies.materials, part.physics_material))
    return shape, collision_filter, material


def _element(array: Sequence[Any], index: int | None) -> Any:
    return array[index] if index is not None and index < len(array) else None
