"""Limits and drives of a joint as properties of Blender.

All values SI and radians, axes of the object's own frame.
"""

import math
from collections.abc import Sequence

import bpy

from ..core.model.axes import AXIS_LETTERS
from ..core.model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings
from .exact import change, exact_numbers, recalled, remember
from .overridable import (
    BoolProperty,
    BoolVectorProperty,
    EnumProperty,
    FloatProperty,
    StringProperty,
)
from .stored import Values, same, values_in
from .words import OTHER, identifier_and_other, word_of

AXES = tuple(AXIS_LETTERS)
_TYPES, _MODES = frozenset(DriveType), frozenset(DriveMode)
_DRIVE_NUMBERS = ("max_force", "position_target", "velocity_target", "stiffness", "damping")


def _shown(name: str, label: str, description: str, *, angle: bool) -> float:
    """Return a property that shows property `name` in the user's rotation or length unit."""
    return FloatProperty(
        name=label,
        description=description,
        subtype="ANGLE" if angle else "DISTANCE",
        unit="ROTATION" if angle else "LENGTH",
        get=lambda group: getattr(group, name),
        set=lambda group, value: setattr(group, name, value),
        options={"ANIMATABLE", "SKIP_SAVE"},
    )


class OMI_PG_joint_limit(bpy.types.PropertyGroup):
    """Allowed range of relative motion along or about a set of axes."""

    linear_axes: tuple[bool, bool, bool] = BoolVectorProperty(
        name="Linear Axes",
        description="Axes of the joint's frame along which the connected frame is limited; "
        "two bound the distance from a line, three the distance from a point",
        subtype="XYZ",
    )
    angular_axes: tuple[bool, bool, bool] = BoolVectorProperty(
        name="Angular Axes",
        description="Axes of the joint's frame about which the connected frame is limited; "
        "two bound the angle of a cone, three the angle of the whole rotation",
        subtype="XYZ",
    )
    use_min = BoolProperty(
        name="Use Minimum", description="Limit the range from below", default=True
    )
    min = FloatProperty(name="Minimum", description="Lower bound in meters or radians", precision=4)
    use_max = BoolProperty(
        name="Use Maximum", description="Limit the range from above", default=True
    )
    max = FloatProperty(name="Maximum", description="Upper bound in meters or radians", precision=4)
    use_stiffness = BoolProperty(
        name="Soft", description="Let the bounds give way like a spring instead of being rigid"
    )
    stiffness = FloatProperty(
        name="Stiffness",
        description="Restoring force beyond a bound, in N/m for linear axes "
        "and N·m/rad for angular ones",
        default=1000.0,
        min=0.0,
    )
    damping = FloatProperty(
        name="Damping",
        description="Damping beyond a bound, in N·s/m for linear axes "
        "and N·m·s/rad for angular ones",
        min=0.0,
    )
    min_distance = _shown("min", "Minimum", "Lower bound of the distance", angle=False)
    min_angle = _shown("min", "Minimum", "Lower bound of the angle", angle=True)
    max_distance = _shown("max", "Maximum", "Upper bound of the distance", angle=False)
    max_angle = _shown("max", "Maximum", "Upper bound of the angle", angle=True)
    exact = StringProperty(options={"HIDDEN"})
    carried = StringProperty(options={"HIDDEN"})

    def to_core(self) -> JointLimit:
        """Return the limit as a core value."""
        return _limit(values_in(self, "omi_joint", "limits"))

    def from_core(self, limit: JointLimit) -> None:
        """Set the properties to a core value."""
        if (linear := _flags(limit.linear_axes)) != self.linear_axes[:]:
            self.linear_axes = linear
        if (angular := _flags(limit.angular_axes)) != self.angular_axes[:]:
            self.angular_axes = angular
        change(self, "use_min", limit.min != -math.inf)
        change(self, "use_max", limit.max != math.inf)
        change(self, "use_stiffness", limit.stiffness != math.inf)
        numbers = {"min": limit.min, "max": limit.max, "stiffness": limit.stiffness}
        finite = {name: value for name, value in numbers.items() if math.isfinite(value)}
        remember(self, finite | {"damping": limit.damping})
        change(self, "carried", limit.carried)


