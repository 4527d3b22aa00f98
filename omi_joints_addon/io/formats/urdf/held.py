"""What of a URDF file a scene holds; the rest is for robot software alone."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator

from ..inventory import Held
from .parsing import CARRIERS

_ORIGIN = frozenset(("xyz", "rpy"))
_NAME = frozenset(("name",))

HELD: Held = {
    **dict.fromkeys(CARRIERS, frozenset("*")),
    **dict.fromkeys(("link", "visual", "collision", "material"), _NAME),
    **dict.fromkeys(("inertial", "geometry"), frozenset[str]()),
    "origin": _ORIGIN,
    "mass": frozenset(("value",)),
    "inertia": frozenset(("ixx", "ixy", "ixz", "iyy", "iyz", "izz")),
    "mesh": frozenset(("filename", "scale")),
    "box": frozenset(("size",)),
    "sphere": frozenset(("radius",)),
    "cylinder": frozenset(("radius", "length")),
    "capsule": frozenset(("radius", "length")),
    "color": frozenset(("rgba",)),
    "texture": frozenset(("filename",)),
    "joint": frozenset(("name", "type")),
    "parent": frozenset(("link",)),
    "child": frozenset(("link",)),
    "axis": frozenset(("xyz",)),
    "limit": frozenset(("lower", "upper", "effort", "velocity")),
    "dynamics": frozenset(("damping", "friction")),
    "mimic": frozenset(("joint", "multiplier", "offset")),
}
"""Attributes by tag."""


def moments_without_mass(root: ET.Element) -> Iterator[tuple[str, str]]:
    """Yield noun and place of the inertia of links that weigh nothing, which bodies cannot have."""
    for link in root.iterfind("link"):
        mass, inertia = link.find("inertial/mass"), link.find("inertial/inertia")
        is_heavy = mass is not None and bool(mass.get("value", "").strip(" +0."))
        moments = () if inertia is None else inertia.attrib.values()
        if not is_heavy and any(value.strip(" +-0.") for value in moments):
            yield "inertia without mass", link.get("name", "")
