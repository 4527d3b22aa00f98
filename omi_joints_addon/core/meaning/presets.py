"""Builders of common joints. SI units and radians.

Every preset allows the pose in which the frames coincide. Each has a canonical axis, along or
about which engines recognize it (a hinge turns about local Z, a slider runs along local X); an add
operator turns the frames so that this axis points where the artist wants it. Linear and angular
axes are in separate limits. Bounds of a limit over several axes are written on both sides of zero:
by the metric a minimum below zero says nothing, and importers that take such a limit apart into
axes get each of them symmetric.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from inspect import signature
from types import MappingProxyType

from ..model.axes import other_axes
from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings
from .axes import locks
from .preset_parameters import (
    AngularVelocity,
    Cone,
    Damping,
    MaxAngle,
    MaxDistance,
    MaxForce,
    MinAngle,
    MinDistance,
    Parameter,
    Radius,
    RestPosition,
    Stiffness,
    TargetAngle,
    Travel,
    Twist,
)
from .recognition import JointKind, joint_kind, main_axis_of

_ALL = (0, 1, 2)
X, Z = 0, 2


class Preset(StrEnum):
    """A common joint."""

    FIXED = "fixed"
    PIN = "pin"
    HINGE = "hinge"
    SLIDER = "slider"
    CYLINDRICAL = "cylindrical"
    PLANAR = "planar"
    BALL_WITH_CONE = "ball_with_cone"
    UNIVERSAL = "universal"
    SUSPENSION_SPRING = "suspension_spring"
    HINGE_MOTOR = "hinge_motor"
    POSITION_SERVO = "position_servo"


def fixed() -> JointSettings:
    """Return a weld: no axis moves."""
    return JointSettings(limits=locks(_ALL, _ALL))


def pin() -> JointSettings:
    """Return free rotation about a point."""
    return JointSettings(limits=locks(_ALL))


def hinge(
    *, axis: int = Z, min_angle: MinAngle = -0.5 * math.pi, max_angle: MaxAngle = 0.5 * math.pi
) -> JointSettings:
    """Return rotation about one axis between two angles; infinite ones make it continuous.

    The other two angular axes are locked by one limit: the third axes of the frames stay together.
    """
    held = locks(_ALL, other_axes(axis))
    return JointSettings(limits=(*held, *_range(min_angle, max_angle, angular=(axis,))))


def slider(
    *, axis: int = X, min_distance: MinDistance = -0.5, max_distance: MaxDistance = 0.5
) -> JointSettings:
    """Return translation along one axis between two distances."""
    held = locks(other_axes(axis), _ALL)
    return JointSettings(limits=(*held, *_range(min_distance, max_distance, linear=(axis,))))


def cylindrical(
    *, axis: int = X, min_distance: MinDistance = -0.5, max_distance: MaxDistance = 0.5
) -> JointSettings:
    """Return translation along one axis between two distances and free rotation about it."""
    others = other_axes(axis)
    held = locks(others, others)
    return JointSettings(limits=(*held, *_range(min_distance, max_distance, linear=(axis,))))


def planar(*, axis: int = Z, radius: Radius = math.inf) -> JointSettings:
    """Return translation in the plane normal to `axis`, within `radius`, and rotation about it."""
    others = other_axes(axis)
    held = locks((axis,), others)
    return JointSettings(limits=(*held, *_range(-radius, radius, linear=others)))


def ball_with_cone(
    *, axis: int = X, cone: Cone = 0.25 * math.pi, twist: Twist = 0.25 * math.pi
) -> JointSettings:
    """Return rotation about a point, `axis` kept in a cone of half angle `cone`.

    Rotation about the axis is within plus and minus `twist`; infinite is free.
    """
    bounds = (
        *_range(-cone, cone, angular=other_axes(axis)),
        *_range(-twist, twist, angular=(axis,)),
    )
    return JointSettings(limits=(*locks(_ALL), *bounds))


def universal(*, axis: int = X, cone: Cone = math.inf) -> JointSettings:
    """Return two shafts that bend about a point and turn each other: no twist about `axis`.

    By the metric the twist about the shaft is what is locked, so both other axes bend alike, within
    a cone of half angle `cone` where that is finite.
    """
    held = locks(_ALL, (axis,))
    return JointSettings(limits=(*held, *_range(-cone, cone, angular=other_axes(axis))))


def suspension_spring(
    *,
    axis: int = X,
    travel: Travel = 0.1,
    position_target: RestPosition = 0.0,
    stiffness: Stiffness = 1000.0,
    damping: Damping = 20.0,
) -> JointSettings:
    """Return a slider that a spring pulls to `position_target`, within plus and minus `travel`.

    The spring gives way 1 cm under each kilogram by default. It has no velocity target: engines
    make a motor of one that holds the axis against the spring.
    """
    drive = JointDrive(
        axis=axis, position_target=position_target, stiffness=stiffness, damping=damping
    )
    limits = slider(axis=axis, min_distance=-travel, max_distance=travel).limits
    return JointSettings(limits=limits, drives=(drive,))


def hinge_motor(
    *,
    axis: int = Z,
    velocity_target: AngularVelocity = 2.0 * math.pi,
    damping: Damping = 10.0,
    max_force: MaxForce = 100.0,
) -> JointSettings:
    """Return a continuous hinge that turns the connected frame at `velocity_target` [rad/s].

    It turns with the torque `damping` times what is missing of the velocity, at most `max_force`.
    """
    drive = JointDrive(
        type=DriveType.ANGULAR,
        axis=axis,
        velocity_target=velocity_target,
        damping=damping,
        max_force=max_force,
    )
    limits = hinge(axis=axis, min_angle=-math.inf, max_angle=math.inf).limits
    return JointSettings(limits=limits, drives=(drive,))


def position_servo(
    *,
    axis: int = X,
    min_angle: MinAngle = -0.5 * math.pi,
    max_angle: MaxAngle = 0.5 * math.pi,
    position_target: TargetAngle = 0.0,
    stiffness: Stiffness = 100.0,
    damping: Damping = 10.0,
    max_force: MaxForce = 100.0,
) -> JointSettings:
    """Return a hinge that turns to `position_target` and holds it.

    About local X, unlike other hinges: Godot's importer makes a hinge joint of one about Z, which
    has no spring, and of a position target without velocity target NaN. About X it makes a joint of
    six degrees of freedom, whose spring works. There a velocity target, even zero, is a motor that
    freezes the axis, so there is none; `damping` alone brakes the spring.
    """
    drive = JointDrive(
        type=DriveType.ANGULAR,
        axis=axis,
        position_target=position_target,
        stiffness=stiffness,
        damping=damping,
        max_force=max_force,
    )
    limits = hinge(axis=axis, min_angle=min_angle, max_angle=max_angle).limits
    return JointSettings(limits=limits, drives=(drive,))


class Fitting(StrEnum):
    """Where the axis of a joint points between two bodies."""

    COMMON_EDGE = "common edge"
    """Along the longest edge that the two bodies have in common, as a hinge."""
    LEAVING = "leaving"
    """The way on which the moving body leaves the other, as a drawer."""
    TOWARD = "toward"
    """From the joint to the moving body, as an arm."""
    SHORTEST = "shortest"
    """Along the shortest extent of the moving body, as a wheel."""
    UPRIGHT = "upright"


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetInfo:
    """How to show and build a preset."""

    label: str
    """Name to show."""
    description: str
    """What it does, without full stop."""
    icon: str
    """Name of Blender's icon."""
    axis: int | None
    """Canonical axis: 0 X or 2 Z of the joint's frame; None where no axis stands out."""
    fitting: Fitting = Fitting.COMMON_EDGE
    """Where that axis points between two bodies."""
    build: Callable[..., JointSettings]
    """Builder in this module; its parameters all have a default and an annotated meaning."""

    @property
    def is_turning(self) -> bool:
        """Whether it turns about its axis alone, as a hinge or a wheel does."""
        fittings = (Fitting.COMMON_EDGE, Fitting.SHORTEST)
        return self.axis is not None and self.fitting in fittings

    def parameters(self) -> dict[str, tuple[Parameter, float]]:
        """Return the parameters of the builder but its axis: what each means and its default."""
        parameters = signature(self.build).parameters.values()
        return {
            p.name: (p.annotation.__metadata__[0], p.default)
            for p in parameters
            if p.name != "axis"
        }


