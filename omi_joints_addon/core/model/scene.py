"""A whole scene or document of bodies and joints as plain data.

For checks, preview, drawing, reports and exchange. Made from Blender by `scene.reading` and from
files by `io.formats`, and written by them; nodes are counted from 0.

Space is that of Blender: SI units and radians, Z up, world matrices; capsules and cylinders stand
on the Z axis of their node. Attachment frames keep the names of their axes in every format.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .animation import Track
from .articulation import Articulation, Coupling
from .attributes import DEFAULT_ATTRIBUTES, JointAttributes
from .body import Collider, Motion, MotionType, Trigger, Vector
from .joint import JointSettings
from .mesh import Mesh, Visual
from .named_pose import NamedPose
from .pose import Array, Pose, matrix_from_pose, pose_from_matrix, relative_pose

if TYPE_CHECKING:
    from .light import Light

GRAVITY = (0.0, 0.0, -9.81)
"""Gravity of a scene that declares none [m/s²], in world axes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint:
    """One joint: two attachment frames and the settings between them."""

    node: int
    """Node of the joint's attachment frame."""
    connected: int | None
    """Node of the connected attachment frame; None is missing."""
    settings: JointSettings
    """Limits and drives; joints that share them have one value."""
    enable_collision: bool = False
    """Whether the two bodies collide with each other."""
    attributes: JointAttributes = DEFAULT_ATTRIBUTES
    """What the joint has beyond OMI_physics_joint."""
    carried: str = ""
    """Members of the joint in a document that this program does not know, as JSON object text."""
    place: str = ""
    """Where findings about the joint point: the object's name, or a JSON pointer."""
    settings_place: str = ""
    """Where findings about the settings point, which joints may share; empty is `place`."""

    @property
    def other(self) -> int:
        """Connected node, the joint's own where there is none."""
        return self.node if self.connected is None else self.connected

    @property
    def ends(self) -> tuple[int, ...]:
        """Nodes of its attachment frames, one where nothing is connected."""
        return (self.node,) if self.connected is None else (self.node, self.connected)


