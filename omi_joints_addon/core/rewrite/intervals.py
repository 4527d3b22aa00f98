"""Settings of a joint as one interval and one drive per axis, and back.

Tree formats, UsdPhysics and the engines know a joint axis by axis. Locks over several axes at once
are exact axis by axis; a limit over several axes that can move is not, and stays beside.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Range along or about one axis."""

    min: float = -math.inf
    """[m or rad]; -inf is unbounded."""
    max: float = math.inf
    """[m or rad]; inf is unbounded."""
    stiffness: float = math.inf
    """Beyond the bounds [N/m or N·m/rad]; inf is rigid."""
    damping: float = 0.0
    """Beyond the bounds [N·s/m or N·m·s/rad]."""

    @property
    def is_free(self) -> bool:
        """Whether nothing bounds the axis."""
        return self.min == -math.inf and self.max == math.inf

    @property
    def is_locked(self) -> bool:
        """Whether the axis is rigidly held at zero."""
        return self.min == self.max == 0.0 and math.isinf(self.stiffness)

    @property
    def is_soft(self) -> bool:
        """Whether the bounds give way."""
        return not self.is_free and math.isfinite(self.stiffness)


FREE = Interval()
LOCKED = Interval(min=0.0, max=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JointAxes:
    """A joint axis by axis: X, Y, Z along, then X, Y, Z about."""

    intervals: tuple[Interval, Interval, Interval, Interval, Interval, Interval]
    drives: tuple[JointDrive, ...] = ()
    """As in the settings."""
    round: tuple[JointLimit, ...] = ()
    """Limits over several axes, linear or angular, that are no lock at zero."""
    further: tuple[JointLimit, ...] = ()
    """Limits of one axis that another limit of the axis with other stiffness stands beside."""

    @property
    def moving(self) -> tuple[int, ...]:
        """Return the axes that are not locked: 0 to 2 along, 3 to 5 about X, Y and Z."""
        return tuple(n for n, interval in enumerate(self.intervals) if not interval.is_locked)

    @property
    def is_exact(self) -> bool:
        """Whether intervals and drives say all that the limits and drives do."""
        return not (self.round or self.further)

    def drives_of(self, number: int) -> tuple[JointDrive, ...]:
        """Return the drives of one axis, 0 to 5."""
        return tuple(drive for drive in self.drives if axis_number(drive) == number)


def axis_number(drive: JointDrive) -> int | None:
    """Return the axis of a drive, 0 to 5; None for types of other extensions."""
    if drive.type == DriveType.LINEAR:
        return drive.axis
    return drive.axis + 3 if drive.type == DriveType.ANGULAR else None


def axes_of(settings: JointSettings) -> JointAxes:
    """Return a joint axis by axis; rigid ranges of one axis are intersected."""
    intervals = [FREE] * 6
    shared: list[JointLimit] = []
    further: list[JointLimit] = []
    for limit in sorted(settings.limits, key=lambda limit: not limit.is_rigid):
        for part in _parts(limit):
            numbers = (*part.linear_axes, *(axis + 3 for axis in part.angular_axes))
            if len(numbers) > 1 and not _is_lock(part):
                shared.append(part)
                continue
            further += _put(intervals, numbers, _interval(part))
    x, y, z, about_x, about_y, about_z = intervals
    return JointAxes(
        intervals=(x, y, z, about_x, about_y, about_z),
        drives=settings.drives,
        round=tuple(shared),
        further=tuple(further),
    )


def settings_of(axes: JointAxes, *, name: str = "") -> JointSettings:
    """Return the settings of a joint given axis by axis.

    Linear locks share one limit and so do angular ones, as presets and importers write them.
    """
    limits: list[JointLimit] = []
    for first in (0, 3):
        group = axes.intervals[first : first + 3]
        locked = tuple(axis for axis, interval in enumerate(group) if interval == LOCKED)
        if locked and first == 0:
            limits.append(JointLimit(linear_axes=locked, min=0.0, max=0.0))
        elif locked:
            limits.append(JointLimit(angular_axes=locked, min=0.0, max=0.0))
    limits += [
        one_axis_limit(number, interval)
        for number, interval in enumerate(axes.intervals)
        if not interval.is_free and interval != LOCKED
    ]
    return JointSettings(
        name=name, limits=(*limits, *axes.round, *axes.further), drives=axes.drives
    )


def one_axis_limit(number: int, interval: Interval) -> JointLimit:
    """Return the limit of one axis, 0 to 5."""
    limit = JointLimit(
        min=interval.min,
        max=interval.max,
        stiffness=interval.stiffness,
        damping=interval.damping,
    )
    if number < 3:
        return replace(limit, linear_axes=(number,))
    return replace(limit, angular_axes=(number - 3,))


def one_axis_settings(
    number: int, interval: Interval, drives: tuple[JointDrive, ...] = (), *, name: str = ""
) -> JointSettings:
    """Return a joint that moves along (0 to 2) or about (3 to 5) one axis only."""
    intervals = [LOCKED] * 6
    intervals[number] = interval
    x, y, z, about_x, about_y, about_z = intervals
    return settings_of(
        JointAxes(intervals=(x, y, z, about_x, about_y, about_z), drives=drives), name=name
    )


def _put(
    intervals: list[Interval], numbers: tuple[int, ...], interval: Interval
) -> Iterator[JointLimit]:
    """Bring an interval into those of some axes; yield it for those where it has no place."""
    for number in numbers:
        merged = _merged(intervals[number], interval)
        if merged is None:
            yield one_axis_limit(number, interval)
        else:
            intervals[number] = merged


def _parts(limit: JointLimit) -> Iterator[JointLimit]:
    """Yield the linear and the angular part of a limit that bounds anything."""
    if limit.linear_axes and _is_bound(limit, limit.linear_axes):
        yield replace(limit, angular_axes=())
    if limit.angular_axes and _is_bound(limit, limit.angular_axes):
        yield replace(limit, linear_axes=())


def _is_bound(limit: JointLimit, axes: tuple[int, ...]) -> bool:
    """Return whether there is a bound that can be reached; a distance is never below zero."""
    return limit.max != math.inf or limit.min > (-math.inf if len(axes) == 1 else 0.0)


def _is_lock(limit: JointLimit) -> bool:
    """Return whether a limit over several axes holds each of them at zero.

    A soft lock over several axes pulls by its one metric, and so is none.
    """
    return limit.max == 0.0 and limit.min <= 0.0 and limit.is_rigid


def _interval(limit: JointLimit) -> Interval:
    several = len(limit.linear_axes) + len(limit.angular_axes) > 1
    return Interval(
        min=0.0 if several else limit.min,
        max=limit.max,
        stiffness=limit.stiffness,
        damping=limit.damping,
    )


def _merged(one: Interval, other: Interval) -> Interval | None:
    """Return what both intervals allow, None where one cannot say it."""
    if one.is_free or other.is_free:
        return other if one.is_free else one
    if (one.stiffness, one.damping) != (other.stiffness, other.damping) or one.is_soft:
        return None
    return replace(one, min=max(one.min, other.min), max=min(one.max, other.max))
