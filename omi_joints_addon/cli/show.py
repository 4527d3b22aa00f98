"""Show the bodies and joints of a file of any known format.

Prints the tree of connected bodies, then a table of all joints: their kind, their limits and drives
in degrees and meters, and what they become in an engine. Each body is below the body that its
joint connects it to; a body with several joints is shown in full once.

examples:
  show door.glb
  show ragdoll.blend --engine godot
  show both.glb --dialect khr
"""

import argparse
import sys
from pathlib import Path

from ..io.collector import without_collections
from ..io.formats.format import UnreadableError
from .engines import add_engine_argument
from .errors import CommandError
from .sources import KINDS, add_dialect_argument, add_size_argument, reads
from .terminal import Painter, working


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=KINDS)
    add_engine_argument(parser, help="engine whose joint types are shown (default: godot)")
    add_dialect_argument(parser, help="glTF dialects to read: omi, khr (default: omi,khr)")
    add_size_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Show the file and return the exit code."""
    from ..core.engines.godot import GODOT
    from .overview import overview

    painter = Painter(options)
    with without_collections():
        with working(f"reading {options.file.name}"):
            try:
                found = reads(options.file, options)
            except UnreadableError as error:
                raise CommandError(f"{options.file}: {error}") from error
        for read in found:
            with working("working out what joints become"):
                lines = list(overview(read, options.engine or GODOT, painter))
            sys.stdout.writelines(line + "\n" for line in lines)
    return 0
