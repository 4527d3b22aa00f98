"""What Godot loses of limits, as measured."""

from collections.abc import Iterator

from ...findings.finding import ERROR, INFO, WARNING, Finding, rule
from ...findings.words import amount, axis_name, limit_part, shape_of
from ...meaning.recognition import JointKind, joint_kind, main_axis_of
from ...model.axes import AXIS_LETTERS
from ...model.joint import JointLimit, JointSettings
from .importer import (
    GENERIC,
    HINGE,
    MEASURED,
    PIN,
    SLIDER,
    CountingLimits,
    X,
    Y,
    Z,
    counting_limits,
    godot_class,
    is_fixed,
    is_one_sided,
    turns_about,
)

_VISIBLE = 1e-3
"""Angle [rad] beyond a bound that matters."""

ONE_SIDED = rule(
    "OMI-E101",
    ERROR,
    "Godot: a one-sided limit on {axis} turns positions into NaN; give it both bounds",
    reason=f"Hinge and slider receive the infinite bound as it is. {MEASURED}",
)
HINGE_ABOUT_X = rule(
    "OMI-E104",
    ERROR,
    "Godot: a hinge about X becomes a slider that does not turn; turn the frames so that the "
    "hinge is about Z",
    reason=f"The importer takes fixed linear and angular Y and Z for a slider along X. {MEASURED}",
)
HINGE_ABOUT_Y = rule(
    "OMI-E105",
    INFO,
    "Godot: a hinge about Y becomes a Generic6DOFJoint3D; about Z it would be a HingeJoint3D",
    reason=f"The importer knows hinges about Z only. {MEASURED}",
)
SLIDER_ACROSS = rule(
    "OMI-E106",
    INFO,
    "Godot: a slider along {axis} becomes a Generic6DOFJoint3D; along X it would be a "
    "SliderJoint3D",
    reason=f"The importer knows sliders along X only. {MEASURED}",
)
RIGID_IN_GODOT = rule(
    "OMI-E107",
    WARNING,
    "Godot: the stiffness of limit {number} has no effect; with Jolt the bound is rigid",
    reason=f"Newtons per meter are used as a softness without unit, which Jolt ignores. {MEASURED}",
)
SPLIT_BY_AXIS = rule(
    "OMI-E108",
    WARNING,
    "Godot: limit {number} about {axes} together is split into a range for each axis, "
    "so {shape} becomes a box",
    reason="The importer flattens limits over several axes: a tube of 0.25 m lets 0.354 m through. "
    f"{MEASURED}",
)
LAST_LIMIT_COUNTS = rule(
    "OMI-E109",
    WARNING,
    "Godot: limit {number} replaces earlier ones on {axis}; only the last one is used",
    reason=f"The importer keeps the last limit that names an axis. {MEASURED}",
)
MIRRORED_RANGE = rule(
    "OMI-E114",
    WARNING,
    "Godot: angles about {axis} are measured in the opposite direction, so the uneven {what} is "
    "mirrored",
    reason="Both of its physics engines measure the joint's body relative to the connected one. "
    f"{MEASURED}",
)
SLIDES_ONLY = rule(
    "OMI-E115",
    WARNING,
    "Godot: the joint slides along X but cannot turn about it",
    reason=f"Jolt locks the rotation of a SliderJoint3D. {MEASURED}",
)
GODOT_PHYSICS = rule(
    "OMI-E116",
    INFO,
    "Godot: with its own physics engine instead of Jolt, {problem}",
    reason=f"This also happens with infinite stiffness. {MEASURED}",
)
LOCKED_ELSEWHERE = rule(
    "OMI-E117",
    INFO,
    "Godot: {axis} is locked at {value} instead of zero, which counts as a moving axis; "
    "the joint becomes a {name}",
    reason=f"The importer takes an axis for fixed only where both bounds are about 0. {MEASURED}",
)

STARTS_OUTSIDE = rule(
    "OMI-E126",
    WARNING,
    "Godot: the pose at load is outside of limit {number}, and Jolt turns the bodies back over "
    "many seconds; place the body at {bound}",
    reason="Zero of a limit is the pose at load there. A load of 20 N·m left a lock at 20° at 9° "
    f"after 1 s and at 17° after 20 s with 60 steps per second. {MEASURED}",
)


