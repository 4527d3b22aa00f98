"""One rule for each value of a URDF file: what changes it in the text, in the text's own style."""

import math
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....closeness import is_close
from ....core.model.pose import Array
from ...documents.number_words import numbers_in, shortest, snapped, word, words
from ...documents.schema import Row, Style
from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import SourceElement
from ..geometries import Geometry
from ..origins import ZERO, Origin, Vector, origin_of_matrix
from .document import Inertial, JointElement, LinkPart
from .printing import geometry_to_xml, printed_element
from .schema import BOUND, GEOMETRY, INERTIAL, JOINT, MATERIAL, PLACE, SIZE, SIZES, STRENGTH

_TENSOR = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_ROWS, _COLUMNS = (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)


class _Words(Style):
    """Numbers as a file that was edited has them, with the digits that are certain."""

    def __init__(self, distance: float, decimals: int | None) -> None:
        self._distance = distance
        self._decimals = decimals

    def is_same(self, row: Row, one: Any, other: Any) -> bool:
        """Return whether two values are one; bounds are counted from measured places."""
        is_measured = row.kind is BOUND and self._decimals is not None
        if row.kind is PLACE or (is_measured and None not in (one, other)):
            pairs = zip(np.atleast_1d(one), np.atleast_1d(other), strict=True)
            return max(abs(a - b) for a, b in pairs) <= self._distance or bool(one == other)
        return super().is_same(row, one, other)

    def text(self, row: Row, old: str, value: Any) -> str:
        """Return the text of a value, where its numbers have not changed the old words."""
        if row.kind is PLACE:
            return words(old, value, self._decimals, self._distance)
        if row.kind is SIZES:
            sizes = [self._size(each) for each in value]
            return words(old, sizes, None, 1e-6 * min(map(abs, value)))
        if row.kind is SIZE:
            return word(self._size(value))
        if row.kind in (BOUND, STRENGTH):
            return word(snapped(value, self._decimals))
        return row.kind.write(value)

    def _size(self, value: float) -> float:
        """Return a size with the digits that single precision holds, where there is no more."""
        return value if self._decimals is None else shortest(value, 6e-8)


