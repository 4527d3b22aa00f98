"""Text of a URDF file to what it says; bad elements cost only themselves.

No DOCTYPE is read, so no entity is ever expanded, and nothing recurses deeper than `_DEEPEST`.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from ....core.findings.finding import Finding
from ....core.model.numbers import are_usable, is_usable
from ...documents.number_words import numbers_in
from ..format import UnreadableError
from ..xml_text import parsed_xml
from .document import (
    HERE,
    Carrier,
    Geometry,
    Inertial,
    JointElement,
    Limit,
    Link,
    Material,
    Mimic,
    Origin,
    Part,
    Robot,
    Vector,
    numbered,
)
from .rules import LEFT_OUT, NO_AXIS, REPEATED_NAME, UNKNOWN_GEOMETRY, UNUSABLE_VALUE

Numbers = tuple[float, ...]
Named = TypeVar("Named", Link, JointElement)
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
CARRIERS = ("omi_joint", "omi_link", "omi_scene")
_DEEPEST = 100
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
                name = numbered(element.name, found)
                found[name] = replace(element, name=name)
        return tuple(found.values())

    def _link(self, element: ET.Element) -> Link:
        self._place = element.get("name", "")
        parts = {
            tag: tuple(filter(None, map(self._part, element.findall(tag))))
            for tag in ("visual", "collision")
        }
        inertial = element.find("inertial")
        return Link(
            name=self._place,
            inertial=None if inertial is None else self._inertial(inertial),
            visuals=parts["visual"],
            collisions=parts["collision"],
            extra=_rest(element, "inertial", "visual", "collision"),
        )

    def _inertial(self, element: ET.Element) -> Inertial:
        tensor = element.find("inertia")
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        values = [] if tensor is None else [self._number(tensor, name, 0.0) for name in names]
        xx, xy, xz, yy, yz, zz = values or [0.0] * 6
        return Inertial(
            origin=self._origin(element),
            mass=self._number(_child(element, "mass"), "value", 0.0),
            inertia=(xx, xy, xz, yy, yz, zz) if values else None,
        )

    def _part(self, element: ET.Element) -> Part | None:
        geometry = self._geometry(element.find("geometry"))
        if geometry is None:
            return None
        material = element.find("material")
        return Part(
            name=element.get("name", ""),
            origin=self._origin(element),
            geometry=geometry,
            material=None if material is None else self._material(material),
        )

    def _geometry(self, holder: ET.Element | None) -> Geometry | None:
        element = None if holder is None else next(iter(holder), None)
        if element is None:
            self.findings.append(LEFT_OUT(self._place, problem="a part has no geometry"))
            return None
        if element.tag == "mesh":
            scale = self._vector(element, "scale", (1.0, 1.0, 1.0))
            return Geometry(kind="mesh", filename=element.get("filename", ""), scale=scale)
        if element.tag == "box":
            return Geometry(size=self._vector(element, "size", (1.0, 1.0, 1.0)))
        if element.tag not in ("sphere", "cylinder", "capsule"):
            self.findings.append(UNKNOWN_GEOMETRY(self._place, kind=element.tag))
            return None
        length = 0.0 if element.tag == "sphere" else self._number(element, "length", 1.0)
        radius = self._number(element, "radius", 0.5)
        return Geometry(kind=element.tag, radius=radius, length=length)

    def _material(self, element: ET.Element) -> Material:
        name, color = element.get("name", ""), element.find("color")
        texture = _child(element, "texture").get("filename", "")
        if color is None and not texture:
            return self._materials.get(name, Material(name=name))
        rgba = None if color is None else self._numbers(color, "rgba", 4)
        if rgba is None:
            return Material(name=name, texture=texture)
        red, green, blue, alpha = rgba
        return Material(name=name, color=(red, green, blue, alpha), texture=texture)

    def _joint(self, element: ET.Element) -> JointElement | None:
        self._place = element.get("name", "")
        kind = element.get("type", "")
        parent, child = (_child(element, tag).get("link", "") for tag in ("parent", "child"))
        problem = _problem(kind, parent, child)
        if problem:
            self.findings.append(LEFT_OUT(self._place, problem=problem))
            return None
        dynamics, limit = _child(element, "dynamics"), element.find("limit")
        known = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")
        return JointElement(
            name=self._place,
            type=kind,
            parent=parent,
            child=child,
            origin=self._origin(element),
            axis=self._axis(element),
            limit=None if limit is None else self._limit(limit),
            damping=max(0.0, self._number(dynamics, "damping", 0.0)),
            friction=max(0.0, self._number(dynamics, "friction", 0.0)),
            mimic=self._mimic(element.find("mimic")),
            extra=_rest(element, *known),
        )

    def _axis(self, element: ET.Element) -> Vector:
        x, y, z = self._vector(_child(element, "axis"), "xyz", (1.0, 0.0, 0.0))
        largest = max(abs(x), abs(y), abs(z))
        if largest == 0.0:
            self.findings.append(NO_AXIS(self._place))
            return (1.0, 0.0, 0.0)
        x, y, z = x / largest, y / largest, z / largest
        length = math.hypot(x, y, z)
        return (x / length, y / length, z / length)

    def _limit(self, element: ET.Element) -> Limit:
        lower, upper, effort, velocity = (
            self._bound(element, name) for name in ("lower", "upper", "effort", "velocity")
        )
        return Limit(lower=lower, upper=upper, effort=effort, velocity=velocity)

    def _mimic(self, element: ET.Element | None) -> Mimic | None:
        if element is None:
            return None
        return Mimic(
            joint=element.get("joint", ""),
            multiplier=self._number(element, "multiplier", 1.0),
            offset=self._number(element, "offset", 0.0),
        )

    def _origin(self, element: ET.Element) -> Origin:
        origin = element.find("origin")
        if origin is None:
            return HERE
        return Origin(
            self._vector(origin, "xyz", (0.0, 0.0, 0.0)),
            self._vector(origin, "rpy", (0.0, 0.0, 0.0)),
        )

    def _number(self, element: ET.Element, name: str, default: float) -> float:
        found = self._numbers(element, name, 1)
        return default if found is None else found[0]

    def _vector(self, element: ET.Element, name: str, default: Vector) -> Vector:
        found = self._numbers(element, name, 3)
        return default if found is None else (found[0], found[1], found[2])

    def _numbers(self, element: ET.Element, name: str, count: int) -> Numbers | None:
        text = element.get(name)
        if text is None:
            return None
        found = _finite(text, count)
        if found is None:
            self._report(name, text, _expected(count))
        return found

    def _bound(self, element: ET.Element, name: str) -> float | None:
        """Return a number that may be infinite."""
        text = element.get(name)
        if text is None:
            return None
        found = _infinite(text)
        if found is None:
            self._report(name, text, _expected(1))
        return found

    def _report(self, name: str, text: str, expected: str) -> None:
        shown = text if len(text) < 60 else text[:57] + "…"
        self.findings.append(UNUSABLE_VALUE(self._place, name=name, text=shown, expected=expected))


def _problem(kind: str, parent: str, child: str) -> str:
    if kind not in JOINT_TYPES:
        return f"the joint has the unknown type {kind!r}"
    if not parent or not child:
        return f"the joint has no {'child' if parent else 'parent'} link"
    return "the joint connects a link with itself" if parent == child else ""


def _expected(count: int) -> str:
    return "a finite number" if count == 1 else f"{count} finite numbers"


def _finite(text: str, count: int) -> Numbers | None:
    found = tuple(numbers_in(text.replace("_", "?")))
    is_good = len(found) == count and are_usable(found)
    return found if is_good else None


def _infinite(text: str) -> float | None:
    found = numbers_in(text.replace("_", "?"))
    if len(found) != 1 or math.isnan(found[0]):
        return None
    return found[0] if is_usable(found[0]) else math.copysign(math.inf, found[0])


def _child(element: ET.Element, tag: str) -> ET.Element:
    """Return the first child of a tag, an empty element where there is none."""
    found = element.find(tag)
    return ET.Element(tag) if found is None else found


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
