"""What differs between two files as the engines of their formats load them."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...closeness import SIMULATED, is_close
from ...core.findings.finding import ERROR, Finding, rule
from ...core.model.pose import Array
from ..formats.format import Format
from . import mujoco_model, openusd_model, pinocchio_model
from .freedoms import moving_alike
from .model import EngineBody, EngineCollider, EngineJoint, EngineModel, LoadError
from .values import bounded, extents, key, moments, placed, text

_WEIGHTLESS = 2e-5
"""Mass that engines give to what has none [kg]."""
_POSES = 5
"""Configurations in which poses are compared, beside that of all zeros."""
_PLACES = 3
"""Names in a line about many places."""
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
_ENGINES: Mapping[str, tuple[Callable[[Path, tuple[Path, ...]], EngineModel], str]] = {
    "mjcf": (mujoco_model.loaded, "mujoco"),
    "urdf": (pinocchio_model.loaded, "pin"),
    "usd": (openusd_model.loaded, "usd-core"),
}
"""How a format is loaded, by its name, and the package that has the engine."""


def model_of(name: str, path: Path, folders: tuple[Path, ...] = ()) -> EngineModel | None:
    """Return a file as the engine of its format loads it; None without the engine.

    It may refer to its own folder and to these. Raises `LoadError`.
    """
    if name not in _ENGINES:
        return None
    try:
        return _ENGINES[name][0](path, folders)
    except ImportError:
        return None


def verified(
    source: tuple[Format, Path], written: tuple[Format, Path], folders: tuple[Path, ...] = ()
) -> tuple[list[Finding], list[str]]:
    """Return how a written file differs from its source, and what cannot be compared.

    The source may refer to its own folder and to these.
    """
    try:
        now = model_of(written[0].name, written[1])
    except LoadError as error:
        return [REFUSED("", engine=written[0].label, error=str(error))], []
    try:
        before = model_of(source[0].name, source[1], folders)
    except LoadError as error:
        return [], [f"{source[0].label}: the source is rejected by its engine ({error})"]
    models = ((source[0], before), (written[0], now))
    if before is None or now is None:
        missing = [_missing(row) for row, found in models if found is None]
        return [], list(dict.fromkeys(missing))
    return compared(before, now)


def _missing(row: Format) -> str:
    if row.name not in _ENGINES:
        more = "; gz sdf --check FILE does outside" if row.name == "sdf" else ""
        return f"no engine that Python can import loads {row.label}{more}"
    return f"no engine here loads {row.label} (pip install {_ENGINES[row.name][1]})"


def compared(source: EngineModel, written: EngineModel) -> tuple[list[Finding], list[str]]:
    """Return what two files have otherwise, by joints and bodies, and what is not compared."""
    comparison = _Comparison(source, written)
    groups: dict[str, list[_Found]] = {}
    for found in comparison.found():
        groups.setdefault(found.what, []).append(found)
    differences = [
        DIFFERS(
            _listed([found.place for found in group]),
            what=what,
            source=text(group[0].source),
            found=text(group[0].found),
            engine=written.engine,
        )
        for what, group in groups.items()
    ]
    several = _listed(sorted(comparison.several))
    rest = [f"ranges and drives of joints with several axes ({several})"] if several else []
    return differences, rest


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _PLACES} more" if len(names) > _PLACES else ""
    return ", ".join(names[:_PLACES]) + more


class _Found(NamedTuple):
    """One value that differs."""

    place: str
    what: str
    source: object
    found: object


class _Comparison:
    def __init__(self, source: EngineModel, written: EngineModel) -> None:
        self._source, self._written = source, written
        others = {key(name): name for name in written.joints}
        self._joints = {name: others[key(name)] for name in source.joints if key(name) in others}
        """Joint of the file by that of the source."""
        self._joints |= self._unnamed()
        self._zeros = dict(self._moved_zeros())
        """Where the zero of a joint of the source is in the file, where it is not zero."""
        self._bodies = dict(self._matched())
        self._others: tuple[EngineBody, ...]
        self._all: tuple[EngineBody, ...]
        self._start = self._started()
        """Motion (4, 4) from the file to the source of a robot that is free."""
        self.several: set[str] = set()
        """Joints of the source that are of several axes in a file, and move alike in both."""

    def found(self) -> Iterator[_Found]:
        """Yield all differences."""
        yield from self._missing()
        for name, zero in self._zeros.items():
            yield _Found(name, "zero of the joint", 0.0, zero)
        for name, other in self._joints.items():
            one, two = self._source.joints[name], self._written.joints[other]
            yield from self._of_joint(name, one, two)
        yield from self._of_actuators()
        for body, same in self._bodies.items():
            yield from self._of_body(body, placed(same, self._start))
        yield from self._of_poses(self._start)

    def _unnamed(self) -> dict[str, str]:
        """Return the joints without a name of the source, by the body that each moves."""
        known = {*self._joints.values()}
        others = {
            key(name): body.joint
            for body in self._written.bodies({})
            for name in body.names
            if body.joint and body.joint not in known
        }
        return {
            body.joint: others[key(name)]
            for body in self._source.bodies({})
            for name in body.names
            if body.joint in self._source.unnamed and name and key(name) in others
        }

    def _moved_zeros(self) -> Iterator[tuple[str, float]]:
        """Yield joints whose both bounds are moved alike, with the motion [m or rad]."""
        for name, other in self._joints.items():
            one, two = self._source.joints[name], self._written.joints[other]
            if np.isfinite((one.lower, one.upper, two.lower, two.upper)).all():
                low, high = two.lower - one.lower, two.upper - one.upper
                if abs(low) > 1e-3 and is_close(low, high, SIMULATED):
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
        by_name = {key(name): body for body in bodies for name in body.names}
        self._others = bodies
        self._all = self._source.bodies({})
        for body in self._all:
            names = (by_name[key(name)] for name in sorted(body.names) if key(name) in by_name)
            found = (by_joint.get(body.joint) if body.joint else None) or next(names, None)
            if found is not None:
                yield body, found

    def _missing(self) -> Iterator[_Found]:
        """Yield joints and bodies that only one of the files has."""
        yield from self._missing_joints()
        found = {id(body) for body in self._bodies.values()} | {*map(id, self._bodies)}
        # What holds a root takes it from the bodies that move.
        for body in () if self._written.fixes_root else self._all:
            if id(body) not in found and _has_mass(body):
                yield _Found(min(body.names, default=""), "body", "there", "none")
        for body in () if self._source.fixes_root else self._others:
            if id(body) not in found and _has_mass(body):
                yield _Found(min(body.names, default=""), "body", "none", "there")

    def _missing_joints(self) -> Iterator[_Found]:
        """Yield joints that only one file has, but those of several axes that move alike."""
        alike, others = {*self._joints}, {*self._joints.values()}
        for ones, twos, is_alike in moving_alike(
            self._source, self._written, self._bodies.items(), self._start, self._serial()
        ):
            if is_alike:
                self.several |= {name for name in ones if not self._is_same_ball(name)}
                alike |= ones
                others |= twos
            elif (both := ones & self._joints.keys()) and ones | twos == both:
                yield _Found(min(both), "axes of the joint", "there", "others")
        for name, joint in _lacking(self._source, alike):
            yield _Found(name, "joint", joint.kind, "none")
        for name, joint in _lacking(self._written, others):
            yield _Found(name, "joint", "none", joint.kind)

    def _serial(self) -> dict[str, str]:
        """Return the joints that have one axis in both files."""
        ones, twos = self._source.joints, self._written.joints
        return {
            name: other
            for name, other in self._joints.items()
            if ones[name].has_one_axis and twos[other].has_one_axis
        }

    def _of_joint(self, name: str, one: EngineJoint, two: EngineJoint) -> Iterator[_Found]:
        if not (one.has_one_axis and two.has_one_axis) and not self._are_balls(one, two):
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
            if not is_close(bounded(value), bounded(other), SIMULATED):
                yield _Found(name, _WORDS.get(field, field), value, other)

    def _is_same_ball(self, name: str) -> bool:
        other = self._joints.get(name)
        joints = self._source.joints, self._written.joints
        return other is not None and self._are_balls(joints[0][name], joints[1][other])

    def _are_balls(self, one: EngineJoint, two: EngineJoint) -> bool:
        """Return whether joints are balls, which one engine measures in one way."""
        return one.kind == two.kind == "ball" and self._source.engine == self._written.engine

    def _is_without_springs(self) -> bool:
        """Return whether a file is URDF, which has dampers only: what it lacks is in the report."""
        return self._source.fixes_root != self._written.fixes_root

    def _of_actuators(self) -> Iterator[_Found]:
        """Yield actuators that are gone or of another kind, and joints that nothing drives."""
        ones, twos = (
            {key(name): kind for name, kind in model.actuators.items()}
            for model in (self._source, self._written)
        )
        names = {key(name): name for name in self._source.actuators}
        if self._source.engine == self._written.engine:
            for name, kind in ones.items():
                if twos.get(name) != kind:
                    yield _Found(names[name], "actuator", kind, twos.get(name, "none"))
            return
        driven = {key(name) for name in self._written.commanded | self._written.driven}
        for name in sorted(self._source.commanded & self._joints.keys()):
            if key(name) not in driven:
                yield _Found(name, "actuator", "there", "none")

    def _started(self) -> Array:
        one, two = self._source.poses({}), self._written.poses(self._positions({}))
        places = {key(name): matrix for name, matrix in two.items()}
        for body in self._bodies:
            for name in sorted(body.names) if not body.joint else ():
                if name in one and key(name) in places:
                    return np.asarray(one[name] @ np.linalg.inv(places[key(name)]))
        return np.eye(4)

    def _of_body(self, one: EngineBody, two: EngineBody) -> Iterator[_Found]:
        place = min(one.names, default=one.joint)
        if not (_has_mass(one) or _has_mass(two)) or not self._are_same_links(one, two):
            return
        if one.mass is None or two.mass is None:
            return
        if not is_close(one.mass, two.mass, SIMULATED):
            yield _Found(place, "mass", one.mass, two.mass)
        else:
            yield from self._of_weight(place, one, two)

    def _of_weight(self, place: str, one: EngineBody, two: EngineBody) -> Iterator[_Found]:
        """Yield where bodies of equal mass have it elsewhere, and colliders."""
        reach = max(1.0, float(np.abs(one.center).max()))
        if np.abs(one.center - two.center).max() > SIMULATED.relative * reach:
            yield _Found(place, "center of mass", one.center, two.center)
        if one.tensor is not None and two.tensor is not None:
            size = max(float(np.abs(one.tensor).max()), SIMULATED.relative * (one.mass or 0.0))
            if np.abs(one.tensor - two.tensor).max() > 10.0 * SIMULATED.relative * size:
                yield _Found(place, "inertia", moments(one), moments(two))
        if one.colliders is not None and two.colliders is not None:
            yield from self._of_colliders(place, one.colliders, two.colliders)

    def _are_same_links(self, one: EngineBody, two: EngineBody) -> bool:
        """Return whether the same links move as one; some files have no locked joints."""
        ones, others = ({*map(key, body.names)} for body in (one, two))
        there, known = (
            {key(name) for body in bodies for name in body.names}
            for bodies in (self._others, self._all)
        )
        return ones & there == others & known

    def _of_colliders(
        self, place: str, one: tuple[EngineCollider, ...], two: tuple[EngineCollider, ...]
    ) -> Iterator[_Found]:
        if len(one) != len(two):
            yield _Found(place, "colliders", len(one), len(two))
            return
        ends, others = (np.array([extents(each) for each in part]) for part in (one, two))
        size = max(1.0, float(np.abs(ends).max(initial=0.0)))
        for row in ends:
            nearest = int(np.abs(others - row).max(axis=1).argmin())
            if np.abs(others[nearest] - row).max() > 10.0 * SIMULATED.relative * size:
                yield _Found(place, "extent of a collider", row, others[nearest])
                return
            others = np.delete(others, nearest, axis=0)

    def _of_poses(self, start: Array) -> Iterator[_Found]:
        """Yield bodies that are elsewhere at the same positions of all joints."""
        random = np.random.default_rng(0)
        first = self._moved({}, start)
        joints = self._serial()
        found: dict[str, _Found] = {}
        for _ in range(_POSES):
            shares = random.uniform(0.1, 0.9, len(joints))
            positions = {
                name: _position(self._source.joints[name], float(share))
                for name, share in zip(joints, shares, strict=True)
            }
            then = self._moved(positions, start)
            for name, (one, two) in then.items():
                motion = one @ np.linalg.inv(first[name][0])
                other = two @ np.linalg.inv(first[name][1])
                scale = max(1.0, float(np.abs(one[:3, 3]).max()))
                apart = float(np.abs(motion - other).max())
                if apart > 20.0 * SIMULATED.relative * scale and name not in found:
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
        others = {key(name): matrix for name, matrix in twos.items()}
        return {
            name: (matrix, start @ others[key(name)])
            for name, matrix in ones.items()
            if key(name) in others
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
    most = np.pi if joint.kind == "hinge" else 1.0
    low, high = max(joint.lower, -most), min(joint.upper, most)
    return float(low + share * (high - low))
