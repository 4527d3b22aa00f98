"""One rule for each attribute of MJCF: what changes it in the text, in the text's own units."""

from collections.abc import Mapping

import numpy as np

from ....closeness import is_close
from ....core.model.pose import (
    Array,
    Pose,
    matrix_from_pose,
    rotation_from_matrix,
)
from ...documents.number_words import is_near, numbers_in, shortest, word
from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import SourceElement
from ..revision import Revision
from .orientations import ORIENTATIONS
from .schema import ANGLE, ATTRIBUTES, MEASURED, PLACE, Attribute
from .source_model import Placed, SourceModel

Attributes = Mapping[str, str]
_PLACES = frozenset(name for name, row in ATTRIBUTES.items() if row.kind == PLACE)
_MEASURED = frozenset(name for name, row in ATTRIBUTES.items() if row.kind in (MEASURED, ANGLE))
"""Numbers that are counted from measured places, where single precision shows."""
_SPAN = frozenset(("pos", "quat", "size", "type"))
_NAMES = frozenset(("name", "mesh"))
_NO_RULE = "this has no place of its own in the file; write it anew"
_OF_SPRINGDAMPER = {"stiffness", "damping"}
_UNKNOWN = Attribute()


class AttributeEdits:
    """Edits of elements, from what they have to what they are to have."""

    def __init__(self, model: SourceModel, revision: Revision) -> None:
        self._model = model
        self._distance = revision.distance
        self._rounding = revision.digits
        self._decimals = revision.decimals

    def edit(self, kind: str, place: Placed, one: Attributes, new: Attributes) -> str:
        """Edit an element; return why something cannot be, empty where all can."""
        changed = self._changed(one, new)
        if not changed:
            return ""
        if kind == "inertial":
            return self._edit_inertial(place, new, changed)
        if kind == "geom" and changed & _SPAN and self._model.value(place, "fromto") is not None:
            return self._edit_span(place, new)
        if kind == "joint":
            self._edit_axis(place, new, changed)
        elif changed & {"pos", "quat"}:
            self._set_pose(place, new)
        if kind == "joint" and changed & _OF_SPRINGDAMPER and self._has_springdamper(place):
            return "its attribute springdamper sets stiffness and damping; the file keeps that"
        problems = [self._edit_one(kind, place, name, new) for name in sorted(changed - _PLACES)]
        return next(filter(None, problems), "")

    def _has_springdamper(self, place: Placed) -> bool:
        """Return whether MuJoCo takes stiffness and damping from a time constant and a ratio."""
        return all(
            value > 0.0 for value in numbers_in(self._model.value(place, "springdamper") or "0")
        )

    def is_alike(self, one: Attributes, other: Attributes) -> bool:
        """Return whether two elements are equal."""
        return not self._changed(one, other)

    def problem_of_unknown(self, one: Attributes, new: Attributes) -> str:
        """Return why an element that the text does not have cannot be edited."""
        return "" if self.is_alike(one, new) else _NO_RULE

    def edit_section(self, element: SourceElement | None, one: Attributes, new: Attributes) -> str:
        """Edit an actuator or equality whose attributes mean the same in the text."""
        changed = self._changed(one, new)
        if not changed:
            return ""
        if element is None or any(name not in element.attrib for name in changed):
            return _NO_RULE
        for name in changed:
            if not self._is_same(name, one.get(name, ""), element.get(name)):
                return _NO_RULE
        for name in changed:
            self._set(element, name, numbers_in(new.get(name, "0")))
        return ""

    def texts(self, attributes: Attributes) -> dict[str, str]:
        """Return attributes of a new element, numbers in the digits that they have."""
        return {
            name: self._text(name, numbers_in(value)) or value for name, value in attributes.items()
        }

    def _changed(self, one: Attributes, new: Attributes) -> set[str]:
        names = {*one, *new} - _NAMES
        return {name for name in names if not self._is_same(name, one.get(name), new.get(name))}

    def _is_same(self, name: str, one: str | None, other: str | None) -> bool:
        if one == other:
            return True
        default = ATTRIBUTES.get(name, _UNKNOWN).default
        first, second = (list(default) if t is None else numbers_in(t) for t in (one, other))
        if len(first) != len(second) or not first:
            return False
        if name == "quat" and float(np.dot(first, second)) < 0.0:
            second = [-value for value in second]
        if name in _PLACES:
            return bool(np.abs(np.subtract(first, second)).max() <= self._distance)
        if name in _MEASURED and self._decimals is not None:
            return bool(np.abs(np.subtract(first, second)).max() <= self._distance)
        return all(map(is_close, first, second))

    def _edit_one(self, kind: str, place: Placed, name: str, new: Attributes) -> str:
        element, value = place.element, new.get(name)
        edits = self._model.edits_of(element)
        if value is None:
            return self._take_away(kind, place, name)
        numbers = numbers_in(value)
        if not numbers:
            edits.set(element, name, value)
            return ""
        if kind == "geom" and name == "friction":
            old = numbers_in(self._model.value(place, "friction") or "")
            numbers = [numbers[0], *old[1:]] if len(numbers) == 1 else numbers
        row = ATTRIBUTES.get(name, _UNKNOWN) if kind == "joint" else _UNKNOWN
        self._set(element, name, numbers, unit=self._unit(place) if row.kind == ANGLE else 1.0)
        if row.switch and not self._is_limited(place, row.switch):
            edits.set(element, row.switch, "true")
        return ""

    def _take_away(self, kind: str, place: Placed, name: str) -> str:
        """Edit away one attribute; a class may have it as well."""
        element, edits = place.element, self._model.edits_of(place.element)
        row = ATTRIBUTES.get(name, _UNKNOWN) if kind == "joint" else _UNKNOWN
        if row.switch:
            # The range stays: actuators may inherit it.
            edits.set(element, row.switch, "false")
        elif row.default == (0.0,):
            edits.set(element, name, "0")
        elif name in element.attrib and name not in self._model.defaults(place):
            edits.unset(element, name)
        else:
            return _NO_RULE
        return ""

    def _is_limited(self, place: Placed, name: str) -> bool:
        written = self._model.value(place, name)
        return written == "true" or (
            written in (None, "auto") and self._model.values.compiler.has_auto_limits
        )

    def _unit(self, place: Placed) -> float:
        is_angular = (self._model.value(place, "type") or "hinge") != "slide"
        return self._model.values.compiler.angle if is_angular else 1.0

    def _edit_axis(self, place: Placed, new: Attributes, changed: set[str]) -> None:
        inverse = np.linalg.inv(place.frame)
        if "pos" in changed:
            point = inverse @ np.append(numbers_in(new.get("pos", "0 0 0")), 1.0)
            self._set(place.element, "pos", point[:3].tolist())
        if "axis" in changed:
            axis = inverse[:3, :3] @ np.array(numbers_in(new.get("axis", "0 0 1")))
            self._set(place.element, "axis", axis.tolist())

    def _set_pose(self, place: Placed, new: Attributes) -> None:
        """Edit the pose of an element; the frames around it stay."""
        pose = np.linalg.solve(place.frame, matrix_of(new))
        old = self._model.values.pose("", self._own(place))
        element, edits = place.element, self._model.edits_of(place.element)
        if np.abs(pose[:3, 3] - old[:3, 3]).max() > self._distance:
            self._set(element, "pos", pose[:3, 3].tolist())
        if np.abs(pose[:3, :3] - old[:3, :3]).max() > self._distance:
            self._set_rotation(element, edits, pose)

    def _own(self, place: Placed) -> dict[str, str]:
        return self._model.defaults(place) | place.element.attrib

    def _edit_span(self, place: Placed, new: Attributes) -> str:
        """Edit where a geom is and how large that has its place from its two ends."""
        element, edits = place.element, self._model.edits_of(place.element)
        if "fromto" not in element.attrib or new.get("type") != self._model.value(place, "type"):
            return _NO_RULE
        edits.unset(element, "fromto")
        pose = np.linalg.solve(place.frame, matrix_of(new))
        self._set(element, "pos", pose[:3, 3].tolist())
        self._set_rotation(element, edits, pose)
        self._set(element, "size", numbers_in(new["size"]))
        return ""

    def _set_rotation(self, element: SourceElement, edits: XmlEdits, pose: Array) -> None:
        for name in ORIENTATIONS:
            if name != "quat":
                edits.unset(element, name)
        x, y, z, w = rotation_from_matrix(pose[:3, :3]).tolist()
        self._set(element, "quat", [w, x, y, z])

    def _edit_inertial(self, place: Placed, new: Attributes, changed: set[str]) -> str:
        """Edit the mass of a body, which may have that of its geoms so far."""
        compiler = self._model.values.compiler
        if compiler.inertia_from_geom == "true" or compiler.total_mass > 0.0:
            return "the compiler's options decide about mass in this file; write it anew"
        body = place.element
        element, edits = body.find("inertial"), self._model.edits_of(body)
        if element is None:
            texts = (f'{name}="{value}"' for name, value in self.texts(new).items())
            edits.add_first(body, f"<inertial {' '.join(texts)}/>")
            return ""
        if "mass" in changed:
            self._set(element, "mass", numbers_in(new["mass"]))
        if changed & {"pos", "quat", "diaginertia"}:
            held = Placed(element, place.body, "", np.eye(4))
            self._set_inertia(held, edits, new, changed)
        return ""

    def _set_inertia(
        self, place: Placed, edits: XmlEdits, new: Attributes, changed: set[str]
    ) -> None:
        element = place.element
        if changed & {"quat", "diaginertia"}:
            edits.unset(element, "fullinertia")
            self._set_rotation(element, edits, matrix_of(new))
            self._set(element, "diaginertia", numbers_in(new["diaginertia"]))
        if "pos" in changed:
            self._set(element, "pos", numbers_in(new.get("pos", "0 0 0")))

    def _set(
        self, element: SourceElement, name: str, values: list[float], *, unit: float = 1.0
    ) -> None:
        """Set numbers; words that are as near as rounding stay."""
        edits = self._model.edits_of(element)
        old = element.get(name).split()
        old = old if len(old) == len(values) else [""] * len(values)
        texts = [
            text if self._is_near(text, value / unit, unit) else self._word(name, value, unit)
            for text, value in zip(old, values, strict=True)
        ]
        edits.set(element, name, " ".join(texts))

    def _is_near(self, text: str, value: float, unit: float) -> bool:
        return is_near(text, value, min(self._distance / unit, 1e-6 * abs(value)))

    def _text(self, name: str, values: list[float]) -> str:
        return " ".join(self._word(name, value, 1.0) for value in values)

    def _word(self, name: str, value: float, unit: float) -> str:
        """Return a number as text; what rounding leaves of a place is zero."""
        nothing = 1e-12 if self._decimals is None else self._distance
        if name in _PLACES | _MEASURED and abs(value) < nothing:
            value = 0.0
        return word(shortest(value / unit, self._rounding))


def matrix_of(attributes: Attributes) -> Array:
    """Return the matrix (4, 4) of `pos` and `quat` as this program writes them."""
    w, x, y, z = numbers_in(attributes.get("quat", "1 0 0 0"))
    position = np.array(numbers_in(attributes.get("pos", "0 0 0")))
    return matrix_from_pose(Pose(position, np.array((x, y, z, w))))
