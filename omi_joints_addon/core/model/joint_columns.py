"""Joints of a scene as columns, so that rules judge all of them at once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from .joint import JointSettings
from .settings_columns import SettingsColumns, columns_of

if TYPE_CHECKING:
    # A scene has joints, and joints are made of columns where a scene is read from a document.
    from .scene import Joint

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class JointColumns:
    """Ends and settings of joints, shapes (j,)."""

    node: Indices
    """Node of each joint's attachment frame."""
    connected: Indices
    """Node of the connected attachment frame; -1 is missing."""
    settings: Indices
    """Number of the settings in `known`."""
    known: Sequence[JointSettings]
    """Settings that the joints have, and maybe others."""

    @property
    def other(self) -> Indices:
        """Connected node of each joint, its own where it has none."""
        return np.where(self.connected < 0, self.node, self.connected)

    @cached_property
    def values(self) -> SettingsColumns:
        """The settings as columns."""
        return getattr(self.known, "columns", None) or columns_of(self.known)


class ColumnJoints(Sequence["Joint"]):
    """Joints that are kept as columns; each is made when it is asked for."""

    def __init__(
        self,
        columns: JointColumns,
        make: Callable[[int], "Joint"],
        places: Callable[[int], tuple[str, str]],
    ) -> None:
        self.columns = columns
        self.places = places
        """Return where findings about a joint and about its settings point."""
        self._make = make
        self._made: dict[int, Joint] = {}

    def __len__(self) -> int:
        return len(self.columns.node)

    @overload
    def __getitem__(self, index: int) -> "Joint": ...

    @overload
    def __getitem__(self, index: slice) -> "tuple[Joint, ...]": ...

    def __getitem__(self, index: int | slice) -> "Joint | tuple[Joint, ...]":
        """Return a joint, always the same one, or several; raises `IndexError`."""
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self))))
        return self._at(range(len(self))[index])

    def _at(self, number: int) -> "Joint":
        joint = self._made.get(number)
        if joint is None:
            joint = self._made[number] = self._make(number)
        return joint

    def __iter__(self) -> "Iterator[Joint]":
        return map(self._at, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


def joint_columns(joints: "Sequence[Joint]") -> JointColumns:
    """Return the columns of joints; settings that are one value are one."""
    if isinstance(joints, ColumnJoints):
        return joints.columns
    numbers: dict[int, int] = {}
    known: list[JointSettings] = []
    for joint in joints:
        if numbers.setdefault(id(joint.settings), len(known)) == len(known):
            known.append(joint.settings)
    ends = [-1 if joint.connected is None else joint.connected for joint in joints]
    return JointColumns(
        node=np.array([joint.node for joint in joints], dtype=np.intp),
        connected=np.array(ends, dtype=np.intp),
        settings=np.array([numbers[id(joint.settings)] for joint in joints], dtype=np.intp),
        known=known,
    )
