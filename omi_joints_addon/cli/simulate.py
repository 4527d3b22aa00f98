"""Simulate the joints of a file of any known format and write the motion of everything.

Colliders collide where MuJoCo is installed (pip install "omi-physics-joints[contacts]"); the last
line says whether they did. Limits and drives that the file animates change as it says; of
several animations of one number, the first counts. The table has one line per frame, Z up: the
time, the position [m] and rotation (quaternion x y z w) of each body, and for each active joint the
position [m] of the connected frame in the joint's frame and the twists about its axes [rad].

With --program the position targets of drives follow a table: time in seconds, and a column for each
joint, with its name and positions [m] or [rad]. The table that this command writes is one.

More columns on request: --columns states adds what holds each joint, as "Door.state": 0 nothing
beside its locks, 1 a limit, 2 a drive that gives its largest force, 3 it is past a limit, 4 it
broke. Over the time since the line before, contacts adds the mean force [N] on each body from each
thing that it touches, as "Box from Floor.fx"; triggers adds 1 where a body was in a trigger, as
"Box in Zone", else 0.

examples:
  simulate door.glb --seconds 5 --csv door.csv
  simulate rope.gltf --rigid-locks --csv rope.csv --picture rope.png
  simulate door.glb --no-contacts --csv - | head
  simulate arm.xml --program moves.csv --csv arm.csv
  simulate heap.glb --columns contacts,triggers --csv heap.csv
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..io.files import real
from .errors import CommandError
from .outputs import Output, add_force_argument, write_together
from .sources import KINDS, STANDARD, add_size_argument, read_first
from .terminal import Painter, printable, say, working

if TYPE_CHECKING:
    from ..core.model.scene import PhysicsScene
    from .course import SimulatedCourse

_LONGEST = 3600.0
MORE_COLUMNS = ("states", "contacts", "triggers")
"""Columns that a table has on request."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=KINDS)
    _add_table_arguments(parser)
    parser.add_argument(
        "--program",
        type=Path,
        metavar="IN.csv",
        help="table of joint positions over time that the targets of drives follow",
    )
    parser.add_argument(
        "--start", metavar="POSE", help="start from a named pose of the file (see pose)"
    )
    parser.add_argument(
        "--rigid-locks",
        action="store_true",
        help="treat finite stiffness on locked axes as rigid",
    )
    parser.add_argument(
        "--no-contacts",
        dest="contacts",
        action="store_false",
        help="let bodies pass through each other",
    )
    add_force_argument(parser)
    add_size_argument(parser)


def _add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add how long it simulates and what it writes."""
    parser.add_argument(
        "--seconds", type=float, default=5.0, help="duration in seconds (default: 5)"
    )
    parser.add_argument("--fps", type=float, default=60.0, help="rows per second (default: 60)")
    parser.add_argument("--csv", type=Path, metavar="OUT.csv", help="CSV table to write")
    parser.add_argument(
        "--picture", type=Path, metavar="OUT.png", help="plot to draw; requires matplotlib"
    )
    parser.add_argument(
        "--columns",
        type=_columns,
        default=(),
        metavar="NAME[,NAME]",
        help=f"more columns of the table: {', '.join(MORE_COLUMNS)}",
    )


def run(options: argparse.Namespace) -> int:
    """Simulate the file and return the exit code."""
    from .course import SimulatedCourse, figure_class

    if not (0.0 < options.seconds <= _LONGEST and 1.0 <= options.fps <= 1000.0):
        raise CommandError(f"seconds must be at most {_LONGEST:g}, fps 1 to 1000")
    with working(f"reading {options.file.name}"):
        read = read_first(options.file, options)
    scene = read.scene if options.start is None else _started(read.scene, options.start)
    scene = scene if options.program is None else _programmed(scene, options.program)
    inputs = (options.file, *read.files, *filter(None, [options.program]))
    table = Output(options.csv, inputs=inputs, force=options.force, suffixes=())
    plots = Output(options.picture, inputs=inputs, force=options.force, suffixes=(".png",))
    if table and plots and real(options.csv) == real(options.picture):
        raise CommandError(f"--csv and --picture are both {options.csv}; name two files")
    if plots:
        figure_class()
    try:
        values = {
            name: getattr(options, name) for name in ("seconds", "fps", "rigid_locks", "contacts")
        }
        with working(f"simulating {options.seconds:g} s"):
            course = SimulatedCourse(scene, **values)
    except CommandError as error:
        raise CommandError(f"{options.file}: {error}") from error
    wanted = {table: lambda: course.table(options.columns).encode(), plots: course.plots}
    write_together({output: data() for output, data in wanted.items() if output})
    _print_summary(course, options)
    return 0


def _started(scene: "PhysicsScene", name: str) -> "PhysicsScene":
    """Return a scene in one of its named poses; raises `CommandError`."""
    from ..core.meaning.posing import posed_scene
    from .pose import positions_of

    try:
        return posed_scene(scene, positions_of(scene, [name]))
    except ValueError as error:
        raise CommandError(str(error)) from error


def _programmed(scene: "PhysicsScene", path: Path) -> "PhysicsScene":
    """Return a scene whose drives follow a table of positions; raises `CommandError`."""
    from ..core.meaning.programs import following
    from ..io.positions import PositionsError, positions_of

    try:
        found = positions_of(path)
    except PositionsError as error:
        raise CommandError(f"{path}: {error}") from error
    followed, program = following(scene, found.seconds, found.columns)
    for names, text in (
        (program.unknown, "not joints of the file"),
        (program.undriven, "without a drive with stiffness"),
    ):
        if names:
            say(printable(f"{path}: {text}: {', '.join(names)}"))
    if not program.followed:
        raise CommandError(f"{path}: no drive follows any of its columns")
    return followed


def _columns(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    if unknown := [name for name in names if name not in MORE_COLUMNS]:
        known = ", ".join(MORE_COLUMNS)
        raise argparse.ArgumentTypeError(
            f"unknown columns {', '.join(unknown)!r} (choose from {known})"
        )
    return names


def _print_summary(course: "SimulatedCourse", options: argparse.Namespace) -> None:
    """Print what to know of a simulation, beside a table or picture on standard output too."""
    painter = Painter(options)
    for line in course.remarks(painter):
        say(line)
    names = [
        printable(str(path))
        for path in (options.csv, options.picture)
        if path not in (None, STANDARD)
    ]
    wrote = f"wrote {' and '.join(names)}: " if names else ""
    summary = painter.bold(f"{wrote}{course.summary()}")
    if STANDARD in (options.csv, options.picture):
        say(summary)
    else:
        sys.stdout.write(summary + "\n")
