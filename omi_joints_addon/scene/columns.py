"""What the records of a live scene say of each node, as arrays for all who look at all nodes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

import numpy as np

from ..core.model.body import MotionType
from ..core.model.graph import Indices, Mask
from .record import Record


def _no_nodes() -> Indices:
    return np.empty(0, np.intp)


def _no_marks() -> Mask:
    return np.empty(0, np.bool_)


@dataclass(slots=True, eq=False)
class Columns:
    """Arrays of shape (n,); of nodes -1 for none."""

    parents: Indices = field(default_factory=_no_nodes)
    connected: Indices = field(default_factory=_no_nodes)
    """Connected frames of joints."""
    followed: Indices = field(default_factory=_no_nodes)
    """Joints that joints follow."""
    is_joint: Mask = field(default_factory=_no_marks)
    is_read: Mask = field(default_factory=_no_marks)
    """Which joints have settings that can be read."""
    is_body: Mask = field(default_factory=_no_marks)
    is_dynamic: Mask = field(default_factory=_no_marks)
    is_root: Mask = field(default_factory=_no_marks)
    """Which are the root of an articulation."""
    has_shapes: Mask = field(default_factory=_no_marks)
    is_solid: Mask = field(default_factory=_no_marks)
    is_shown: Mask = field(default_factory=_no_marks)
    """Which are solid, and which have a mesh."""
    is_instancer: Mask = field(default_factory=_no_marks)
    is_end: Mask = field(default_factory=_no_marks)
    """Which are the connected frame of a joint, or were that of one that is gone."""
    has_ties: Mask = field(default_factory=_no_marks)
    """Which have something wrong with how they refer to other objects."""

    def put(self, node: int, record: Record, nodes: Mapping[int, int]) -> None:
        """Take over what was read of a node; `nodes` are the numbers of all nodes by their keys."""
        joint, motion = record.joint, record.motion
        end = None if joint is None else joint.connected
        self.parents[node] = nodes.get(record.parent, -1)
        self.connected[node] = -1 if end is None else nodes.get(end, -1)
        self.followed[node] = -1 if record.follows is None else nodes.get(record.follows[0], -1)
        self.is_joint[node], self.is_read[node] = record.is_joint, joint is not None
        self.is_body[node] = motion is not None
        self.is_dynamic[node] = motion is not None and motion.type == MotionType.DYNAMIC
        self.is_root[node] = record.root is not None
        self.has_shapes[node] = bool(record.fits)
        self.is_solid[node] = record.is_solid
        self.is_shown[node] = "mesh" in record.kinds
        self.is_instancer[node] = "instancer" in record.kinds
        self.is_end[node] = record.is_end
        self.has_ties[node] = bool(record.ties)

    def renumbered(self, take: Indices, numbers: Indices) -> "Columns":
        """Return the arrays of a new list of nodes.

        Node i was node `take[i]`, -1 for a new one; node j becomes node `numbers[j]`, -1 where it
        is gone, which the last of `numbers` is.
        """
        new = Columns()
        for each in fields(Columns):
            old = getattr(self, each.name)
            is_node = old.dtype != np.bool_
            known = np.append(numbers[old], -1) if is_node else np.append(old, False)
            setattr(new, each.name, known[take])
        return new

    def referring(self, is_gone: Mask) -> Mask:
        """Return which nodes that stay refer to one that is gone, shape (n,)."""
        marks = np.append(is_gone, False)
        found = marks[self.parents] | marks[self.connected] | marks[self.followed]
        return np.asarray(found & ~is_gone)