@dataclass(frozen=True, slots=True)
class ElementEdits:
    """Edits of elements, from what they say to what they are to say."""

    edits: XmlEdits
    distance: float
    """Distance [m] and angle [rad] that counts as none."""
    decimals: int | None
    """Decimals of new places and angles; None is all of them."""

    @property
    def style(self) -> Style:
        """How numbers of new elements are written."""
        return _Words(self.distance, self.decimals)

    def edit_joint(self, element: SourceElement, one: JointElement, new: JointElement) -> None:
        """Edit all of a joint but its name and links."""
        if one == new:
            return
        self.edit_origin(element, one.origin, new.origin)
        limit = element.find("limit")
        if limit is not None and one.limit is not None and new.limit is None:
            # What is left of it is effort and velocity.
            self.edits.unset(limit, "lower")
            self.edits.unset(limit, "upper")
            one = replace(one, limit=None)
        one = replace(one, name=new.name, parent=new.parent, child=new.child, origin=new.origin)
        JOINT.edit(self.edits, element, one, new, self.style)

    def edit_origin(self, element: SourceElement, one: Origin, new: Origin) -> None:
        """Edit the pose that an element has in another.

        `one` and `new` may be the poses in something that the other is fixed to.
        """
        if one == new:
            return
        old = self.origin_of(element)
        if not self._is_same_place(old, one) and not self._is_same_place(one, new):
            moved = old.matrix() @ np.linalg.solve(one.matrix(), new.matrix())
            one, new = old, origin_of_matrix(moved)
        values = {}
        if not self._is_near(one.xyz, new.xyz):
            values["xyz"] = self._vector(self._old(element, "origin", "xyz"), new.xyz)
        if not self._is_near(_axes(one), _axes(new)):
            values["rpy"] = self._vector(self._old(element, "origin", "rpy"), new.rpy)
        self._put(element, "origin", values, is_first=True)

    def edit_inertial(
        self,
        link: SourceElement,
        one: Inertial | None,
        new: Inertial | None,
        *,
        has_tensor: bool,
    ) -> None:
        """Edit the mass of a link, its place and its tensor."""
        if one == new:
            return
        element = link.find("inertial")
        if new is None or one is None or element is None:
            if new is None and one is not None and element is not None:
                self.edits.remove(element)
            elif new is not None and one is None:
                self.edits.add_first(
                    link, printed_element(INERTIAL.write(ET.Element("inertial"), new, self.style))
                )
            return
        if not is_close(one.mass, new.mass):
            self._put(element, "mass", {"value": word(new.mass)})
        if not self._is_near(one.origin.xyz, new.origin.xyz):
            xyz = self._vector(self._old(element, "origin", "xyz"), new.origin.xyz)
            self._put(element, "origin", {"xyz": xyz}, is_first=True)
        if has_tensor:
            self._edit_tensor(element, one, new)

    def _edit_tensor(self, element: SourceElement, one: Inertial, new: Inertial) -> None:
        before, after = _link_tensor(one), _link_tensor(new)
        if np.abs(before - after).max() <= 1e-6 * max(1e-12, float(np.abs(after).max())):
            return
        axes = Origin(rpy=_numbers(self._old(element, "origin", "rpy"))).matrix()[:3, :3]
        values = (axes.T @ after @ axes)[_ROWS, _COLUMNS].tolist()
        largest = max(map(abs, values))
        small = [0.0 if abs(value) < 1e-9 * largest else float(f"{value:.9g}") for value in values]
        self._put(element, "inertia", dict(zip(_TENSOR, map(word, small), strict=True)))

    def edit_part(self, element: SourceElement, one: LinkPart, new: LinkPart) -> None:
        """Edit a visual or collision."""
        self.edit_origin(element, one.origin, new.origin)
        self._edit_geometry(element, one.geometry, new.geometry)
        if new.material is None or one.material == new.material or new.material.color is None:
            return
        color = None if one.material is None else one.material.color
        if color is None or not all(map(is_close, color, new.material.color)):
            self._edit_color(element, new)

    def _edit_color(self, element: SourceElement, new: LinkPart) -> None:
        material, text = element.find("material"), new.material
        if text is None or text.color is None:
            return
        rgba = " ".join(word(round(value, 6)) for value in text.color)
        if material is not None and material.find("color") is not None:
            self._put(material, "color", {"rgba": rgba})
            return
        # A color beside the name of a shared material would be that material's for everybody.
        own = replace(text, name=f"{new.name}_material", color=None)
        lines = printed_element(MATERIAL.write(ET.Element("material"), own)).replace(
            "/>", f'>\n  <color rgba="{rgba}"/>\n</material>'
        )
        if material is not None:
            self.edits.replace(material, lines)
        else:
            self.edits.add(element, lines)

    def _edit_geometry(self, part: SourceElement, one: Geometry, new: Geometry) -> None:
        holder = part.find("geometry")
        if holder is None:
            return
        element = holder.children[0]
        if one.kind != new.kind:
            self.edits.replace(element, printed_element(geometry_to_xml(new, self.style)))
            return
        GEOMETRY[new.kind].edit(self.edits, element, one, new, self.style)

    def origin_of(self, element: SourceElement) -> Origin:
        """Return the pose of an element as the text has it."""
        xyz, rpy = (_numbers(self._old(element, "origin", name)) for name in ("xyz", "rpy"))
        return Origin(xyz, rpy)

    def _is_same_place(self, one: Origin, other: Origin) -> bool:
        return self._is_near(one.xyz, other.xyz) and self._is_near(_axes(one), _axes(other))

    def _vector(self, old: str, values: Sequence[float]) -> str:
        return words(old, values, self.decimals, self.distance)

    def _is_near(self, one: Sequence[float], other: Sequence[float]) -> bool:
        return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= self.distance

    def _old(self, element: SourceElement, tag: str, name: str) -> str:
        found = element.find(tag)
        return "" if found is None else found.get(name)

    def _put(
        self,
        element: SourceElement,
        tag: str,
        values: dict[str, str],
        *,
        is_first: bool = False,
    ) -> None:
        """Set attributes of a child, which is made where there is none."""
        place = element.find(tag)
        if place is not None:
            for name, value in values.items():
                self.edits.set(place, name, value)
        elif values:
            text = f"<{tag} " + " ".join(f'{name}="{value}"' for name, value in values.items())
            (self.edits.add_first if is_first else self.edits.add)(element, text + "/>")


def _axes(origin: Origin) -> list[float]:
    axes: list[float] = origin.matrix()[:3, :3].ravel().tolist()
    return axes


def _link_tensor(inertial: Inertial) -> Array:
    """Return the tensor about the center of mass in the axes of the link, shape (3, 3)."""
    axes = inertial.origin.matrix()[:3, :3]
    return np.asarray(axes @ inertial.tensor() @ axes.T)


def _numbers(text: str) -> Vector:
    found = numbers_in(text)
    is_vector = len(found) == 3 and all(map(math.isfinite, found))
    return (found[0], found[1], found[2]) if is_vector else ZERO
