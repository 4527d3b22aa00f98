"""How far the two frames of joints are apart in the pose of a scene."""

from collections.abc import Iterator

import numpy as np

from ..checks.frames import joint_poses
from ..findings.words import amount
from ..model.scene import PhysicsScene

_VISIBLE = 1e-3
"""Gaps that matter [m] and [rad]."""


def frame_gaps(scene: PhysicsScene) -> Iterator[tuple[int, str]]:
    """Yield the number and the gap of each joint whose frames are apart."""
    joints = np.flatnonzero([joint.connected is not None for joint in scene.joints])
    poses = joint_poses(scene, joints)
    distance = np.linalg.norm(poses.position, axis=-1)
    angle = 2.0 * np.arctan2(
        np.linalg.norm(poses.rotation[..., :3], axis=-1), np.abs(poses.rotation[..., 3])
    )
    for at in np.flatnonzero((distance > _VISIBLE) | (angle > _VISIBLE)):
        is_angular = bool(distance[at] <= _VISIBLE)
        gap = amount(float(angle[at] if is_angular else distance[at]), is_angular=is_angular)
        yield int(joints[at]), gap
