"""One rule for each value of a URDF file: what changes it in the text, in the text's own style."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....core.model.pose import Array
from ...documents.number_words import is_close, numbers_in, rounded, shortest, snapped, word, words
from ...documents.xml_edits import XmlEdits
from ...documents.xml_source import SourceElement
from .document import (
    ZERO,
    Geometry,
    Inertial,
    JointElement,
    Limit,
    Link,
    Mimic,
    Origin,
    Part,
    Vector,
    origin_of_matrix,
)
from .printing import geometry_to_xml, inertial_to_xml, material_to_xml, printed_element

_TENSOR = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_ROWS, _COLUMNS = (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)


@dataclass(frozen=True, slots=True)
class ElementEdits:
    """Edits of elements, from what they say to what they are to say."""

    edits: XmlEdits
    distance: float
    """Distance [m] and angle [rad] that counts as none."""
    decimals: int | None
    """Decimals of new places and angles; None is all of them."""

    def edit_joint(self, element: SourceElement, one: JointElement, new: JointElement) -> None:
        """Edit all of a joint but its name and links."""
        if one.type != new.type:
            self.edits.set(element, "type", new.type)
        self.edit_origin(element, one.origin, new.origin)
        if not self._is_near(one.axis, new.axis):
            self._put(
                element, "axis", {"xyz": self._vector(self._old(element, "axis", "xyz"), new.axis)}
            )
        self._edit_limit(element, one.limit, new.limit)
        dynamics = {
            name: word(getattr(new, name))
            for name in ("damping", "friction")
            if not is_close(getattr(one, name), getattr(new, name))
        }
        self._put(element, "dynamics", dynamics)
        self._edit_mimic(element, one.mimic, new.mimic)

    def edit_origin(self, element: SourceElement, one: Origin, new: Origin) -> None:
        """Edit the pose that an element has in another.

        `one` and `new` may be the poses in something that the other is fixed to.
        """
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
        element = link.find("inertial")
        if new is None or one is None or element is None:
            if new is None and one is not None and element is not None:
                self.edits.remove(element)
            elif new is not None and one is None:
                self.edits.add_first(link, printed_element(inertial_to_xml(self._inertial(new))))
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

    def edit_part(self, element: SourceElement, one: Part, new: Part) -> None:
        """Edit a visual or collision."""
        self.edit_origin(element, one.origin, new.origin)
        self._edit_geometry(element, one.geometry, new.geometry)
        if new.material is None or one.material == new.material or new.material.color is None:
            return
        color = None if one.material is None else one.material.color
        if color is None or not all(map(is_close, color, new.material.color)):
            self._edit_color(element, new)

    def _edit_color(self, element: SourceElement, new: Part) -> None:
        material, text = element.find("material"), new.material
        if text is None or text.color is None:
            return
        rgba = " ".join(word(round(value, 6)) for value in text.color)
        if material is not None and material.find("color") is not None:
            self._put(material, "color", {"rgba": rgba})
            return
        # A color beside the name of a shared material would be that material's for everybody.
        own = replace(text, name=f"{new.name}_material", color=None)
        lines = printed_element(material_to_xml(own)).replace(
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
            self.edits.replace(element, printed_element(geometry_to_xml(new)))
            return
        for name, default in (("size", None), ("scale", (1.0, 1.0, 1.0))):
            value: Vector = getattr(new, name)
            if not all(map(is_close, getattr(one, name), value)):
                old = element.get(name, "1 1 1" if default else "")
                near = 1e-6 * min(map(abs, value))
                self.edits.set(element, name, words(old, self._sizes(value), None, near))
        for name in ("radius", "length"):
            if not is_close(getattr(one, name), getattr(new, name)):
                self.edits.set(element, name, word(self._size(getattr(new, name))))
        if one.filename != new.filename:
            self.edits.set(element, "filename", new.filename)

    def _edit_limit(self, element: SourceElement, one: Limit | None, new: Limit | None) -> None:
        place = element.find("limit")
        if new is None or place is None:
            if new is not None:
                values = {name: getattr(new, name) for name in _LIMIT}
                given = {name: self._bound(v) for name, v in values.items() if v is not None}
                self._put(element, "limit", given if one != new else {})
            elif one is not None and place is not None:
                self.edits.unset(place, "lower")
                self.edits.unset(place, "upper")
            return
        for name in _LIMIT:
            old, value = getattr(one, name, None), getattr(new, name)
            if value is None and old is not None:
                self.edits.unset(place, name)
            elif value is not None and (old is None or not self._is_same_bound(name, old, value)):
                self.edits.set(place, name, self._bound(value))

    def _is_same_bound(self, name: str, one: float, other: float) -> bool:
        """Return whether bounds are one; those of positions are counted from measured places."""
        is_measured = self.decimals is not None and name in ("lower", "upper")
        return is_close(one, other) or (is_measured and abs(one - other) <= self.distance)

    def _bound(self, value: float) -> str:
        return word(snapped(value, self.decimals))

    def _edit_mimic(self, element: SourceElement, one: Mimic | None, new: Mimic | None) -> None:
        place = element.find("mimic")
        if new is None:
            if one is not None and place is not None:
                self.edits.remove(place)
            return
        values = {} if one is not None and one.joint == new.joint else {"joint": new.joint}
        for name, default in (("multiplier", 1.0), ("offset", 0.0)):
            old = default if one is None else getattr(one, name)
            if not is_close(old, getattr(new, name)):
                values[name] = word(getattr(new, name))
        self._put(element, "mimic", values)

    def rounded_link(self, link: Link) -> Link:
        """Return a new link with the digits that are certain."""
        return replace(
            link,
            inertial=None if link.inertial is None else self._inertial(link.inertial),
            visuals=tuple(map(self.rounded_part, link.visuals)),
            collisions=tuple(map(self.rounded_part, link.collisions)),
        )

    def rounded_part(self, part: Part) -> Part:
        """Return a new part with the digits that are certain."""
        found = part.geometry
        geometry = replace(
            found,
            size=self._sizes(found.size),
            scale=self._sizes(found.scale),
            radius=self._size(found.radius),
            length=self._size(found.length),
        )
        return replace(part, origin=self._origin(part.origin), geometry=geometry)

    def _sizes(self, values: Vector) -> Vector:
        x, y, z = map(self._size, values)
        return x, y, z

    def _size(self, value: float) -> float:
        """Return a size with the digits that single precision holds, where there is no more."""
        return value if self.decimals is None else shortest(value, 6e-8)

    def rounded_joint(self, joint: JointElement) -> JointElement:
        """Return a new joint with the digits that are certain."""
        return replace(joint, origin=self._origin(joint.origin), axis=self._rounded(joint.axis))

    def _inertial(self, inertial: Inertial) -> Inertial:
        return replace(inertial, origin=self._origin(inertial.origin))

    def _origin(self, origin: Origin) -> Origin:
        return Origin(self._rounded(origin.xyz), self._rounded(origin.rpy))

    def _rounded(self, values: Vector) -> Vector:
        x, y, z = (rounded(value, self.decimals) for value in values)
        return x, y, z

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


_LIMIT = ("lower", "upper", "effort", "velocity")


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