PRESETS: Mapping[Preset, PresetInfo] = MappingProxyType(
    {
        Preset.FIXED: PresetInfo(
            label="Fixed",
            description="Weld the bodies together",
            icon="LOCKED",
            axis=None,
            build=fixed,
        ),
        Preset.PIN: PresetInfo(
            label="Pin",
            description="Turn freely about a point, like the links of a chain",
            icon="PINNED",
            axis=None,
            build=pin,
        ),
        Preset.HINGE: PresetInfo(
            label="Hinge",
            description="Turn about one axis between two angles, like a door",
            icon="DRIVER_ROTATIONAL_DIFFERENCE",
            axis=Z,
            build=hinge,
        ),
        Preset.SLIDER: PresetInfo(
            label="Slider",
            description="Move along one axis between two ends, like a drawer",
            icon="DRIVER_DISTANCE",
            axis=X,
            fitting=Fitting.LEAVING,
            build=slider,
        ),
        Preset.CYLINDRICAL: PresetInfo(
            label="Cylindrical",
            description="Move along one axis and turn about it, like a bolt",
            icon="MESH_CYLINDER",
            axis=X,
            fitting=Fitting.LEAVING,
            build=cylindrical,
        ),
        Preset.PLANAR: PresetInfo(
            label="Planar",
            description="Move in a plane and turn about its normal, like a puck on a table",
            icon="MESH_PLANE",
            axis=Z,
            fitting=Fitting.LEAVING,
            build=planar,
        ),
        Preset.BALL_WITH_CONE: PresetInfo(
            label="Ball with Cone",
            description="Turn about a point within a cone and a twist, like a shoulder",
            icon="CONE",
            axis=X,
            fitting=Fitting.TOWARD,
            build=ball_with_cone,
        ),
        Preset.UNIVERSAL: PresetInfo(
            label="Universal",
            description="Bend about a point without twist, like the joint of a drive shaft",
            icon="ORIENTATION_GIMBAL",
            axis=X,
            fitting=Fitting.TOWARD,
            build=universal,
        ),
        Preset.SUSPENSION_SPRING: PresetInfo(
            label="Suspension",
            description="Move along one axis against a damped spring, like a wheel of a car",
            icon="MOD_SCREW",
            axis=X,
            fitting=Fitting.UPRIGHT,
            build=suspension_spring,
        ),
        Preset.HINGE_MOTOR: PresetInfo(
            label="Hinge Motor",
            description="Turn about one axis with a given velocity, like a fan",
            icon="FILE_REFRESH",
            axis=Z,
            fitting=Fitting.SHORTEST,
            build=hinge_motor,
        ),
        Preset.POSITION_SERVO: PresetInfo(
            label="Position Servo",
            description="Turn about one axis to a given angle and hold it, like a robot's arm",
            icon="DRIVER",
            axis=X,
            build=position_servo,
        ),
    }
)


