"""Joint settings without what a finding is about."""

import math
from collections.abc import Callable
from dataclasses import replace

from ..findings.finding import Finding
from ..findings.fix import Fix
from ..meaning.axes import joint_axes
from ..meaning.metric import limit_metrics
from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ..model.pose import Pose


def fixed_settings(settings: JointSettings, found: Finding) -> JointSettings:
    """Return the settings with the finding's limit or drive fixed.

    Raises `IndexError` where it is no longer there, `KeyError` where the fix is not about settings.
    """
    kind, index = found.part.split("/")[1:]
    fix = found.rule.fix
    if fix is None:
        raise KeyError(found.code)
    if kind == "limits":
        changed = _LIMIT_FIXES[fix](settings.limits[int(index)])
        return replace(settings, limits=_exchanged(settings.limits, int(index), changed))
    drive = _DRIVE_FIXES[fix](settings.drives[int(index)], settings)
    return replace(settings, drives=_exchanged(settings.drives, int(index), drive))


def including(settings: JointSettings, number: int, pose: Pose) -> JointSettings:
    """Return the settings with limit `number` wide enough for a pose of the connected frame.

    `pose` is in the joint's frame. Raises `IndexError` where the limit is no longer there.
    """
    limit = settings.limits[number]
    values = [float(value) for value in limit_metrics(limit, pose)]
    wide = replace(limit, min=min(limit.min, *values), max=max(limit.max, *values))
    return replace(settings, limits=_exchanged(settings.limits, number, wide))


def _exchanged(items: tuple, index: int, item: object) -> tuple:  # type: ignore[type-arg]
    """Return the items with another one at `index`, without it where that is None."""
    return (*items[:index], *([] if item is None else [item]), *items[index + 1 :])


def _swapped(limit: JointLimit) -> JointLimit:
    return replace(limit, min=limit.max, max=limit.min)


def _reachable(limit: JointLimit) -> JointLimit:
    """Return the limit without bounds that its metric never meets."""
    several = max(len(limit.linear_axes), len(limit.angular_axes)) > 1
    angular = bool(limit.angular_axes) and not limit.linear_axes
    is_low = limit.min < 0.0 and (several or (angular and limit.min < -math.pi))
    is_high = angular and limit.max > math.pi
    return replace(
        limit,
        min=-math.inf if is_low else limit.min,
        max=math.inf if is_high else limit.max,
    )


def _clamped(drive: JointDrive, settings: JointSettings) -> JointDrive:
    sides = joint_axes(settings)
    axes = sides.angular if drive.type == DriveType.ANGULAR else sides.linear
    allowed, target = axes[drive.axis], drive.position_target
    if target is None:
        return drive
    return replace(drive, position_target=min(max(target, allowed.min), allowed.max))


_LIMIT_FIXES: dict[Fix, Callable[[JointLimit], JointLimit | None]] = {
    Fix.SWAP_BOUNDS: _swapped,
    Fix.CLEAR_BOUNDS: _reachable,
    Fix.REMOVE_LIMIT: lambda _limit: None,
}
_DRIVE_FIXES: dict[Fix, Callable[[JointDrive, JointSettings], JointDrive | None]] = {
    Fix.CLAMP_TARGET: _clamped,
    Fix.REMOVE_DRIVE: lambda _drive, _settings: None,
}
