"""Joints of a Shift document as motions between frames, and the places of bodies that follow."""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.numbers import double
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, rotation_from_matrix
from .layout import Body, JointMembers, Layout, matrix_of, numbers_of
from .rules import MISSING_END, UNKNOWN_TYPE, UNPLACED, WRONG_TYPE
from .units import Units

ONE_AXIS = {
    **{f"R{axis}": (True, number) for number, axis in enumerate("xyz")},
    **{f"T{axis}": (False, number) for number, axis in enumerate("xyz")},
}
"""Joint types along or about one axis of their frames: whether it turns, and the axis."""
_HALF = 1e-9
"""Angle [rad] from half a turn that is rounding."""
_REST = "initial_displacement"
_BY_AXIS = {"revolute": True, "prismatic": False}
_OTHERS = ("rigid", "spherical", "float")
UNITS: tuple[Array, ...] = tuple(np.eye(3))
"""Unit vectors along X, Y and Z."""


@dataclass(slots=True, eq=False)
class ShiftJoint:
    """A joint: frame 2 seen from frame 1 is what it allows to move."""

    source: JointMembers
    kind: str
    """"revolute", "prismatic", "spherical", "rigid" or "float"."""
    axis: Array
    """Unit vector in the frames, shape (3,); of no meaning for other kinds."""
    bodies: tuple[Body, Body]
    frame_names: tuple[str, str]
    displacement: float
    """Position at rest of kinds with one axis [m or rad]."""
    motion: Array
    """Frame 2 in frame 1 at rest, shape (4, 4)."""
    velocity: Array
    """Of frame 2 in frame 1 [m/s and rad/s]: linear and angular, shape (2, 3)."""

    @property
    def name(self) -> str:
        """Name in the file."""
        return str(self.source.members.get("name", self.kind))

    def ends(self) -> tuple[tuple[Body, str], ...]:
        """Return the body and the name of the frame at both ends."""
        return tuple(zip(self.bodies, self.frame_names, strict=True))

    def frame(self, end: int) -> Array:
        """Return the matrix (4, 4) of the first or second frame in its body."""
        return self.bodies[end].frames[self.frame_names[end]]


def joints_of(layout: Layout) -> list[ShiftJoint]:
    """Return the joints that can be read; findings go to the layout."""
    found = (_joint(source, layout) for source in layout.joints)
    joints = [joint for joint in found if joint is not None]
    numbered = [joint for joint in joints if double(joint.source.members.get(_REST)) is not None]
    axes = np.array([joint.axis for joint in numbered]).reshape(-1, 3)
    positions = np.array([joint.displacement for joint in numbered])
    motions = motion_matrices([joint.kind for joint in numbered], axes, positions)
    for joint, motion in zip(numbered, motions, strict=True):
        joint.motion = motion
    return joints


def place_bodies(
    layout: Layout, joints: list[ShiftJoint]
) -> tuple[dict[Body, Array], list[tuple[int, int]]]:
    """Return the world matrix (4, 4) of each body and the joints that placed them, in order.

    Breadth first from `fixed` over joints in either direction; those left close loops. A joint is
    its number and the end (0 or 1) that it placed the other one from.
    """
    beside: dict[Body, list[tuple[int, int]]] = {}
    for number, joint in enumerate(joints):
        for end in (0, 1):
            beside.setdefault(joint.bodies[end], []).append((number, end))
    across = _across(joints)
    worlds: dict[Body, Array] = {}
    tree: list[tuple[int, int]] = []
    for start in layout.bodies:
        if start in worlds:
            continue
        worlds[start] = np.eye(4)
        if tree or start is not layout.bodies[0]:
            layout.findings.append(UNPLACED(start.place))
        _place_from(start, joints, beside, across, worlds, tree)
    return worlds, tree


def _place_from(
    start: Body,
    joints: list[ShiftJoint],
    beside: Mapping[Body, list[tuple[int, int]]],
    across: Sequence[Array],
    worlds: dict[Body, Array],
    tree: list[tuple[int, int]],
) -> None:
    """Place all bodies that joints lead to; joints of type float only where no other does."""
    front = deque(beside.get(start, ()))
    waiting: deque[tuple[int, int]] = deque()
    while front or waiting:
        is_last_choice = not front
        number, end = (front or waiting).popleft()
        joint = joints[number]
        other = joint.bodies[1 - end]
        if other in worlds:
            continue
        if joint.kind == "float" and not is_last_choice:
            waiting.append((number, end))
            continue
        worlds[other] = worlds[joint.bodies[end]] @ across[end][number]
        tree.append((number, end))
        front.extend(beside.get(other, ()))


