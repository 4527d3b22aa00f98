"""Joint settings that mean the same and that Godot's importer understands better."""

import math
from dataclasses import replace

from ...meaning.recognition import JointKind, joint_kind, main_axis_of
from ...model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ..engine import Rewritten
from .importer import X, Z

_FAR = 10_000.0
"""Distance [m] that stands for no bound."""
_ALONG_X = (JointKind.SLIDER, JointKind.CYLINDRICAL, JointKind.BALL_WITH_CONE)
_ONE_AXIS = (JointKind.HINGE, JointKind.SLIDER, JointKind.CYLINDRICAL)


def best_axis(settings: JointSettings) -> int | None:
    """Return X for sliders and Z for hinges, which the importer knows.

    A spring keeps a hinge about X from being taken for a slider, and from the hinge about Z that
    has no springs.
    """
    kind = joint_kind(settings)
    if kind == JointKind.HINGE:
        return X if any(drive.position_target is not None for drive in settings.drives) else Z
    return X if kind in _ALONG_X else None


def rewritten(settings: JointSettings) -> Rewritten:
    """Return the settings without what turns positions into NaN or makes springs dead."""
    steps = []
    drives = tuple(_without_brake(drive) for drive in settings.drives)
    if drives != settings.drives:
        steps.append("removed velocity targets of zero beside position targets")
    kind, axis = joint_kind(settings), main_axis_of(settings)
    limits = settings.limits
    if kind in _ONE_AXIS and axis is not None:
        limits = tuple(_two_sided(limit, axis) for limit in limits)
    if limits != settings.limits:
        steps.append("added the missing bound, out of reach")
    return Rewritten(replace(settings, limits=limits, drives=drives), tuple(steps))


def _without_brake(drive: JointDrive) -> JointDrive:
    """Return the drive without a velocity target of zero, which a spring has anyway."""
    is_known = drive.type in set(DriveType)
    is_brake = drive.position_target is not None and drive.velocity_target == 0.0
    return replace(drive, velocity_target=None) if is_known and is_brake else drive


def _two_sided(limit: JointLimit, axis: int) -> JointLimit:
    """Return a limit of one axis with both bounds, the added one where no pose comes."""
    is_alone = (limit.linear_axes, limit.angular_axes) in (((axis,), ()), ((), (axis,)))
    if not is_alone or math.isinf(limit.min) == math.isinf(limit.max):
        return limit
    far = math.pi if limit.angular_axes else _FAR
    return replace(limit, min=max(limit.min, -far), max=min(limit.max, far))