def settings_label(settings: JointSettings) -> str:
    """Return the name of the preset that settings are of, else the kind that their limits make."""
    driven = _driven_kind(settings)
    return (
        joint_kind(settings).label
        if driven is None
        else _driven_labels().get(driven, driven[0].label)
    )


def _driven_kind(settings: JointSettings) -> tuple[JointKind, str, bool] | None:
    """Return the kind of joint, the type of its drive, and whether that is a spring.

    None where not exactly one drive acts on the main axis.
    """
    if len(settings.drives) != 1 or settings.drives[0].axis != main_axis_of(settings):
        return None
    (drive,) = settings.drives
    return joint_kind(settings), drive.type, drive.position_target is not None


@cache
def _driven_labels() -> dict[tuple[JointKind, str, bool], str]:
    kinds = ((_driven_kind(info.build()), info.label) for info in PRESETS.values())
    return {kind: label for kind, label in kinds if kind is not None}


def preset_settings(preset: Preset, **parameters: float) -> JointSettings:
    """Return the settings of a preset; `parameters` are those of its builder in this module."""
    return PRESETS[preset].build(**parameters)


def _range(
    lower: float, upper: float, *, linear: tuple[int, ...] = (), angular: tuple[int, ...] = ()
) -> tuple[JointLimit, ...]:
    """Return a limit, or none where nothing is bounded.

    Over several axes it bounds a distance or an unsigned angle, which has no lower bound.
    """
    if len(linear) > 1 or len(angular) > 1:
        lower = -math.inf
    if lower == -math.inf and upper == math.inf:
        return ()
    return (JointLimit(linear_axes=linear, angular_axes=angular, min=lower, max=upper),)
