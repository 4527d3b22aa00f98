"""The course of a simulation: what `simulate` prints and writes of it."""

import csv
import io
import math
from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from ..core.meaning.animated import scene_at
from ..core.meaning.naming import distinct_names
from ..core.meaning.sag import scene_sags
from ..core.model.axes import AXIS_LETTERS
from ..core.model.pose import Array
from ..core.model.scene import PhysicsScene
from ..core.solver import Options, Simulation, SimulationError
from ..core.solver.trajectory import trajectory_of
from .errors import CommandError
from .file_report import plural
from .terminal import Painter, printable

_NOTABLE_SAG = 1e-3
_STILL = 1e-3
"""Motion [m or degrees] that is not worth a curve."""
_POSE = ("x", "y", "z", "qx", "qy", "qz", "qw")
_VALUES = ("x", "y", "z", "rx", "ry", "rz")
_FORCE = ("fx", "fy", "fz")
_Columns = tuple[list[str], Array]
"""Names, and values of each frame (f, names)."""


class SimulatedCourse:
    """What the bodies and joints of a scene do from frame to frame.

    Raises `CommandError` where nothing can move, or not to the end.
    """

    def __init__(
        self,
        scene: PhysicsScene,
        *,
        seconds: float,
        fps: float,
        rigid_locks: bool,
        contacts: bool,
    ) -> None:
        options = Options(rigid_locks=rigid_locks, contacts=contacts)
        self._simulation = Simulation(scene_at(scene, 0.0), options=options)
        if not self._simulation.moving_nodes:
            raise CommandError("no dynamic body can move")
        try:
            self._motion = trajectory_of(self._simulation, options, seconds=seconds, fps=fps)
        except SimulationError as error:
            raise CommandError(str(error)) from error

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
        yield from self._visits()

    def _visits(self) -> Iterator[str]:
        """Yield which bodies were in which triggers, and from when to when."""
        names, frames = self._simulation.scene.names, self._motion.inside
        for pair in sorted(set().union(*frames)):
            is_in = np.array([pair in each for each in frames], int)
            edges = np.flatnonzero(np.diff(is_in, prepend=0, append=0)).reshape(-1, 2)
            times = ((frames[first][pair][0], frames[last - 1][pair][1]) for first, last in edges)
            spans = (f"{start:.3g} s to {end:.3g} s" for start, end in times)
            trigger, body = (printable(names[node]) for node in pair)
            yield f"{body} is in {trigger}: {', '.join(spans)}"

    def summary(self) -> str:
        """Return how much there is."""
        simulation = self._simulation
        moving, joints = len(simulation.moving_nodes), len(self._motion.joints)
        frames = len(self._motion.times) - 1
        bodies = plural(moving, "moving body", "moving bodies")
        counts = f"{plural(frames, 'frame')}, {bodies}, {plural(joints, 'joint')}"
        return f"{counts}, {'with' if simulation.has_contacts else 'without'} contacts"

    def table(self, more: Collection[str] = ()) -> str:
        """Return the table as CSV, with `more` columns (`simulate.MORE_COLUMNS`)."""
        parts = [self._columns(), *(self._more_columns()[name] for name in more)]
        text = io.StringIO(newline="")
        table = csv.writer(text)
        table.writerow([name for names, _values in parts for name in names])
        rows = np.concatenate([values for _names, values in parts], axis=1)
        table.writerows([f"{number:.9g}" for number in row] for row in rows)
        return text.getvalue()

    def _columns(self) -> _Columns:
        scene, motion = self._simulation.scene, self._motion
        known = distinct_names(scene)
        bodies = [known[node] for node in sorted(scene.motions)]
        names = [
            "time",
            *(f"{name}.{part}" for name in bodies for part in _POSE),
            *(f"{name}.{part}" for name in self._joint_names() for part in _VALUES),
        ]
        poses = np.concatenate((motion.positions, motion.rotations), axis=-1)
        parts = (motion.times[:, None], poses, motion.joint_values)
        return names, np.concatenate(
            [part.reshape(len(motion.times), -1) for part in parts], axis=1
        )

    def _more_columns(self) -> dict[str, _Columns]:
        motion, names = self._motion, distinct_names(self._simulation.scene)
        touching = [f"{names[one]} from {names[other]}" for one, other in motion.touching]
        visits = sorted(set().union(*motion.inside))
        is_in = [[float(pair in pairs) for pair in visits] for pairs in motion.inside]
        return {
            "states": (
                [f"{name}.state" for name in self._joint_names()],
                np.array(motion.joint_states, float).reshape(len(motion.times), -1),
            ),
            "contacts": (
                [f"{name}.{part}" for name in touching for part in _FORCE],
                motion.contact_forces.reshape(len(motion.times), -1),
            ),
            "triggers": (
                [f"{names[body]} in {names[trigger]}" for trigger, body in visits],
                np.array(is_in).reshape(len(motion.times), -1),
            ),
        }

    def _joint_names(self) -> list[str]:
        scene = self._simulation.scene
        names = distinct_names(scene)
        return [names[scene.joints[n].node] for n in self._motion.joints]

    def plots(self) -> bytes:
        """Return a PNG of position and rotation of each joint over time."""
        from matplotlib import style

        # A matplotlibrc of the working folder may have TeX started; names are no formulas.
        with style.context(["default", {"text.parse_math": False}]):
            return self._picture()

    def _picture(self) -> bytes:
        figure: Any = figure_class()(figsize=(9.0, 6.0), layout="constrained")
        upper, lower = figure.subplots(2, 1, sharex=True)
        curves = self._motion.joint_values
        self._curves(upper, curves[..., :3], "position [m]")
        self._curves(lower, np.degrees(curves[..., 3:]), "twist [°]")
        lower.set_xlabel("time [s]")
        picture = io.BytesIO()
        figure.savefig(picture, dpi=100, format="png")
        return picture.getvalue()

    def _curves(self, axes: Any, values: Array, label: str) -> None:
        """Draw what moves among values (t, j, 3)."""
        for number, name in enumerate(self._joint_names()):
            for part, axis in enumerate(AXIS_LETTERS):
                if np.ptp(values[:, number, part]) > _STILL:
                    axes.plot(self._motion.times, values[:, number, part], label=f"{name} {axis}")
        axes.set_ylabel(label)
        axes.grid(visible=True)
        if axes.lines:
            axes.legend(fontsize="small")


def figure_class() -> Any:
    """Return the class of figures of matplotlib; raises `CommandError` without it."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise CommandError(
            "--picture requires matplotlib: pip install matplotlib, or plot the --csv file"
        ) from error
    return Figure
