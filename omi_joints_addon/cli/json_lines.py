"""Lines of a JSON text that pointers lead to."""

from bisect import bisect_right
from codecs import BOM_UTF8 as BOM
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

from ..io.documents.json_edits import JsonEdits
from ..io.documents.splices import UneditableError
from ..io.files import opened

_LARGEST = 16 * 2**20
"""Bytes of text that are searched for places, which takes about a second."""


def lines_of(file: Path, pointers: Sequence[str]) -> list[int]:
    """Return the line, from 1, of each pointer's value; 1 where the file is not such a text."""
    with opened(file) as stream:
        data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST or not data.removeprefix(BOM).lstrip().startswith(b"{"):
        return [1] * len(pointers)
    try:
        edits = JsonEdits(data)
    except UneditableError:
        return [1] * len(pointers)
    text = data.removeprefix(BOM).decode("utf-8")
    ends = list(accumulate(len(line) for line in text.splitlines(keepends=True)))
    return [bisect_right(ends, (edits.span(pointer) or (0, 0))[0]) + 1 for pointer in pointers]
