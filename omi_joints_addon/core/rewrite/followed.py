"""Where a number of a joint is after its limits and drives have changed: for what animates it."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from ..model.joint import JointDrive, JointSettings

KINDS = ("limits", "drives")
_LOW, _HIGH = 0.37, 0.59
"""Where in the range of a limit the values lie that are followed through a rewriting."""


@dataclass(frozen=True, slots=True)
class Member:
    """A number of a joint's settings."""

    kind: str
    """`limits` or `drives`."""
    number: int
    """Number of the limit or drive."""
    member: str
    """Name of the number in `JointLimit` or `JointDrive`."""


@dataclass(frozen=True, slots=True)
class Followed:
    """Where a number is afterwards."""

    place: Member
    factor: float = 1.0
    """-1 where it has changed its sign."""


Follow = Callable[[Member], Followed | None]
"""Returns where a number is afterwards, None where it is gone."""


def is_used(element: Any, member: str) -> bool:
    """Return whether a limit or drive has a number: what is switched off stays so."""
    value = getattr(element, member)
    return value is not None and bool(math.isfinite(value))


def by_order(kind: str, order: Sequence[int]) -> Follow:
    """Follow numbers through a list of limits or drives in another order.

    `order` has for each element afterwards its number before; of duplicates the first counts.
    """

    def follow(place: Member) -> Followed | None:
        if place.kind != kind:
            return Followed(place)
        if place.number not in order:
            return None
        return Followed(replace(place, number=order.index(place.number)))

    return follow


def by_axes(before: JointSettings, after: JointSettings) -> Follow:
    """Follow numbers to the limits and drives of the same axes in settings that replace others."""
    numbers = {kind: _same(getattr(before, kind), getattr(after, kind)) for kind in KINDS}

    def follow(place: Member) -> Followed | None:
        number = numbers[place.kind].get(place.number)
        if number is None:
            return None
        was = getattr(before, place.kind)[place.number]
        now = getattr(after, place.kind)[number]
        if is_used(was, place.member) and not is_used(now, place.member):
            return None
        return Followed(replace(place, number=number))

    return follow


def by_rewriting(
    before: JointSettings, rewrite: Callable[[JointSettings], JointSettings]
) -> Follow:
    """Follow numbers through a function of settings, by what it does to two values of each."""

    def follow(place: Member) -> Followed | None:
        if place.number >= len(getattr(before, place.kind)):
            return None
        low, high = _samples(before, place)
        try:
            one, other = rewrite(_with(before, place, low)), rewrite(_with(before, place, high))
        except ValueError:
            return None
        for now in _places(one):
            first, second = _value(one, now), _value(other, now)
            if first != second and None not in (first, second):
                return Followed(now, round((second - first) / (high - low), 6))
        return None

    return follow


def _same(before: Sequence[Any], after: Sequence[Any]) -> dict[int, int]:
    """Return by the number of each element that of the one of the same axes, each once."""
    now = list(map(_axes, after))
    found: dict[int, int] = {}
    for number, element in enumerate(before):
        axes = _axes(element)
        wanted = [number, *range(len(now))]
        free = (n for n in wanted if n < len(now) and now[n] == axes and n not in found.values())
        if (same := next(free, None)) is not None:
            found[number] = same
    return found


def _axes(element: Any) -> tuple[object, ...]:
    if isinstance(element, JointDrive):
        return str(element.type), element.axis
    return frozenset(element.linear_axes), frozenset(element.angular_axes)


def _samples(settings: JointSettings, place: Member) -> tuple[float, float]:
    """Return two values of a number that leave a range of a limit where it is."""
    element = getattr(settings, place.kind)[place.number]
    if place.member not in {"min", "max"}:
        return 1.0 + _LOW, 1.0 + _HIGH
    low = element.min if math.isfinite(element.min) else min(0.0, element.max) - 1.0
    high = element.max if math.isfinite(element.max) else max(0.0, low) + 1.0
    low, high = (low, high) if math.isfinite(low) and low < high else (high - 1.0, high)
    return low + _LOW * (high - low), low + _HIGH * (high - low)


def _with(settings: JointSettings, place: Member, value: float) -> JointSettings:
    elements = list(getattr(settings, place.kind))
    elements[place.number] = replace(elements[place.number], **{place.member: value})
    changed: Any = {place.kind: tuple(elements)}
    return replace(settings, **changed)


def _places(settings: JointSettings) -> Iterator[Member]:
    for kind in KINDS:
        for number, element in enumerate(getattr(settings, kind)):
            for field in fields(element):
                if isinstance(getattr(element, field.name), float):
                    yield Member(kind, number, field.name)


def _value(settings: JointSettings, place: Member) -> Any:
    elements = getattr(settings, place.kind)
    return getattr(elements[place.number], place.member) if place.number < len(elements) else None
