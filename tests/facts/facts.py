"""A file as its format says that it moves, in the same words for every format; SI, Z up.

Nothing here is read by the program that is tested.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

Array = np.ndarray
WORLD = ""
Fact = tuple[str, str]
"""A noun of the report and the place that it is about."""


@dataclass
class Moving:
    """A joint: how its child moves in its parent."""

    kind: str
    """hinge, slide, fixed, ball or other."""
    parent: str
    child: str
    anchor: Array = field(default_factory=lambda: np.zeros(3))
    axis: Array = field(default_factory=lambda: np.array((0.0, 0.0, 1.0)))
    rest: float = 0.0
    """Its value in the pose of the file."""
    range: tuple[float, float] = (-math.inf, math.inf)
    values: dict[str, object] = field(default_factory=dict)
    """Everything else, by the nouns of the report."""

    def moved(self, value: float) -> Array:
        """Return the motion of the child (4, 4) from the pose of the file to a value."""
        matrix, way = np.eye(4), value - self.rest
        if self.kind == "slide":
            matrix[:3, 3] = self.axis * way
            return matrix
        matrix[:3, :3] = about(self.axis, way)
        matrix[:3, 3] = self.anchor - matrix[:3, :3] @ self.anchor
        return matrix


@dataclass
class Weight:
    """Mass, center in the world, and tensor about it in world axes; None where shapes decide."""

    mass: float
    center: Array | None = None
    tensor: Array | None = None


@dataclass
class File:
    """All facts of a file."""

    links: dict[str, Array] = field(default_factory=dict)
    """Rigid world matrices (4, 4)."""
    joints: dict[str, Moving] = field(default_factory=dict)
    weights: dict[str, Weight] = field(default_factory=dict)
    """Of bodies that move."""
    held: set[str] = field(default_factory=set)
    """Links that are part of the world."""
    extents: dict[str, list[Array]] = field(default_factory=dict)
    """How far each collider of a link reaches in the world."""
    apart: set[frozenset[str]] = field(default_factory=set)
    """Pairs of links that do not collide; all that is held is the world."""
    surfaces: dict[str, set[float]] = field(default_factory=dict)
    """Friction of the colliders of a link, where the file has one."""
    colors: set[tuple[float, ...]] = field(default_factory=set)
    """Of what is seen, for screens."""
    whole: dict[str, object] = field(default_factory=dict)
    """What is about the file, by the nouns of the report."""
    has_own_frames: bool = True
    """Whether a link can be elsewhere than its joint, as it cannot in URDF."""

    def poses(self, values: Mapping[str, float], root: str) -> dict[str, Array]:
        """Return where links are with joints at values, all others as in the file.

        What is free is held by `root`, else by its first link.
        """
        moved = dict.fromkeys((*self.held, WORLD), np.eye(4))
        for link in (WORLD, root, *self.links):
            moved.setdefault(link, np.eye(4))
            pending = [link, *self.held] if link == WORLD else [link]
            while pending:
                pending = [*self._next_to(pending, values, moved)]
        return {name: moved[name] @ matrix for name, matrix in self.links.items()}

    def _next_to(
        self, links: list[str], values: Mapping[str, float], moved: dict[str, Array]
    ) -> Iterator[str]:
        """Place the links that joints hold to others, and yield them."""
        for name, joint in self.joints.items():
            own = joint.moved(values[name]) if name in values else np.eye(4)
            if joint.parent in links and joint.child not in moved:
                moved[joint.child] = moved[joint.parent] @ own
                yield joint.child
            elif joint.child in links and joint.parent not in moved:
                moved[joint.parent] = moved[joint.child] @ np.linalg.inv(own)
                yield joint.parent


def about(axis: Array, angle: float) -> Array:
    """Return the rotation (3, 3) about a unit axis."""
    x, y, z = axis
    cross = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)


def quaternion(x: float, y: float, z: float, w: float) -> Array:
    """Return the rotation (3, 3) of a quaternion."""
    length = math.sqrt(x * x + y * y + z * z)
    axis = np.array((x, y, z)) / length if length else np.array((0.0, 0.0, 1.0))
    return about(axis, 2.0 * math.atan2(length, w))


def pose(turn: Array, place: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, place
    return matrix


def rigid(matrix: Array) -> Array:
    """Return a matrix without its scale."""
    return pose(matrix[:3, :3] / np.linalg.norm(matrix[:3, :3], axis=0), matrix[:3, 3])


def angle_between(one: Array, two: Array, axis: int) -> float:
    """Return how far a frame is turned about an axis of another."""
    turn = one[:3, :3].T @ two[:3, :3]
    second, third = (axis + 1) % 3, (axis + 2) % 3
    return math.atan2(turn[third, second], turn[second, second])


def from_linear(color: object) -> tuple[float, ...]:
    """Return a color for screens of one in linear light."""
    return tuple(
        round(12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055, 2)
        for c in map(float, list(color)[:3])
    )


def on_screen(color: object) -> tuple[float, ...]:
    return tuple(round(float(part), 2) for part in list(color)[:3])


_NONE: dict[str, object] = {
    "drive": (0.0, 0.0, 0.0),
    "friction": 0.0,
    "armature": 0.0,
    "effort": math.inf,
    "velocity limit": math.inf,
}
"""What a joint has where its file says nothing."""
_DIRECTIONS = np.array(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.48, 0.6, 0.64)))
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def extent(kind: str, sizes: tuple[float, ...], matrix: Array) -> Array:
    """Return how far a box (half sizes), or a round shape (radius, half height), reaches."""
    turn, place = matrix[:3, :3], matrix[:3, 3]
    middle = _DIRECTIONS @ place
    along = _DIRECTIONS @ turn
    if kind == "box":
        reach = np.abs(along) @ np.array(sizes)
    elif kind == "sphere":
        reach = np.full(len(middle), sizes[0])
    elif kind == "capsule":
        reach = sizes[0] + sizes[1] * np.abs(along[:, 2])
    else:
        across = np.sqrt(np.maximum(0.0, 1.0 - along[:, 2] ** 2))
        reach = sizes[0] * across + sizes[1] * np.abs(along[:, 2])
    return np.concatenate((middle - reach, middle + reach))


def key(name: str) -> str:
    """Return a name as formats of few letters have it."""
    return re.sub(r"\W", "_", name)


def is_close(one: object, two: object) -> bool:
    """Return whether values are equal as far as single precision is."""
    if isinstance(one, int | float) and isinstance(two, int | float):
        if not (math.isfinite(one) and math.isfinite(two)):
            return one == two
        return abs(one - two) <= 3e-5 * max(1.0, abs(one), abs(two))
    if isinstance(one, tuple) and isinstance(two, tuple) and len(one) == len(two):
        return all(is_close(*pair) for pair in zip(one, two, strict=True))
    return one == two


def differing(one: File, two: File) -> set[Fact]:
    """Return what is another value in a second file."""
    return {*_differing(one, two)}


def _differing(one: File, two: File) -> Iterator[Fact]:
    zeros = dict(_moved_zeros(one, two))
    yield from (("zero", name) for name in zeros)
    yield from _of_joints(one, two, zeros)
    both = {
        name: joint
        for name, joint in one.joints.items()
        if name in two.joints and joint.kind == two.joints[name].kind in ("hinge", "slide")
    }
    values = {
        name: float(np.clip(0.31 + 0.1 * len(both), *joint.range)) for name, joint in both.items()
    }
    yield from _of_poses(one, two, values, zeros)
    for noun in {*one.whole} | {*two.whole}:
        if not is_close(one.whole.get(noun), two.whole.get(noun)):
            yield noun, ""
    if not one.colors <= two.colors:
        yield "color", ""


def _moved_zeros(one: File, two: File) -> Iterator[tuple[str, float]]:
    """Yield the joints whose both bounds are moved alike, else their value in the file's pose."""
    for name in one.joints.keys() & two.joints.keys():
        joint, other = one.joints[name], two.joints[name]
        moved = other.rest - joint.rest
        if np.isfinite((*joint.range, *other.range)).all():
            low, high = (
                float(ends[1] - ends[0]) for ends in zip(joint.range, other.range, strict=True)
            )
            moved = low if is_close(low, high) else 0.0
        if abs(moved) > 1e-3:
            yield name, moved


