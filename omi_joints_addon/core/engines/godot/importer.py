"""How Godot's importer reads joint settings: which limit counts, and the class of node it makes.

Measured with Godot 4.6.3 and omigroup/omi-godot at commit e421986. An axis is fixed where both
bounds are about 0; of several limits on one axis the last counts.
"""

import math
from dataclasses import dataclass

from ...model.joint import DriveType, JointLimit, JointSettings

X, Y, Z = range(3)
PIN, HINGE, SLIDER, GENERIC = "PinJoint3D", "HingeJoint3D", "SliderJoint3D", "Generic6DOFJoint3D"
MEASURED = "Measured with Godot 4.6.3 and omi-godot e421986."
_ZERO = 1e-5
"""`is_zero_approx` of Godot."""


@dataclass(frozen=True, slots=True)
class CountingLimits:
    """The limit that counts on each axis."""

    linear: dict[int, JointLimit]
    """By linear axis: 0 X, 1 Y, 2 Z."""
    angular: dict[int, JointLimit]
    """By angular axis: 0 X, 1 Y, 2 Z."""


def counting_limits(settings: JointSettings) -> CountingLimits:
    """Return the limit that counts on each axis that has one."""
    linear = {axis: limit for limit in settings.limits for axis in limit.linear_axes}
    angular = {axis: limit for limit in settings.limits for axis in limit.angular_axes}
    return CountingLimits(linear, angular)


def godot_class(settings: JointSettings) -> str:
    """Return the class of node that the importer makes, by its tests in order."""
    limits = counting_limits(settings)
    driven = {(drive.type, drive.axis) for drive in settings.drives}
    is_pinned = all(is_fixed(limits.linear.get(axis)) for axis in range(3))
    if is_pinned and driven <= {(DriveType.ANGULAR, Z)}:
        if not limits.angular and not driven:
            return PIN
        if _are_fixed(limits.angular, X, Y) and not is_fixed(limits.angular.get(Z)):
            return HINGE
    is_rail = _are_fixed(limits.linear, Y, Z) and _are_fixed(limits.angular, Y, Z)
    is_open = not (is_fixed(limits.linear.get(X)) and is_fixed(limits.angular.get(X)))
    return SLIDER if is_rail and is_open and not driven else GENERIC


def turns_about(settings: JointSettings, axis: int) -> bool:
    """Return whether the node that the importer makes turns about an axis."""
    name = godot_class(settings)
    if name == GENERIC:
        return not is_fixed(counting_limits(settings).angular.get(axis))
    return name == PIN or (name == HINGE and axis == Z)


def is_fixed(limit: JointLimit | None) -> bool:
    """Return whether a limit fixes its axes for the importer."""
    return limit is not None and abs(limit.min) < _ZERO and abs(limit.max) < _ZERO


def is_one_sided(limit: JointLimit | None) -> bool:
    """Return whether a limit has one bound only."""
    return limit is not None and math.isinf(limit.min) != math.isinf(limit.max)


def _are_fixed(limits: dict[int, JointLimit], one: int, other: int) -> bool:
    first, second = limits.get(one), limits.get(other)
    if first is None or second is None or not (is_fixed(first) and is_fixed(second)):
        return False
    return (first.stiffness, first.damping) == (second.stiffness, second.damping)
