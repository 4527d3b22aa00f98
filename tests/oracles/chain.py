"""A chain of three bodies with a servo, a motor and a range beyond half a turn.

`truth` integrates its equations of motion (recursive Newton-Euler, in the coordinates of the
joints), so it has no constraints that could be violated. Run by `tools/oracles.py`.
"""

import math
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from omi_joints_addon.core.model.articulation import Articulation
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Array, Pose, matrix_from_pose
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.solver import Simulation
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.usd import USD
from tests.core.solver_scenes import turn
from tests.oracles import physx
from tests.oracles.files import Job

SECONDS = 2.0
NAMES = ("A", "B", "C")
LENGTH, MASS, MOMENTS = 0.6, 1.0, (0.01, 0.03, 0.04)
AXES = (1, 2, 1)
"""Axis of the frame that each joint turns about."""
LOW, HIGH = math.radians(-20.0), math.radians(200.0)
"""Range of the third joint, beyond half a turn."""
MIDDLE = 0.5 * (LOW + HIGH)
START = np.array((0.0, 0.0, MIDDLE))
"""Where the joints are in the beginning [rad]."""
SERVO = JointDrive(
    type=DriveType.ANGULAR,
    axis=1,
    position_target=0.3,
    velocity_target=0.0,
    stiffness=60.0,
    damping=6.0,
)
MOTOR = JointDrive(type=DriveType.ANGULAR, axis=2, velocity_target=1.5, damping=4.0)
PUSH_TARGET = 3.8
PUSH = JointDrive(
    type=DriveType.ANGULAR,
    axis=1,
    position_target=PUSH_TARGET,
    velocity_target=0.0,
    stiffness=8.0,
    damping=4.0,
)
"""Spring that takes the third joint beyond half a turn."""
_GRAVITY = 9.81


def scene(*, is_articulation: bool = False) -> PhysicsScene:
    """Return the chain, its third body turned into the middle of its range, which is its zero."""
    range_ = JointLimit(angular_axes=(1,), min=LOW - MIDDLE, max=HIGH - MIDDLE)
    push = replace(PUSH, position_target=PUSH_TARGET - MIDDLE)
    settings = (
        _hinge(AXES[0], None, SERVO),
        _hinge(AXES[1], None, MOTOR),
        _hinge(1, range_, push),
    )
    names, parents = ["Base", *NAMES], [-1] * 4
    turns = [_STILL, _STILL, _STILL, turn((0, 1, 0), MIDDLE)]
    places = np.vstack((np.zeros(3), _centers(START)))
    poses = [Pose(*pair) for pair in zip(places, turns, strict=True)]
    joints = []
    for number, each in enumerate(settings):
        node = len(names)
        poses += [Pose(np.array((LENGTH * number, 0.0, 0.0)), _STILL)] * 2
        names += [f"Joint {number + 1}", f"End {number + 1}"]
        parents += [number, number + 1]
        joints.append(Joint(node=node, connected=node + 1, settings=each, place=names[node]))
    moving = Motion(mass=MASS, inertia_diagonal=MOMENTS)
    return PhysicsScene(
        names=tuple(names),
        parents=np.array(parents, dtype=np.intp),
        matrices=np.array([matrix_from_pose(pose) for pose in poses]),
        motions={0: Motion(type="static"), 1: moving, 2: moving, 3: moving},
        joints=tuple(joints),
        articulations=(Articulation(root=0, is_fixed=True),) if is_articulation else (),
        gravity=(0.0, 0.0, -_GRAVITY),
    )


_STILL = np.array((0.0, 0.0, 0.0, 1.0))


def _hinge(axis: int, limit: JointLimit | None, drive: JointDrive) -> JointSettings:
    others = tuple(other for other in range(3) if other != axis)
    limits = (
        JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        JointLimit(angular_axes=others, min=0.0, max=0.0),
    )
    return JointSettings(limits=(*limits, limit) if limit else limits, drives=(drive,))


def truth() -> Array:
    """Return the angles of the joints in the end [rad], shape (3,), by integrating the equations.

    They never reach the end of the range, so no impact has to be defined.
    """
    from scipy.integrate import solve_ivp

    start = np.concatenate((START, np.zeros(3)))
    moved = solve_ivp(_derivative, (0.0, SECONDS), start, method="DOP853", rtol=1e-8, atol=1e-9)
    assert LOW < moved.y[2].min() <= moved.y[2].max() < HIGH
    return np.asarray(moved.y[:3, -1])


def gaps(found: Array, angles: Array) -> list[float]:
    """Return how far each body is [m] from where the angles of the joints put it."""
    return np.linalg.norm(found - _centers(angles), axis=1).tolist()