def end_of(layout: Layout, pair: object, assembly: int) -> tuple[Body, str] | None:
    """Return the body and the name of the frame that a pair in an assembly leads to."""
    body, frame = pair if isinstance(pair, list) and len(pair) == 2 else (None, None)
    owner = layout.resolve(body, assembly)
    if owner is None or not isinstance(frame, str) or frame not in owner.frames:
        return None
    return owner, frame


def motion_matrices(kinds: Sequence[str], axes: Array, values: Array) -> Array:
    """Return frame 2 in frame 1 (n, 4, 4) at positions (n,) along or about axes (n, 3).

    That of joints without one axis is the identity.
    """
    slides, turns = _rows(kinds, "prismatic"), _rows(kinds, "revolute")
    matrices = np.tile(np.eye(4), (len(kinds), 1, 1))
    matrices[slides, :3, 3] = axes[slides] * values[slides, None]
    cross = np.zeros((len(turns), 3, 3))
    cross[:, (2, 0, 1), (1, 2, 0)] = axes[turns]
    cross[:, (1, 2, 0), (2, 0, 1)] = -axes[turns]
    sine, cosine = np.sin(values[turns])[:, None, None], np.cos(values[turns])[:, None, None]
    matrices[turns, :3, :3] += sine * cross + (1.0 - cosine) * (cross @ cross)
    return matrices


def positions_of(kinds: Sequence[str], axes: Array, motions: Array) -> Array:
    """Return the positions (n,) of joints from frame 2 in frame 1 (n, 4, 4) [m or rad].

    Those of joints without one axis, (n, 3), are 0.
    """
    slides, turns = _rows(kinds, "prismatic"), _rows(kinds, "revolute")
    found = np.zeros(len(kinds))
    found[slides] = (axes[slides] * motions[slides, :3, 3]).sum(axis=1)
    rotation = rotation_from_matrix(motions[turns, :3, :3])
    along = (axes[turns] * rotation[:, :3]).sum(axis=1)
    angles = 2.0 * np.arctan2(along, rotation[:, 3])
    # Half a turn is one place, whose sign is rounding.
    found[turns] = np.where(angles < _HALF - math.pi, angles + 2.0 * math.pi, angles)
    return found


def _rows(kinds: Sequence[str], kind: str) -> list[int]:
    return [row for row, each in enumerate(kinds) if each == kind]


def loop_gap(joint: "ShiftJoint", worlds: Mapping[Body, Array]) -> tuple[float, float]:
    """Return how far [m] and [rad] the frames are apart in the directions that a joint holds."""
    first, second = (worlds[joint.bodies[end]] @ joint.frame(end) for end in (0, 1))
    motion = np.linalg.inv(first) @ second
    if joint.kind in ("revolute", "prismatic"):
        one = [joint.kind], joint.axis[None]
        allowed = motion_matrices(*one, positions_of(*one, motion[None]))[0]
        motion = np.linalg.inv(allowed) @ motion
    elif joint.kind == "rigid":
        motion = np.linalg.inv(joint.motion) @ motion
    distance = float(np.linalg.norm(motion[:3, 3]))
    if joint.kind == "spherical":
        return distance, 0.0
    turn = rotation_from_matrix(motion[:3, :3])
    return distance, 2.0 * math.atan2(float(np.linalg.norm(turn[:3])), float(abs(turn[3])))


def _across(joints: Sequence[ShiftJoint]) -> tuple[Array, Array]:
    """Return the bodies at the second ends (n, 4, 4) in the axes of the first, and the reverse."""
    motions = np.array([joint.motion for joint in joints]).reshape(-1, 4, 4)
    ends = np.array([[joint.frame(0), joint.frame(1)] for joint in joints]).reshape(-1, 2, 4, 4)
    firsts, seconds = ends[:, 0], ends[:, 1]
    reversed_motions: Array = np.linalg.inv(motions)
    from_first: Array = np.linalg.inv(firsts)
    from_second: Array = np.linalg.inv(seconds)
    return firsts @ motions @ from_second, seconds @ reversed_motions @ from_first


