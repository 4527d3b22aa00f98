"""Joint settings and frames rewritten so that an engine understands them, with the same meaning.

Both frames may be turned alike by a third of a turn about their diagonal, which only renames the
axes: X to Y to Z to X. No bound, target or sign changes then.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..engines.engine import Engine
from ..meaning.recognition import JointKind, joint_kind, main_axis_of
from ..model.axes import AXIS_LETTERS
from ..model.body import Quaternion
from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings

_X, _Z = 0, 2
_TURNS: tuple[Quaternion, ...] = (
    (0.0, 0.0, 0.0, 1.0),
    (-0.5, -0.5, -0.5, 0.5),
    (0.5, 0.5, 0.5, 0.5),
)
_FAR = 10_000.0
"""Distance [m] that stands for no bound."""
_ALONG_X = (JointKind.SLIDER, JointKind.CYLINDRICAL, JointKind.BALL_WITH_CONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portable:
    """A joint that means the same and that an engine understands better."""

    settings: JointSettings
    turn: Quaternion
    """Rotation x y z w to apply to both frames, each in its own axes, before anything else."""
    steps: tuple[str, ...]
    """What was changed, in words; empty is nothing."""

    @property
    def is_turned(self) -> bool:
        """Whether the frames change."""
        return self.turn != _TURNS[0]


def portable(settings: JointSettings, engine: Engine) -> Portable:
    """Return the settings and frames rewritten for an engine, unchanged where nothing helps."""
    steps: list[str] = []
    split = tuple(part for limit in settings.limits for part in _split(limit))
    if len(split) != len(settings.limits):
        steps.append("split limits into linear and angular ones")
    changed = replace(settings, limits=split) if steps else settings
    shift = _shift(changed, engine)
    if shift:
        steps.append(_turn_step(changed, shift))
        changed = _turned(changed, shift)
    if engine in (Engine.GODOT, Engine.ANY):
        changed = _for_godot(changed, steps)
    return Portable(settings=changed, turn=_TURNS[shift], steps=tuple(steps))


def _split(limit: JointLimit) -> Iterator[JointLimit]:
    if limit.linear_axes and limit.angular_axes:
        yield replace(limit, angular_axes=())
        yield replace(limit, linear_axes=())
    else:
        yield limit


def _shift(settings: JointSettings, engine: Engine) -> int:
    """Return by how many places the axes are to move on."""
    kind, axis = joint_kind(settings), main_axis_of(settings)
    if axis is None or engine == Engine.KHR:
        return 0
    if kind == JointKind.HINGE:
        return (_hinge_axis(settings, engine) - axis) % 3
    return (_X - axis) % 3 if kind in _ALONG_X else 0


def _hinge_axis(settings: JointSettings, engine: Engine) -> int:
    """Return the axis that a hinge should turn about.

    A spring keeps a hinge about X from being taken for Godot's slider, and from the hinge about Z
    that has no springs.
    """
    is_spring = any(drive.position_target is not None for drive in settings.drives)
    is_godot = engine in (Engine.GODOT, Engine.ANY)
    return _X if engine == Engine.PHYSX or (is_spring and is_godot) else _Z


def _turned(settings: JointSettings, shift: int) -> JointSettings:
    limits = tuple(
        replace(
            limit,
            linear_axes=_moved(limit.linear_axes, shift),
            angular_axes=_moved(limit.angular_axes, shift),
        )
        for limit in settings.limits
    )
    drives = tuple(replace(drive, axis=(drive.axis + shift) % 3) for drive in settings.drives)
    return replace(settings, limits=limits, drives=drives)


def _moved(axes: tuple[int, ...], shift: int) -> tuple[int, ...]:
    return tuple(sorted((axis + shift) % 3 for axis in axes))


def _turn_step(settings: JointSettings, shift: int) -> str:
    axis = main_axis_of(settings)
    assert axis is not None
    before, after = AXIS_LETTERS[axis], AXIS_LETTERS[(axis + shift) % 3]
    return f"turned both frames, so that {before} of the joint became {after}"


def _for_godot(settings: JointSettings, steps: list[str]) -> JointSettings:
    drives = tuple(_without_brake(drive) for drive in settings.drives)
    if drives != settings.drives:
        steps.append("removed velocity targets of zero beside position targets")
    kind, axis = joint_kind(settings), main_axis_of(settings)
    limits = settings.limits
    if kind in (JointKind.HINGE, JointKind.SLIDER, JointKind.CYLINDRICAL) and axis is not None:
        limits = tuple(_two_sided(limit, axis) for limit in limits)
    if limits != settings.limits:
        steps.append("added the missing bound, out of reach")
    return replace(settings, limits=limits, drives=drives)


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
