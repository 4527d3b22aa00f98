"""Bodies of a document: motions, colliders and triggers of nodes, in Blender's axes."""

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from ....core.findings.finding import Finding
from ....core.model.axes import motion_from_gltf
from ....core.model.body import Collider, Motion, Trigger
from .dialect_physics import Physics
from .document_nodes import Parents
from .omi.body import NodeBody
from .resources import Resources

_NOTHING = NodeBody()


class Bodies(NamedTuple):
    """What nodes are as bodies."""

    nodes: set[int]
    """Nodes that say something in their own axes."""
    motions: dict[int, Motion]
    colliders: dict[int, Collider]
    triggers: dict[int, Trigger]


class NodePlaces(Mapping[int, str]):
    """JSON pointer of what each node is as a body, else of the node.

    Bodies are those of the dialect that counts for them; `frames` are the nodes that stand for the
    attachment frame of one above, which has no object of its own in the document.
    """

    def __init__(
        self,
        bodies: Bodies,
        chosen: Mapping[int, Physics],
        *,
        count: int,
        frames: Mapping[int, int],
    ) -> None:
        self._bodies, self._chosen, self._count, self._frames = bodies, chosen, count, frames

    def __getitem__(self, node: int) -> str:
        """Return the pointer of a node; raises `KeyError`."""
        node = self._frames[node] if node >= self._count else node
        kinds = ("motion", self._bodies.motions.keys()), *volumes_of(self._bodies)
        word = next((word for word, nodes in kinds if node in nodes), None)
        return f"{self._chosen[node].body_place(node)}/{word}" if word else f"/nodes/{node}"

    def __iter__(self) -> Iterator[int]:
        return chain(range(self._count), self._frames)

    def __len__(self) -> int:
        return self._count + len(self._frames)


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
    found = {node: physics.nodes[node].body for node, physics in chosen.items()}
    # Equal bodies are one value, which is looked at once.
    kinds = {id(body): body for body in found.values()}
    silent = {key for key, body in kinds.items() if body == _NOTHING}
    bodies = Bodies(
        nodes={node for node, body in found.items() if id(body) not in silent},
        motions=_motions(found, kinds, turned),
        colliders={},
        triggers={},
    )
    dialects = {id(physics): physics for physics in chosen.values()}
    resources = {key: Resources(physics, meshes, parents) for key, physics in dialects.items()}
    _add_volumes(bodies, found, {node: resources[id(chosen[node])] for node in found})
    for parts in resources.values():
        findings += parts.findings
    return bodies


def _add_volumes(
    bodies: Bodies, found: Mapping[int, NodeBody], resources: Mapping[int, Resources]
) -> None:
    for node, body in found.items():
        parts = resources[node]
        if body.collider is not None:
            bodies.colliders[node] = parts.collider(node, body.collider)
        if body.trigger is not None:
            bodies.triggers[node] = parts.trigger(node, body.trigger)


def _motions(
    found: Mapping[int, NodeBody], kinds: Mapping[int, NodeBody], turned: Collection[int]
) -> dict[int, Motion]:
    """Return the motions of bodies by node, in Blender's axes but for nodes `turned`."""
    declared = {key: body.motion for key, body in kinds.items() if body.motion is not None}
    converted = {key: motion_from_gltf(motion) for key, motion in declared.items()}
    motions = {node: converted[id(b)] for node, b in found.items() if id(b) in converted}
    kept = {node: declared[id(found[node])] for node in turned if node in motions}
    return motions | kept


def volumes_of(bodies: Bodies) -> Iterator[tuple[str, Collection[int]]]:
    """Yield the kinds of volumes and the nodes that have one."""
    yield "collider", bodies.colliders.keys()
    yield "trigger", bodies.triggers.keys()
