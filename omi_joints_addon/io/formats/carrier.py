"""What a document carries for this program only, used while the rest of it is unchanged.

A carrier is text, or a JSON object, beside the members that other programs read, with a digest of
them: once somebody edits those, the carrier counts no longer.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from ...core.model.plain import JsonObject

T = TypeVar("T")
_SHORTEST = 16
"""Digits of the digests in URDF, and in glTF for Godot, of version 0.1.0."""


class Carried(Generic[T]):
    """One kind of value that documents carry as text."""

    def __init__(self, parse: Callable[[str], T]) -> None:
        """`parse` raises errors of Python's own on what it does not understand."""
        self._parse = parse

    def read(self, text: str | None, *, is_unchanged: bool) -> T | None:
        """Return the value; None where it is absent, damaged or not about what is there now."""
        if text is None or not is_unchanged:
            return None
        try:
            return self._parse(text)
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError):
            return None


def carrier(values: Mapping[str, Any], members: Mapping[str, Any]) -> JsonObject:
    """Return the carrier of some plain JSON values (`plain`) beside the standard members."""
    return {**values, "digest": digest(json_text(members))}


def carried_of(value: object, members: Mapping[str, Any]) -> JsonObject | None:
    """Return the values of a carrier; None where it is damaged, or the members were edited."""
    if not isinstance(value, dict) or not is_digest(value.get("digest"), json_text(members)):
        return None
    return {name: item for name, item in value.items() if name != "digest"}


def json_text(members: Mapping[str, Any]) -> str:
    """Return JSON members as text, whatever their order."""
    return _ENCODER.encode(members)


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str)


def digest(text: str) -> str:
    """Return a digest of text."""
    # Half a tenth of a second, which most files need not pay.
    import hashlib

    return hashlib.sha256(text.encode(errors="xmlcharrefreplace")).hexdigest()[:32]


def is_digest(value: object, text: str) -> bool:
    """Return whether a value is the digest of text, or its beginning as older files have it."""
    return isinstance(value, str) and len(value) >= _SHORTEST and digest(text).startswith(value)
