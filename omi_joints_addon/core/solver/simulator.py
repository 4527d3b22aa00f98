"""What the preview and the command line know of an engine: how it is asked to move a scene.

Nodes and joints are numbered as in the scene; space is the scene's, SI units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from numpy.typing import ArrayLike

from ..findings.finding import Finding
from ..model.pose import Array, Pose
from ..model.scene import PhysicsScene


class JointState(IntEnum):
    """What holds a joint, the most notable last."""

    FREE = 0
    """Within its limits."""
    AT_LIMIT = 1
    """At a rigid bound of a range."""
    SATURATED = 2
    """A drive gives its largest force."""
    PAST_LIMIT = 3
    """Beyond a soft bound, or not where a rigid limit wants it."""
    BROKEN = 4
    """It held more than it can, and holds nothing any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to simulate."""

    rigid_locks: bool = False
    """Whether soft limits that leave no room count as rigid."""
    contacts: bool = False
    """Whether colliders collide, where that is possible."""
    moving: frozenset[int] | None = None
    """Nodes of the dynamic bodies that move; None is all."""


class Simulator(Protocol):
    """A scene in motion, whatever engine moves it."""

    @property
    def scene(self) -> PhysicsScene:
        """The scene as it is simulated, at rest."""

    @property
    def findings(self) -> Sequence[Finding]:
        """What had to be assumed before anything moved."""

    @property
    def time(self) -> float:
        """How long it has moved [s]."""

    @property
    def moving_nodes(self) -> frozenset[int]:
        """Nodes of the bodies that joints, gravity or their own velocity move."""

    @property
    def acting_joints(self) -> Sequence[int]:
        """Numbers of the joints that act, ascending."""

    @property
    def broken_joints(self) -> Mapping[int, float]:
        """When joints broke [s], by their numbers; these do not act any more."""

    def reset(self) -> None:
        """Go back to rest, with all joints whole."""

    def change(
        self,
        scene: PhysicsScene,
        *,
        options: Options,
        inertias: Mapping[int, Array] | None = None,
    ) -> None:
        """Go on with a scene that was edited: bodies that still move stay where they are.

        Nodes are numbered as before; `inertias` as for a new simulation.
        """

    def advance(
        self,
        duration: float,
        *,
        substeps: int = 0,
        driven: Mapping[int, Array] | None = None,
        due: float = 0.0,
    ) -> None:
        """Move on by `duration` [s] in `substeps` steps; 0 takes as many as accuracy needs.

        `driven` are world matrices (4, 4) by node that bodies which do not move freely reach in
        `due` [s], 0 at the end; the others keep their initial velocity.
        """

    def aim(self, joints: Sequence[int], poses: Pose, strengths: Array) -> None:
        """Have position drives of some joints of the scene pull toward poses from now on.

        `poses` (k, 3) and (k, 4) are those of the connected frames in the joints' frames;
        `strengths` (k,) are factors of the stiffness and the damping that the drives have.
        """

    def grab(self, node: int, point: ArrayLike) -> None:
        """Start to pull a moving body at a world point; `drag` moves the target."""

    def drag(self, target: ArrayLike) -> None:
        """Pull the grabbed point to a world point."""

    def release(self) -> None:
        """Let go of the grabbed point."""

    @property
    def grabbed_node(self) -> int | None:
        """Node of the body that is pulled."""

    def pull_line(self) -> Array | None:
        """Return the point that is held and the one it is pulled to [m], (2, 3); None for none."""

    def matrices(self) -> Array:
        """Return the world matrices of all nodes, shape (n, 4, 4): each as its body carries it."""

    def inside(self) -> Mapping[tuple[int, int], tuple[float, float]]:
        """Return when bodies were in triggers in the last advance, first and last [s], by nodes."""

    def touches(self) -> Mapping[tuple[int, int], Array]:
        """Return the mean force [N] (3,) of the last advance on each node from each other one.

        Nodes of bodies, the one that moves first, the lower one where both do; nodes of colliders
        where these belong to no body.
        """

    def joint_states(self) -> Sequence[JointState]:
        """Return the state of each acting joint."""

    def joint_forces(self) -> Array:
        """Return force and torque [N, N·m] of acting joints on their connected bodies, (j, 6).

        In world axes; the torque is about the connected frame's origin.
        """

    def contacts(self) -> Array:
        """Return where bodies touched in the last step, shape (c, 7).

        Of each contact the point [m], the force [N] on one of the two and its depth [m], in world
        axes.
        """

    def problems(self) -> Sequence[Finding]:
        """Return what went wrong since the start."""
