"""What a URDF document says to its text, with every digit of its numbers."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping

from ...documents.schema import EXACT, Style
from ..geometries import Geometry
from ..xml_text import printed_xml
from .document import Carrier, JointElement, Link, LinkPart, Robot
from .schema import GEOMETRY, JOINT, LINK, MATERIAL, PART

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


def joint_to_xml(joint: JointElement, style: Style = EXACT) -> ET.Element:
    """Return the element of a joint."""
    element = JOINT.write(ET.Element("joint"), joint, style)
    axis = element.find("axis")
    if joint.type in ("fixed", "floating") and axis is not None:
        element.remove(axis)
    return _with(element, joint.extra)


def element_texts(elements: Elements) -> Texts:
    """Return the text of each element."""
    return {key: ET.tostring(element, encoding="unicode") for key, element in elements.items()}


def printed_element(element: ET.Element) -> str:
    """Return the text of an element, indented by two spaces a level."""
    ET.indent(element)
    return ET.tostring(element, encoding="unicode").replace(" />", "/>")


def link_to_xml(link: Link, style: Style = EXACT) -> ET.Element:
    """Return the element of a link."""
    element = LINK.write(ET.Element("link"), link, style)
    for tag, parts in (("visual", link.visuals), ("collision", link.collisions)):
        element.extend(part_to_xml(tag, part, style) for part in parts)
    return _with(element, link.extra)


def _with(element: ET.Element, extra: Iterable[str]) -> ET.Element:
    element.extend(ET.fromstring(text) for text in extra)
    return element


def part_to_xml(tag: str, part: LinkPart, style: Style = EXACT) -> ET.Element:
    """Return the element of a part, a `visual` or `collision`."""
    element = PART.write(ET.Element(tag), part, style)
    ET.SubElement(element, "geometry").append(geometry_to_xml(part.geometry, style))
    if part.material is not None:
        MATERIAL.write(ET.SubElement(element, "material"), part.material)
    return element


def geometry_to_xml(geometry: Geometry, style: Style = EXACT) -> ET.Element:
    """Return the element of a shape."""
    return GEOMETRY[geometry.kind].write(ET.Element(geometry.kind), geometry, style)


def carrier_to_xml(carrier: Carrier) -> ET.Element:
    """Return the element of what only this program reads."""
    element = ET.Element(carrier.tag, name=carrier.name, digest=carrier.digest)
    element.text = carrier.text
    return element