def _of_joints(one: File, two: File, zeros: Mapping[str, float]) -> Iterator[Fact]:
    for name in one.joints.keys() ^ two.joints.keys():
        joint = one.joints.get(name) or two.joints[name]
        if joint.kind not in ("fixed", "floating"):
            yield "joint", name
    for name in one.joints.keys() & two.joints.keys():
        for noun in _of_joint(one.joints[name], two.joints[name], zeros.get(name, 0.0)):
            yield noun, name


def _of_joint(joint: Moving, other: Moving, zero: float) -> Iterator[str]:
    if joint.kind != other.kind:
        yield "joint"
    elif not is_close(joint.range, tuple(end - zero for end in other.range)):
        yield "limit"
    for noun in joint.values.keys() | other.values.keys():
        values = [each.values.get(noun, _NONE.get(noun)) for each in (joint, other)]
        if noun == "drive":
            values[1] = _moved_drive(values[1], zero)
        if not is_close(*values):
            yield noun


def _moved_drive(drive: tuple[float, float, float], zero: float) -> tuple[float, float, float]:
    """Return a drive as it is counted from another zero."""
    stiffness, damping, pull = drive
    return stiffness, damping, pull - stiffness * zero


def _of_poses(
    one: File, two: File, values: Mapping[str, float], zeros: Mapping[str, float]
) -> Iterator[Fact]:
    root = next(iter(one.links))
    (start, there), (begun, others) = (
        [file.poses({n: moved.get(n, 0.0) + value for n, value in at.items()}, root) for at in ats]
        for file, moved in ((one, {}), (two, zeros))
        for ats in ((dict.fromkeys(values, 0.0), values),)
    )
    for name in one.links.keys() & two.links.keys():
        ways = [
            end @ np.linalg.inv(old)
            for end, old in ((there[name], start[name]), (others[name], begun[name]))
        ]
        if one.has_own_frames and two.has_own_frames:
            ways = [there[name], others[name]]
        if np.abs(ways[0] - ways[1]).max() > 3e-5:
            yield "pose", name
    for name in one.weights.keys() & two.weights.keys():
        yield from _of_weight(name, _placed(one, name, start), _placed(two, name, begun))
    for name in (one.weights.keys() ^ two.weights.keys()) - one.held - two.held:
        yield "motion", name
    yield from _of_colliders(one, two)
    yield from _of_contacts(one, two)


