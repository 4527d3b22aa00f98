"""Joints as the overlay draws them, as arrays."""

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ..core.model.joint import JointSettings
from ..core.model.pose import Array, Pose, handedness, pose_from_matrix, quaternion_product, rotate
from ..core.model.pose import quaternion_conjugate as inverse
from ..core.outline.joint import OutlinedJoints, joint_states


@dataclass(slots=True, eq=False)
class JointArrays:
    """Joints as the overlay draws them, n of them."""

    settings: list[JointSettings]
    frames: Array
    """World matrices of joint and connected frame, shape (n, 2, 4, 4); NaN is missing."""
    bodies: Array
    """World origins of both bodies [m], shape (n, 2, 3); NaN is missing."""
    emphasis: NDArray[np.intp]
    forced: NDArray[np.int8]
    """State that overrules that of the pose, -1 for none, shape (n,)."""
    is_mirrored: NDArray[np.bool_]
    """Whether a joint is drawn from its connected frame, which all else is seen from; (n,)."""
    followed: Array
    """World origins of the joints that joints follow [m], shape (n, 3); NaN for none."""
    tints: Array
    """Colors of joints and how much they replace the theme's, RGBA, shape (n, 4)."""

    def take(self, chosen: NDArray[np.intp]) -> "JointArrays":
        """Return the joints at some indices."""
        return JointArrays(
            [self.settings[number] for number in chosen],
            self.frames[chosen],
            self.bodies[chosen],
            self.emphasis[chosen],
            self.forced[chosen],
            self.is_mirrored[chosen],
            self.followed[chosen],
            self.tints[chosen],
        )

    def renumbered(self, take: NDArray[np.intp]) -> "JointArrays":
        """Return joints of which the i-th was the `take[i]`-th, -1 for one that is not read yet."""
        found = no_joints(len(take))
        new = np.flatnonzero(take >= 0)
        for each in fields(self):
            if each.name != "settings":
                getattr(found, each.name)[new] = getattr(self, each.name)[take[new]]
        for number in new.tolist():
            found.settings[number] = self.settings[take[number]]
        return found

    def outlined(self) -> tuple[Pose, OutlinedJoints]:
        """Return the joint frames in the world and the joints to outline."""
        is_connected = ~np.isnan(self.frames[:, 1, 0, 0])
        frames = self.frames
        if not is_connected.all():
            frames = frames.copy()
            frames[~is_connected, 1] = frames[~is_connected, 0]
        poses = pose_from_matrix(frames)
        own = Pose(poses.position[:, 0], poses.rotation[:, 0])
        other = Pose(poses.position[:, 1], poses.rotation[:, 1])
        around = inverse(own.rotation)
        places = np.concatenate(
            (self.bodies, self.followed[:, None], other.position[:, None]), axis=1
        )
        seen = rotate(around[:, None], places - own.position[:, None])
        return own, OutlinedJoints(
            settings=self.settings,
            pose=Pose(seen[:, 3], quaternion_product(around, other.rotation)),
            is_connected=is_connected,
            bodies=seen[:, :2],
            followed=seen[:, 2],
        )

    def handedness(self) -> Array:
        """Return the signs (n,) of the sizes at which joints are drawn, -1 below what mirrors.

        Angles are measured as the mirrored picture of the joint shows them, so zero is there.
        """
        return handedness(self.frames[:, 0])

    def states(self) -> NDArray[np.int8]:
        """Return the `State` of each joint, shape (n,)."""
        found = joint_states(self.outlined()[1])
        return np.where(self.forced >= 0, self.forced, found)


def no_joints(count: int = 0) -> JointArrays:
    """Return arrays for `count` joints that are not read yet."""
    return JointArrays(
        [JointSettings()] * count,
        np.zeros((count, 2, 4, 4)),
        np.zeros((count, 2, 3)),
        np.zeros(count, np.intp),
        np.full(count, -1, np.int8),
        np.zeros(count, np.bool_),
        np.full((count, 3), math.nan),
        np.zeros((count, 4)),
    )
