"""What Godot 4 with the OMI importer makes of a joint.

As measured with Godot 4.6.3 and omigroup/omi-godot at commit e421986. An axis is fixed where both
bounds are about 0; of several limits on one axis the last counts; X is 0, Y is 1, Z is 2.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ..findings.finding import ERROR, INFO, WARNING, Finding, rule
from ..findings.words import amount, axis_name, drive_part, limit_part
from ..meaning.recognition import JointKind, joint_kind, main_axis_of
from ..model.axes import AXIS_LETTERS
from ..model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings

PIN, HINGE, SLIDER, GENERIC = "PinJoint3D", "HingeJoint3D", "SliderJoint3D", "Generic6DOFJoint3D"
_ZERO = 1e-5
"""`is_zero_approx` of Godot."""
_X, _Y, _Z = range(3)


ONE_SIDED = rule(
    "OMI-E101",
    ERROR,
    "Godot: a one-sided limit on {axis} turns positions into NaN; give it both bounds",
    reason="Hinge and slider get an infinite bound handed on as it is.",
)
SPRING_ON_HINGE = rule(
    "OMI-E102",
    ERROR,
    "Godot: a hinge about Z with a position target and no velocity target turns positions "
    "into NaN; turn the frames so that the hinge is about X",
    reason="The importer reads the missing velocity target as NaN.",
)
DEAD_SPRING = rule(
    "OMI-E103",
    WARNING,
    "Godot: the velocity target of {target} on {axis} overrules the position target there; "
    "the spring is dead",
    reason="A motor without limited force holds its velocity whatever else acts on the axis.",
)
HINGE_ABOUT_X = rule(
    "OMI-E104",
    ERROR,
    "Godot: a hinge about X becomes a slider that does not turn; turn the frames so that the "
    "hinge is about Z",
    reason="The importer takes fixed linear and angular Y and Z for a slider along X.",
)
HINGE_ABOUT_Y = rule(
    "OMI-E105",
    INFO,
    "Godot: a hinge about Y becomes a Generic6DOFJoint3D; about Z it would be a HingeJoint3D",
    reason="The importer knows hinges about Z only.",
)
SLIDER_ACROSS = rule(
    "OMI-E106",
    INFO,
    "Godot: a slider along {axis} becomes a Generic6DOFJoint3D; along X it would be a "
    "SliderJoint3D",
    reason="The importer knows sliders along X only.",
)
RIGID_IN_GODOT = rule(
    "OMI-E107",
    WARNING,
    "Godot: the stiffness of limit {number} is not honoured; with Jolt the bound is rigid",
    reason="Newtons per metre are fed to unitless softness; Jolt ignores it.",
)
SPLIT_BY_AXIS = rule(
    "OMI-E108",
    WARNING,
    "Godot: limit {number} about {axes} together is split into a range for each axis, so "
    "{shape} becomes a box",
    reason="The importer flattens limits over several axes.",
)
LAST_LIMIT_COUNTS = rule(
    "OMI-E109",
    WARNING,
    "Godot: limit {number} replaces earlier ones on {axis}; only the last counts",
    reason="The importer keeps the last limit that names an axis.",
)
SPRING_LOST = rule(
    "OMI-E110",
    WARNING,
    "Godot: the spring on a hinge about Z is lost, only its velocity target is used",
    reason="HingeJoint3D has a motor and no spring.",
)
FORCE_IN_GODOT = rule(
    "OMI-E111",
    WARNING,
    "Godot: drive {number} in acceleration mode is used as a force",
    reason="The importer knows force mode only.",
)
NOT_DIRECT_CHILD = rule(
    "OMI-E112",
    ERROR,
    "Godot: the joint is not directly below its body, so it does not find it",
    reason="The importer connects direct children of a body only.",
)
CONNECTED_FRAME_IGNORED = rule(
    "OMI-E113",
    WARNING,
    "Godot: the connected frame is {gap} away from the joint's and is ignored; both ends "
    "attach at the joint",
    reason="The importer takes both attachment frames from the joint node.",
)
MIRRORED_ANGLES = rule(
    "OMI-E114",
    WARNING,
    "Godot: angles about {axis} are measured the other way round, so the uneven {what} is mirrored",
    reason="Measured in both of its physics engines: the joint's body relative to the "
    "connected one.",
)
SLIDES_ONLY = rule(
    "OMI-E115",
    WARNING,
    "Godot: the joint slides along X and does not turn about it",
    reason="Jolt locks the rotation of a SliderJoint3D.",
)
GODOT_PHYSICS = rule(
    "OMI-E116",
    INFO,
    "Godot: with its own physics engine instead of Jolt, {problem}",
    reason="Measured with GodotPhysics and infinite stiffness.",
)
LOCKED_ELSEWHERE = rule(
    "OMI-E117",
    INFO,
    "Godot: {axis} is locked at {value} instead of zero, which makes no special joint",
    reason="The importer takes an axis for fixed only where both bounds are about 0.",
)


@dataclass(frozen=True, slots=True)
class _Axes:
    """The limit that counts on each axis."""

    linear: dict[int, JointLimit]
    angular: dict[int, JointLimit]


def godot_class(settings: JointSettings) -> str:
    """Return the class of node that the importer makes, by its tests in order."""
    axes = _axes(settings)
    driven = {(drive.type, drive.axis) for drive in settings.drives}
    is_pinned = all(_is_fixed(axes.linear.get(axis)) for axis in range(3))
    if is_pinned and driven <= {(DriveType.ANGULAR, _Z)}:
        if not axes.angular and not driven:
            return PIN
        if _are_fixed(axes.angular, _X, _Y) and not _is_fixed(axes.angular.get(_Z)):
            return HINGE
    is_rail = _are_fixed(axes.linear, _Y, _Z) and _are_fixed(axes.angular, _Y, _Z)
    is_open = not (_is_fixed(axes.linear.get(_X)) and _is_fixed(axes.angular.get(_X)))
    return SLIDER if is_rail and is_open and not driven else GENERIC


def check_godot(settings: JointSettings) -> Iterator[Finding]:
    """Yield what goes wrong or is lost in Godot."""
    name, axes = godot_class(settings), _axes(settings)
    if name == HINGE:
        yield from _check_hinge(settings, axes.angular.get(_Z))
    elif name == SLIDER:
        yield from _check_slider(axes)
    elif name == PIN and any(limit.is_rigid for limit in settings.limits):
        yield GODOT_PHYSICS("", problem="a pin does not hold")
    elif name == GENERIC:
        yield from _check_generic(settings)
    yield from _check_limits(settings)
    for index, drive in enumerate(settings.drives):
        yield from _check_drive(drive, index)


def _axes(settings: JointSettings) -> _Axes:
    linear = {axis: limit for limit in settings.limits for axis in limit.linear_axes}
    angular = {axis: limit for limit in settings.limits for axis in limit.angular_axes}
    return _Axes(linear, angular)


def _is_fixed(limit: JointLimit | None) -> bool:
    return limit is not None and abs(limit.min) < _ZERO and abs(limit.max) < _ZERO


def _are_fixed(limits: dict[int, JointLimit], one: int, other: int) -> bool:
    """Return whether two axes are fixed alike."""
    first, second = limits.get(one), limits.get(other)
    if first is None or second is None or not (_is_fixed(first) and _is_fixed(second)):
        return False
    return (first.stiffness, first.damping) == (second.stiffness, second.damping)


def _is_one_sided(limit: JointLimit | None) -> bool:
    return limit is not None and math.isinf(limit.min) != math.isinf(limit.max)


def _check_hinge(settings: JointSettings, limit: JointLimit | None) -> Iterator[Finding]:
    if _is_one_sided(limit):
        yield ONE_SIDED("", axis=axis_name(_Z, is_angular=True))
    if limit is not None and limit.damping == 0.0:
        yield GODOT_PHYSICS("", problem="positions become NaN when the hinge meets its limit")
    for index, drive in enumerate(settings.drives):
        if drive.position_target is not None:
            lost = SPRING_ON_HINGE if drive.velocity_target is None else SPRING_LOST
            yield lost("", drive_part(index))


def _check_slider(axes: _Axes) -> Iterator[Finding]:
    if _is_fixed(axes.linear.get(_X)):
        yield HINGE_ABOUT_X()
        return
    if not _is_fixed(axes.angular.get(_X)):
        yield SLIDES_ONLY()
    if _is_one_sided(axes.linear.get(_X)):
        yield ONE_SIDED("", axis=axis_name(_X, is_angular=False))
    if any(limit.is_rigid for limit in axes.linear.values()):
        yield GODOT_PHYSICS("", problem="a slider turns positions into NaN")


def _check_generic(settings: JointSettings) -> Iterator[Finding]:
    kind, axis = joint_kind(settings), main_axis_of(settings)
    if kind == JointKind.HINGE and axis == _Y:
        yield HINGE_ABOUT_Y()
    if kind == JointKind.SLIDER and axis in (_Y, _Z):
        yield SLIDER_ACROSS("", axis=AXIS_LETTERS[axis])
    for index, drive in enumerate(settings.drives):
        if drive.position_target is not None and drive.velocity_target is not None:
            is_angular = drive.type == DriveType.ANGULAR
            target = amount(drive.velocity_target, is_angular=is_angular) + "/s"
            name = axis_name(drive.axis, is_angular=is_angular)
            yield DEAD_SPRING("", drive_part(index), target=target, axis=name)


def _check_limits(settings: JointSettings) -> Iterator[Finding]:
    seen: set[tuple[bool, int]] = set()
    for index, limit in enumerate(settings.limits):
        if not limit.is_rigid:
            yield RIGID_IN_GODOT("", limit_part(index), number=index + 1)
        for is_angular, axes in ((False, limit.linear_axes), (True, limit.angular_axes)):
            yield from _check_axes(limit, index, axes, is_angular=is_angular)
            for axis in axes:
                if (is_angular, axis) in seen:
                    words: dict[str, str | float] = {
                        "number": index + 1,
                        "axis": axis_name(axis, is_angular=is_angular),
                    }
                    yield LAST_LIMIT_COUNTS("", limit_part(index), **words)
                seen.add((is_angular, axis))


def _check_axes(
    limit: JointLimit, index: int, axes: tuple[int, ...], *, is_angular: bool
) -> Iterator[Finding]:
    """Yield what a range of axes of one kind loses."""
    if not axes or _is_fixed(limit):
        return
    part = limit_part(index)
    if len(axes) > 1:
        letters = " and ".join(AXIS_LETTERS[axis] for axis in axes)
        words: dict[str, str | float] = {
            "number": index + 1,
            "axes": letters,
            "shape": shape_of(axes, is_angular),
        }
        yield SPLIT_BY_AXIS("", part, **words)
    elif limit.is_locked:
        name = axis_name(axes[0], is_angular=is_angular)
        value = amount(limit.min, is_angular=is_angular)
        yield LOCKED_ELSEWHERE("", part, axis=name, value=value)
    if len(axes) == 1 and is_angular and limit.min != -limit.max:
        yield MIRRORED_ANGLES("", part, axis=AXIS_LETTERS[axes[0]], what="range")


def _check_drive(drive: JointDrive, index: int) -> Iterator[Finding]:
    part = drive_part(index)
    if drive.mode == DriveMode.ACCELERATION:
        yield FORCE_IN_GODOT("", part, number=index + 1)
    if drive.type == DriveType.ANGULAR and (drive.position_target or drive.velocity_target):
        yield MIRRORED_ANGLES("", part, axis=AXIS_LETTERS[drive.axis], what="target")


def shape_of(axes: tuple[int, ...], is_angular: bool) -> str:
    """Return what a limit over these axes bounds, in words."""
    if len(axes) == 1:
        return f"the axis {AXIS_LETTERS[axes[0]]}"
    if is_angular:
        return f"a cone about {AXIS_LETTERS[3 - sum(axes)]}" if len(axes) == 2 else "any rotation"
    return f"a tube along {AXIS_LETTERS[3 - sum(axes)]}" if len(axes) == 2 else "a sphere"
