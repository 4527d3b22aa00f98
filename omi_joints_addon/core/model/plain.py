"""Core values as plain JSON and back, for what a format carries of them.

Members are named as the fields; those at their defaults are left out. Infinities are the texts
"inf" and "-inf", since JSON has none.
"""

import json
import math
from collections.abc import Collection
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
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
    if is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: value_to_plain(getattr(value, field.name))
            for field in fields(value)
            if getattr(value, field.name) != _default(field)
        }
    if isinstance(value, tuple | list):
        return [value_to_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return str(value) if isinstance(value, str) else value


def value_from_plain(kind: type[T], data: object) -> T:
    """Return the value of a dataclass from its members; raises `ValueError` on any other form."""
    if not isinstance(data, dict):
        raise ValueError(f"{kind.__name__} must be an object")
    hints = _hints(kind)  # type: ignore[arg-type]
    unknown = data.keys() - hints.keys()
    if unknown:
        raise ValueError(f"{kind.__name__} has no {min(unknown)}")
    try:
        return kind(**{name: _value(hints[name], item) for name, item in data.items()})
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
        found = json.loads(text, parse_constant=_refused)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(found, dict):
        raise ValueError("it is not an object")
    return found


def kept_object(text: str) -> JsonObject:
    """Return the object of a JSON text that was kept; empty where that is empty or damaged."""
    try:
        return object_from_text(text)
    except ValueError:
        return {}


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is not a number in JSON")


def _default(field: Any) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


@cache
def _hints(kind: object) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _value(hint: Any, data: Any) -> Any:
    """Return data as a value of a type hint; raises `ValueError`."""
    arguments = get_args(hint)
    if get_origin(hint) is Annotated:
        return _one_of(arguments[1], _value(arguments[0], data))
    if isinstance(hint, UnionType):
        kinds = [kind for kind in arguments if kind is not NoneType]
        return None if data is None and NoneType in arguments else _value(kinds[0], data)
    if get_origin(hint) is tuple:
        return _tuple(arguments, data)
    if is_dataclass(hint):
        return value_from_plain(hint, data)  # type: ignore[arg-type]
    if hint is float:
        return _number(data)
    if not isinstance(data, hint) or (hint is int and isinstance(data, bool)):
        raise ValueError(f"{data!r} is not a valid {hint.__name__}")
    return data


def _one_of(allowed: Collection[Any], value: Any) -> Any:
    if value not in allowed:
        raise ValueError(f"{value!r} is not one of {allowed}")
    return value


def _tuple(arguments: tuple[Any, ...], data: object) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise ValueError(f"{data!r} is not a list")
    if arguments[-1] is ...:
        return tuple(_value(arguments[0], item) for item in data)
    if len(arguments) != len(data):
        raise ValueError(f"{data!r} is not a list of {len(arguments)}")
    return tuple(_value(hint, item) for hint, item in zip(arguments, data, strict=True))


def _number(data: object) -> float:
    if isinstance(data, str) and data in ("inf", "-inf"):
        return float(data)
    if isinstance(data, bool) or not isinstance(data, int | float) or data != data:
        raise ValueError(f"{data!r} is not a number")
    try:
        return float(data)
    except OverflowError as error:
        raise ValueError("a number is too large") from error