def _of_colliders(one: File, two: File) -> Iterator[Fact]:
    held = one.held | two.held | {WORLD}
    for name in {*one.extents} | {*two.extents} | {WORLD}:
        names = held if name in held else {name}
        ends = [[end for n in names for end in file.extents.get(n, ())] for file in (one, two)]
        surfaces = [
            tuple(sorted({value for n in names for value in file.surfaces.get(n, ())}))
            for file in (one, two)
        ]
        if not _are_alike(*ends):
            yield "collider", name
        elif not is_close(*surfaces):
            yield "physics material", name


def _of_contacts(one: File, two: File) -> Iterator[Fact]:
    """Yield the pairs of links that collide in one file only, as `a|b`."""
    held = one.held | two.held
    apart = [
        {frozenset(WORLD if name in held else name for name in pair) for pair in file.apart}
        for file in (one, two)
    ]
    solid = {WORLD if name in held else name for name in one.extents.keys() & two.extents.keys()}
    for pair in apart[0] ^ apart[1]:
        if pair <= solid and len(pair) == 2:
            yield "contact", "|".join(sorted(pair))


def _placed(file: File, name: str, places: Mapping[str, Array]) -> Weight:
    weight = file.weights[name]
    moved = places[name] @ np.linalg.inv(file.links[name])
    turn = moved[:3, :3]
    center = None if weight.center is None else turn @ weight.center + moved[:3, 3]
    tensor = None if weight.tensor is None else turn @ weight.tensor @ turn.T
    return Weight(weight.mass, center, tensor)


def _of_weight(name: str, one: Weight, two: Weight) -> Iterator[Fact]:
    if not is_close(one.mass, two.mass):
        yield "mass", name
    if _are_apart(one.center, two.center, 3e-5):
        yield "center of mass", name
    if one.tensor is not None and _are_apart(
        one.tensor, two.tensor, 1e-4 * float(np.abs(one.tensor).max())
    ):
        yield "inertia", name


def _are_apart(one: Array | None, two: Array | None, most: float) -> bool:
    return one is not None and two is not None and bool(np.abs(one - two).max() > most)


def _are_alike(ones: list[Array], twos: list[Array]) -> bool:
    if len(ones) != len(twos):
        return False
    return all(min(np.abs(one - two).max() for two in twos) < 1e-4 for one in ones)
