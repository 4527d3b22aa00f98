"""Write a file, or a picture, with joints at positions.

Positions are in meters and radians, in degrees with "deg" behind the number, and counted as in the
file. Joints that follow others go along. A pose with a name is one of the file's own: a keyframe of
MJCF, or a group state in the SRDF file beside a URDF. The options are taken in their order.
Without OUT, the positions and the named poses of the file are listed.

examples:
  pose robot.urdf
  pose robot.urdf posed.glb --set lift=0.5 --set bend=-30deg
  pose robot.xml posed.xml --pose home
  pose robot.urdf posed.png --pose home --set elbow=0.5
"""

import argparse
import difflib
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.findings.loss import grouped
from ..io import registry
from ..io.contents import write_files
from ..io.files import scratch
from ..io.formats.format import Target, UnwritableError
from ..io.formats.gltf import GLTF
from ..io.formats.keeping import written_scene
from .errors import CommandError
from .file_report import amounts
from .outputs import Output, add_force_argument
from .sources import KINDS, add_size_argument, read_first
from .terminal import printable, say, working

if TYPE_CHECKING:
    from ..core.model.scene import PhysicsScene

_DEGREES = "deg"
_DIGITS = 12
"""Decimals of positions that are measured between frames."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", type=Path, metavar="FILE", help=KINDS)
    parser.add_argument(
        "target",
        type=Path,
        nargs="?",
        metavar="OUT",
        help="file to write, in any known format, or .png",
    )
    parser.add_argument(
        "--set",
        dest="positions",
        action="append",
        type=_position,
        default=[],
        metavar="JOINT=VALUE",
        help="put a joint with one axis at a position, such as lift=0.5 or lift=30deg",
    )
    parser.add_argument(
        "--pose",
        dest="positions",
        action="append",
        metavar="NAME",
        help="put joints where a named pose of the file has them",
    )
    add_force_argument(parser)
    add_size_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Write the posed scene, or list positions, and return the exit code."""
    from ..core.meaning.posing import posed_scene

    with working(f"reading {options.source.name}"):
        read = read_first(options.source, options)
    wanted = positions_of(read.scene, options.positions)
    try:
        posed = posed_scene(read.scene, wanted)
    except ValueError as error:
        raise CommandError(str(error)) from error
    if options.target is None:
        sys.stdout.writelines(f"{line}\n" for line in _listed(posed))
        return 0
    _write(posed, options, inputs=(options.source, *read.files))
    return 0


def positions_of(
    scene: "PhysicsScene", asked: Sequence["tuple[str, float] | str"]
) -> dict[int, float]:
    """Return positions [m or rad] by number of the joint; raises `CommandError`.

    Each is a joint with its position, or the name of a pose.
    """
    numbers = {scene.names[joint.node]: number for number, joint in enumerate(scene.joints)}
    poses = {pose.name: pose for pose in scene.poses}
    found: dict[int, float] = {}
    for each in asked:
        if isinstance(each, str):
            pose = poses.get(each)
            if pose is None:
                raise CommandError(_unknown("pose", each, poses))
            pairs = [(name, at) for name, at in pose.positions if name in numbers]
        else:
            pairs = [each]
        for name, at in pairs:
            if name not in numbers:
                raise CommandError(_unknown("joint", name, numbers))
            found[numbers[name]] = at
    return found


def _write(scene: "PhysicsScene", options: argparse.Namespace, *, inputs: Sequence[Path]) -> None:
    if options.target.suffix.lower() == ".png":
        output = Output(options.target, inputs=inputs, force=options.force)
        output.write_all({options.target.name: _drawn(scene)}, options.target.name)
        return
    row = registry.format_for(options.target)
    if row is None:
        known = ", ".join(registry.suffixes())
        raise CommandError(f"{options.target} is not in a known format ({known})")
    output = Output(options.target, inputs=inputs, force=options.force)
    try:
        written = written_scene(row, scene, Target(path=options.target))
    except UnwritableError as error:
        raise CommandError(f"{options.target}: {error}") from error
    output.write_all(written.files, options.target.name)
    for line in grouped([loss for loss in written.losses if not loss.is_same]):
        say(printable(line))
    sys.stdout.write(f"wrote {options.target}: {amounts(scene)}\n")


def _drawn(scene: "PhysicsScene") -> bytes:
    """Return a picture of a scene."""
    from .picture import drawn

    with working("drawing"), scratch() as folder:
        step = folder / "scene.glb"
        write_files(folder, GLTF.write(scene, Target(path=step)).files)
        return drawn(step)


def _listed(scene: "PhysicsScene") -> Iterator[str]:
    """Yield the positions of joints with one axis, then the named poses."""
    from ..core.meaning.posing import positions_at_rest

    for name, (at, is_angle) in positions_at_rest(scene).items():
        value = round(at, _DIGITS) + 0.0
        shown = f"{value:.6g} rad ({math.degrees(value):.4g}°)" if is_angle else f"{value:.6g} m"
        yield f"{printable(name)}: {shown}"
    for pose in scene.poses:
        yield f"pose {printable(pose.name)}: {len(pose.positions)} joints"


def _position(text: str) -> tuple[str, float]:
    name, _, value = text.rpartition("=")
    unit = math.pi / 180.0 if value.endswith(_DEGREES) else 1.0
    try:
        number = unit * float(value.removesuffix(_DEGREES))
    except ValueError:
        number = math.nan
    if not name or not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{text!r} is not JOINT=NUMBER or JOINT=NUMBERdeg")
    return name, number


def _unknown(what: str, name: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known) or 'none'}"
    return printable(f"unknown {what} {name!r}; {hint}")