def ours(*, rate: float = 60.0) -> Array:
    """Return the positions (3, 3) [m] by our solver."""
    simulation = Simulation(scene())
    for _ in range(round(SECONDS * rate)):
        simulation.advance(1.0 / rate)
    return simulation.matrices()[1:4, :3, 3]


def in_mujoco(*, step: float = 5e-4) -> Array:
    """Return the positions (3, 3) [m] by MuJoCo, given to it as our MJCF."""
    import mujoco

    target = Target(path=Path("chain.xml"))
    text = MJCF.write(scene(), target).files[target.path.name].decode()
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.timestep, model.opt.integrator = step, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    data = mujoco.MjData(model)
    # The controls of the motors are in the keyframe.
    mujoco.mj_resetDataKeyframe(model, data, 0)
    data.qpos[:] = model.qpos0
    for _ in range(round(SECONDS / step)):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    return np.array([data.body(name).xipos for name in NAMES])


def in_physx(*, is_articulation: bool, rate: float) -> Array:
    """Return the positions (3, 3) [m] by PhysX, given to it as our USD."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "chain.usda")
        written = USD.write(scene(is_articulation=is_articulation), Target(path=path))
        path.write_bytes(bytes(written.files[path.name]))
        ((bodies,),) = physx.run([Job(path, (0.0, 0.0, -_GRAVITY), (SECONDS,))], rate=rate)
    return np.array([bodies[body].position for body in NAMES])


def _turn(axis: int, angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    pose = np.eye(3)
    one, other = (axis + 1) % 3, (axis + 2) % 3
    pose[one, one] = pose[other, other] = c
    pose[other, one], pose[one, other] = s, -s
    return pose


def _centers(angles: Array) -> Array:
    """Return the centers of mass of the bodies [m], each half its length behind its joint."""
    pivot, pose, found = np.zeros(3), np.eye(3), []
    for axis, angle in zip(AXES, angles, strict=True):
        pose = pose @ _turn(axis, angle)
        found.append(pivot + pose[:, 0] * LENGTH / 2.0)
        pivot = pivot + pose[:, 0] * LENGTH
    return np.array(found)


def _torques(angles: Array, rates: Array, accelerations: Array, *, gravity: float) -> Array:
    """Return the torques [N·m] about the joints that a motion takes: Newton and Euler."""
    pose, pivot = np.eye(3), np.zeros(3)
    spin, spin_rate, lift = np.zeros(3), np.zeros(3), np.array((0.0, 0.0, gravity))
    axes, pivots, forces, moments, centers = [], [], [], [], []
    for number, axis in enumerate(AXES):
        along = pose[:, axis]
        pose = pose @ _turn(axis, angles[number])
        spin_rate = spin_rate + along * accelerations[number]
        spin_rate = spin_rate + _cross(spin, along * rates[number])
        spin = spin + along * rates[number]
        arm, whole = pose[:, 0] * LENGTH / 2.0, pose[:, 0] * LENGTH
        inertia = pose @ np.diag(MOMENTS) @ pose.T
        moved = lift + _cross(spin_rate, arm) + _cross(spin, _cross(spin, arm))
        axes.append(along)
        pivots.append(pivot)
        centers.append(pivot + arm)
        forces.append(MASS * moved)
        moments.append(inertia @ spin_rate + _cross(spin, inertia @ spin))
        lift = lift + _cross(spin_rate, whole) + _cross(spin, _cross(spin, whole))
        pivot = pivot + whole
    found = np.zeros(3)
    for number in range(3):
        beyond = range(number, 3)
        total = sum(moments[n] + _cross(centers[n] - pivots[number], forces[n]) for n in beyond)
        found[number] = axes[number] @ total
    return found


def _cross(one: Array, other: Array) -> Array:
    """Return the cross product of two vectors (3,); numpy's own takes ten times as long for two."""
    (a, b, c), (x, y, z) = one.tolist(), other.tolist()
    return np.array((b * z - c * y, c * x - a * z, a * y - b * x))


def _equations(state: Array) -> tuple[Array, Array]:
    """Return the mass matrix (3, 3) and the torques (3,) that accelerate."""
    angles, rates, still = state[:3], state[3:], np.zeros(3)
    mass = np.array([_torques(angles, still, unit, gravity=0.0) for unit in np.eye(3)]).T
    driven = np.zeros(3)
    for number, drive in enumerate((SERVO, MOTOR, PUSH)):
        if drive.position_target is not None:
            driven[number] += drive.stiffness * (drive.position_target - angles[number])
        driven[number] += drive.damping * ((drive.velocity_target or 0.0) - rates[number])
    return mass, driven - _torques(angles, rates, still, gravity=_GRAVITY)


def _derivative(_time: float, state: Array) -> Array:
    mass, torques = _equations(state)
    return np.concatenate((state[3:], np.linalg.solve(mass, torques)))
