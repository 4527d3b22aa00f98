"""Actuators of an MJCF model as drives of joints: what is affine in position and velocity.

The force on a joint is gear · (gain · control + bias₀ + bias₁ · length + bias₂ · velocity), with
length = gear · position. Controls are zero, or those of a keyframe named "targets".
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ....core.model.joint import DriveType, JointDrive
from .attributes import ACTUATORS, Values
from .joints import SLIDES, TURNS, Made

TARGETS = "targets"
"""Name of the keyframe whose controls are targets."""


_PLAIN = {"biastype": "none", "gaintype": "fixed", "dyntype": "none"}
_AFFINE = _PLAIN | {"biastype": "affine"}
"""Types of a general actuator that is a spring and damper."""


@dataclass(frozen=True, slots=True)
class Driven:
    """What an actuator does to a joint."""

    joint: str
    drive: JointDrive


def driven(
    root: ET.Element, values: Values, joints: Mapping[str, Made]
) -> tuple[list[Driven], list[ET.Element]]:
    """Return the drives of actuators, and the actuators that have no counterpart."""
    controls = _controls(root, values)
    found: list[Driven] = []
    rest: list[ET.Element] = []
    for number, element in enumerate(_elements(root)):
        attributes = values.attributes(element, "")
        made = joints.get(attributes.get("joint", ""))
        drive = None
        if made is not None:
            control = controls[number] if number < len(controls) else 0.0
            drive = _drive(element.tag, attributes, values, made, control)
        if made is None or drive is None:
            rest.append(element)
        else:
            found.append(Driven(made.name, drive))
    return found, rest


def _elements(root: ET.Element) -> Iterator[ET.Element]:
    for holder in root.findall("actuator"):
        yield from (element for element in holder if element.tag in ACTUATORS)


def _controls(root: ET.Element, values: Values) -> list[float]:
    for key in root.iterfind("keyframe/key"):
        if key.get("name") == TARGETS:
            return values.list_of(TARGETS, key.attrib, "ctrl")
    return []


def _drive(
    kind: str, attributes: dict[str, str], values: Values, made: Made, control: float
) -> JointDrive | None:
    """Return the drive of an actuator, None where it is no spring, servo or brake."""
    place = attributes.get("name", kind)
    law = _law(place, kind, attributes, values)
    gear = values.list_of(place, attributes, "gear") or [1.0]
    if law is None or any(gear[1:]) or not gear[0] or made.settings.limits == ():
        return None
    gain, stiffness, damping = law
    ratio = gear[0]
    stiffness, damping = stiffness * ratio**2, damping * ratio**2
    push = gain * ratio * control
    force = values.list_of(place, attributes, "forcerange")
    is_limited = attributes.get("forcelimited", "auto") != "false" and len(force) == 2
    drive = {
        "type": DriveType.ANGULAR if made.is_angular else DriveType.LINEAR,
        "axis": (TURNS if made.is_angular else SLIDES) % 3,
        "max_force": abs(ratio) * max(map(abs, force)) if is_limited else math.inf,
    }
    if stiffness:
        target = push / stiffness - made.zero
        brake = {"velocity_target": 0.0, "damping": damping} if damping else {}
        return JointDrive(**drive, position_target=target, stiffness=stiffness, **brake)  # type: ignore[arg-type]
    if damping:
        return JointDrive(**drive, velocity_target=push / damping, damping=damping)  # type: ignore[arg-type]
    return None


def _law(
    place: str, kind: str, attributes: dict[str, str], values: Values
) -> tuple[float, float, float] | None:
    """Return gain, stiffness and damping of an actuator before its gear; None for other laws."""
    if "dampratio" in attributes:
        return None
    if kind == "position":
        stiffness = values.number(place, attributes, "kp", 1.0)
        return stiffness, stiffness, values.number(place, attributes, "kv", 0.0)
    if kind == "velocity":
        damping = values.number(place, attributes, "kv", 1.0)
        return damping, 0.0, damping
    types = {name: attributes.get(name, default) for name, default in _PLAIN.items()}
    if kind != "general" or types != _AFFINE:
        return None
    gain = [*values.list_of(place, attributes, "gainprm"), 1.0][0]
    bias = [*values.list_of(place, attributes, "biasprm"), 0.0, 0.0, 0.0][:3]
    if bias[0] or bias[1] > 0.0 or bias[2] > 0.0:
        return None
    return gain, -bias[1], -bias[2]
