"""Outlines of attachment frames: the joint's arrows, the connected axes, gap and tethers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array, Pose, rotation_matrix
from .pieces import NEUTRAL, Piece, Role, State, line, segments

ARROW, CONNECTED_AXIS = 0.45, 0.25
"""Length of the joint frame's arrows and of the connected frame's axes [size]."""
HEAD = 0.06
LEAST_GAP = 1e-6
"""Shortest gap [m] that is drawn."""
TETHER_POINTS = 14
COUPLING_POINTS = 40


def _arrows() -> Array:
    """Return the lines (3, 10, 3) of an arrow along each axis [size]."""
    tip, back = np.array((ARROW, 0.0, 0.0)), np.array((ARROW - HEAD, 0.0, 0.0))
    barbs = HEAD * 0.5 * np.array([(0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])
    lines = np.array([np.zeros(3), tip] + [point for barb in barbs for point in (tip, back + barb)])
    return np.stack([np.roll(lines, axis, axis=1) for axis in range(3)])


ARROWS = _arrows()


def arrow_pieces(count: int) -> Iterator[Piece]:
    """Yield the axes of the frames of `count` joints."""
    if count:
        yield _axes(Role.FRAME, np.arange(count), None, np.tile(ARROWS, (count, 1, 1)))


def connected_pieces(pose: Pose, is_connected: NDArray[np.bool_]) -> Iterator[Piece]:
    """Yield the axes of the connected frames and the gaps to them."""
    yield from axes_pieces(pose, np.flatnonzero(is_connected), Role.CONNECTED)
    yield from gap_pieces(pose, is_connected)


def gap_pieces(pose: Pose, is_connected: NDArray[np.bool_]) -> Iterator[Piece]:
    """Yield lines to the connected frames."""
    apart = is_connected & (np.linalg.norm(pose.position, axis=-1) > LEAST_GAP)
    joint = np.flatnonzero(apart)
    ends = np.stack((np.zeros((len(joint), 3)), pose.position[joint]), axis=1)
    if len(joint):
        yield _piece(Role.GAP, joint, ends)


def axes_pieces(pose: Pose, joint: NDArray[np.intp], role: Role) -> Iterator[Piece]:
    """Yield three short axes at the poses of some joints."""
    if not len(joint):
        return
    columns = CONNECTED_AXIS * np.swapaxes(rotation_matrix(pose.rotation[joint]), -1, -2)
    lines = np.zeros((3 * len(joint), 2, 3))
    lines[:, 1] = columns.reshape(-1, 3)
    anchor = np.repeat(pose.position[joint], 3, axis=0)[:, None]
    yield _axes(role, joint, np.broadcast_to(anchor, lines.shape), lines)


def tether_pieces(pose: Pose, is_connected: NDArray[np.bool_], bodies: Array) -> Iterator[Piece]:
    """Yield dashed lines from each frame to its body's origin (n, 2, 3), NaN where it has none."""
    starts = np.stack((np.zeros_like(pose.position), pose.position), axis=1)
    is_there = np.isfinite(bodies).all(axis=-1)
    is_there[:, 1] &= is_connected
    joint, end = np.nonzero(is_there)
    if len(joint):
        ends = np.stack((starts[joint, end], bodies[joint, end]), axis=1)
        yield _piece(Role.TETHER, joint, segments(line(ends, TETHER_POINTS), 2))


def coupling_pieces(followed: Array) -> Iterator[Piece]:
    """Yield dashed lines from each joint to the one that it follows (n, 3), NaN for none."""
    joint = np.flatnonzero(np.isfinite(followed).all(axis=-1))
    if len(joint):
        ends = np.stack((np.zeros((len(joint), 3)), followed[joint]), axis=1)
        yield _piece(Role.COUPLING, joint, segments(line(ends, COUPLING_POINTS), 2))


def _piece(role: Role, joint: NDArray[np.intp], anchor: Array) -> Piece:
    """Return lines of some joints that belong to no axis."""
    axes = np.full(len(joint), NEUTRAL, np.int8)
    return Piece(role, False, joint, axes, np.zeros(len(joint), np.int8), anchor, None)


def _axes(role: Role, joint: NDArray[np.intp], anchor: Array | None, offset: Array) -> Piece:
    """Return lines for X, Y and Z of each of some joints."""
    axes = np.tile(np.arange(3, dtype=np.int8), len(joint))
    states = np.full(len(axes), State.NORMAL, np.int8)
    return Piece(role, False, np.repeat(joint, 3), axes, states, anchor, offset)
