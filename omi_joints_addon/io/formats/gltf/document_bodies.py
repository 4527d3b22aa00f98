"""Bodies of a document: motions, colliders and triggers of nodes, in Blender's axes."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from ....core.findings.finding import Finding
from ....core.model.axes import motion_from_gltf
from ....core.model.body import Collider, Motion, Trigger
from .dialect_physics import Physics
from .document_nodes import Parents
from .omi.body import NodeBody
from .resources import Resources

_NOTHING = NodeBody()


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """What nodes are as bodies."""

    nodes: set[int] = field(default_factory=set)
    """Nodes that say something in their own axes."""
    motions: dict[int, Motion] = field(default_factory=dict)
    colliders: dict[int, Collider] = field(default_factory=dict)
    triggers: dict[int, Trigger] = field(default_factory=dict)
    places: dict[int, str] = field(default_factory=dict)
    """JSON pointer of each motion."""


def read_bodies(
    chosen: Mapping[int, Physics],
    *,
    parents: Parents,
    meshes: int,
    turned: Collection[int],
    findings: list[Finding],
) -> Bodies:
    """Return the bodies of nodes, each from the dialect that counts for it.

    The axes of nodes `turned` keep their names in Blender.
    """
    bodies = Bodies()
    dialects = {id(physics): physics for physics in chosen.values()}
    resources = {key: Resources(physics, meshes, parents) for key, physics in dialects.items()}
    for node, physics in chosen.items():
        body = physics.nodes[node].body if node in physics.nodes else _NOTHING
        if body is _NOTHING or body == _NOTHING:
            continue
        bodies.nodes.add(node)
        place = physics.body_place(node)
        if body.motion is not None:
            is_turned = node in turned
            bodies.motions[node] = body.motion if is_turned else motion_from_gltf(body.motion)
            bodies.places[node] = f"{place}/motion"
        found = resources[id(physics)]
        if body.collider is not None:
            bodies.colliders[node] = found.collider(body.collider, f"{place}/collider")
        if body.trigger is not None:
            bodies.triggers[node] = found.trigger(node, body.trigger, f"{place}/trigger")
    for found in resources.values():
        findings += found.findings
    return bodies


def volumes_of(bodies: Bodies) -> Iterator[tuple[str, Collection[int]]]:
    """Yield the kinds of volumes and the nodes that have one."""
    yield "collider", bodies.colliders.keys()
    yield "trigger", bodies.triggers.keys()
