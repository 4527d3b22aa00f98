"""The texts of an MJCF model with its included files, and which element makes what in the scene."""

import posixpath
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ....core.model.pose import Array
from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import SourceElement, XmlSource
from .attributes import Values
from .skeleton import Body, Element, Skeleton

SECTIONS = ("actuator", "sensor", "tendon", "equality", "contact", "skin", "deformable")


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
    joints: list[tuple[SourceElement, str]] = field(default_factory=list)
    """Joints with their types in the order of their coordinates."""
    values: Values = field(init=False)
    _file: dict[SourceElement, str] = field(default_factory=dict)
    _sources: dict[ET.Element, SourceElement] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the texts; raises `UneditableError`."""
        root = self._tree(self._load(next(iter(self.files))))
        self.values = Values(root, [])
        for top in root:
            if top.tag in SECTIONS:
                self.sections += [(top.tag, self._sources[each]) for each in top]
        self.keys = [self._sources[each] for each in root.iterfind("keyframe/key")]
        targeted = root.iterfind("worldbody//*[@target]")
        self.targets = [self._sources[each] for each in targeted]
        self._place(Skeleton(root, self.values))

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
        made = ET.Element(element.tag, element.attrib)
        self._sources[made] = element
        made.extend(self._tree(child) for child in self._children(element))
        return made

    def _place(self, skeleton: Skeleton) -> None:
        """Find bodies and what they hold by the names that the reader gives them."""
        self.joints = [(self._sources[each.element], each.kind) for each in skeleton.coordinates()]
        for body in skeleton.bodies:
            if body.parent is not None:
                self._add(("body", body.name), body, body.parent)
            kinds = {"joint": body.joints, "geom": body.geoms, "site": body.sites}
            for kind, parts in kinds.items():
                for part in parts:
                    self._add((kind, part.name), part, body)

    def _add(self, key: tuple[str, str], part: Element | Body, holder: Body) -> None:
        source = self._sources[part.element]
        place = Placed(source, holder.name, part.child_class, part.frame)
        self.placed.setdefault(key, place)


def section_key(attributes: Mapping[str, str]) -> str:
    """Return what distinguishes an actuator or equality from others of its tag."""
    names = ("joint1", "joint2", "body1", "body2", "site1", "site2")
    return attributes.get("name") or " ".join(attributes.get(name, "") for name in names)
