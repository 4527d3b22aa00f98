"""Handles to drag bounds and targets: where they are and which value the mouse means.

A handle lies on a curve in the joint's frame, one point for each value; a mouse position means the
value whose point is seen nearest to it. Places are `anchor + size * offset` as in `outline.joint`.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Protocol

import numpy as np

from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ..model.pose import Array
from .drives import TARGET_RADIUS
from .pieces import along, circle, direction

SNAP_ANGLE, SNAP_DISTANCE = math.radians(5.0), 0.1
"""Steps of snapping [rad] and [m]."""
AROUND = {"max": math.pi / 4.0, "min": -3.0 * math.pi / 4.0}
"""Where on a rim the handle of a bound sits [rad]: apart, so that narrow rims show two."""
_TRIES, _DIFFERENCE, _STRIDE = 12, 1e-4, 0.5


class HandleCourse(IntEnum):
    """What a handle moves along."""

    ARC = 0
    """Angle about the axis."""
    RIM = 1
    """Angle from the axis."""
    LINE = 2
    """Coordinate along the axis."""
    RADIUS = 3
    """Distance from the axis or the origin."""


class Draggable(Protocol):
    """What a drag has to know of a value."""

    @property
    def is_angle(self) -> bool:
        """Whether the value is an angle."""

    @property
    def floor(self) -> float:
        """Least value."""

    @property
    def ceiling(self) -> float:
        """Largest value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """A value that can be dragged."""

    course: HandleCourse
    """What it moves along."""
    axis: int
    """0 X, 1 Y, 2 Z of the frame that it is placed in."""
    is_drive: bool
    """Whether the value is a drive's, else a limit's."""
    index: int
    """Of the limit or drive in the settings."""
    field: str
    """Name of the value: min, max or position_target."""
    value: float
    """[m or rad]"""
    is_mirrored: bool = False
    """Whether it is placed in the connected frame, which sees the joint's frame the other way."""

    @property
    def is_angle(self) -> bool:
        """Whether the value is an angle."""
        return self.course in (HandleCourse.ARC, HandleCourse.RIM)

    @property
    def floor(self) -> float:
        """Least value that the metric can have."""
        return 0.0 if self.course in (HandleCourse.RIM, HandleCourse.RADIUS) else -self.ceiling

    @property
    def ceiling(self) -> float:
        """Largest value that the metric can have."""
        return math.pi if self.is_angle else math.inf

    @property
    def key(self) -> tuple[bool, int, str, HandleCourse]:
        """Identity among the handles of a joint."""
        return (self.is_drive, self.index, self.field, self.course)

    def place(self, value: float) -> tuple[Array, Array]:
        """Return anchor [m] and offset [size] of the handle at a value, each of shape (3,)."""
        axis = np.array([self.axis])
        value = (
            -value
            if self.is_mirrored and self.course in (HandleCourse.ARC, HandleCourse.LINE)
            else value
        )
        value = min(max(value, -math.pi), math.pi) if self.is_angle else value
        if self.course == HandleCourse.ARC:
            radius = TARGET_RADIUS if self.is_drive else 1.0
            return np.zeros(3), radius * circle(axis, [[value]])[0, 0]
        if self.course == HandleCourse.LINE:
            return value * along(axis)[0, 0], np.zeros(3)
        ring = circle(axis, [[AROUND[self.field]]])
        if self.course == HandleCourse.RIM:
            return np.zeros(3), direction(axis, np.array([value]), ring)[0, 0]
        return value * ring[0, 0], np.zeros(3)


def handles(settings: JointSettings, *, is_mirrored: bool = False) -> Iterator[Handle]:
    """Yield the handles of settings; locked axes have none.

    Their values are those of the settings; `is_mirrored` places them in the connected frame
    (`sides`).
    """
    found: list[Handle] = []
    for index, limit in enumerate(settings.limits):
        found += () if limit.is_locked else _limit_handles(index, limit)
    for index, drive in enumerate(settings.drives):
        found += _drive_handles(index, drive)
    return (replace(handle, is_mirrored=is_mirrored) for handle in found)


def bounded(handle: Handle, value: float, settings: JointSettings) -> float:
    """Return the value, stopped where the metric ends or at the limit's other bound."""
    value = min(max(value, handle.floor), handle.ceiling)
    if handle.is_drive:
        return value
    limit = settings.limits[handle.index]
    return min(value, limit.max) if handle.field == "min" else max(value, limit.min)


def snapped(handle: Handle, value: float) -> float:
    """Return the nearest whole step."""
    step = SNAP_ANGLE if handle.is_angle else SNAP_DISTANCE
    return round(value / step) * step


def nearest_value(
    seen: Callable[[float], Array | None], mouse: Array, start: float, handle: Draggable
) -> float:
    """Return the value near `start` whose point is seen nearest to the mouse.

    `seen` gives where on screen (2,) the point of a value is, None where it is not. Gauss-Newton
    steps follow the curve, so that a handle on a circle does not jump to its other side.
    """
    value = start
    for _ in range(_TRIES):
        here, ahead = seen(value), seen(value + _DIFFERENCE)
        if here is None or ahead is None:
            break
        slope = (ahead - here) / _DIFFERENCE
        steepness = float(slope @ slope)
        if steepness < 1e-6:
            break
        step = float((mouse - here) @ slope) / steepness
        value += min(max(step, -_STRIDE), _STRIDE) if handle.is_angle else step
        value = min(max(value, handle.floor), handle.ceiling)
    return value


def _limit_handles(index: int, limit: JointLimit) -> Iterator[Handle]:
    for axes, single, several in (
        (limit.linear_axes, HandleCourse.LINE, HandleCourse.RADIUS),
        (limit.angular_axes, HandleCourse.ARC, HandleCourse.RIM),
    ):
        if not axes:
            continue
        course = single if len(axes) == 1 else several
        axis = axes[0] if len(axes) == 1 else _third(axes)
        for field, value in (("min", limit.min), ("max", limit.max)):
            if math.isfinite(value) and (course in (single,) or value > 0.0 or field == "max"):
                yield Handle(
                    course=course, axis=axis, is_drive=False, index=index, field=field, value=value
                )


def _drive_handles(index: int, drive: JointDrive) -> Iterator[Handle]:
    if drive.position_target is None or not drive.has_known_type:
        return
    course = HandleCourse.ARC if drive.type == DriveType.ANGULAR else HandleCourse.LINE
    yield Handle(
        course=course,
        axis=drive.axis,
        is_drive=True,
        index=index,
        field="position_target",
        value=drive.position_target,
    )


def _third(axes: tuple[int, ...]) -> int:
    """Return the axis that two axes leave, Z for three."""
    return next((axis for axis in range(3) if axis not in axes), 2)
