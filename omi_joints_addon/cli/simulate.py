"""Simulate the joints of a glTF or Blender file and write where everything goes.

Joints only: bodies do not collide. The table has one line per frame: the time, of each body its
position [m] and rotation (quaternion x y z w), of each joint that acts the position [m] of the
connected frame in the joint's frame and the twists about its axes [rad].

examples:
  simulate door.glb --seconds 5 --csv door.csv
  simulate rope.gltf --rigid-locks --csv rope.csv --picture rope.png
"""

import argparse
import csv
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core.meaning.freedom import values_of_pose
from ..core.meaning.sag import scene_sags
from ..core.model.joint import JointSettings
from ..core.model.pose import Array, pose_from_matrix
from ..core.model.scene import PhysicsScene
from ..core.solver import Options, Simulation, Simulator
from .errors import CommandError
from .sources import Source, UnreadableError, add_size_argument, sources
from .terminal import Painter, printable

NAME = "simulate"
_LONGEST = 3600.0
_NOTABLE_SAG = 1e-3
_STILL = 1e-3
"""Motion [m or degrees] that is not worth a curve."""
_POSE = ("x", "y", "z", "qx", "qy", "qz", "qw")
_VALUES = ("x", "y", "z", "rx", "ry", "rz")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=".gltf, .glb or .blend")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long (default: 5)")
    parser.add_argument("--fps", type=float, default=60.0, help="lines a second (default: 60)")
    parser.add_argument("--csv", type=Path, metavar="OUT.csv", help="table to write")
    parser.add_argument(
        "--picture", type=Path, metavar="OUT.png", help="plots to draw; needs matplotlib"
    )
    parser.add_argument(
        "--rigid-locks",
        action="store_true",
        help="treat finite stiffness on locked axes as rigid",
    )
    add_size_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Simulate the file and return the exit code."""
    if not (0.0 < options.seconds <= _LONGEST and 1.0 <= options.fps <= 1000.0):
        raise CommandError(f"seconds are up to {_LONGEST:g}, fps 1 to 1000")
    try:
        source = sources(options.file, options)[0]
    except UnreadableError as error:
        raise CommandError(f"{options.file}: {error}") from error
    simulation: Simulator = Simulation(
        source.scene, options=Options(rigid_locks=options.rigid_locks)
    )
    if not simulation.moving_nodes:
        raise CommandError(f"{options.file}: no dynamic body can move")
    rows = np.array(list(_rows(simulation, round(options.seconds * options.fps), options.fps)))
    names = _columns(simulation)
    for line in _summary(source, simulation, rows, Painter(options)):
        sys.stdout.write(line + "\n")
    if options.csv:
        _write(options.csv, names, rows)
    if options.picture:
        _plot(options.picture, simulation, rows)
    return 0


def _columns(simulation: Simulator) -> list[str]:
    bodies = [simulation.scene.names[node] for node in sorted(simulation.scene.motions)]
    return [
        "time",
        *(f"{name}.{part}" for name in bodies for part in _POSE),
        *(f"{name}.{part}" for name in _joint_names(simulation) for part in _VALUES),
    ]


def _joint_names(simulation: Simulator) -> list[str]:
    joints = [simulation.scene.joints[number] for number in simulation.acting_joints]
    return [simulation.scene.names[joint.node] for joint in joints]


def _rows(simulation: Simulator, count: int, fps: float) -> Iterator[Array]:
    nodes = sorted(simulation.scene.motions)
    before = np.zeros((len(nodes), 4))
    for frame in range(count + 1):
        if frame:
            simulation.advance(1.0 / fps)
        now = replace(simulation.scene, matrices=simulation.matrices())
        poses = pose_from_matrix(now.matrices[nodes])
        before = _kept_near(poses.rotation, before)
        bodies = np.concatenate((poses.position, before), axis=-1)
        joints = values_of_pose(_WHOLE, now.relative_poses())[list(simulation.acting_joints)]
        yield np.concatenate(([simulation.time], bodies.ravel(), joints.ravel()))


_WHOLE = JointSettings()


def _kept_near(rotation: Array, before: Array) -> Array:
    """Return quaternions (n, 4) with the signs that make them continue those before."""
    turned = (rotation * before).sum(axis=-1, keepdims=True) < 0.0
    return np.where(turned, -rotation, rotation)


def _summary(source: Source, simulation: Simulator, rows: Array, painter: Painter) -> Iterator[str]:
    """Yield what to know about the result."""
    scene: PhysicsScene = simulation.scene
    for number, sag in scene_sags(scene).items():
        if sag > _NOTABLE_SAG:
            name = printable(scene.names[scene.joints[number].node])
            way = "falls" if math.isinf(sag) else f"sags {sag:.3g} m"
            yield f"{name} {way} under its load: soft locks (--rigid-locks takes them as rigid)"
    for found in simulation.findings:
        yield painter.dim(printable(str(found)))
    for problem in simulation.problems():
        yield printable(str(problem))
    yield painter.bold(
        f"{len(rows) - 1} frames, {len(simulation.moving_nodes)} moving bodies, "
        f"{len(simulation.acting_joints)} joints"
    )


def _write(path: Path, names: list[str], rows: Array) -> None:
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(names)
            table.writerows([f"{number:.9g}" for number in row] for row in rows)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error


def _plot(path: Path, simulation: Simulator, rows: Array) -> None:
    """Draw position and rotation of each joint over time."""
    try:
        from matplotlib.figure import Figure  # type: ignore[import-not-found]
    except ImportError as error:
        raise CommandError("--picture needs matplotlib; install it, or plot the --csv") from error
    figure: Any = Figure(figsize=(9.0, 6.0), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    first = 1 + len(_POSE) * len(simulation.scene.motions)
    curves = rows[:, first:].reshape(len(rows), -1, 2, 3)
    names = [
        simulation.scene.names[simulation.scene.joints[n].node] for n in simulation.acting_joints
    ]
    _curves(upper, rows[:, 0], names, curves[:, :, 0], "position [m]")
    _curves(lower, rows[:, 0], names, np.degrees(curves[:, :, 1]), "twist [°]")
    lower.set_xlabel("time [s]")
    try:
        figure.savefig(path, dpi=100)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from error


def _curves(axes: Any, times: Array, names: list[str], values: Array, label: str) -> None:
    """Draw what moves among values (t, j, 3)."""
    for number, name in enumerate(names):
        for part, axis in enumerate("XYZ"):
            if np.ptp(values[:, number, part]) > _STILL:
                axes.plot(times, values[:, number, part], label=f"{name} {axis}")
    axes.set_ylabel(label)
    axes.grid(visible=True)
    if axes.lines:
        axes.legend(fontsize="small")
