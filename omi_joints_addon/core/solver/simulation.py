"""Simulate the joints of a scene: the solver's public face. SI, the scene's world axes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
from .course import FASTEST, FASTEST_SPIN, Course
from .elimination import Indices
from .faults import out_of_proportion
from .forecast import forecast, stiff_drives
from .impact import energies
from .laws import sides
from .memory import Memory, new_memory
from .model import is_stepped_alike
from .rate import steps_within
from .rules import (
    BROKE,
    CONTACTS_FAILED,
    CONTACTS_GROW,
    CONTACTS_INEXACT,
    CONTACTS_LEFT_OUT,
    DOES_NOT_FOLLOW,
    LEFT_NUMBERS,
    NO_CONTACTS,
    NO_TRANSFORM,
    SPINS_TOO_FAST,
    STARTS_ONLY,
    STAYS_APART,
    TURNS_TOO_FAST,
)
from .simulator import JointState, Options
from .system import Pull

if TYPE_CHECKING:
    from .contacts.collision import ContactModel

_GRAB_FREQUENCY = 2.0
"""Frequency [Hz] of the spring that pulls a grabbed body."""
_APART, _LONGEST = (8e-3, 1e-3), 1.0
"""Opening [rad], [m] of rigid locks that is reported if it lasts for so long [s]."""
_LARGEST_KEPT = 2**21
"""Size [numbers] of a block; 32 MB and more do not count."""
_AT_LIMIT = (2e-3, 5e-4)
"""Distance from a bound that counts as touching it: [rad], [m]."""
_INEXACT = 0.02
"""Speed [m/s] by which contacts may be off without a finding."""

_ALL = Options()
_STATES = tuple(JointState)


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
        return Course(self.model) if self._contacts is None else self._contacts.course()

    def change(
        self,
        scene: PhysicsScene,
        *,
        options: Options,
        inertias: Mapping[int, Array] | None = None,
    ) -> None:
        """Go on with a scene that was edited: bodies that still move stay where they are."""
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
            self.pull = Pull(index, pull.arm, pull.target, pull.stiffness, pull.damping)

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
        goals = self._drive(driven or {}, max(due, duration))
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
            self._arrive(goals)
        self.time += duration
        self._lasted = duration
        self._apart = np.where(self._is_apart(), self._apart + duration, 0.0)

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
        index = int(np.searchsorted(self.bodies.nodes, node))
        place = np.asarray(point, float)
        arm = rotate(
            quaternion_conjugate(self.motions.rotation[:, index]),
            place - self.motions.center[:, index],
        )
        rate = 2.0 * math.pi * _GRAB_FREQUENCY
        island = self.model.system.island
        mass = float(self.bodies.mass[island == island[index]].sum())
        self.pull = Pull(index, arm, place, mass * rate**2, 2.0 * mass * rate)

    def drag(self, target: ArrayLike) -> None:
        """Pull the grabbed point to a world point."""
        if self.pull is not None:
            old = self.pull
            self.pull = Pull(
                old.body, old.arm, np.asarray(target, float), old.stiffness, old.damping
            )

    def release(self) -> None:
        """Let go of the grabbed point."""
        self.pull = None

    @property
    def grabbed_node(self) -> int | None:
        """Node of the body that is pulled."""
        return None if self.pull is None else int(self.bodies.nodes[self.pull.body])

    def pull_line(self) -> Array | None:
        """Return the point that is held and the one it is pulled to [m], (2, 3); None for none."""
        if self.pull is None:
            return None
        motions, body = self.motions, self.pull.body
        held = motions.center[:, body] + rotate(motions.rotation[:, body], self.pull.arm)
        return np.asarray(np.stack((held, self.pull.target)))

    @property
    def broken_joints(self) -> dict[int, float]:
        """When joints of the scene broke [s], by their numbers."""
        at = enumerate(joint.node for joint in self.scene.joints)
        return {number: self._broken[node] for number, node in at if node in self._broken}

    def problems(self) -> list[Finding]:
        """Return what went wrong since the start."""
        lost = self.course.lost
        slowed = self.course.slowed & ~lost
        unresolved = self.course.unresolved & ~(slowed | lost)
        found = [LEFT_NUMBERS(name) for name in self._names(lost)]
        found += [TURNS_TOO_FAST(name, rate=round(FASTEST)) for name in self._names(slowed)]
        found += [
            SPINS_TOO_FAST(name, rate=round(FASTEST_SPIN)) for name in self._names(unresolved)
        ]
        places, gears = self._joint_places(), self.model.gears
        is_long = self._apart > _LONGEST
        is_late = is_long[gears.rows[0], gears.joints[0]]
        for joint, source in gears.joints[:, is_late].T:
            found.append(DOES_NOT_FOLLOW(places[joint], source=places[source]))
        found += stiff_drives(self.model, self.memory.lightness, places)
        locks = (is_long & self.model.table.is_lock).any(axis=0)
        found += [STAYS_APART(places[joint]) for joint in np.flatnonzero(locks)]
        if problem := self.course.contact_problem:
            found.append(CONTACTS_FAILED(self.scene.name, why=problem))
        for number, time in self.broken_joints.items():
            place = place_of(self.scene, self.scene.joints[number])
            found.append(BROKE(place, time=round(time, 3)))
        return found + self._problems_of_contacts()

    def _problems_of_contacts(self) -> list[Finding]:
        course = self.course
        found = [CONTACTS_GROW(name) for name in self._names(course.grown & ~course.lost)]
        if course.contact_error > _INEXACT:
            speed = round(1e3 * course.contact_error)
            found.append(CONTACTS_INEXACT(self.scene.name, speed=speed))
        if course.left_out:
            found.append(CONTACTS_LEFT_OUT(self.scene.name, count=course.left_out))
        return found

    def _joint_nodes(self) -> list[int]:
        return [self.scene.joints[number].node for number in self.acting_joints]

    def _joint_places(self) -> list[str]:
        joints = [self.scene.joints[number] for number in self.acting_joints]
        return [place_of(self.scene, joint) for joint in joints]

    def _is_apart(self) -> NDArray[np.bool_]:
        """Return which rows are locks or couplings that are notably open, (r, j)."""
        table = self.model.table
        least = np.where(table.is_linear, _APART[1], _APART[0])
        is_held = table.is_lock | table.is_coupling
        return np.asarray(is_held & (np.abs(self.memory.deviation) > least))

    def _names(self, chosen: NDArray[np.bool_]) -> list[str]:
        return [self.scene.names[int(node)] for node in self.bodies.nodes[chosen]]

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
        table, memory = self.model.table, self.memory
        near = np.where(table.is_linear, _AT_LIMIT[1], _AT_LIMIT[0])
        is_both, pushes = table.is_both, memory.impulse != 0.0
        away = sides(table, memory.deviation) * memory.deviation - table.half
        excess = np.where(is_both, np.abs(memory.deviation), away)
        is_limit = table.is_row & ~(table.is_drive | table.is_rate) & (pushes | is_both)
        is_past = is_limit & (excess > np.where(table.is_soft, near, 2.0 * near))
        is_at = is_limit & ~table.is_soft & ~is_both
        most = table.max_force * memory.kick
        is_full = table.is_drive & pushes & (np.abs(memory.impulse) >= 0.999 * most)
        grades = np.select(
            [is_past, is_full, is_at],
            [JointState.PAST_LIMIT, JointState.SATURATED, JointState.AT_LIMIT],
            JointState.FREE,
        )
        return [_STATES[grade] for grade in grades.max(axis=0, initial=0).tolist()]

    def _drive(self, driven: Mapping[int, Array], duration: float) -> dict[int, Pose]:
        """Give driven bodies the velocities that bring them to their goals; return these.

        Other kinematic bodies keep those that they started with.
        """
        fixed = ~self.bodies.is_dynamic
        linear, angular = self.motions.linear.copy(), self.motions.angular.copy()
        linear[:, fixed] = self._start.linear[:, fixed]
        angular[:, fixed] = self._start.angular[:, fixed]
        goals: dict[int, Pose] = {}
        for node, matrix in driven.items():
            body = int(np.searchsorted(self.bodies.nodes, node))
            is_body = body < self.bodies.count and self.bodies.nodes[body] == node
            if not is_body or not fixed[body] or not np.isfinite(matrix).all():
                continue
            goal = pose_from_matrix(matrix)
            goals[body] = goal
            center = goal.position + rotate(goal.rotation, self.bodies.center[:, body])
            linear[:, body] = (center - self.motions.center[:, body]) / duration
            angular[:, body] = _turn(self.motions.rotation[:, body], goal.rotation) / duration
        self.motions.linear, self.motions.angular = linear, angular
        return goals

    def _arrive(self, goals: Mapping[int, Pose]) -> None:
        """Put driven bodies exactly where they are wanted."""
        for body, goal in goals.items():
            center = goal.position + rotate(goal.rotation, self.bodies.center[:, body])
            self.motions.center[:, body] = center
            self.motions.rotation[:, body] = goal.rotation


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


def _turn(start: Array, end: Array) -> Array:
    """Return the shorter rotation vector (3,) in world axes from one orientation to another."""
    q = quaternion_product(end, quaternion_conjugate(start))
    q = -q if q[3] < 0.0 else q
    sine = float(np.linalg.norm(q[:3]))
    return q[:3] * (2.0 * math.atan2(sine, q[3]) / sine if sine > 1e-12 else 2.0)
