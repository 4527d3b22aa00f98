"""Simulate the joints of a scene: the solver's public face. SI, the scene's world axes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..findings.finding import Finding
from ..meaning.animated import starts_only
from ..model.pose import (
    Array,
    Pose,
    matrix_from_pose,
    pose_from_matrix,
    quaternion_conjugate,
    quaternion_product,
    relative_pose,
    rotate,
)
from ..model.scene import PhysicsScene
from .acting import acting_couplings, acting_joints, model_of_scene, place_of
from .aiming import aimed_table
from .bodies import Motions, bodies_of, motions_at_rest, motions_kept
from .breaking import keep, overloaded, strengths, without
from .course import Course
from .driving import arrive, drive
from .elimination import Indices
from .faults import out_of_proportion
from .forecast import forecast
from .impact import energies
from .memory import Memory, new_memory
from .model import is_stepped_alike
from .problems import problems_of_bodies, problems_of_contacts, problems_of_joints
from .pulling import line_of_pull, pull_at
from .rate import steps_within
from .renumbering import are_equal, renumbered
from .rules import BROKE, NO_CONTACTS, NO_TRANSFORM, STARTS_ONLY
from .simulator import JointState, Options
from .states import joint_states, rows_apart
from .system import Pull

if TYPE_CHECKING:
    from .contacts.collision import ContactModel

_LONGEST = 1.0
"""For how long [s] locks and followers may stay apart without a finding."""
_LARGEST_KEPT = 2**21
"""Size [numbers] of a block; 32 MB and more do not count."""

_ALL = Options()


class Simulation:
    """A scene in motion: the `Simulator` of this solver."""

    def __init__(
        self,
        scene: PhysicsScene,
        *,
        options: Options = _ALL,
        inertias: Mapping[int, Array] | None = None,
    ) -> None:
        """Start at rest; see `bodies.bodies_of` for `inertias`."""
        self._contacts: ContactModel | None = None
        self._broken: dict[int, float] = {}
        """When joints broke [s], by their nodes."""
        self._take(scene, options, inertias)
        self.reset()

    def _take(
        self, scene: PhysicsScene, options: Options, inertias: Mapping[int, Array] | None
    ) -> None:
        _keep_memory()
        scene, self.findings = _finite(scene)
        self.scene = scene
        self._options, self._inertias = options, inertias
        scene = without(scene, self.broken_joints)
        self.bodies, found = bodies_of(scene, inertias=inertias, moving=options.moving)
        self.findings += found
        self.findings += [
            STARTS_ONLY(scene.place_of(node), what=what.replace("_", " "))
            for node, what in starts_only(scene)
        ]
        moves = self.bodies.is_dynamic | self.bodies.velocity.any(axis=1)
        self.moving_nodes = frozenset(self.bodies.nodes[moves].tolist())
        self._start = motions_at_rest(self.bodies)
        self.couplings = tuple(acting_couplings(scene, self.bodies, self.findings))
        self.acting_joints = acting_joints(scene, self.bodies, self.couplings, self.findings)
        self._strengths = strengths(scene, self.acting_joints)
        self.model = model_of_scene(
            scene,
            self.bodies,
            self.acting_joints,
            self.couplings,
            self.findings,
            rigid_locks=options.rigid_locks,
        )
        self._table = self.model.table
        """Rows with the targets and gains of the scene."""
        self._contacts = self._contacts_of(scene, options)
        rest = motions_at_rest(self.bodies)
        self.findings += forecast(self.model, rest, self._joint_places())

    def _contacts_of(self, scene: PhysicsScene, options: Options) -> "ContactModel | None":
        """Return what collides; None where nothing does, or where it cannot be."""
        if not (options.contacts and scene.colliders):
            return None
        from .contacts import unavailable

        if problem := unavailable():
            self.findings.append(NO_CONTACTS(scene.name, why=problem))
            return None
        from .contacts.collision import ContactsError, contact_model

        try:
            model = contact_model(scene, self.model, self._contacts)
        except ContactsError as error:
            self.findings.append(NO_CONTACTS(scene.name, why=str(error)))
            return None
        self.findings += model.found if model is not None else ()
        return model

    def reset(self) -> None:
        """Go back to rest, with all joints whole."""
        if self._broken:
            self._broken.clear()
            self._take(self.scene, self._options, self._inertias)
        self._rest()

    def _rest(self) -> None:
        self.time = 0.0
        self._lasted = 1.0
        """How long the last advance was [s]."""
        self.model = replace(self.model, table=self._table)
        self.motions: Motions = motions_at_rest(self.bodies)
        self.memory: Memory = new_memory(self.model, self.motions)
        self.pull: Pull | None = None
        self.course = self._new_course()
        self._apart = np.zeros(self.model.table.is_row.shape)
        """For how long locks and couplings of each joint have been apart [s], (r, j)."""

    def _new_course(self) -> Course:
        if self._contacts is None:
            return Course(self.model)
        course = self._contacts.course()
        course.aim(self._table)
        return course

    def change(
        self,
        scene: PhysicsScene,
        *,
        options: Options,
        inertias: Mapping[int, Array] | None = None,
    ) -> None:
        """Go on with a scene that was edited: bodies that still move stay where they are."""
        if self._renumber(scene, options, inertias):
            return
        bodies, poses, motions = self.bodies, self.body_poses(), self.motions
        time, pull, grabbed = self.time, self.pull, self.grabbed_node
        positions = dict(zip(self._joint_nodes(), self.memory.position, strict=True))
        model, memory = self.model, self.memory
        self._take(scene, options, inertias)
        self._rest()
        self.time = time
        self.motions = motions_kept(self.bodies, self.motions, bodies, poses, motions)
        self.memory = new_memory(self.model, self.motions)
        if is_stepped_alike(self.model, model):
            # Without what the last step left, velocities would be half a step late each time.
            self.memory = memory
        for joint, node in enumerate(self._joint_nodes()):
            if joint in self.model.gears.joints:
                # A gear that has turned may not be taken for one that has not.
                self.memory.position[joint] = positions.get(node) or self.memory.position[joint]
        if pull is not None and grabbed is not None and grabbed in self.moving_nodes:
            index = int(np.searchsorted(self.bodies.nodes, grabbed))
            self.pull = replace(pull, body=index)

    def _renumber(
        self, scene: PhysicsScene, options: Options, inertias: Mapping[int, Array] | None
    ) -> bool:
        """Go on with other numbers of joints; return whether nothing else differs."""
        if options != self._options or not are_equal(inertias, self._inertias):
            return False
        locks = options.rigid_locks
        table = renumbered(self._table, self.acting_joints, self.scene, scene, rigid_locks=locks)
        if table is None:
            return False
        self.scene, self._table = scene, table
        self.model = replace(self.model, table=table)
        self.course.aim(table)
        return True

    def advance(
        self,
        duration: float,
        *,
        substeps: int = 0,
        driven: Mapping[int, Array] | None = None,
        due: float = 0.0,
    ) -> None:
        """Move on by `duration` [s] in `substeps` equal steps; 0 keeps them within `STEP`.

        `driven` are world matrices (4, 4) by node that bodies which are not dynamic reach in `due`
        [s], 0 at the end; the others keep their initial velocity. Raises `SimulationError`.
        """
        count = substeps or steps_within(duration)
        goals = drive(self.bodies, self._start, self.motions, driven or {}, max(due, duration))
        try:
            for number in range(count):
                self.motions = self.course.advance(
                    self.motions, self.memory, duration / count, pull=self.pull, renew=number == 0
                )
                if len(broken := overloaded(self.memory, self._strengths)):
                    self._break(broken, self.time + duration * (number + 1) / count)
        except np.linalg.LinAlgError as error:
            raise out_of_proportion(self.scene, self.moving_nodes) from error
        if due <= duration * (1.0 + 1e-9):
            arrive(self.bodies, self.motions, goals)
        self.time += duration
        self._lasted = duration
        is_apart = rows_apart(self.model.table, self.memory)
        self._apart = np.where(is_apart, self._apart + duration, 0.0)

    def _break(self, columns: Indices, time: float) -> None:
        """Go on without some of the joints that act."""
        nodes, findings = self._joint_nodes(), self.findings
        self._broken |= {nodes[column]: time for column in columns.tolist()}
        memory, course, apart = self.memory, self.course, self._apart
        self._take(self.scene, self._options, self._inertias)
        kept = np.isin(nodes, self._joint_nodes())
        self.findings, self.memory = findings, new_memory(self.model, self.motions)
        keep(self.memory, memory, np.flatnonzero(kept))
        self.course = self._new_course()
        self.course.go_on(course)
        self._apart = apart[: len(self.model.table.is_row), kept]

    def aim(self, joints: Sequence[int], poses: Pose, strengths: Array) -> None:
        """Have position drives of some joints of the scene pull toward poses from now on."""
        columns = np.searchsorted(self.acting_joints, joints)
        acts = np.isin(joints, self.acting_joints)
        wanted = Pose(poses.position[acts], poses.rotation[acts])
        table = aimed_table(self._table, columns[acts], wanted, strengths[acts])
        self.model = replace(self.model, table=table)
        self.course.aim(table)

    def grab(self, node: int, point: ArrayLike) -> None:
        """Start to pull a moving body at a world point; `drag` moves the target.

        The spring is critically damped for the mass of the body's island.
        """
        if node not in self.moving_nodes:
            return
        body = int(np.searchsorted(self.bodies.nodes, node))
        self.pull = pull_at(self.model, self.motions, body, np.asarray(point, float))

    def drag(self, target: ArrayLike) -> None:
        """Pull the grabbed point to a world point."""
        if self.pull is not None:
            self.pull = replace(self.pull, target=np.asarray(target, float))

    def release(self) -> None:
        """Let go of the grabbed point."""
        self.pull = None

    @property
    def grabbed_node(self) -> int | None:
        """Node of the body that is pulled."""
        return None if self.pull is None else int(self.bodies.nodes[self.pull.body])

    def pull_line(self) -> Array | None:
        """Return the point that is held and the one it is pulled to [m], (2, 3); None for none."""
        return None if self.pull is None else line_of_pull(self.motions, self.pull)

    @property
    def broken_joints(self) -> dict[int, float]:
        """When joints of the scene broke [s], by their numbers."""
        at = enumerate(joint.node for joint in self.scene.joints)
        return {number: self._broken[node] for number, node in at if node in self._broken}

    def problems(self) -> list[Finding]:
        """Return what went wrong since the start."""
        is_long = self._apart > _LONGEST
        found = [
            *problems_of_bodies(self.scene, self.bodies.nodes, self.course),
            *problems_of_joints(self.model, self.memory, self._joint_places(), is_long),
            *problems_of_contacts(self.scene, self.course),
        ]
        for number, time in self.broken_joints.items():
            place = place_of(self.scene, self.scene.joints[number])
            found.append(BROKE(place, time=round(time, 3)))
        return found

    def _joint_nodes(self) -> list[int]:
        return [self.scene.joints[number].node for number in self.acting_joints]

    def _joint_places(self) -> list[str]:
        joints = [self.scene.joints[number] for number in self.acting_joints]
        return [place_of(self.scene, joint) for joint in joints]

    def body_poses(self) -> Pose:
        """Return the body frames, the world first, shapes (n, 3) and (n, 4)."""
        rotation = self.motions.rotation.T
        offset = rotate(rotation, self.bodies.center.T)
        return Pose(self.motions.center.T - offset, rotation)

    def matrices(self) -> Array:
        """Return the world matrices of all nodes, shape (n, 4, 4): each as its body carries it."""
        rest, now = self.bodies.rest, self.body_poses()
        turn = quaternion_product(now.rotation, quaternion_conjugate(rest.rotation))
        carry = matrix_from_pose(Pose(now.position - rotate(turn, rest.position), turn))
        result = carry[self.bodies.of_node] @ self.scene.matrices
        result[self.bodies.of_node == 0] = self.scene.matrices[self.bodies.of_node == 0]
        return np.asarray(result)

    def relative_poses(self) -> Pose:
        """Return the connected frame in the joint frame of each joint of the scene."""
        frames = pose_from_matrix(self.matrices())
        nodes = [joint.node for joint in self.scene.joints]
        ends = [j.other for j in self.scene.joints]
        return relative_pose(
            Pose(frames.position[nodes], frames.rotation[nodes]),
            Pose(frames.position[ends], frames.rotation[ends]),
        )

    def energies(self) -> Array:
        """Return kinetic and gravity energy [J] of each body, in the middle of the last step.

        Springs are left out; 0 for bodies that do not move.
        """
        return energies(self.model, self.motions, self.memory.step)[1]

    @property
    def has_contacts(self) -> bool:
        """Whether bodies collide."""
        return self._contacts is not None

    def contacts(self) -> Array:
        """Return where bodies touched in the last step, shape (c, 7).

        Of each contact the point [m], the force [N] and the depth [m], in world axes. The force is
        that on the body that moves, on one of them where both do.
        """
        return self.course.contact_forces()

    def touches(self) -> dict[tuple[int, int], Array]:
        """Return the mean force [N] (3,) of the last advance on each node from each other one."""
        found: dict[tuple[int, int], Array] = {}
        for (node, other), impulse in self.course.pushes().items():
            moves, other_moves = node in self.moving_nodes, other in self.moving_nodes
            is_turned = other_moves and (other < node or not moves)
            pair, sign = ((other, node), -1.0) if is_turned else ((node, other), 1.0)
            found[pair] = found.get(pair, np.zeros(3)) + sign * impulse / self._lasted
        return found

    def inside(self) -> dict[tuple[int, int], tuple[float, float]]:
        """Return when bodies were in triggers in the last advance, first and last [s], by nodes.

        Each step looks at its start; nodes are those of the trigger and of the body.
        """
        start, found = self.time - self._lasted, self.course.inside()
        times = {
            (node, int(self.bodies.nodes[body])): (start + first, start + last)
            for (node, body), (first, last) in found.items()
        }
        return dict(sorted(times.items()))

    def joint_forces(self) -> Array:
        """Return force and torque [N, N·m] of acting joints on their connected bodies, (j, 6).

        Mean of the last step; the torque is about the connected frame's origin.
        """
        return np.asarray((self.memory.wrench / self.memory.kick).T)

    def joint_states(self) -> list[JointState]:
        """Return the state of each acting joint."""
        return joint_states(self.model.table, self.memory)


def _keep_memory() -> None:
    """Let the C library keep the memory of arrays that come and go in each step.

    glibc returns free memory beyond a threshold to the system and gets it again page by page, which
    took half of the time of a step of a thousand joints. The threshold rises with the largest block
    that was freed (mallopt(3), M_MMAP_THRESHOLD). Elsewhere this does nothing.
    """
    np.empty(_LARGEST_KEPT)


def _finite(scene: PhysicsScene) -> tuple[PhysicsScene, list[Finding]]:
    """Return the scene without matrices that are not finite, and what was replaced."""
    bad = np.flatnonzero(~(np.abs(scene.matrices) < 1e12).all(axis=(1, 2)))
    if not len(bad):
        return scene, []
    matrices = scene.matrices.copy()
    matrices[bad] = np.eye(4)
    return replace(scene, matrices=matrices), [NO_TRANSFORM(scene.names[n]) for n in bad]
