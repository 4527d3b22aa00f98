"""What Godot 4.6.3 makes of joint settings, in the specification's terms, as it was measured.

Not Godot: a statement of `docs/engines.md` that can be run. The class of node comes first; both
frames are the joint node's at load.
"""

from collections.abc import Iterator
from dataclasses import replace

from omi_joints_addon.core.engines.godot.importer import (
    GENERIC,
    HINGE,
    SLIDER,
    X,
    Z,
    counting_limits,
    godot_class,
)
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings

SERVO = 1e6
"""Damping of a motor that has its velocity at once."""


def as_godot_reads(settings: JointSettings) -> JointSettings:
    """Return what the joint does in Godot with Jolt."""
    name, counting = godot_class(settings), counting_limits(settings)
    linear = {axis: _range(limit) for axis, limit in counting.linear.items()}
    angular = {axis: _mirrored(_range(limit)) for axis, limit in counting.angular.items()}
    if name == SLIDER:
        angular[X] = (0.0, 0.0)
    if name == HINGE:
        linear = dict.fromkeys(range(3), (0.0, 0.0))
    limits = [JointLimit(linear_axes=(a,), min=r[0], max=r[1]) for a, r in linear.items()]
    limits += [JointLimit(angular_axes=(a,), min=r[0], max=r[1]) for a, r in angular.items()]
    drives = tuple(found for drive in settings.drives for found in _drive(drive, name))
    return JointSettings(limits=tuple(limits), drives=drives)


def _range(limit: JointLimit) -> tuple[float, float]:
    """Return the range of each axis, whatever others the limit names; it is rigid."""
    return limit.min, limit.max


def _mirrored(bounds: tuple[float, float]) -> tuple[float, float]:
    return 0.0 - bounds[1], 0.0 - bounds[0]


def _drive(drive: JointDrive, name: str) -> Iterator[JointDrive]:
    sign = -1.0 if drive.type == "angular" else 1.0
    plain = replace(drive, mode="force")
    if drive.velocity_target is not None:
        goal = sign * drive.velocity_target
        yield replace(
            plain, position_target=None, velocity_target=goal, stiffness=0.0, damping=SERVO
        )
    elif name == GENERIC and drive.position_target is not None:
        yield replace(plain, position_target=sign * drive.position_target)
    elif name == HINGE:
        raise AssertionError("NaN")
    assert name != HINGE or drive.axis == Z
