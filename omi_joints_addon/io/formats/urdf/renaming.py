"""What refers to links and joints by their names, in a URDF file and its extensions."""

from collections.abc import Iterator

from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import SourceElement

_HOLDERS = ("transmission", "ros2_control")
"""Elements whose children `joint` are about joints of the robot."""


def rename(edits: XmlEdits, element: SourceElement, name: str) -> None:
    """Rename a link or joint and all that refers to it."""
    old = element.get("name")
    for place, attribute in _references(edits.source.root, element.tag):
        if place not in edits.removed and edits.value(place, attribute) == old:
            edits.set(place, attribute, name)
    edits.set(element, "name", name)


def remove_references(edits: XmlEdits, tag: str, name: str) -> None:
    """Remove what is about a link or joint that is gone."""
    for place, _ in _references(edits.source.root, tag, of=name):
        if place.tag in ("parent", "child"):
            continue
        holder = place.parent
        is_whole = holder is not None and holder.tag == "transmission"
        target = holder if is_whole and holder is not None else place
        if target not in edits.removed:
            edits.remove(target)


def _references(
    root: SourceElement, tag: str, *, of: str | None = None
) -> Iterator[tuple[SourceElement, str]]:
    """Yield the elements, with the attribute, that name links or joints: all, or one of them."""
    for element in root.iter():
        attribute = _attribute(element, tag)
        if attribute and (of is None or element.get(attribute) == of):
            yield element, attribute


def _attribute(element: SourceElement, tag: str) -> str:
    """Return the attribute in which an element names a link or a joint, empty for none."""
    above = element.parent.tag if element.parent is not None else ""
    if element.tag == "gazebo":
        return "reference"
    if tag == "link":
        return "link" if element.tag in ("parent", "child") and above == "joint" else ""
    if element.tag == "mimic" and above == "joint":
        return "joint"
    return "name" if element.tag == "joint" and above in _HOLDERS else ""
