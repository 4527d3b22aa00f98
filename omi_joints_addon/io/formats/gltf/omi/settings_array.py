"""Elements of `physicsJoints` as columns: plain ones are read together, the others one by one.

Plain is what the codec takes as it stands: members of the specification, of the right types. Plain
settings are made only when they are asked for; rules need no more than their columns.
"""

import marshal
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import Any, overload

import numpy as np

from .....core.findings.finding import Finding
from .....core.model.graph import Mask
from .....core.model.joint import JointSettings
from .....core.model.plain import JsonObject
from .....core.model.pose import Array
from .....core.model.settings_columns import (
    DRIVE_TYPES,
    DriveColumns,
    Indices,
    LimitColumns,
    Masks,
    SettingsColumns,
    columns_of,
    joined,
    mask_of,
)
from ..members import read_or_none

Read = Callable[[Any, str], tuple[JointSettings, list[Finding]]]
_NAMES = frozenset(("name", "limits", "drives"))
_LISTS, _NUMBERS = {list, tuple}, {int, float}
_LARGEST = 1e300
_MODES = ("force", "acceleration")
_AXES = {axes: mask_of(axes) for axes in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))}
_BLOCK = 256
"""Elements that are looked at together, so that they stay in the processor's cache meanwhile."""
_EMPTY = JointSettings()


class SettingsArray(Sequence[JointSettings | None]):
    """Joint settings of a document, each made when it is asked for; None is one that is no object.

    `read` is the codec, which raises `CodecError`.
    """

    def __init__(self, elements: Sequence[Any], pointer: str, read: Read) -> None:
        self.findings: list[Finding] = []
        """What is wrong with the elements."""
        self.special: dict[int, JointSettings | None] = {}
        """Those that are not plain, by number."""
        self._elements, self._pointer, self._read = elements, pointer, read
        self._made: dict[int, JointSettings | None] = {}
        self._same: dict[bytes, JointSettings] = {}
        self._plain, is_plain = _plain_columns(elements)
        for number in np.flatnonzero(~is_plain).tolist():
            self.special[number] = self._made[number] = self._thorough(number)

    def _thorough(self, number: int) -> JointSettings | None:
        pointer = f"{self._pointer}/{number}"
        return read_or_none(self._read, self._elements[number], pointer, self.findings)

    @cached_property
    def columns(self) -> SettingsColumns:
        """All settings as columns; one that is no object has neither limits nor drives."""
        if not self.special:
            return self._plain
        special = (self.special.get(number) or _EMPTY for number in range(len(self)))
        return self._plain.merged(columns_of(list(special)))

    def __len__(self) -> int:
        return len(self._elements)

    @overload
    def __getitem__(self, index: int) -> JointSettings | None: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[JointSettings | None, ...]: ...

    def __getitem__(self, index: int | slice) -> Any:
        """Return settings, always the same ones, or several; raises `IndexError`."""
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self))))
        return self._at(range(len(self))[index])

    def _at(self, number: int) -> JointSettings | None:
        if number not in self._made:
            self._made[number] = self._plain_settings(number)
        return self._made[number]

    def _plain_settings(self, number: int) -> JointSettings:
        """Return settings that are plain, equal ones as one value."""
        key = marshal.dumps(self._elements[number], 2)
        if (settings := self._same.get(key)) is None:
            settings = self._same[key] = self._new_settings(number)
        return settings

    def _new_settings(self, number: int) -> JointSettings:
        """Return settings that are plain: their limits from the columns, which is quicker."""
        limits = self._plain.limits_of(number)
        rest = {name: said for name, said in self._elements[number].items() if name != "limits"}
        if not rest:
            return JointSettings(limits=limits)
        settings, _ = self._read(rest, "")
        return replace(settings, limits=limits)

    def __iter__(self) -> Iterator[JointSettings | None]:
        return map(self._at, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Sequence) and list(self) == list(other))

    def __hash__(self) -> int:
        return hash(tuple(self))


def special_settings(
    settings: Sequence[JointSettings | None],
) -> Mapping[int, JointSettings | None]:
    """Return those settings that may carry more than the specification's members, by number."""
    return settings.special if isinstance(settings, SettingsArray) else dict(enumerate(settings))


def _plain_columns(elements: Sequence[Any]) -> tuple[SettingsColumns, Mask]:
    """Return the columns of the plain elements, and which these are, shape (n,)."""
    starts = range(0, max(1, len(elements)), _BLOCK)
    blocks = [_plain_block(elements[start : start + _BLOCK]) for start in starts]
    columns = joined([columns for columns, _ in blocks])
    return columns, np.concatenate([is_plain for _, is_plain in blocks])


def _plain_block(elements: Sequence[Any]) -> tuple[SettingsColumns, Mask]:
    is_plain = _are_plain_objects(elements)
    owners = [e if plain else {} for e, plain in zip(elements, is_plain.tolist(), strict=True)]
    limits, of_limits = _flat(owners, "limits")
    drives, of_drives = _flat(owners, "drives")
    limit_columns, is_limit_plain = _limits(limits, of_limits)
    drive_columns, is_drive_plain = _drives(drives, of_drives)
    is_plain[of_limits[~is_limit_plain]] = False
    is_plain[of_drives[~is_drive_plain]] = False
    columns = SettingsColumns(len(elements), limit_columns, drive_columns)
    return columns if is_plain.all() else columns.only(is_plain), is_plain


def _are_plain_objects(elements: Sequence[Any]) -> Mask:
    """Return which elements are objects whose own members are plain, shape (n,)."""
    if _is_each_plain(elements):
        return np.ones(len(elements), dtype=np.bool_)
    return np.array([_is_each_plain((element,)) for element in elements], dtype=np.bool_)


