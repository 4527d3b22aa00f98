"""What an element of an XML document says: a row for each value, which all that is done follows.

A row has the field of a record, the path of the value from the element, its kind and its default.
A path is tags joined by "/"; its last part is an attribute where it begins with "@", else the value
is the text of an element. A child is a field that is a record itself, with an element of its own.
Reading, writing, edits in place, inventories and unknown elements come from the rows.
"""

import dataclasses
import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...closeness import is_close
from .number_words import word
from .xml_edits import XmlEdits
from .xml_source import SourceElement

Report = Callable[[str, str, str], None]
"""Takes the path of a value that is not usable, its text and what is expected."""
Element = SourceElement | ET.Element


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
    is_always: bool = False
    """Whether it is written where it is the default, too."""
    is_beside: bool = False
    """Whether it is written where another value is on the same element."""

    tags: tuple[str, ...] = dataclasses.field(init=False)
    """Tags from the element down to the one with the value."""
    attribute: str = dataclasses.field(init=False)
    """Attribute with the value, empty where it is a text."""

    def __post_init__(self) -> None:
        """Take the path apart once."""
        *tags, last = self.path.split("/")
        is_attribute = last.startswith("@")
        object.__setattr__(self, "tags", tuple(tags if is_attribute else (*tags, last)))
        object.__setattr__(self, "attribute", last[1:] if is_attribute else "")


@dataclass(frozen=True, slots=True)
class Child:
    """A record in a record, with an element of its own."""

    field: str
    tag: str
    schema: "Schema"
    default: Any = None
    """Record of an element that is not there."""


class Style:
    """How values are compared and written: all of their digits."""

    def is_same(self, _row: Row, one: Any, other: Any) -> bool:
        """Return whether two values are one within rounding."""
        return is_close(one, other)

    def text(self, row: Row, _old: str, value: Any) -> str:
        """Return the text of a value; `_old` is the one in its place."""
        return row.kind.write(value)


EXACT = Style()


@dataclass(frozen=True, slots=True)
class Schema:
    """What an element says; `make` takes the fields of its rows and makes the record."""

    make: Callable[..., Any]
    rows: tuple[Row | Child, ...]

    def read(self, element: Element | None, report: Report) -> Any:
        """Return the record of an element; of one that is missing all is default."""
        values: dict[str, Any] = {}
        for row in self.rows:
            if isinstance(row, Row):
                values[row.field] = _value(element, row, report)
            else:
                place = found_at(element, [row.tag])
                values[row.field] = row.default if place is None else row.schema.read(place, report)
        return self.make(**values)

    def write(self, element: ET.Element, record: Any, style: Style = EXACT) -> ET.Element:
        """Put into an element what a record says beside defaults, and return the element."""
        for row in self.rows:
            value = getattr(record, row.field)
            if isinstance(row, Child):
                if value is not None and value != row.default:
                    row.schema.write(ET.SubElement(element, row.tag), value, style)
            elif value is not None and self._is_written(row, record):
                _put_text(_made(element, row.tags), row.attribute, style.text(row, "", value))
        return element

    def _is_written(self, row: Row, record: Any) -> bool:
        if row.is_always or getattr(record, row.field) != row.default:
            return True
        return row.is_beside and any(
            getattr(record, each.field) != each.default
            for each in self.rows
            if isinstance(each, Row) and each.tags == row.tags
        )

    def edit(
        self,
        edits: XmlEdits,
        element: SourceElement,
        before: Any,
        after: Any,
        style: Style = EXACT,
    ) -> None:
        """Put into the text of an element what differs between two records."""
        if before == after:
            return
        changed = []
        for row in self.rows:
            old, new = getattr(before, row.field), getattr(after, row.field)
            if isinstance(row, Child):
                row.schema.edit_child(edits, element, row, (old, new), style)
            elif not style.is_same(row, old, new):
                changed.append((row, new))
        put(edits, element, changed, style)

    def edit_child(
        self,
        edits: XmlEdits,
        element: SourceElement,
        child: Child,
        pair: tuple[Any, Any],
        style: Style,
    ) -> None:
        """Put into an element what differs between two records that it has one of."""
        before, after = pair
        place = element.find(child.tag)
        if after is None:
            if before is not None and place is not None:
                edits.remove(place)
            return
        if before is None:
            before = self.make(**{row.field: row.default for row in self.rows})
        if place is not None:
            self.edit(edits, place, before, after, style)
        elif before != after:
            edits.add(element, _printed(self.write(ET.Element(child.tag), after, style)))

    def held(self) -> Iterator[str]:
        """Yield the paths of elements and attributes that the rows read."""
        for row in self.rows:
            if isinstance(row, Child):
                yield row.tag
                yield from (f"{row.tag}/{path}" for path in row.schema.held())
                continue
            tags = row.tags
            yield from ("/".join(tags[: n + 1]) for n in range(len(tags)))
            if row.attribute:
                yield row.path


