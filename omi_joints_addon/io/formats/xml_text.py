"""XML text to elements, with no DOCTYPE, so that entities never expand, nor deep nesting; names."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

from ...core.findings.loss import Losses, Noun
from ...core.findings.sentence import Sentence
from ...core.model.scene import PhysicsScene
from .format import UnreadableError


def parsed_xml(text: str | bytes, *, name: str, deepest: int) -> ET.Element:
    """Return the root element of a document of the format `name`.

    Raises `UnreadableError`, for broken XML with line and column.
    """
    try:
        root = ET.fromstring(text, parser=ET.XMLParser(target=_Target(name)))
    except ET.ParseError as error:
        line, column = error.position
        reason = str(error).rpartition(":")[0] or str(error)
        raise UnreadableError(
            Sentence(
                "is not valid XML: line {line}, column {column}: {reason}",
                line=line,
                column=column + 1,
                reason=reason,
            )
        ) from None
    except UnreadableError:
        raise
    except (ValueError, LookupError) as error:
        raise UnreadableError(Sentence("is not valid XML: {error}", error=error)) from error
    _require_depth(root, deepest)
    return root


def printed_xml(root: ET.Element) -> bytes:
    """Return the text of an element in UTF-8, two spaces further in a level."""
    ET.indent(root)
    return element_text(root).encode(errors="xmlcharrefreplace")


def element_text(root: ET.Element) -> str:
    """Return the text of an element and of what follows it, as `ElementTree.tostring` does.

    Documents of 10,000 joints take it half of the time: it walks over the elements once.
    """
    prefixes, pieces = _Prefixes(), list[str]()
    _print(root, pieces, prefixes)
    spaces = [f' xmlns:{prefix}="{_escaped(uri)}"' for prefix, uri in prefixes.spaces()]
    head = len(prefixes.name(root.tag)) + 1
    pieces[0] = "".join((pieces[0][:head], *spaces, pieces[0][head:]))
    return "".join(pieces)


def _print(element: ET.Element, pieces: list[str], prefixes: "_Prefixes") -> None:
    tag, text, tail = prefixes.name(element.tag), element.text, element.tail
    head = "".join([f' {prefixes.name(key)}="{_escaped(value)}"' for key, value in element.items()])
    if text or len(element):
        pieces.append(f"<{tag}{head}>{_escaped_text(text) if text else ''}")
        for child in element:
            _print(child, pieces, prefixes)
        pieces.append(f"</{tag}>{_escaped_text(tail) if tail else ''}")
    else:
        pieces.append(f"<{tag}{head} />{_escaped_text(tail) if tail else ''}")


def _escaped(value: str) -> str:
    return value.translate(_IN_ATTRIBUTES) if _FOR_ATTRIBUTES(value) else value


def _escaped_text(text: str) -> str:
    return text.translate(_IN_TEXT) if _FOR_TEXT(text) else text


_FOR_TEXT, _FOR_ATTRIBUTES = re.compile("[&<>]").search, re.compile('[&<>"\r\n\t]').search
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_BREAKS = {"\r": "&#13;", "\n": "&#10;", "\t": "&#09;"}
_IN_ATTRIBUTES = _IN_TEXT | str.maketrans({'"': "&quot;", **_BREAKS})


class _Prefixes:
    """Prefixes of the namespaces in a document."""

    def __init__(self) -> None:
        self._prefixes: dict[str, str] = {}

    def name(self, name: str) -> str:
        """Return the name of a tag or attribute as it is printed."""
        if name[0] != "{":
            return name
        uri, _, local = name[1:].rpartition("}")
        return f"{self._prefix(uri)}:{local}"

    def spaces(self) -> list[tuple[str, str]]:
        """Return prefixes and namespaces in order, without that of XML itself."""
        return sorted((prefix, uri) for uri, prefix in self._prefixes.items())

    def _prefix(self, uri: str) -> str:
        if uri == _XML:
            return "xml"
        if uri not in self._prefixes:
            self._prefixes[uri] = _PREFIXES.get(uri) or f"ns{len(self._prefixes)}"
        return self._prefixes[uri]


_XML = "http://www.w3.org/XML/1998/namespace"
_PREFIXES = {
    "http://www.w3.org/1999/xhtml": "html",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    "http://www.w3.org/2001/XMLSchema": "xs",
    "http://www.w3.org/2001/XMLSchema-instance": "xsi",
    "http://purl.org/dc/elements/1.1/": "dc",
}
"""Prefixes of namespaces that everybody uses."""


def printable_scene(scene: PhysicsScene, losses: Losses) -> PhysicsScene:
    """Return a scene with names that XML can contain, a loss for each that is another now.

    XML has no control characters, no halves of characters and no U+FFFE, not even escaped.
    """
    nodes = tuple(_printable(name, losses) for name in scene.names)
    meshes = tuple(replace(mesh, name=_printable(mesh.name, losses)) for mesh in scene.meshes)
    name = _printable(scene.name, losses)
    return replace(scene, name=name, names=nodes, meshes=meshes)


def _printable(name: str, losses: Losses) -> str:
    if name.isprintable():
        return name
    text = "".join(char if char.isprintable() else "_" for char in name)
    why = Sentence("XML cannot contain all of its characters; {text!r} is written", text=text)
    losses.converted(name, Noun.NAME, why)
    return text


class _Target(ET.TreeBuilder):
    """Builder that refuses a DOCTYPE."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Refuse the document."""
        raise UnreadableError(Sentence("has a DOCTYPE, which {name} does not use", name=self._name))


def _require_depth(root: ET.Element, deepest: int) -> None:
    """Raise `UnreadableError` where elements are nested more than `deepest` deep."""
    level = [root]
    for _ in range(deepest):
        level = [child for element in level for child in element]
        if not level:
            return
    raise UnreadableError(Sentence("has elements nested more than {deepest} deep", deepest=deepest))
