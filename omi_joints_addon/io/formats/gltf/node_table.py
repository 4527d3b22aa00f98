"""What the nodes of a document say of physics, bodies and joints apart; joints as columns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.graph import Indices
from .khr.rigid_bodies import NodePhysics
from .members import CodecError
from .omi.body import NodeBody
from .omi.joint import NodeJoint, node_joint_from_json

_NOTHING = NodeBody()
_HIGHEST = 2**62
"""Columns hold no larger index."""


@dataclass(frozen=True, eq=False)
class NodeJoints(Mapping[int, NodeJoint]):
    """Joints of nodes, shapes (j,); those that say more than two indices are `special`."""

    node: Indices
    joint: Indices
    """Index of the settings of each."""
    connected: Indices
    """Index of the connected node; -1 is missing."""
    special: Mapping[int, NodeJoint]

    @cached_property
    def _rows(self) -> dict[int, tuple[int, int]]:
        """Settings and connected node of each node."""
        pairs = zip(self.joint.tolist(), self.connected.tolist(), strict=True)
        return dict(zip(self.node.tolist(), pairs, strict=True))

    def __getitem__(self, node: int) -> NodeJoint:
        """Return the joint of a node; raises `KeyError`."""
        if node in self.special:
            return self.special[node]
        joint, connected = self._rows[node]
        return NodeJoint(joint=joint, connected_node=connected)

    def __contains__(self, node: object) -> bool:
        return node in self._rows

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self.node)


class NodeTable(Mapping[int, NodePhysics]):
    """Bodies and joints of nodes, put together for a node that is asked for."""

    def __init__(self, bodies: Mapping[int, NodeBody], joints: NodeJoints) -> None:
        self.bodies, self.joints = bodies, joints
        self._made: dict[int, NodePhysics] = {}

    def __getitem__(self, node: int) -> NodePhysics:
        """Return what a node says, always the same value; raises `KeyError`."""
        found = self._made.get(node)
        if found is None:
            found = self._made[node] = self._new(node)
        return found

    def _new(self, node: int) -> NodePhysics:
        if node not in self.joints:
            return NodePhysics(body=self.bodies[node])
        return NodePhysics(body=self.bodies.get(node, _NOTHING), joint=self.joints[node])

    def __contains__(self, node: object) -> bool:
        return node in self.bodies or node in self.joints

    def __iter__(self) -> Iterator[int]:
        yield from self.bodies
        yield from (node for node in self.joints if node not in self.bodies)

    def __len__(self) -> int:
        return len(self.bodies.keys() | self.joints.keys())


def node_table(nodes: Mapping[int, NodePhysics]) -> NodeTable:
    """Return nodes with their bodies and joints apart."""
    if isinstance(nodes, NodeTable):
        return nodes
    joints = {node: said.joint for node, said in nodes.items() if said.joint is not None}
    return NodeTable({node: said.body for node, said in nodes.items()}, _columns(joints))


def joints_of_nodes(
    nodes: Sequence[int], values: Sequence[Any]
) -> tuple[NodeJoints, dict[int, list[Finding]]]:
    """Return the joints in the extension objects of nodes, and what is wrong with those of some."""
    if _are_plain(values):
        found = NodeJoints(
            np.array(nodes, dtype=np.intp),
            np.fromiter(map(itemgetter("joint"), values), dtype=np.intp, count=len(values)),
            np.fromiter(map(itemgetter("connectedNode"), values), dtype=np.intp, count=len(values)),
            special={},
        )
        return found, {}
    joints, findings = {}, {}
    for node, value in zip(nodes, values, strict=True):
        try:
            joints[node], problems = node_joint_from_json(value, "")
        except CodecError as error:
            problems = [error.finding]
        if problems:
            findings[node] = problems
    return _columns(joints), findings


def _are_plain(values: Sequence[Any]) -> bool:
    """Return whether all are objects with two indices and no more."""
    if not set(map(type, values)) <= {dict} or not set(map(len, values)) <= {2}:
        return False
    try:
        indices = [*map(itemgetter("joint"), values), *map(itemgetter("connectedNode"), values)]
    except KeyError:
        return False
    is_whole = set(map(type, indices)) <= {int}
    return is_whole and min(indices, default=0) >= 0 and max(indices, default=0) < _HIGHEST


def _columns(joints: Mapping[int, NodeJoint]) -> NodeJoints:
    ends = (-1 if said.connected_node is None else said.connected_node for said in joints.values())
    return NodeJoints(
        np.array(list(joints), dtype=np.intp),
        np.array([min(said.joint, _HIGHEST) for said in joints.values()], dtype=np.intp),
        np.array([min(end, _HIGHEST) for end in ends], dtype=np.intp),
        special=joints,
    )
