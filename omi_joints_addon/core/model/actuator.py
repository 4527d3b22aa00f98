"""Actuators: what controls act through, in the order of the controls.

Force or torque on the target is `gear · clip(gain · u + bias₀ + bias₁ · length + bias₂ · velocity)`
where `u` is the control, `length = gear · (position + zero)` and `velocity` its rate (MuJoCo,
"Actuator model"). Those of joints are among the attributes of the joint, so that they stay with it
through every rewrite and format. SI units.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...closeness import is_close
from .joint import DriveType, JointDrive
from .plain import object_from_text, value_from_plain, value_to_plain

ACTUATORS = "actuators"
"""Name under which files hold actuators as text."""
Span = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Actuator:
    """One control and the force that it makes."""

    name: str = ""
    order: int = 0
    """Place among the controls of the model."""
    kind: str = "general"
    """How the document names it: motor, position, velocity, general, muscle and so on."""
    target_kind: str = "joint"
    """What it acts on: joint, jointinparent, tendon, site, body, cranksite."""
    target: str = ""
    """Name of what it acts on; empty is the joint that has it."""
    axis: int = 2
    """Axis of the joint's frame that it acts along or about."""
    is_angular: bool = True
    """Whether the joint turns about it."""
    is_affine: bool = True
    """Whether gain and bias are the law; else the law is in `carried` only."""
    zero: float = 0.0
    """Length by gear where the joint's position is zero [m or rad]."""
    gear: tuple[float, ...] = (1.0,)
    gain: float = 1.0
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    damping_ratio: float = 0.0
    """What the file gives instead of the damping that is in `bias`; 0 is nothing."""
    control: float = 0.0
    """Control that makes the targets of its drive."""
    control_range: Span | None = None
    force_range: Span | None = None
    """Of the force before the gear [N or N·m]."""
    filter: str = ""
    """How the control is filtered: integrator, filter, filterexact; empty is not at all."""
    time_constant: float = 0.0
    """Of the filter [s]."""
    carried: tuple[tuple[str, str], ...] = ()
    """What a format keeps of it for itself: name of the format and text."""

    @property
    def ratio(self) -> float:
        """Force on the joint by force of the actuator."""
        return self.gear[0] if self.gear else 1.0

    def drive(self) -> JointDrive | None:
        """Return the drive of a joint that this is; None for motors and other laws."""
        offset, stiffness, damping = self.bias
        stiffness, damping = -stiffness * self.ratio**2, -damping * self.ratio**2
        if not self._is_servo() or min(stiffness, damping) < 0.0 or not (stiffness or damping):
            return None
        push = self.ratio * (self.gain * self.control + offset)
        limit = math.inf if self.force_range is None else max(map(abs, self.force_range))
        target = push / stiffness - self.zero if stiffness else None
        velocity = push / damping if not stiffness else 0.0 if damping else None
        return JointDrive(
            type=DriveType.ANGULAR if self.is_angular else DriveType.LINEAR,
            axis=self.axis,
            max_force=abs(self.ratio) * limit,
            position_target=target,
            velocity_target=velocity,
            stiffness=stiffness,
            damping=damping,
        )

    def _is_servo(self) -> bool:
        """Return whether it acts on a joint by a law that drives have."""
        is_plain = not self.filter and self.target_kind == "joint" and not self.target
        return self.is_affine and is_plain and self.ratio != 0.0 and not any(self.gear[1:])

    def fitted(self, drive: JointDrive) -> "Actuator":
        """Return the actuator whose drive is another one; what did not change stays as it is."""
        own = self.drive()
        if own is None or is_same_drive(own, drive):
            return self
        square, gear = self.ratio**2, self.ratio
        bias = (self.bias[0], -drive.stiffness / square, -drive.damping / square)
        main = 1 if drive.stiffness else 2
        gain = self.gain * bias[main] / self.bias[main] if self.bias[main] else -bias[main]
        position = (drive.position_target or 0.0) + self.zero
        push = drive.stiffness * position + drive.damping * (drive.velocity_target or 0.0)
        control = (push / gear - bias[0]) / gain if gain else 0.0
        force = self.force_range
        if not is_close(own.max_force, drive.max_force):
            most = drive.max_force / abs(gear)
            force = (-most, most) if math.isfinite(most) else None
        ratio = self.damping_ratio if bias == self.bias else 0.0
        return replace(
            self,
            bias=bias,
            gain=gain,
            control=control,
            force_range=force,
            damping_ratio=ratio,
        )


def text_of(actuators: Iterable[Actuator]) -> str:
    """Return actuators as JSON text; empty for none."""
    found = [value_to_plain(each) for each in actuators]
    return json.dumps({ACTUATORS: found}, separators=(",", ":")) if found else ""


def actuators_from_text(text: object) -> tuple[Actuator, ...]:
    """Return actuators from JSON text; none from anything else."""
    try:
        found = object_from_text(text)[ACTUATORS] if isinstance(text, str) and text else ()
        return tuple(value_from_plain(Actuator, each) for each in found)
    except (KeyError, TypeError, ValueError):
        return ()


def is_same_drive(one: JointDrive, other: JointDrive) -> bool:
    """Return whether two drives are equal within rounding."""
    if (one.type, one.mode, one.axis) != (other.type, other.mode, other.axis):
        return False
    names = ("max_force", "position_target", "velocity_target", "stiffness", "damping")
    pairs = ((getattr(one, name) or 0.0, getattr(other, name) or 0.0) for name in names)
    return all(is_close(a, b) for a, b in pairs)


def is_view(actuator: Actuator, drive: JointDrive) -> bool:
    """Return whether a drive is what an actuator of its joint is."""
    own = actuator.drive()
    return own is not None and is_same_drive(own, drive)


def matched_drives(
    actuators: Iterable[Actuator], drives: Iterable[JointDrive]
) -> tuple[list[Actuator], list[JointDrive]]:
    """Return actuators fitted to the drives of their joint, and the drives that are of none.

    Those whose drive is no longer there are left out.
    """
    rest = list(drives)
    found: list[Actuator] = []
    changed: list[Actuator] = []
    for actuator in actuators:
        same = next((each for each in rest if is_view(actuator, each)), None)
        if same is not None:
            rest.remove(same)
        is_found = same is not None or actuator.drive() is None
        (found if is_found else changed).append(actuator)
    for actuator in changed:
        like = [each for each in rest if bool(each.stiffness) == bool(actuator.bias[1])]
        if like:
            # Drives of actuators are behind the springs of the joint itself.
            rest.remove(like[-1])
            found.append(actuator.fitted(like[-1]))
    return sorted(found, key=lambda each: each.order), rest