def _is_each_plain(elements: Sequence[Any]) -> bool:
    if not set(map(type, elements)) <= {dict}:
        return False
    names = [element.get("name", "") for element in elements]
    lists = [element.get(name, ()) for name in ("limits", "drives") for element in elements]
    return (
        _NAMES.issuperset(chain.from_iterable(elements))
        and set(map(type, names)) <= {str}
        and "".join(names).isascii()
        and set(map(type, lists)) <= _LISTS
        and set(map(type, chain.from_iterable(lists))) <= {dict}
    )


def _flat(owners: Sequence[JsonObject], name: str) -> tuple[list[JsonObject], Indices]:
    """Return the elements of the lists `name` of all owners, and whose each is."""
    lists = [owner.get(name, ()) for owner in owners]
    numbers = np.repeat(np.arange(len(owners)), list(map(len, lists)))
    return list(chain.from_iterable(lists)), numbers


def _limits(rows: Sequence[JsonObject], owner: Indices) -> tuple[LimitColumns, Mask]:
    """Return limits as columns, and which of them are plain, shape (l,)."""
    present = set(chain.from_iterable(rows))
    linear, angular = (_axes(rows, name, present) for name in ("linearAxes", "angularAxes"))
    lower, upper, stiffness, damping = (
        _numbers(rows, name, present) for name in ("min", "max", "stiffness", "damping")
    )
    known = (linear > 0, angular > 0, *map(_are_given, (lower, upper, stiffness, damping)))
    is_plain = _have_only(rows, known) & ~(stiffness < 0.0) & ~(damping < 0.0)
    limits = LimitColumns(
        owner,
        linear,
        angular,
        min=_with_default(lower, -np.inf),
        max=_with_default(upper, np.inf),
        stiffness=_with_default(stiffness, np.inf),
        damping=_with_default(damping, 0.0),
    )
    return limits, is_plain


def _drives(rows: Sequence[JsonObject], owner: Indices) -> tuple[DriveColumns, Mask]:
    """Return drives as columns, and which of them are plain, shape (d,)."""
    present = set(chain.from_iterable(rows))
    types = [row.get("type") for row in rows]
    modes = [row.get("mode") for row in rows]
    axes = [row.get("axis") for row in rows]
    kind = np.array([DRIVE_TYPES[t] if type(t) is str and t in DRIVE_TYPES else -1 for t in types])
    axis = np.array([a if type(a) is int and a in (0, 1, 2) else -1 for a in axes], dtype=np.intp)
    has_mode = np.array([type(mode) is str and mode in _MODES for mode in modes], dtype=np.bool_)
    force, position, velocity, stiffness, damping = numbers = [
        _numbers(rows, name, present)
        for name in ("maxForce", "positionTarget", "velocityTarget", "stiffness", "damping")
    ]
    has_all = (kind >= 0) & (axis >= 0) & has_mode
    known = (kind >= 0, axis >= 0, has_mode, *map(_are_given, numbers))
    is_negative = (force < 0.0) | (stiffness < 0.0) | (damping < 0.0)
    drives = DriveColumns(
        owner,
        kind.astype(np.int8),
        axis,
        max_force=_with_default(force, np.inf),
        position=position,
        velocity=velocity,
        stiffness=_with_default(stiffness, 0.0),
        damping=_with_default(damping, 0.0),
    )
    return drives, has_all & _have_only(rows, known) & ~is_negative


def _axes(rows: Sequence[JsonObject], name: str, present: Collection[str]) -> Masks:
    """Return a list of axes as bits, 0 where it is missing or not in order, shape (n,).

    `present` are the names of members that some rows have.
    """
    if name not in present:
        return np.zeros(len(rows), dtype=np.uint8)
    lists = [row.get(name, ()) for row in rows]
    if set(map(type, lists)) <= _LISTS and set(map(type, chain.from_iterable(lists))) <= {int}:
        masks = [_AXES.get(tuple(axes), 0) for axes in lists]
    else:
        masks = [_AXES.get(tuple(axes), 0) if _are_integers(axes) else 0 for axes in lists]
    return np.array(masks, dtype=np.uint8)


def _are_integers(value: Any) -> bool:
    return type(value) in _LISTS and set(map(type, value)) <= {int}


def _numbers(rows: Sequence[JsonObject], name: str, present: Collection[str]) -> Array:
    """Return numbers as doubles: NaN where there is none, infinite where it is no sane number.

    `present` are the names of members that some rows have.
    """
    if name not in present:
        return np.full(len(rows), np.nan)
    values = [row.get(name, np.nan) for row in rows]
    if set(map(type, values)) <= _NUMBERS:
        try:
            return np.fromiter(values, dtype=float, count=len(values))
        except OverflowError:
            # Integers beyond doubles.
            pass
    return np.array([value if _is_sane(value) else np.inf for value in values], dtype=float)


def _is_sane(value: Any) -> bool:
    return type(value) in _NUMBERS and (value != value or -_LARGEST < value < _LARGEST)


def _are_given(numbers: Array) -> Mask:
    return np.asarray(np.abs(numbers) < _LARGEST)


def _with_default(numbers: Array, default: float) -> Array:
    return np.where(np.isnan(numbers), default, numbers)


def _have_only(rows: Sequence[JsonObject], known: Sequence[Mask]) -> Mask:
    """Return which rows have no members but those known ones that each has, shape (n,)."""
    sizes = np.fromiter(map(len, rows), dtype=np.intp, count=len(rows))
    return np.asarray(np.sum(known, axis=0) == sizes)
