"""Limits of a ragdoll that contain poses of its bones, such as those of an action."""

import math
from dataclasses import replace

import numpy as np

from ..meaning.freedom import fitted_limits, values_of_pose
from ..meaning.presets import hinge
from ..model.joint import JointSettings
from ..model.pose import Array, Pose, pose_from_matrix, relative_pose
from ..rewrite.mirror import mirrored_settings
from .joints import PlannedJoint

_STILL = math.radians(1.0)
"""Turn below which poses tell nothing about a joint."""


def fitted_to_poses(joint: PlannedJoint, rest: Array, poses: Array) -> PlannedJoint:
    """Return a joint with the tightest limits of its kind that contain poses and the rest pose.

    World matrices of the bodies at rest are (n, 4, 4), in the poses (f, n, 4, 4). A joint that
    does not turn stays as it is. Linear limits stay, too.
    """
    numbers = [joint.body, joint.parent]
    moved = np.concatenate((rest[None, numbers], poses[:, numbers])) @ np.linalg.inv(rest[numbers])
    frames, connected = (pose_from_matrix(moved[:, side] @ joint.frame) for side in (0, 1))
    turns = relative_pose(frames, connected)
    if 2.0 * np.arccos(np.abs(turns.rotation[:, 3]).clip(max=1.0)).max() < _STILL:
        return joint
    return replace(joint, connected=joint.frame, settings=_settings(joint.settings, turns))


def mirrored_limits(joint: PlannedJoint, other: PlannedJoint) -> PlannedJoint:
    """Return a joint with the limits that poses gave that of the other side.

    The Z axes of both, about which they flex, are mirror images that point the other way.
    """
    settings = mirrored_settings(other.settings, flip=2)
    return replace(joint, connected=joint.frame, settings=settings)


def _settings(settings: JointSettings, turns: Pose) -> JointSettings:
    if any(limit.angular_axes == (2,) for limit in settings.limits):
        angles = values_of_pose(JointSettings(), turns)[:, 5]
        return hinge(min_angle=float(angles.min()), max_angle=float(angles.max()))
    fitted = fitted_limits(turns, cone_axis=0)
    held = [limit for limit in settings.limits if limit.linear_axes]
    turning = [limit for limit in fitted if limit.angular_axes]
    return replace(settings, limits=(*held, *turning))
