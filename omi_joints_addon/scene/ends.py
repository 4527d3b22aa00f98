"""The ends of the joints of a live scene as arrays, for all who draw or check them."""

from dataclasses import dataclass

import numpy as np

from ..core.meaning.sides import End, moving_ends
from ..core.model.graph import Indices
from ..core.model.scene import nearest_above
from .columns import Columns


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

    def moving(self, dynamic: Indices, roots: Indices) -> list[End | None]:
        """Return which end of each joint moves (`sides.moving_ends`).

        `dynamic` and `roots` are the nodes of dynamic bodies and of roots of articulations.
        """
        bodies = self.bodies.copy()
        is_open = self.connected < 0
        bodies[is_open, 1] = bodies[is_open, 0]
        pairs: list[tuple[int, int]] = list(map(tuple, bodies.tolist()))
        return moving_ends(pairs, dynamic.tolist(), roots.tolist())

    def of_body(self, node: int) -> Indices:
        """Return the nodes of the joints that hold a body."""
        return np.asarray(self.joints[(self.bodies == node).any(axis=1)])

    def on_body(self, node: int) -> Indices:
        """Return the nodes of the joints that are on a body."""
        return np.asarray(self.joints[self.bodies[:, 0] == node])

    def of_frame(self, node: int) -> Indices:
        """Return the nodes of the joints with a connected frame."""
        return np.asarray(self.joints[self.connected == node])


def ends_of(columns: Columns) -> Ends:
    """Return the ends of all joints."""
    joints = np.flatnonzero(columns.is_joint)
    connected = columns.connected[joints]
    owner = np.append(nearest_above(columns.parents, np.flatnonzero(columns.is_body)), -1)
    bodies = owner[np.stack((joints, connected), axis=1)]
    return Ends(joints, connected, bodies, columns.followed[joints])
