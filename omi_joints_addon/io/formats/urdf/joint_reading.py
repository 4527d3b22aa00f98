"""A joint element as settings, attributes and the frame that they hold in."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ....core.findings.finding import Finding
from ....core.meaning.axes import FREE, Interval, one_axis_settings
from ....core.meaning.presets import fixed, planar
from ....core.model.attributes import JointAttributes
from ....core.model.joint import DriveType, JointDrive, JointSettings
from ....core.model.plain import JsonObject
from ....core.model.pose import (
    Array,
    Pose,
    matrix_from_pose,
    rotation_from_matrix,
    rotation_matrix,
)
from ....core.rewrite.turning import frames_of_axes, moved_connected_frames, zero_of_range
from .document import UNLIMITED, JointElement
from .rules import BARE_LIMIT, NO_RANGE, WHOLE_TURN

_KINDS = {0: ("prismatic",), 2: ("revolute", "continuous", "planar")}
"""Types of joints by the axis of their frames that lies along the axis of motion."""
SLIDES, TURNS = 0, 5
"""Axis of a prismatic and of a revolute joint among the six of `meaning.axes`."""


@dataclass(frozen=True, slots=True)
class JointRange:
    """What the limit of an element allows."""

    interval: Interval
    zero: float = 0.0
    """Position of the file [m or rad] that is the zero of the interval."""
    whole: tuple[float, float] | None = None
    """Bounds of a turn and more, which the interval cannot say [rad]."""


def settings_of_element(element: JointElement, span: JointRange) -> JointSettings:
    """Return the settings of a joint, about local Z or along local X."""
    if element.type == "fixed":
        return fixed()
    if element.type == "planar":
        return planar()
    is_angular = element.type != "prismatic"
    number = TURNS if is_angular else SLIDES
    return one_axis_settings(number, span.interval, _brake(element, is_angular))


def frames_of_elements(
    elements: Sequence[JointElement],
    children: Sequence[Array],
    parents: Array,
    zeros: Sequence[float],
) -> Iterable[tuple[Array, Array]]:
    """Return the world matrices of the joint node and the connected node of each element.

    `children` are those of the child links, `parents` (n, 4, 4) those of the joints as the parents
    have them, `zeros` what `JointRange` has.
    """
    turns = np.tile(np.eye(4), (len(elements), 1, 1))
    for main, kinds in _KINDS.items():
        rows = [row for row, element in enumerate(elements) if element.type in kinds]
        axes = np.array([elements[row].axis for row in rows]).reshape(-1, 3)
        turns[rows, :3, :3] = rotation_matrix(frames_of_axes(axes, main=main))
    frames = np.array(children).reshape(-1, 4, 4) @ turns
    connected = parents @ turns
    moved = [row for row, zero in enumerate(zeros) if zero]
    pose = Pose(connected[moved, :3, 3], rotation_from_matrix(connected[moved, :3, :3]))
    by = np.array([zeros[row] for row in moved])
    connected[moved] = matrix_from_pose(
        moved_connected_frames(pose, is_angular=True, axis=2, by=by)
    )
    return zip(frames, connected, strict=True)


def range_of_element(
    element: JointElement, findings: list[Finding], *, frees_bare_limits: bool = False
) -> JointRange:
    """Return what a joint with one axis may do; other types are free."""
    bounds = _bounds(element, findings, frees_bare_limits)
    if bounds is None:
        return JointRange(FREE)
    lower, upper = bounds
    if element.type == "prismatic":
        return JointRange(Interval(min=lower, max=upper))
    zero = zero_of_range(lower, upper)
    if zero is not None:
        return JointRange(Interval(min=lower - zero, max=upper - zero), zero)
    findings.append(WHOLE_TURN(element.name, lower=lower, upper=upper))
    return JointRange(FREE, whole=(lower, upper))


def attributes_of_element(element: JointElement, span: JointRange) -> JointAttributes:
    """Return what an element has beside its settings."""
    limit = element.limit
    carried: JsonObject = {"extra": list(element.extra)} if element.extra else {}
    given = (None, None) if limit is None else (limit.effort, limit.velocity)
    effort, velocity = (
        math.inf if value is None or value in (-math.inf, UNLIMITED) else abs(value)
        for value in given
    )
    return JointAttributes(
        effort=effort,
        velocity=velocity,
        friction=element.friction,
        zero=span.zero,
        whole_range=span.whole,
        carried=(("urdf", json.dumps(carried)),) if carried else (),
    )


def _bounds(
    element: JointElement, findings: list[Finding], frees_bare_limits: bool
) -> tuple[float, float] | None:
    limit = element.limit
    if element.type not in ("revolute", "prismatic"):
        return None
    if limit is None:
        findings.append(NO_RANGE(element.name, problem="the limit is missing"))
        return None
    if limit.lower is None and limit.upper is None:
        if frees_bare_limits:
            return None
        findings.append(BARE_LIMIT(element.name))
    lower, upper = limit.lower or 0.0, limit.upper or 0.0
    if lower > upper:
        problem = f"lower ({lower:g}) is above upper ({upper:g})"
        findings.append(NO_RANGE(element.name, problem=problem))
        return None
    return None if (lower, upper) == (-math.inf, math.inf) else (lower, upper)


def _brake(element: JointElement, is_angular: bool) -> tuple[JointDrive, ...]:
    if not element.damping:
        return ()
    kind = DriveType.ANGULAR if is_angular else DriveType.LINEAR
    axis = 2 if is_angular else 0
    return (JointDrive(type=kind, axis=axis, velocity_target=0.0, damping=element.damping),)
