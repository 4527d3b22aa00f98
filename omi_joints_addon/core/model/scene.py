"""Bodies and joints of a whole scene or document as plain data.

For checks, preview, drawing and reports.

Made from Blender by `scene.reading` and from a glTF document by `io.formats`; nodes are counted
from 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .body import Motion, MotionType
from .joint import JointSettings
from .pose import Array, Pose, pose_from_matrix, relative_pose


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """One joint: two attachment frames and the settings between them."""

    node: int
    """Node of the joint's attachment frame."""
    connected: int | None
    """Node of the connected attachment frame; None is missing."""
    settings: JointSettings
    enable_collision: bool = False
    """Whether the two bodies collide with each other."""
    place: str = ""
    """Where findings about the joint point: the object's name, or a JSON pointer."""
    settings_place: str = ""
    """Where findings about the settings point, which joints may share; empty is `place`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PhysicsScene:
    """Nodes with their poses, and the bodies and joints on them."""

    names: tuple[str, ...]
    parents: NDArray[np.intp]
    """Parent of each node, -1 for none, shape (n,)."""
    matrices: Array
    """World matrices at rest, shape (n, 4, 4)."""
    motions: Mapping[int, Motion] = field(default_factory=dict)
    """Motion of each node that is a body."""
    carries: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """What else a node carries.

    Of "mesh", "camera", "light", "armature", "instancer", "collider", "trigger", "animation".
    """
    joints: tuple[Joint, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    """[m/s²], in world axes."""

    def bodies(self) -> NDArray[np.intp]:
        """Return for each node the nearest node at or above it that has a motion, shape (n,).

        -1 is none, also for a node in a cycle of parents that holds no body.
        """
        nearest = np.where(
            np.isin(np.arange(len(self.parents)), list(self.motions)),
            np.arange(len(self.parents)),
            -1,
        )
        jump = self.parents.copy()
        for _ in range(max(1, len(jump).bit_length())):
            open_nodes = (nearest < 0) & (jump >= 0)
            if not open_nodes.any():
                break
            nearest[open_nodes] = nearest[jump[open_nodes]]
            jump = np.where(jump >= 0, jump[jump], -1)
        return nearest

    def is_dynamic(self, body: int) -> bool:
        """Return whether the node is a dynamic body."""
        return body in self.motions and self.motions[body].type == MotionType.DYNAMIC

    def relative_poses(self) -> Pose:
        """Return the connected frame in the joint frame of each joint, shapes (j, 3) and (j, 4).

        A joint without connected node has the identity.
        """
        nodes = np.array([joint.node for joint in self.joints], dtype=np.intp)
        ends = np.array(
            [j.node if j.connected is None else j.connected for j in self.joints], dtype=np.intp
        )
        frames = pose_from_matrix(self.matrices)
        return relative_pose(
            Pose(frames.position[nodes], frames.rotation[nodes]),
            Pose(frames.position[ends], frames.rotation[ends]),
        )
