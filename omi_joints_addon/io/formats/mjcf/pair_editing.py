"""Pairs of bodies that do not collide, put into the text of a model."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from .source_model import SourceModel

Pairs = set[frozenset[str]]


def excluded_in(root: ET.Element) -> Pairs:
    """Return the pairs of names of bodies that a model excludes from collisions."""
    return {_pair(each.attrib) for each in root.iterfind("contact/exclude")}


def edit_pairs(model: SourceModel, before: Pairs, after: Pairs, names: Mapping[str, str]) -> None:
    """Take out the pairs that are gone, and add those that are new.

    `names` are the names that bodies are to have, by those that they have in the text.
    """
    for section, element in model.sections:
        is_pair = section == "contact" and element.tag == "exclude"
        if is_pair and _pair(element.attrib) in before - after:
            model.edits_of(element).remove(element)
    new = [[names.get(name, name) for name in sorted(pair)] for pair in after - before]
    lines = [_element(*pair) for pair in sorted(new) if len(pair) == 2]
    if not lines:
        return
    edits = model.edits[next(iter(model.files))]
    root = edits.source.root
    contact = next((top for top in root.children if top.tag == "contact"), None)
    if contact is not None:
        edits.add(contact, "\n".join(lines))
    else:
        edits.add(root, "\n".join(("<contact>", *(f"  {line}" for line in lines), "</contact>")))


def _element(one: str, other: str) -> str:
    return f"<exclude body1={quoteattr(one)} body2={quoteattr(other)}/>"


def _pair(attributes: Mapping[str, str]) -> frozenset[str]:
    return frozenset((attributes.get("body1", ""), attributes.get("body2", "")))
