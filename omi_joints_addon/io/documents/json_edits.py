"""The text of a JSON file as spans by JSON pointer, and edits of it as splices.

Comments and superfluous commas, which Shift's own files have, are passed over and stay.
"""

import json
import re
from codecs import BOM_UTF8 as BOM
from dataclasses import dataclass, field
from typing import Any

from .splices import UneditableError, spliced

_BLANK = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_ATOM = re.compile(r"[^\s,\]}/]+")
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
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Start and end of each value by its pointer."""
    _text: str = ""
    _last: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Start and end of the last member of each container, its name included."""
    _splices: dict[tuple[int, int], str] = field(default_factory=dict)
    _starts: dict[str, int] = field(default_factory=dict)
    """Start of the name of each member."""

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
            self._splices[self.spans[pointer]] = _text(value)
            return
        holder, _, name = pointer.rpartition("/")
        word = json.dumps(name.replace("~1", "/").replace("~0", "~"), ensure_ascii=False)
        self._append(holder, f"{word}: {_text(value)}")

    def result(self) -> bytes:
        """Return the bytes of the edited text."""
        body = spliced(self._text, self._splices.items()).encode()
        return BOM + body if self.data.startswith(BOM) else body

    def _append(self, holder: str, member: str) -> None:
        start, end = self.spans[holder]
        last = self._last.get(holder)
        if last is None:
            key = (start + 1, end - 1)
            before = self._splices.get(key)
            self._splices[key] = member if before is None else f"{before}, {member}"
            return
        lead = _LEAD.search(self._text, 0, last[0])
        key = (last[1], last[1])
        self._splices[key] = self._splices.get(key, "") + f",{lead[0] if lead else ' '}{member}"

    def _scan(self) -> None:
        stack: list[_Container] = []
        at, pointer, start = self._skip(0), "", 0
        while True:
            if self._text[at] in "{[":
                stack.append(_Container(pointer, at, self._text[at] == "["))
                at = self._skip(at + 1)
            else:
                at = self._atom(pointer, at)
                self._close(stack, start, at)
            following = self._next(stack, at)
            if following is None:
                return
            start, pointer, at = following

    def _atom(self, pointer: str, at: int) -> int:
        pattern = _STRING if self._text[at] == '"' else _ATOM
        match = pattern.match(self._text, at)
        if match is None:
            raise ValueError(at)
        self.spans[pointer] = (at, match.end())
        return match.end()

    def _close(self, stack: list[_Container], start: int, end: int) -> None:
        if stack:
            self._last[stack[-1].pointer] = (start, end)

    def _next(self, stack: list[_Container], at: int) -> tuple[int, str, int] | None:
        """Return start, pointer and place of the value of the next member, None at the end."""
        at = self._skip(at)
        while stack:
            if self._text[at] == ",":
                at = self._skip(at + 1)
            if self._text[at] not in "]}":
                return self._member(stack[-1], at)
            done = stack.pop()
            self.spans[done.pointer] = (done.start, at + 1)
            if stack:
                self._last[stack[-1].pointer] = (self._starts.pop(done.pointer, done.start), at + 1)
            at = self._skip(at + 1)
        return None

    def _member(self, holder: _Container, at: int) -> tuple[int, str, int]:
        if holder.is_list:
            pointer = f"{holder.pointer}/{holder.count}"
            holder.count += 1
            return at, pointer, at
        match = _STRING.match(self._text, at)
        if match is None:
            raise ValueError(at)
        name = json.loads(match[0]).replace("~", "~0").replace("/", "~1")
        pointer = f"{holder.pointer}/{name}"
        self._starts[pointer] = at
        return at, pointer, self._skip(self._skip(match.end()) + 1)

    def _skip(self, at: int) -> int:
        match = _BLANK.match(self._text, at)
        return match.end() if match is not None else at


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
