"""The rows of all joints of a scene as tables, made once.

Rows stand in a grid (r, j): row r of joint j.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.pose import Array
from .elimination import Indices
from .rows import Form, Row, Side

NUMBERS = ("center", "half", "stiffness", "damping", "velocity", "max_force")
"""What may change of rows while a scene moves: bounds, targets, springs, largest forces."""
_RETURN_SPEED = (4.0, 2.0)
"""Fastest return into rigid bounds: angular [rad/s], linear [m/s]."""
_LEASH = 5.0
"""Multiple of that speed that no rigid row asks for, whatever the prediction says."""
_NOTABLE_LOCK, _NOTABLE_RANGE = 1e-4, 1e-6
"""Violations [m or rad] of locks and of ranges that are put right without speed being left."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Rows of one form: where they stand in the flattened grid."""

    form: Form
    flat: Indices | slice
    """A slice where they stand side by side, which is quicker to write to."""
    joint: Indices
    axis: Indices
    unit: Array
    """Unit vectors of the axes, shape (3, g)."""
    across: Array
    """Unit vectors of the axes after them."""
    parts: Indices
    """Of a SWING_PART: components of a quaternion along `axis`, its other, its third; w; (4, g)."""
    sign: Array
    """Of a SWING_PART: 1 where the three axes are in their order, -1 where not."""


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Where rows stand, and along what they act."""

    groups: tuple[Group, ...]
    directions: Array
    """Those that stay the same in the joint's axes, shape (3, r, j); the others are 0."""


