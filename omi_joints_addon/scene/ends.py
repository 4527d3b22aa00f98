"""The ends of the joints of a live scene as arrays, for all who draw them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.model.graph import Indices
from ..core.model.scene import PhysicsScene
from .record import Record


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Nodes of m joints and of what they hold, -1 for none."""

    joints: Indices
    """Shape (m,)."""
    connected: Indices
    """Connected frames, shape (m,)."""
    bodies: Indices
    """Bodies of both frames, shape (m, 2)."""
    followed: Indices
    """Joints that they follow, shape (m,)."""

    def of_body(self, node: int) -> Indices:
        """Return the nodes of the joints that hold a body."""
        return np.asarray(self.joints[(self.bodies == node).any(axis=1)])

    def of_frame(self, node: int) -> Indices:
        """Return the nodes of the joints with a connected frame."""
        return np.asarray(self.joints[self.connected == node])


def ends_of(records: Sequence[Record]) -> Ends:
    """Return the ends of the joints among records."""
    joints = [node for node, record in enumerate(records) if record.is_joint]
    connected = [_connected(records[node]) for node in joints]
    followed = [each.follows[0] if (each := records[node]).follows else -1 for node in joints]
    tree = PhysicsScene(
        names=(),
        parents=np.fromiter((record.parent for record in records), np.intp, len(records)),
        matrices=np.empty((0, 4, 4)),
        motions={node: record.motion for node, record in enumerate(records) if record.motion},
        joints=(),
    )
    owner = np.append(tree.bodies(), -1)
    frames = np.array((joints, connected), np.intp)
    return Ends(frames[0], frames[1], owner[frames].T, np.array(followed, np.intp))


def _connected(record: Record) -> int:
    joint = record.joint
    return -1 if joint is None or joint.connected is None else joint.connected