@dataclass(frozen=True, kw_only=True, eq=False)
class PhysicsScene:
    """Nodes with their poses, and the bodies and joints on them."""

    names: tuple[str, ...]
    """Name of each node."""
    parents: NDArray[np.intp]
    """Parent of each node, -1 for none, shape (n,)."""
    matrices: Array
    """World matrices at rest, shape (n, 4, 4)."""
    motions: Mapping[int, Motion] = field(default_factory=dict)
    """Motion of each node that is a body."""
    carries: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """What else a node carries.

    Of "mesh", "camera", "light", "armature", "instancer", "collider", "trigger", "animation",
    "bone" where a body or shape is on a bone, and "frame" where the node stands for the attachment
    frame of the node above it.
    """
    places: Mapping[int, str] = field(default_factory=dict)
    """Where findings about a body or shape point; one that is not here is known by its name."""
    joints: tuple[Joint, ...] = ()
    """Joints, which couplings refer to by their numbers."""
    colliders: Mapping[int, Collider] = field(default_factory=dict)
    """Solid part that each node adds to the nearest body at or above it, else to the world."""
    disabled_colliders: Mapping[int, Collider] = field(default_factory=dict)
    """Colliders of each node that are turned off: nothing collides with them (UsdPhysics)."""
    triggers: Mapping[int, Trigger] = field(default_factory=dict)
    """Trigger volume of each node that has one."""
    meshes: tuple[Mesh, ...] = ()
    """Meshes that shapes and visuals refer to by index."""
    visuals: Mapping[int, Visual] = field(default_factory=dict)
    """What each node shows."""
    lights: "Mapping[int, Light]" = field(default_factory=dict)
    """What shines from each node."""
    articulations: tuple[Articulation, ...] = ()
    """Trees of bodies that are simulated as one."""
    couplings: tuple[Coupling, ...] = ()
    """Joints that follow others."""
    excluded_pairs: tuple[tuple[int, int], ...] = ()
    """Pairs of bodies that do not collide though no joint is between them."""
    name: str = ""
    """Name of the model; empty is unnamed."""
    poses: tuple[NamedPose, ...] = ()
    """Poses under names."""
    tracks: tuple[Track, ...] = ()
    """Numbers of joints that change over time."""
    carried: Mapping[str, Any] = field(default_factory=dict)
    """What each format keeps of the document for itself, by name of the format."""
    gravity: Vector = GRAVITY
    """[m/s²], in world axes."""

    def joint_place(self, number: int) -> str:
        """Return where findings about a joint point."""
        return self.joints[number].place

    def settings_place(self, number: int) -> str:
        """Return where findings about the settings of a joint point."""
        joint = self.joints[number]
        return joint.settings_place or joint.place

    def place_of(self, node: int) -> str:
        """Return where findings about a body or shape point."""
        return self.places.get(node, self.names[node])

    def frame_owners(self) -> NDArray[np.intp]:
        """Return for each node the one whose attachment frame it is: itself or that above."""
        owners = np.arange(len(self.parents))
        stands = [node for node, kinds in self.carries.items() if "frame" in kinds]
        owners[stands] = np.where(self.parents[stands] >= 0, self.parents[stands], owners[stands])
        return owners

    @cached_property
    def joint_nodes(self) -> NDArray[np.intp]:
        """Node of each joint's attachment frame, shape (j,). Not to be changed."""
        return np.array([joint.node for joint in self.joints], dtype=np.intp)

    @cached_property
    def connected_nodes(self) -> NDArray[np.intp]:
        """Connected node of each joint, -1 where it is missing, shape (j,). Not to be changed."""
        ends = [-1 if joint.connected is None else joint.connected for joint in self.joints]
        return np.array(ends, dtype=np.intp)

    @property
    def other_nodes(self) -> NDArray[np.intp]:
        """Connected node of each joint, its own where it is missing, shape (j,)."""
        return np.where(self.connected_nodes < 0, self.joint_nodes, self.connected_nodes)

    def bodies(self) -> NDArray[np.intp]:
        """Return for each node the nearest node at or above it that has a motion, shape (n,).

        See `nearest_above`. Not to be changed.
        """
        return self._bodies

    @cached_property
    def _bodies(self) -> NDArray[np.intp]:
        movable = np.fromiter(self.motions, dtype=np.intp, count=len(self.motions))
        nearest = nearest_above(self.parents, movable)
        nearest.flags.writeable = False
        return nearest

    def are_dynamic(self) -> NDArray[np.bool_]:
        """Return which nodes are dynamic bodies, shape (n,). Not to be changed."""
        return self._are_dynamic

    @cached_property
    def _are_dynamic(self) -> NDArray[np.bool_]:
        dynamic = np.zeros(len(self.parents), dtype=np.bool_)
        kind = MotionType.DYNAMIC
        dynamic[[node for node, motion in self.motions.items() if motion.type == kind]] = True
        dynamic.flags.writeable = False
        return dynamic

    def is_dynamic(self, body: int) -> bool:
        """Return whether the node is a dynamic body."""
        return body in self.motions and self.motions[body].type == MotionType.DYNAMIC

    @cached_property
    def rigid_matrices(self) -> Array:
        """World matrix of each node without its scale, shape (n, 4, 4). Not to be changed."""
        found = matrix_from_pose(pose_from_matrix(self.matrices))
        found.flags.writeable = False
        return found

    def relative_poses(self) -> Pose:
        """Return the connected frame in the joint frame of each joint, shapes (j, 3) and (j, 4).

        A joint without connected node has the identity.
        """
        nodes, ends = self.joint_nodes, self.other_nodes
        frames = pose_from_matrix(self.matrices)
        return relative_pose(frames.at(nodes), frames.at(ends))


EMPTY = PhysicsScene(
    names=(), parents=np.zeros(0, dtype=np.intp), matrices=np.zeros((0, 4, 4), dtype=float)
)
"""A scene without nodes."""


def nearest_above(parents: NDArray[np.intp], chosen: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each node the nearest chosen one at or above it, shape (n,).

    -1 for none, also for a node in a cycle of parents that holds no chosen one.
    """
    nearest = np.full(len(parents), -1, dtype=np.intp)
    nearest[chosen] = chosen
    jump = parents.copy()
    for _ in range(max(1, len(jump).bit_length())):
        open_nodes = np.flatnonzero((nearest < 0) & (jump >= 0))
        if not len(open_nodes):
            break
        nearest[open_nodes] = nearest[jump[open_nodes]]
        jump = np.where(jump >= 0, jump[jump], -1)
    return nearest
