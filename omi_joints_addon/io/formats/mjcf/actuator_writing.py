"""Actuators to elements of MJCF."""

import xml.etree.ElementTree as ET

import numpy as np

from ....core.model.actuator import Actuator, Span
from .joints import NAME
from .printing import Attributes, numbers

LAST = 1 << 30
"""Order of actuators that are made for drives which had none."""


def actuator_element(actuator: Actuator, target: str) -> ET.Element:
    """Return the element of an actuator that acts on what is named `target`."""
    text = dict(actuator.carried).get(NAME, "")
    kept = ET.fromstring(text) if text else ET.Element(actuator.kind)
    kind = actuator.kind
    law = _law(actuator) if actuator.is_affine else Attributes()
    if kind != "general" and law is None:
        kind, law = "general", _general(actuator)
    attributes: Attributes = {"name": actuator.name} if actuator.name else {}
    attributes |= {actuator.target_kind: target} | (law or {})
    if actuator.gear != (1.0,):
        attributes["gear"] = numbers(np.array(actuator.gear))
    attributes |= _range("ctrl", actuator.control_range)
    attributes |= _range("force", actuator.force_range)
    element = ET.Element(kind, attributes | kept.attrib)
    element.extend(kept)
    return element


def _range(name: str, span: Span | None) -> Attributes:
    if span is None:
        return {}
    attributes = {f"{name}range": numbers(np.array(span))}
    # Without width it would count as none.
    return attributes if span[0] < span[1] else attributes | {f"{name}limited": "true"}


def _law(actuator: Actuator) -> Attributes | None:
    """Return the attributes of a law in the words of its kind; None where it needs others."""
    offset, stiffness, damping = actuator.bias
    if actuator.damping_ratio:
        # Positive damping is a ratio, from which MuJoCo makes it by the inertia that moves.
        damping = actuator.damping_ratio
    law = (actuator.gain, offset, stiffness, damping, actuator.filter)
    match actuator.kind:
        case "motor" if law == (1.0, 0.0, 0.0, 0.0, ""):
            return {}
        case "position" if law[:3] == (-stiffness, 0.0, stiffness) and not actuator.filter:
            return _servo(stiffness, damping)
        case "position" if law[:3] == (-stiffness, 0.0, stiffness) and law[4] == "filterexact":
            return _servo(stiffness, damping) | {"timeconst": repr(actuator.time_constant)}
        case "velocity" if law == (-damping, 0.0, 0.0, damping, ""):
            return {"kv": repr(-damping)}
        case "general":
            return _general(actuator)
    return None


def _servo(stiffness: float, damping: float) -> Attributes:
    found = {"kp": repr(-stiffness)}
    if damping > 0.0:
        return found | {"dampratio": repr(damping)}
    return found | ({"kv": repr(-damping)} if damping else {})


def _general(actuator: Actuator) -> Attributes:
    found = {"gainprm": repr(actuator.gain)}
    if any(actuator.bias):
        offset, stiffness, damping = actuator.bias
        bias = (offset, stiffness, actuator.damping_ratio or damping)
        found |= {"biastype": "affine", "biasprm": numbers(np.array(bias))}
    if actuator.filter:
        found |= {"dyntype": actuator.filter, "dynprm": repr(actuator.time_constant)}
    return found
