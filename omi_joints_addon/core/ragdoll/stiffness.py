"""Drives that hold the joints of a ragdoll in a pose, as stiff as the bodies below each need."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from ..meaning.freedom import freedoms
from ..meaning.metric import angular_metric
from ..meaning.range_of_motion import hanging_bodies
from ..model.joint import DriveType, JointDrive, JointSettings
from ..model.pose import Array, pose_from_matrix, relative_pose, rotation_matrix
from ..model.scene import PhysicsScene
from ..solver.bodies import Bodies, bodies_of


def held_joints(
    scene: PhysicsScene,
    joints: Mapping[int, int],
    *,
    frequency: float,
    damping_ratio: float,
    inertias: Mapping[int, Array] | None = None,
) -> dict[int, JointSettings]:
    """Return settings whose drives hold joints in the pose of the scene, by numbers of joints.

    `joints` are those that are held, with the body that each moves. About every axis that limits
    leave free, all bodies below the joint swing at `frequency` [Hz], with `damping_ratio` 1
    without swinging over; `inertias` as in `bodies_of`. Other drives stay, except for position
    drives about these axes.
    """
    bodies, _ = bodies_of(scene, inertias=inertias)
    return {
        number: _held(scene, bodies, number, body, 2.0 * math.pi * frequency, damping_ratio)
        for number, body in joints.items()
    }


def _held(
    scene: PhysicsScene, bodies: Bodies, number: int, body: int, rate: float, ratio: float
) -> JointSettings:
    settings = scene.joints[number].settings
    free = [each.axis for each in freedoms(settings) if not each.is_linear]
    drives = [drive for drive in settings.drives if not _holds(drive, free)]
    if rate > 0.0:
        drives += _springs(scene, bodies, number, body, free, rate, ratio)
    return replace(settings, drives=tuple(drives))


def _holds(drive: JointDrive, axes: list[int]) -> bool:
    is_spring = drive.type == DriveType.ANGULAR and drive.position_target is not None
    return is_spring and drive.axis in axes


def _springs(
    scene: PhysicsScene,
    bodies: Bodies,
    number: int,
    body: int,
    axes: list[int],
    rate: float,
    ratio: float,
) -> Iterator[JointDrive]:
    joint = scene.joints[number]
    frame, other = (pose_from_matrix(scene.matrices[n]) for n in (joint.node, joint.other))
    pose = relative_pose(frame, other)
    carried = np.searchsorted(bodies.nodes, sorted(hanging_bodies(scene, number, body)))
    inertia = _inertia(bodies, carried[bodies.is_dynamic[carried]], frame.position)
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
