"""Which joint settings of a document are plainly sound, for thousands of them at once.

`core.checks.settings` and the codec are the rules. What passes here has no finding there and allows
both frames to be the same, so that nobody needs to look at it; what does not may be sound as well.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.findings.finding import Finding
from ....core.model.joint import DriveMode, DriveType, JointLimit, JointSettings
from ....core.model.pose import Array
from .members import CodecError, JsonObject
from .omi.joint import JointsDocument, document_from_json, settings_from_json

Flags = NDArray[np.bool_]
_LIMIT_NUMBERS = {"min": -math.inf, "max": math.inf, "stiffness": math.inf, "damping": 0.0}
_DRIVE_NUMBERS = {
    "maxForce": math.inf,
    "positionTarget": math.nan,
    "velocityTarget": math.nan,
    "stiffness": 0.0,
    "damping": 0.0,
}
_AXES = ("linearAxes", "angularAxes")
_WORDS = {"type": frozenset(DriveType), "mode": frozenset(DriveMode)}
_AXIS: dict[Any, int] = {0: 0, 1: 1, 2: 2}
_SETTINGS_NAMES = frozenset(("name", "limits", "drives"))
_HALF_TURN = math.pi * (1.0 + 1e-6)
_LISTS = {
    axes: np.isin(range(3), axes).astype(np.intp)
    for count in (1, 2, 3)
    for axes in combinations(range(3), count)
}
"""Flags of each list of axes that is in order."""
SOUND = JointSettings(limits=(JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),))
"""Stands for settings that are plainly sound."""


def screened_document(value: Any, pointer: str) -> tuple[JointsDocument, list[Finding]]:
    """Return the document's settings, where they are plainly sound by one that stands for them."""
    elements = value.get("physicsJoints") if isinstance(value, dict) else None
    if not isinstance(elements, list):
        return document_from_json(value, pointer)
    document, findings = document_from_json(value | {"physicsJoints": []}, pointer)
    settings: list[JointSettings | None] = []
    for index, is_sound in enumerate(plainly_sound(elements).tolist()):
        element: JointSettings | None = SOUND
        found: list[Finding] = []
        if not is_sound:
            place = f"{pointer}/physicsJoints/{index}"
            element, found = _settings(elements[index], place)
        settings.append(element)
        findings += found
    return replace(document, settings=tuple(settings)), findings


def _settings(element: Any, place: str) -> tuple[JointSettings | None, list[Finding]]:
    try:
        return settings_from_json(element, place)
    except CodecError as error:
        return None, [error.finding]


def plainly_sound(elements: Sequence[Any]) -> Flags:
    """Return which elements of `physicsJoints` are plainly sound, shape (n,)."""
    sound = np.array([_is_plain(element) for element in elements], dtype=np.bool_)
    if not sound.any():
        return sound
    limits = _Rows(elements, sound, "limits", {*_AXES, *_LIMIT_NUMBERS})
    drives = _Rows(elements, sound, "drives", {"axis", *_WORDS, *_DRIVE_NUMBERS})
    ranges = _screen_limits(limits, sound)
    _screen_drives(drives, sound, ranges)
    return sound


def _is_plain(element: Any) -> bool:
    """Return whether an element has known members of the right types and says anything."""
    if type(element) is not dict or not element.keys() <= _SETTINGS_NAMES:
        return False
    limits, drives = element.get("limits", []), element.get("drives", [])
    return (
        type(limits) is list
        and type(drives) is list
        and bool(limits or drives)
        and type(element.get("name", "")) is str
    )


class _Rows:
    """Limits or drives of all elements, those with the same members together."""

    def __init__(self, elements: Sequence[Any], sound: Flags, name: str, known: set[str]) -> None:
        groups: defaultdict[tuple[str, ...], list[tuple[int, JsonObject]]] = defaultdict(list)
        for owner in np.flatnonzero(sound).tolist():
            for row in elements[owner].get(name, ()):
                if type(row) is dict:
                    groups[tuple(row)].append((owner, row))
                else:
                    sound[owner] = False
        self.groups = []
        for names, rows in groups.items():
            owners = np.array([owner for owner, _ in rows], dtype=np.intp)
            if known.issuperset(names):
                self.groups.append((owners, [row for _, row in rows]))
            else:
                sound[owners] = False


def _screen_limits(limits: _Rows, sound: Flags) -> Array:
    """Unmark elements by their limits; return the range of each axis, shape (n, 2, 3, 2)."""
    ranges = np.empty((len(sound), 2, 3, 2))
    ranges[..., 0], ranges[..., 1] = -math.inf, math.inf
    named = np.zeros((len(sound), 2, 3), dtype=np.intp)
    for owners, rows in limits.groups:
        numbers = _numbers(rows, _LIMIT_NUMBERS)
        axes = _axes(rows)
        if numbers is None or axes is None:
            sound[owners] = False
            continue
        low, high = numbers["min"], numbers["max"]
        sound[owners[~_are_limits_sound(numbers, axes)]] = False
        np.add.at(named, owners, axes)
        row, kind, axis = np.nonzero(axes)
        several = axes.sum(axis=2)[row, kind] > 1
        ranges[owners[row], kind, axis, 0] = np.where(several, -high[row], low[row])
        ranges[owners[row], kind, axis, 1] = high[row]
    sound[(named > 1).any(axis=(1, 2))] = False
    return ranges


