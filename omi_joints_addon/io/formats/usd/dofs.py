"""Limits and drives of a joint per degree of freedom, as UsdPhysics has them.

SI units and radians. A degree of freedom is a name of UsdPhysics: transX to rotZ, or distance.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....core.findings.loss import How, Noun
from ....core.meaning.axes import FREE, Interval, joint_axes
from ....core.model.axes import remaining_axis
from ....core.model.joint import DriveType, JointDrive, JointLimit, JointSettings

DISTANCE = "distance"
CONE = "cone"
"""Instance of PhysxLimitAPI for the cone of a spherical joint."""
LINEAR = ("transX", "transY", "transZ")
ANGULAR = ("rotX", "rotY", "rotZ")
AXIS_DOFS = (*LINEAR, *ANGULAR)
LOSSES = tuple[tuple[str, How, str], ...]
"""Noun, how it went over, and what to say."""


@dataclass(frozen=True, slots=True)
class Dofs:
    """What a joint limits and drives."""

    ranges: dict[str, Interval]
    drives: dict[str, JointDrive]
    losses: LOSSES = ()

    def range(self, dof: str) -> Interval:
        """Return the range of a degree of freedom."""
        return self.ranges.get(dof, FREE)

    def are_locked(self, dofs: tuple[str, ...]) -> bool:
        """Return whether all of them are held at zero."""
        return all(self.range(dof).is_locked for dof in dofs)

    def are_free(self, dofs: tuple[str, ...]) -> bool:
        """Return whether none of them is bounded."""
        return all(self.range(dof).is_free for dof in dofs)


def dof_of(axis: int, *, is_angular: bool) -> str:
    """Return the degree of freedom of an axis."""
    return (ANGULAR if is_angular else LINEAR)[axis]


def cone_of(settings: JointSettings) -> tuple[int, JointLimit] | None:
    """Return the one cone among the limits with its third axis; None where there is not one."""
    cones = [
        limit
        for limit in settings.limits
        if len(limit.angular_axes) == 2 and 0.0 < limit.max < math.pi and limit.min <= 0.0
    ]
    return (remaining_axis(cones[0].angular_axes), cones[0]) if len(cones) == 1 else None


def twist_axis_of(settings: JointSettings, dofs: Dofs) -> int | None:
    """Return the axis that PhysX must have as X, about which it measures twist; None for any.

    It is that of the one cone, or the one that is locked where both others turn freely.
    """
    cone = cone_of(settings)
    if cone is not None:
        return cone[0]
    bounded = [axis for axis, dof in enumerate(ANGULAR) if not dofs.range(dof).is_free]
    is_lone_lock = len(bounded) == 1 and dofs.range(ANGULAR[bounded[0]]).is_locked
    return bounded[0] if is_lone_lock else None


def joint_dofs(settings: JointSettings) -> Dofs:
    """Return the ranges and drives per degree of freedom, and what they do not say alike."""
    axes = joint_axes(settings)
    ranges: dict[str, Interval] = {}
    losses: list[tuple[str, How, str]] = []
    for dof, axis in zip(AXIS_DOFS, axes.all, strict=True):
        losses += _add(ranges, dof, axis.own)
    for limit in (*axes.shared, *axes.further):
        ((is_angular, own),) = limit.parts()
        losses += _spread(limit, own, is_angular=is_angular)
        for dof, part in _parts(limit, own, is_angular=is_angular):
            losses += _add(ranges, dof, part)
    drives, missed = _drives(settings.drives)
    return Dofs(ranges, drives, tuple(dict.fromkeys((*losses, *missed))))


def _parts(
    limit: JointLimit, axes: tuple[int, ...], *, is_angular: bool
) -> Iterator[tuple[str, Interval]]:
    """Yield the ranges that a limit makes of its axes."""
    low, high = limit.min, limit.max
    if len(axes) == 3 and not is_angular and not (low <= 0.0 and high == 0.0):
        yield DISTANCE, _interval(max(low, 0.0), high, limit)
        return
    if len(axes) > 1:
        low = -high if high != 0.0 else 0.0
    for axis in axes:
        dof = dof_of(axis, is_angular=is_angular)
        yield dof, _interval(low, high, limit)


def _interval(low: float, high: float, limit: JointLimit) -> Interval:
    return Interval(min=low, max=high, stiffness=limit.stiffness, damping=limit.damping)


def _spread(
    limit: JointLimit, axes: tuple[int, ...], *, is_angular: bool
) -> Iterator[tuple[str, How, str]]:
    """Yield what a limit over several axes loses as ranges of each."""
    is_plain = len(axes) == 1 or limit.max == 0.0 or (len(axes) == 3 and not is_angular)
    if is_plain or not math.isfinite(limit.max):
        return
    if is_angular:
        shape = "a cone becomes a pyramid" if len(axes) == 2 else "a ball becomes a box"
    else:
        shape = "a disc becomes a square"
    yield Noun.LIMIT, How.CONVERTED, f"each axis gets a range of its own: {shape}"
    if limit.min > 0.0:
        yield (
            Noun.LIMIT,
            How.CARRIED,
            "UsdPhysics cannot express a hole in a range over several axes",
        )


def _add(ranges: dict[str, Interval], dof: str, part: Interval) -> Iterator[tuple[str, How, str]]:
    """Add a range to those of its axis; hard ones intersect and win over soft ones."""
    if dof in ANGULAR:
        # An angle is never more than half a turn, so a bound beyond it has no effect.
        is_whole = part.min <= -math.pi and part.max >= math.pi
        low = part.min if part.min >= -math.pi and not is_whole else -math.inf
        high = part.max if part.max <= math.pi and not is_whole else math.inf
        part = part._replace(min=low, max=high)
    if part.is_free:
        return
    if part.stiffness == 0.0:
        return  # it has no effect
    there = ranges.get(dof)
    if there is None:
        ranges[dof] = part
    elif not (there.is_soft or part.is_soft):
        ranges[dof] = Interval(min=max(there.min, part.min), max=min(there.max, part.max))
    else:
        yield Noun.LIMIT, How.CARRIED, f"{dof} can have only one limit: a second one is left out"
        ranges[dof] = part if there.is_soft else there


def _drives(
    drives: tuple[JointDrive, ...],
) -> tuple[dict[str, JointDrive], list[tuple[str, How, str]]]:
    """Return one drive per degree of freedom; several are summed where that is the same."""
    found: dict[str, JointDrive] = {}
    losses: list[tuple[str, How, str]] = []
    for drive in drives:
        if not drive.is_known:
            losses.append((Noun.DRIVE, How.CARRIED, f"UsdPhysics has no drive {drive.type}"))
            continue
        dof = dof_of(drive.axis, is_angular=drive.type == DriveType.ANGULAR)
        # Without a target, stiffness has no effect.
        plain = replace(drive, stiffness=drive.acting_stiffness)
        there = found.get(dof)
        summed = plain if there is None else _sum_of(there, plain)
        if summed is None:
            losses.append((Noun.DRIVE, How.CARRIED, f"{dof} can have only one drive: the first"))
        else:
            found[dof] = summed
    return found, losses


def _sum_of(one: JointDrive, two: JointDrive) -> JointDrive | None:
    """Return one drive with the force of both, None where there is none."""
    if one.mode != two.mode or math.isfinite(min(one.max_force, two.max_force)):
        return None
    stiffness, damping = one.stiffness + two.stiffness, one.damping + two.damping
    return replace(
        one,
        stiffness=stiffness,
        damping=damping,
        position_target=_mean(one.position_target, one.stiffness, two.position_target, stiffness),
        velocity_target=_mean(one.velocity_target, one.damping, two.velocity_target, damping),
    )


def _mean(one: float | None, weight: float, two: float | None, total: float) -> float | None:
    """Return the weighted target; one that is not given is zero."""
    if one is None and two is None:
        return None
    share = weight / total if total else 0.5
    return (one or 0.0) * share + (two or 0.0) * (1.0 - share)