def check_limits(settings: JointSettings) -> Iterator[Finding]:
    """Yield what goes wrong with limits or is lost of them."""
    name, limits = godot_class(settings), counting_limits(settings)
    if name == HINGE:
        yield from _check_hinge(limits.angular.get(Z))
    elif name == SLIDER:
        yield from _check_slider(limits)
    elif name == PIN and any(limit.is_rigid for limit in settings.limits):
        yield GODOT_PHYSICS(problem="a pin does not hold")
    elif name == GENERIC:
        yield from _check_generic(settings)
    seen: set[tuple[bool, int]] = set()
    for index, limit in enumerate(settings.limits):
        if not limit.is_rigid:
            yield RIGID_IN_GODOT("", limit_part(index), number=index + 1)
        for is_angular, axes in limit.parts():
            yield from _check_axes(settings, index, axes, is_angular=is_angular)
            yield from _check_repeated(index, axes, seen, is_angular=is_angular)


def _check_hinge(limit: JointLimit | None) -> Iterator[Finding]:
    if is_one_sided(limit):
        yield ONE_SIDED(axis=axis_name(Z, is_angular=True))
    if limit is not None and limit.damping == 0.0:
        yield GODOT_PHYSICS(problem="positions become NaN when the hinge meets its limit")


def _check_slider(limits: CountingLimits) -> Iterator[Finding]:
    if is_fixed(limits.linear.get(X)):
        yield HINGE_ABOUT_X()
        return
    if not is_fixed(limits.angular.get(X)):
        yield SLIDES_ONLY()
    if is_one_sided(limits.linear.get(X)):
        yield ONE_SIDED(axis=axis_name(X, is_angular=False))
    if any(limit.is_rigid for limit in limits.linear.values()):
        yield GODOT_PHYSICS(problem="a slider turns positions into NaN")


def _check_generic(settings: JointSettings) -> Iterator[Finding]:
    kind, axis = joint_kind(settings), main_axis_of(settings)
    if kind == JointKind.HINGE and axis == Y:
        yield HINGE_ABOUT_Y()
    if kind == JointKind.SLIDER and axis in (Y, Z):
        yield SLIDER_ACROSS(axis=AXIS_LETTERS[axis])


def _check_axes(
    settings: JointSettings, index: int, axes: tuple[int, ...], *, is_angular: bool
) -> Iterator[Finding]:
    """Yield what a range of axes of one kind loses."""
    limit, part, number = settings.limits[index], limit_part(index), index + 1
    if not axes or is_fixed(limit):
        return
    if len(axes) > 1:
        letters = " and ".join(AXIS_LETTERS[axis] for axis in axes)
        shape = shape_of(axes, is_angular=is_angular)
        yield SPLIT_BY_AXIS("", part, number=number, axes=letters, shape=shape)
        return
    if limit.is_locked:
        axis = axis_name(axes[0], is_angular=is_angular)
        value = amount(limit.min, is_angular=is_angular)
        yield LOCKED_ELSEWHERE("", part, axis=axis, value=value, name=godot_class(settings))
    if is_angular and turns_about(settings, axes[0]):
        yield from _check_turning(limit, index, axes[0])


def _check_turning(limit: JointLimit, index: int, axis: int) -> Iterator[Finding]:
    """Yield what a range of one angle loses that is not 0 alone."""
    part = limit_part(index)
    if limit.min != -limit.max:
        yield MIRRORED_RANGE("", part, axis=AXIS_LETTERS[axis], what="range")
    nearest = max(limit.min, min(0.0, limit.max))
    if abs(nearest) > _VISIBLE and limit.is_rigid:
        bound = amount(nearest, is_angular=True)
        yield STARTS_OUTSIDE("", part, number=index + 1, bound=bound)


def _check_repeated(
    index: int, axes: tuple[int, ...], seen: set[tuple[bool, int]], *, is_angular: bool
) -> Iterator[Finding]:
    """Yield axes that an earlier limit names; `seen` gets all of these."""
    for axis in axes:
        if (is_angular, axis) in seen:
            name = axis_name(axis, is_angular=is_angular)
            yield LAST_LIMIT_COUNTS("", limit_part(index), number=index + 1, axis=name)
        seen.add((is_angular, axis))
