"""What a URDF document says to its text, with every digit of its numbers."""

import hashlib
import math
import xml.etree.ElementTree as ET
from collections.abc import Iterable

from .document import (
    Carrier,
    Geometry,
    Inertial,
    JointElement,
    Link,
    Material,
    Origin,
    Part,
    Robot,
)


def printed_robot(robot: Robot) -> bytes:
    """Return the bytes of a URDF file."""
    root = ET.Element("robot", name=robot.name)
    root.extend(_link(link) for link in robot.links)
    root.extend(joint_to_xml(joint) for joint in robot.joints)
    root.extend(ET.fromstring(text) for text in robot.extra)
    root.extend(_carrier(carrier) for carrier in robot.carriers)
    ET.indent(root)
    return b"<?xml version='1.0' encoding='utf-8'?>\n" + _encoded(root) + b"\n"


def joint_to_xml(joint: JointElement) -> ET.Element:
    """Return the element of a joint."""
    element = ET.Element("joint", name=joint.name, type=joint.type)
    _add_origin(element, joint.origin)
    ET.SubElement(element, "parent", link=joint.parent)
    ET.SubElement(element, "child", link=joint.child)
    if joint.type not in ("fixed", "floating"):
        ET.SubElement(element, "axis", xyz=numbers(joint.axis))
    limit = joint.limit
    if limit is not None:
        given = {
            name: getattr(limit, name)
            for name in ("lower", "upper", "effort", "velocity")
            if getattr(limit, name) is not None
        }
        ET.SubElement(element, "limit", {name: number(value) for name, value in given.items()})
    if joint.damping or joint.friction:
        dynamics = {"damping": number(joint.damping), "friction": number(joint.friction)}
        ET.SubElement(element, "dynamics", dynamics)
    if joint.mimic is not None:
        mimic = ET.SubElement(element, "mimic", joint=joint.mimic.joint)
        mimic.set("multiplier", number(joint.mimic.multiplier))
        mimic.set("offset", number(joint.mimic.offset))
    element.extend(ET.fromstring(text) for text in joint.extra)
    return element


def digests(robot: Robot) -> dict[tuple[str, str], str]:
    """Return a digest of each joint and link by the tag of its carrier and its name."""
    elements = [(("omi_joint", joint.name), joint_to_xml(joint)) for joint in robot.joints]
    elements += [(("omi_link", link.name), _link(link)) for link in robot.links]
    return {key: hashlib.sha256(_encoded(element)).hexdigest()[:16] for key, element in elements}


def _encoded(element: ET.Element) -> bytes:
    # Written as text at once: as bytes, ElementTree encodes each piece by itself.
    return ET.tostring(element, encoding="unicode").encode(errors="xmlcharrefreplace")


def number(value: float) -> str:
    """Return the shortest text of a double, whole numbers without point."""
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))


def numbers(values: Iterable[float]) -> str:
    """Return numbers with spaces between."""
    return " ".join(map(number, values))


def _add_origin(element: ET.Element, origin: Origin) -> None:
    if origin != Origin():
        ET.SubElement(element, "origin", xyz=numbers(origin.xyz), rpy=numbers(origin.rpy))


def _link(link: Link) -> ET.Element:
    element = ET.Element("link", name=link.name)
    if link.inertial is not None:
        element.append(_inertial(link.inertial))
    element.extend(_part("visual", part) for part in link.visuals)
    element.extend(_part("collision", part) for part in link.collisions)
    element.extend(ET.fromstring(text) for text in link.extra)
    return element


def _inertial(inertial: Inertial) -> ET.Element:
    element = ET.Element("inertial")
    _add_origin(element, inertial.origin)
    ET.SubElement(element, "mass", value=number(inertial.mass))
    if inertial.inertia is not None:
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        values = dict(zip(names, map(number, inertial.inertia), strict=True))
        ET.SubElement(element, "inertia", values)
    return element


def _part(tag: str, part: Part) -> ET.Element:
    element = ET.Element(tag, {"name": part.name} if part.name else {})
    _add_origin(element, part.origin)
    ET.SubElement(element, "geometry").append(_geometry(part.geometry))
    if part.material is not None:
        element.append(_material(part.material))
    return element


def _geometry(geometry: Geometry) -> ET.Element:
    if geometry.kind == "box":
        return ET.Element("box", size=numbers(geometry.size))
    if geometry.kind == "mesh":
        element = ET.Element("mesh", filename=geometry.filename)
        if geometry.scale != (1.0, 1.0, 1.0):
            element.set("scale", numbers(geometry.scale))
        return element
    element = ET.Element(geometry.kind, radius=number(geometry.radius))
    if geometry.kind != "sphere":
        element.set("length", number(geometry.length))
    return element


def _material(material: Material) -> ET.Element:
    element = ET.Element("material", name=material.name)
    if material.color is not None:
        ET.SubElement(element, "color", rgba=numbers(material.color))
    if material.texture:
        ET.SubElement(element, "texture", filename=material.texture)
    return element


def _carrier(carrier: Carrier) -> ET.Element:
    element = ET.Element(carrier.tag, name=carrier.name, digest=carrier.digest)
    element.text = carrier.text
    return element