@dataclass(frozen=True, slots=True, eq=False)
class RowTable:
    """All rows as arrays (r, j); cells without a row have no effect."""

    form: Indices
    """`Form` of each row, -1 where there is none."""
    axis: Indices
    third: Indices
    grid: Grid
    twice: Grid
    """For two moments, (r, 2 j)."""
    is_row: NDArray[np.bool_]
    is_linear: NDArray[np.bool_]
    is_drive: NDArray[np.bool_]
    is_lock: NDArray[np.bool_]
    is_limit: NDArray[np.bool_]
    """Locks and other limits."""
    is_soft: NDArray[np.bool_]
    """Whether stiffness and damping act, of a limit or of a drive."""
    is_coupling: NDArray[np.bool_]
    is_acceleration: NDArray[np.bool_]
    is_both: NDArray[np.bool_]
    """Whether one value is left."""
    is_nearest: NDArray[np.bool_]
    """Whether the nearest of two bounds counts."""
    is_one_sided: NDArray[np.bool_]
    """Whether forces only point away from a bound."""
    is_rate: NDArray[np.bool_]
    """Whether only the rate counts, not where the joint is."""
    has_nearest: bool
    has_soft: bool
    has_soft_bounds: bool
    """Whether some are soft beyond a bound only."""
    has_rate: bool
    has_acceleration: bool
    center: Array
    half: Array
    turn: Array
    """Turns by radian [1/rad] of angles, which jump at half a turn; 0 for all else."""
    side: Array
    """-1 where the lower bound is the only one, else 1."""
    speed: Array
    """Fastest return into a rigid bound [m/s or rad/s]; 0 for rows without one."""
    leash: Array
    """Fastest rate that a rigid row asks for into what is allowed."""
    ceiling: Array
    """The same out of what is allowed: inf for ranges, which do not ask for that."""
    notable: Array
    """Violation of a rigid bound [m or rad] beyond what steps leave."""
    stiffness: Array
    """0 for rigid rows."""
    damping: Array
    velocity: Array
    max_force: Array
    """inf for limits."""
    armature: Array
    """Inertia [kg or kg·m²] that resists a change of the rate; 0 for all other rows."""

    def part(self, joints: Indices) -> "RowTable":
        """Return the table of some joints."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        chosen: dict[str, Any] = {
            name: value.take(joints, axis=1)
            for name, value in values.items()
            if isinstance(value, np.ndarray)
        }
        grid, twice = _grids(chosen["form"], chosen["axis"], chosen["third"])
        return replace(self, **chosen, grid=grid, twice=twice)

    def with_numbers_of(self, source: "RowTable", joints: Indices) -> "RowTable":
        """Return the table of some joints of another one with the numbers of that."""
        return replace(
            self, **{name: getattr(source, name).take(joints, axis=1) for name in NUMBERS}
        )


def row_table(joints: Sequence[Sequence[Row]]) -> RowTable:
    """Return the table of the rows of each joint."""
    depth = max((len(rows) for rows in joints), default=0)
    width = len(joints)

    def grid(name: str, default: Any) -> NDArray[Any]:
        values = np.full((depth, width), default)
        for j, rows in enumerate(joints):
            values[: len(rows), j] = [getattr(row, name) for row in rows]
        return values

    is_row = np.arange(depth)[:, None] < np.array([len(rows) for rows in joints], int)
    form, axis, third = grid("form", -1), grid("axis", 0), grid("third", 0)
    is_drive, stiffness = grid("is_drive", False), grid("stiffness", 0.0)
    is_coupling, side, is_rate = grid("is_coupling", False), grid("side", 0), grid("is_rate", False)
    is_soft, is_both = is_row & np.isfinite(stiffness), side == Side.BOTH
    is_linear = is_row & (form <= Form.DISTANCE_ACROSS)
    is_acceleration = grid("is_acceleration", False)
    is_limit = is_row & ~(is_drive | is_rate | is_coupling)
    speed = np.where(is_linear, _RETURN_SPEED[1], _RETURN_SPEED[0])
    one, twice = _grids(form, axis, third)
    return RowTable(
        form=form,
        axis=axis,
        third=third,
        grid=one,
        twice=twice,
        is_row=is_row,
        is_linear=is_linear,
        is_drive=is_drive,
        is_lock=grid("is_lock", False),
        is_limit=is_limit,
        is_soft=is_soft,
        is_coupling=is_coupling,
        is_acceleration=is_acceleration,
        is_both=is_both,
        is_nearest=side == Side.NEAREST,
        is_one_sided=~(is_drive | is_both),
        is_rate=is_rate,
        has_nearest=bool((side == Side.NEAREST).any()),
        has_soft=bool(is_soft.any()),
        has_soft_bounds=bool((is_soft & ~(is_drive | is_both)).any()),
        has_rate=bool(is_rate.any()),
        has_acceleration=bool(is_acceleration.any()),
        center=grid("center", 0.0),
        half=grid("half", 0.0),
        turn=np.where((form == Form.TWIST) & ~is_coupling, 0.5 / math.pi, 0.0),
        side=np.where(side == Side.LOWER, -1.0, 1.0),
        speed=np.where(is_soft | is_rate, 0.0, speed),
        leash=_LEASH * speed,
        ceiling=np.where(is_both, _LEASH * speed, math.inf),
        notable=np.where(is_both, _NOTABLE_LOCK, _NOTABLE_RANGE),
        stiffness=np.where(is_soft, stiffness, 0.0),
        damping=np.where(is_soft, grid("damping", 0.0), 0.0),
        velocity=grid("velocity", 0.0),
        max_force=grid("max_force", math.inf),
        armature=grid("armature", 0.0),
    )


def _grids(*kinds: NDArray[Any]) -> tuple[Grid, Grid]:
    """Return where rows of given forms, axes and third axes (r, j) stand, now and twice."""
    return _grid(*kinds), _grid(*(np.tile(each, (1, 2)) for each in kinds))


def _grid(forms: NDArray[Any], axes: NDArray[Any], thirds: NDArray[Any]) -> Grid:
    """Return where rows of given forms, axes and third axes (r, j) stand."""
    groups = tuple(_group(form, forms, axes, thirds) for form in np.unique(forms[forms >= 0]))
    directions = np.zeros((3, *forms.shape))
    for group in groups:
        if group.form.is_constant:
            directions.reshape(3, -1)[:, group.flat] = group.unit
    return Grid(groups, directions)


def _group(form: int, forms: NDArray[Any], axes: NDArray[Any], thirds: NDArray[Any]) -> Group:
    """Return the rows of one form."""
    row, joint = np.nonzero(forms == form)
    axis, third = axes[row, joint], thirds[row, joint]
    flat = row * forms.shape[1] + joint
    is_dense = flat[-1] - flat[0] + 1 == len(flat)
    return Group(
        form=Form(form),
        flat=slice(int(flat[0]), int(flat[-1]) + 1) if is_dense else flat,
        joint=joint,
        axis=axis,
        unit=_units(axis),
        across=_units((axis + 1) % 3),
        parts=np.array((axis, (3 - axis - third) % 3, third, np.full_like(axis, 3))),
        sign=np.where(axis == (third + 2) % 3, 1.0, -1.0),
    )


def _units(axis: Indices) -> Array:
    """Return unit vectors (3, g) along axes, zero for axis 3."""
    return np.asarray(np.eye(3, 4)[:, axis])
