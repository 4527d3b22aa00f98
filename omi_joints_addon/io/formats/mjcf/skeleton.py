"""Bodies of an MJCF model with their joints, geoms and places, before anything is made of them."""

import math
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.pose import Array
from .attributes import Values
from .expanding import MACROS
from .own import own_element, own_free_joint
from .rules import NAME_TAKEN, NO_AXIS, UNKNOWN_TYPE

WORLD = "world"
_PLACED = ("body", "frame", "inertial")
_HERE: Array = np.eye(4)
_HERE.setflags(write=False)
_JOINT_TYPES = ("hinge", "slide", "ball", "free")
WIDTHS = {"free": (7, 6), "ball": (4, 3)}
"""Coordinates and speeds of joints by type; others have one each."""


@dataclass(slots=True, eq=False)
class Element:
    """A joint, geom or site with its defaults, in the axes of its body."""

    name: str
    attributes: dict[str, str]
    frame: Array
    """Frames around it in the axes of the body, shape (4, 4)."""
    element: ET.Element
    child_class: str
    """Class of elements around it that name none."""


class Coordinate(NamedTuple):
    """A joint in the order of MuJoCo's coordinates."""

    name: str
    """Of a free joint that of its body."""
    kind: str
    element: ET.Element


@dataclass(slots=True, eq=False)
class Body:
    """A body."""

    name: str
    element: ET.Element
    parent: "Body | None"
    world: Array
    """World matrix (4, 4) where every joint is as the file has it."""
    attributes: dict[str, str]
    frame: Array
    """Frames around it in the axes of its parent, shape (4, 4)."""
    child_class: str
    inertial: dict[str, str] | None = None
    center: Array | None = None
    """Where `inertial` is in the axes of the body, shape (4, 4)."""
    joints: list[Element] = field(default_factory=list)
    geoms: list[Element] = field(default_factory=list)
    sites: list[Element] = field(default_factory=list)
    rest: list[ET.Element] = field(default_factory=list)
    """Elements that have no counterpart, in the axes of the body and without classes."""
    free: dict[str, str] | None = None
    """What the free joint of the body has beyond its freedom; None for no free joint."""
    free_joint: ET.Element | None = None

    @property
    def is_free(self) -> bool:
        """Whether a free joint lets it move as it likes."""
        return self.free is not None

    @property
    def is_still(self) -> bool:
        """Whether nothing moves it: the world, and bodies without joints below it."""
        body: Body | None = self
        while body is not None and body.parent is not None:
            if body.joints or body.is_free or body.is_mocap:
                return False
            body = body.parent
        return True

    @property
    def is_mocap(self) -> bool:
        """Whether the user moves it."""
        return self.attributes.get("mocap") == "true"


class Skeleton:
    """The bodies of a model, parents before children."""

    def __init__(self, root: ET.Element, values: Values) -> None:
        self._values = values
        self.findings: list[Finding] = values.findings
        holders = root.findall("worldbody")
        places = [each for holder in holders for each in holder.iter() if each.tag in _PLACED]
        poses = values.poses([(each.get("name", each.tag), each.attrib) for each in places])
        self._poses = {id(each): pose for each, pose in zip(places, poses, strict=True)}
        self.bodies: list[Body] = []
        self.numbered: list[Body] = []
        """Bodies in the order of MuJoCo's numbers: each before what is in it, and that at once."""
        world = Body(WORLD, root, None, np.eye(4), {}, _HERE, "")
        self.bodies.append(world)
        for holder in root.findall("worldbody"):
            self._walk(holder, world)
        self.by_name = self._names()

    def _walk(self, holder: ET.Element, body: Body) -> None:
        """Read a body and all below it, without recursion, in the order of the file."""
        stack = [(holder, body, _HERE, holder.get("childclass", ""))]
        while stack:
            element, body, frame, child_class = stack.pop()
            if element.tag == "body":
                self.numbered.append(body)
            inner = []
            for child in element:
                tag, classes = child.tag, child.get("childclass") or child_class
                if tag == "body":
                    new = self._body(child, body, frame, child_class)
                    inner.append((child, new, _HERE, classes))
                elif tag == "frame":
                    inner.append((child, body, frame @ self._poses[id(child)], classes))
                else:
                    self._read(child, body, frame, child_class)
            stack += reversed(inner)

    def coordinates(self) -> list[Coordinate]:
        """Return the joints in the order of their coordinates."""
        found = []
        for body in self.numbered:
            if body.free_joint is not None and not body.joints:
                found.append(Coordinate(body.name, "free", body.free_joint))
            for joint in body.joints:
                kind = joint.attributes.get("type", "hinge")
                found.append(Coordinate(joint.name, kind, joint.element))
        return found

    def _body(self, element: ET.Element, parent: Body, frame: Array, child_class: str) -> Body:
        name = element.get("name") or f"body {len(self.bodies)}"
        above = parent.world if frame is _HERE else parent.world @ frame
        world = above @ self._poses[id(element)]
        body = Body(name, element, parent, world, dict(element.attrib), frame, child_class)
        self.bodies.append(body)
        return body

    def _read(self, child: ET.Element, body: Body, frame: Array, child_class: str) -> None:
        tag = child.tag
        if tag == "inertial":
            body.inertial = dict(child.attrib)
            body.center = self._poses[id(child)]
        elif tag == "freejoint":
            self._free(body, child, child.attrib)
        elif tag in ("joint", "geom", "site"):
            found = self._values.attributes(child, child_class)
            lists = {"joint": body.joints, "geom": body.geoms, "site": body.sites}
            name = found.get("name") or f"{body.name} {tag} {len(lists[tag]) + 1}"
            element = Element(name, found, frame, child, child_class)
            if tag != "joint" or self._is_sound(element, body):
                lists[tag].append(element)
        elif tag not in MACROS:
            body.rest.append(own_element(child, self._values, frame, child_class))

    def _is_sound(self, joint: Element, body: Body) -> bool:
        """Return whether a joint is to be kept: free joints mark their body only."""
        kind = joint.attributes.get("type", "hinge")
        if kind not in _JOINT_TYPES or body.parent is None:
            self.findings.append(UNKNOWN_TYPE(joint.name, kind="joint", type=kind[:40]))
            return False
        if kind == "free":
            self._free(body, joint.element, joint.attributes)
            return False
        axis = self._values.floats(joint.name, joint.attributes, "axis")
        if kind != "ball" and math.hypot(*axis) < 1e-10:
            self.findings.append(NO_AXIS(joint.name))
            return False
        return True

    def _free(self, body: Body, joint: ET.Element, attributes: dict[str, str]) -> None:
        if body.parent is not None:
            body.free, body.free_joint = own_free_joint(attributes), joint

    def _names(self) -> dict[str, Body]:
        found: dict[str, Body] = {}
        for body in self.bodies:
            if body.name in found:
                self.findings.append(NAME_TAKEN(body.name, kind="body", name=body.name))
            else:
                found[body.name] = body
        return found
