"""Where the frames of joints are on the bodies that a joint prim relates to, all at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....core.model.pose import (
    Array,
    Pose,
    pose_from_matrix,
    quaternion_conjugate,
    quaternion_product,
)
from ....core.model.scene import PhysicsScene
from ....core.model.settled import settled, settled_rotation
from ....core.rewrite.turning import FRAME_TURNS
from .prim import Prim

Indices = NDArray[np.intp]


def frames_on_bodies(
    scene: PhysicsScene, frames: Indices, bodies: Indices, to_stage: Array
) -> Pose:
    """Return the poses of frame nodes in the axes of body nodes, shapes (n, 3) and (n, 4).

    Positions are in the bodies' own, scaled axes; rotations know no scale. A body of -1 is the
    world of the stage, into which `to_stage` (4, 4) takes world matrices.
    """
    is_world = bodies < 0
    body = np.where(is_world[:, None, None], np.linalg.inv(to_stage), scene.matrices[bodies])
    frame = scene.matrices[frames]
    singular = np.abs(np.linalg.det(body[:, :3, :3])) < 1e-12
    body[singular] = np.eye(4)
    offset = frame[:, :3, 3] - body[:, :3, 3]
    position = np.linalg.solve(body[:, :3, :3], offset[..., None])[..., 0]
    rotation = quaternion_product(
        quaternion_conjugate(pose_from_matrix(body).rotation), pose_from_matrix(frame).rotation
    )
    return Pose(position, rotation)


def pose_at(poses: Pose, at: int, shift: int) -> Pose:
    """Return one of several poses, its axes turned by `FRAME_TURNS` of `shift`."""
    rotation = poses.rotation[at]
    if shift:
        rotation = quaternion_product(rotation, FRAME_TURNS[shift].rotation)
    return Pose(poses.position[at], rotation)


@dataclass(frozen=True, slots=True)
class SideFrame:
    """The frame of one side of a joint prim."""

    prim: Prim
    side: int
    pose: Pose
    """In the axes and lengths of its body, shapes (3,) and (4,)."""


def set_frames(frames: Sequence[SideFrame]) -> None:
    """Set frames of joint prims."""
    if not frames:
        return
    positions = settled(np.array([each.pose.position for each in frames])).tolist()
    rotations = settled_rotation(np.array([each.pose.rotation for each in frames])).tolist()
    for each, position, (x, y, z, w) in zip(frames, positions, rotations, strict=True):
        each.prim.set(f"physics:localPos{each.side}", "point3f", tuple(position))
        each.prim.set(f"physics:localRot{each.side}", "quatf", (w, x, y, z))
