"""Which nodes of a live scene the findings about each joint and body depend on."""

from collections.abc import Iterable
from functools import cached_property

import numpy as np

from ..core.model.graph import Indices, JointEnds, Mask
from ..core.model.scene import nearest_above
from .live import LiveScene


class Dependence:
    """How the joints whose settings can be read depend on other nodes, at one moment."""

    def __init__(self, live: LiveScene) -> None:
        """Find out for one state of a live scene."""
        columns, ends, keys = live.columns, live.ends, live.nodes.keys
        chosen = columns.is_read[ends.joints]
        joints, connected, bodies = (
            each[chosen] for each in (ends.joints, ends.connected, ends.bodies)
        )
        dynamic = np.append(columns.is_dynamic, False)[bodies]
        self.ends = JointEnds(
            joints, connected, bodies[:, 0], bodies[:, 1], dynamic[:, 0], dynamic[:, 1]
        )
        self._parents, self._uids = columns.parents, keys
        self._of_joints = np.column_stack((joints, connected, bodies))
        frames = self._of_joints[:, :2].ravel()
        self._uses = np.bincount(frames + 1, minlength=len(keys) + 1)[1:]
        self._numbers = np.full(len(keys), -1, np.intp)
        self._numbers[joints] = np.arange(len(joints))
        self.is_unit: Mask = columns.is_body | columns.has_ties
        """Which nodes findings may be about, shape (n,)."""
        self.is_unit[joints] = True

    @cached_property
    def _pairs(self) -> tuple[Indices, Indices]:
        """A number for each pair of bodies with several joints, else -1, and how many; (m,)."""
        return _pairs(self._of_joints[:, 2:])

    @cached_property
    def _marks(self) -> Indices:
        """What findings about each joint depend on beside what those nodes are.

        The first column is the `session_uid` of the joint, ascending, the last one its node.
        """
        joints = self._of_joints
        uids = np.append(self._uids, 0)[joints]
        shares = np.append(self._uses, 0)[joints[:, :2]]
        marks = np.column_stack((uids, self._pairs[1], shares, joints[:, 0]))
        return np.asarray(marks[np.argsort(uids[:, 0])])

    def differing(self, before: "Dependence") -> Indices:
        """Return the joints that depend on other nodes than before."""
        new, old = self._marks, before._marks  # noqa: SLF001 - of the same class
        at = np.searchsorted(old[:, 0], new[:, 0])
        known = np.append(old, np.zeros((1, old.shape[1]), old.dtype), axis=0)[at]
        return np.asarray(new[(known != new)[:, :-1].any(axis=1), -1])

    def depending_on(self, is_changed: Mask) -> Mask:
        """Return the joints and bodies whose findings depend on some nodes themselves; all (n,)."""
        found = is_changed & self.is_unit
        found[self.ends.node[np.append(is_changed, False)[self._of_joints].any(axis=1)]] = True
        return np.asarray(found)

    def below(self, is_changed: Mask) -> Mask:
        """Return the joints and bodies whose findings depend on nodes at or below some; (n,)."""
        return self.depending_on(nearest_above(self._parents, np.flatnonzero(is_changed)) >= 0)

    def with_mates(self, nodes: Iterable[int]) -> list[int]:
        """Return nodes and the joints between the same bodies or at the same frames as theirs."""
        found = dict.fromkeys(nodes)
        numbers = self._numbers[list(found)]
        numbers = numbers[numbers >= 0]
        pairs = self._pairs[0][numbers]
        frames = self._of_joints[numbers, :2].ravel()
        frames = frames[frames >= 0]
        frames = frames[self._uses[frames] > 1]
        if (pairs >= 0).any() or len(frames):
            is_mate = np.isin(self._pairs[0], pairs[pairs >= 0])
            is_mate |= np.isin(self._of_joints[:, :2], frames).any(axis=1)
            found |= dict.fromkeys(self.ends.node[is_mate].tolist())
        return list(found)

    def needed_by(self, nodes: Iterable[int]) -> list[int]:
        """Return the nodes, ascending, that checks of some joints and bodies look at."""
        found: set[int] = set()
        for node in nodes:
            number = self._numbers[node]
            for end in (node,) if number < 0 else self._of_joints[number].tolist():
                above = end
                while above >= 0 and above not in found:
                    found.add(above)
                    above = int(self._parents[above])
        return sorted(found)


def _pairs(bodies: Indices) -> tuple[Indices, Indices]:
    """Return a number for each pair that occurs more than once, else -1, and how often; (m,)."""
    low, high = np.sort(bodies, axis=1).T + 1
    pair = low * (high.max(initial=0) + 1) + high
    _, group, count = np.unique(pair, return_inverse=True, return_counts=True)
    often = count[group]
    return np.where(often > 1, group, -1), often
