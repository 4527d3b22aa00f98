"""Which nodes of a live scene the findings about each joint and body depend on."""

from collections.abc import Iterable

import numpy as np

from ..core.model.graph import Indices, JointEnds, Mask
from ..core.model.scene import nearest_above
from .columns import Columns
from .ends import Ends


class Dependence:
    """How the joints whose settings can be read depend on other nodes, at one moment."""

    def __init__(self, columns: Columns, ends: Ends) -> None:
        """Find out for one state of a live scene."""
        chosen = columns.is_read[ends.joints]
        joints, connected, bodies = (
            each[chosen] for each in (ends.joints, ends.connected, ends.bodies)
        )
        dynamic = np.append(columns.is_dynamic, False)[bodies]
        self.ends = JointEnds(
            joints, connected, bodies[:, 0], bodies[:, 1], dynamic[:, 0], dynamic[:, 1]
        )
        self._parents = columns.parents
        self._of_joints = np.column_stack((joints, connected, bodies))
        self._pairs, counts = _pairs(bodies)
        uses = np.bincount(self._of_joints[:, :2].ravel() + 1, minlength=len(columns.uids) + 1)[1:]
        self._is_shared = uses > 1
        self._numbers = np.full(len(columns.uids), -1, np.intp)
        self._numbers[joints] = np.arange(len(joints))
        self.is_unit: Mask = columns.is_body | columns.has_ties
        """Which nodes findings may be about, shape (n,)."""
        self.is_unit[joints] = True
        uids = np.append(columns.uids, 0)[self._of_joints]
        shares = np.append(uses, 0)[self._of_joints[:, :2]]
        order = np.argsort(uids[:, 0])
        self._marked, self._marks = joints[order], np.column_stack((uids, counts, shares))[order]
        """Joints, and what findings about them depend on beside what those nodes are: the first
        is the `session_uid`."""

    def differing(self, before: "Dependence") -> Indices:
        """Return the joints that depend on other nodes than before."""
        new, old = self._marks, before._marks  # noqa: SLF001 - of the same class
        at = np.searchsorted(old[:, 0], new[:, 0])
        known = np.append(old, np.zeros((1, old.shape[1]), old.dtype), axis=0)[at]
        return np.asarray(self._marked[(known != new).any(axis=1)])

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
        pairs = self._pairs[numbers]
        frames = self._of_joints[numbers, :2].ravel()
        frames = frames[frames >= 0]
        frames = frames[self._is_shared[frames]]
        if (pairs >= 0).any() or len(frames):
            is_mate = np.isin(self._pairs, pairs[pairs >= 0])
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
