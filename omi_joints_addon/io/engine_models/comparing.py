"""What differs between two files as the engines of their formats load them."""

import re
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...core.findings.finding import ERROR, Finding, rule
from ...core.model.pose import Array
from ..formats.format import Format
from . import mujoco_model, openusd_model, pinocchio_model
from .model import EngineBody, EngineCollider, EngineJoint, EngineModel, LoadError

_CLOSE = 2e-5
"""Relative difference of numbers that count as equal: stages hold them in single precision."""
_WEIGHTLESS = 2e-5
"""Mass that engines give to what has none [kg]."""
_POSES = 5
"""Configurations in which poses are compared, beside that of all zeros."""
_PLACES = 3
"""Names in a line about many places."""
_NONE = 1e5
"""Bounds and largest forces that are as good as none."""
DIFFERS = rule(
    "OMI-J495",
    ERROR,
    "{what}: {source} in the source, {found} in the file ({engine})",
    reason="Compared by the engines that the two files are for.",
)
REFUSED = rule(
    "OMI-J496",
    ERROR,
    "{engine} does not load the file: {error}",
    reason="The engine that the format belongs to has read the file.",
)
_ENGINES: Mapping[str, tuple[Callable[[Path], EngineModel], str]] = {
    "mjcf": (mujoco_model.loaded, "mujoco"),
    "urdf": (pinocchio_model.loaded, "pin"),
    "usd": (openusd_model.loaded, "usd-core"),
}
"""How a format is loaded, by its name, and the package that has the engine."""


def model_of(name: str, path: Path) -> EngineModel | None:
    """Return a file as the engine of its format loads it; None without the engine.

    Raises `LoadError`.
    """
    if name not in _ENGINES:
        return None
    try:
        return _ENGINES[name][0](path)
    except ImportError:
        return None


def verified(
    source: tuple[Format, Path], written: tuple[Format, Path]
) -> tuple[list[Finding], list[str]]:
    """Return how a written file differs from its source, and the formats that nothing loads."""
    try:
        now = model_of(written[0].name, written[1])
    except LoadError as error:
        return [REFUSED("", engine=written[0].label, error=str(error))], []
    try:
        before = model_of(source[0].name, source[1])
    except LoadError as error:
        return [], [f"{source[0].label}: the source is refused by its engine ({error})"]
    models = ((source[0], before), (written[0], now))
    if before is None or now is None:
        missing = [_missing(row) for row, found in models if found is None]
        return [], list(dict.fromkeys(missing))
    return list(compared(before, now)), []


def _missing(row: Format) -> str:
    if row.name not in _ENGINES:
        return f"no engine here loads {row.label}"
    return f"no engine here loads {row.label} (pip install {_ENGINES[row.name][1]})"


def compared(source: EngineModel, written: EngineModel) -> Iterator[Finding]:
    """Yield what two files have otherwise, joint by joint and body by body."""
    comparison = _Comparison(source, written)
    groups: dict[str, list[_Found]] = {}
    for found in comparison.found():
        groups.setdefault(found.what, []).append(found)
    for what, group in groups.items():
        places = [found.place for found in group]
        more = f" and {len(places) - _PLACES} more" if len(places) > _PLACES else ""
        first = group[0]
        yield DIFFERS(
            ", ".join(places[:_PLACES]) + more,
            what=what,
            source=_text(first.source),
            found=_text(first.found),
            engine=written.engine,
        )


class _Found(NamedTuple):
    """One value that differs."""

    place: str
    what: str
    source: object
    found: object


