"""Numbers of hinges as their authors count them, for people to read.

Settings measure angles within half a turn, so readers move the zero of ranges beyond it and keep
where it was (`JointAttributes.zero`). Radians.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

from ..findings.loss import Noun
from ..findings.sentence import Sentence
from ..model.attributes import JointAttributes
from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings
from .axes import Interval, moving_axes


def authored_settings(settings: JointSettings, attributes: JointAttributes) -> JointSettings:
    """Return settings with the author's numbers, which may leave half a turn."""
    if not (attributes.zero or attributes.whole_range):
        return settings
    moving = moving_axes(settings)
    if len(moving) != 1 or moving[0] < 3:
        return settings
    axis, zero = moving[0] - 3, attributes.zero
    limits = [moved_limit(limit, axis, zero) for limit in settings.limits]
    if attributes.whole_range and not any(_is_about(limit, axis) for limit in limits):
        low, high = attributes.whole_range
        limits.append(JointLimit(angular_axes=(axis,), min=low, max=high))
    drives = tuple(moved_drive(drive, axis, zero) for drive in settings.drives)
    return replace(settings, limits=tuple(limits), drives=drives)


def authored_range(settings: JointSettings, attributes: JointAttributes) -> tuple[float, float]:
    """Return the bounds [rad] of a hinge as its author counts, infinite where settings do too."""
    if attributes.zero or attributes.whole_range:
        for limit in authored_settings(settings, attributes).limits:
            if not limit.linear_axes and len(limit.angular_axes) == 1 and limit.min < limit.max:
                return limit.min, limit.max
    return -math.inf, math.inf


def authored_angle(value: float, zero: float, own: Interval) -> float:
    """Return the angle [rad] that the author counts where settings measure `value`.

    Beyond the hinge's `own` range no angle is the author's, so it is the one nearest to 0.
    """
    found = value + zero
    return found if own.min <= value <= own.max else math.remainder(found, 2.0 * math.pi)


def count_losses(attributes: JointAttributes, where: str) -> Iterator[tuple[Noun, Sentence]]:
    """Yield what files count otherwise that have no place for the author's numbers.

    `where` says what becomes of those, such as "kept in the node's extras".
    """
    if attributes.zero:
        text = "moved by {angle:.4g}°, since its range leaves half a turn; {where}"
        yield Noun.ZERO, Sentence(text, angle=math.degrees(attributes.zero), where=where)
    if attributes.whole_range is not None:
        low, high = map(math.degrees, attributes.whole_range)
        text = "it turns freely instead of from {low:.6g}° to {high:.6g}°; {where}"
        yield Noun.WHOLE_RANGE, Sentence(text, low=low, high=high, where=where)


def moved_limit(limit: JointLimit, axis: int, by: float) -> JointLimit:
    """Return a limit whose angles about an axis are larger by some."""
    if not by or not _is_about(limit, axis):
        return limit
    return replace(limit, min=limit.min + by, max=limit.max + by)


def moved_drive(drive: JointDrive, axis: int, by: float) -> JointDrive:
    """Return a drive whose target about an axis is larger by some."""
    is_about = drive.type == DriveType.ANGULAR and drive.axis == axis
    if not by or not is_about or drive.position_target is None:
        return drive
    return replace(drive, position_target=drive.position_target + by)


def _is_about(limit: JointLimit, axis: int) -> bool:
    return limit.angular_axes == (axis,) and not limit.linear_axes
