"""Joints of a ragdoll: where their frames are at rest, and limits by part of the body.

X points along the bone that moves, Z is the axis that it flexes about, and both frames are at the
head of that bone, which the joint is on: flexion by an angle counts as minus that angle. Sources:
the tables of the Merck Manual and of F. A. Davis's goniometry (AAOS, AMA), less where a body that
falls should not fold up.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..meaning.presets import ball_with_cone, hinge, pin
from ..model.joint import DriveMode, DriveType, JointDrive, JointSettings
from ..model.pose import Array
from .parts import Segment
from .plan import Bone, PlannedBody, SpringBone

_BENT = math.radians(1.0)
"""Angle between bones at rest from which on it says how they flex."""


@dataclass(frozen=True, slots=True)
class _Cone:
    """Half angle, twist, and what the middle is turned by in flexion [degrees]."""

    cone: float
    twist: float
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class _Hinge:
    """Most flexion, out of the straight [degrees]."""

    most: float


_LIMITS: Mapping[Segment, _Cone | _Hinge] = {
    Segment.SPINE: _Cone(25, 20),
    Segment.CHEST: _Cone(25, 20),
    Segment.HEAD: _Cone(45, 60),
    Segment.UPPER_ARM: _Cone(80, 60),
    Segment.LOWER_ARM: _Hinge(145),
    Segment.HAND: _Cone(60, 20),
    Segment.UPPER_LEG: _Cone(65, 35, 45),
    Segment.LOWER_LEG: _Hinge(135),
    Segment.FOOT: _Cone(35, 15, 15),
}
_UNKNOWN = _Cone(45, 45)
_FLEXES_TO: Mapping[Segment, tuple[int, float]] = {
    Segment.LOWER_LEG: (1, -1.0),
    Segment.FOOT: (2, -1.0),
}
"""Where a part flexes to, if not to the front: an axis (left, front, up) and a sign."""


VRM_RATE = 60.0
"""Frames per second at which VRM's spring bones are what their authors see."""
_SHORTEST, _MOST_DRAG = 1e-3, 0.99
_ROD = 2.0 / 3.0


@dataclass(frozen=True, slots=True, eq=False)
class PlannedJoint:
    """A joint between two bodies of a ragdoll."""

    body: int
    """Number of the body that moves."""
    parent: int
    frame: Array
    """World matrix (4, 4) of the frame on the body that moves, at rest."""
    connected: Array
    """That of the frame on the parent."""
    settings: JointSettings


def planned_joints(bones: Sequence[Bone], bodies: Sequence[PlannedBody]) -> list[PlannedJoint]:
    """Return the joints between the bodies of a ragdoll."""
    axes = _human_axes(bones, bodies)
    return [
        _joint(bones, bodies, number, axes)
        for number, body in enumerate(bodies)
        if body.parent >= 0
    ]


def _joint(
    bones: Sequence[Bone], bodies: Sequence[PlannedBody], number: int, axes: Array
) -> PlannedJoint:
    body = bodies[number]
    bone, above = bones[body.bone], bones[bodies[body.parent].bone]
    limit = _LIMITS.get(body.place.part, _UNKNOWN) if body.place else _UNKNOWN
    flexion = _flexion_axis(bone.direction, body, axes)
    bend = 0.0
    if isinstance(limit, _Hinge):
        flexion, bend = _bent(above.direction, bone.direction, flexion)
    frame = _frame(bone.head, bone.direction, flexion)
    if bone.spring is not None:
        return PlannedJoint(number, body.parent, frame, frame, spring_settings(bone))
    settings, turn = _settings(limit, bend)
    return PlannedJoint(number, body.parent, frame, frame @ _turned(turn), settings)


def spring_gravity(spring: SpringBone) -> float:
    """Return the gravity [m/s²] that turns a rod as VRM's turns a point at its end."""
    return _ROD * VRM_RATE * spring.gravity