class _Comparison:
    def __init__(self, source: EngineModel, written: EngineModel) -> None:
        self._source, self._written = source, written
        others = {_key(name): name for name in written.joints}
        self._joints = {name: others[_key(name)] for name in source.joints if _key(name) in others}
        """Joint of the file by that of the source."""
        self._zeros = dict(self._moved_zeros())
        """Where the zero of a joint of the source is in the file, where it is not zero."""
        self._bodies = dict(self._matched())
        kinds = [{each.kind for each in model.joints.values()} for model in (source, written)]
        self._is_serial = not any("free" in each for each in kinds)
        """Whether every joint is one of both files: one with several axes may be several."""

    def found(self) -> Iterator[_Found]:
        """Yield all differences."""
        if self._is_serial:
            yield from self._missing()
        for name, zero in self._zeros.items():
            yield _Found(name, "zero of the joint", 0.0, zero)
        for name, other in self._joints.items():
            one, two = self._source.joints[name], self._written.joints[other]
            yield from self._of_joint(name, one, two)
        yield from self._of_actuators()
        start = self._start()
        for body, same in self._bodies.items():
            yield from self._of_body(body, _placed(same, start))
        if self._is_serial:
            yield from self._of_poses(start)

    def _moved_zeros(self) -> Iterator[tuple[str, float]]:
        """Yield joints whose both bounds are moved alike, with the motion [m or rad]."""
        for name, other in self._joints.items():
            one, two = self._source.joints[name], self._written.joints[other]
            if np.isfinite((one.lower, one.upper, two.lower, two.upper)).all():
                low, high = two.lower - one.lower, two.upper - one.upper
                if abs(low) > 1e-3 and _is_close(low, high):
                    yield name, low

    def _positions(self, positions: Mapping[str, float]) -> dict[str, float]:
        """Return positions of joints of the source as the file counts them."""
        return {
            other: positions.get(name, 0.0) + self._zeros.get(name, 0.0)
            for name, other in self._joints.items()
        }

    def _matched(self) -> Iterator[tuple[EngineBody, EngineBody]]:
        """Yield the bodies that are the same, by the joints that move them, else by name."""
        joints = {self._joints[name]: name for name in self._joints}
        bodies = self._written.bodies(self._positions({}))
        by_joint = {joints.get(body.joint, ""): body for body in bodies}
        by_name = {_key(name): body for body in bodies for name in body.names}
        self._others = bodies
        self._all = self._source.bodies({})
        for body in self._all:
            names = (by_name[_key(name)] for name in sorted(body.names) if _key(name) in by_name)
            found = (by_joint.get(body.joint) if body.joint else None) or next(names, None)
            if found is not None:
                yield body, found

    def _missing(self) -> Iterator[_Found]:
        """Yield joints and bodies that only one of the files has."""
        for name, joint in _lacking(self._source, self._joints.keys()):
            yield _Found(name, "joint", joint.kind, "none")
        for name, joint in _lacking(self._written, {*self._joints.values()}):
            yield _Found(name, "joint", "none", joint.kind)
        found = {id(body) for body in self._bodies.values()} | {*map(id, self._bodies)}
        # What holds a root takes it from the bodies that move.
        for body in () if self._written.fixes_root else self._all:
            if id(body) not in found and _has_mass(body):
                yield _Found(min(body.names, default=""), "body", "there", "none")
        for body in () if self._source.fixes_root else self._others:
            if id(body) not in found and _has_mass(body):
                yield _Found(min(body.names, default=""), "body", "none", "there")

    def _of_joint(self, name: str, one: EngineJoint, two: EngineJoint) -> Iterator[_Found]:
        if "free" in (one.kind, two.kind):
            return
        if one.kind != two.kind:
            yield _Found(name, "kind of joint", one.kind, two.kind)
            return
        for field in ("lower", "upper", "effort", "velocity", "stiffness", "damping"):
            value, other = getattr(one, field), getattr(two, field)
            if value is None or other is None:
                continue
            if field in ("lower", "upper"):
                value += self._zeros.get(name, 0.0)
            if field in ("stiffness", "damping") and self._is_without_springs():
                continue
            if not _is_close(_bounded(value), _bounded(other)):
                yield _Found(name, _WORDS.get(field, field), value, other)

    def _is_without_springs(self) -> bool:
        """Return whether a file is URDF, which has dampers only: what it lacks is in the report."""
        return self._source.fixes_root != self._written.fixes_root

    def _of_actuators(self) -> Iterator[_Found]:
        """Yield actuators that are gone or of another kind, and joints that nothing drives."""
        ones, twos = (
            {_key(name): kind for name, kind in model.actuators.items()}
            for model in (self._source, self._written)
        )
        names = {_key(name): name for name in self._source.actuators}
        if self._source.engine == self._written.engine:
            for key, kind in ones.items():
                if twos.get(key) != kind:
                    yield _Found(names[key], "actuator", kind, twos.get(key, "none"))
            return
        driven = {_key(name) for name in self._written.commanded | self._written.driven}
        for name in sorted(self._source.commanded & self._joints.keys()):
            if _key(name) not in driven:
                yield _Found(name, "actuator", "there", "none")

    def _start(self) -> Array:
        """Return the motion (4, 4) from the file to the source of a robot that is free."""
        one, two = self._source.poses({}), self._written.poses(self._positions({}))
        places = {_key(name): matrix for name, matrix in two.items()}
        for body in self._bodies:
            for name in sorted(body.names) if not body.joint else ():
                if name in one and _key(name) in places:
                    return np.asarray(one[name] @ np.linalg.inv(places[_key(name)]))
        return np.eye(4)

    def _of_body(self, one: EngineBody, two: EngineBody) -> Iterator[_Found]:
        place = min(one.names, default=one.joint)
        if not (_has_mass(one) or _has_mass(two)) or not self._are_same_links(one, two):
            return
        if one.mass is None or two.mass is None:
            return
        if not _is_close(one.mass, two.mass):
            yield _Found(place, "mass", one.mass, two.mass)
        elif self._is_serial:
            yield from self._of_weight(place, one, two)

    def _of_weight(self, place: str, one: EngineBody, two: EngineBody) -> Iterator[_Found]:
        """Yield where bodies of equal mass have it elsewhere, and colliders."""
        reach = max(1.0, float(np.abs(one.center).max()))
        if np.abs(one.center - two.center).max() > _CLOSE * reach:
            yield _Found(place, "center of mass", one.center, two.center)
        if one.tensor is not None and two.tensor is not None:
            size = max(float(np.abs(one.tensor).max()), _CLOSE * (one.mass or 0.0))
            if np.abs(one.tensor - two.tensor).max() > 10.0 * _CLOSE * size:
                yield _Found(place, "inertia", _moments(one), _moments(two))
        if one.colliders is not None and two.colliders is not None:
            yield from self._of_colliders(place, one.colliders, two.colliders)

    def _are_same_links(self, one: EngineBody, two: EngineBody) -> bool:
        """Return whether the same links move as one; some files have no locked joints."""
        ones, others = ({*map(_key, body.names)} for body in (one, two))
        there, known = (
            {_key(name) for body in bodies for name in body.names}
            for bodies in (self._others, self._all)
        )
        return ones & there == others & known

    def _of_colliders(
        self, place: str, one: tuple[EngineCollider, ...], two: tuple[EngineCollider, ...]
    ) -> Iterator[_Found]:
        if len(one) != len(two):
            yield _Found(place, "colliders", len(one), len(two))
            return
        ends, others = (np.array([_extents(each) for each in part]) for part in (one, two))
        size = max(1.0, float(np.abs(ends).max(initial=0.0)))
        for row in ends:
            nearest = int(np.abs(others - row).max(axis=1).argmin())
            if np.abs(others[nearest] - row).max() > 10.0 * _CLOSE * size:
                yield _Found(place, "extent of a collider", row, others[nearest])
                return
            others = np.delete(others, nearest, axis=0)

    def _of_poses(self, start: Array) -> Iterator[_Found]:
        """Yield bodies that are elsewhere at the same positions of all joints."""
        random = np.random.default_rng(0)
        first = self._moved({}, start)
        found: dict[str, _Found] = {}
        for _ in range(_POSES):
            shares = random.uniform(0.1, 0.9, len(self._joints))
            positions = {
                name: _position(self._source.joints[name], float(share))
                for name, share in zip(self._joints, shares, strict=True)
            }
            then = self._moved(positions, start)
            for name, (one, two) in then.items():
                motion = one @ np.linalg.inv(first[name][0])
                other = two @ np.linalg.inv(first[name][1])
                scale = max(1.0, float(np.abs(one[:3, 3]).max()))
                apart = float(np.abs(motion - other).max())
                if apart > 20.0 * _CLOSE * scale and name not in found:
                    found[name] = _Found(
                        name, "place at the same joint positions", one[:3, 3], two[:3, 3]
                    )
        yield from found.values()

    def _moved(
        self, positions: Mapping[str, float], start: Array
    ) -> dict[str, tuple[Array, Array]]:
        """Return where bodies of both files are, relative to a free root, by name."""
        ones = self._source.poses(positions)
        twos = self._written.poses(self._positions(positions))
        others = {_key(name): matrix for name, matrix in twos.items()}
        return {
            name: (matrix, start @ others[_key(name)])
            for name, matrix in ones.items()
            if _key(name) in others
        }


