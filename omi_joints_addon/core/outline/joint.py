"""Outlines of joints: points of faces and lines, each with a role, for many joints at once.

Drawn from the limits through the metric, never from a joint's type. Points are in the joint's
attachment frame, as `anchor + size * offset`: anchors are meters, offsets count the size at which
the joint is shown. What the pose of the connected frame decides is added by weights (`ties`).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.joint import JointSettings
from ..model.pose import Array, Pose
from .angular import angular_regions, angular_values
from .drives import drive_pieces
from .frames import arrow_pieces, connected_pieces, link_pieces
from .linear import linear_regions, linear_values
from .pieces import Piece, Role, Shapes, State
from .shapes import (
    AXIS_SETS,
    LOCKED_WIDTH,
    SHAPE,
    Figure,
    joined_rows,
    metric_values,
    shape_rows,
)
from .ties import METERS, There, there_of, ties_of

VIOLATED_TOLERANCE = 1e-4
"""Excess [m or rad] that is not yet shown as a violation: single precision of matrices."""
AT_LIMIT_TOLERANCE = 1e-3
"""Distance from a bound [m or rad] that counts as being at it."""

# Numpy takes long to find out that members of enumerations are numbers.
_LOCK = int(Figure.LOCK)
_NORMAL, _VIOLATED, _ERROR = map(int, (State.NORMAL, State.VIOLATED, State.ERROR))
_ENDS = np.array(
    [
        *(((-math.inf, math.inf) if len(axes) == 1 else (0.0, math.inf)) for axes in AXIS_SETS),
        *(((-math.pi, math.pi) if len(axes) == 1 else (0.0, math.pi)) for axes in AXIS_SETS),
    ]
)
"""The least and the largest value [m or rad] that each metric can have."""
_IS_SUMMARY = np.array(
    [kind in {Figure.SWING, Figure.BOX, Figure.RING, Figure.RAY} for kind in Figure]
)
"""Kinds that repeat what other shapes bound, or bound nothing."""


class Part(IntEnum):
    """What may be shown of a joint."""

    LIMITS = 0
    FRAMES = 1
    DRIVES = 2
    TETHERS = 3
    COUPLINGS = 4


LINKS = {Role.GAP: Part.FRAMES, Role.TETHER: Part.TETHERS, Role.COUPLING: Part.COUPLINGS}
"""Roles of lines to other places, and the parts that they belong to."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OutlinedJoints:
    """Joints to outline, n of them."""

    settings: Sequence[JointSettings]
    pose: Pose
    """Connected frame in the joint frame, shapes (n, 3) and (n, 4); identity for none."""
    is_connected: NDArray[np.bool_]
    """Whether there is a connected frame, shape (n,)."""
    bodies: Array = field(default_factory=lambda: np.empty((0, 2, 3)))
    """Origins of both bodies in the joint frame [m], shape (n, 2, 3); NaN or empty for none."""
    followed: Array = field(default_factory=lambda: np.empty((0, 3)))
    """Joint that each one follows, in its frame [m], shape (n, 3); NaN or empty for none."""

    def ties(self) -> Array:
        """Return what the poses decide, shape (n, 13, 3)."""
        return ties_of(self.pose, self.bodies, self.followed)

    def there(self) -> NDArray[np.intp]:
        """Return what each joint is tied to, as sums of `There`, shape (n,)."""
        return there_of(self.pose, self.is_connected, self.bodies, self.followed)


def outline(joints: OutlinedJoints, parts: Sequence[Part] = tuple(Part)) -> Iterator[Piece]:
    """Yield the pieces of all joints, all points as `anchor + size * offset`.

    The order of one joint's points does not depend on the others.
    """
    ties = joints.ties()
    for piece in (
        *fixed_outline(joints.settings, parts),
        *tied_outline(joints.settings, joints.there(), parts),
    ):
        yield piece if piece.tied is None else _placed(piece, piece.tied, ties[piece.joint])
    yield from driven_outline(joints, parts)


