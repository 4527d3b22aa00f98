"""Joints that follow others, and joints of several axes, in articulations: as written files.

`truth` integrates Lagrange's equations in the coordinates of the joints, so it has no constraints
that could be violated. Run by `tools/oracles.py`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from omi_joints_addon.core.engines.newton import NEWTON
from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.findings.finding import Finding
from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.body import Collider
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Array, Pose, compose, rotation_matrix
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Sphere
from omi_joints_addon.core.solver import Simulation
from omi_joints_addon.io.formats.format import Format
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.usd import USD
from tests.core.probe import ARM, LOCK, MOMENT, PINNED, STIFF, X, Y, Z, angular, but, linear
from tests.core.solver_scenes import SceneBuilder, turn
from tests.oracles import mujoco, newton, physx
from tests.oracles.files import Job, Poses, notes, write_as

STOPS = (0.25, 0.5)
"""When bodies are looked at [s]."""
TOLERANCE = 0.005
"""What counts as the same place [m]."""
BASE = 0
AT_BOUNDS = ("E601",)
"""Rules about bounds, which nothing comes to here."""


class Tree(NamedTuple):
    """An articulation, and where its coordinates put its bodies."""

    name: str
    scene: PhysicsScene
    start: tuple[float, ...]
    """Coordinates in the beginning [m or rad]."""
    poses: Callable[[Array], Sequence[Pose]]
    """Poses of the moving bodies by coordinates."""


class Reader(NamedTuple):
    """An engine, and the files that it is given."""

    name: str
    is_here: Callable[[], bool]
    format: Format
    suffix: str
    run: Callable[[Sequence[Job]], Sequence[Sequence[Poses]]]
    reports: Callable[[PhysicsScene], Sequence[Finding]]


class Outcome(NamedTuple):
    """What becomes of a tree in an engine."""

    gap: float
    """How far the worst body is from where it must be [m]; infinity where there is none."""
    reported: tuple[str, ...]
    """Losses of the file and warnings of the engine report."""
    converted: tuple[str, ...]
    """Conversions, which may explain a difference."""

    @property
    def differs(self) -> bool:
        """Whether a body is elsewhere."""
        return self.gap > TOLERANCE

    @property
    def explained(self) -> tuple[str, ...]:
        """What says so of a difference."""
        return self.reported + self.converted


READERS = (
    Reader("MJCF in MuJoCo", mujoco.is_here, MJCF, ".xml", mujoco.run, lambda _scene: ()),
    Reader("USD in PhysX", physx.is_here, USD, ".usda", physx.run, PHYSX.check),
    Reader("USD in Newton", newton.is_here, USD, ".usda", newton.run, NEWTON.check),
)


def outcomes(reader: Reader) -> list[Outcome]:
    """Return what becomes of each tree in the file that an engine is given."""
    with TemporaryDirectory() as folder:
        jobs, reported = [], []
        for number, tree in enumerate(TREES):
            path = Path(folder, f"tree{number}{reader.suffix}")
            written = write_as(reader.format, tree.scene, path)
            reported.append(notes(tree.scene, written, reader.reports(tree.scene)))
            jobs.append(Job(path, tree.scene.gravity, STOPS))
        runs = reader.run(jobs)
    gaps = map(_gap, TREES, runs)
    return [
        Outcome(gap, tuple(code for code in codes if code not in AT_BOUNDS), converted)
        for gap, (codes, converted) in zip(gaps, reported, strict=True)
    ]


def problems(reader: str, tree: str, outcome: Outcome) -> Iterator[str]:
    """Yield what is wrong with what is reported of a tree."""
    if outcome.differs and not outcome.explained:
        yield f"{reader}: {tree} differs by {outcome.gap} m, and nothing says so"
    if outcome.reported and not outcome.differs:
        yield f"{reader}: {tree} does not differ, but {' '.join(outcome.reported)} says so"


def ours() -> list[float]:
    """Return how far the worst body is from where it must be in our solver [m]."""
    return [_gap(tree, _simulated(tree.scene)) for tree in TREES]


def _simulated(scene: PhysicsScene) -> list[Poses]:
    simulation, found, step = Simulation(scene), [], 0
    for stop in STOPS:
        while step < round(stop * 60):
            simulation.advance(1.0 / 60.0)
            step += 1
        places = simulation.matrices()[:, :3, 3]
        found.append({name: Pose(at, STILL) for name, at in zip(scene.names, places, strict=True)})
    return found


def _gap(tree: Tree, run: Sequence[Poses]) -> float:
    names = [tree.scene.names[body] for body in tree.scene.motions if body != BASE]
    if len(run) != len(STOPS) or any(set(names) - set(poses) for poses in run):
        return np.inf
    places = np.array([[poses[name].position for name in names] for poses in run])
    return float(np.linalg.norm(places - truth(tree), axis=2).max())


@cache
def truth(tree: Tree, *, step: float = 1e-3) -> Array:
    """Return where the bodies must be at each stop [m], shape (stops, bodies, 3)."""
    now, found, done = np.array((*tree.start, *np.zeros(len(tree.start)))), [], 0
    for stop in STOPS:
        while done < round(stop / step):
            first = _rates(tree, now)
            second = _rates(tree, now + step / 2.0 * first)
            third = _rates(tree, now + step / 2.0 * second)
            fourth = _rates(tree, now + step * third)
            now = now + step / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)
            done += 1
        found.append([pose.position for pose in tree.poses(now[: len(tree.start)])])
    return np.array(found)


def _rates(tree: Tree, state: Array) -> Array:
    """Return the rates of coordinates and of their rates: Lagrange's equations of motion."""
    at, rates = np.split(state, 2)
    tiny = 1e-4 * np.eye(len(at))
    slopes = np.array([(_masses(tree, at + d) - _masses(tree, at - d)) / 2e-4 for d in tiny])
    heights = np.array([(_energy(tree, at + d) - _energy(tree, at - d)) / 2e-4 for d in tiny])
    forces = 0.5 * np.einsum("kij,i,j->k", slopes, rates, rates) - heights
    forces -= np.einsum("kij,k,j->i", slopes, rates, rates)
    return np.concatenate((rates, np.linalg.solve(_masses(tree, at), forces)))


