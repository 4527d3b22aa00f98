"""Text of a URDF file to what it says; bad elements cost only themselves.

No DOCTYPE is read, so no entity is ever expanded, and nothing recurses deeper than `_DEEPEST`.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from ....core.findings.finding import Finding
from ....core.meaning.naming import free_name
from ...documents.schema import found_at
from ..format import UnreadableError
from ..geometries import Geometry
from ..origins import Vector
from ..xml_text import parsed_xml
from .document import Carrier, JointElement, Link, LinkPart, Material, Robot
from .rules import LEFT_OUT, NO_AXIS, REPEATED_NAME, UNKNOWN_GEOMETRY, UNUSABLE_VALUE
from .schema import GEOMETRY, JOINT, LINK, MATERIAL, PART

Named = TypeVar("Named", Link, JointElement)
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
CARRIERS = ("omi_joint", "omi_link", "omi_scene")
_DEEPEST = 100
_UNIT = 1e-12
"""Difference of the length of a unit axis from 1."""
_OF_JOINT = frozenset(path for path in JOINT.held() if "/" not in path)
_OF_SRDF = ("group", "group_state", "disable_collisions", "end_effector", "virtual_joint")
"""Elements of SRDF files, which say what planners make of a robot."""
_SRDF = "is an SRDF file, which only adds groups and collision pairs to a robot; give its URDF file"
_OTHERS = {
    "sdf": "is an SDF file, not URDF",
    "mujoco": "is an MJCF file, not URDF",
    "world": "is an SDF file, not URDF",
    "COLLADA": "is a Collada file, not URDF",
}


def parsed_robot(data: bytes) -> tuple[Robot, list[Finding]]:
    """Return what the bytes of a URDF file say; raises `UnreadableError`."""
    root = root_of_text(data)
    if _is_xacro(root):
        raise UnreadableError(
            "is a xacro file; expand it first: xacro FILE > robot.urdf, or without ROS "
            "xacrodoc FILE -o robot.urdf (pip install xacrodoc)"
        )
    if root.tag != "robot":
        raise UnreadableError(_OTHERS.get(root.tag, f"has the root {root.tag!r}, not 'robot'"))
    parser = _Parser()
    robot = parser.robot(root)
    if not robot.links:
        is_srdf = any(root.find(tag) is not None for tag in _OF_SRDF)
        raise UnreadableError(_SRDF if is_srdf else "has no links")
    return robot, parser.findings


def root_of_text(data: bytes) -> ET.Element:
    """Return the root of a URDF file; elements are in no namespace, as urdfdom reads them.

    Raises `UnreadableError`.
    """
    root = parsed_xml(data, name="URDF", deepest=_DEEPEST)
    space, _, name = root.tag.rpartition("}")
    if space and name == "robot":
        for element in root.iter():
            element.tag = element.tag.removeprefix(f"{space}}}")
    return root


def _is_xacro(root: ET.Element) -> bool:
    return any(
        "xacro" in element.tag.partition("}")[0] for element in root.iter() if "}" in element.tag
    )


class _Parser:
    """Reads elements and collects findings."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._materials: dict[str, Material] = {}
        self._place = ""

    def robot(self, root: ET.Element) -> Robot:
        for element in root.findall("material"):
            material = self._material(element)
            self._materials[material.name] = material
        return Robot(
            name=root.get("name", ""),
            links=self._unique(map(self._link, root.findall("link")), "is left out"),
            joints=self._unique(filter(None, map(self._joint, root.findall("joint"))), None),
            extra=_rest(root, "link", "joint", "material", *CARRIERS),
            carriers=tuple(_carrier(e) for e in root if e.tag in CARRIERS),
        )

    def _unique(self, elements: Iterator[Named] | Any, fate: str | None) -> tuple[Named, ...]:
        """Return elements of different names; a repeated one goes, or gets a number."""
        found: dict[str, Named] = {}
        for element in elements:
            if element.name not in found:
                found[element.name] = element
                continue
            self.findings.append(REPEATED_NAME(element.name, fate=fate or "gets a number"))
            if fate is None:
                name = free_name(element.name, found)
                found[name] = replace(element, name=name)
        return tuple(found.values())

    def _link(self, element: ET.Element) -> Link:
        self._place = element.get("name", "")
        visuals, collisions = (
            tuple(filter(None, map(self._part, element.findall(tag))))
            for tag in ("visual", "collision")
        )
        link: Link = LINK.read(element, self._report)
        extra = _rest(element, "inertial", "visual", "collision")
        return replace(link, visuals=visuals, collisions=collisions, extra=extra)

    def _part(self, element: ET.Element) -> LinkPart | None:
        geometry = self._geometry(element.find("geometry"))
        if geometry is None:
            return None
        material = element.find("material")
        part: LinkPart = PART.read(element, self._report)
        return replace(
            part,
            geometry=geometry,
            material=None if material is None else self._material(material),
        )

    def _geometry(self, holder: ET.Element | None) -> Geometry | None:
        element = None if holder is None else next(iter(holder), None)
        if element is None:
            self.findings.append(LEFT_OUT(self._place, problem="a part has no geometry"))
            return None
        if element.tag not in GEOMETRY:
            self.findings.append(UNKNOWN_GEOMETRY(self._place, kind=element.tag))
            return None
        geometry: Geometry = GEOMETRY[element.tag].read(element, self._report)
        return geometry

    def _material(self, element: ET.Element) -> Material:
        material: Material = MATERIAL.read(element, self._report)
        is_name = element.find("color") is None and not material.texture
        return self._materials.get(material.name, material) if is_name else material

    def _joint(self, element: ET.Element) -> JointElement | None:
        self._place = element.get("name", "")
        ends = [found_at(element, [tag]) for tag in ("parent", "child")]
        parent, child = ("" if end is None else end.get("link", "") for end in ends)
        problem = _problem(element.get("type", ""), parent, child)
        if problem:
            self.findings.append(LEFT_OUT(self._place, problem=problem))
            return None
        joint: JointElement = JOINT.read(element, self._report)
        return replace(
            joint,
            axis=self._axis(joint.axis),
            damping=max(0.0, joint.damping),
            friction=max(0.0, joint.friction),
            extra=_rest(element, *_OF_JOINT),
        )

    def _axis(self, axis: Vector) -> Vector:
        if abs(math.hypot(*axis) - 1.0) < _UNIT:
            return axis  # as carriers were made of it, to the last digit
        largest = max(map(abs, axis))
        if largest == 0.0:
            self.findings.append(NO_AXIS(self._place))
            return (1.0, 0.0, 0.0)
        x, y, z = (value / largest for value in axis)
        length = math.hypot(x, y, z)
        return (x / length, y / length, z / length)

    def _report(self, path: str, text: str, expected: str) -> None:
        shown = text if len(text) < 60 else text[:57] + "…"
        name = path.rpartition("@")[2]
        self.findings.append(UNUSABLE_VALUE(self._place, name=name, text=shown, expected=expected))


def _problem(kind: str, parent: str, child: str) -> str:
    if kind not in JOINT_TYPES:
        return f"the joint has the unknown type {kind!r}"
    if not parent or not child:
        return f"the joint has no {'child' if parent else 'parent'} link"
    return "the joint connects a link with itself" if parent == child else ""


def _rest(element: ET.Element, *known: str) -> tuple[str, ...]:
    """Return the children of other tags as XML text."""
    return tuple(_text(child) for child in element if child.tag not in known)


def _text(element: ET.Element) -> str:
    tail, element.tail = element.tail, None
    text = ET.tostring(element, encoding="unicode")
    element.tail = tail
    return text


def _carrier(element: ET.Element) -> Carrier:
    return Carrier(
        tag=element.tag,
        name=element.get("name", ""),
        digest=element.get("digest", ""),
        text=element.text or "",
    )
