"""What refers to elements of a model by their names, and what goes along with an element."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...documents.xml_source import SourceElement
from .schema import ATTRIBUTES
from .skeleton import WIDTHS
from .source_model import SourceModel

_TYPED = {"objname": "objtype", "refname": "reftype"}
_WORD = re.compile(r"\S+")


def rename(model: SourceModel, kind: str, element: SourceElement, name: str) -> None:
    """Rename an element and all that refers to it."""
    old = element.get("name")
    for each, attribute in _references(model, kind, {old} if old else set()):
        model.edits_of(each).set(each, attribute, name)
    model.edits_of(element).set(element, "name", name)


def _references(
    model: SourceModel, kind: str, names: set[str]
) -> Iterator[tuple[SourceElement, str]]:
    """Yield the elements, with the attribute, that name one of some elements of a kind."""
    for section, top in model.sections:
        for element in model.below(top):
            for attribute, value in element.attrib.items():
                if value in names and _is_about(section, element, attribute, kind):
                    yield element, attribute
    for place in model.targets if kind == "body" else ():
        if place.get("target") in names:
            yield place, "target"


def _is_about(section: str, element: SourceElement, attribute: str, kind: str) -> bool:
    if attribute in _TYPED:
        return element.get(_TYPED[attribute]).removeprefix("x") == kind
    if section == "tendon" and attribute == "joint":
        return kind == "joint" and element.tag == "joint"
    return attribute in ATTRIBUTES and ATTRIBUTES[attribute].names == kind


@dataclass(slots=True)
class Removal:
    """Takes elements out with all that has no meaning without them."""

    model: SourceModel
    went: list[str] = field(default_factory=list)
    """What went along, each as "tag name"."""

    def joints(self, joints: list[SourceElement]) -> None:
        """Remove joints, what refers to them, and their columns of keyframes."""
        model = self.model
        columns, speeds = self._columns(set(joints))
        for joint in joints:
            self._remove(joint)
        self._references("joint", {joint.get("name") for joint in joints} - {""})
        for key in model.keys:
            self._cut(key, "qpos", columns)
            self._cut(key, "qvel", speeds)

    def actuators(self, actuators: list[SourceElement]) -> None:
        """Remove actuators, what refers to them, and their columns of keyframes."""
        self._remove_all(actuators)
        self._references("actuator", {each.get("name") for each in actuators} - {""})

    def body(self, body: SourceElement) -> None:
        """Remove a body with all that is in it."""
        inside = list(self.model.below(body))
        joints = {joint for joint, _ in self.model.joints}
        self.joints([each for each in inside if each in joints])
        self._remove(body)
        for kind in ("body", "site", "geom"):
            names = {each.get("name") for each in inside if each.tag == kind} - {""}
            self._references(kind, names)

    def _references(self, kind: str, names: set[str]) -> None:
        """Remove what names one of some elements, and then what names that."""
        gone = list(self._naming(kind, names)) if names else []
        self._remove_all(gone)
        for section in ("tendon", "actuator") if gone else ():
            owners = {each for name, each in self.model.sections if name == section}
            self._references(section, {each.get("name") for each in gone if each in owners} - {""})

    def _remove_all(self, gone: list[SourceElement]) -> None:
        """Remove elements of sections, actuators with their controls of keyframes."""
        actuators = self.model.actuators
        controls = {number for number, each in enumerate(actuators) if each in gone}
        for top in gone:
            if not self.is_removed(top):
                self.went.append(f"{top.tag} {top.get('name')}".strip())
                self._remove(top)
        for key in self.model.keys:
            self._cut(key, "ctrl", controls)

    def _naming(self, kind: str, names: set[str]) -> Iterator[SourceElement]:
        """Yield the elements of sections that name others; terms of tendons go at once."""
        tops = {each for _, each in self.model.sections}
        for element, _ in list(_references(self.model, kind, names)):
            if self.is_removed(element):
                continue
            if element.tag in ("camera", "light"):
                self.model.edits_of(element).unset(element, "target")
                continue
            top = element if element in tops else self._without_term(element)
            if top is not None:
                yield top

    def _without_term(self, element: SourceElement) -> SourceElement | None:
        """Remove a term of a tendon; return the tendon where no term is left."""
        holder = element.parent
        self._remove(element)
        if holder is None or any(not self.is_removed(each) for each in holder.children):
            return None
        return holder

    def _remove(self, element: SourceElement) -> None:
        self.model.edits_of(element).remove(element)

    def is_removed(self, element: SourceElement) -> bool:
        """Return whether an element is gone."""
        return element in self.model.edits_of(element).removed

    def _columns(self, gone: set[SourceElement]) -> tuple[set[int], set[int]]:
        """Return the numbers of the coordinates and of the speeds of some joints."""
        found: tuple[set[int], set[int]] = (set(), set())
        at = [0, 0]
        for joint, kind in self.model.joints:
            for row, width in enumerate(WIDTHS.get(kind, (1, 1))):
                if joint in gone:
                    found[row].update(range(at[row], at[row] + width))
                at[row] += width
        return found

    def _cut(self, key: SourceElement, name: str, columns: set[int]) -> None:
        """Take words out of a list of numbers."""
        edits = self.model.edits_of(key)
        text = edits.value(key, name)
        words = list(_WORD.finditer(text))
        if not text or not columns:
            return
        left = [word[0] for number, word in enumerate(words) if number not in columns]
        edits.set(key, name, " ".join(left))
