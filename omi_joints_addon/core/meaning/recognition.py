"""The friendly name of a joint, which follows from what its axes can do.

Everything is computed from the limits however they are grouped into objects; nothing is stored.
"""

import math
from collections.abc import Sequence
from enum import StrEnum

from ..model.axes import remaining_axis
from ..model.joint import JointSettings
from .axes import Bound, JointAxes, JointAxis, joint_axes


class JointKind(StrEnum):
    """Special case of a joint: those that OMI_physics_joint names, and common further ones."""

    FIXED = "fixed"
    """No axis moves."""
    PIN = "pin"
    """Free rotation about a point."""
    HINGE = "hinge"
    """Rotation about one axis, within bounds or continuous."""
    SLIDER = "slider"
    """Translation along one axis; as in the specification also bounded rotation about it."""
    CYLINDRICAL = "cylindrical"
    """Translation along one axis and rotation about it, one of them at least without bounds."""
    PLANAR = "planar"
    """Translation in a plane; rotation about its normal may be locked."""
    BALL_WITH_CONE = "ball_with_cone"
    """Rotation about a point, the third axis kept in a cone; rotation about it may be bounded."""
    UNIVERSAL = "universal"
    """Rotation about a point without twist about one axis."""
    FREE = "free"
    """Nothing is limited."""
    CUSTOM = "custom"
    """Anything else."""

    @property
    def label(self) -> str:
        """Name to show."""
        return _LABELS[self]


_LABELS = {
    JointKind.FIXED: "Fixed (Weld)",
    JointKind.PIN: "Pin",
    JointKind.HINGE: "Hinge",
    JointKind.SLIDER: "Slider",
    JointKind.CYLINDRICAL: "Cylindrical",
    JointKind.PLANAR: "Planar",
    JointKind.BALL_WITH_CONE: "Ball with Cone",
    JointKind.UNIVERSAL: "Universal",
    JointKind.FREE: "Free",
    JointKind.CUSTOM: "Custom",
}


def joint_kind(settings: JointSettings) -> JointKind:
    """Return the special case that the limits make of the joint.

    As in the specification, "fixed" is held at zero; an axis held elsewhere makes a joint custom.
    Stiffness does not count: a soft hinge is a hinge.
    """
    return _kind_and_axis(settings)[0]


def main_axis_of(settings: JointSettings) -> int | None:
    """Return the axis that the joint turns about, slides along, opens along or is normal to.

    For a universal joint it is the axis without twist. None where the kind has no such axis.
    """
    return _kind_and_axis(settings)[1]


def _kind_and_axis(settings: JointSettings) -> tuple[JointKind, int | None]:
    axes = joint_axes(settings)
    if not axes.bounds:
        return JointKind.FREE, None
    has_hole = any(len(bound.axes) > 1 and bound.min > 0.0 for bound in axes.bounds)
    if has_hole or _is_held_off_zero(axes):
        return JointKind.CUSTOM, None
    linear, angular = _moving(axes.linear), _moving(axes.angular)
    if not linear:
        return _rotating(angular, [bound for bound in axes.bounds if bound.is_angular])
    return _sliding(linear, angular, axes)


def _is_held_off_zero(axes: JointAxes) -> bool:
    """Return whether an axis is held at one value other than zero, or at none."""
    return not (
        all(axis.min < axis.max or axis.is_locked for axis in axes.all)
        and all(axis.min < math.pi and axis.max > -math.pi for axis in axes.angular)
    )


def _moving(axes: Sequence[JointAxis]) -> tuple[int, ...]:
    return tuple([number for number, axis in enumerate(axes) if not axis.is_locked])


def _rotating(moving: tuple[int, ...], bounds: list[Bound]) -> tuple[JointKind, int | None]:
    """Return the kind of a joint whose linear axes are fixed."""
    if len(moving) == 0:
        return JointKind.FIXED, None
    if len(moving) == 1:
        return JointKind.HINGE, moving[0]
    if len(moving) == 2:
        return JointKind.UNIVERSAL, remaining_axis(moving)
    if not bounds:
        return JointKind.PIN, None
    groups = {bound.axes for bound in bounds if len(bound.axes) > 1}
    if len(groups) == 1 and len(swing := groups.pop()) == 2:
        twist = remaining_axis(swing)
        if all(bound.axes in (swing, (twist,)) for bound in bounds):
            return JointKind.BALL_WITH_CONE, twist
    return JointKind.CUSTOM, None


def _sliding(
    linear: tuple[int, ...], angular: tuple[int, ...], axes: JointAxes
) -> tuple[JointKind, int | None]:
    """Return the kind of a joint of which a linear axis moves."""
    if len(linear) == 1 and not angular:
        return JointKind.SLIDER, linear[0]
    if len(linear) == 1 and angular == linear:
        is_slider = axes.linear[linear[0]].is_bounded and axes.angular[linear[0]].is_bounded
        return JointKind.SLIDER if is_slider else JointKind.CYLINDRICAL, linear[0]
    if len(linear) == 2 and angular in ((), (remaining_axis(linear),)):
        return JointKind.PLANAR, remaining_axis(linear)
    return JointKind.CUSTOM, None