def _are_limits_sound(numbers: dict[str, Array], axes: NDArray[np.intp]) -> Flags:
    """Return which limits no rule finds fault with; `axes` are flags of shape (k, 2, 3)."""
    low, high = numbers["min"], numbers["max"]
    count = axes.sum(axis=2)
    is_bounded = np.isfinite(low) | np.isfinite(high)
    is_firm = np.isinf(numbers["stiffness"]) | (numbers["damping"] > 0.0)
    is_together = (count > 1).any(axis=1)
    is_mixed = (count > 0).all(axis=1)
    is_zero = (low == 0.0) & (high == 0.0)
    bounds = np.stack((-low, high))
    reach = np.where(np.isfinite(bounds), bounds, 0.0).max(axis=0)
    return np.asarray(
        (count.sum(axis=1) > 0)
        & is_bounded
        & is_firm
        & (numbers["stiffness"] >= 0.0)
        & (numbers["damping"] >= 0.0)
        & (low <= 0.0)
        & (high >= 0.0)
        & (~is_together | np.isneginf(low) | (low == 0.0))
        & (~is_mixed | is_zero)
        & ((count[:, 1] == 0) | (reach <= _HALF_TURN))
    )


def _screen_drives(drives: _Rows, sound: Flags, ranges: Array) -> None:
    """Unmark elements by their drives, of which there may be one for each axis."""
    named = np.zeros((len(sound), 2, 3), dtype=np.intp)
    for owners, rows in drives.groups:
        numbers = _numbers(rows, _DRIVE_NUMBERS)
        axis = [row.get("axis") for row in rows]
        if numbers is None or not _have_words(rows) or not set(map(type, axis)) <= {int}:
            sound[owners] = False
            continue
        axes = np.array([_AXIS.get(number, -1) for number in axis], dtype=np.intp)
        kind = np.array([row["type"] == DriveType.ANGULAR for row in rows], dtype=np.intp)
        bounds = ranges[owners, kind, axes]
        is_sound = (axes >= 0) & _are_drives_sound(numbers, bounds)
        sound[owners[~is_sound]] = False
        np.add.at(named, (owners, kind, axes), 1)
    sound[(named > 1).any(axis=(1, 2))] = False


def _are_drives_sound(numbers: dict[str, Array], bounds: Array) -> Flags:
    """Return which drives no rule finds fault with; `bounds` are of their axes, shape (k, 2)."""
    position, velocity = numbers["positionTarget"], numbers["velocityTarget"]
    is_spring, is_motor = ~np.isnan(position), ~np.isnan(velocity)
    target = np.where(is_spring, position, 0.0)
    return np.asarray(
        (is_spring | is_motor)
        & (~is_spring | (numbers["stiffness"] > 0.0))
        & (~is_motor | (numbers["damping"] > 0.0))
        & (numbers["stiffness"] >= 0.0)
        & (numbers["damping"] >= 0.0)
        & (numbers["maxForce"] > 0.0)
        & (bounds[:, 0] < bounds[:, 1])
        & (bounds[:, 0] <= target)
        & (target <= bounds[:, 1])
    )


def _numbers(rows: Sequence[JsonObject], defaults: dict[str, float]) -> dict[str, Array] | None:
    """Return number members as arrays, None where one of them is no finite number."""
    arrays = {}
    for name, default in defaults.items():
        if name not in rows[0]:
            arrays[name] = np.full(len(rows), default)
            continue
        values = [row[name] for row in rows]
        if not set(map(type, values)) <= {int, float}:
            return None
        try:
            arrays[name] = np.array(values, dtype=float)
        except OverflowError:
            return None
        if not np.isfinite(arrays[name]).all():
            return None
    return arrays


def _axes(rows: Sequence[JsonObject]) -> NDArray[np.intp] | None:
    """Return flags of linear and angular axes, shape (k, 2, 3), None where a list is unusual."""
    flags = np.zeros((len(rows), 2, 3), dtype=np.intp)
    for kind, name in enumerate(_AXES):
        if name not in rows[0]:
            continue
        lists = [row[name] for row in rows]
        if set(map(type, lists)) != {list} or set(map(type, chain.from_iterable(lists))) != {int}:
            return None
        found = [_LISTS.get(tuple(axes)) for axes in lists]
        if any(mask is None for mask in found):
            return None
        flags[:, kind] = found
    return flags


def _have_words(rows: Sequence[JsonObject]) -> bool:
    """Return whether all rows have known types and modes."""
    for name, known in _WORDS.items():
        values = [row.get(name) for row in rows]
        if not set(map(type, values)) <= {str} or not known.issuperset(values):
            return False
    return True