def spring_settings(bone: Bone) -> JointSettings:
    """Return a ball with springs to rest that accelerate as VRM's do, whatever the body weighs."""
    spring = bone.spring or SpringBone(0.0, 0.0, 0.0)
    stiffness = VRM_RATE * spring.stiffness / max(bone.length, _SHORTEST)
    damping = -VRM_RATE * math.log(1.0 - min(max(spring.drag, 0.0), _MOST_DRAG))
    drives = tuple(
        JointDrive(
            type=DriveType.ANGULAR, mode=DriveMode.ACCELERATION, axis=axis, position_target=0.0,
            velocity_target=0.0, stiffness=stiffness, damping=damping,
        )
        for axis in (0, 1, 2)
    )  # fmt: skip
    return replace(pin(), drives=drives)


def _settings(limit: _Cone | _Hinge, bend: float) -> tuple[JointSettings, float]:
    """Return limits, and what the connected frame is turned by about Z [rad]."""
    if isinstance(limit, _Hinge):
        return hinge(min_angle=bend - math.radians(limit.most), max_angle=bend), 0.0
    cone, twist = math.radians(limit.cone), math.radians(limit.twist)
    return ball_with_cone(cone=cone, twist=twist), math.radians(limit.turn)


def _bent(above: Array, along: Array, flexion: Array) -> tuple[Array, float]:
    """Return the axis of a hinge, and how far it is bent at rest [rad]."""
    axis = np.cross(above, along)
    angle = math.atan2(float(np.linalg.norm(axis)), float(above @ along))
    if angle <= _BENT:
        return flexion, 0.0
    axis /= np.linalg.norm(axis)
    return (axis, angle) if float(axis @ flexion) > 0.5 else (flexion, 0.0)


def _flexion_axis(along: Array, body: PlannedBody, axes: Array) -> Array:
    """Return the axis about which a bone flexes, at right angles to it."""
    axis, sign = _FLEXES_TO.get(body.place.part, (1, 1.0)) if body.place else (1, 1.0)
    for goal in (sign * axes[axis], axes[2], axes[0]):
        found = np.cross(along, goal)
        if (length := float(np.linalg.norm(found))) > 0.1:
            return np.asarray(found / length)
    return np.asarray(axes[0])


def _human_axes(bones: Sequence[Bone], bodies: Sequence[PlannedBody]) -> Array:
    """Return what is left, front and up for a body in the world, as rows (3, 3)."""
    heads = {body.place: bones[body.bone].head for body in bodies if body.place}
    sides: dict[str, list[Array]] = {place.side: [] for place in heads if place.side}
    for place, head in heads.items():
        if place.side:
            sides[place.side].append(head)
    if set(sides) != {"L", "R"}:
        return np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]])
    left = np.mean(sides["L"], axis=0) - np.mean(sides["R"], axis=0)
    left /= np.linalg.norm(left)
    hips = next(head for place, head in heads.items() if place.part == Segment.HIPS)
    legs = [head for place, head in heads.items() if place.part == Segment.LOWER_LEG]
    top = [head for place, head in heads.items() if place.part in (Segment.HEAD, Segment.UPPER_ARM)]
    up = np.mean(top or [hips], axis=0) - np.mean(legs or [hips], axis=0)
    up -= (up @ left) * left
    up = up / np.linalg.norm(up) if np.linalg.norm(up) > 0.0 else np.array([0.0, 0.0, 1.0])
    return np.array([left, np.cross(left, up), up])


def _frame(place: Array, along: Array, axis: Array) -> Array:
    """Return the matrix (4, 4) of a frame whose X points along a bone and whose Z is an axis."""
    axis = axis - (axis @ along) * along
    axis /= np.linalg.norm(axis)
    frame = np.eye(4)
    frame[:3, 0], frame[:3, 1], frame[:3, 2] = along, np.cross(axis, along), axis
    frame[:3, 3] = place
    return frame


def _turned(angle: float) -> Array:
    """Return a turn about Z (4, 4)."""
    matrix = np.eye(4)
    matrix[:2, :2] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    return matrix
