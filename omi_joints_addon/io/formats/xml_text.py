"""XML text to elements, with no DOCTYPE, so that entities never expand, nor deep nesting; names."""

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
        return ET.fromstring(text, parser=ET.XMLParser(target=_Target(name, deepest)))
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


def printed_xml(root: ET.Element) -> bytes:
    """Return the text of an element in UTF-8, two spaces further in a level."""
    ET.indent(root)
    # Written as text at once: as bytes, ElementTree encodes each piece by itself.
    return ET.tostring(root, encoding="unicode").encode(errors="xmlcharrefreplace")


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
    """Builder that refuses a DOCTYPE and elements nested more than `deepest` deep."""

    def __init__(self, name: str, deepest: int) -> None:
        super().__init__()
        self._name = name
        self._deepest = deepest
        self._depth = 0

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Refuse the document."""
        raise UnreadableError(Sentence("has a DOCTYPE, which {name} does not use", name=self._name))

    def start(self, tag: str, attrs: dict[str, str], /) -> ET.Element:
        """Open an element."""
        self._depth += 1
        if self._depth > self._deepest:
            raise UnreadableError(
                Sentence("has elements nested more than {deepest} deep", deepest=self._deepest)
            )
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> ET.Element:
        """Close an element."""
        self._depth -= 1
        return super().end(tag)
