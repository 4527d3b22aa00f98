"""Show the bodies and joints of a file of any known format.

Prints the tree of connected bodies, then a table of all joints: their kind, their limits and drives
in degrees and meters, and what they become in an engine. Each body is below the body that its
joint connects it to; ↓ is the next link of a chain. A body with several joints is shown in full
once. Equal names are followed by the number of the node, such as Wheel#12.

examples:
  show door.glb
  show ragdoll.blend --engine godot
  show both.glb --dialect khr
  show door.glb --format json
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..io.collector import without_collections
from ..io.formats.format import Read, UnreadableError
from ..io.registry import format_for
from .engines import add_engine_argument, engine_of
from .errors import CommandError
from .sources import KINDS, add_dialect_argument, add_size_argument, reads
from .terminal import Painter, json_text, working
from .tool import NAME, version


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", type=Path, metavar="FILE", help=KINDS)
    add_engine_argument(
        parser,
        help="engine whose joint types are shown (default: godot for glTF and Blender files)",
    )
    add_dialect_argument(parser, help="glTF dialects to read: omi, khr (default: omi,khr)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format")
    add_size_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Show the file and return the exit code."""
    with without_collections():
        with working(f"reading {options.file.name}"):
            try:
                found = reads(options.file, options)
            except UnreadableError as error:
                raise CommandError(f"{options.file}: {error}") from error
        sys.stdout.writelines(_shown(found, options))
    return 0


def _shown(found: Sequence[Read], options: argparse.Namespace) -> Iterator[str]:
    """Yield texts about the scenes of a file."""
    from ..core.engines.godot import GODOT
    from .overview import overview
    from .scene_json import scene_to_json

    engine = engine_of(options.engine)
    if options.format == "json":
        scenes = [scene_to_json(read, engine or GODOT) for read in found]
        tool = {"name": NAME, "version": version()}
        yield json_text({"version": 1, "tool": tool, "scenes": scenes}) + "\n"
        return
    painter = Painter(options)
    if engine is None and _is_for_games(options.file):
        engine = GODOT
    for read in found:
        with working("working out what joints become"):
            lines = list(overview(read, engine, painter))
        yield from (line + "\n" for line in lines)


def _is_for_games(path: Path) -> bool:
    """Return whether a file is of a format that game engines read."""
    row = format_for(path)
    return row is None or row.name in ("gltf", "blend")
