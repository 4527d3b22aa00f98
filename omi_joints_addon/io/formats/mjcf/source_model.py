"""The texts of an MJCF model with its included files, and which element makes what in the scene."""

import posixpath
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ....core.model.pose import Array
from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import SourceElement, XmlSource
from .attributes import Values
from .skeleton import WORLD

SECTIONS = ("actuator", "sensor", "tendon", "equality", "contact", "skin", "deformable")
_PARTS = ("joint", "freejoint", "geom", "site")


@dataclass(slots=True, eq=False)
class Placed:
    """An element of a body tree."""

    element: SourceElement
    body: str
    """Name of the body that it is in, for a body that of its parent."""
    child_class: str
    frame: Array
    """Frames around it in the axes of the body that it is in, shape (4, 4)."""


@dataclass(slots=True)
class SourceModel:
    """A model with places for all that it says."""

    files: Mapping[str, bytes]
    edits: dict[str, XmlEdits] = field(default_factory=dict)
    """Edits of each file by its path."""
    placed: dict[tuple[str, str], Placed] = field(default_factory=dict)
    """Bodies, joints, geoms and sites by kind and the name that the reader gives them."""
    sections: list[tuple[str, SourceElement]] = field(default_factory=list)
    """Elements that refer to others, with the section that they are in."""
    targets: list[SourceElement] = field(default_factory=list)
    """Cameras and lights that follow a body."""
    keys: list[SourceElement] = field(default_factory=list)
    """Keyframes."""
    joints: list[SourceElement] = field(default_factory=list)
    """Joints in the order of their coordinates."""
    values: Values = field(init=False)
    _file: dict[SourceElement, str] = field(default_factory=dict)
    _kinds: dict[SourceElement, str] = field(default_factory=dict)
    _bodies: int = 1
    _counts: dict[tuple[str, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the texts; raises `UneditableError`."""
        tops = list(self._children(self._load(next(iter(self.files)))))
        root = ET.Element("mujoco")
        root.extend(self._tree(top) for top in tops if top.tag in ("compiler", "default"))
        self.values = Values(root, [])
        for top in tops:
            if top.tag == "worldbody":
                self._walk(top)
            elif top.tag in SECTIONS:
                self.sections += [(top.tag, each) for each in self._children(top)]
            elif top.tag == "keyframe":
                self.keys += [each for each in self._children(top) if each.tag == "key"]

    @property
    def actuators(self) -> list[SourceElement]:
        """Actuators in the order of their controls."""
        return [each for name, each in self.sections if name == "actuator"]

    def edits_of(self, element: SourceElement) -> XmlEdits:
        """Return the edits of the file that an element is in."""
        return self.edits[self._file[element]]

    def value(self, place: Placed, name: str) -> str | None:
        """Return an attribute as the element or its class has it, None where none has."""
        element = place.element
        edited = self.edits_of(element).value(element, name, "\0")
        if edited != "\0":
            return edited
        return self.defaults(place).get(name)

    def defaults(self, place: Placed) -> dict[str, str]:
        """Return the attributes that classes give an element."""
        name = place.element.get("class") or place.child_class
        return self.values.attributes(ET.Element(place.element.tag), name)

    def kind_of(self, joint: SourceElement) -> str:
        """Return the type of a joint."""
        return self._kinds.get(joint, "hinge")

    def section_of(self, key: tuple[str, str, str]) -> SourceElement | None:
        """Return the element of a section by its tag and `section_key`."""
        section, tag, name = key
        found = (
            each
            for where, each in self.sections
            if where == section and each.tag == tag and section_key(each.attrib) == name
        )
        return next(found, None)

    def is_below(self, element: SourceElement, above: SourceElement) -> bool:
        """Return whether an element is another one or in it."""
        return any(each is element for each in self.below(above))

    def below(self, element: SourceElement) -> Iterator[SourceElement]:
        """Yield an element and all below it, in included files too."""
        stack = [element]
        while stack:
            each = stack.pop()
            yield each
            stack += reversed(list(self._children(each)))

    def data(self) -> dict[str, bytes]:
        """Return the texts after the edits."""
        return {
            name: self.edits[name].data() if name in self.edits else data
            for name, data in self.files.items()
        }

    def _load(self, name: str) -> SourceElement:
        edits = self.edits[name] = XmlEdits(XmlSource(self.files[name]))
        for element in edits.source.root.iter():
            self._file[element] = name
        return edits.source.root

    def _children(self, element: SourceElement) -> Iterator[SourceElement]:
        """Yield the children of an element with those of files that it includes."""
        for child in element.children:
            if child.tag != "include":
                yield child
                continue
            name = posixpath.normpath(child.get("file").replace("\\", "/"))
            if name not in self.files:
                continue
            root = self.edits[name].source.root if name in self.edits else self._load(name)
            yield from self._children(root)

    def _tree(self, element: SourceElement) -> ET.Element:
        """Return an element with its includes in place, as the readers of values take it."""
        found = ET.Element(element.tag, element.attrib)
        found.extend(self._tree(child) for child in self._children(element))
        return found

    def _walk(self, top: SourceElement) -> None:
        """Name bodies and what they hold as `skeleton.Skeleton` does."""
        stack = [(top, WORLD, np.eye(4), top.get("childclass"))]
        own: dict[str, list[SourceElement]] = {WORLD: []}
        order: list[str] = []
        while stack:
            holder, body, frame, classes = stack.pop()
            inner = []
            for child in self._children(holder):
                inside = child.get("childclass") or classes
                if child.tag == "body":
                    name = child.get("name") or f"body {self._bodies}"
                    self._bodies += 1
                    self.placed.setdefault(("body", name), Placed(child, body, classes, frame))
                    inner.append((child, name, np.eye(4), inside))
                elif child.tag == "frame":
                    pose = self.values.pose(body, child.attrib)
                    inner.append((child, body, frame @ pose, inside))
                elif child.get("target"):
                    self.targets.append(child)
                elif child.tag in _PARTS:
                    self._add(child, body, frame, classes, own.setdefault(body, []))
            if holder.tag == "body":
                order.append(body)
            stack += reversed(inner)
        self.joints = [joint for body in dict.fromkeys(order) for joint in own.get(body, [])]

    def _add(
        self,
        child: SourceElement,
        body: str,
        frame: Array,
        classes: str,
        joints: list[SourceElement],
    ) -> None:
        kind = "joint" if child.tag == "freejoint" else child.tag
        if kind == "joint":
            joints.append(child)
        place = Placed(child, body, classes, frame)
        self._kinds[child] = self.value(place, "type") or "hinge"
        if child.tag == "freejoint" or (kind == "joint" and self.value(place, "type") == "free"):
            return
        number = self._counts[kind, body] = self._counts.get((kind, body), 0) + 1
        name = child.get("name") or f"{body} {kind} {number}"
        self.placed.setdefault((kind, name), place)


def section_key(attributes: Mapping[str, str]) -> str:
    """Return what distinguishes an actuator or equality from others of its tag."""
    names = ("joint1", "joint2", "body1", "body2", "site1", "site2")
    return attributes.get("name") or " ".join(attributes.get(name, "") for name in names)
