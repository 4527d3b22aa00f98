"""How MuJoCo is to step a document that comes from another format.

By its defaults, Euler at 500 steps a second, a chain of ten hinges was 45 mm off after a second;
by RK4 it was 0.0 mm off. RK4 blows up where springs or dampers are stiff for its step: those are
stepped implicitly, and more often.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from ....core.model.actuator import Actuator
from .actuators import actuator_of
from .attributes import Values, floats
from .own import CHOSEN

_STEP = 0.002
"""Of MuJoCo by default [s]."""
_LARGEST = 0.25
"""Part of a swing's radian, or of what a damper takes, in a step that RK4 follows exactly."""
_SMOOTH, _STIFF = CHOSEN


def set_integrator(root: ET.Element, option: ET.Element) -> None:
    """Choose integrator and timestep by what is in a document, and say so in a comment."""
    if root.find("worldbody//joint") is None or len(root.findall("option")) > 1:
        return
    is_stiff = root.find("tendon") is not None or any(rate > _LARGEST for rate in _rates(root))
    option.attrib.update(_STIFF if is_stiff else _SMOOTH)
    text = "RK4 is the most exact where no spring or damper is stiff for a step"
    if is_stiff:
        text = "implicitfast and a short step hold springs and dampers that are stiff"
    root.insert(list(root).index(option), ET.Comment(f" {text} "))


def _rates(root: ET.Element) -> Iterator[float]:
    """Yield how much of its course each spring and damper of a joint takes in a step.

    What moves is at least the body of the joint.
    """
    values = Values(root, [])
    servos: dict[str, list[Actuator]] = {}
    for element in root.iterfind("actuator/*"):
        servo = actuator_of(element, values)
        servos.setdefault(servo.target, []).append(servo)
    for body in root.iterfind("worldbody//body"):
        inertial = body.find("inertial")
        if inertial is None:
            continue
        for joint in body.iterfind("joint"):
            stiffness, damping, inertia = _of_joint(joint, inertial)
            for servo in servos.get(joint.get("name", ""), ()):
                stiffness -= servo.bias[1] * servo.ratio**2
                damping -= servo.bias[2] * servo.ratio**2
            if inertia > 0.0:
                yield math.sqrt(max(stiffness, 0.0) / inertia) * _STEP
                yield damping / inertia * _STEP


def _of_joint(joint: ET.Element, inertial: ET.Element) -> tuple[float, float, float]:
    """Return stiffness, damping and the inertia of the body of a joint about or along it."""
    stiffness, damping, armature = (
        (floats(joint.get(name, "0")) or [0.0])[0] for name in ("stiffness", "damping", "armature")
    )
    name = "mass" if joint.get("type") == "slide" else "diaginertia"
    moments = floats(inertial.get(name, "")) or [0.0]
    return stiffness, damping, min(moments) + armature
