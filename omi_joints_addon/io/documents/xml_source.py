"""The text of an XML file as elements that know their place in it.

The standard library's parsers give no places of attributes, and refuse some of what MuJoCo and ROS
read: "--" in comments, no space between attributes, text after the root. A DOCTYPE is refused, so
there is no entity but the five of XML, and nothing expands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from .splices import UneditableError
from .xml_encoding import encoding_of

_MARKUP = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|(?P<declaration><!)"
    r"|</\s*(?P<close>[^\s>]+)\s*>|<(?P<open>[^\s/<>!?=\"']+)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"\s*([^\s=/<>\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.DOTALL)
_TAG_END = re.compile(r"\s*(/?)>")
_REFERENCE = re.compile(r"&(#x[0-9a-fA-F]+|#[0-9]+|lt|gt|amp|quot|apos);")
_SECTION = re.compile(r"(<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>)", re.DOTALL)
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


class Span(NamedTuple):
    """Where an attribute is in the text."""

    start: int
    """Of the white space before the name."""
    begin: int
    """Of the value, behind its quote."""
    end: int
    """Of the value; the quote follows."""


@dataclass(slots=True, eq=False)
class SourceElement:
    """An element and its places in the text."""

    tag: str
    start: int
    parent: "SourceElement | None" = None
    attrib: dict[str, str] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    children: "list[SourceElement]" = field(default_factory=list)
    head: int = 0
    """End of the start tag."""
    is_empty: bool = False
    """Whether the start tag closes itself."""
    close: int = 0
    """Start of the end tag, `head` where there is none."""
    end: int = 0
    content: str = ""
    """Text of an element without children, references resolved and comments left out."""

    def get(self, name: str, default: str = "") -> str:
        """Return the value of an attribute."""
        return self.attrib.get(name, default)

    def find(self, tag: str) -> "SourceElement | None":
        """Return the first child of a tag, None where there is none."""
        return next(self.findall(tag), None)

    def findall(self, *tags: str) -> "Iterator[SourceElement]":
        """Yield the children of some tags."""
        return (child for child in self.children if child.tag in tags)

    def iter(self) -> "Iterator[SourceElement]":
        """Yield the element and all below it, in the order of the text."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack += reversed(element.children)


class XmlSource:
    """The text of a file, its encoding and its elements.

    Raises `UneditableError` for text whose elements have no certain places.
    """

    def __init__(self, data: bytes) -> None:
        self.encoding = encoding_of(data)
        try:
            self.text = self.encoding.decoded(data)
        except (UnicodeDecodeError, LookupError):
            # Each byte keeps its place, and what is ASCII its meaning.
            self.encoding = self.encoding._replace(name="latin-1")
            self.text = self.encoding.decoded(data)
        self.root = _Scanner(self.text).root()


class _Scanner:
    """Reads the elements of a text once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[SourceElement] = []
        self._root: SourceElement | None = None

    def root(self) -> SourceElement:
        """Return the root; what follows it is only kept."""
        at = 0
        while self._root is None or self._open:
            at = self._text.find("<", at)
            match = _MARKUP.match(self._text, at) if at >= 0 else None
            if match is None or match["declaration"]:
                raise UneditableError(f"the XML at character {max(at, 0)} is not understood")
            if match["open"]:
                at = self._start(match["open"], at, match.end())
            else:
                if match["close"]:
                    self._end(match["close"], at, match.end())
                at = match.end()
        return self._root

    def _start(self, tag: str, start: int, at: int) -> int:
        parent = self._open[-1] if self._open else None
        element = SourceElement(tag, start, parent)
        while (match := _ATTRIBUTE.match(self._text, at)) is not None:
            group = 2 if match[2] is not None else 3
            if match[1] in element.spans:
                raise UneditableError(f"<{tag}> has {match[1]} twice")
            element.spans[match[1]] = Span(at, match.start(group), match.end(group))
            element.attrib[match[1]] = _value(match[group])
            at = match.end()
        end = _TAG_END.match(self._text, at)
        if end is None:
            raise UneditableError(f"the start of <{tag}> at character {start} is not understood")
        element.head = element.close = element.end = end.end()
        element.is_empty = bool(end[1])
        if parent is not None:
            parent.children.append(element)
        else:
            self._root = element
        if not element.is_empty:
            self._open.append(element)
        return element.head

    def _end(self, tag: str, at: int, end: int) -> None:
        if not self._open or self._open[-1].tag != tag:
            raise UneditableError(f"</{tag}> at character {at} closes nothing")
        element = self._open.pop()
        element.close, element.end = at, end
        if not element.children:
            element.content = _content(self._text[element.head : at])


def _value(text: str) -> str:
    """Return the value of an attribute as a parser normalizes it (XML 1.0, 3.3.3)."""
    if text.isprintable() and "&" not in text:
        return text
    return _REFERENCE.sub(_character, re.sub(r"\r\n|[\t\r\n]", " ", text))


def _content(text: str) -> str:
    """Return the text of an element without comments, sections of CDATA as they are."""
    if "<" not in text and "&" not in text:
        return text
    parts = []
    for part in _SECTION.split(text):
        if part.startswith("<![CDATA["):
            parts.append(part[9:-3])
        elif not part.startswith("<"):
            parts.append(_REFERENCE.sub(_character, part))
    return "".join(parts)


def _character(match: re.Match[str]) -> str:
    word = match[1]
    if word in _ENTITIES:
        return _ENTITIES[word]
    code = int(word[2:], 16) if word[1] == "x" else int(word[1:])
    if code > 0x10FFFF:
        raise UneditableError(f"&{word}; is not a character")
    return chr(code)
