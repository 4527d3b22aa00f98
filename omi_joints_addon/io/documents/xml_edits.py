"""Edits of an XML text as splices: nothing but what is edited changes, to the byte."""

import re
from dataclasses import dataclass, field

from .splices import line_end, spliced
from .xml_source import SourceElement, XmlSource

_LINE_END = re.compile(r"[ \t]*\r?\n")
_SELF_CLOSING = re.compile(r"\s*/>$")
_BLANK = re.compile(r"\s*")


@dataclass(slots=True)
class XmlEdits:
    """Edits of one text, in the style of what is around them.

    Elements are removed before others are added beside them.
    """

    source: XmlSource
    removed: set[SourceElement] = field(default_factory=set)
    """Elements that are taken out; what is below them goes with them."""
    _splices: dict[tuple[int, int], str] = field(default_factory=dict)
    """New text by start and end of the old."""
    _attributes: dict[SourceElement, dict[str, str]] = field(default_factory=dict)
    """New attributes."""
    _set: dict[tuple[SourceElement, str], str] = field(default_factory=dict)
    """New values of attributes that are in the text."""
    _first: dict[SourceElement, list[str]] = field(default_factory=dict)
    """Texts behind the start tags of elements, which may close themselves."""
    _behind: dict[int, list[str]] = field(default_factory=dict)
    """Texts behind the ends of elements."""

    def value(self, element: SourceElement, name: str, default: str = "") -> str:
        """Return the value of an attribute after the edits so far."""
        added = self._attributes.get(element, {}).get(name)
        found = self._set.get((element, name)) if added is None else added
        return element.get(name, default) if found is None else found

    def set(self, element: SourceElement, name: str, value: str) -> None:
        """Set an attribute; one that has the value already stays as it is written."""
        span = element.spans.get(name)
        if span is None:
            self._attributes.setdefault(element, {})[name] = value
        elif self.value(element, name) != value:
            self._splices[span.begin, span.end] = _escaped(value, self.source.text[span.end])
            self._set[element, name] = value

    def unset(self, element: SourceElement, name: str) -> None:
        """Take out an attribute that the text has."""
        span = element.spans.get(name)
        if span is not None:
            self._splices.pop((span.begin, span.end), None)
            self._splices[span.start, span.end + 1] = ""

    def set_text(self, element: SourceElement, value: str) -> None:
        """Set the text of an element without children; comments in it go."""
        text = value.replace("&", "&amp;").replace("<", "&lt;")
        if element.is_empty:
            slash = _SELF_CLOSING.search(self.source.text[element.start : element.head])
            start = element.head if slash is None else element.start + slash.start()
            self._splices[start, element.head] = f">{text}</{element.tag}>"
        elif element.content.strip() != value:
            old = self.source.text[element.head : element.close]
            lead = old[: len(old) - len(old.lstrip())]
            tail = old[len(old.rstrip()) :] if old.strip() else ""
            self._splices[element.head, element.close] = lead + text + tail

    def remove(self, element: SourceElement) -> None:
        """Take out an element, with its line where it stands alone on it."""
        text, start, end = self.source.text, element.start, element.end
        line = text.rfind("\n", 0, start) + 1
        rest = _LINE_END.match(text, end)
        if rest is not None and not text[line:start].strip():
            start, end = line, rest.end()
        self.removed.add(element)
        self._splices[start, end] = ""

    def replace(self, element: SourceElement, lines: str) -> None:
        """Put the text of another element in the place of an element."""
        self.removed.add(element)
        self._splices[element.start, element.end] = self._laid_out(lines, self._indent(element))

    def add(self, parent: SourceElement, lines: str, *, after: SourceElement | None = None) -> None:
        """Put the text of an element behind a child of `parent`, else behind its last child.

        `lines` is indented by two spaces a level and has no indentation at its start.
        """
        children = [child for child in parent.children if child not in self.removed]
        behind = after or (children[-1] if children else None)
        if behind is None:
            self.add_first(parent, lines)
        else:
            self._behind.setdefault(behind.end, []).append(self._new(parent, lines))

    def add_first(self, parent: SourceElement, lines: str) -> None:
        """Put the text of an element before the first child of `parent`."""
        self._first.setdefault(parent, []).append(self._new(parent, lines))

    def data(self) -> bytes:
        """Return the bytes of the edited text."""
        return self.source.encoding.encoded(spliced(self.source.text, self._all_splices()))

    def _all_splices(self) -> list[tuple[tuple[int, int], str]]:
        found = [*self._splices.items()]
        found += [((end, end), "".join(texts)) for end, texts in self._behind.items()]
        found += [self._with_attributes(*item) for item in self._attributes.items()]
        found += [self._with_children(*item) for item in self._first.items()]
        return found

    def _with_attributes(
        self, element: SourceElement, values: dict[str, str]
    ) -> tuple[tuple[int, int], str]:
        spans = list(element.spans.values())
        at = spans[-1].end + 1 if spans else element.start + 1 + len(element.tag)
        gap = _gap(self.source.text, spans[-1].start) if len(spans) > 1 else " "
        return (at, at), "".join(
            f'{gap}{name}="{_escaped(value, chr(34))}"' for name, value in values.items()
        )

    def _with_children(
        self, parent: SourceElement, texts: list[str]
    ) -> tuple[tuple[int, int], str]:
        text, new = self.source.text, "".join(texts)
        closing = line_end(self.source.text) + self._indent(parent)
        if not parent.is_empty:
            is_tight = "\n" not in text[parent.head : parent.close]
            return (parent.head, parent.head), new + (closing if is_tight else "")
        slash = _SELF_CLOSING.search(text[parent.start : parent.head])
        start = parent.head if slash is None else parent.start + slash.start()
        return (start, parent.head), f">{new}{closing}</{parent.tag}>"

    def _new(self, parent: SourceElement, lines: str) -> str:
        inner = self._inner_indent(parent)
        return line_end(self.source.text) + inner + self._laid_out(lines, inner)

    def _indent(self, element: SourceElement) -> str:
        """Return the white space before an element that begins its line."""
        line = self.source.text.rfind("\n", 0, element.start) + 1
        lead = self.source.text[line : element.start]
        return lead if not lead.strip() else ""

    def _inner_indent(self, parent: SourceElement) -> str:
        if parent.children:
            return self._indent(parent.children[-1])
        return self._indent(parent) + self._step()

    def _step(self) -> str:
        """Return the indentation of one level, as the first child of the root has it."""
        root = self.source.root
        first = self._indent(root.children[0]) if root.children else ""
        return first.removeprefix(self._indent(root)) or "  "

    def _laid_out(self, lines: str, indent: str) -> str:
        """Return the text of an element in the style of the document."""
        step, found = self._step(), []
        for line in lines.splitlines():
            bare = line.lstrip(" ")
            found.append(step * ((len(line) - len(bare)) // 2) + bare)
        return (line_end(self.source.text) + indent).join(found)


def _gap(text: str, at: int) -> str:
    match = _BLANK.match(text, at)
    return (match[0] if match else "") or " "


def _escaped(text: str, quote: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "&#10;")
    text = text.replace("\t", "&#9;").replace("\r", "&#13;")
    return text.replace('"', "&quot;") if quote == '"' else text.replace("'", "&apos;")
