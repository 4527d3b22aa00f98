"""Bodies of a document: motions, colliders and triggers of nodes, in Blender's axes."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from ....core.findings.finding import Finding
from ....core.model.axes import motion_from_gltf
from ....core.model.body import Collider, Motion, Trigger
from .dialect_physics import Physics
from .document_nodes import Parents
from .node_table import node_table
from .omi.body import NodeBody
from .resources import Resources

_NOTHING = NodeBody()


class MotionPlaces(Mapping[int, str]):
    """JSON pointer of the motion of each body, from the dialect that counts for it."""

    def __init__(self, motions: Mapping[int, Motion], chosen: Mapping[int, Physics]) -> None:
        self._motions, self._chosen = motions, chosen

    def __getitem__(self, node: int) -> str:
        """Return the pointer of a body; raises `KeyError`."""
        if node not in self._motions:
            raise KeyError(node)
        return f"{self._chosen[node].body_place(node)}/motion"

    def __iter__(self) -> Iterator[int]:
        return iter(self._motions)

    def __len__(self) -> int:
        return len(self._motions)


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """What nodes are as bodies."""

    nodes: set[int] = field(default_factory=set)
    """Nodes that say something in their own axes."""
    motions: dict[int, Motion] = field(default_factory=dict)
    colliders: dict[int, Collider] = field(default_factory=dict)
    triggers: dict[int, Trigger] = field(default_factory=dict)


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
    dialects = {id(physics): physics for physics in chosen.values()}
    said = {key: node_table(physics.nodes).bodies for key, physics in dialects.items()}
    found = {node: said[id(physics)].get(node, _NOTHING) for node, physics in chosen.items()}
    # Equal bodies are one value, which is looked at once.
    kinds = {id(body): body for body in found.values()}
    silent = {key for key, body in kinds.items() if body == _NOTHING}
    bodies = Bodies(
        nodes={node for node, body in found.items() if id(body) not in silent},
        motions=_motions(found, kinds, turned),
    )
    resources = {key: Resources(physics, meshes, parents) for key, physics in dialects.items()}
    solid = {key for key, body in kinds.items() if body.collider or body.trigger}
    for node in [node for node, body in found.items() if id(body) in solid]:
        body, physics = found[node], chosen[node]
        parts = resources[id(physics)]
        if body.collider is not None:
            bodies.colliders[node] = parts.collider(node, body.collider)
        if body.trigger is not None:
            bodies.triggers[node] = parts.trigger(node, body.trigger)
    for parts in resources.values():
        findings += parts.findings
    return bodies


def _motions(
    found: Mapping[int, NodeBody], kinds: Mapping[int, NodeBody], turned: Collection[int]
) -> dict[int, Motion]:
    """Return the motions of bodies by node, in Blender's axes but for nodes `turned`."""
    said = {key: body.motion for key, body in kinds.items() if body.motion is not None}
    converted = {key: motion_from_gltf(motion) for key, motion in said.items()}
    motions = {node: converted[id(b)] for node, b in found.items() if id(b) in converted}
    kept = {node: said[id(found[node])] for node in turned if node in motions}
    return motions | kept


def volumes_of(bodies: Bodies) -> Iterator[tuple[str, Collection[int]]]:
    """Yield the kinds of volumes and the nodes that have one."""
    yield "collider", bodies.colliders.keys()
    yield "trigger", bodies.triggers.keys()
