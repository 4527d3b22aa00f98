"""The text of a JSON file as spans by JSON pointer, and edits of it as splices.

Comments and superfluous commas, which Shift's own files have, are passed over and stay.
"""

import json
import re
from codecs import BOM_UTF8 as BOM
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from .splices import Span, UneditableError, spliced

_SPACE, _TEXT = r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", r'"(?:[^"\\]|\\.)*"'
_BLANK = re.compile(_SPACE, re.DOTALL)
_NAME = re.compile(rf"({_TEXT}){_SPACE}:{_SPACE}", re.DOTALL)
_ATOM = re.compile(rf'({_TEXT}|[^\s,\]}}/"]+){_SPACE}', re.DOTALL)
_LEAD = re.compile(r"[ \t\r\n]*$")


@dataclass(slots=True)
class _Container:
    """An object or a list that is being read."""

    pointer: str
    start: int
    is_list: bool
    count: int = 0


@dataclass(slots=True)
class JsonEdits:
    """Edits of one text.

    Raises `UneditableError` for text whose members have no certain places.
    """

    data: bytes
    spans: dict[str, Span] = field(default_factory=dict)
    """Start and end of each value by its pointer."""
    _text: str = ""
    _starts: dict[str, int] = field(default_factory=dict)
    """Start of each member, its name included, by its pointer."""
    _members: dict[str, list[str]] = field(default_factory=dict)
    """Pointers of the members of each container."""
    _set: dict[str, str] = field(default_factory=dict)
    """New texts of values."""
    _removed: set[str] = field(default_factory=set)
    _added: dict[str, list[str]] = field(default_factory=dict)
    """Texts of new members of containers."""

    def __post_init__(self) -> None:
        """Find the places of all values."""
        try:
            self._text = self.data.removeprefix(BOM).decode("utf-8")
            self._scan()
        except (UnicodeDecodeError, IndexError, AttributeError, ValueError) as error:
            raise UneditableError("the JSON is not understood") from error

    def set(self, pointer: str, value: Any) -> None:
        """Set a value; a member that there is not yet becomes the last of its object."""
        if pointer in self.spans:
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
        splices = [(self.spans[pointer], text) for pointer, text in self._set.items()]
        for holder in {*self._added, *(each.rpartition("/")[0] for each in self._removed)}:
            splices += self._splices_of(holder)
        body = spliced(self._text, splices).encode()
        return BOM + body if self.data.startswith(BOM) else body

    def _splices_of(self, holder: str) -> Iterator[tuple[Span, str]]:
        """Yield what changes in the members of a container."""
        members, added = self._members.get(holder, []), self._added.get(holder, [])
        kept = [each for each in members if each not in self._removed]
        if not kept:
            start, end = self.spans[holder]
            yield (start + 1, end - 1), ", ".join(added)
            return
        last = self.spans[kept[-1]][1]
        for one, following in pairwise(members):
            if one in self._removed and self._starts[one] < last:
                yield (self._starts[one], self._starts[following]), ""
        end = self.spans[members[-1]][1] if members[-1] in self._removed else last
        lead = _LEAD.search(self._text, 0, self._starts[members[-1]])
        gap = lead[0] if lead else " "
        yield (last, end), "".join(f",{gap}{member}" for member in added)

    def _scan(self) -> None:
        stack: list[_Container] = []
        at, pointer = self._skip(0), ""
        while True:
            if self._text[at] in "{[":
                stack.append(_Container(pointer, at, self._text[at] == "["))
                at = self._skip(at + 1)
            else:
                at = self._atom(pointer, at)
            following = self._next(stack, at)
            if following is None:
                return
            pointer, at = following

    def _atom(self, pointer: str, at: int) -> int:
        match = _ATOM.match(self._text, at)
        if match is None:
            raise ValueError(at)
        self.spans[pointer] = match.span(1)
        return match.end()

    def _next(self, stack: list[_Container], at: int) -> tuple[str, int] | None:
        """Return pointer and place of the value of the next member, None at the end."""
        while stack:
            if self._text[at] == ",":
                at = self._skip(at + 1)
            if self._text[at] not in "]}":
                return self._member(stack[-1], at)
            done = stack.pop()
            self.spans[done.pointer] = (done.start, at + 1)
            at = self._skip(at + 1)
        return None

    def _member(self, holder: _Container, at: int) -> tuple[str, int]:
        start = at
        if holder.is_list:
            name = str(holder.count)
            holder.count += 1
        else:
            match = _NAME.match(self._text, at)
            if match is None:
                raise ValueError(at)
            word, at = match[1], match.end()
            name = escaped(json.loads(word) if "\\" in word else word[1:-1])
        pointer = f"{holder.pointer}/{name}"
        self._starts[pointer] = start
        self._members.setdefault(holder.pointer, []).append(pointer)
        return pointer, at

    def _skip(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        return match.end() if match is not None else at


def escaped(name: str) -> str:
    """Return a name as a word of a JSON pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def unescaped(word: str) -> str:
    """Return the name that a word of a JSON pointer stands for."""
    return word.replace("~1", "/").replace("~0", "~")


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
