"""What of a URDF file a scene holds; the rest is for robot software alone."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator

from ...documents.schema import Schema
from ..inventory import Held
from .parsing import CARRIERS
from .schema import GEOMETRY, JOINT, LINK, MATERIAL, PART

_TAGS = {"link": LINK, "joint": JOINT, "material": MATERIAL, "visual": PART, "collision": PART}


def _held(tag: str, schema: Schema) -> Iterator[tuple[str, str]]:
    yield tag, ""
    for path in schema.held():
        *tags, last = [tag, *path.split("/")]
        yield (tags[-1], last[1:]) if last.startswith("@") else (last, "")


def _table() -> Held:
    found: dict[str, set[str]] = {"geometry": set()}
    for tag, schema in (*_TAGS.items(), *GEOMETRY.items()):
        for element, attribute in _held(tag, schema):
            found.setdefault(element, set()).update({attribute} - {""})
    held = {tag: frozenset(names) for tag, names in found.items()}
    return held | dict.fromkeys(CARRIERS, frozenset("*"))


HELD = _table()
"""Attributes by tag."""


def moments_without_mass(root: ET.Element) -> Iterator[tuple[str, str]]:
    """Yield noun and place of the inertia of links that weigh nothing, which bodies cannot have."""
    for link in root.iterfind("link"):
        mass, inertia = link.find("inertial/mass"), link.find("inertial/inertia")
        is_heavy = mass is not None and bool(mass.get("value", "").strip(" +0."))
        moments = () if inertia is None else inertia.attrib.values()
        if not is_heavy and any(value.strip(" +-0.") for value in moments):
            yield "inertia without mass", link.get("name", "")
