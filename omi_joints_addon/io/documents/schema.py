"""What an element of an XML document says: a row for each value, which reading and writing follow.

A row has the field of a record, the path of the value from the element, its kind and its default.
A path is tags joined by "/"; its last part is an attribute where it begins with "@", else the value
is the text of an element. Inventories, unknown elements and edits in place come from the rows.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .number_words import is_close, word
from .xml_edits import XmlEdits
from .xml_source import SourceElement

Report = Callable[[str, str, str], None]
"""Takes the path of a value that is not usable, its text and what is expected."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What values of a row are."""

    expected: str
    """What a text has to be, for reports."""
    read: Callable[[str], Any]
    """Return the value of a text, None where it is not one."""
    write: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Row:
    """One value."""

    field: str
    """Field of the record."""
    path: str
    kind: Kind
    default: Any = None
    """Value of an element that does not say it."""
    since: tuple[int, ...] = ()
    """Version of the format that has it first."""

    @property
    def tags(self) -> list[str]:
        """Tags from the element down to the one with the value."""
        return [part for part in self.path.split("/") if not part.startswith("@")]

    @property
    def attribute(self) -> str:
        """Attribute with the value, empty where it is a text."""
        last = self.path.rpartition("/")[2]
        return last[1:] if last.startswith("@") else ""


@dataclass(frozen=True, slots=True)
class Schema:
    """What an element says; `make` takes the fields of its rows and makes the record."""

    make: Callable[..., Any]
    rows: tuple[Row, ...]

    def read(self, element: SourceElement | None, report: Report) -> Any:
        """Return the record of an element; of one that is missing all is default."""
        return self.make(**{row.field: _value(element, row, report) for row in self.rows})

    def write(self, element: ET.Element, record: Any) -> ET.Element:
        """Put into an element what a record says beside defaults, and return the element."""
        for row in self.rows:
            value = getattr(record, row.field)
            if value is not None and not _is_same(value, row.default):
                place = _made(element, row.tags)
                if row.attribute:
                    place.set(row.attribute, row.kind.write(value))
                else:
                    place.text = row.kind.write(value)
        return element

    def edit(self, edits: XmlEdits, element: SourceElement, before: Any, after: Any) -> None:
        """Put into the text of an element what differs between two records."""
        for row in self.rows:
            old, new = getattr(before, row.field), getattr(after, row.field)
            if not _is_same(old, new):
                put(edits, element, row, new)

    def held(self) -> Iterator[str]:
        """Yield the paths of elements and attributes that the rows read."""
        for row in self.rows:
            tags = row.tags
            yield from ("/".join(tags[: n + 1]) for n in range(len(tags)))
            if row.attribute:
                yield row.path


def found_at(element: SourceElement | None, tags: list[str]) -> SourceElement | None:
    """Return the first element down a path of tags, None where there is none."""
    for tag in tags:
        element = None if element is None else element.find(tag)
    return element


def put(edits: XmlEdits, element: SourceElement, row: Row, value: Any) -> None:
    """Write a value into the text of an element; None takes it out."""
    tags = row.tags
    place = found_at(element, tags)
    if value is None:
        if place is not None:
            edits.unset(place, row.attribute) if row.attribute else edits.remove(place)
        return
    text = row.kind.write(value)
    if place is not None:
        if row.attribute:
            edits.set(place, row.attribute, text)
        else:
            edits.set_text(place, text)
        return
    while tags and (inner := element.find(tags[0])) is not None:
        element, tags = inner, tags[1:]
    new = ET.Element(tags[0])
    last = _made(new, tags[1:])
    if row.attribute:
        last.set(row.attribute, text)
    else:
        last.text = text
    ET.indent(new)
    edits.add(element, ET.tostring(new, encoding="unicode"))


def _value(element: SourceElement | None, row: Row, report: Report) -> Any:
    place = found_at(element, row.tags)
    if place is None or (row.attribute and row.attribute not in place.attrib):
        return row.default
    text = place.get(row.attribute) if row.attribute else place.content
    if not text.strip() and not row.attribute:
        return row.default
    value = row.kind.read(text.strip())
    if value is None:
        report(row.path, text.strip(), row.kind.expected)
        return row.default
    return value


def _made(element: ET.Element, tags: list[str]) -> ET.Element:
    for tag in tags:
        inner = element.find(tag)
        element = ET.SubElement(element, tag) if inner is None else inner
    return element


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return is_close(one, other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return bool(one == other)


def _numbers(count: int) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            found = tuple(map(float, text.split()))
        except ValueError:
            return None
        return found if len(found) == count and not any(map(math.isnan, found)) else None

    return read


def _number(text: str) -> float | None:
    found = _numbers(1)(text)
    return None if found is None else float(found[0])


def _words(values: Any) -> str:
    return " ".join(map(word, values))


def _choice(table: Mapping[str, bool]) -> Callable[[str], bool | None]:
    return lambda text: table.get(text.lower())


NUMBER = Kind("a number", _number, word)
VECTOR = Kind("three numbers", _numbers(3), _words)
COLOR = Kind("four numbers", lambda text: _numbers(4)(text) or _opaque(text), _words)
WORD = Kind("a word", lambda text: text, str)
FLAG = Kind(
    "true or false",
    _choice({"true": True, "1": True, "false": False, "0": False}),
    lambda value: "true" if value else "false",
)


def _opaque(text: str) -> Any:
    found = _numbers(3)(text)
    return None if found is None else (*found, 1.0)
