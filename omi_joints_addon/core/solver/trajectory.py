"""What the bodies and joints of a scene do from frame to frame. SI units, Z up."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..findings.finding import Finding
from ..meaning.animated import scene_at
from ..meaning.freedom import values_of_pose
from ..model.joint import JointSettings
from ..model.pose import Array, pose_from_matrix
from ..model.scene import PhysicsScene
from .rate import steps_within
from .simulation import Simulation
from .simulator import JointState, Options, Simulator

_WHOLE = JointSettings()
"""Settings whose values are the whole pose."""
_Pair = tuple[int, int]
_Times = Mapping[_Pair, tuple[float, float]]
_Row = tuple[float, Array, Array, Array, _Times, Mapping[_Pair, Array], tuple[JointState, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trajectory:
    """Poses of f frames, of b bodies and j joints."""

    times: Array
    """Time of each frame [s], shape (f,)."""
    bodies: tuple[int, ...]
    """Node of each body, ascending."""
    positions: Array
    """Position of each body's node [m], shape (f, b, 3)."""
    rotations: Array
    """Quaternion x y z w of each body's node, without jumps of sign, shape (f, b, 4)."""
    joints: tuple[int, ...]
    """Number of each joint that acts at the start, ascending."""
    joint_values: Array
    """Connected frame in the joint's frame, shape (f, j, 6).

    Its position [m], and the twists about the joint's axes [rad].
    """
    joint_states: tuple[tuple[JointState, ...], ...] = ()
    """By frame, what holds each joint."""
    broken: Mapping[int, float] = field(default_factory=dict)
    """When joints broke [s], by their numbers."""
    inside: tuple[_Times, ...] = ()
    """By frame, when bodies were in triggers since the frame before (`Simulator.inside`)."""
    touching: tuple[_Pair, ...] = ()
    """Nodes of what touched each other at some time (`Simulator.touches`)."""
    contact_forces: Array = field(default_factory=lambda: np.zeros((0, 0, 3)))
    """On the first node of each such pair [N], mean since the frame before, shape (f, p, 3)."""
    moving: frozenset[int] = frozenset()
    """Nodes of the bodies that joints and gravity move."""
    assumptions: tuple[Finding, ...] = ()
    """What had to be assumed before anything moved."""
    problems: tuple[Finding, ...] = ()
    """What went wrong on the way."""


def simulate(
    scene: PhysicsScene,
    *,
    seconds: float = 5.0,
    fps: float = 60.0,
    rigid_locks: bool = False,
    contacts: bool = True,
) -> Trajectory:
    """Move a scene and return its poses at `fps` frames per second, the first at rest.

    Numbers of joints and bodies that change over time (`PhysicsScene.tracks`) do so in each step.

    `rigid_locks` takes soft limits that leave no room as rigid. With `contacts` colliders collide
    where MuJoCo is installed; where it is not, the assumptions say so.
    """
    options = Options(rigid_locks=rigid_locks, contacts=contacts)
    simulation = Simulation(scene_at(scene, 0.0), options=options)
    return trajectory_of(simulation, options, seconds=seconds, fps=fps)


def trajectory_of(
    simulation: Simulator, options: Options, *, seconds: float, fps: float
) -> Trajectory:
    """Advance a simulation and return its poses at `fps` frames per second, the present first.

    `options` are those of the simulation.
    """
    joints = tuple(simulation.acting_joints)
    rows = list(_frames(simulation, options, round(seconds * fps), fps))
    times, positions, rotations, values, inside, touches, states = zip(*rows, strict=True)
    touching = tuple(sorted(set().union(*touches)))
    forces = [[each.get(pair, np.zeros(3)) for pair in touching] for each in touches]
    return Trajectory(
        times=np.array(times),
        bodies=tuple(sorted(simulation.scene.motions)),
        positions=np.array(positions),
        rotations=np.array(rotations),
        joints=joints,
        joint_values=np.array(values),
        joint_states=states,
        broken=dict(simulation.broken_joints),
        inside=inside,
        touching=touching,
        contact_forces=np.array(forces).reshape(len(times), len(touching), 3),
        moving=simulation.moving_nodes,
        assumptions=tuple(simulation.findings),
        problems=tuple(simulation.problems()),
    )


def follow_tracks(simulation: Simulator, options: Options, duration: float) -> None:
    """Go on with the numbers that joints and bodies have in the next `duration` [s]."""
    if simulation.scene.tracks:
        start = simulation.time
        now = scene_at(simulation.scene, start, end=start + duration)
        if (now.joints, now.motions) != (simulation.scene.joints, simulation.scene.motions):
            simulation.change(now, options=options)


def joint_values(scene: PhysicsScene) -> Array:
    """Return the connected frame of each joint in the joint's frame, shape (j, 6).

    Its position [m], and the twists about the joint's axes [rad].
    """
    return values_of_pose(_WHOLE, scene.relative_poses())


def _frames(simulation: Simulator, options: Options, count: int, fps: float) -> Iterator[_Row]:
    nodes, joints = sorted(simulation.scene.motions), list(simulation.acting_joints)
    before = np.zeros((len(nodes), 4))
    inside, touches = simulation.inside(), simulation.touches()
    for frame in range(count + 1):
        if frame:
            inside, touches = _advanced(simulation, options, 1.0 / fps)
        now = replace(simulation.scene, matrices=simulation.matrices())
        poses = pose_from_matrix(now.matrices[nodes])
        before = _kept_near(poses.rotation, before)
        values, states = joint_values(now)[joints].reshape(-1, 6), _states(simulation, joints)
        yield simulation.time, poses.position, before, values, inside, touches, states


def _states(simulation: Simulator, joints: Sequence[int]) -> tuple[JointState, ...]:
    """Return what holds each of some joints, those that broke included."""
    acting = dict(zip(simulation.acting_joints, simulation.joint_states(), strict=True))
    return tuple(acting.get(number, JointState.BROKEN) for number in joints)


def _advanced(
    simulation: Simulator, options: Options, duration: float
) -> tuple[_Times, Mapping[_Pair, Array]]:
    """Advance by a `duration` [s], by steps where numbers change over time.

    Returns when what was inside of what, and the mean forces of contacts.
    """
    count = steps_within(duration) if simulation.scene.tracks else 1
    inside: dict[_Pair, tuple[float, float]] = {}
    forces: dict[_Pair, Array] = {}
    for _ in range(count):
        follow_tracks(simulation, options, duration / count)
        simulation.advance(duration / count)
        for pair, (first, last) in simulation.inside().items():
            inside[pair] = inside.get(pair, (first, last))[0], last
        for pair, force in simulation.touches().items():
            forces[pair] = forces.get(pair, np.zeros(3)) + force / count
    return inside, forces


def _kept_near(rotation: Array, before: Array) -> Array:
    """Return quaternions (n, 4) with the signs that make them continue those before."""
    turned = (rotation * before).sum(axis=-1, keepdims=True) < 0.0
    return np.where(turned, -rotation, rotation)
