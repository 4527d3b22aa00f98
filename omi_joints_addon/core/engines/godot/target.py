"""Joints and shapes in the terms of Godot's importer, which are not those of the specification.

A file for it is right there and wrong everywhere else: angles are those of the joint's body seen
from the connected one, zero is the pose at load, heights of capsules are full heights. What cannot
be expressed in its terms is a finding of the engine report. Measured as `importer` describes.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from ...findings.finding import Finding
from ...findings.words import amount
from ...model.joint import DriveMode, DriveType, JointDrive, JointLimit, JointSettings
from ...model.pose import Array, Pose, quaternion_product, rotate
from ...model.shape import Capsule, Shape
from .drives import check_drives
from .importer import counting_limits, is_fixed
from .limits import GODOT_PHYSICS, LOCKED_ELSEWHERE, MIRRORED_RANGE, check_limits
from .rewriting import rewritten
from .scene import CONNECTED_FRAME_IGNORED

_SAME = 1e-6
"""Distance [m] and angle [rad] at rest that count as zero."""
_VISIBLE = 1e-3
"""Distance [m] and angle [rad] between frames that matters."""
_SOLVED = {MIRRORED_RANGE, GODOT_PHYSICS, LOCKED_ELSEWHERE}
"""Rules whose findings do not apply to settings in the importer's terms, or to its Jolt."""


@dataclass(frozen=True, slots=True)
class GodotJoint:
    """A joint in the importer's terms."""

    settings: JointSettings
    findings: tuple[Finding, ...]
    """What its terms cannot express; their places are empty."""


def in_godot_terms(settings: JointSettings, rest: Pose, mass: float | None) -> GodotJoint:
    """Return the settings as the importer has to read them.

    `rest` is the connected frame in the joint's frame at load, shapes (3,) and (4,), after both
    frames were turned as `portable` says; `mass` [kg] is what a force on the joint moves, None
    where that is not one number.
    """
    plain = rewritten(settings).settings
    shift = _shift(plain, rest)
    if shift is not None:
        plain = _moved(plain, *shift)
    plain = _as_forces(plain, mass)
    findings = [*check_limits(plain), *check_drives(plain)]
    if shift is None and (gap := _gap(rest)):
        findings.append(CONNECTED_FRAME_IGNORED(gap=gap))
    # The importer measures angles of the joint's body, seen from the connected one.
    limits = tuple(map(_mirrored_limit, plain.limits))
    drives = (d.reversed() if d.type == DriveType.ANGULAR else d for d in plain.drives)
    return GodotJoint(
        replace(plain, limits=limits, drives=tuple(drives)),
        tuple(item for item in findings if item.rule not in _SOLVED),
    )


def turned_rest(rest: Pose, turn: tuple[float, float, float, float]) -> Pose:
    """Return the connected frame in the joint's frame after both were turned alike."""
    back = np.array(turn) * (-1.0, -1.0, -1.0, 1.0)
    rotation = quaternion_product(quaternion_product(back, rest.rotation), np.array(turn))
    return Pose(rotate(back, rest.position), rotation)


def in_godot_shape(shape: Shape) -> Shape:
    """Return a shape as the importer has to read it: capsules with their full height."""
    if isinstance(shape, Capsule) and shape.radius_bottom == shape.radius_top:
        return replace(shape, height=shape.height + 2.0 * shape.radius_top)
    return shape


def _gap(rest: Pose) -> str:
    """Return how far frames are apart, or turned against each other, empty where that is unseen."""
    distance = float(np.linalg.norm(rest.position))
    angle = 2.0 * math.atan2(float(np.linalg.norm(rest.rotation[:3])), abs(float(rest.rotation[3])))
    if distance > _VISIBLE:
        return amount(distance, is_angular=False)
    return amount(angle, is_angular=True) if angle > _VISIBLE else ""


def _shift(settings: JointSettings, rest: Pose) -> tuple[Array, Array] | None:
    """Return position and angles at rest, which become zero; None where limits cannot follow.

    They can where what is moved is bounded, or locked, axis by axis, and the frames are turned
    about one axis only.
    """
    position, turn = np.asarray(rest.position, float), np.asarray(rest.rotation, float)
    angles = np.zeros(3)
    about = np.flatnonzero(np.abs(turn[:3]) > _SAME)
    if len(about) > 1:
        return None
    for axis in about:
        angles[axis] = 2.0 * math.atan2(turn[axis], turn[3])
        angles[axis] -= 2.0 * math.pi * round(angles[axis] / (2.0 * math.pi))
    position = np.where(np.abs(position) > _SAME, position, 0.0)
    moved = {(False, int(axis)) for axis in np.flatnonzero(position)}
    moved |= {(True, int(axis)) for axis in about}
    if any(_is_joined(limit, moved) for limit in settings.limits):
        return None
    return position, angles


def _is_joined(limit: JointLimit, moved: set[tuple[bool, int]]) -> bool:
    """Return whether a limit measures a moved axis together with others."""
    axes = [(False, axis) for axis in limit.linear_axes]
    axes += [(True, axis) for axis in limit.angular_axes]
    return len(axes) > 1 and not moved.isdisjoint(axes)


def _moved(settings: JointSettings, position: Array, angles: Array) -> JointSettings:
    """Return the settings of a joint whose pose at rest counts as zero."""
    limits = tuple(
        _moved_limit(limit, _start(limit.linear_axes, limit.angular_axes, position, angles))
        for limit in settings.limits
    )
    drives = tuple(
        drive
        if drive.position_target is None
        else replace(
            drive,
            position_target=drive.position_target
            - float((angles if drive.type == DriveType.ANGULAR else position)[drive.axis]),
        )
        for drive in settings.drives
    )
    return replace(settings, limits=limits, drives=drives)


def _start(
    linear: tuple[int, ...], angular: tuple[int, ...], position: Array, angles: Array
) -> float:
    """Return where the axis of a limit is at rest, 0 for limits over several axes."""
    if len(linear) + len(angular) != 1:
        return 0.0
    return float(position[linear[0]] if linear else angles[angular[0]])


def _moved_limit(limit: JointLimit, start: float) -> JointLimit:
    if start == 0.0:
        return limit
    lower, upper = (
        0.0 if abs(bound - start) < _SAME else bound - start for bound in (limit.min, limit.max)
    )
    return replace(limit, min=lower, max=upper)


def _as_forces(settings: JointSettings, mass: float | None) -> JointSettings:
    """Return sliders with drives in force mode; the mass is that of what slides."""
    limits = counting_limits(settings)
    if mass is None or not all(is_fixed(limits.angular.get(axis)) for axis in range(3)):
        return settings
    return replace(settings, drives=tuple(_as_force(drive, mass) for drive in settings.drives))


def _as_force(drive: JointDrive, mass: float) -> JointDrive:
    if drive.type != DriveType.LINEAR or drive.mode != DriveMode.ACCELERATION:
        return drive
    return replace(
        drive,
        mode=DriveMode.FORCE,
        stiffness=drive.stiffness * mass,
        damping=drive.damping * mass,
    )


def _mirrored_limit(limit: JointLimit) -> JointLimit:
    if len(limit.angular_axes) != 1 or limit.linear_axes:
        return limit
    return replace(limit, min=0.0 - limit.max, max=0.0 - limit.min)
