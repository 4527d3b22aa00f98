"""Vertices of outlines in world space, in plain numpy: rebuilt for the joints that changed only."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..core.model.joint import JointSettings
from ..core.model.pose import Array, Pose, pose_from_matrix, relative_pose, rotate, rotation_matrix
from ..core.model.pose import quaternion_conjugate as inverse
from ..core.outline.joint import OutlinedJoints, Part, joint_states, outline
from ..core.outline.pieces import Piece, State
from .colors import Colors


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

    def take(self, chosen: NDArray[np.intp]) -> "JointArrays":
        """Return the joints at some indices."""
        return JointArrays(
            [self.settings[number] for number in chosen],
            self.frames[chosen],
            self.bodies[chosen],
            self.emphasis[chosen],
            self.forced[chosen],
            self.is_mirrored[chosen],
        )

    def outlined(self) -> tuple[Pose, OutlinedJoints]:
        """Return the joint frames in the world and the joints to outline."""
        is_connected = ~np.isnan(self.frames[:, 1, 0, 0])
        frames = self.frames.copy()
        frames[~is_connected, 1] = frames[~is_connected, 0]
        poses = pose_from_matrix(frames)
        own = Pose(poses.position[:, 0], poses.rotation[:, 0])
        other = Pose(poses.position[:, 1], poses.rotation[:, 1])
        bodies = rotate(inverse(own.rotation)[:, None], self.bodies - own.position[:, None])
        return own, OutlinedJoints(
            settings=self.settings,
            pose=relative_pose(own, other),
            is_connected=is_connected,
            bodies=bodies,
        )

    def states(self) -> NDArray[np.int8]:
        """Return the `State` of each joint, shape (n,)."""
        found = joint_states(self.outlined()[1])
        return np.where(self.forced >= 0, self.forced, found)


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """How joints are drawn."""

    parts: tuple[Part, ...]
    colors: Colors
    """`colors.color_table`."""


@dataclass(slots=True, eq=False)
class Vertices:
    """Vertices of faces or of lines."""

    position: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 3), np.float32))
    """[m], in world axes, shape (v, 3)."""
    color: NDArray[np.float32] = field(default_factory=lambda: np.empty((0, 4), np.float32))
    """RGBA, shape (v, 4)."""
    joint: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    """Number of the joint, shape (v,)."""

    def replace(self, joints: NDArray[np.intp], new: "Vertices") -> None:
        """Put the vertices of some joints in place of their old ones."""
        is_old = np.isin(self.joint, joints) if len(joints) > 1 else self.joint == joints[0]
        old = np.flatnonzero(is_old)
        if np.array_equal(self.joint[old], new.joint):
            self.position[old], self.color[old] = new.position, new.color
            return
        keep = ~is_old
        self.position = np.concatenate((self.position[keep], new.position))
        self.color = np.concatenate((self.color[keep], new.color))
        self.joint = np.concatenate((self.joint[keep], new.joint))

    def of(self, joints: NDArray[np.intp]) -> "Vertices":
        """Return the vertices of some joints."""
        return self._chosen(np.isin(self.joint, joints))

    def parted(self, length: int, count: int) -> list["Vertices"]:
        """Return `count` parts, of the vertices of `length` joints each."""
        part = (self.joint // length).astype(np.int16)
        order = np.argsort(part, kind="stable")
        ends = np.searchsorted(part[order], np.arange(count + 1))
        return [self._chosen(order[start:end]) for start, end in pairwise(ends)]

    def _chosen(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Vertices":
        """Return some of the vertices."""
        return Vertices(self.position[chosen], self.color[chosen], self.joint[chosen])


def build(
    joints: JointArrays, chosen: NDArray[np.intp], size: Array, style: Style
) -> tuple[Vertices, Vertices]:
    """Return the faces and the lines of the chosen joints, drawn at sizes [m] of shape (n,)."""
    some = joints.take(chosen)
    frames, drawn = some.outlined()
    axes = np.swapaxes(rotation_matrix(frames.rotation), -1, -2)
    origins, sizes, numbers = frames.position[:, None], size[chosen], chosen.astype(np.int32)
    faces: list[tuple[Array, Colors, NDArray[np.int32]]] = []
    lines: list[tuple[Array, Colors, NDArray[np.int32]]] = []
    for piece in outline(drawn, style.parts):
        points = piece.points(sizes[piece.joint]) @ axes[piece.joint]
        points += origins[piece.joint]
        joint = np.repeat(numbers[piece.joint], points.shape[1])
        colors = _colors(piece, some, style.colors, points.shape[1])
        (faces if piece.is_face else lines).append((points.reshape(-1, 3), colors, joint))
    return _join(faces), _join(lines)


def joined(parts: Sequence[Vertices]) -> Vertices:
    """Return vertices as one."""
    return Vertices(
        np.concatenate([part.position for part in parts]),
        np.concatenate([part.color for part in parts]),
        np.concatenate([part.joint for part in parts]),
    )


def _colors(piece: Piece, joints: JointArrays, table: Colors, count: int) -> Colors:
    """Return the color of each vertex of a piece, shape (m * count, 4)."""
    forced = joints.forced[piece.joint]
    state = np.where(forced >= 0, forced, piece.state)
    color = table[state, piece.role, piece.axis, joints.emphasis[piece.joint]]
    if piece.strength is None:
        return np.repeat(color, count, axis=0)
    faded = np.repeat(color[:, None], count, axis=1)
    faded[..., 3] *= piece.strength
    return np.asarray(faded.reshape(-1, 4))


def _join(parts: Sequence[tuple[Array, Colors, NDArray[np.int32]]]) -> Vertices:
    """Return the parts as one."""
    if not parts:
        return Vertices()
    position, color, joint = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return Vertices(position.astype(np.float32), color.astype(np.float32), joint)


PROBLEM = State.VIOLATED
"""Least state that is drawn whatever the scope."""