def _joint(source: JointMembers, layout: Layout) -> ShiftJoint | None:
    members = source.members
    kind, axis = _kind(members)
    if kind is None:
        layout.findings.append(UNKNOWN_TYPE(source.place, type=str(members.get("type"))[:40]))
        return None
    ends = _ends(source, layout)
    if ends is None:
        return None
    if axis is None:
        layout.findings.append(_wrong(source.place, "axis", "a vector that is not zero"))
        return None
    displacement, motion = _rest(members.get(_REST), kind, axis, layout.units)
    if motion is None:
        layout.findings.append(_wrong(source.place, _REST, "a number, R and T, or a matrix"))
        displacement, motion = 0.0, np.eye(4)
    (one, first), (other, second) = ends
    velocity = _velocity(members.get("initial_velocity", 0.0), kind, axis, layout.units)
    return ShiftJoint(
        source, kind, axis, (one, other), (first, second), displacement, motion, velocity
    )


def _kind(members: JsonObject) -> tuple[str | None, Array | None]:
    """Return kind and axis of a joint; no kind where unknown, no axis where it is unusable."""
    kind = members.get("type")
    if not isinstance(kind, str):
        return None, None
    if kind in ONE_AXIS:
        turns, axis = ONE_AXIS[kind]
        return "revolute" if turns else "prismatic", UNITS[axis]
    if kind in _BY_AXIS:
        return kind, unit_of(members.get("axis"))
    return (kind if kind in _OTHERS else None), UNITS[2]


def unit_of(value: object) -> Array | None:
    """Return a unit vector, None where there is none; public files name axes by letters, too."""
    if isinstance(value, str) and value in ("x", "y", "z"):
        return UNITS["xyz".index(value)]
    axis = numbers_of(value, 3)
    length = 0.0 if axis is None else float(np.linalg.norm(axis))
    return None if axis is None or length < 1e-9 else axis / length


def _ends(source: JointMembers, layout: Layout) -> tuple[tuple[Body, str], tuple[Body, str]] | None:
    """Return bodies and frames at both ends."""
    members = source.members
    pairs = members.get("body_frame_pairs", [members.get("parent"), members.get("child")])
    if not isinstance(pairs, list) or len(pairs) != 2:
        layout.findings.append(
            _wrong(source.place, "body_frame_pairs", "two pairs of body and frame")
        )
        return None
    found: list[tuple[Body, str]] = []
    for pair in pairs:
        end = end_of(layout, pair, source.assembly)
        if end is None:
            layout.findings.append(MISSING_END(source.place, path=str(pair)[:80]))
            return None
        found.append(end)
    return found[0], found[1]


def _rest(value: object, kind: str, axis: Array, units: Units) -> tuple[float, Array | None]:
    """Return position and motion matrix (4, 4) at rest; no matrix where the value is unusable.

    The motions of positions that are numbers are left to add.
    """
    if value is None:
        return 0.0, np.eye(4)
    number = double(value)
    if number is None:
        all_in_one = numbers_of(value, 4, 4)
        if all_in_one is not None:
            value = {"R": all_in_one[:3, :3], "T": all_in_one[:3, 3]}
        matrix = matrix_of(value, units) if isinstance(value, dict) else None
        if matrix is None:
            return 0.0, None
        return float(positions_of([kind], axis[None], matrix[None])[0]), matrix
    if kind not in ("revolute", "prismatic"):
        return 0.0, np.eye(4) if number == 0.0 else None
    return number * units.position(is_angular=kind == "revolute"), np.eye(4)


def _velocity(value: object, kind: str, axis: Array, units: Units) -> Array:
    """Return the linear and angular velocity (2, 3) that a joint starts with."""
    velocity = np.zeros((2, 3))
    number = double(value)
    if number is not None and kind in ("revolute", "prismatic"):
        velocity[int(kind == "revolute")] = axis * number
    elif kind == "float" and (six := numbers_of(value, 6)) is not None:
        # All public files have zeros here; the translation is taken to come first.
        velocity = six.reshape(2, 3)
    return np.asarray(velocity * np.array(((units.length,), (units.angle,))) / units.time)


def _wrong(place: str, name: str, expected: str) -> Finding:
    return WRONG_TYPE(place, name=name, expected=expected)
