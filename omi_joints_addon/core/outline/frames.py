"""Outlines of attachment frames: the joint's arrows, the connected axes, lines to other places."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array, Pose, rotation_matrix
from .pieces import NEUTRAL, Piece, Role, line, segments
from .ties import There, Tie, weights

ARROW, CONNECTED_AXIS = 0.45, 0.25
"""Length of the joint frame's arrows and of the connected frame's axes [size]."""
HEAD = 0.06
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


def connected_pieces(there: NDArray[np.intp]) -> Iterator[Piece]:
    """Yield the axes of the connected frames of joints, which are tied to `There` (n,)."""
    joint = np.flatnonzero(there & There.CONNECTED)
    if len(joint):
        yield _axes(Role.CONNECTED, joint, None, None, np.tile(_CONNECTED, (len(joint), 1, 1)))


def link_pieces(there: NDArray[np.intp], kinds: Iterable[Role]) -> Iterator[Piece]:
    """Yield lines from joints, which are tied to `There` (n,), to other places."""
    for what, role, tied in _LINKS:
        joint = np.flatnonzero(there & what)
        if role in kinds and len(joint):
            axes = np.full(len(joint), NEUTRAL, np.int8)
            yield Piece(role, False, joint, axes, tied=np.tile(tied, (len(joint), 1, 1)))


def axes_pieces(pose: Pose, joint: NDArray[np.intp], role: Role) -> Iterator[Piece]:
    """Yield three short axes at the poses of some joints."""
    if not len(joint):
        return
    columns = CONNECTED_AXIS * np.swapaxes(rotation_matrix(pose.rotation[joint]), -1, -2)
    lines = np.zeros((3 * len(joint), 2, 3))
    lines[:, 1] = columns.reshape(-1, 3)
    anchor = np.repeat(pose.position[joint], 3, axis=0)[:, None]
    yield _axes(role, joint, np.broadcast_to(anchor, lines.shape), lines)


def _axes(
    role: Role,
    joint: NDArray[np.intp],
    anchor: Array | None,
    offset: Array | None,
    tied: Array | None = None,
) -> Piece:
    axes = np.tile(np.arange(3, dtype=np.int8), len(joint))
    return Piece(role, False, np.repeat(joint, 3), axes, anchor, offset, tied=tied)


def _dashed(start: Sequence[tuple[int, float]], end: Tie | int, points: int) -> Array:
    return segments(line(weights(start, ((end, 1.0),))[None], points), 2)


_CONNECTED = np.stack(
    [
        weights(((Tie.CONNECTED, 1.0),), ((Tie.CONNECTED, 1.0), (Tie.AXIS + axis, CONNECTED_AXIS)))
        for axis in range(3)
    ]
)
_LINKS = (
    (There.GAP, Role.GAP, weights((), ((Tie.CONNECTED, 1.0),))[None]),
    (There.BODY, Role.TETHER, _dashed((), Tie.BODY, TETHER_POINTS)),
    (
        There.OTHER_BODY,
        Role.TETHER,
        _dashed(((Tie.CONNECTED, 1.0),), Tie.BODY + 1, TETHER_POINTS),
    ),
    (There.FOLLOWED, Role.COUPLING, _dashed((), Tie.FOLLOWED, COUPLING_POINTS)),
)
"""What a line leads to, its role and the weights of its points."""
