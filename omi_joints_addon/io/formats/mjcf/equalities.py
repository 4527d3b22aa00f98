"""Equality constraints of an MJCF model: pins and welds that close loops, and couplings."""

import xml.etree.ElementTree as ET
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial

from ....core.findings.finding import Finding
from ....core.meaning.presets import fixed, pin
from ....core.model.joint import JointSettings
from ....core.model.plain import JsonObject
from ....core.model.pose import Array
from .attributes import Values
from .rules import MISSING
from .schema import carried
from .skeleton import WORLD, Body, Skeleton

SOLVER = carried("weld")
"""Attributes of equalities that belong to MuJoCo's solver."""
COUPLINGS = "couplings"
"""Member of what a joint carries: such attributes by the joint that it follows."""


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A pin or a weld outside of the tree."""

    name: str
    bodies: tuple[Body, Body]
    frames: tuple[Array, Array]
    """World matrices (4, 4) of the frames on the two bodies."""
    settings: JointSettings
    is_active: bool
    solver: JsonObject
    """Attributes of MuJoCo's solver, as text."""
    element: ET.Element


@dataclass(frozen=True, slots=True, eq=False)
class PolynomialCoupling:
    """A joint whose position is a polynomial of another's, both counted from their references."""

    name: str
    joints: tuple[str, str]
    powers: tuple[float, ...]
    """Coefficients, lowest power first."""
    references: tuple[float, float]
    solver: JsonObject
    """Name and attributes of MuJoCo's solver, as text."""

    def coefficients(self, zero: float, source_zero: float) -> tuple[float, ...]:
        """Return the coefficients for positions counted from other zeros in the file."""
        follower, leader = self.references
        shifted = Polynomial(self.powers)(Polynomial((source_zero - leader, 1.0)))
        constant = Polynomial((follower - zero,))
        return tuple((shifted + constant).coef.tolist())


class Equalities:
    """The equality constraints of a model."""

    def __init__(self, root: ET.Element, values: Values, skeleton: Skeleton) -> None:
        self._values = values
        self._skeleton = skeleton
        self._findings: list[Finding] = values.findings
        self._sites = {site.name: (body, site) for body in skeleton.bodies for site in body.sites}
        self._references = {
            joint.name: self._reference(joint.attributes, joint.name)
            for body in skeleton.bodies
            for joint in body.joints
        }
        self.loops: list[Loop] = []
        self.couplings: list[PolynomialCoupling] = []
        self.rest: list[ET.Element] = []
        """Elements that have no counterpart."""
        for element in root.iterfind("equality/*"):
            self._read(element)

    def _read(self, element: ET.Element) -> None:
        attributes = self._values.attributes(element, "", kind="equality")
        name = attributes.get("name") or f"{element.tag} {len(self.loops) + 1}"
        if element.tag in ("connect", "weld"):
            loop = self._loop(element, name, attributes)
            if loop is None:
                bodies = [attributes.get(key, "") for key in ("body1", "body2", "site1", "site2")]
                missing = " or ".join(filter(None, bodies))
                self._findings.append(MISSING(name, kind="body or site", name=missing))
            else:
                self.loops.append(loop)
        elif element.tag == "joint" and attributes.get("joint2") and _is_active(attributes):
            self._couple(name, attributes)
        elif not _holds(element, attributes) or self._solver(attributes):
            self.rest.append(element)

    def _couple(self, name: str, attributes: dict[str, str]) -> None:
        joints = (attributes.get("joint1", ""), attributes.get("joint2", ""))
        powers = self._values.numbers(name, attributes, "polycoef")
        one, other = (self._references.get(joint, 0.0) for joint in joints)
        last = max(np.flatnonzero(powers), default=0)
        kept = tuple(powers[: max(int(last) + 1, 2)].tolist())
        solver = _kept(attributes, "name") | self._solver(attributes)
        self.couplings.append(PolynomialCoupling(name, joints, kept, (one, other), solver))

    def _solver(self, attributes: dict[str, str]) -> JsonObject:
        """Return what is carried of the attributes, without what this program writes itself."""
        return self._values.without_stiffness(_kept(attributes, *SOLVER))

    def _loop(self, element: ET.Element, name: str, attributes: dict[str, str]) -> Loop | None:
        tag = element.tag
        is_active, solver = _is_active(attributes), self._solver(attributes)
        settings = pin() if tag == "connect" else fixed()
        ends = self._site_ends(attributes) if "site1" in attributes else None
        if ends is not None:
            (one, first), (other, second) = ends
            return Loop(name, (one, other), (first, second), settings, is_active, solver, element)
        bodies = [
            self._skeleton.by_name.get(attributes.get(key, WORLD)) for key in ("body1", "body2")
        ]
        if "body1" not in attributes or bodies[0] is None or bodies[1] is None:
            return None
        frames = self._frames(tag, name, attributes, (bodies[0], bodies[1]))
        ends_of_loop = bodies[0], bodies[1]
        return Loop(name, ends_of_loop, frames, settings, is_active, solver, element)

    def _frames(
        self, tag: str, name: str, attributes: dict[str, str], bodies: tuple[Body, Body]
    ) -> tuple[Array, Array]:
        """Return the frames of a constraint between bodies, together where the file has no pose."""
        anchor = self._values.numbers(name, attributes, "anchor")
        if tag == "connect":
            frame = bodies[0].world.copy()
            frame[:3, 3] = (bodies[0].world @ np.append(anchor, 1.0))[:3]
            return frame, frame
        relative = self._values.numbers(name, attributes, "relpose")
        second = bodies[1].world.copy()
        second[:3, 3] = (bodies[1].world @ np.append(anchor, 1.0))[:3]
        if not relative[3:].any():
            return second, second
        words = {"pos": relative[:3], "quat": relative[3:]}
        text = {key: " ".join(map(repr, value.tolist())) for key, value in words.items()}
        first = bodies[0].world @ self._values.pose(name, text)
        first[:3, 3] = (first @ np.append(anchor, 1.0))[:3]
        return first, second

    def _site_ends(self, attributes: dict[str, str]) -> tuple[tuple[Body, Array], ...] | None:
        found = [self._sites.get(attributes.get(key, "")) for key in ("site1", "site2")]
        if found[0] is None or found[1] is None:
            return None
        return tuple(
            (body, body.world @ site.frame @ self._values.pose(site.name, site.attributes))
            for body, site in (found[0], found[1])
        )

    def _reference(self, attributes: dict[str, str], name: str) -> float:
        is_angular = attributes.get("type", "hinge") == "hinge"
        factor = self._values.compiler.angle if is_angular else 1.0
        return self._values.number(name, attributes, "ref") * factor


def held_positions(root: ET.Element, values: Values) -> dict[str, float]:
    """Return where equalities hold joints, from their references on; none where one follows."""
    held = {}
    for element in root.iterfind("equality/joint"):
        attributes = values.attributes(element, "", kind="equality")
        if _holds(element, attributes):
            powers = values.numbers(attributes["joint1"], attributes, "polycoef")
            held[attributes["joint1"]] = float(powers[0])
    return held


def _holds(element: ET.Element, attributes: dict[str, str]) -> bool:
    """Return whether an equality holds a joint where it is, whatever others do."""
    is_alone = "joint1" in attributes and not attributes.get("joint2")
    return element.tag == "joint" and is_alone and _is_active(attributes)


def _is_active(attributes: dict[str, str]) -> bool:
    return attributes.get("active", "true") != "false"


def _kept(attributes: dict[str, str], *names: str) -> JsonObject:
    return {name: attributes[name] for name in names if name in attributes}
