"""Vertices of outlines in world space, in plain numpy: rebuilt for the joints that changed only."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..core.model.joint import JointSettings
from ..core.model.pose import Array, Pose, pose_from_matrix, relative_pose, rotate, rotation_matrix
from ..core.model.pose import quaternion_conjugate as inverse
from ..core.outline.joint import OutlinedJoints, Part, joint_states, outline
from ..core.outline.pieces import Piece, State
from .colors import Colors, shades


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
    """World origins of the joints that joints follow [m], shape (n, 3); NaN is none."""
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
            followed=rotate(inverse(own.rotation), self.followed - own.position),
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

    def _chosen(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "Vertices":
        """Return some of the vertices."""
        return Vertices(self.position[chosen], self.color[chosen], self.joint[chosen])


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Vertices of a piece: p for each of m shapes, in the order of their joints."""

    position: NDArray[np.float32]
    """[m], in world axes, shape (m, p, 3)."""
    color: NDArray[np.float32]
    """RGBA, shape (m, p, 4) or (m, 1, 4)."""
    joint: NDArray[np.int32]
    """Number of the joint, ascending, shape (m,)."""

    def between(self, first: int, last: int) -> "Block":
        """Return the vertices of the joints from the first to before the last."""
        start, end = np.searchsorted(self.joint, (first, last))
        return Block(self.position[start:end], self.color[start:end], self.joint[start:end])


Blocks = Sequence[Block]


def build(
    joints: JointArrays, chosen: NDArray[np.intp], size: Array, style: Style
) -> tuple[Vertices, Vertices]:
    """Return the faces and the lines of the chosen joints, drawn at sizes [m] of shape (n,)."""
    faces, lines = build_blocks(joints, chosen, size, style)
    return as_vertices(faces), as_vertices(lines)


def build_blocks(
    joints: JointArrays, chosen: NDArray[np.intp], size: Array, style: Style
) -> tuple[Blocks, Blocks]:
    """Return the same as `build` in blocks; the chosen joints are in ascending order."""
    some = joints.take(chosen)
    frames, drawn = some.outlined()
    axes = np.swapaxes(rotation_matrix(frames.rotation), -1, -2).astype(np.float32)
    origins = frames.position[:, None].astype(np.float32)
    sizes, numbers = size[chosen], chosen.astype(np.int32)
    paint = _Paint(some, style.colors)
    faces: list[Block] = []
    lines: list[Block] = []
    for piece in outline(drawn, style.parts):
        local = piece.points(sizes[piece.joint]).astype(np.float32)
        points = local @ axes[piece.joint]
        points += origins[piece.joint]
        block = Block(points, paint.colors(piece), numbers[piece.joint])
        (faces if piece.is_face else lines).append(block)
    return faces, lines


def joined(parts: Sequence[Vertices]) -> Vertices:
    """Return vertices as one."""
    return Vertices(
        np.concatenate([part.position for part in parts]),
        np.concatenate([part.color for part in parts]),
        np.concatenate([part.joint for part in parts]),
    )


def as_vertices(blocks: Blocks) -> Vertices:
    """Return the vertices of blocks."""
    counts = [block.position.shape[1] for block in blocks]
    sizes = [len(block.joint) * count for block, count in zip(blocks, counts, strict=True)]
    total = sum(sizes)
    found = Vertices(
        np.empty((total, 3), np.float32), np.empty((total, 4), np.float32), np.empty(total, "i4")
    )
    start = 0
    for block, count, size in zip(blocks, counts, sizes, strict=True):
        end, shape = start + size, (len(block.joint), count)
        found.position[start:end] = block.position.reshape(-1, 3)
        found.color[start:end].reshape(*shape, 4)[:] = block.color
        found.joint[start:end].reshape(shape)[:] = block.joint[:, None]
        start = end
    return found


class _Paint:
    """The colors of pieces of some joints."""

    def __init__(self, joints: JointArrays, table: Colors) -> None:
        self._joints = joints
        self._shape = table.shape[:-1]
        self._table = table.reshape(-1, 4)
        self._has_tints = bool(joints.tints[:, 3].any())
        self._shades = shades()

    def colors(self, piece: Piece) -> Colors:
        """Return the color of the shapes (m, 1, 4) of a piece, or of its vertices (m, p, 4)."""
        joints = self._joints
        forced = joints.forced[piece.joint]
        state = np.where(forced >= 0, forced, piece.state)
        _, roles, axes, emphases = self._shape
        row = ((state.astype(np.intp) * roles + piece.role) * axes + piece.axis % axes) * emphases
        color = self._table.take(row + joints.emphasis[piece.joint], axis=0)
        if self._has_tints and self._shades[piece.role]:
            tint = joints.tints[piece.joint]
            share = np.where(state == State.NORMAL, tint[:, 3], 0.0)[:, None]
            color[:, :3] += share * (tint[:, :3] * self._shades[piece.role] - color[:, :3])
        if piece.strength is None:
            return color[:, None]
        shape = np.broadcast_shapes(piece.strength.shape, (len(color), 1))
        faded = np.repeat(color[:, None], shape[1], axis=1)
        faded[..., 3] *= piece.strength
        return faded


PROBLEM = State.VIOLATED
"""Least state that is drawn whatever the scope."""
