"""Every format that physics scenes are read from and written in, one row each."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .blend import BLEND, export_gltf, import_gltf
from .files import opened
from .formats.format import Format, Options, UnreadableError
from .formats.gltf import GLTF
from .formats.mjcf import MJCF
from .formats.sdf import SDF
from .formats.shift import SHIFT
from .formats.urdf import URDF
from .formats.usd import USD

if TYPE_CHECKING:
    from ..core.findings.finding import Finding

FORMATS: tuple[Format, ...] = (GLTF, BLEND, SHIFT, URDF, MJCF, USD, SDF)
Convert = Callable[[Path, Path, Options], "list[Finding]"]
DIRECT: Mapping[tuple[str, str], Convert] = {
    ("blend", "gltf"): export_gltf,
    ("gltf", "blend"): import_gltf,
}
"""Conversions by Blender's own exporters and importers, which know what scenes do not hold.

Such as materials and animations. Each takes the source, the target and options, and returns what
Blender's exporter or importer reports of physics.
"""
HEAD = 4096
"""Bytes that a format is recognized by."""


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of all formats."""
    return tuple(suffix for row in FORMATS for suffix in row.suffixes)


def format_of(path: Path) -> Format:
    """Return the format of a file by what it holds, else by its suffix.

    Raises `UnreadableError` where there is no such file or it is of no known format.
    """
    try:
        found = format_of_content(path)
    except OSError as error:
        raise UnreadableError(error.strerror or type(error).__name__) from error
    return require_format(found or format_for(path))


def format_of_content(path: Path) -> Format | None:
    """Return the format of a file by what it holds, None where none is certain.

    Raises `OSError` where the file cannot be read.
    """
    with opened(path) as file:
        return format_by_content(file.read(HEAD))


def format_by_content(head: bytes) -> Format | None:
    """Return the format of a file that starts with `head` for certain, None where none is."""
    return next((row for row in FORMATS if row.recognizes(head)), None)


def require_format(found: Format | None) -> Format:
    """Return a format that was found; raises `UnreadableError` where it was not."""
    if found is None:
        raise UnreadableError(f"is not in a known format ({', '.join(suffixes())})")
    return found


def format_for(path: Path) -> Format | None:
    """Return the format that a file of this name is written in, None where there is none."""
    suffix = path.suffix.lower()
    return next((row for row in FORMATS if suffix in row.suffixes), None)