def fixed_outline(settings: Sequence[JointSettings], parts: Sequence[Part]) -> Iterator[Piece]:
    """Yield the pieces that stay the same in the frames of joints, wherever their ends are."""
    if Part.LIMITS in parts:
        shapes = collect_shapes(settings)
        yield from linear_regions(shapes)
        yield from angular_regions(shapes)
    if Part.FRAMES in parts:
        yield from arrow_pieces(len(settings))


def tied_outline(
    settings: Sequence[JointSettings], there: NDArray[np.intp], parts: Sequence[Part]
) -> Iterator[Piece]:
    """Yield the pieces that are tied to what the pose decides; `there` (n,) sums `There`."""
    if Part.LIMITS in parts:
        shapes = collect_shapes(settings)
        known = shapes[(there & There.CONNECTED > 0)[shapes.joint]]
        yield from linear_values(known)
        yield from angular_values(known)
    if Part.FRAMES in parts:
        yield from connected_pieces(there)
    yield from link_pieces(there, [role for role, part in LINKS.items() if part in parts])


def driven_outline(joints: OutlinedJoints, parts: Sequence[Part]) -> Iterator[Piece]:
    """Yield the pieces of drives, which depend on the pose in other ways."""
    if Part.DRIVES in parts:
        yield from drive_pieces(joints.settings, joints.pose)


def _placed(piece: Piece, tied: Array, ties: Array) -> Piece:
    """Return a piece where the ties (m, 13, 3) are."""
    meters, sizes = tied[..., :METERS] @ ties[:, :METERS], tied[..., METERS:] @ ties[:, METERS:]
    return replace(
        piece,
        anchor=meters if piece.anchor is None else piece.anchor + meters,
        offset=sizes if piece.offset is None else piece.offset + sizes,
        tied=None,
    )


def collect_shapes(settings: Sequence[JointSettings]) -> Shapes:
    """Return the shapes of the settings of joints."""
    return joined_shapes([shape_rows(each) for each in settings])


def joined_shapes(tables: Sequence[NDArray[Any]]) -> Shapes:
    """Return the shapes of joints from those of each (`shape_rows`)."""
    counts = np.array([len(table) for table in tables], np.intp)
    joint = np.repeat(np.arange(len(tables)), counts)
    number = np.arange(len(joint)) - (np.cumsum(counts) - counts)[joint]
    return Shapes(joined_rows(tables, SHAPE), joint, number)


def joint_states(joints: OutlinedJoints) -> NDArray[np.int8]:
    """Return the gravest `State` among each joint's limits, shape (n,)."""
    shapes = collect_shapes(joints.settings)
    gravest = np.zeros(len(joints.settings), np.int8)
    np.maximum.at(gravest, shapes.joint, shape_states(shapes, joints))
    return gravest


def shape_states(shapes: Shapes, joints: OutlinedJoints) -> NDArray[np.int8]:
    """Return the `State` of each shape of joints."""
    rows, joint = shapes.rows, shapes.joint
    low, high, kind = rows["low"], rows["high"], rows["kind"]
    value = metric_values(rows["metric"], joint, joints.pose)
    excess = np.maximum(low - value, value - high)
    is_at_limit = (high - low > LOCKED_WIDTH) & (kind != _LOCK)
    # A bound where a metric ends, such as an angle of zero from an axis, stops nothing.
    least, largest = _ENDS[rows["metric"]].T
    is_low = (np.abs(low - value) <= AT_LIMIT_TOLERANCE) & (low > least)
    is_high = (np.abs(value - high) <= AT_LIMIT_TOLERANCE) & (high < largest)
    is_at_limit &= is_low | is_high
    state: NDArray[np.int8] = is_at_limit.astype(np.int8)
    state[excess > VIOLATED_TOLERANCE] = _VIOLATED
    state[_IS_SUMMARY[kind] | ~joints.is_connected[joint]] = _NORMAL
    state[rows["empty"]] = _ERROR
    return state
