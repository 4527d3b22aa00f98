"""XML text to elements, with no DOCTYPE, so that entities never expand, nor deep nesting; names."""

import xml.etree.ElementTree as ET
from dataclasses import replace

from ...core.findings.loss import Losses, Noun
from ...core.findings.sentence import Sentence
from ...core.model.scene import PhysicsScene
from ...core.rewrite.tree import with_parts_apart
from ..documents.xml_encoding import encoding_of
from .format import UnreadableError


def parsed_xml(text: str | bytes, *, name: str, deepest: int) -> ET.Element:
    """Return the root element of a document of the format `name`.

    Blank lines before the declaration are passed over, as many readers do. Raises
    `UnreadableError`, for broken XML with line and column.
    """
    above = 0
    try:
        if isinstance(text, bytes) and (encoding := encoding_of(text)).is_wide:
            # The parser reads UTF-16 with a mark only.
            text = encoding.decoded(text)
        text, above = _from_declaration(text)
        root = ET.fromstring(text, parser=ET.XMLParser(target=_Target(name)))
    except ET.ParseError as error:
        line, column = error.position
        reason = str(error).rpartition(":")[0] or str(error)
        raise UnreadableError(
            Sentence(
                "is not valid XML: line {line}, column {column}: {reason}",
                line=line + above,
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


def _from_declaration(text: str | bytes) -> tuple[str | bytes, int]:
    """Return a text without the blank lines before its declaration, and their number."""
    bare = text.lstrip()
    if isinstance(text, str) and isinstance(bare, str):
        is_declared, lines = bare.startswith("<?xml"), text[: len(text) - len(bare)].count("\n")
    else:
        assert isinstance(text, bytes)
        assert isinstance(bare, bytes)
        is_declared, lines = bare.startswith(b"<?xml"), text[: len(text) - len(bare)].count(b"\n")
    return (bare, lines) if is_declared else (text, 0)


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


def printable_parts(scene: PhysicsScene, losses: Losses) -> PhysicsScene:
    """Return a scene with such names and every part on a node of its own."""
    apart = with_parts_apart(printable_scene(scene, losses))
    for node, noun in apart.moved:
        losses.same(scene.names[node], noun)
    return apart.scene


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
