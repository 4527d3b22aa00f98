"""Joint settings as columns: the limits and drives of very many settings, to be judged at once."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from itertools import accumulate, chain
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .joint import DriveType, JointLimit, JointSettings
from .pose import Array

T = TypeVar("T")
Indices = NDArray[np.intp]
Masks = NDArray[np.uint8]
"""Sets of axes: bits 1, 2 and 4 are X, Y and Z."""
AXIS_COUNTS = np.array([bin(mask).count("1") for mask in range(8)])
"""How many axes a set has."""
DRIVE_TYPES = {str(DriveType.LINEAR): 0, str(DriveType.ANGULAR): 1}
"""Numbers of the types of drives that the specification knows; any other is -1."""


@dataclass(frozen=True, slots=True, eq=False)
class LimitColumns:
    """Limits, shapes (l,); those of one settings stand together, in their order."""

    owner: Indices
    """Number of the settings, ascending."""
    linear: Masks
    """Limited linear axes as bits (`mask_of`)."""
    angular: Masks
    """Limited angular axes as bits (`mask_of`)."""
    min: Array
    """[m or rad]; -inf is unbounded."""
    max: Array
    """[m or rad]; inf is unbounded."""
    stiffness: Array
    """[N/m or N·m/rad]; inf is rigid."""
    damping: Array
    """[N·s/m or N·m·s/rad]."""


@dataclass(frozen=True, slots=True, eq=False)
class DriveColumns:
    """Drives, shapes (d,); those of one settings stand together, in their order."""

    owner: Indices
    """Number of the settings, ascending."""
    type: NDArray[np.int8]
    """As `DRIVE_TYPES` counts."""
    axis: Indices
    """Driven axis: 0 X, 1 Y, 2 Z."""
    max_force: Array
    """[N or N·m]; inf is unlimited."""
    position: Array
    """Target [m or rad]; NaN is none."""
    velocity: Array
    """Target [m/s or rad/s]; NaN is none."""
    stiffness: Array
    """[N/m or N·m/rad; per kg or kg·m² in acceleration mode]."""
    damping: Array
    """[N·s/m or N·m·s/rad; per kg or kg·m² in acceleration mode]."""


@dataclass(frozen=True, eq=False)
class SettingsColumns:
    """Joint settings, counted from 0."""

    count: int
    """Number of settings, those without limits and drives included."""
    limits: LimitColumns
    drives: DriveColumns

    def limits_of(self, number: int) -> tuple[JointLimit, ...]:
        """Return the limits of some settings."""
        start, end = self._starts[number : number + 2]
        limits = self.limits
        columns = (limits.min, limits.max, limits.stiffness, limits.damping)
        masks = (limits.linear[start:end].tolist(), limits.angular[start:end].tolist())
        numbers = (column[start:end].tolist() for column in columns)
        return tuple(
            [
                JointLimit(
                    linear_axes=_AXES[linear],
                    angular_axes=_AXES[angular],
                    min=lower,
                    max=upper,
                    stiffness=stiffness,
                    damping=damping,
                )
                for linear, angular, lower, upper, stiffness, damping in zip(
                    *masks, *numbers, strict=True
                )
            ]
        )

    @cached_property
    def _starts(self) -> list[int]:
        """First limit of each settings, and the number of limits."""
        starts: list[int] = np.searchsorted(self.limits.owner, range(self.count + 1)).tolist()
        return starts

    def is_empty(self) -> NDArray[np.bool_]:
        """Return which settings have neither limits nor drives, shape (count,)."""
        is_empty = np.ones(self.count, dtype=np.bool_)
        is_empty[self.limits.owner] = False
        is_empty[self.drives.owner] = False
        return is_empty

    def only(self, chosen: NDArray[np.bool_]) -> "SettingsColumns":
        """Return the same settings, but those not `chosen` without limits and drives."""
        limits, drives = self.limits, self.drives
        rows, driving = np.flatnonzero(chosen[limits.owner]), np.flatnonzero(chosen[drives.owner])
        return SettingsColumns(self.count, _taken((limits,), rows), _taken((drives,), driving))

    def merged(self, other: "SettingsColumns") -> "SettingsColumns":
        """Return as many settings, with the limits and drives of both."""
        limits, drives = (self.limits, other.limits), (self.drives, other.drives)
        return SettingsColumns(
            self.count, _taken(limits, _order(limits)), _taken(drives, _order(drives))
        )


def joined(parts: Sequence[SettingsColumns]) -> SettingsColumns:
    """Return the settings of several columns, one at least, behind each other."""
    *firsts, count = accumulate((part.count for part in parts), initial=0)
    pairs = list(zip(parts, firsts, strict=True))
    limits = [replace(part.limits, owner=part.limits.owner + first) for part, first in pairs]
    drives = [replace(part.drives, owner=part.drives.owner + first) for part, first in pairs]
    return SettingsColumns(count, _taken(limits, slice(None)), _taken(drives, slice(None)))


def _order(parts: Sequence[LimitColumns] | Sequence[DriveColumns]) -> Indices:
    """Return the rows of several columns behind each other, sorted by their settings."""
    return np.argsort(np.concatenate([part.owner for part in parts]), kind="stable")


def _taken(parts: Sequence[T], rows: Indices | slice) -> T:
    """Return some rows of several columns behind each other."""
    names = [field.name for field in fields(parts[0])]  # type: ignore[arg-type]
    values = (np.concatenate([getattr(part, name) for part in parts])[rows] for name in names)
    return type(parts[0])(*values)


def numbers_within(owner: Indices) -> Indices:
    """Return the number of each limit or drive within its settings, from 0."""
    return np.asarray(np.arange(len(owner)) - np.searchsorted(owner, owner))


def columns_of(settings: Sequence[JointSettings]) -> SettingsColumns:
    """Return the columns of some settings."""
    limits = list(chain.from_iterable([each.limits for each in settings]))
    drives = list(chain.from_iterable([each.drives for each in settings]))
    numbers = np.arange(len(settings))
    return SettingsColumns(
        len(settings),
        LimitColumns(
            owner=np.repeat(numbers, [len(each.limits) for each in settings]),
            linear=np.array([mask_of(limit.linear_axes) for limit in limits], dtype=np.uint8),
            angular=np.array([mask_of(limit.angular_axes) for limit in limits], dtype=np.uint8),
            min=np.array([limit.min for limit in limits], dtype=float),
            max=np.array([limit.max for limit in limits], dtype=float),
            stiffness=np.array([limit.stiffness for limit in limits], dtype=float),
            damping=np.array([limit.damping for limit in limits], dtype=float),
        ),
        DriveColumns(
            owner=np.repeat(numbers, [len(each.drives) for each in settings]),
            type=np.array([DRIVE_TYPES.get(drive.type, -1) for drive in drives], dtype=np.int8),
            axis=np.array([drive.axis for drive in drives], dtype=np.intp),
            max_force=np.array([drive.max_force for drive in drives], dtype=float),
            position=np.array([drive.position_target for drive in drives], dtype=float),
            velocity=np.array([drive.velocity_target for drive in drives], dtype=float),
            stiffness=np.array([drive.stiffness for drive in drives], dtype=float),
            damping=np.array([drive.damping for drive in drives], dtype=float),
        ),
    )


@cache
def mask_of(axes: tuple[int, ...]) -> int:
    """Return a set of axes as bits: axis `n` has the value 2**n."""
    return sum(1 << axis for axis in set(axes))


def axes_of(mask: int) -> tuple[int, ...]:
    """Return the axes of a set, ascending."""
    return _AXES[mask]


_AXES = [tuple(axis for axis in range(3) if mask >> axis & 1) for mask in range(8)]
