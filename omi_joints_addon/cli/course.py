"""The course of a simulation: what `simulate` prints and writes of it."""

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.meaning.freedom import values_of_pose
from ..core.meaning.sag import scene_sags
from ..core.model.axes import AXIS_LETTERS
from ..core.model.joint import JointSettings
from ..core.model.pose import Array, pose_from_matrix
from ..core.model.scene import PhysicsScene
from ..core.solver import Options, Simulation, Simulator
from .errors import CommandError
from .terminal import Painter, printable

_NOTABLE_SAG = 1e-3
_STILL = 1e-3
"""Motion [m or degrees] that is not worth a curve."""
_POSE = ("x", "y", "z", "qx", "qy", "qz", "qw")
_VALUES = ("x", "y", "z", "rx", "ry", "rz")
_WHOLE = JointSettings()


class Course:
    """What the bodies and joints of a scene do from frame to frame.

    Raises `CommandError` where nothing can move.
    """

    def __init__(
        self, scene: PhysicsScene, *, seconds: float, fps: float, rigid_locks: bool
    ) -> None:
        self._simulation: Simulator = Simulation(scene, options=Options(rigid_locks=rigid_locks))
        if not self._simulation.moving_nodes:
            raise CommandError("no dynamic body can move")
        self._rows = np.array(list(self._frames(round(seconds * fps), fps)))

    def _frames(self, count: int, fps: float) -> Iterator[Array]:
        simulation = self._simulation
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

    def remarks(self, painter: Painter) -> Iterator[str]:
        """Yield what to know before the result is believed."""
        simulation = self._simulation
        scene = simulation.scene
        for number, sag in scene_sags(scene).items():
            if sag > _NOTABLE_SAG:
                name = printable(scene.names[scene.joints[number].node])
                way = "falls" if math.isinf(sag) else f"sags {sag:.3g} m"
                yield f"{name} {way} under its load: soft locks (--rigid-locks takes them as rigid)"
        for found in simulation.findings:
            yield painter.dim(printable(str(found)))
        for problem in simulation.problems():
            yield printable(str(problem))

    def summary(self) -> str:
        """Return how much there is."""
        simulation = self._simulation
        moving, joints = len(simulation.moving_nodes), len(simulation.acting_joints)
        frames = len(self._rows) - 1
        return f"{frames} frames, {moving} moving bodies, {joints} joints"

    def table(self) -> str:
        """Return the table as CSV."""
        text = io.StringIO(newline="")
        table = csv.writer(text)
        table.writerow(self._columns())
        table.writerows([f"{number:.9g}" for number in row] for row in self._rows)
        return text.getvalue()

    def _columns(self) -> list[str]:
        scene = self._simulation.scene
        bodies = [scene.names[node] for node in sorted(scene.motions)]
        return [
            "time",
            *(f"{name}.{part}" for name in bodies for part in _POSE),
            *(f"{name}.{part}" for name in self._joint_names() for part in _VALUES),
        ]

    def _joint_names(self) -> list[str]:
        scene = self._simulation.scene
        return [scene.names[scene.joints[n].node] for n in self._simulation.acting_joints]

    def plots(self) -> bytes:
        """Return a PNG of position and rotation of each joint over time."""
        figure: Any = figure_class()(figsize=(9.0, 6.0), layout="constrained")
        upper, lower = figure.subplots(2, 1, sharex=True)
        first = 1 + len(_POSE) * len(self._simulation.scene.motions)
        curves = self._rows[:, first:].reshape(len(self._rows), -1, 2, 3)
        self._curves(upper, curves[:, :, 0], "position [m]")
        self._curves(lower, np.degrees(curves[:, :, 1]), "twist [°]")
        lower.set_xlabel("time [s]")
        picture = io.BytesIO()
        figure.savefig(picture, dpi=100, format="png")
        return picture.getvalue()

    def _curves(self, axes: Any, values: Array, label: str) -> None:
        """Draw what moves among values (t, j, 3)."""
        for number, name in enumerate(self._joint_names()):
            for part, axis in enumerate(AXIS_LETTERS):
                if np.ptp(values[:, number, part]) > _STILL:
                    axes.plot(self._rows[:, 0], values[:, number, part], label=f"{name} {axis}")
        axes.set_ylabel(label)
        axes.grid(visible=True)
        if axes.lines:
            axes.legend(fontsize="small")


def _kept_near(rotation: Array, before: Array) -> Array:
    """Return quaternions (n, 4) with the signs that make them continue those before."""
    turned = (rotation * before).sum(axis=-1, keepdims=True) < 0.0
    return np.where(turned, -rotation, rotation)


def figure_class() -> Any:
    """Return the class of figures of matplotlib; raises `CommandError` without it."""
    try:
        from matplotlib.figure import Figure  # type: ignore[import-not-found]
    except ImportError as error:
        raise CommandError(
            "--picture requires matplotlib; install it, or plot the --csv file"
        ) from error
    return Figure
