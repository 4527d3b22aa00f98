"""Outlines of attachment frames: the joint's arrows, the connected axes, gap and tethers."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .outline_pieces import NEUTRAL, Piece, Role, State, line, segments
from .pose import Array, Pose, rotation_matrix

ARROW, CONNECTED_AXIS = 0.45, 0.25
"""Length of the joint frame's arrows and of the connected frame's axes [size]."""
HEAD = 0.06
LEAST_GAP = 1e-6
"""Shortest gap [m] that is drawn."""
TETHER_POINTS = 14


def arrows(length: float) -> Array:
    """Return the lines (3, 10, 3) of an arrow along each axis [size]."""
    tip, back = np.array((1.0, 0.0, 0.0)), np.array((1.0 - HEAD / length, 0.0, 0.0))
    barbs = HEAD / length * 0.5 * np.array([(0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])
    shaft = [np.zeros(3), tip]
    lines = np.array(shaft + [point for barb in barbs for point in (tip, back + barb)])
    return np.stack([length * np.roll(lines, axis, axis=1) for axis in range(3)])


def frame_pieces(pose: Pose, is_connected: NDArray[np.bool_]) -> Iterator[Piece]:
    """Yield the axes of both frames and the gap between them."""
    count = len(is_connected)
    if not count:
        return
    for axis, arrow in enumerate(arrows(ARROW)):
        everywhere = np.broadcast_to(arrow, (count, *arrow.shape))
        yield _piece(Role.FRAME, np.arange(count), None, everywhere, axis)
    yield from axes_pieces(pose, np.flatnonzero(is_connected), Role.CONNECTED)
    apart = is_connected & (np.linalg.norm(pose.position, axis=-1) > LEAST_GAP)
    joint = np.flatnonzero(apart)
    ends = np.stack((np.zeros((len(joint), 3)), pose.position[joint]), axis=1)
    if len(joint):
        yield _piece(Role.GAP, joint, ends, None, NEUTRAL)


def axes_pieces(pose: Pose, joint: NDArray[np.intp], role: Role) -> Iterator[Piece]:
    """Yield three short axes at the poses of some joints."""
    if not len(joint):
        return
    columns = CONNECTED_AXIS * np.moveaxis(rotation_matrix(pose.rotation[joint]), -1, -2)
    anchor = np.repeat(pose.position[joint][:, None], 2, axis=1)
    for axis in range(3):
        tip = columns[:, [axis]]
        yield _piece(role, joint, anchor, np.concatenate((np.zeros_like(tip), tip), axis=1), axis)


def tether_pieces(pose: Pose, is_connected: NDArray[np.bool_], bodies: Array) -> Iterator[Piece]:
    """Yield dashed lines from each frame to its body's origin (n, 2, 3), NaN where it has none."""
    starts = np.stack((np.zeros_like(pose.position), pose.position), axis=1)
    for end, is_there in enumerate((np.ones_like(is_connected), is_connected)):
        joint = np.flatnonzero(is_there & np.isfinite(bodies[:, end]).all(axis=-1))
        ends = np.stack((starts[joint, end], bodies[joint, end]), axis=1)
        if len(joint):
            dashes = segments(line(ends, TETHER_POINTS), 2)
            yield _piece(Role.TETHER, joint, dashes, None, NEUTRAL)


def _piece(
    role: Role, joint: NDArray[np.intp], anchor: Array | None, offset: Array | None, axis: int
) -> Piece:
    """Return lines of some joints."""
    axes = np.full(len(joint), axis, np.int8)
    states = np.full(len(joint), State.NORMAL, np.int8)
    return Piece(role, False, joint, axes, states, anchor, offset)
