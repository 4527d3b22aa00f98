"""Text of a Shift file to JSON, with the comments and trailing commas of Shift's own files."""

import json
from typing import Any

from ....core.findings.sentence import Sentence
from ....core.model.numbers import LARGEST
from ....core.model.plain import JsonObject
from ...documents.json_edits import plain_json
from ..format import UnreadableError

_DIGITS = 16
"""Of whole numbers that are used; Python itself refuses those of thousands."""


def document_of_text(text: bytes) -> JsonObject:
    """Return the JSON object of a file; raises `UnreadableError`."""
    try:
        plain = text.decode("utf-8-sig")
        document = _parsed(plain)
    except UnicodeDecodeError as error:
        raise UnreadableError(
            Sentence("is not UTF-8 text (byte {start})", start=error.start)
        ) from error
    except RecursionError as error:
        raise UnreadableError("has JSON that is nested too deeply") from error
    except ValueError as error:
        raise UnreadableError(Sentence("is not valid JSON: {error}", error=error)) from error
    if not isinstance(document, dict):
        raise UnreadableError("is not a Shift model: the JSON is not an object")
    if not isinstance(document.get("assemblies"), list):
        raise UnreadableError("is not a Shift model: it has no list of assemblies")
    return document


def _parsed(text: str) -> Any:
    """Return the JSON value of a text, strictly where possible, else without comments."""
    try:
        return _loads(text)
    except json.JSONDecodeError:
        return _loads(plain_json(text))


def _loads(text: str) -> Any:
    """Return the value of a JSON text; numbers that JSON does not have stay text."""
    return json.loads(text, parse_constant=str, parse_float=_usable, parse_int=_whole)


def _whole(text: str) -> int | str:
    return int(text) if len(text) < _DIGITS else text


def _usable(text: str) -> float | str:
    # Every number of a file passes here, as `core.model.numbers.is_usable` would judge it.
    number = float(text)
    return number if -LARGEST <= number <= LARGEST else text
