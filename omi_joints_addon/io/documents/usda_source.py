"""The text of a layer with the places of its prims, properties and metadata.

Knows as much of the grammar of .usda as it takes to find statements; values stay text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from .splices import UneditableError

_SKIP = re.compile(r"(?:[ \t\r]+|\#[^\n]*)*")
_TOKEN = re.compile(
    r"(?P<line>\n)"
    r'|(?P<text>"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\''
    r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<value>@@@.*?@@@|@[^@\n]*@|<[^<>\n]*>|\[[^\[\]\"'@\#<]*\])"
    r"|(?P<mark>[()\[\]{}=;])"
    r"|(?P<word>[^\s\#\"'@<()\[\]{}=;]+)",
    re.DOTALL,
)
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_SPECIFIERS = ("def", "over", "class")
_LISTS = ("prepend", "append", "add", "delete", "reorder")


@dataclass(frozen=True, slots=True)
class Statement:
    """A property or a metadatum; places are counted in characters."""

    start: int
    end: int
    value: int
    """Where its value starts; `end` where it has none."""


@dataclass(slots=True)
class Block:
    """A prim, a variant, or the layer itself."""

    start: int = 0
    header: int = 0
    """End of what comes before its metadata and its body."""
    end: int = 0
    metadata: dict[str, Statement] = field(default_factory=dict)
    metadata_end: int | None = None
    """Where its metadata close; None where it has none."""
    properties: dict[str, Statement] = field(default_factory=dict)
    body: tuple[int, int] | None = None
    """Where its body opens and closes."""
    children: dict[str, "Block"] = field(default_factory=dict)
    """Prims by name, variants by set and name."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def scanned(text: str) -> Block:
    """Return the layer that a text holds; raises `UneditableError`."""
    return _Scanner(text).layer()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0
        self._length = len(text)

    def layer(self) -> Block:
        found = Block(end=self._length)
        self._skip_lines()
        if self._is("("):
            self._read_metadata(found)
        found.body = (0, self._length)
        self._read_body(found, "")
        return found

    def _read_body(self, block: Block, closing: str) -> None:
        while True:
            self._skip_lines()
            if self._at == len(self._tokens):
                if closing:
                    raise UneditableError
                return
            if closing and self._is(closing):
                return
            word = self._tokens[self._at].text
            if word in _SPECIFIERS:
                name, child = self._prim()
                block.children[name] = child
            elif word == "variantSet":
                self._read_variants(block)
            else:
                key, statement = self._statement(closing)
                block.properties[key] = statement

    def _prim(self) -> tuple[str, Block]:
        start = self._tokens[self._at].start
        while self._tokens[self._at].kind == "word":
            self._at += 1
        name = self._take("text")
        return name.text[1:-1], self._block(start, name.end)

    def _block(self, start: int, header: int) -> Block:
        """Read what is behind the name of a prim or a variant."""
        found = Block(start=start, header=header)
        self._skip_lines()
        if self._is("("):
            self._read_metadata(found)
            self._skip_lines()
        opening = self._take_mark("{")
        self._read_body(found, "}")
        closing = self._take_mark("}")
        found.body = opening.start, closing.start
        found.end = closing.end
        return found

    def _read_variants(self, block: Block) -> None:
        self._at += 1
        name = self._take("text").text[1:-1]
        self._take_mark("=")
        self._take_mark("{")
        self._skip_lines()
        while not self._is("}"):
            variant = self._take("text")
            child = self._block(variant.start, variant.end)
            block.children[f"{{{name}={variant.text[1:-1]}}}"] = child
            self._skip_lines()
        self._at += 1

    def _read_metadata(self, block: Block) -> None:
        self._take_mark("(")
        self._skip_lines()
        while not self._is(")"):
            key, statement = self._statement(")")
            block.metadata[key] = statement
            self._skip_lines()
        block.metadata_end = self._take_mark(")").start

    def _statement(self, closing: str) -> tuple[str, Statement]:
        """Read up to the end of the line, or of that which holds it."""
        first = self._at
        value = 0
        depth: list[str] = []
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            if not depth and (token.kind == "line" or token.text in (";", closing)):
                break
            if token.kind == "mark":
                _count(depth, token.text)
                if token.text == "=" and not depth and not value:
                    value = self._at + 1
            self._at += 1
        if self._at == first or depth:
            raise UneditableError
        last = self._tokens[self._at - 1]
        behind = self._tokens[value].start if 0 < value < self._at else last.end
        head = self._tokens[first : value - 1 if value else self._at]
        return _key(head), Statement(self._tokens[first].start, last.end, behind)

    def _skip_lines(self) -> None:
        while self._at < len(self._tokens) and (
            self._tokens[self._at].kind == "line" or self._tokens[self._at].text == ";"
        ):
            self._at += 1

    def _is(self, mark: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at].text == mark

    def _take(self, kind: str) -> _Token:
        if self._at == len(self._tokens) or self._tokens[self._at].kind != kind:
            raise UneditableError
        self._at += 1
        return self._tokens[self._at - 1]

    def _take_mark(self, mark: str) -> _Token:
        self._skip_lines()
        if not self._is(mark):
            raise UneditableError
        return self._take("mark")


def _tokens(text: str) -> Iterator[_Token]:
    skip, match = _SKIP.match, _TOKEN.match
    at = 0
    while True:
        blank = skip(text, at)
        at = at if blank is None else blank.end()
        if at == len(text):
            return
        found = match(text, at)
        if found is None:
            raise UneditableError
        at = found.end()
        yield _Token(found.lastgroup or "", found[0], found.start(), at)


def _count(depth: list[str], mark: str) -> None:
    if mark in _PAIRS:
        depth.append(_PAIRS[mark])
    elif mark in _PAIRS.values() and (not depth or depth.pop() != mark):
        raise UneditableError


def _key(head: list[_Token]) -> str:
    """Return what tells a statement from others of its prim: name, and how it changes lists."""
    words = []
    for token in head:
        if token.text == "(":
            break
        words.append(token)
    if not words:
        raise UneditableError
    if words[0].kind == "text":
        return "doc"
    lists = [token.text for token in words if token.text in _LISTS]
    return " ".join((*lists, words[-1].text))
