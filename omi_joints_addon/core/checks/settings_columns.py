"""Joint settings as columns: the limits and drives of very many settings, to be judged at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.joint import DriveType, JointSettings
from ..model.pose import Array

Indices = NDArray[np.intp]
Masks = NDArray[np.uint8]
"""Sets of axes: bits 1, 2 and 4 are X, Y and Z."""
AXIS_COUNTS = np.array([bin(mask).count("1") for mask in range(8)])
"""How many axes a set has."""
DRIVE_TYPES = {str(DriveType.LINEAR): 0, str(DriveType.ANGULAR): 1}
"""Numbers of the types of drives that the specification knows; any other is -1."""


class LimitColumns(NamedTuple):
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


class DriveColumns(NamedTuple):
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
    """Target [m or rad]; NaN for none."""
    velocity: Array
    """Target [m/s or rad/s]; NaN for none."""
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

    def are_empty(self) -> NDArray[np.bool_]:
        """Return which settings have neither limits nor drives, shape (count,)."""
        is_empty = np.ones(self.count, dtype=np.bool_)
        is_empty[self.limits.owner] = False
        is_empty[self.drives.owner] = False
        return is_empty


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
