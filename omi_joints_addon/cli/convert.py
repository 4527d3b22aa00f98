"""Convert a file of any known format to any other, with joints and bodies.

The content of IN and the ending of OUT determine their formats. The file - is standard input or
output; --to is the format of standard output. Whatever means another thing in the target is listed
on stderr, one line for each cause: changed (it moves or collides differently), kept aside (only
this program reads it, and it comes back in its format) or looks only. What was written is printed
at the end.

Between .blend and glTF, Blender's own exporter and importer are used, with materials and
animations; this requires Blender. Their options are given by their Python names, repeatedly.

The glTF dialects of physics are omi (OMI_physics_joint, OMI_physics_body,
OMI_physics_shape) and khr (KHR_physics_rigid_bodies, KHR_implicit_shapes).

Exit code: 0 if the file is written, 1 if a joint has an error (the file is still written, unless
--stop-on-errors is given), --verify finds a difference, or --strict or --fail-on refuses or finds
that --verify left something out, 2 if the file cannot be written.

examples:
  convert door.blend door.glb
  convert door.glb door.blend
  convert door.blend door.gltf --option export_yup=False --option use_selection=True
  convert door.blend both.glb --dialect omi,khr
  convert khronos.glb omi.glb --dialect omi --strict
  convert door.blend door.glb --for godot
"""

import argparse
from pathlib import Path

from ..core.findings.loss import Kind
from ..io import registry
from ..io.collector import without_collections
from ..io.formats.format import UnreadableError, UnwritableError
from .conversion import Conversion, named_target
from .errors import CommandError
from .outputs import add_force_argument
from .sources import KINDS, add_dialect_argument, add_size_argument, readable


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", type=Path, metavar="IN", help=KINDS)
    parser.add_argument(
        "target",
        type=Path,
        metavar="OUT",
        help=f"file to write ({', '.join(registry.suffixes())}), or - for standard output",
    )
    parser.add_argument("--to", metavar="SUFFIX", help="format to write to standard output: glb, …")
    parser.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=(
            "option of the format or of Blender's glTF exporter or importer, for example "
            "export_apply=True"
        ),
    )
    _add_gltf_arguments(parser)
    add_force_argument(parser)
    _add_conditions(parser)
    parser.add_argument(
        "--report", choices=("text", "json"), default="text", help="format of the report"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="do not print what was written")
    add_size_argument(parser)


def _add_gltf_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what concerns glTF and .blend files."""
    add_dialect_argument(parser, help="glTF dialects to write: omi, khr or omi,khr")
    parser.add_argument(
        "--for",
        dest="for_",
        choices=("godot",),
        help=(
            "write glTF for one engine's importer instead of following the specification: godot "
            "(Godot 4); only that engine will read it correctly"
        ),
    )
    parser.add_argument(
        "--constraints",
        action="store_true",
        help="make joints of Blender's own Rigid Body Constraints in a .blend file",
    )


def _add_conditions(parser: argparse.ArgumentParser) -> None:
    """Add when nothing is written, and what is done before."""
    parser.add_argument(
        "--stop-on-errors",
        action="store_true",
        help="write nothing if the check finds an error in IN",
    )
    parser.add_argument(
        "--fail-on",
        choices=[kind.name.lower() for kind in Kind],
        metavar="KIND",
        help=(
            "write nothing if the report has a line of this kind or a graver one: changed (it "
            "moves or collides differently), kept (only this program reads it) or looks"
        ),
    )
    parser.add_argument(
        "--strict",
        dest="fail_on",
        action="store_const",
        const=Kind.CHANGED.name.lower(),
        help=(
            "write nothing if anything moves or collides differently in the file; the same as "
            "--fail-on changed"
        ),
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help=(
            "load IN and OUT with MuJoCo, Pinocchio or OpenUSD, whichever their formats belong "
            "to, and compare joints, their zeros and ranges, actuators, masses and colliders"
        ),
    )
    parser.add_argument(
        "--close-loops",
        action="store_true",
        help="move bodies along their joints until all loops close",
    )


def run(options: argparse.Namespace) -> int:
    """Convert the file and return the exit code."""
    try:
        with without_collections(), readable(options.source) as path:
            return Conversion(path, options).run()
    except UnreadableError as error:
        raise CommandError(f"{options.source}: {error}") from error
    except UnwritableError as error:
        raise CommandError(f"{named_target(options)}: {error}") from error
