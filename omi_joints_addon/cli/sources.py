"""Files that commands read: which there are, and the scenes in them."""

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.findings.finding import Finding
from ..core.model.scene import PhysicsScene
from ..io.formats.gltf.container import LARGEST, UnreadableError, read_gltf
from ..io.formats.gltf.document import check_document, scene_from_document
from .dialects import read_in_dialects
from .errors import CommandError

SUFFIXES = (".gltf", ".glb", ".blend")
_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class Source:
    """A scene in a file."""

    name: str
    """Name of the scene, empty for a glTF document."""
    scene: PhysicsScene
    findings: tuple[Finding, ...]
    """All that is wrong with it."""


def add_size_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option `--max-size`."""
    parser.add_argument(
        "--max-size",
        type=int,
        default=LARGEST // _MEBIBYTE,
        metavar="MIB",
        help="refuse glTF files with more MiB of JSON than this (default: %(default)s)",
    )


def files(paths: Sequence[Path], *, recursive: bool) -> Iterator[Path]:
    """Yield the files that are named, in folders those of known kinds; links are not followed.

    Raises `CommandError` for a folder that is not to be searched.
    """
    for path in paths:
        if not path.is_dir():
            yield path
        elif recursive:
            found = (
                Path(folder, name)
                for folder, _, names in os.walk(path)
                for name in names
                if Path(name).suffix.lower() in SUFFIXES
            )
            yield from sorted(file for file in found if not file.is_symlink())
        else:
            raise CommandError(f"{path} is a folder; name files in it, or use --recursive")


def findings_in(path: Path, options: argparse.Namespace) -> list[Finding]:
    """Return all that is wrong with a file; raises `UnreadableError`."""
    if path.suffix.lower() == ".blend":
        return [found for source in sources(path, options) for found in source.findings]
    document, findings = _read(path, options)
    return [*findings, *check_document(document)]


def sources(path: Path, options: argparse.Namespace) -> list[Source]:
    """Return the scenes in a file; raises `UnreadableError`."""
    if path.suffix.lower() == ".blend":
        from .blender import scenes_of

        return [Source(*scene) for scene in scenes_of(path)]
    document, findings = _read(path, options)
    scene = scene_from_document(document).scene
    return [Source("", scene, (*findings, *check_document(document)))]


def _read(path: Path, options: argparse.Namespace) -> tuple[Any, list[Finding]]:
    """Return the document of a glTF file, whatever dialect it is in, and what is wrong with it."""
    read = read_gltf(path, largest=options.max_size * _MEBIBYTE)
    document, findings = read_in_dialects(read.document, getattr(options, "dialect", None))
    return document, [*read.findings, *findings]


__all__ = ["Source", "UnreadableError", "add_size_argument", "files", "findings_in", "sources"]
