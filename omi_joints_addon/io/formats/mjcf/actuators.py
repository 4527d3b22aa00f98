"""Actuators of an MJCF model as values: those of joints with one axis, and all others.

Shortcuts such as `position` are general actuators; the XML reference says which.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ....core.model.actuator import Actuator, Span
from .attributes import Values
from .joints import NAME, Made
from .reflected import Rotors

TARGETS = "targets"
"""Name of the keyframe whose controls are targets, and whose speeds are initial velocities."""
TARGET_KINDS = ("joint", "jointinparent", "tendon", "site", "body", "cranksite")
"""Attributes that name what an actuator acts on."""
_LAWS = {
    "general": ("gaintype", "gainprm", "biastype", "biasprm", "dyntype", "dynprm"),
    "motor": (),
    "position": ("kp", "kv", "dampratio", "timeconst"),
    "velocity": ("kv",),
}
"""Attributes of the laws that values hold."""
_FILTERS = ("integrator", "filter", "filterexact")
_SHARED = ("name", "gear", "ctrlrange", "ctrllimited", "forcerange", "forcelimited")


@dataclass(frozen=True, slots=True)
class Law:
    """Gain, bias and filter of an actuator."""

    gain: float = 1.0
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    filter: str = ""
    time_constant: float = 0.0
    damping_ratio: float = 0.0
    """Of the damping that bias still lacks; 0 for none."""


@dataclass(frozen=True, slots=True)
class Driven:
    """An actuator, and the joint that has it; empty where none has."""

    joint: str
    actuator: Actuator


def driven(
    root: ET.Element,
    values: Values,
    joints: Mapping[str, Made],
    inertia: Callable[[str, Rotors], float],
) -> Iterator[Driven]:
    """Yield the actuators of a model in the order of their controls.

    `inertia` is what a joint with one axis moves, by its name and the rotors of actuators.
    """
    controls = values.list_of(TARGETS, start_of(root), "ctrl")
    elements = list(root.iterfind("actuator/*"))
    read = [actuator_of(element, values) for element in elements]
    rotors = _rotors(elements, read, values)
    for number, each in enumerate(read):
        control = controls[number] if number < len(controls) else 0.0
        actuator = replace(each, order=number, control=control)
        made = joints.get(actuator.target) if actuator.target_kind == "joint" else None
        if made is None or not made.has_one_axis:
            yield Driven("", actuator)
        else:
            own = replace(actuator, target="", zero=made.zero, is_angular=made.is_angular)
            own = replace(own, axis=2 if made.is_angular else 0)
            if own.damping_ratio:
                own = _damped(own, inertia(made.name, rotors))
            yield Driven(made.name, own)


def _rotors(
    elements: Sequence[ET.Element], actuators: Sequence[Actuator], values: Values
) -> dict[str, float]:
    """Return the inertia that rotors of actuators add to joints [kg or kg·m²]."""
    found: dict[str, float] = {}
    for element, actuator in zip(elements, actuators, strict=True):
        place, attributes = actuator.name or element.tag, values.attributes(element, "")
        own = values.number(place, attributes, "armature")
        if own and actuator.target_kind.startswith("joint"):
            total = found.get(actuator.target, 0.0) + own * actuator.ratio**2
            found[actuator.target] = total
    return found


def _damped(actuator: Actuator, inertia: float) -> Actuator:
    """Return an actuator with the damping that its ratio comes to where `inertia` moves."""
    offset, stiffness, _ = actuator.bias
    moved = inertia / actuator.ratio**2 if actuator.ratio else 0.0
    damping = 2.0 * actuator.damping_ratio * math.sqrt(max(-stiffness * moved, 0.0))
    return replace(actuator, bias=(offset, stiffness, 0.0 - damping))


def start_of(root: ET.Element) -> Mapping[str, str]:
    """Return the attributes of the keyframe that a model starts with."""
    key = root.find(f"keyframe/key[@name='{TARGETS}']")
    return {} if key is None else key.attrib


def actuator_of(element: ET.Element, values: Values) -> Actuator:
    """Return an actuator that is of no joint yet, whose damping may be a ratio."""
    attributes = values.attributes(element, "")
    place = attributes.get("name", element.tag)
    target = next((kind for kind in TARGET_KINDS if kind in attributes), "joint")
    law = _law(place, element, attributes, values)
    read = {target, *_SHARED, *(_LAWS.get(element.tag, ()) if law is not None else ())}
    rest = ET.Element(element.tag, {n: v for n, v in attributes.items() if n not in read})
    rest.attrib.pop("class", None)
    rest.extend(element)
    known, text = law or Law(), ET.tostring(rest, encoding="unicode")
    return Actuator(
        name=attributes.get("name", ""),
        kind=element.tag,
        target_kind=target,
        target=attributes.get(target, ""),
        is_affine=law is not None,
        gear=tuple(values.list_of(place, attributes, "gear")) or (1.0,),
        gain=known.gain,
        bias=known.bias,
        damping_ratio=known.damping_ratio,
        control_range=_range(place, attributes, values, "ctrl"),
        force_range=_range(place, attributes, values, "force"),
        filter=known.filter,
        time_constant=known.time_constant,
        carried=((NAME, text),) if rest.attrib or len(rest) else (),
    )


def _range(place: str, attributes: dict[str, str], values: Values, name: str) -> Span | None:
    """Return the range of controls or forces, None where it does not count."""
    limited = attributes.get(f"{name}limited", "auto")
    found = values.list_of(place, attributes, f"{name}range")
    is_limited = limited == "true" or (limited == "auto" and values.compiler.has_auto_limits)
    return (found[0], found[1]) if is_limited and len(found) == 2 else None


def _law(place: str, element: ET.Element, attributes: dict[str, str], values: Values) -> Law | None:
    """Return the law of an actuator; None where it is not affine."""
    if element.tag == "motor":
        return Law()
    if element.tag not in _LAWS:
        return None
    number = values.number
    if element.tag == "velocity":
        damping = number(place, attributes, "kv", 1.0)
        return Law(damping, (0.0, 0.0, -damping))
    if element.tag == "position":
        stiffness = number(place, attributes, "kp")
        damping = number(place, attributes, "kv")
        ratio = number(place, attributes, "dampratio")
        seconds = number(place, attributes, "timeconst")
        word = "filterexact" if seconds else ""
        return Law(stiffness, (0.0, -stiffness, 0.0 - damping), word, seconds, ratio)
    return _general(place, attributes, values)


def _general(place: str, attributes: dict[str, str], values: Values) -> Law | None:
    bias_kind, filter_ = attributes.get("biastype", "none"), attributes.get("dyntype", "none")
    is_plain = attributes.get("gaintype", "fixed") == "fixed"
    if not is_plain or bias_kind not in ("none", "affine") or filter_ not in ("none", *_FILTERS):
        return None
    gain = [*values.list_of(place, attributes, "gainprm"), 1.0][0]
    one, two, three = [*values.list_of(place, attributes, "biasprm"), 0.0, 0.0, 0.0][:3]
    is_servo = bias_kind == "affine" and gain == -two
    ratio = three if is_servo and three > 0.0 else 0.0
    if two > 0.0 or (three > 0.0 and not ratio):
        return None
    seconds = [*values.list_of(place, attributes, "dynprm"), 1.0][0]
    bias = (one, two, three) if bias_kind == "affine" else (0.0, 0.0, 0.0)
    bias = (bias[0], bias[1], 0.0) if ratio else bias
    if filter_ == "none":
        return Law(gain, bias, damping_ratio=ratio)
    return Law(gain, bias, filter_, seconds, ratio)
