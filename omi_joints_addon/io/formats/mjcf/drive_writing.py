"""Drives of a scene as springs of MJCF joints and as actuators."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from ....core.findings.loss import Losses, Noun
from ....core.meaning.velocities import center_in_meters
from ....core.model.actuator import Actuator
from ....core.model.attributes import JointAttributes
from ....core.model.joint import DriveMode, DriveType, JointDrive
from ....core.model.pose import Array, rotation_matrix
from ....core.model.scene import PhysicsScene
from ...documents.number_words import counted_from
from .actuator_writing import LAST
from .printing import Attributes


@dataclass(slots=True)
class JointElement:
    """One joint element."""

    attributes: Attributes
    position: float
    """Position at rest as limits measure it [m or rad]."""
    actuators: list[Actuator] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Mover:
    """What a drive moves."""

    body: int
    axis: Array
    """Unit axis in the axes of the body, shape (3,)."""
    anchor: Array | None
    """What the body turns about, in its axes [m]; None turns it about its center of mass."""
    is_other_still: bool
    """Whether the other end of the joint stands still."""


class DriveWriter:
    """Writes drives; losses gather on the way."""

    def __init__(self, scene: PhysicsScene, losses: Losses) -> None:
        self._scene = scene
        self._losses = losses

    def add(
        self,
        written: JointElement,
        drive: JointDrive,
        moved: Callable[[], Mover],
        zero: float,
        place: str,
        attributes: JointAttributes,
    ) -> None:
        """Write a drive as the joint's own spring, else as an actuator."""
        if drive.mode != DriveMode.FORCE:
            mover = moved()
            inertia = self.inertia(mover, is_angular=drive.type == DriveType.ANGULAR)
            if not (inertia > 0.0 and mover.is_other_still):
                text = "MuJoCo's drives are forces: accelerations need one end that stands still"
                self._losses.lost(place, Noun.DRIVE, text)
                return
            # The acceleration becomes a force, by the inertia of the body.
            for noun in (Noun.DRIVE_MODE, Noun.DRIVE_STIFFNESS, Noun.DRIVE_DAMPING):
                self._losses.same(place, noun)
            drive = replace(
                drive,
                mode=DriveMode.FORCE,
                stiffness=drive.stiffness * inertia,
                damping=drive.damping * inertia,
            )
        self._add_force(written, drive, zero, place, is_own=_is_own_spring(drive, attributes))

    def _add_force(
        self, written: JointElement, drive: JointDrive, zero: float, place: str, *, is_own: bool
    ) -> None:
        stiffness, damping = drive.acting_stiffness, drive.acting_damping
        for value, acting, noun in (
            (drive.stiffness, stiffness, Noun.DRIVE_STIFFNESS),
            (drive.damping, damping, Noun.DRIVE_DAMPING),
        ):
            if value != acting:
                self._losses.same(place, noun)  # it has no effect without a target
        target = counted_from(-zero, drive.position_target or 0.0)
        if is_own and not {"stiffness", "damping"} & written.attributes.keys():
            if stiffness:
                written.attributes |= {"stiffness": repr(stiffness), "springref": repr(target)}
            if damping:
                written.attributes["damping"] = repr(damping)
        elif stiffness or damping:
            written.actuators.append(_actuator(drive, stiffness, damping, target, written))

    def inertia(self, mover: Mover, *, is_angular: bool) -> float:
        """Return the mass [kg] or the moment of inertia [kg·m²] that the body has for a drive."""
        motion = self._scene.motions[mover.body]
        if not is_angular:
            return motion.mass
        turn = rotation_matrix(np.array(motion.inertia_orientation))
        own = float(np.array(motion.inertia_diagonal) @ (turn.T @ mover.axis) ** 2)
        if mover.anchor is None:
            return own
        center = np.array(center_in_meters(self._scene, mover.body))
        arm = np.cross(mover.axis, center - mover.anchor)
        return own + motion.mass * float(arm @ arm)


def _is_own_spring(drive: JointDrive, attributes: JointAttributes) -> bool:
    """Return whether nothing limits a drive that has no speed, as nothing limits joints' springs.

    An effort limits what actuators give, so that a spring which it limits is one.
    """
    is_limited = math.isfinite(attributes.effort) and not attributes.actuators
    is_plain = not drive.velocity_target and math.isinf(drive.max_force)
    return is_plain and not (is_limited and drive.acting_stiffness)


def _actuator(
    drive: JointDrive, stiffness: float, damping: float, target: float, written: JointElement
) -> Actuator:
    """Return the actuator of a drive that had none, whose control is its target."""
    push = stiffness * target + damping * (drive.velocity_target or 0.0)
    gain = stiffness or damping
    is_limited = math.isfinite(drive.max_force)
    return Actuator(
        name=f"{written.attributes['name']} drive {len(written.actuators) + 1}",
        order=LAST,
        kind="position" if stiffness else "velocity",
        gain=gain,
        bias=(0.0, -stiffness, -damping),
        control=push / gain,
        force_range=(-drive.max_force, drive.max_force) if is_limited else None,
    )


def ball_spring(drives: tuple[JointDrive, ...]) -> Attributes | None:
    """Return the spring of a ball that three drives alike are, None where it has none such."""
    if not drives:
        return {}
    if len(drives) != 3:
        return None
    first = drives[0]
    # As reading makes them of the spring of a ball.
    wanted = [
        JointDrive(
            type=DriveType.ANGULAR,
            axis=axis,
            position_target=0.0 if first.stiffness else None,
            stiffness=first.stiffness,
            velocity_target=0.0 if first.damping else None,
            damping=first.damping,
        )
        for axis in range(3)
    ]
    if sorted(drives, key=lambda drive: drive.axis) != wanted:
        return None
    named = {"stiffness": first.stiffness, "damping": first.damping}
    return {name: repr(value) for name, value in named.items() if value}
