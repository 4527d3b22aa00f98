"""Settings of a joint whose two ends change places: joint node and connected node.

The relative pose becomes its inverse: position -R⁻¹p, rotation R⁻¹. By `metric` a twist then
changes its sign; an angle between axes, the angle of a rotation and the distance of the origins
stay. Other distances are measured in the joint node's axes: that along an axis changes its sign,
that from an axis stays, where this axis points the same way in both frames, else neither.
"""

import math
from dataclasses import replace
from functools import lru_cache

from ..findings.sentence import Sentence
from ..meaning.axes import joint_axes
from ..model.attributes import JointAttributes
from ..model.axes import other_axes, remaining_axis
from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings

_NAMES = "XYZ"
_axes = lru_cache(maxsize=1)(joint_axes)
"""The axes of a joint for all its limits and drives; most do without."""


class SwapError(ValueError):
    """The ends of a joint cannot change places without changing what it does."""


def swapped_settings(settings: JointSettings) -> JointSettings:
    """Return the settings that mean the same after the two ends have changed places.

    Raises `SwapError`, naming the limit or drive, where no settings mean exactly the same. One
    pose does not count: a half turn about an axis whose range ends there, to which the metric
    gives a positive sign from either end.

    Members of other extensions are kept as they are.
    """
    limits = [
        part
        for number, limit in enumerate(settings.limits, start=1)
        for part in _swapped_limit(limit, f"limit {number}", settings)
    ]
    drives = [
        _swapped_drive(drive, f"drive {number}", settings)
        for number, drive in enumerate(settings.drives, start=1)
    ]
    return replace(settings, limits=tuple(limits), drives=tuple(drives))


def swapped_attributes(attributes: JointAttributes) -> JointAttributes:
    """Return the attributes that mean the same after the two ends have changed places."""
    span = attributes.whole_range
    actuators = (
        replace(each, gear=(0.0 - each.ratio, *each.gear[1:]), zero=0.0 - each.zero)
        for each in attributes.actuators
    )
    return replace(
        attributes,
        actuators=tuple(actuators),
        zero=0.0 - attributes.zero,
        whole_range=None if span is None else (0.0 - span[1], 0.0 - span[0]),
    )


def _swapped_limit(limit: JointLimit, name: str, settings: JointSettings) -> tuple[JointLimit, ...]:
    """Return the limit, in two where its linear and its angular axes need different bounds."""
    if len(limit.linear_axes) in (1, 2):
        is_line = len(limit.linear_axes) == 2
        axis = remaining_axis(limit.linear_axes) if is_line else limit.linear_axes[0]
        _require_parallel(axis, name, settings, is_linear=True)
    linear = _swapped_bounds(limit, limit.linear_axes, math.inf)
    angular = _swapped_bounds(limit, limit.angular_axes, math.pi)
    if limit.linear_axes and limit.angular_axes and linear != angular:
        return (
            replace(limit, angular_axes=(), min=linear[0], max=linear[1]),
            replace(limit, linear_axes=(), min=angular[0], max=angular[1]),
        )
    lower, upper = linear if limit.linear_axes else angular
    if lower is limit.min and upper is limit.max:
        return (limit,)
    return (replace(limit, min=lower, max=upper),)


def _swapped_bounds(
    limit: JointLimit, axes: tuple[int, ...], half_turn: float
) -> tuple[float, float]:
    """Return minimum and maximum: of one axis they change places and signs.

    A range that has shrunk to the half turn, which is positive from either end, stays as it is.
    """
    if len(axes) != 1 or limit.min == half_turn or limit.max == -half_turn:
        return limit.min, limit.max
    return 0.0 - limit.max, 0.0 - limit.min


def _swapped_drive(drive: JointDrive, name: str, settings: JointSettings) -> JointDrive:
    if not drive.is_known:
        raise SwapError(
            Sentence(
                "{name} has a type or mode of another extension, {type}/{mode}",
                name=name,
                type=drive.type,
                mode=drive.mode,
            )
        )
    is_linear = drive.type == DriveType.LINEAR
    _require_parallel(drive.axis, name, settings, is_linear=is_linear)
    return drive.reversed()


def _require_parallel(axis: int, name: str, settings: JointSettings, *, is_linear: bool) -> None:
    """Raise `SwapError` unless `axis` points the same way in both frames.

    What is linear need not, where the origins of the frames are locked to each other.
    """
    others = other_axes(axis)
    axes = _axes(settings)
    if all(axes.angular[other].own.is_locked for other in others):
        return
    if is_linear and all(each.own.is_locked for each in axes.linear):
        return
    first, second = (_NAMES[other] for other in others)
    raise SwapError(
        Sentence(
            "{part} needs local {axis} to point the same way in both frames, but rotation about "
            "{first} and {second} is not locked at zero by rigid limits",
            part=name,
            axis=_NAMES[axis],
            first=first,
            second=second,
        )
    )
