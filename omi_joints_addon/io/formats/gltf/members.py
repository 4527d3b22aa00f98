"""Members of JSON objects: read with findings, carried where unknown, written strictly.

Members that a format does not define (extras, extensions, keys of a later version) are carried as
JSON object text in the order of the file, ASCII only and without NaN or infinity, so that Blender
can hold it as a property and nobody has to look inside.
"""

import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, NoReturn, TypeVar

from ....core.findings.finding import Finding, Rule
from ....core.model.numbers import double
from ....core.model.plain import JsonObject
from .rules import (
    CANNOT_BE_CARRIED,
    CONSTANTS_CARRIED,
    NOT_FINITE,
    TOO_SMALL,
    UNREADABLE,
    WRONG_TYPE,
)

_ABSENT: Any = object()
T = TypeVar("T")


class CodecError(ValueError):
    """A value that cannot be read or written at all."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(f"{pointer}: {message}")
        self.pointer = pointer
        """JSON pointer of the value."""
        self.message = message

    @property
    def finding(self) -> Finding:
        """The error as a finding."""
        return UNREADABLE(self.pointer, problem=self.message)


def read_or_none(
    read: Callable[[Any, str], tuple[T, list[Finding]]],
    value: object,
    pointer: str,
    findings: list[Finding],
) -> T | None:
    """Return what a codec makes of a value, None where it cannot; append what is wrong."""
    try:
        result, found = read(value, pointer)
    except CodecError as error:
        findings.append(error.finding)
        return None
    findings.extend(found)
    return result


def object_of(value: object, pointer: str) -> JsonObject:
    """Return `value` if it is an object; raises `CodecError`."""
    if not isinstance(value, dict):
        raise CodecError(pointer, f"must be an object, not {kind_of(value)}")
    return value


class Members:
    """Typed access to the members of one JSON object.

    A member that is absent or unusable reads as None; the unusable one also leaves a finding.
    """

    __slots__ = ("_rest", "findings", "pointer")

    def __init__(
        self, value: JsonObject, pointer: str, findings: list[Finding] | None = None
    ) -> None:
        self.pointer = pointer
        self.findings: list[Finding] = [] if findings is None else findings
        self._rest = dict(value)

    def peek(self, name: str) -> Any:
        """Return a member as it is, None where it is absent; it still counts as not asked for."""
        return self._rest.get(name)

    def number(self, name: str, *, minimum: float = -math.inf) -> float | None:
        """Return a finite number that is at least `minimum`."""
        value = self._rest.pop(name, _ABSENT)
        if value is _ABSENT:
            return None
        number = double(value)
        if number is not None and number >= minimum:
            return number
        if number is not None:
            self._find(TOO_SMALL, name, value=number, minimum=minimum)
        elif _is_number(value):
            self._find(NOT_FINITE, name)
        else:
            self._unusable(name, "a number", value)
        return None

    def numbers(
        self, table: Mapping[str, str], *, not_negative: Collection[str] = ()
    ) -> dict[str, float]:
        """Return the usable numbers by attribute; `table` maps attributes to members."""
        present = [(attribute, name) for attribute, name in table.items() if name in self._rest]
        found: dict[str, float] = {}
        for attribute, name in present:
            number = self.number(name, minimum=0.0 if attribute in not_negative else -math.inf)
            if number is not None:
                found[attribute] = number
        return found

    def vector(self, name: str, length: int) -> tuple[float, ...] | None:
        """Return an array of `length` finite numbers."""
        value = self._rest.pop(name, _ABSENT)
        if value is _ABSENT:
            return None
        numbers = [double(item) for item in value] if isinstance(value, list) else []
        finite = tuple(number for number in numbers if number is not None)
        if len(numbers) == len(finite) == length:
            return finite
        self._unusable(name, f"an array of {length} numbers", value)
        return None

    def index(self, name: str) -> int | None:
        """Return an index: an integer that is not negative."""
        value = self._rest.pop(name, _ABSENT)
        if value is _ABSENT:
            return None
        number = integer_of(value)
        if number is None or number < 0:
            self._unusable(name, "an index", value)
            return None
        return number

    def boolean(self, name: str) -> bool | None:
        """Return a boolean."""
        return self._typed(name, bool, "true or false")

    def text(self, name: str) -> str | None:
        """Return a text that is valid Unicode."""
        value = self._typed(name, str, "a text")
        return value and encodable(value)

    def array(self, name: str) -> list[Any]:
        """Return an array; absent or unusable reads as empty."""
        return self._typed(name, list, "an array") or []

    def nested(self, name: str) -> JsonObject | None:
        """Return an object."""
        return self._typed(name, dict, "an object")

    def elements(
        self, name: str, read: Callable[[Any, str], tuple[T, list[Finding]]]
    ) -> tuple[T | None, ...]:
        """Return the elements of an array by their codec; None is one that it cannot read."""
        return tuple(
            read_or_none(read, value, f"{self.pointer}/{name}/{index}", self.findings)
            for index, value in enumerate(self.array(name))
        )

    def carried(self) -> str:
        """Return the members that were not asked for as JSON object text; empty for none."""
        if not self._rest:
            return ""
        try:
            return _without_constants(self._rest, self)
        except (RecursionError, TypeError, ValueError):
            # Deeper than Python can write, or no JSON at all.
            self.findings.append(CANNOT_BE_CARRIED(self.pointer, names=_listed(self._rest)))
            return ""

    def _typed(self, name: str, kind: type[T], expected: str) -> T | None:
        value = self._rest.pop(name, _ABSENT)
        if value is _ABSENT or isinstance(value, kind):
            return None if value is _ABSENT else value
        self._unusable(name, expected, value)
        return None

    def _find(self, broken: Rule, name: str, **values: str | float) -> None:
        self.findings.append(broken(f"{self.pointer}/{name}", name=name, **values))

    def _unusable(self, name: str, expected: str, value: object) -> None:
        self._find(WRONG_TYPE, name, expected=expected, found=kind_of(value))


def integer_of(value: Any) -> int | None:
    """Return a JSON number that is an integer, 1.0 included, as an int."""
    if type(value) is int:
        return value
    if not _is_number(value) or (isinstance(value, float) and not value.is_integer()):
        return None
    return int(value)


def kind_of(value: object) -> str:
    """Return what kind of JSON value this is, in words."""
    kinds = {dict: "an object", list: "an array", str: "a text", bool: "a boolean"}
    if value is None:
        return "null"
    return kinds.get(type(value), "a number" if _is_number(value) else type(value).__name__)


def merged(known: JsonObject, carried: str, names: frozenset[str], pointer: str) -> JsonObject:
    """Return `known` followed by the carried members that are not among the format's own `names`.

    Raises `CodecError` where `carried` is not JSON object text.
    """
    if not carried:
        return known
    try:
        members = json.loads(carried, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise CodecError(pointer, f"carried members are not valid JSON: {error}") from error
    if not isinstance(members, dict):
        raise CodecError(pointer, "carried members are not a JSON object")
    return known | {name: value for name, value in members.items() if name not in names}


def changed_numbers(
    value: Any, table: Mapping[str, str], pointer: str, *, not_negative: Collection[str] = ()
) -> JsonObject:
    """Return the numbers of a dataclass that differ from their defaults.

    `table` maps attribute to member. Raises `CodecError` for NaN, infinities and negative values
    of the attributes `not_negative`.
    """
    defaults = _defaults(value.__class__)
    members: JsonObject = {}
    for attribute, name in table.items():
        number = getattr(value, attribute)
        if number is None or number == defaults[attribute]:
            continue
        if not math.isfinite(number):
            raise CodecError(f"{pointer}/{name}", f"{name} is {number}, which JSON cannot store")
        if number < 0.0 and attribute in not_negative:
            raise CodecError(f"{pointer}/{name}", f"{name} is {number}, it must not be negative")
        members[name] = float(number)
    return members


def _listed(members: JsonObject) -> str:
    return encodable(", ".join(members))


def encodable(text: str) -> str:
    """Return text that any output can encode: JSON escapes may stand for half characters."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    return {field.name: field.default for field in fields(kind)}


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _without_constants(members: JsonObject, reader: Members) -> str:
    """Return members as JSON text, NaN and infinities replaced by null with a finding."""
    replaced: list[str] = []
    plain = json.loads(json.dumps(members), parse_constant=replaced.append)
    if replaced:
        reader.findings.append(CONSTANTS_CARRIED(reader.pointer, names=_listed(members)))
    return json.dumps(plain, allow_nan=False)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
