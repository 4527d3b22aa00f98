"""Physics into a document, in the dialects that are wanted. Documents are changed in place.

What a document says already is left as it stands there, member by member.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ....core.findings.finding import Finding
from ....core.model.body import CollisionFilter, PhysicsMaterial
from ....core.model.joint import JointSettings
from ....core.model.plain import JsonObject
from ....core.model.shape import Box, MeshShape, Shape
from .dialect import EXTENSIONS, Dialect
from .dialect_physics import Physics, khr_value, resolved_body, resolved_joint
from .document_members import (
    declare,
    extension_of,
    nodes_of,
    remove_extensions,
    set_extension,
)
from .khr import implicit_shapes as khr_shapes
from .khr import rigid_bodies as khr
from .khr.geometry import GeometryWriter
from .khr.mesh_nodes import MeshNodes
from .khr.rigid_bodies import NodePhysics, PhysicsDocument
from .members import merged
from .omi import body as omi_body
from .omi import body_resources
from .omi import joint as omi_joint
from .omi import shape as omi_shape
from .omi.shape import ShapesDocument
from .world_anchor import anchor_to_bodies

_NOTHING = NodePhysics()


def write_dialects(
    document: JsonObject,
    physics: Physics,
    wanted: Collection[Dialect],
    known: Sequence[Physics] = (),
    *,
    merges_drives: bool,
) -> list[Finding]:
    """Have a document say the physics in the wanted dialects and no other.

    `known` is what it contains already, in each dialect; `merges_drives` makes drives on one axis
    one drive for viewers of KHR, which is not for a document that animates them. Raises
    `CodecError` where a value has no place in JSON.
    """
    findings: list[Finding] = []
    there = {declared.dialect: declared for declared in known}
    if Dialect.KHR in wanted and not _holds(there.get(Dialect.KHR), physics):
        _write_khr(
            document,
            physics,
            keep_originals=Dialect.OMI not in wanted,
            merges_drives=merges_drives,
        )
    if Dialect.OMI in wanted and not _holds(there.get(Dialect.OMI), physics):
        _write_omi(document, physics, there.get(Dialect.OMI))
        findings += anchor_to_bodies(document)
    for dialect in set(Dialect) - set(wanted):
        remove_extensions(document, EXTENSIONS[dialect])
    return findings


def _holds(known: Physics | None, physics: Physics) -> bool:
    if known is None:
        return False
    if known.dialect == physics.dialect:
        return known.arrays == physics.arrays and known.nodes == _kept(physics, known)
    arrays = zip(known.arrays, physics.arrays, strict=True)
    if any(set(map(khr_value, one)) != set(map(khr_value, two)) for one, two in arrays):
        return False
    for node in known.nodes.keys() | physics.nodes.keys():
        one, two = known.nodes.get(node, _NOTHING), physics.nodes.get(node, _NOTHING)
        if resolved_body(one.body, known) != resolved_body(two.body, physics):
            return False
        if resolved_joint(one.joint, known) != resolved_joint(two.joint, physics):
            return False
    return True


def _kept(physics: Physics, known: Physics) -> dict[int, NodePhysics]:
    """Return the nodes of some physics, with those that say nothing in both."""
    empty = {n: declared for n, declared in known.nodes.items() if declared == _NOTHING}
    return {**empty, **physics.nodes}


def _write_khr(
    document: JsonObject, physics: Physics, *, keep_originals: bool, merges_drives: bool
) -> None:
    """Write the KHR extensions in place of those there.

    `keep_originals` adds what only OMI can say. A mesh that is a shape gets a node outside of all
    scenes where no node will do.
    """
    remove_extensions(document, EXTENSIONS[Dialect.KHR])
    geometries = GeometryWriter(physics.shapes, MeshNodes(document))
    for index, node in physics.nodes.items():
        joint = node.joint
        if joint is not None and joint.connected_node is None:
            node = node._replace(joint=None)  # noqa: PLW2901 - a joint needs two ends
        value = khr.node_to_json(node, geometries, f"/nodes/{index}", keep_original=keep_originals)
        set_extension(document["nodes"][index], khr.EXTENSION, value)
    shapes = ShapesDocument(shapes=geometries.implicit_shapes(), carried=physics.shapes_carried)
    set_extension(document, khr_shapes.EXTENSION, khr_shapes.document_to_json(shapes))
    root = PhysicsDocument(bodies=physics.bodies, joints=physics.joints)
    value = khr.document_to_json(root, keep_originals=keep_originals, merges_drives=merges_drives)
    is_used = any(extension_of(node, khr.EXTENSION) is not None for node in nodes_of(document))
    # The extension author's loader refuses a file without the object; glTF has no empty arrays.
    set_extension(document, khr.EXTENSION, value or ({"extras": {}} if is_used else {}))
    declare(document, sorted(EXTENSIONS[Dialect.KHR]))


def _write_omi(document: JsonObject, physics: Physics, known: Physics | None) -> None:
    """Write the OMI extensions; `known` is what they say now."""
    known = known or Physics()
    nodes = nodes_of(document)
    _write_root(document, physics, known)
    bodies: dict[int, JsonObject] = {}
    for index in sorted(known.nodes.keys() | physics.nodes.keys()):
        declared = physics.nodes.get(index, _NOTHING)
        there, owner = known.nodes.get(index, _NOTHING), nodes[index]
        if declared.body != there.body:
            # Most nodes have the body of others.
            if (value := bodies.get(id(declared.body))) is None:
                value = bodies[id(declared.body)] = omi_body.node_body_to_json(declared.body)
            _replace(owner, omi_body.EXTENSION, value)
        if declared.joint != there.joint:
            value = omi_joint.node_joint_to_json(declared.joint) if declared.joint else {}
            _replace(owner, omi_joint.EXTENSION, value)
    declare(document, sorted(EXTENSIONS[Dialect.OMI]))


def _write_root(document: JsonObject, physics: Physics, known: Physics) -> None:
    bodies, there = physics.bodies, known.bodies
    extension = extension_of(document, omi_body.EXTENSION)
    materials = _elements(
        extension, "physicsMaterials", bodies.materials, there.materials, _material
    )
    filters = _elements(extension, "collisionFilters", bodies.filters, there.filters, _filter)
    _set(document, omi_body.EXTENSION, materials | filters, bodies.carried)
    extension = extension_of(document, omi_shape.EXTENSION)
    shapes = _elements(extension, "shapes", physics.shapes, known.shapes, _shape)
    _set(document, omi_shape.EXTENSION, shapes, physics.shapes_carried)
    extension = extension_of(document, omi_joint.EXTENSION)
    joints, before = physics.joints, known.joints.settings
    settings = _elements(extension, "physicsJoints", joints.settings, before, _joint_settings)
    _set(document, omi_joint.EXTENSION, settings, joints.carried)


def _set(document: JsonObject, extension: str, arrays: JsonObject, carried: str) -> None:
    _replace(document, extension, merged(arrays, carried, frozenset(arrays), ""))


def _material(material: PhysicsMaterial | None) -> JsonObject:
    return body_resources.material_to_json(material or PhysicsMaterial())


def _filter(collision_filter: CollisionFilter | None) -> JsonObject:
    return body_resources.filter_to_json(collision_filter or CollisionFilter())


def _shape(shape: Shape | None) -> JsonObject:
    # What was in no use in another dialect may lack what it needs here.
    lacks_mesh = isinstance(shape, MeshShape) and shape.mesh is None
    return omi_shape.shape_to_json(Box() if shape is None or lacks_mesh else shape)


def _joint_settings(settings: JointSettings | None) -> JsonObject:
    return omi_joint.settings_to_json(settings or JointSettings())


def _elements(
    extension: Any,
    name: str,
    new: Sequence[Any],
    known: Sequence[Any],
    to_json: Callable[[Any], JsonObject],
) -> JsonObject:
    """Return an array of an extension object, elements that are unchanged as they stand there."""
    there = extension.get(name) if isinstance(extension, dict) else None
    there = there if isinstance(there, list) else []
    both = min(len(there), len(known))
    written = [
        there[index]
        if index < both and (known[index] is element or known[index] == element)
        else to_json(element)
        for index, element in enumerate(new)
    ]
    return {name: written} if written else {}


def _replace(owner: JsonObject, extension: str, value: JsonObject) -> None:
    """Set an extension object; an empty one is removed."""
    if value:
        set_extension(owner, extension, value)
    elif extension_of(owner, extension) is not None:
        rest = {name: item for name, item in owner["extensions"].items() if name != extension}
        owner["extensions"] = rest
        if not rest:
            del owner["extensions"]
