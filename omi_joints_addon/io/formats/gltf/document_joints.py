"""Joints of a document as columns, their frames on nodes that are nothing else."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from ....core.model.graph import Indices
from ....core.model.joint import JointSettings
from ....core.model.joint_columns import ColumnJoints, JointColumns
from ....core.model.scene import Joint
from .dialect_physics import Physics
from .document_nodes import shown_index
from .node_table import node_table
from .omi.settings_array import SettingsArray, special_settings
from .rules import NO_SUCH_ELEMENT


@dataclass(frozen=True, slots=True, eq=False)
class _Said:
    """The joints that one dialect says, shapes (j,)."""

    physics: Physics
    node: Indices
    connected: Indices
    settings: Indices


def read_joints(
    chosen: Mapping[int, Physics], *, count: int, findings: list[Finding]
) -> "DocumentJoints":
    """Return the joints of nodes, each from the dialect that counts for it.

    One whose settings are missing is left out, a connected node beyond `count` is none.
    """
    dialects = {id(physics): physics for physics in chosen.values()}
    read = [_joints_of(physics, chosen, count, findings) for physics in dialects.values()]
    return DocumentJoints(read)


def _joints_of(
    physics: Physics, chosen: Mapping[int, Physics], count: int, findings: list[Finding]
) -> _Said:
    joints = node_table(physics.nodes).joints
    counts = np.array([chosen.get(node) is physics for node in joints], dtype=np.bool_)
    settings = physics.joints.settings
    # What is beyond all settings is missing, too.
    is_known = np.append(np.ones(len(settings), dtype=np.bool_), False)
    is_known[[at for at, each in special_settings(settings).items() if each is None]] = False
    is_there = is_known[np.minimum(joints.joint, len(settings))]
    is_beyond = joints.connected >= count
    for row in np.flatnonzero(counts & (~is_there | is_beyond)).tolist():
        node = int(joints.node[row])
        said, place = joints[node], physics.joint_place(node)
        if is_there[row]:
            shown = shown_index(said.connected_node or 0)
            findings.append(NO_SUCH_ELEMENT(f"{place}/connectedNode", name="node", index=shown))
        else:
            shown = shown_index(said.joint)
            findings.append(NO_SUCH_ELEMENT(f"{place}/joint", name="physics joint", index=shown))
    rows = np.flatnonzero(counts & is_there)
    connected = np.where(is_beyond, -1, joints.connected)
    return _Said(physics, joints.node[rows], connected[rows], joints.joint[rows])


class DocumentJoints:
    """Joints that a document says in one or both dialects."""

    def __init__(self, read: Sequence[_Said]) -> None:
        self._read = read
        self._ends = np.cumsum([len(said.node) for said in read])
        self.node = _joined([said.node for said in read])
        """Nodes of their frames, shape (j,)."""
        self.connected = _joined([said.connected for said in read])
        """Nodes of their connected frames, shape (j,); -1 is none."""

    def on_frames(
        self, means_more: Collection[int], count: int, attributes: Mapping[int, JointAttributes]
    ) -> tuple[ColumnJoints, dict[int, int]]:
        """Return joints whose frames are nothing else, and whose frame each new node is.

        New nodes are counted from `count`; nodes that `means_more` get one below them. `attributes`
        are those of joints by their nodes, where they are not the usual ones.
        """
        ends = {*self.node.tolist(), *self.connected.tolist()} - {-1}
        split = sorted(ends.intersection(means_more))
        new = np.append(np.arange(count), -1)
        new[split] = count + np.arange(len(split))
        columns = JointColumns(
            node=new[self.node],
            connected=new[self.connected],
            settings=self._numbers(),
            known=self._settings(),
        )
        frames = {count + number: node for number, node in enumerate(split)}
        return ColumnJoints(columns, self._maker(columns, attributes), self._places), frames

    def _settings(self) -> Sequence[JointSettings]:
        """Return the settings of all dialects; those that are missing are no joint's."""
        arrays = [said.physics.joints.settings for said in self._read]
        if len(arrays) == 1 and isinstance(arrays[0], SettingsArray):
            return cast("Sequence[JointSettings]", arrays[0])
        return [each or JointSettings() for array in arrays for each in array]

    def _numbers(self) -> Indices:
        """Return the number of each joint's settings among those of all dialects, shape (j,)."""
        numbers, first = [], 0
        for said in self._read:
            numbers.append(said.settings + first)
            first += len(said.physics.joints.settings)
        return _joined(numbers)

    def _row(self, number: int) -> tuple[_Said, int]:
        """Return the dialect of a joint, and its row there."""
        if len(self._read) == 1:
            return self._read[0], number
        part = int(np.searchsorted(self._ends, number, side="right"))
        said = self._read[part]
        return said, number - int(self._ends[part]) + len(said.node)

    def _places(self, number: int) -> tuple[str, str]:
        """Return where findings about a joint and about its settings point."""
        said, row = self._row(number)
        settings = f"{said.physics.joints_place}/physicsJoints/{said.settings[row]}"
        return said.physics.joint_place(int(said.node[row])), settings

    def _maker(
        self, columns: JointColumns, attributes: Mapping[int, JointAttributes]
    ) -> Callable[[int], Joint]:
        """Return what makes a joint of columns."""
        nodes, ends = columns.node.tolist(), columns.connected.tolist()
        settings = columns.settings.tolist()

        def make(number: int) -> Joint:
            said, row = self._row(number)
            owner = int(said.node[row])
            told = node_table(said.physics.nodes).joints[owner]
            place, settings_place = self._places(number)
            return Joint(
                node=nodes[number],
                connected=None if ends[number] < 0 else ends[number],
                settings=columns.known[settings[number]],
                enable_collision=told.enable_collision,
                attributes=attributes.get(owner, DEFAULT_ATTRIBUTES),
                carried=told.carried,
                place=place,
                settings_place=settings_place,
            )

        return make


def _joined(parts: Sequence[Indices]) -> Indices:
    return np.concatenate([np.zeros(0, dtype=np.intp), *parts])
