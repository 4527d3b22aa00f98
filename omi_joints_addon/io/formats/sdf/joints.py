"""Joints of SDF as settings, attributes and frames. SI units, radians.

The joint node is on the child's link and the connected node on the parent's, both turned by
`frames_of_axes`, so that bounds and targets keep the numbers and signs of the file.
"""

import math
from typing import NamedTuple

import numpy as np

from ....core.findings.finding import Finding
from ....core.meaning.axes import FREE, Interval, one_axis_settings
from ....core.meaning.presets import fixed, pin
from ....core.model.attributes import JointAttributes
from ....core.model.joint import DriveType, JointDrive, JointSettings
from ....core.model.pose import Array, matrix_from_pose, pose_from_matrix, rotation_matrix
from ....core.rewrite.turning import frames_of_axes, moved_connected_frames, zero_of_range
from .rules import NO_RANGE, SPRING_WITHOUT_EFFORT, WHOLE_TURN
from .schema import AxisValues

NAME = "sdf"
UNLIMITED = 1e12
"""Bound [m or rad] from which on nothing is bounded: files have 1e12 and 1e16."""
SLIDES, TURNS = 0, 5
"""Axis of a slider and of a hinge among the six of `meaning.axes`."""
ONE_AXIS = ("revolute", "continuous", "prismatic")


class Axis(NamedTuple):
    """An axis of a joint."""

    direction: Array
    """Unit direction of motion of the child, in the world at rest, shape (3,)."""
    values: AxisValues


class Made(NamedTuple):
    """A joint as the scene has it."""

    settings: JointSettings
    attributes: JointAttributes
    frame: Array
    """World matrix of the joint node, shape (4, 4)."""
    connected: Array
    """World matrix of the connected node, shape (4, 4)."""
    zero: float = 0.0
    """Position of the file [m or rad] that is zero of the limits."""


def rigid(place: Array) -> Made:
    """Return a weld at a world matrix."""
    return Made(fixed(), JointAttributes(), place, place)


def ball(place: Array) -> Made:
    """Return free rotation about the place of a world matrix."""
    return Made(pin(), JointAttributes(), place, place)


def one_axis(
    name: str, axis: Axis, place: Array, findings: list[Finding], *, is_angular: bool, is_free: bool
) -> Made:
    """Return a hinge or slider at a world matrix; `is_free` passes over its limits."""
    values = axis.values
    frame = np.eye(4)
    main = 2 if is_angular else 0
    frame[:3, :3] = rotation_matrix(frames_of_axes(axis.direction, main=main))
    frame[:3, 3] = place[:3, 3]
    interval, zero, whole = FREE, 0.0, None
    if not is_free:
        interval, zero, whole = _range(name, values, findings, is_angular=is_angular)
    number = TURNS if is_angular else SLIDES
    connected = frame
    if zero:
        moved = moved_connected_frames(
            pose_from_matrix(frame), is_angular=is_angular, axis=main, by=zero
        )
        connected = matrix_from_pose(moved)
    drives = _drives(values, number, zero)
    attributes = JointAttributes(
        effort=_effort(name, values, findings),
        velocity=_strength(values.velocity),
        friction=max(0.0, values.friction),
        zero=zero,
        whole_range=whole,
    )
    return Made(one_axis_settings(number, interval, drives), attributes, frame, connected, zero)


def _range(
    name: str, values: AxisValues, findings: list[Finding], *, is_angular: bool
) -> tuple[Interval, float, tuple[float, float] | None]:
    """Return what an axis allows, what becomes its zero, and a range of a turn and more."""
    lower, upper = _bounds(values)
    if lower > upper:
        findings.append(NO_RANGE(name, lower=lower, upper=upper))
        return FREE, 0.0, None
    if not (is_angular and math.isfinite(lower) and math.isfinite(upper)):
        return Interval(min=lower, max=upper), 0.0, None
    zero = zero_of_range(lower, upper)
    if zero is None:
        findings.append(WHOLE_TURN(name, lower=lower, upper=upper))
        return FREE, 0.0, (lower, upper)
    return Interval(min=lower - zero, max=upper - zero), zero, None


def _bounds(values: AxisValues) -> tuple[float, float]:
    lower, upper = (
        math.copysign(math.inf, bound) if abs(bound) >= UNLIMITED else bound
        for bound in (values.lower, values.upper)
    )
    return lower, upper


def _effort(name: str, values: AxisValues, findings: list[Finding]) -> float:
    """Return the largest force, which does not limit a spring and is left out beside one."""
    effort = _strength(values.effort)
    if math.isfinite(effort) and values.spring_stiffness > 0.0:
        findings.append(SPRING_WITHOUT_EFFORT(name, effort=effort))
        return math.inf
    return effort


def _strength(value: float) -> float:
    """Return a largest force or velocity; a negative one is unlimited."""
    return math.inf if value < 0.0 or value >= UNLIMITED else value


def _drives(values: AxisValues, number: int, zero: float) -> tuple[JointDrive, ...]:
    """Return the drive of damping and spring of an axis."""
    stiffness, damping = max(0.0, values.spring_stiffness), max(0.0, values.damping)
    if not (stiffness or damping):
        return ()
    kind = DriveType.ANGULAR if number >= 3 else DriveType.LINEAR
    drive = JointDrive(
        type=kind,
        axis=number % 3,
        damping=damping,
        stiffness=stiffness,
        position_target=values.spring_reference - zero if stiffness else None,
        velocity_target=0.0 if damping else None,
    )
    return (drive,)
