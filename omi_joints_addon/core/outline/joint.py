"""Outlines of joints: points of faces and lines, each with a role, for many joints at once.

Drawn from the limits through the metric, never from a joint's type. Points are in the joint's
attachment frame, as `anchor + size * offset`: anchors are meters, offsets count the size at which
the joint is shown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ..model.joint import JointSettings
from ..model.pose import Array, Pose
from .angular import angular_regions, angular_values
from .drives import drive_pieces
from .frames import arrow_pieces, connected_pieces, coupling_pieces, tether_pieces
from .linear import linear_regions, linear_values
from .pieces import Piece, Shapes, State
from .shapes import LOCKED_WIDTH, SHAPE, Kind, joined_rows, metric_values, shape_rows

VIOLATED_TOLERANCE = 1e-4
"""Excess [m or rad] that is not yet shown as a violation: single precision of matrices."""
AT_LIMIT_TOLERANCE = 1e-3
"""Distance from a bound [m or rad] that counts as being at it."""

_IS_SUMMARY = np.array([kind in {Kind.SWING, Kind.BOX, Kind.RING, Kind.RAY} for kind in Kind])
"""Kinds that repeat what other shapes bound, or bound nothing."""


class Part(IntEnum):
    """What may be shown of a joint."""

    LIMITS = 0
    FRAMES = 1
    DRIVES = 2
    TETHERS = 3
    COUPLINGS = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class OutlinedJoints:
    """Joints to outline, n of them."""

    settings: Sequence[JointSettings]
    pose: Pose
    """Connected frame in the joint frame, shapes (n, 3) and (n, 4); identity for none."""
    is_connected: NDArray[np.bool_]
    """Whether there is a connected frame, shape (n,)."""
    bodies: Array = field(default_factory=lambda: np.empty((0, 2, 3)))
    """Origins of both bodies in the joint frame [m], shape (n, 2, 3); NaN or empty is none."""
    followed: Array = field(default_factory=lambda: np.empty((0, 3)))
    """Joint that each one follows, in its frame [m], shape (n, 3); NaN or empty is none."""


def outline(joints: OutlinedJoints, parts: Sequence[Part] = tuple(Part)) -> Iterator[Piece]:
    """Yield the pieces of all joints; the order of one's points does not depend on the others."""
    shapes = collect_shapes(joints)
    yield from _fixed_pieces(shapes, len(joints.settings), parts)
    yield from moving_outline(joints, shapes, parts)


def fixed_outline(
    settings: Sequence[JointSettings], parts: Sequence[Part] = tuple(Part)
) -> Iterator[Piece]:
    """Yield the pieces that stay the same in the frames of joints, wherever their ends are."""
    rest = Pose(np.zeros((len(settings), 3)), np.tile((0.0, 0.0, 0.0, 1.0), (len(settings), 1)))
    apart = np.zeros(len(settings), bool)
    joints = OutlinedJoints(settings=settings, pose=rest, is_connected=apart)
    yield from _fixed_pieces(collect_shapes(joints), len(settings), parts)


def moving_outline(
    joints: OutlinedJoints, shapes: Shapes, parts: Sequence[Part] = tuple(Part)
) -> Iterator[Piece]:
    """Yield the pieces that `fixed_outline` leaves out; `shapes` are those of the joints."""
    if Part.LIMITS in parts:
        yield from linear_values(shapes)
        yield from angular_values(shapes)
    if Part.FRAMES in parts:
        yield from connected_pieces(joints.pose, joints.is_connected)
    if Part.DRIVES in parts:
        yield from drive_pieces(joints.settings, joints.pose)
    if Part.TETHERS in parts and len(joints.bodies):
        yield from tether_pieces(joints.pose, joints.is_connected, joints.bodies)
    if Part.COUPLINGS in parts and len(joints.followed):
        yield from coupling_pieces(joints.followed)


def _fixed_pieces(shapes: Shapes, count: int, parts: Sequence[Part]) -> Iterator[Piece]:
    """Yield the fixed pieces of `count` joints."""
    if Part.LIMITS in parts:
        yield from linear_regions(shapes)
        yield from angular_regions(shapes)
    if Part.FRAMES in parts:
        yield from arrow_pieces(count)


def collect_shapes(joints: OutlinedJoints) -> Shapes:
    """Return the shapes of all joints with their current values and states."""
    tables = [shape_rows(settings) for settings in joints.settings]
    counts = np.array([len(table) for table in tables], np.intp)
    joint = np.repeat(np.arange(len(tables)), counts)
    rows = joined_rows(tables, SHAPE)
    pose = Pose(joints.pose.position[joint], joints.pose.rotation[joint])
    shapes = Shapes(
        rows,
        joint,
        metric_values(rows["metric"], pose),
        np.zeros(len(rows), np.int8),
        joints.is_connected[joint],
        pose,
        np.arange(len(rows)) - (np.cumsum(counts) - counts)[joint],
    )
    shapes.state[:] = _states(shapes)
    return shapes


def joint_states(joints: OutlinedJoints) -> NDArray[np.int8]:
    """Return the gravest `State` among each joint's limits, shape (n,)."""
    shapes = collect_shapes(joints)
    gravest = np.zeros(len(joints.settings), np.int8)
    np.maximum.at(gravest, shapes.joint, shapes.state)
    return gravest


def _states(shapes: Shapes) -> NDArray[np.int8]:
    """Return the state of each shape."""
    rows = shapes.rows
    excess = np.maximum(rows["low"] - shapes.value, shapes.value - rows["high"])
    is_wide = (rows["high"] - rows["low"] > LOCKED_WIDTH) & (rows["kind"] != Kind.LOCK)
    is_at_limit = is_wide & (np.abs(excess) <= AT_LIMIT_TOLERANCE)
    state = np.where(is_at_limit, State.AT_LIMIT, State.NORMAL)
    state = np.where(excess > VIOLATED_TOLERANCE, State.VIOLATED, state)
    is_summary = _IS_SUMMARY[rows["kind"]]
    state = np.where(is_summary | ~shapes.is_connected, State.NORMAL, state)
    return np.where(rows["empty"], State.ERROR, state).astype(np.int8)