def _lacking(model: EngineModel, found: Set[str]) -> Iterator[tuple[str, EngineJoint]]:
    """Yield the joints that can move and are not among those that were found."""
    for name, joint in model.joints.items():
        if name not in found and joint.lower != joint.upper:
            yield name, joint


def _has_mass(body: EngineBody) -> bool:
    return body.mass is None or body.mass > _WEIGHTLESS


_WORDS = {"lower": "lower bound", "upper": "upper bound", "velocity": "largest velocity"}


def _position(joint: EngineJoint, share: float) -> float:
    """Return a position within the range of a joint."""
    if joint.kind not in ("hinge", "slide"):
        return 0.0
    most = np.pi if joint.kind == "hinge" else 1.0
    low, high = max(joint.lower, -most), min(joint.upper, most)
    return float(low + share * (high - low))


def _placed(body: EngineBody, start: Array) -> EngineBody:
    """Return a body as it is after a motion (4, 4)."""
    turn = start[:3, :3]
    colliders = None
    if body.colliders is not None:
        colliders = tuple(
            replace(
                each,
                points=each.points @ turn.T + start[:3, 3],
                disc=None if each.disc is None else (turn @ each.disc[0], each.disc[1]),
            )
            for each in body.colliders
        )
    tensor = None if body.tensor is None else turn @ body.tensor @ turn.T
    center = turn @ body.center + start[:3, 3]
    return replace(body, center=center, tensor=tensor, colliders=colliders)


def _extents(collider: EngineCollider) -> list[float]:
    """Return how far a shape reaches along skew axes, so that turns show."""
    return [end for axis in _DIRECTIONS for end in collider.extent(axis)]


_DIRECTIONS = np.array(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.48, 0.6, 0.64)))


def _moments(body: EngineBody) -> Array:
    return np.asarray(np.linalg.eigvalsh(body.tensor) if body.tensor is not None else np.zeros(3))


def _bounded(value: float) -> float:
    """Return a value, infinite where it is as good as that."""
    return float(np.copysign(np.inf, value)) if abs(value) >= _NONE else value


def _is_close(one: float, two: float) -> bool:
    if one == two or not np.isfinite((one, two)).all():
        return one == two
    return abs(one - two) <= _CLOSE * max(1.0, abs(one), abs(two))


def _key(name: str) -> str:
    """Return a name as formats of few letters have it."""
    return re.sub(r"\W", "_", name)


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, np.ndarray):
        return "(" + ", ".join(f"{float(part) + 0.0:.4g}" for part in value) + ")"
    return str(value)
