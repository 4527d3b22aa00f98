"""Draw the joints of a file of any known format as a PNG.

The scene as Blender's Workbench renders it, with the joints drawn over it as in the viewport;
occluded parts are dimmed. The camera shows all joints. Requires Blender, but neither a window nor
a graphics card.

examples:
  picture door.glb door.png
  picture ragdoll.blend ragdoll.png --size 1920 1080 --from 60 45
"""

import argparse
import importlib
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..io import registry
from ..io.blend import BLEND, PACKAGE, blender, quiet
from ..io.contents import write_files
from ..io.files import real, scratch
from ..io.formats.format import Source, Target, UnreadableError, UnwritableError
from ..io.formats.gltf import GLTF
from ..io.formats.gltf.container import require_inside
from ..io.hook_errors import whole
from .errors import CommandError
from .outputs import Output, add_force_argument
from .sources import KINDS, STANDARD, readable
from .terminal import working

_SIZE, _ANGLES = (1280, 960), (62.0, -35.0)
_MOST = 8192
"""Largest side [pixels]."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", type=Path, metavar="FILE", help=KINDS)
    parser.add_argument("target", type=Path, metavar="OUT.png", help="picture to write")
    parser.add_argument(
        "--size",
        type=int,
        nargs=2,
        default=_SIZE,
        metavar=("WIDTH", "HEIGHT"),
        help="in pixels (default: 1280 960)",
    )
    parser.add_argument(
        "--from",
        dest="angles",
        type=float,
        nargs=2,
        default=_ANGLES,
        metavar=("TILT", "TURN"),
        help="camera in degrees, tilted from straight above and turned from the front "
        "(default: 62 -35)",
    )
    add_force_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Draw the picture and return the exit code."""
    if not all(1 <= side <= _MOST for side in options.size):
        raise CommandError(f"the width and height of a picture must be 1 to {_MOST} pixels")
    if not all(map(math.isfinite, options.angles)):
        raise CommandError("angles must be numbers in degrees")
    output = Output(
        options.target, inputs=(options.source,), force=options.force, suffixes=(".png",)
    )
    try:
        with (
            working(f"drawing {options.source.name}"),
            readable(options.source) as path,
            _for_blender(path) as source,
        ):
            data = drawn(source, size=tuple(options.size), angles=tuple(options.angles))
    except (UnreadableError, UnwritableError) as error:
        raise CommandError(f"{options.source}: {error}") from error
    name = "picture.png" if options.target == STANDARD else options.target.name
    output.write_all({name: data}, name)
    return 0


@contextmanager
def _for_blender(path: Path) -> Iterator[Path]:
    """Yield a file that Blender opens with what a file of any format says."""
    kind = registry.format_of(path)
    is_blend, is_gltf = kind.name == BLEND.name, kind.name == GLTF.name
    if path.suffix.lower() in kind.suffixes and (is_blend or is_gltf):
        if is_gltf:
            require_inside(path)
        yield path
        return
    with scratch() as folder:
        step = folder / ("scene.blend" if is_blend else "scene.glb")
        if is_blend:
            step.write_bytes(path.read_bytes())
        else:
            written = GLTF.write(kind.read(Source(path=path))[0].scene, Target(path=step))
            write_files(folder, written.files)
        yield step


def drawn(
    source: Path,
    *,
    size: tuple[int, int] = _SIZE,
    angles: tuple[float, float] = _ANGLES,
) -> bytes:
    """Return the picture of a file that Blender opens, as PNG, seen at angles [deg]."""
    with scratch() as folder, blender() as bpy, whole(), quiet():
        pictures = importlib.import_module(f"{PACKAGE}.pictures.picture")
        target, (tilt, turn) = folder / "picture.png", map(math.radians, angles)
        try:
            pictures.picture(bpy.context, real(source), target, size=size, angles=(tilt, turn))
            return target.read_bytes()
        except (pictures.PictureError, OSError) as error:
            raise CommandError(str(error)) from error
