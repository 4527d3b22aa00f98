"""What of an MJCF file a scene holds; the rest is for MuJoCo alone."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ....core.findings.loss import How, Loss, Noun
from ....core.findings.sentence import Sentence
from ....core.model.actuator import Actuator
from .actuators import actuator_of
from .attributes import Values
from .skeleton import Skeleton

SHAPELESS = ("plane", "ellipsoid", "hfield", "sdf")
"""Types of geoms that have no shape in a scene."""


def unheld_actuators(root: ET.Element) -> Iterator[Loss]:
    """Yield what drives of a scene have otherwise: servos on balls, forces more one way."""
    values = Values(root, [])
    bodies = Skeleton(root, values).bodies
    several = {
        joint.name
        for body in bodies
        for joint in body.joints
        if joint.attributes.get("type") == "ball"
    }
    several |= {body.free.get("name", "") for body in bodies if body.free is not None}
    for element in root.iterfind("actuator/*"):
        if element.tag not in ("position", "velocity", "general", "motor"):
            continue
        actuator = actuator_of(element, values)
        place, span = actuator.name or actuator.target or element.tag, actuator.force_range
        if actuator.target in several:
            text = Sentence("only MuJoCo MJCF files have servos on joints with several axes")
            yield Loss(place, "actuator", How.LOST, text)
        elif span is not None and span[0] != -span[1] and _is_drive(actuator):
            low, high = span
            text = Sentence(
                "drives push both ways alike: {low:g} to {high:g} is the larger one",
                low=low,
                high=high,
            )
            yield Loss(place, Noun.MAX_FORCE, How.CONVERTED, text)


def _is_drive(actuator: Actuator) -> bool:
    """Return whether an actuator on a joint with one axis is a drive of it."""
    return replace(actuator, target="").drive() is not None


def without_unused(roots: Iterable[ET.Element]) -> list[ET.Element]:
    """Return documents without the defaults of elements that none has, and ranges switched off."""
    documents = list(roots)
    used = {each.tag for root in documents for top in _outside(root) for each in top.iter()}
    used |= {"tendon"} if {"fixed", "spatial"} & used else set()
    used |= {"equality"} if {"connect", "weld", "flex"} & used else set()
    for root in documents:
        for element in root.iterfind("actuator/*[@ctrllimited='false']"):
            element.attrib.pop("ctrlrange", None)
        for holder in root.iter("default"):
            for element in [each for each in holder if each.tag not in used | {"default"}]:
                holder.remove(element)
    return documents


def _outside(root: ET.Element) -> Iterable[ET.Element]:
    """Return what is not a default; sections without elements count for nothing."""
    return [each for top in root if top.tag != "default" for each in (top if len(top) else ())]


def unheld_geoms(roots: Iterable[ET.Element], *, boxes: bool) -> tuple[Loss, ...]:
    """Return a line for each geom whose own type has no shape in a scene; `boxes`: planes have."""
    geoms = (geom for root in roots for geom in root.iter("geom"))
    shapeless = {*SHAPELESS} - ({"plane"} if boxes else set())
    return tuple(
        Loss(geom.get("name", ""), "geom", How.LOST, Sentence("it is of type {type}", type=kind))
        for geom in geoms
        if (kind := geom.get("type")) in shapeless
    )
