"""Each property that a file can carry, in each engine: the file as it is written, run unchanged.

What is reported of a cell is what a user reads: what the writer has lost or converted, its
findings, and those of the report about the engine.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from omi_joints_addon.core.engines.godot import GODOT
from omi_joints_addon.core.engines.godot.scene import OWN_SETTINGS
from omi_joints_addon.core.engines.khr import KHR
from omi_joints_addon.core.engines.mujoco import MUJOCO
from omi_joints_addon.core.engines.newton import NEWTON
from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.findings.finding import Finding, Severity
from omi_joints_addon.core.findings.loss import How, Loss, Noun
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.rewrite.articulating import articulated
from omi_joints_addon.core.solver.trajectory import simulate
from omi_joints_addon.io.formats.format import Format
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.usd import USD
from tests.oracles import (
    godot,
    havok,
    mujoco,
    newton,
    physx,
    property_bodies,
    property_contacts,
    property_joints,
)
from tests.oracles.files import Job, Poses, write_as
from tests.oracles.property_row import Property

ROWS: tuple[Property, ...] = (
    *property_joints.ROWS,
    *property_bodies.ROWS,
    *property_bodies.SEVERAL,
    *property_contacts.ROWS,
)

_OF_JOINTS = frozenset(
    (
        Noun.JOINT,
        Noun.LIMIT,
        Noun.LIMIT_SPRING,
        Noun.DRIVE,
        Noun.DRIVE_MODE,
        Noun.MAX_FORCE,
        Noun.POSITION_TARGET,
        Noun.VELOCITY_TARGET,
        Noun.DRIVE_STIFFNESS,
        Noun.DRIVE_DAMPING,
        Noun.ANIMATION,
        Noun.BREAK_FORCE,
        Noun.FRICTION,
        Noun.ARMATURE,
        Noun.COUPLING,
    )
)
_OF_BODIES = frozenset(
    (
        Noun.MOTION,
        Noun.MASS,
        Noun.CENTER_OF_MASS,
        Noun.INERTIA,
        Noun.VELOCITY,
        Noun.GRAVITY_FACTOR,
        Noun.ANIMATION,
    )
)
NOUNS = {
    "Joint": _OF_JOINTS,
    "Body": _OF_BODIES,
    "Several": _OF_JOINTS | _OF_BODIES,
    "Shape": frozenset((Noun.SHAPE, Noun.COLLIDER)),
    "Surface": frozenset((Noun.MATERIAL,)),
    "Speed": frozenset((Noun.COLLIDER,)),
    "Filter": frozenset((Noun.COLLISION_FILTER,)),
}
"""What losses are about a group of rows."""
SCENE_WIDE = frozenset(("E135", "E211", "E215", "E701", "E804"))
"""Infos that say how an engine differs in every scene."""
OF_SURFACES = frozenset(("E627", "E801"))
"""Those that say how all contacts differ there."""
_SPLIT = "it is reported of joints of several axes, which turn about one of them only here"
_FAR = "its spring is weaker far from its target, where this one does not come or does not rest"
_HELD = "the friction of 1 that is there holds it, too"
_STANDS = "it does not slide"
_NO_FILTER = "it collides with the filter, too"
ELSEWHERE: Mapping[str, Mapping[str, str]] = {
    "capsule": {"E119": "it lies on its side, where a shorter one is as high"},
    "tapered cylinder": {
        "E120": "it stands, where another radius is as high",
        "E316": "a hull stands for it, which does not sink",
    },
    "its maximum force": {"E609": "the damping of this spring is small"},
    "its maximum torque": {"E305": _FAR, "E609": "the damping of this spring is small"},
    "its maximum force, motor": {"E118": "its force, not its damping, limits it"},
    "its maximum torque, motor": {"E118": "its force, not its damping, limits it"},
    "motor against a limit": {
        "E118": "the limit holds whatever speed there was",
        "E208": "the limit holds whatever speed there was",
    },
    "limit about three axes": {"E203": "it turns about one axis, where a box is as wide"},
    "springs about two axes": {"E305": _FAR, "E611": _SPLIT},
    "gear, −1.7 times the angle of an arm": {"E601": "nothing comes to its bounds"},
    "soft limit along an axis": {"E602": "the builder's own spring is about as stiff"},
    "static friction holds": {"E131": _HELD},
    "static above dynamic friction": {"E131": _HELD},
    "rolling ball": {"E131": "it rolls with any friction that is large enough"},
    "23 kg upon 0.23 kg": {"E131": _STANDS},
    "creeps in 3 s on 20°, friction 0.5": {"E131": _HELD},
    "stack of five, drift in 3 s": {"E131": _STANDS},
    "10 kg on 0.1 kg, drift in 3 s": {
        "E131": _STANDS,
        "E621": "its steps here are short enough",
    },
    "filter: floor collides with *balls*": {"E127": _NO_FILTER},
    "filter: floor does not collide with *boxes*": {"E127": _NO_FILTER},
    "door stops at a post": {"E131": _STANDS},
    "ball on a slab of triangles": {"E131": _STANDS},
    "crate 1 cm from a wall of triangles": {"E131": _STANDS},
    "lamp falls in a room of triangles": {"E131": _STANDS},
    "rope over a beam, largest gap after 3 s": {
        "E119": "gaps are those of its joints",
        "E131": "it hardly slides",
    },
    "chain of 5": {"E212": "its moments are small beside mass times distance squared"},
    "mass ratio of 100 on joints": {"E621": "nothing lies on anything"},
}
"""Rules that are reported of a row and show in other poses only, and why."""


def _none(_scene: PhysicsScene) -> Sequence[Finding]:
    return ()


class Reader(NamedTuple):
    """An engine, the file that it is given, and how it runs."""

    name: str
    is_here: Callable[[], bool]
    format: Format
    suffix: str
    options: Mapping[str, str]
    run: Callable[[Sequence[Job]], Sequence[Sequence[Poses]]]
    as_it_is: Callable[[Sequence[Job]], Sequence[Sequence[Poses]]]
    """Run with the engine's own steps, dampings and sleep."""
    report: Callable[[PhysicsScene], Sequence[Finding]] = _none


