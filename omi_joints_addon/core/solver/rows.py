"""Rows of a joint: one per limited direction or drive.

A limit over two or three axes that leaves no room is one row per axis; any other limit is one row
along the gradient of its metric (`meaning.metric`).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from ..model.axes import remaining_axis
from ..model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings

_LOCK_WIDTH = 1e-9


class Form(IntEnum):
    """What a row measures, and along which direction it acts."""

    DISTANCE_ALONG = 0
    """Signed distance along one axis."""
    DISTANCE_ACROSS = 1
    """Distance from a line or a point; `axis` is the line's, 3 for a point."""
    SWING_PART = 2
    """Part about one axis of the turn that takes the third axis away from itself."""
    ROTATION_PART = 3
    """Part about one axis of the whole rotation vector."""
    TWIST = 4
    """Twist about one axis."""
    CONE = 5
    """Angle between the third axes; `axis` is theirs."""
    ANGLE = 6
    """Angle of the whole rotation."""

    @property
    def is_linear(self) -> bool:
        """Whether the row measures meters."""
        return self <= Form.DISTANCE_ACROSS

    @property
    def is_constant(self) -> bool:
        """Whether the direction stays the same in the joint's axes."""
        return self in (Form.DISTANCE_ALONG, Form.SWING_PART, Form.ROTATION_PART)


class Side(IntEnum):
    """Which side of its bounds a row keeps from."""

    BOTH = 0
    """One value is left."""
    UPPER = 1
    LOWER = -1
    NEAREST = 2
    """The nearest of two bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row; its metric m keeps to `center` ± `half`, or a drive pulls it to `center`."""

    form: Form
    axis: int
    third: int = 0
    """Third axis of a SWING_PART."""
    center: float
    half: float = 0.0
    side: Side = Side.BOTH
    stiffness: float
    """inf is rigid."""
    damping: float = 0.0
    velocity: float = 0.0
    """Target velocity of a drive, or the rate [m/s or rad/s] that a row of rates keeps."""
    max_force: float = math.inf
    is_drive: bool = False
    is_acceleration: bool = False
    is_coupling: bool = False
    """Whether the position of another joint takes part (`gears`)."""
    is_rate: bool = False
    """Whether it acts on the rate alone, wherever the joint is (`actuation`)."""
    armature: float = 0.0
    """Inertia [kg or kg·m²] that resists a change of the rate."""

    @property
    def is_lock(self) -> bool:
        """Whether the row rigidly keeps one value of its joint."""
        is_other = self.is_drive or self.is_coupling or self.is_rate
        return not is_other and self.side == Side.BOTH and math.isinf(self.stiffness)

    @property
    def is_bounded(self) -> bool:
        """Whether its force has a bound of its own."""
        return math.isfinite(self.max_force)


def rows_of(settings: JointSettings, *, rigid_locks: bool = False) -> list[Row]:
    """Return the rows of joint settings; `rigid_locks` takes soft locks as rigid.

    What cannot act is left out: limits without axes or bounds, numbers that are not finite, drives
    without target, gain or known type. Where `min` exceeds `max` their middle is kept.
    """
    rows = [row for limit in settings.limits for row in _limit_rows(limit, rigid_locks=rigid_locks)]
    rows += [row for drive in settings.drives if (row := _drive_row(drive)) is not None]
    return rows


def _limit_rows(limit: JointLimit, *, rigid_locks: bool) -> Iterator[Row]:
    if math.isnan(limit.min) or math.isnan(limit.max) or math.isnan(limit.stiffness):
        return
    for is_linear, axes in ((True, limit.linear_axes), (False, limit.angular_axes)):
        if not axes or any(axis not in (0, 1, 2) for axis in axes):
            continue
        bounds = _bounds(limit, is_linear=is_linear, is_signed=len(axes) == 1)
        if bounds is None:
            continue
        center, half, side = bounds
        is_rigid = limit.is_rigid or limit.stiffness < 0.0 or (rigid_locks and side == Side.BOTH)
        common: dict[str, Any] = {
            "center": center,
            "half": half,
            "side": side,
            "stiffness": math.inf if is_rigid else limit.stiffness,
            "damping": max(0.0, limit.damping) if math.isfinite(limit.damping) else 0.0,
        }
        is_point = side == Side.BOTH and abs(center) <= _LOCK_WIDTH
        for form, axis, third in _forms(tuple(axes), is_linear=is_linear, is_point=is_point):
            yield Row(form=form, axis=axis, third=third, **common)


def _bounds(
    limit: JointLimit, *, is_linear: bool, is_signed: bool
) -> tuple[float, float, Side] | None:
    """Return center, half width and side of a limit, None where it excludes nothing.

    Metrics end where they end: an angle at half a turn, a distance at 0. One bound of a twist is
    thus two, since a turn further is the other end of its range.
    """
    ceiling = math.inf if is_linear else math.pi
    floor = -ceiling if is_signed else 0.0
    low, high = limit.min, limit.max
    if low <= floor and high >= ceiling:
        return None
    if is_signed and not is_linear:
        low, high = max(low, floor), min(high, ceiling)
    if not is_signed:
        low, high = (low if low > 0.0 else -math.inf), max(high, 0.0)
        high = high if high < ceiling else math.inf
        low = 0.0 if high == 0.0 else low
    if high - low <= 2.0 * _LOCK_WIDTH:
        return (low + high) / 2.0, 0.0, Side.BOTH
    if low == -math.inf:
        return high, 0.0, Side.UPPER
    if high == math.inf:
        return low, 0.0, Side.LOWER
    return (low + high) / 2.0, (high - low) / 2.0, Side.NEAREST


def _forms(
    axes: tuple[int, ...], *, is_linear: bool, is_point: bool
) -> list[tuple[Form, int, int]]:
    """Return form, axis and third axis of the rows of one limit."""
    third = remaining_axis(axes) if len(axes) == 2 else 3
    if len(axes) == 1:
        return [(Form.DISTANCE_ALONG if is_linear else Form.TWIST, axes[0], 0)]
    if is_point:
        if is_linear:
            return [(Form.DISTANCE_ALONG, axis, 0) for axis in axes]
        form = Form.SWING_PART if len(axes) == 2 else Form.ROTATION_PART
        return [(form, axis, third % 3) for axis in axes]
    if is_linear:
        return [(Form.DISTANCE_ACROSS, third, 0)]
    return [(Form.CONE, third, 0)] if len(axes) == 2 else [(Form.ANGLE, 0, 0)]


def _drive_row(drive: JointDrive) -> Row | None:
    numbers = (drive.stiffness, drive.damping, drive.position_target, drive.velocity_target)
    if not drive.is_known:
        return None
    if drive.axis not in (0, 1, 2) or not all(n is None or math.isfinite(n) for n in numbers):
        return None
    has_target = drive.position_target is not None or drive.velocity_target is not None
    stiffness = 0.0 if drive.position_target is None else max(0.0, drive.stiffness)
    if not has_target or (stiffness == 0.0 and drive.damping <= 0.0):
        return None
    max_force = drive.max_force
    return Row(
        form=Form.DISTANCE_ALONG if drive.type == DriveType.LINEAR else Form.TWIST,
        axis=drive.axis,
        center=drive.position_target or 0.0,
        stiffness=stiffness,
        damping=max(0.0, drive.damping),
        velocity=drive.velocity_target or 0.0,
        max_force=math.inf if math.isnan(max_force) or max_force < 0.0 else max_force,
        is_drive=True,
        is_acceleration=drive.mode == DriveMode.ACCELERATION,
    )