def _energy(tree: Tree, at: Array) -> float:
    places = [pose.position for pose in tree.poses(at)]
    return -float(sum(np.dot(place, tree.scene.gravity) for place in places))


def _masses(tree: Tree, at: Array) -> Array:
    """Return the mass matrix: of bodies of 1 kg with the same moment about all axes."""
    moves, turns = [], []
    for delta in 1e-5 * np.eye(len(at)):
        pairs = list(zip(tree.poses(at + delta), tree.poses(at - delta), strict=True))
        moves.append(np.array([(one.position - other.position) / 2e-5 for one, other in pairs]))
        ways = [rotation_matrix(a.rotation) - rotation_matrix(b.rotation) for a, b in pairs]
        turns.append(np.array(ways) / 2e-5)
    # The rate R' of a turn has the norm of its angular velocity times √2.
    inertia = np.einsum("abij,cbij->ac", turns, turns) * (MOMENT / 2.0)
    return np.einsum("abi,cbi->ac", moves, moves) + inertia


class Link(NamedTuple):
    """A body, its joint, and what coordinates do to it."""

    settings: JointSettings
    moved: Callable[[Array], Pose]
    """Connected frame in the joint's by all coordinates."""
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Joint's frame in that of the parent [m]."""
    arm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Body in the connected frame [m]."""
    parent: int = BASE
    """Number of the link, from 1."""


def _tree(
    name: str,
    *links: Link,
    start: tuple[float, ...] = (0.0,),
    coefficients: tuple[float, ...] = (),
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81),
) -> Tree:
    """Return links on a fixed base; with coefficients the second joint follows the first."""

    def frames(at: Array) -> tuple[list[Pose], list[Pose], list[Pose]]:
        """Return the poses of bodies from the base on, of joint nodes and of connected nodes."""
        bodies, ours, others = [Pose(np.zeros(3), STILL)], [], []
        for link in links:
            ours.append(compose(bodies[link.parent], Pose(np.array(link.place), STILL)))
            others.append(compose(ours[-1], link.moved(at)))
            bodies.append(compose(others[-1], Pose(np.array(link.arm), STILL)))
        return bodies, ours, others

    build = SceneBuilder(gravity)
    bodies, ours, others = frames(np.array(start))
    build.body((0, 0, 0), type="static")
    for pose in bodies[1:]:
        build.body(pose.position, pose.rotation, mass=1.0, inertia=MOMENT)
    for number, link in enumerate(links):
        node = build.node(ours[number].position, ours[number].rotation, parent=link.parent)
        other = others[number]
        connected = build.node(other.position, other.rotation, parent=number + 1)
        build.join(link.settings, node, connected)
    follows = (Coupling(joint=1, source=0, coefficients=coefficients),) if coefficients else ()
    scene = replace(
        build.scene(),
        # Nothing else has a collider, so nothing touches it; Newton needs one.
        colliders={BASE: Collider(shape=Sphere(radius=0.01))},
        articulations=(Articulation(root=BASE, is_fixed=True),),
        couplings=follows,
    )
    return Tree(name, scene, start, lambda at: frames(at)[0][1:])


STILL = np.array((0.0, 0.0, 0.0, 1.0))
HALF_TURN, WAY = {"min": -3.1, "max": 3.1}, {"min": -2.0, "max": 2.0}
"""Bounds that nothing comes to: PhysX couples no joint without a range."""
ASIDE = (0.0, 1.0, 0.0)
REACH = (ARM, 0.0, 0.0)


def _settings(*limits: JointLimit) -> JointSettings:
    return JointSettings(limits=limits)


def _hinge(factor: float = 1.0, offset: float = 0.0, **where) -> Link:
    """Return an arm that turns about Y with the first coordinate."""
    settings = _settings(PINNED, angular(X, Z, **LOCK), angular(Y, **HALF_TURN))
    return Link(settings, lambda at: _turned(Y, offset + factor * at[0]), arm=REACH, **where)


def _slider(axis: int, factor: float = 1.0, offset: float = 0.0, **where) -> Link:
    settings = _settings(linear(*but(axis), **LOCK), STIFF, linear(axis, **WAY))
    return Link(settings, lambda at: _shifted(axis, offset + factor * at[0]), **where)


def _turned(axis: int, angle: float) -> Pose:
    return Pose(np.zeros(3), turn(np.eye(3)[axis], angle))


def _shifted(axis: int, way: float) -> Pose:
    return Pose(way * np.eye(3)[axis], STILL)


def _swung(vector: Array) -> Pose:
    """Return the turn by a rotation vector [rad]."""
    angle = float(np.linalg.norm(vector))
    return _turned(X, 0.0) if angle == 0.0 else Pose(np.zeros(3), turn(vector, angle))


CYLINDRICAL = Link(
    _settings(linear(X, Y, **LOCK), angular(X, Y, **LOCK)),
    lambda at: compose(_shifted(Z, at[0]), _turned(Z, at[1])),
    arm=REACH,
)
PLANAR = Link(
    _settings(linear(X, **LOCK), angular(Y, Z, **LOCK)),
    lambda at: compose(Pose(np.array((0.0, at[0], at[1])), STILL), _turned(X, at[2])),
    arm=(0.0, ARM, 0.0),
)
UNIVERSAL = Link(
    _settings(PINNED, angular(X, **LOCK)),
    lambda at: _swung(np.array((0.0, at[0], at[1]))),
    arm=(0.3, 0.4, 0.0),
)
CARDAN = Link(
    _settings(PINNED, angular(Y, **LOCK)),
    lambda at: _swung(np.array((at[0], 0.0, at[1]))),
    arm=REACH,
)
BALL = Link(_settings(PINNED), _swung, arm=REACH)
TILTED = (3.0, 5.0, -7.0)
TREES = (
    _tree("hinge follows hinge, −2", _hinge(), _hinge(-2.0, place=ASIDE), coefficients=(0.0, -2.0)),
    _tree(
        "hinge on a hinge follows it, −1",
        _hinge(),
        _hinge(-1.0, place=REACH, parent=1),
        coefficients=(0.0, -1.0),
    ),
    _tree(
        "hinge follows hinge, 0.4 + 0.5 times",
        _hinge(),
        _hinge(0.5, 0.4, place=ASIDE),
        coefficients=(0.4, 0.5),
    ),
    _tree(
        "slider follows slider, −0.5",
        _slider(Z),
        _slider(X, -0.5, place=ASIDE),
        coefficients=(0.0, -0.5),
    ),
    _tree(
        "slider follows slider, 0.2 + 0.5 times",
        _slider(Z),
        _slider(X, 0.5, 0.2, place=ASIDE),
        coefficients=(0.2, 0.5),
    ),
    _tree(
        "slider follows hinge, 0.3 m per radian",
        _hinge(),
        _slider(Z, 0.3, place=ASIDE),
        coefficients=(0.0, 0.3),
    ),
    _tree(
        "slider follows hinge, by the square",
        _hinge(),
        Link(_slider(Z).settings, lambda at: _shifted(Z, 0.2 * at[0] ** 2), place=ASIDE),
        coefficients=(0.0, 0.0, 0.2),
    ),
    _tree("slides and turns", CYLINDRICAL, start=(0.0, 0.0), gravity=TILTED),
    _tree("slides in a plane and turns", PLANAR, start=(0.0, 0.0, 0.0), gravity=TILTED),
    _tree("turns about Y and Z", UNIVERSAL, start=(0.0, 0.0), gravity=TILTED),
    _tree("turns about X and Z", CARDAN, start=(0.0, 0.0), gravity=TILTED),
    _tree("turns about three axes", BALL, start=(0.0, 0.0, 0.0), gravity=TILTED),
)
