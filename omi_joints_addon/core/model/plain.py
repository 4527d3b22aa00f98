"""Core values as plain JSON and back, for what a format carries of them.

Members are named as the fields; those at their defaults are left out. Infinities are the texts
"inf" and "-inf", since JSON has none.
"""

import json
import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")
JsonObject = dict[str, Any]
"""A JSON object that has been found to be one.

Its members are `Any`: a recursive type would take a cast at each step of a walk through a document.
A value that nobody has looked at yet is `object` instead, so that a codec has to check it.
"""


def value_to_plain(value: object) -> Any:
    """Return dataclasses as objects without their defaults, tuples as lists, infinities as text."""
    return _plainer(type(value))(value)  # type: ignore[arg-type]


@cache
def _plainer(kind: type) -> Callable[[Any], Any]:
    """Return what makes the values of a type plain."""
    if issubclass(kind, float):
        return lambda value: value if math.isfinite(value) else str(value)
    if issubclass(kind, str):
        return str
    if issubclass(kind, tuple | list):
        return _plain_list
    return partial(_plain_object, _defaults(kind)) if is_dataclass(kind) else lambda value: value


def _plain_list(values: Iterable[object]) -> list[Any]:
    return list(map(value_to_plain, values))


def _plain_object(defaults: tuple[tuple[str, Any], ...], value: object) -> JsonObject:
    return {
        name: _plainer(type(item))(item)  # type: ignore[arg-type]
        for name, default in defaults
        if (item := getattr(value, name)) is not default and item != default
    }


def value_from_plain(kind: type[T], data: object) -> T:
    """Return the value of a dataclass from its members; raises `ValueError` on any other form."""
    if not isinstance(data, dict):
        raise ValueError(f"{kind.__name__} must be an object")
    members = _members(kind)  # type: ignore[arg-type]
    if not data.keys() <= members.keys():
        raise ValueError(f"{kind.__name__} has no {min(data.keys() - members.keys())}")
    try:
        return kind(**{name: members[name](item) for name, item in data.items()})
    except TypeError as error:
        raise ValueError(str(error)) from error


def text_from_value(value: object) -> str:
    """Return a dataclass as JSON text."""
    return json.dumps(value_to_plain(value), separators=(",", ":"), sort_keys=True)


def value_from_text(kind: type[T], text: str) -> T:
    """Return the value of a dataclass from JSON text; raises `ValueError` on any other text."""
    return value_from_plain(kind, object_from_text(text))


def object_from_text(text: str) -> JsonObject:
    """Return the object of a JSON text; raises `ValueError` on any other text."""
    try:
        found = _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(found, dict):
        raise ValueError("it is not an object")
    return found


def kept_object(text: str) -> JsonObject:
    """Return the object of a JSON text that was kept; empty where that is empty or damaged."""
    try:
        return object_from_text(text) if text else {}
    except ValueError:
        return {}


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not a number in JSON")


_DECODER = json.JSONDecoder(parse_constant=_refused)


_Read = Callable[[Any], Any]
"""Returns data as a value; raises `ValueError`."""


@cache
def _defaults(kind: type) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (each.name, each.default if each.default_factory is MISSING else each.default_factory())
        for each in fields(kind)
    )


@cache
def _members(kind: type) -> dict[str, _Read]:
    """Return what reads the fields of a dataclass, by their names."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: _reader(hint) for name, hint in hints.items()}


def _reader(hint: Any) -> _Read:
    arguments = get_args(hint)
    if get_origin(hint) is Annotated:
        return partial(_one_of, arguments[1], _reader(arguments[0]))
    if isinstance(hint, UnionType):
        kinds = [_reader(kind) for kind in arguments if kind is not NoneType]
        return partial(_optional, kinds[0]) if NoneType in arguments else kinds[0]
    if get_origin(hint) is tuple:
        if arguments[-1] is ...:
            return partial(_items, _reader(arguments[0]))
        return partial(_fields, tuple(map(_reader, arguments)))
    if is_dataclass(hint):
        return partial(value_from_plain, hint)  # type: ignore[arg-type]
    return _number if hint is float else partial(_value, hint)


def _one_of(allowed: Collection[Any], read: _Read, data: object) -> Any:
    value = read(data)
    if value not in allowed:
        raise ValueError(f"{value!r} is not one of {allowed}")
    return value


def _optional(read: _Read, data: object) -> Any:
    return None if data is None else read(data)


def _items(read: _Read, data: object) -> tuple[Any, ...]:
    return tuple(map(read, _list(data)))


def _fields(reads: tuple[_Read, ...], data: object) -> tuple[Any, ...]:
    if len(reads) != len(_list(data)):
        raise ValueError(f"{data!r} is not a list of {len(reads)}")
    return tuple(read(item) for read, item in zip(reads, _list(data), strict=True))


def _list(data: object) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError(f"{data!r} is not a list")
    return data


def _value(kind: type, data: object) -> Any:
    if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
        raise ValueError(f"{data!r} is not a valid {kind.__name__}")
    return data


def _number(data: object) -> float:
    if isinstance(data, float) and data == data:
        return data
    if isinstance(data, str) and data in ("inf", "-inf"):
        return float(data)
    if isinstance(data, bool) or not isinstance(data, int | float) or data != data:
        raise ValueError(f"{data!r} is not a number")
    try:
        return float(data)
    except OverflowError as error:
        raise ValueError("a number is too large") from error