def found_at(element: Any, tags: Sequence[str]) -> Any:
    """Return the first element down a path of tags, None where there is none."""
    for tag in tags:
        element = None if element is None else element.find(tag)
    return element


def put(
    edits: XmlEdits,
    element: SourceElement,
    values: list[tuple[Row, Any]],
    style: Style = EXACT,
) -> None:
    """Write values into the text of an element; None takes one out."""
    made: dict[tuple[SourceElement, str], ET.Element] = {}
    for row, value in values:
        place = found_at(element, row.tags)
        if value is None:
            if place is not None:
                edits.unset(place, row.attribute) if row.attribute else edits.remove(place)
        elif place is None:
            holder, tags = element, row.tags
            while (inner := holder.find(tags[0])) is not None:
                holder, tags = inner, tags[1:]
            new = made.setdefault((holder, tags[0]), ET.Element(tags[0]))
            _put_text(_made(new, tags[1:]), row.attribute, style.text(row, "", value))
        elif row.attribute:
            edits.set(place, row.attribute, style.text(row, place.get(row.attribute), value))
        else:
            edits.set_text(place, style.text(row, place.content, value))
    for (holder, _), new in made.items():
        edits.add(holder, _printed(new))


def _printed(element: ET.Element) -> str:
    ET.indent(element)
    return ET.tostring(element, encoding="unicode").replace(" />", "/>")


def _put_text(element: ET.Element, attribute: str, text: str) -> None:
    if attribute:
        element.set(attribute, text)
    else:
        element.text = text


def _value(element: Element | None, row: Row, report: Report) -> Any:
    place = found_at(element, row.tags)
    if place is None or (row.attribute and row.attribute not in place.attrib):
        return row.default
    if row.attribute:
        text = place.get(row.attribute)
    else:
        text = place.content if isinstance(place, SourceElement) else place.text or ""
    if not text.strip() and not row.attribute:
        return row.default
    value = row.kind.read(text)
    if value is None:
        report(row.path, text.strip(), row.kind.expected)
        return row.default
    return value


def _made(element: ET.Element, tags: Sequence[str]) -> ET.Element:
    for tag in tags:
        inner = element.find(tag)
        element = ET.SubElement(element, tag) if inner is None else inner
    return element


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
    return lambda text: table.get(text.strip().lower())


NUMBER = Kind("a number", _number, word)
VECTOR = Kind("three numbers", _numbers(3), _words)
COLOR = Kind("four numbers", lambda text: _numbers(4)(text) or _opaque(text), _words)
WORD = Kind("a word", str.strip, str)
FLAG = Kind(
    "true or false",
    _choice({"true": True, "1": True, "false": False, "0": False}),
    lambda value: "true" if value else "false",
)


def _opaque(text: str) -> Any:
    found = _numbers(3)(text)
    return None if found is None else (*found, 1.0)