class Cell(NamedTuple):
    """What an engine makes of a row."""

    value: float | None
    """None where it rejects the file."""
    differs: bool
    reported: tuple[str, ...]
    """What of it a user is warned of."""
    mentioned: tuple[str, ...]
    """What else a user may read of it: conversions, infos."""


_GLTF = partial(Reader, format=GLTF)
READERS = (
    Reader(
        "MuJoCo", mujoco.is_here, MJCF, ".xml", {}, mujoco.run, mujoco.run, MUJOCO.check,
    ),
    Reader(
        "PhysX", physx.is_here, USD, ".usda", {}, physx.run, partial(physx.run, rate=60),
        PHYSX.check,
    ),
    Reader(
        "Newton", newton.is_here, USD, ".usda", {"articulations": "all"}, newton.run, newton.run,
        lambda scene: NEWTON.check(articulated(scene)),
    ),
    _GLTF(
        "Havok", havok.is_here, suffix=".glb", options={"dialect": "khr"}, run=havok.run,
        as_it_is=partial(havok.run, is_default=True), report=KHR.check,
    ),
    _GLTF(
        "Godot", godot.is_here, suffix=".gltf", options={}, run=partial(godot.run, rate=godot.RATE),
        as_it_is=partial(godot.run, rate=godot.DEFAULT_RATE, is_default=True), report=GODOT.check,
    ),
    _GLTF(
        "For Godot", godot.is_here, suffix=".gltf", options={"for": "godot"},
        run=partial(godot.run, rate=godot.RATE),
        as_it_is=partial(godot.run, rate=godot.DEFAULT_RATE, is_default=True),
        report=lambda scene: [item for item in GODOT.check(scene) if item.rule == OWN_SETTINGS],
    ),
)  # fmt: skip


def cells(reader: Reader, rows: Sequence[Property] = ROWS) -> list[Cell]:
    """Return what an engine makes of the file of each row."""
    found: list[Cell | None] = [None] * len(rows)
    for is_default, run in ((False, reader.run), (True, reader.as_it_is)):
        numbers = [number for number, row in enumerate(rows) if row.is_default == is_default]
        for number, cell in zip(
            numbers, _cells(reader, [rows[n] for n in numbers], run), strict=True
        ):
            found[number] = cell
    return [cell for cell in found if cell is not None]


def _cells(
    reader: Reader,
    rows: Sequence[Property],
    run: Callable[[Sequence[Job]], Sequence[Sequence[Poses]]],
) -> Iterator[Cell]:
    if not rows:
        return
    with TemporaryDirectory() as folder:
        jobs, notes = [], []
        for number, row in enumerate(rows):
            path = Path(folder, f"property{number}{reader.suffix}")
            written = write_as(reader.format, row.scene, path, **reader.options)
            findings = [*written.findings, *reader.report(row.scene)]
            reported, mentioned = _notes(row.group, written.losses, findings)
            if row.scene.tracks and not written.holds_animation:
                reported = (*reported, str(Noun.ANIMATION))
            notes.append((reported, mentioned))
            jobs.append(Job(path, row.scene.gravity, row.stops))
        runs = run(jobs)
    for row, stops, (reported, mentioned) in zip(rows, runs, notes, strict=True):
        value = row.measured(stops) if stops else None
        differs = value is None or row.differs(value)
        yield Cell(value, differs, reported, mentioned)


def _notes(
    group: str, losses: Iterable[Loss], findings: Iterable[Finding]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a user is warned of, and what else a user may read about a group of rows."""
    about = [loss for loss in losses if loss.noun in NOUNS[group] and not loss.is_same]
    reported = {finding.code[4:] for finding in findings if finding.severity != Severity.INFO}
    reported |= {str(loss.noun) for loss in about if loss.how == How.LOST}
    mentioned = {str(loss.noun) for loss in about if loss.how != How.LOST}
    wide = SCENE_WIDE | OF_SURFACES if group == "Surface" else SCENE_WIDE
    mentioned |= wide & {finding.code[4:] for finding in findings}
    return tuple(sorted(reported)), tuple(sorted(mentioned - reported))


def problems(reader: str, row: Property, cell: Cell) -> Iterator[str]:
    """Yield what is wrong with what is reported of a cell."""
    if cell.differs and not (cell.reported or cell.mentioned):
        yield f"{reader}: {row.name} differs ({cell.value}), and nothing says so"
    rules = {code for code in cell.reported if code[1:].isdecimal()}
    if not cell.differs and rules - set(ELSEWHERE.get(row.name, {})):
        yield f"{reader}: {row.name} does not differ, but {' '.join(sorted(rules))} says so"


def ours(row: Property) -> float:
    """Return what our own simulation makes of a row."""
    scene, end = row.scene, row.stops[-1]
    rate = 240.0 if row.around else 60.0
    path = simulate(scene, seconds=end, fps=max(1, round(rate * end)) / end)
    names = [scene.names[node] for node in path.bodies]
    return row.measured(
        [
            dict(zip(names, map(Pose, positions, rotations), strict=True))
            for positions, rotations in zip(
                path.positions[-len(row.stops) :], path.rotations[-len(row.stops) :], strict=True
            )
        ]
    )
