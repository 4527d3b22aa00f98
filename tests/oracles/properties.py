"""Each property that a file can carry, in each engine: the file as it is written, run unchanged.

What is reported of a cell is what a user reads: what the writer has lost or converted, its
findings, and those of the report about the engine.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from omi_joints_addon.core.engines.godot import GODOT
from omi_joints_addon.core.engines.khr import KHR
from omi_joints_addon.core.engines.newton import NEWTON
from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.findings.finding import Finding
from omi_joints_addon.core.findings.loss import How, Noun
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.rewrite.articulating import articulated
from omi_joints_addon.core.solver import Options, Simulation
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
    Reader("MuJoCo", mujoco.is_here, MJCF, ".xml", {}, mujoco.run, mujoco.run),
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
            notes.append(_notes(written.losses, findings))
            jobs.append(Job(path, row.scene.gravity, (row.seconds,)))
        runs = run(jobs)
    for row, stops, (reported, mentioned) in zip(rows, runs, notes, strict=True):
        value = row.value(row.scene, stops[-1]) if stops else None
        differs = value is None or row.differs(value)
        yield Cell(value, differs, reported, mentioned)


def _notes(losses, findings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a user is warned of, and what else is mentioned."""
    losses = [loss for loss in losses if loss.noun != Noun.GRAVITY]
    reported = {str(loss.noun) for loss in losses if loss.how == How.LOST}
    mentioned = {str(loss.noun) for loss in losses if loss.how != How.LOST}
    for finding in findings:
        (mentioned if finding.severity == "info" else reported).add(finding.code[4:])
    return tuple(sorted(reported)), tuple(sorted(mentioned - reported))


def ours(row: Property) -> float:
    """Return what our own simulation makes of a row."""
    simulation = Simulation(row.scene, options=Options(contacts=True))
    steps = max(1, round(60.0 * row.seconds))
    for _ in range(steps):
        simulation.advance(row.seconds / steps)
    matrices = simulation.matrices()
    poses = {row.scene.names[node]: _pose(matrices[node]) for node in row.scene.motions}
    return row.value(row.scene, poses)


def _pose(matrix) -> Pose:
    from omi_joints_addon.core.model.pose import pose_from_matrix

    return pose_from_matrix(matrix)