class OMI_PG_joint_drive(bpy.types.PropertyGroup):
    """Force or torque on one degree of freedom: a spring, a motor, or both."""

    type = EnumProperty(
        name="Type",
        description="Degree of freedom that the drive acts on",
        items=(
            ("LINEAR", "Linear", "Force along the axis"),
            ("ANGULAR", "Angular", "Torque about the axis"),
            (OTHER, "Other", "A type that another glTF extension specifies"),
        ),
    )
    other_type = StringProperty(
        name="Type Name", description="Type that another glTF extension specifies"
    )
    mode = EnumProperty(
        name="Mode",
        description="Quantity that stiffness and damping produce",
        items=(
            ("FORCE", "Force", "Force or torque"),
            ("ACCELERATION", "Acceleration", "Acceleration, independent of the masses"),
            (OTHER, "Other", "A mode that another glTF extension specifies"),
        ),
    )
    other_mode = StringProperty(
        name="Mode Name", description="Mode that another glTF extension specifies"
    )
    axis = EnumProperty(
        name="Axis",
        description="Axis of the joint's frame that is driven",
        items=tuple((axis, axis, f"The joint's local {axis}") for axis in AXES),
    )
    use_max_force = BoolProperty(
        name="Limit Force", description="Limit the force or torque of the drive"
    )
    max_force = FloatProperty(
        name="Max Force",
        description="Largest force in N or torque in N·m",
        default=100.0,
        min=0.0,
    )
    use_position_target = BoolProperty(
        name="Use Position Target", description="Pull toward a position like a spring"
    )
    position_target = FloatProperty(
        name="Position Target",
        description="Position in meters or angle in radians that the drive pulls toward",
        precision=4,
    )
    use_velocity_target = BoolProperty(
        name="Use Velocity Target", description="Push toward a velocity like a motor"
    )
    velocity_target = FloatProperty(
        name="Velocity Target",
        description="Velocity in m/s or rad/s that the drive pushes toward",
        precision=4,
    )
    stiffness = FloatProperty(
        name="Stiffness",
        description="Force per distance from the position target, in N/m or N·m/rad",
        min=0.0,
    )
    position_target_distance = _shown(
        "position_target", "Position", "Position that the drive pulls toward", angle=False
    )
    position_target_angle = _shown(
        "position_target", "Angle", "Angle that the drive pulls toward", angle=True
    )
    velocity_target_distance = _shown(
        "velocity_target", "Velocity", "Distance per second to push toward", angle=False
    )
    velocity_target_angle = _shown(
        "velocity_target", "Velocity", "Angle per second to push toward", angle=True
    )
    damping = FloatProperty(
        name="Damping",
        description="Force per difference from the velocity target, in N·s/m or N·m·s/rad",
        min=0.0,
    )
    exact = StringProperty(options={"HIDDEN"})
    carried = StringProperty(options={"HIDDEN"})

    def to_core(self) -> JointDrive:
        """Return the drive as a core value."""
        return _drive(values_in(self, "omi_joint", "drives"))

    def from_core(self, drive: JointDrive) -> None:
        """Set the properties to a core value."""
        type_, other_type = identifier_and_other(drive.type, _TYPES)
        mode, other_mode = identifier_and_other(drive.mode, _MODES)
        for name, value in {
            "type": type_,
            "other_type": other_type,
            "mode": mode,
            "other_mode": other_mode,
            "axis": AXES[drive.axis],
            "use_max_force": drive.max_force != math.inf,
            "use_position_target": drive.position_target is not None,
            "use_velocity_target": drive.velocity_target is not None,
        }.items():
            change(self, name, value)
        optional = {
            "max_force": drive.max_force,
            "position_target": drive.position_target,
            "velocity_target": drive.velocity_target,
        }
        present = {n: v for n, v in optional.items() if v is not None and math.isfinite(v)}
        remember(self, present | {"stiffness": drive.stiffness, "damping": drive.damping})
        change(self, "carried", drive.carried)


def settings_in(values: Values) -> JointSettings:
    """Return the settings that the properties of a joint hold; equal ones are one."""
    return same(
        JointSettings(
            name=values["settings_name"],
            limits=tuple(map(_limit, values["limits"])),
            drives=tuple(map(_drive, values["drives"])),
            carried=values["settings_carried"],
        )
    )


def _limit(values: Values) -> JointLimit:
    known = exact_numbers(values["exact"])
    return same(
        JointLimit(
            linear_axes=_indices(values["linear_axes"]),
            angular_axes=_indices(values["angular_axes"]),
            min=recalled(values["min"], "min", known) if values["use_min"] else -math.inf,
            max=recalled(values["max"], "max", known) if values["use_max"] else math.inf,
            stiffness=(
                recalled(values["stiffness"], "stiffness", known)
                if values["use_stiffness"]
                else math.inf
            ),
            damping=recalled(values["damping"], "damping", known),
            carried=values["carried"],
        )
    )


def _drive(values: Values) -> JointDrive:
    known = exact_numbers(values["exact"])
    force, position, velocity, stiffness, damping = (
        recalled(values[name], name, known) for name in _DRIVE_NUMBERS
    )
    return same(
        JointDrive(
            type=word_of(values["type"], values["other_type"]),
            mode=word_of(values["mode"], values["other_mode"]),
            axis=AXES.index(values["axis"]),
            max_force=force if values["use_max_force"] else math.inf,
            position_target=position if values["use_position_target"] else None,
            velocity_target=velocity if values["use_velocity_target"] else None,
            stiffness=stiffness,
            damping=damping,
            carried=values["carried"],
        )
    )


def _indices(flags: Sequence[bool]) -> tuple[int, ...]:
    """Return the axis numbers of an axis flag vector."""
    return tuple(index for index in range(3) if flags[index])


def _flags(axes: tuple[int, ...]) -> tuple[bool, bool, bool]:
    """Return the flag vector of axis numbers."""
    return (0 in axes, 1 in axes, 2 in axes)
