"""What joints have beyond OMI_physics_joint: `Object.omi_joint.attributes`."""

import json
import math
from collections.abc import Iterator
from typing import Any

import bpy

from ..core.model.attributes import NUMBERS, STRENGTHS, JointAttributes
from .exact import exact_numbers, recalled, remember
from .overridable import BoolProperty, FloatProperty, StringProperty
from .stored import Values

_RANGE = ("range_min", "range_max")


def _strength(name: str, description: str) -> float:
    return FloatProperty(name=name, description=f"{description}; 0 is unlimited", min=0.0)


class OMI_PG_joint_attributes(bpy.types.PropertyGroup):
    """Strength, friction and membership of a joint, for formats that know them."""

    enabled = BoolProperty(
        name="Enabled", description="Let the joint act when the simulation starts", default=True
    )
    in_articulation = BoolProperty(
        name="In Articulation",
        description=(
            "The joint is part of an articulation's tree; disable for a joint that closes a loop"
        ),
        default=True,
    )
    break_force = _strength(
        "Break Force", "Force in N that its limits hold before the joint breaks"
    )
    break_torque = _strength(
        "Break Torque", "Torque in N·m that its limits hold before the joint breaks"
    )
    effort = _strength("Effort", "Largest force in N or torque in N·m of the actuator")
    velocity = _strength("Velocity Limit", "Largest velocity in m/s or rad/s of the actuator")
    friction = FloatProperty(
        name="Friction", description="Dry friction in N or N·m that resists motion", min=0.0
    )
    armature = FloatProperty(
        name="Armature",
        description="Inertia of the rotor in kg or kg·m², added to that of the joint",
        min=0.0,
    )
    zero = FloatProperty(
        name="Zero",
        description=(
            "Angle that the joint's author counts where limits here count 0; files of URDF, "
            "MJCF and USD are written with it"
        ),
        subtype="ANGLE",
    )
    range_min = FloatProperty(
        name="Range Min",
        description=(
            "Least angle of a range of a turn or more, for URDF, MJCF and USD; limits cannot "
            "count turns"
        ),
        subtype="ANGLE",
    )
    range_max = FloatProperty(
        name="Range Max",
        description=(
            "Largest angle of a range of a turn or more, for URDF, MJCF and USD; the same as "
            "the least means no range"
        ),
        subtype="ANGLE",
    )
    exact = StringProperty(options={"HIDDEN"})
    carried = StringProperty(options={"HIDDEN"})

    def from_core(self, attributes: JointAttributes) -> None:
        """Set the properties to a core value."""
        self.enabled = attributes.enabled
        self.in_articulation = attributes.in_articulation
        numbers = {name: getattr(attributes, name) for name in NUMBERS}
        numbers |= zip(_RANGE, attributes.whole_range or (0.0, 0.0), strict=True)
        finite = {name: 0.0 if math.isinf(value) else value for name, value in numbers.items()}
        is_set = self.is_property_set
        remember(self, {name: value for name, value in finite.items() if value or is_set(name)})
        texts = attributes.texts()
        self.carried = json.dumps(texts) if texts else ""


def attributes_in(values: Values) -> JointAttributes:
    """Return the attributes that the properties of a joint hold."""
    known = exact_numbers(values["exact"])
    numbers: dict[str, Any] = {name: recalled(values[name], name, known) for name in NUMBERS}
    for name in STRENGTHS:
        numbers[name] = numbers[name] or math.inf
    low, high = (recalled(values[name], name, known) for name in _RANGE)
    return JointAttributes(
        whole_range=(low, high) if low < high else None,
        enabled=values["enabled"],
        in_articulation=values["in_articulation"],
        carried=tuple(_carried(values["carried"])),
        **numbers,
    )


def _carried(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names of formats and what is kept for them."""
    if not text:
        return
    from ..core.model.plain import kept_object

    for name, kept in kept_object(text).items():
        if isinstance(kept, str):
            yield name, kept
