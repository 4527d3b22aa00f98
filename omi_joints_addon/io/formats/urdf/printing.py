"""What a URDF document says to its text, with every digit of its numbers."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping

from ...documents.number_words import word
from ..xml_text import printed_xml
from .document import (
    HERE,
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

Elements = dict[tuple[str, str], ET.Element]
"""Elements of links and joints by the tag of their carrier and their name."""
Texts = Mapping[tuple[str, str], str]
"""Text of each of them, which the digests of carriers are about."""


def elements_of(robot: Robot) -> Elements:
    """Return the elements of the links and joints of a robot, those of one name once."""
    elements = {("omi_link", link.name): link_to_xml(link) for link in robot.links}
    return elements | {("omi_joint", joint.name): joint_to_xml(joint) for joint in robot.joints}


def printed_robot(robot: Robot, elements: Elements) -> bytes:
    """Return the bytes of a URDF file, with the elements of its links and joints."""
    root = ET.Element("robot", name=robot.name)
    root.extend(elements.values())
    root.extend(ET.fromstring(text) for text in robot.extra)
    root.extend(carrier_to_xml(carrier) for carrier in robot.carriers)
    return b"<?xml version='1.0' encoding='utf-8'?>\n" + printed_xml(root) + b"\n"


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
        ET.SubElement(element, "limit", {name: word(value) for name, value in given.items()})
    if joint.damping or joint.friction:
        dynamics = {"damping": word(joint.damping), "friction": word(joint.friction)}
        ET.SubElement(element, "dynamics", dynamics)
    if joint.mimic is not None:
        mimic = ET.SubElement(element, "mimic", joint=joint.mimic.joint)
        mimic.set("multiplier", word(joint.mimic.multiplier))
        mimic.set("offset", word(joint.mimic.offset))
    element.extend(ET.fromstring(text) for text in joint.extra)
    return element


def element_texts(elements: Elements) -> Texts:
    """Return the text of each element."""
    return {key: ET.tostring(element, encoding="unicode") for key, element in elements.items()}


def printed_element(element: ET.Element) -> str:
    """Return the text of an element, indented by two spaces a level."""
    ET.indent(element)
    return ET.tostring(element, encoding="unicode").replace(" />", "/>")


def numbers(values: Iterable[float]) -> str:
    """Return numbers with spaces between."""
    return " ".join(map(word, values))


def _add_origin(element: ET.Element, origin: Origin) -> None:
    if origin != HERE:
        ET.SubElement(element, "origin", xyz=numbers(origin.xyz), rpy=numbers(origin.rpy))


def link_to_xml(link: Link) -> ET.Element:
    """Return the element of a link."""
    element = ET.Element("link", name=link.name)
    if link.inertial is not None:
        element.append(inertial_to_xml(link.inertial))
    element.extend(part_to_xml("visual", part) for part in link.visuals)
    element.extend(part_to_xml("collision", part) for part in link.collisions)
    element.extend(ET.fromstring(text) for text in link.extra)
    return element


def inertial_to_xml(inertial: Inertial) -> ET.Element:
    """Return the element of mass and inertia."""
    element = ET.Element("inertial")
    _add_origin(element, inertial.origin)
    ET.SubElement(element, "mass", value=word(inertial.mass))
    if inertial.inertia is not None:
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        values = dict(zip(names, map(word, inertial.inertia), strict=True))
        ET.SubElement(element, "inertia", values)
    return element


def part_to_xml(tag: str, part: Part) -> ET.Element:
    """Return the element of a part, a `visual` or `collision`."""
    element = ET.Element(tag, {"name": part.name} if part.name else {})
    _add_origin(element, part.origin)
    ET.SubElement(element, "geometry").append(geometry_to_xml(part.geometry))
    if part.material is not None:
        element.append(material_to_xml(part.material))
    return element


def geometry_to_xml(geometry: Geometry) -> ET.Element:
    """Return the element of a shape."""
    if geometry.kind == "box":
        return ET.Element("box", size=numbers(geometry.size))
    if geometry.kind == "mesh":
        element = ET.Element("mesh", filename=geometry.filename)
        if geometry.scale != (1.0, 1.0, 1.0):
            element.set("scale", numbers(geometry.scale))
        return element
    element = ET.Element(geometry.kind, radius=word(geometry.radius))
    if geometry.kind != "sphere":
        element.set("length", word(geometry.length))
    return element


def material_to_xml(material: Material) -> ET.Element:
    """Return the element of a color or texture."""
    element = ET.Element("material", name=material.name)
    if material.color is not None:
        ET.SubElement(element, "color", rgba=numbers(material.color))
    if material.texture:
        ET.SubElement(element, "texture", filename=material.texture)
    return element


def carrier_to_xml(carrier: Carrier) -> ET.Element:
    """Return the element of what only this program reads."""
    element = ET.Element(carrier.tag, name=carrier.name, digest=carrier.digest)
    element.text = carrier.text
    return element
