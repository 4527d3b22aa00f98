"""Joint settings that mean the same and that Godot's importer understands better."""

import math
from collections.abc import Iterator
from dataclasses import replace

from ...meaning.recognition import JointKind, joint_kind, main_axis_of
from ...model.joint import JointDrive, JointLimit, JointSettings
from ...rewrite.merging import merged_drives
from ..engine import Rewritten
from .importer import X, Z

_FAR = 1_000.0
"""Distance [m] that stands for no bound; 10 km makes the other bound 0.2 % short (measured)."""
_ALONG_X = (JointKind.SLIDER, JointKind.CYLINDRICAL, JointKind.BALL_WITH_CONE)
_ONE_AXIS = (JointKind.HINGE, JointKind.SLIDER, JointKind.CYLINDRICAL)


def best_axis(settings: JointSettings) -> int | None:
    """Return X for sliders and Z for hinges, which the importer knows.

    A drive keeps a hinge about X from being taken for a slider. The hinge about Z has no springs,
    and its motor no maximum torque.
    """
    kind = joint_kind(settings)
    if kind == JointKind.HINGE:
        return X if any(map(_needs_generic, settings.drives)) else Z
    return X if kind in _ALONG_X else None


def _needs_generic(drive: JointDrive) -> bool:
    return drive.position_target is not None or math.isfinite(drive.max_force)


def rewritten(settings: JointSettings) -> Rewritten:
    """Return the settings without what turns positions into NaN, is dead or is not counted."""
    steps = []
    merged = merged_drives(settings.drives)
    if len(merged) != len(settings.drives):
        steps.append("merged drives on one axis")
    drives = tuple(map(_as_spring, merged))
    if drives != merged:
        steps.append("moved velocity targets beside position targets into these")
    limits = tuple(_merged(settings.limits))
    if len(limits) != len(settings.limits):
        steps.append("merged limits on one axis")
    kind, axis = joint_kind(settings), main_axis_of(settings)
    if kind in _ONE_AXIS and axis is not None:
        both = tuple(_two_sided(limit, axis) for limit in limits)
        if both != limits:
            steps.append("added the missing bound, out of reach")
        limits = both
    return Rewritten(replace(settings, limits=limits, drives=drives), tuple(steps))


def _as_spring(drive: JointDrive) -> JointDrive:
    """Return a drive with both targets as the spring with the same force.

    k·(p - x) + c·(v - x') is k·(p + c·v/k - x) - c·x'.
    """
    is_known = drive.has_known_type
    if not is_known or drive.position_target is None or drive.velocity_target is None:
        return drive
    if drive.velocity_target == 0.0:
        return replace(drive, velocity_target=None)
    if drive.stiffness == 0.0:
        return replace(drive, position_target=None)
    ahead = drive.damping * drive.velocity_target / drive.stiffness
    return replace(drive, position_target=drive.position_target + ahead, velocity_target=None)


def _merged(limits: tuple[JointLimit, ...]) -> Iterator[JointLimit]:
    """Yield the limits, the rigid ones of one and the same axis as one, where the first was."""
    places = [(limit.linear_axes, limit.angular_axes) for limit in limits]
    for index, limit in enumerate(limits):
        same = [limits[i] for i, place in enumerate(places) if place == places[index]]
        if not _is_mergeable(limit, same):
            yield limit
        elif places.index(places[index]) == index:
            lower, upper = max(one.min for one in same), min(one.max for one in same)
            yield replace(limit, min=lower, max=upper)


def _is_mergeable(limit: JointLimit, same: list[JointLimit]) -> bool:
    """Return whether a limit and others in its place are one range of one axis."""
    if len(same) == 1 or len(limit.linear_axes) + len(limit.angular_axes) != 1:
        return False
    is_possible = max(one.min for one in same) <= min(one.max for one in same)
    return is_possible and all(one.is_rigid and not one.carried for one in same)


def _two_sided(limit: JointLimit, axis: int) -> JointLimit:
    """Return a limit of one axis with both bounds, the added one where no pose comes."""
    is_alone = (limit.linear_axes, limit.angular_axes) in (((axis,), ()), ((), (axis,)))
    if not is_alone or math.isinf(limit.min) == math.isinf(limit.max):
        return limit
    far = math.pi if limit.angular_axes else _FAR
    return replace(limit, min=max(limit.min, -far), max=min(limit.max, far))
