"""Check of springs: stiffness and damping that do not suit the masses and inertias they act on."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..findings.finding import INFO, Finding, rule
from ..findings.words import drive_part, limit_part
from ..meaning.moved_inertia import ChosenAxes, moved_inertias
from ..model.graph import Mask
from ..model.joint import DriveMode, DriveType, JointSettings
from ..model.pose import Array
from ..model.scene import PhysicsScene

_SLOWEST, _FASTEST = 0.05, 1000.0
"""Frequencies [Hz] between which springs are not reported.

Those of the official files and of 40 public models of robots are between 0.087 and 756 Hz.
"""
_LEAST_DAMPED, _MOST_DAMPED = 1e-4, 100.0
"""Parts of critical damping between which springs are not reported."""
_LONGEST_RETURN = 10.0
"""Time [s] in which an overdamped spring may take its bodies most of the way."""

UNUSUAL_STIFFNESS = rule(
    "OMI-J208",
    INFO,
    "the stiffness of {spring}, {stiffness}, lets its bodies swing at {frequency} Hz; check its "
    "unit if that is not meant",
    reason="OMI_physics_joint: stiffness is in N/m or N·m/rad. Springs of doors, limbs and wheels "
    "swing at 0.1 to 50 Hz, servos at up to 750 Hz; a wrong unit is far beyond.",
)
UNUSUAL_DAMPING = rule(
    "OMI-J209",
    INFO,
    "the damping of {spring}, {damping}, is {ratio} times as much as stops its bodies without a "
    "swing, so they {result}; check its unit if that is not meant",
    reason="OMI_physics_joint: damping is in N·s/m or N·m·s/rad. Usual springs have 0.01 to 10 "
    "times their critical damping, 2·√(stiffness · mass).",
)


class _Spring(NamedTuple):
    is_drive: bool
    number: int
    """Number of the limit or drive, from 0."""
    is_angular: bool
    axis: int
    stiffness: float
    damping: float
    is_acceleration: bool


def check_springs(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield springs that are far too stiff, soft, damped or undamped for the bodies they join."""
    springs = list(_springs_of(scene))
    if not springs:
        return
    inertias = _inertias(scene, springs)
    stiffness = np.array([spring.stiffness for _, spring in springs])
    damping = np.array([spring.damping for _, spring in springs])
    for row in np.flatnonzero(_are_unusual(stiffness, damping, inertias)).tolist():
        number, spring = springs[row]
        yield from _judge(scene.joint_place(number), spring, float(inertias[row]))


def _springs_of(scene: PhysicsScene) -> Iterator[tuple[int, _Spring]]:
    known: dict[int, list[_Spring]] = {}
    for number, joint in enumerate(scene.joints):
        found = known.get(id(joint.settings))
        if found is None:
            found = [*_soft_limits(joint.settings), *_driven(joint.settings)]
            known[id(joint.settings)] = found
        for spring in found:
            yield number, spring


def _soft_limits(settings: JointSettings) -> Iterator[_Spring]:
    for index, limit in enumerate(settings.limits):
        is_angular, axes = bool(limit.angular_axes), limit.angular_axes or limit.linear_axes
        if axes and 0.0 < limit.stiffness < math.inf:
            yield _Spring(False, index, is_angular, axes[0], limit.stiffness, limit.damping, False)


def _driven(settings: JointSettings) -> Iterator[_Spring]:
    for index, drive in enumerate(settings.drives):
        if 0.0 < drive.stiffness < math.inf and drive.position_target is not None:
            is_angular = drive.type == DriveType.ANGULAR
            is_free = drive.mode == DriveMode.ACCELERATION
            values = (is_angular, drive.axis, drive.stiffness, drive.damping, is_free)
            yield _Spring(True, index, *values)


def _inertias(scene: PhysicsScene, springs: Sequence[tuple[int, _Spring]]) -> Array:
    axes = ChosenAxes(
        np.array([number for number, _ in springs]),
        np.array([spring.axis for _, spring in springs]),
        np.array([spring.is_angular for _, spring in springs]),
    )
    # Acceleration drives act on every mass alike.
    is_free = [spring.is_acceleration for _, spring in springs]
    return np.where(is_free, 1.0, moved_inertias(scene, axes))


def _are_unusual(stiffness: Array, damping: Array, inertia: Array) -> Mask:
    frequency = np.sqrt(stiffness / inertia) / math.tau
    ratio = damping / (2.0 * np.sqrt(stiffness * inertia))
    is_sound = (frequency > _SLOWEST) & (frequency < _FASTEST)
    is_damped = (damping == 0.0) | (ratio > _LEAST_DAMPED)
    is_slow = (ratio > _MOST_DAMPED) & (damping / stiffness > _LONGEST_RETURN)
    return np.asarray(np.isfinite(frequency) & ~(is_sound & is_damped & ~is_slow))


def _judge(place: str, spring: _Spring, inertia: float) -> Iterator[Finding]:
    """Yield what is unusual about a spring, of which something is."""
    unit, number = "N·m/rad" if spring.is_angular else "N/m", spring.number + 1
    name = f"drive {number}" if spring.is_drive else f"limit {number}"
    part = (drive_part if spring.is_drive else limit_part)(spring.number)
    frequency = math.sqrt(spring.stiffness / inertia) / math.tau
    if not _SLOWEST < frequency < _FASTEST:
        words = {"spring": name, "stiffness": f"{spring.stiffness:g} {unit}"}
        yield UNUSUAL_STIFFNESS(place, part, **words, frequency=f"{frequency:.3g}")
        return
    ratio = spring.damping / (2.0 * math.sqrt(spring.stiffness * inertia))
    time = spring.damping / spring.stiffness
    slow = f"need {time:.0f} s for most of the way"
    yield UNUSUAL_DAMPING(
        place,
        part,
        spring=name,
        damping=f"{spring.damping:g} {'N·m·s/rad' if spring.is_angular else 'N·s/m'}",
        ratio=f"{ratio:.3g}",
        result=slow if ratio > 1.0 else "keep swinging",
    )
