"""Drives that hold joints in a pose, as stiff as the bodies below each need."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..meaning.freedom import freedoms
from ..meaning.metric import angular_metric
from ..meaning.range_of_motion import hanging_bodies
from ..model.joint import DriveType, JointDrive, JointSettings
from ..model.pose import Array, pose_from_matrix, relative_pose, rotation_matrix
from ..model.scene import GRAVITY, PhysicsScene
from ..solver.bodies import Bodies, bodies_of


class Stiffness(NamedTuple):
    """How firmly joints hold what they carry."""

    label: str
    sag: float
    """Angle that the weight of what a joint carries would turn it by, were it level [rad]."""
    damping_ratio: float
    """1 stops without overshoot."""


STIFFNESSES = {
    "LOOSE": Stiffness("Loose", math.radians(60.0), 0.3),
    "NATURAL": Stiffness("Natural", math.radians(20.0), 0.7),
    "STIFF": Stiffness("Stiff", math.radians(5.0), 1.0),
    "HELD": Stiffness("Held", math.radians(1.0), 1.0),
}
"""By identifier, the weakest first."""


def held_joints(
    scene: PhysicsScene,
    joints: Mapping[int, int],
    *,
    frequency: float,
    damping_ratio: float,
) -> dict[int, JointSettings]:
    """Return settings whose drives hold joints in the pose of the scene, by numbers of joints.

    `joints` are those that are held, with the body that each moves. About every axis that limits
    leave free, all bodies below the joint swing at `frequency` [Hz], with `damping_ratio` 1
    without swinging over. Other drives stay, except for position drives about these axes.
    """
    bodies, _ = bodies_of(scene)
    rate = 2.0 * math.pi * frequency
    return {
        number: _held(scene, number, _Carried(scene, bodies, number, body), rate, damping_ratio)
        for number, body in joints.items()
    }


def stiffened_joints(
    scene: PhysicsScene, joints: Mapping[int, int], stiffness: Stiffness
) -> dict[int, JointSettings]:
    """Return settings that hold joints in the pose of the scene as firmly as a stiffness says.

    As `held_joints` does, but for the frequency: each joint has its own, by what it carries. Where
    there is no gravity, it is as with that of the Earth.
    """
    bodies, _ = bodies_of(scene)
    gravity = float(np.linalg.norm(scene.gravity)) or float(np.linalg.norm(GRAVITY))
    carried = {n: _Carried(scene, bodies, n, body) for n, body in joints.items()}
    return {
        n: _held(scene, n, each, each.rate(gravity / stiffness.sag), stiffness.damping_ratio)
        for n, each in carried.items()
    }


class _Carried:
    """The bodies below a joint, as one."""

    def __init__(self, scene: PhysicsScene, bodies: Bodies, number: int, body: int) -> None:
        below = np.searchsorted(bodies.nodes, sorted(hanging_bodies(scene, number, body)))
        below = below[bodies.is_dynamic[below]]
        pivot = scene.matrices[scene.joints[number].node][:3, 3]
        self.inertia = _inertia(bodies, below, pivot)
        """About the joint, in world axes [kg·m²], shape (3, 3)."""
        mass = bodies.mass[below]
        self._mass = float(mass.sum())
        center = bodies.centers(bodies.rest).T[below] - pivot
        self._arm = float(np.linalg.norm(mass @ center)) / self._mass if self._mass else 0.0

    def rate(self, pull: float) -> float:
        """Return the rate [rad/s] of the swing by which `pull` [m/s² per rad] turns it.

        One whose center is on the joint is treated as a pendulum as long as it is large.
        """
        if not self._mass:
            return 0.0
        square = float(np.linalg.eigvalsh(self.inertia)[-1]) / self._mass
        own = math.sqrt(max(square - self._arm**2, 0.0))
        return math.sqrt(pull * max(self._arm, own) / square) if square else 0.0


def _held(
    scene: PhysicsScene, number: int, carried: _Carried, rate: float, ratio: float
) -> JointSettings:
    settings = scene.joints[number].settings
    free = [each.axis for each in freedoms(settings) if not each.is_linear]
    drives = [drive for drive in settings.drives if not _holds(drive, free)]
    if rate > 0.0:
        drives += _springs(scene, number, carried.inertia, free, rate, ratio)
    return replace(settings, drives=tuple(drives))


def _holds(drive: JointDrive, axes: list[int]) -> bool:
    is_spring = drive.type == DriveType.ANGULAR and drive.position_target is not None
    return is_spring and drive.axis in axes


def _springs(
    scene: PhysicsScene, number: int, inertia: Array, axes: list[int], rate: float, ratio: float
) -> Iterator[JointDrive]:
    joint = scene.joints[number]
    frame, other = (pose_from_matrix(scene.matrices[n]) for n in (joint.node, joint.other))
    pose = relative_pose(frame, other)
    directions = rotation_matrix(frame.rotation).T
    for axis in axes:
        size = float(directions[axis] @ inertia @ directions[axis])
        yield JointDrive(
            type=DriveType.ANGULAR,
            axis=axis,
            position_target=float(angular_metric((axis,), pose.rotation)),
            stiffness=size * rate**2,
            damping=2.0 * ratio * size * rate,
        )


def _inertia(bodies: Bodies, chosen: Array, point: Array) -> Array:
    """Return the inertia (3, 3) of some bodies about a point, in world axes [kg·m²]."""
    turns = rotation_matrix(bodies.rest.rotation[chosen])
    own = turns @ np.moveaxis(bodies.inertia[:, :, chosen], 2, 0) @ turns.swapaxes(1, 2)
    arms = bodies.centers(bodies.rest).T[chosen] - point
    squares = (arms**2).sum(axis=1)[:, None, None] * np.eye(3)
    steiner = bodies.mass[chosen, None, None] * (squares - arms[:, :, None] * arms[:, None, :])
    return np.asarray((own + steiner).sum(axis=0))
