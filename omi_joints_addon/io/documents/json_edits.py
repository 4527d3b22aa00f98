"""The text of a JSON file as spans by JSON pointer, and edits of it as splices.

Comments and superfluous commas, which Shift's own files have, are passed over and stay. Places are
looked for where they are asked for: the standard library's parser steps over all else.
"""

import json
import re
from codecs import BOM_UTF8 as BOM
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from .splices import Span, UneditableError, spliced

_STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STRING_OR_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')
_BLANK = re.compile(r"[ \t\r\n]*")
_LEAD = re.compile(r"[ \t\r\n]*$")


def _counted(pairs: list[tuple[str, Any]]) -> int:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("an object has two members of one name")
    return len(pairs)


_DECODER = json.JSONDecoder(parse_int=str, object_pairs_hook=_counted)


class _Place(NamedTuple):
    """Where a value begins in the text."""

    member: int
    """With its name, where it is a member of an object."""
    value: int


class JsonEdits:
    """Edits of one text.

    Raises `UneditableError` for text whose members have no certain places.
    """

    def __init__(self, data: bytes) -> None:
        self._bom = BOM if data.startswith(BOM) else b""
        self._set: dict[str, str] = {}
        """New texts of values."""
        self._removed: set[str] = set()
        self._added: dict[str, list[str]] = {}
        """Texts of new members of containers."""
        try:
            self._text = self._plain = data.removeprefix(BOM).decode("utf-8")
            try:
                _DECODER.decode(self._text)
            except json.JSONDecodeError:
                self._plain = plain_json(self._text)
                _DECODER.decode(self._plain)
        except (ValueError, RecursionError) as error:
            raise UneditableError("the JSON is not understood") from error
        start = _after_space(self._plain, 0)
        self._places = {"": _Place(start, start)}
        """Places of the values that were asked for, and of those on the way, by pointer."""
        self._walks: dict[str, Iterator[tuple[str, _Place]]] = {}
        """Where the search in each container goes on."""

    def span(self, pointer: str) -> Span | None:
        """Return start and end of a value, None for one that the text does not have."""
        place = self._place(pointer)
        return None if place is None else (place.value, self._end(place.value))

    def set(self, pointer: str, value: Any) -> None:
        """Set a value; a member that there is not yet becomes the last of its object."""
        if self._place(pointer) is not None:
            self._set[pointer] = _text(value)
            return
        holder, _, name = pointer.rpartition("/")
        word = json.dumps(unescaped(name), ensure_ascii=False)
        self._added.setdefault(holder, []).append(f"{word}: {_text(value)}")

    def append(self, pointer: str, value: Any) -> None:
        """Put a value at the end of a list."""
        self._added.setdefault(pointer, []).append(_text(value))

    def remove(self, pointer: str) -> None:
        """Take out a member of an object or of a list, with the comma that parts it."""
        self._removed.add(pointer)

    def result(self) -> bytes:
        """Return the bytes of the edited text."""
        spans = ((self.span(pointer), text) for pointer, text in self._set.items())
        splices = [(span, text) for span, text in spans if span is not None]
        for holder in {*self._added, *(each.rpartition("/")[0] for each in self._removed)}:
            splices += self._splices_of(holder)
        return self._bom + spliced(self._text, splices).encode()

    def _splices_of(self, holder: str) -> Iterator[tuple[Span, str]]:
        """Yield what changes in the members of a container."""
        place = self._place(holder)
        if place is None:
            return
        added = self._added.get(holder, [])
        members = [
            (member, f"{holder}/{name}" in self._removed)
            for name, member in self._members(place.value)
        ]
        kept = [member for member, is_removed in members if not is_removed]
        if not kept:
            yield (place.value + 1, self._end(place.value) - 1), ", ".join(added)
            return
        last = self._end(kept[-1].value)
        for (one, is_removed), (following, _) in pairwise(members):
            if is_removed and one.member < last:
                yield (one.member, following.member), ""
        final, is_removed = members[-1]
        lead = _LEAD.search(self._text, 0, final.member)
        gap = lead[0] if lead else " "
        end = self._end(final.value) if is_removed else last
        yield (last, end), "".join(f",{gap}{member}" for member in added)

    def _place(self, pointer: str) -> _Place | None:
        """Return where a value begins, None for one that the text does not have."""
        holder, _, name = pointer.rpartition("/")
        if pointer not in self._places and pointer:
            above = self._place(holder)
            if above is not None and holder not in self._walks:
                self._walks[holder] = self._members(above.value)
            for word, place in self._walks.get(holder, ()):
                self._places[f"{holder}/{word}"] = place
                if word == name:
                    break
        return self._places.get(pointer)

    def _end(self, start: int) -> int:
        """Return the end of the value at a place."""
        return _DECODER.raw_decode(self._plain, start)[1]

    def _members(self, start: int) -> Iterator[tuple[str, _Place]]:
        """Yield the members of the container at a place, none of another value."""
        plain, count = self._plain, 0
        is_object = plain[start] == "{"
        at = _after_space(plain, start + 1) if plain[start] in "{[" else -1
        while at >= 0 and plain[at] not in "}]":
            begin, name = at, str(count)
            if is_object:
                word, at = _DECODER.raw_decode(plain, at)
                name, at = escaped(word), _after_space(plain, _after_space(plain, at) + 1)
            yield name, _Place(begin, at)
            at = _after_space(plain, self._end(at))
            at = _after_space(plain, at + 1) if plain[at] == "," else at
            count += 1


def plain_json(text: str) -> str:
    """Return a JSON text with spaces for its comments and superfluous commas."""
    return _STRING_OR_COMMA.sub(_blanked, _STRING_OR_COMMENT.sub(_blanked, text))


def _blanked(match: re.Match[str]) -> str:
    return match[1] or " " * len(match[0])


def _after_space(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return at if match is None else match.end()


def escaped(name: str) -> str:
    """Return a name as a word of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def unescaped(word: str) -> str:
    """Return the name that a word of a JSON pointer stands for."""
    return word.replace("~1", "/").replace("~0", "~")


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
