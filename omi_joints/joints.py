"""What joints mean: their values, kinds, words and shapes."""

from typing import NamedTuple

import numpy as np

from omi_joints_addon.core.meaning.authored import authored_settings
from omi_joints_addon.core.meaning.description import describe_drive, describe_limit
from omi_joints_addon.core.meaning.recognition import JointKind, joint_kind
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.pose import Array, Pose
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.outline.joint import OutlinedJoints, Part, outline
from omi_joints_addon.core.outline.pieces import Piece
from omi_joints_addon.core.solver.trajectory import joint_values


class Drawing(NamedTuple):
    """The shape of what limits and drives allow, in the joint's attachment frame."""

    lines: Array
    """Start and end of each line [m], shape (n, 2, 3)."""
    faces: Array
    """Corners of each triangle [m], shape (m, 3, 3)."""


def measure(scene: PhysicsScene) -> Array:
    """Return where each joint stands: shape (j, 6).

    The position [m] of the connected frame in the joint's frame, and the twists about the joint's
    axes [rad], as limits measure them.
    """
    return joint_values(scene)


def recognize(settings: JointSettings) -> JointKind:
    """Return the kind of joint that limits make, such as hinge or slider; `label` is its name."""
    return joint_kind(settings)


def describe(joint: Joint | JointSettings) -> list[str]:
    """Return what each limit and drive does, in words with degrees and meters.

    Of a joint in the numbers of its file, of settings in their own.
    """
    settings = (
        authored_settings(joint.settings, joint.attributes) if isinstance(joint, Joint) else joint
    )
    return [
        *map(describe_limit, settings.limits),
        *map(describe_drive, settings.drives),
    ]


def draw(settings: JointSettings, *, size: float = 1.0, pose: Pose | None = None) -> Drawing:
    """Return lines and faces of a joint's limits and drives.

    `size` is the length [m] at which angles are drawn; `pose` is the connected frame in the joint's
    frame, of shapes (3,) and (4,), None where it is of no interest.
    """
    at = pose or Pose(np.zeros(3), np.array((0.0, 0.0, 0.0, 1.0)))
    joints = OutlinedJoints(
        settings=(settings,),
        pose=Pose(at.position[None], at.rotation[None]),
        is_connected=np.array([pose is not None]),
    )
    pieces = list(outline(joints, (Part.LIMITS, Part.DRIVES)))
    return Drawing(_corners(pieces, 2, size), _corners(pieces, 3, size))


def _corners(pieces: list[Piece], count: int, size: float) -> Array:
    """Return the points of all lines (count 2) or faces (count 3); marks are of one point."""
    parts = [
        piece.points(size).reshape(-1, count, 3)
        for piece in pieces
        if piece.is_face == (count == 3) and piece.length > 1
    ]
    return np.concatenate([np.empty((0, count, 3)), *parts])
