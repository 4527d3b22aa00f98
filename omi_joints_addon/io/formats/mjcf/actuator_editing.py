"""Actuators of a scene put into the text of a model: new ones come last, so that others stay."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import replace

from .actuator_writing import actuator_element
from .actuators import TARGETS, actuator_of, start_of
from .attribute_edits import AttributeEdits
from .attributes import Values
from .printing import Attributes
from .references import Removal
from .source_model import SourceModel

Sections = Mapping[tuple[str, str, str], ET.Element]
_TAGS = ("general", "motor", "position", "velocity")
_PLAIN = {
    "gaintype": "fixed",
    "biastype": "none",
    "biasprm": "0 0 0",
    "dyntype": "none",
    "gear": "1",
    "ctrllimited": "false",
    "forcelimited": "false",
}
"""What an actuator is where no class says otherwise."""


class ActuatorEdits:
    """Adds, replaces and removes actuators, with their columns of keyframes."""

    def __init__(self, model: SourceModel, rules: AttributeEdits, names: Mapping[str, str]) -> None:
        self._model = model
        self._rules = rules
        self._names = names
        """Names that joints are to have, by those that they have in the text."""

    def edit(self, before: Sections, after: Sections, root: ET.Element) -> None:
        """Write the actuators that are new or gone; `root` is the document with those to be."""
        gone = _by_name(before, after)
        new = _by_name(after, before)
        removal = Removal(self._model)
        for name, (key, _element) in gone.items():
            element = self._model.section_of(key)
            if element is None or removal.is_removed(element):
                continue
            if name in new:
                self._model.edits_of(element).replace(element, self._line(new[name][1]))
            else:
                removal.actuators([element])
        added = [element for name, (_key, element) in new.items() if name not in gone]
        if added:
            self._add(added, root)

    def _add(self, added: Sequence[ET.Element], root: ET.Element) -> None:
        controls = start_of(root).get("ctrl", "").split()
        own = controls[-len(added) :] if controls else ["0"] * len(added)
        there = self._model.actuators
        lines = [self._line(element) for element in added]
        if there:
            holder = there[-1].parent
            assert holder is not None
            self._model.edits_of(holder).add(holder, "\n".join(lines), after=there[-1])
        else:
            self._add_top("actuator", lines)
        for key in self._model.keys:
            edits = self._model.edits_of(key)
            if text := edits.value(key, "ctrl"):
                edits.set(key, "ctrl", " ".join((text, *own)))
            elif key.get("name") == TARGETS and controls:
                edits.set(key, "ctrl", " ".join(controls))
        is_start = any(key.get("name") == TARGETS for key in self._model.keys)
        if controls and not is_start and len(controls) == len(there) + len(added):
            self._add_top("keyframe", [f'<key name="{TARGETS}" ctrl="{" ".join(controls)}"/>'])

    def _add_top(self, tag: str, lines: Sequence[str]) -> None:
        """Add elements to a section of the model, which is made where it is missing."""
        edits = self._model.edits[next(iter(self._model.files))]
        root = edits.source.root
        section = next((top for top in root.children if top.tag == tag), None)
        if section is not None:
            edits.add(section, "\n".join(lines))
        else:
            edits.add(root, "\n".join((f"<{tag}>", *(f"  {line}" for line in lines), f"</{tag}>")))

    def _line(self, element: ET.Element) -> str:
        """Return an actuator as text that says all that classes would say otherwise."""
        values = self._model.values
        if any(values.attributes(ET.Element(tag), "") for tag in _TAGS):
            element = self._explicit(element)
        attributes = self._rules.texts(element.attrib)
        if joint := attributes.get("joint"):
            attributes["joint"] = self._joint(joint)
        made = ET.Element(element.tag, attributes)
        made.extend(element)
        return ET.tostring(made, encoding="unicode")

    def _explicit(self, element: ET.Element) -> ET.Element:
        actuator = actuator_of(element, Values(ET.Element("mujoco"), []))
        if not actuator.is_affine:
            return element
        made = actuator_element(replace(actuator, kind="general"), actuator.target)
        limited: Attributes = {
            f"{name}limited": "true" for name in ("ctrl", "force") if f"{name}range" in made.attrib
        }
        return ET.Element("general", _PLAIN | made.attrib | limited)

    def _joint(self, name: str) -> str:
        """Return the name that a joint is to have, which it gets where it has none."""
        place = self._model.placed.get(("joint", name))
        wanted = self._names.get(name, name)
        if place is not None and not place.element.get("name"):
            self._model.edits_of(place.element).set(place.element, "name", wanted)
        return wanted


def _by_name(
    sections: Sections, others: Sections
) -> dict[str, tuple[tuple[str, str, str], ET.Element]]:
    """Return the actuators with a name that others do not have, by it."""
    return {
        key[2]: (key, element)
        for key, element in sections.items()
        if key[0] == "actuator" and key not in others and key[2].strip()
    }
