"""Probes as the files that this program writes, run unchanged in engines that are not ours.

A probe that comes to rest is judged 1 s and 2.5 s after the time of its closed form: rebounds are
over, and a body that creeps past its bound is noticed. One that moves is judged at half that time,
against our solver, and at that time.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from omi_joints_addon.core.checks.frames import APART_AT_REST, REST_LEFT_OUT, check_frames
from omi_joints_addon.core.findings.finding import Finding, Severity
from omi_joints_addon.core.findings.loss import How, Noun
from omi_joints_addon.core.model.body import Collider, Motion, MotionType
from omi_joints_addon.core.model.pose import Pose, compose, pose_from_matrix, relative_pose
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Sphere
from omi_joints_addon.core.solver import Simulation
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Target, Written
from tests.core.probe import TOLERANCE, Probe

LATER = (1.0, 2.5)
"""When a probe at rest is judged, after the time of its closed form [s]."""
_JOINTS = frozenset(
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
        Noun.COUPLING,
    )
)
_OUTSIDE = (APART_AT_REST, REST_LEFT_OUT)
Poses = Mapping[str, Pose]
"""World poses of bodies by name, Z up."""


@dataclass(frozen=True, slots=True)
class Truth:
    """Where a probe must be, and when."""

    stops: tuple[float, float]
    """[s]"""
    values: tuple[float, float]
    """[m or rad]"""
    is_resting: bool


@dataclass(frozen=True, slots=True)
class Job:
    """A file to run."""

    path: Path
    gravity: tuple[float, float, float]
    """For formats that do not store it [m/s²]."""
    stops: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What an engine makes of the file of a probe."""

    values: tuple[float | None, ...]
    """What is measured at each stop [m or rad]; None where there is no body."""
    is_judged: bool
    """Whether the values say anything: not where steps are too long for a body in motion."""
    differs: bool
    reported: tuple[str, ...]
    """Losses of the file and warnings of the engine report."""
    converted: tuple[str, ...]
    """What else may explain a difference: conversions, and what the checks say of any engine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A format and an engine that reads it."""

    name: str
    suffix: str
    is_here: Callable[[], bool]
    write: Callable[[Probe, Path], Written]
    """Write the file of a probe; return what is lost."""
    report: Callable[[Probe], Sequence[Finding]] = lambda _probe: ()
    """Return what the engine report says of it."""
    run: Callable[[Sequence[Job]], Sequence[Sequence[Poses]]]
    judges_motion: bool = True
    """Whether steps are short enough that bodies in motion are where they should be."""

    def results(self, probes: Sequence[Probe]) -> list[Result]:
        """Return what the engine makes of the file of each probe."""
        with TemporaryDirectory() as folder:
            jobs, found = [], []
            for number, probe in enumerate(probes):
                path = Path(folder, f"probe{number}{self.suffix}")
                found.append(notes(probe.scene(), self.write(probe, path), self.report(probe)))
                jobs.append(Job(path, probe.gravity, truth(probe).stops))
            runs = self.run(jobs)
        return [
            self._judged(probe, run, *note)
            for probe, run, note in zip(probes, runs, found, strict=True)
        ]

    def _judged(
        self,
        probe: Probe,
        run: Sequence[Poses],
        reported: tuple[str, ...],
        converted: tuple[str, ...],
    ) -> Result:
        known, close = truth(probe), TOLERANCE[probe.is_angular]
        values = tuple(measured(probe, poses) for poses in run) or (None,)
        is_judged = self.judges_motion or known.is_resting
        differs = any(
            value is None or not abs(value - expected) <= close
            for value, expected in zip(values, known.values, strict=False)
        )
        return Result(values, is_judged, is_judged and differs, reported, converted)


def notes(
    scene: PhysicsScene, written: Written, findings: Sequence[Finding]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what is reported to differ, and what is converted or wrong in any engine."""
    losses = [loss for loss in written.losses if loss.noun in _JOINTS and not loss.is_same]
    lost = {str(loss.noun) for loss in losses if loss.how != How.CONVERTED}
    converted = {str(loss.noun) for loss in losses if loss.how == How.CONVERTED} - lost
    found = [*written.findings, *findings]
    codes = {item.code[4:] for item in found if item.severity != Severity.INFO}
    at_rest = [item for item in check_frames(scene) if item.rule in _OUTSIDE]
    anyhow = {item.code[4:] for item in at_rest}
    return tuple(sorted(lost | codes)), tuple(sorted(converted | anyhow))


@cache
def truth(probe: Probe) -> Truth:
    """Return where a probe must be, and when."""
    stops = (probe.seconds / 2.0, probe.seconds, *(probe.seconds + more for more in LATER))
    values = ours(probe, stops)
    spread = max(abs(value - values[1]) for value in values[2:])
    if spread <= TOLERANCE[probe.is_angular] / 5.0:
        return Truth(stops[2:], (probe.expected, probe.expected), is_resting=True)
    return Truth(stops[:2], (values[0], probe.expected), is_resting=False)


def ours(probe: Probe, stops: Sequence[float]) -> list[float]:
    """Return what our solver makes of a probe at some times [m or rad]."""
    simulation = Simulation(probe.scene())
    found, step = [], 0
    for stop in stops:
        while step < round(stop * 60):
            simulation.advance(1.0 / 60.0)
            step += 1
        poses = simulation.relative_poses()
        found.append(probe.measured(Pose(poses.position[0], poses.rotation[0])))
    return found


def measured(probe: Probe, poses: Poses) -> float | None:
    """Return the metric of the connected frame from where the body is, None without one."""
    scene = probe.scene()
    (body,) = scene.motions
    if scene.names[body] not in poses:
        return None
    frames = pose_from_matrix(scene.matrices)
    (joint,) = scene.joints

    def at(node: int) -> Pose:
        return Pose(frames.position[node], frames.rotation[node])

    moved = compose(poses[scene.names[body]], relative_pose(at(body), at(joint.other)))
    return probe.measured(relative_pose(at(joint.node), moved))


def anchored(probe: Probe) -> PhysicsScene:
    """Return a probe whose fixed end is a static body with a collider: joints must be below one."""
    scene = probe.scene()
    still = {1: Motion(type=MotionType.STATIC)}
    # Nothing else has a collider, so nothing touches it.
    solid = {1: Collider(shape=Sphere(radius=0.01))}
    return replace(scene, motions={**scene.motions, **still}, colliders=solid)


def save(written: Written, path: Path) -> Written:
    """Write the files of a document beside each other, and return it."""
    write_files(path.parent, written.files)
    return written


def z_up(numbers: Sequence[float | None]) -> Pose:
    """Return a pose of glTF's axes, x y z and x y z w, with Z up; None, for JSON, is NaN."""
    x, y, z, i, j, k, w = (math.nan if number is None else number for number in numbers)
    return Pose(np.array((x, -z, y)), np.array((i, -k, j, w)))


def write_as(format_: object, scene: PhysicsScene, path: Path, **options: str) -> Written:
    """Write a scene into a file."""
    return save(format_.write(scene, Target(path=path, options=options)), path)
