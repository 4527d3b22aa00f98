"""Draw the joints of a glTF or Blender file as a PNG.

The scene as Blender's Workbench shows it, with the joints drawn over it as in the viewport; what
objects hide is dimmed. The camera stands so that all joints are in the picture. Needs Blender, but
neither a window nor a graphics card.

examples:
  picture door.glb door.png
  picture ragdoll.blend ragdoll.png --size 1920 1080 --from 60 45
"""

import argparse
import importlib
import math
from pathlib import Path

from .blender import PACKAGE, blender, quiet
from .errors import CommandError

NAME = "picture"
_MOST = 8192
"""Largest side [pixels]."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", type=Path, metavar="FILE", help=".gltf, .glb or .blend")
    parser.add_argument("target", type=Path, metavar="OUT.png", help="picture to write")
    parser.add_argument(
        "--size",
        type=int,
        nargs=2,
        default=(1280, 960),
        metavar=("WIDTH", "HEIGHT"),
        help="in pixels (default: 1280 960)",
    )
    parser.add_argument(
        "--from",
        dest="angles",
        type=float,
        nargs=2,
        default=(62.0, -35.0),
        metavar=("TILT", "TURN"),
        help="camera in degrees, tilted from straight above and turned from the front "
        "(default: 62 -35)",
    )


def run(options: argparse.Namespace) -> int:
    """Draw the picture and return the exit code."""
    source, target = options.source.resolve(), options.target.resolve()
    if not source.is_file():
        raise CommandError(f"{options.source}: No such file")
    if not target.parent.is_dir():
        raise CommandError(f"{target.parent} is no folder")
    if not all(1 <= side <= _MOST for side in options.size):
        raise CommandError(f"a picture is 1 to {_MOST} pixels wide and high")
    with blender() as bpy, quiet():
        pictures = importlib.import_module(f"{PACKAGE}.pictures.picture")
        angles = tuple(map(math.radians, options.angles))
        try:
            pictures.picture(bpy.context, source, target, size=tuple(options.size), angles=angles)
        except pictures.PictureError as error:
            raise CommandError(str(error)) from error
    return 0
