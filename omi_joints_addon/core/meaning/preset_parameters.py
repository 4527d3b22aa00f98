"""Parameters of presets: what each one means, its unit, and what to show it as."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated


class Quantity(StrEnum):
    """What a number measures, and so the unit in which it is shown."""

    ANGLE = "angle"
    """[rad]."""
    DISTANCE = "distance"
    """[m]."""
    ANGULAR_VELOCITY = "angular velocity"
    """[rad/s]."""
    VELOCITY = "velocity"
    """[m/s]."""
    STRENGTH = "strength"
    """Not negative; its unit depends on the type of the drive."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that adjusts presets."""

    name: str
    """What operators and scripts call it, one name for one meaning."""
    label: str
    """Name to show."""
    description: str
    """What it does, without full stop."""
    quantity: Quantity
    unbounded: float | None = None
    """Value that bounds nothing; None where the number does not bound the motion."""
    start: float = 0.0
    """Bound to start from where the preset bounds nothing."""


_QUARTER = 0.25 * math.pi
MinAngle = Annotated[
    float,
    Parameter(
        "min_angle",
        "Minimum",
        "Smallest angle of the connected frame in the joint's frame",
        Quantity.ANGLE,
        unbounded=-math.inf,
    ),
]
MaxAngle = Annotated[
    float,
    Parameter(
        "max_angle",
        "Maximum",
        "Largest angle of the connected frame in the joint's frame",
        Quantity.ANGLE,
        unbounded=math.inf,
    ),
]
MinDistance = Annotated[
    float,
    Parameter(
        "min_distance",
        "Minimum",
        "Smallest distance of the connected frame along the axis of the joint's frame",
        Quantity.DISTANCE,
        unbounded=-math.inf,
    ),
]
MaxDistance = Annotated[
    float,
    Parameter(
        "max_distance",
        "Maximum",
        "Largest distance of the connected frame along the axis of the joint's frame",
        Quantity.DISTANCE,
        unbounded=math.inf,
    ),
]
Radius = Annotated[
    float,
    Parameter(
        "radius",
        "Radius",
        "Largest distance from the joint in its plane",
        Quantity.DISTANCE,
        unbounded=math.inf,
        start=0.5,
    ),
]
Cone = Annotated[
    float,
    Parameter(
        "cone",
        "Cone",
        "Half the opening angle of the cone that the axis stays in",
        Quantity.ANGLE,
        unbounded=math.inf,
        start=_QUARTER,
    ),
]
Twist = Annotated[
    float,
    Parameter(
        "twist",
        "Twist",
        "Largest rotation about the axis in either direction",
        Quantity.ANGLE,
        unbounded=math.inf,
        start=_QUARTER,
    ),
]
Travel = Annotated[
    float,
    Parameter(
        "travel",
        "Travel",
        "Largest deflection of the spring in either direction",
        Quantity.DISTANCE,
        unbounded=math.inf,
    ),
]
RestPosition = Annotated[
    float,
    Parameter(
        "position_distance",
        "Rest Position",
        "Distance that the spring pulls toward",
        Quantity.DISTANCE,
    ),
]
TargetAngle = Annotated[
    float,
    Parameter("position_angle", "Target Angle", "Angle that the servo turns to", Quantity.ANGLE),
]
AngularVelocity = Annotated[
    float,
    Parameter(
        "velocity_target",
        "Velocity",
        "Angle per second at which the motor turns",
        Quantity.ANGULAR_VELOCITY,
    ),
]
Stiffness = Annotated[
    float,
    Parameter(
        "stiffness",
        "Stiffness",
        "Spring strength toward the target, in N/m or N·m/rad",
        Quantity.STRENGTH,
    ),
]
Damping = Annotated[
    float,
    Parameter(
        "damping",
        "Damping",
        "Force in N·s/m or torque in N·m·s/rad against other velocities",
        Quantity.STRENGTH,
    ),
]
MaxForce = Annotated[
    float,
    Parameter(
        "max_force",
        "Max Force",
        "Largest force in N or torque in N·m of the drive",
        Quantity.STRENGTH,
    ),
]
