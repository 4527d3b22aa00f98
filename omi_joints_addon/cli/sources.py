"""Files that commands read: which there are, and the scenes in them."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

from ..io import registry
from ..io.blend import BLEND, is_blender_here
from ..io.files import real, scratch
from ..io.formats.format import LARGEST, Read, Source, UnreadableError
from ..io.formats.usd import USD
from ..io.formats.usd.pxr_access import is_usd_here
from ..io.registry import format_for
from .errors import CommandError
from .terminal import say

STANDARD = Path("-")
"""Stands for standard input or output."""
KINDS = "a glTF, Blender or other file in a known format, or - for standard input"
_SHARED_SUFFIXES = (".json", ".xml")
"""Suffixes that most files have which are of no format of ours."""
_MEBIBYTE = 2**20
_MOST_MEBIBYTES = 2**20


def whole_number(most: int) -> Callable[[str], int]:
    """Return what parses an argument that is a whole number from 0 to `most`."""

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError as error:
            message = f"{text[:20]!r} is not a whole number"
            raise argparse.ArgumentTypeError(message) from error
        if not 0 <= number <= most:
            raise argparse.ArgumentTypeError(f"{text:.20} is not between 0 and {most}")
        return number

    return parse


def add_size_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option `--max-size`."""
    parser.add_argument(
        "--max-size",
        type=whole_number(_MOST_MEBIBYTES),
        default=LARGEST // _MEBIBYTE,
        metavar="MIB",
        help="reject files with more text than this, in MiB (default: %(default)s)",
    )


def add_dialect_argument(parser: argparse.ArgumentParser, *, help: str) -> None:  # noqa: A002
    """Add the option `--dialect`."""
    parser.add_argument(
        "-d", "--dialect", type=_dialects, default=None, metavar="NAME[,NAME]", help=help
    )


def add_folder_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options `--recursive` and `--exclude`."""
    parser.add_argument(
        "-r", "--recursive", action="store_true", help="search folders and their subfolders"
    )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="PATTERN",
        help="skip files and folders of this name or path below a searched folder, such as "
        "'third_party' or 'assets/*.blend'; can be given several times",
    )


def files(paths: Sequence[Path], *, recursive: bool, exclude: Sequence[str] = ()) -> Iterator[Path]:
    """Yield the files that are named, in folders those of known formats, each once.

    Of a folder, hidden files and folders, links and what `exclude` names are skipped. A .json or
    .xml file counts if its content is of a known format, a .blend file if Blender is here and a USD
    file if OpenUSD is; how many were skipped without them is reported.

    Raises `CommandError` for a folder that is not to be searched or has no such file.
    """
    seen: set[Path] = set()
    for path in paths:
        for file in _searched(path, exclude) if recursive and path.is_dir() else _named(path):
            place = real(file)
            if place not in seen:
                seen.add(place)
                yield file


def _named(path: Path) -> Sequence[Path]:
    if path.is_dir():
        raise CommandError(f"{path} is a folder; name files in it, or use --recursive")
    return (path,)


def _searched(folder: Path, exclude: Sequence[str]) -> Sequence[Path]:
    """Return the files below a folder that are worth reading; raises `CommandError` for none."""
    found = sorted(path for path in _files_below(folder, exclude) if _is_of_a_format(path))
    if not found:
        raise CommandError(f"{folder} contains no file in a known format")
    for kind, row, what, is_here in (
        (".blend", BLEND, "Blender", is_blender_here),
        ("USD", USD, "OpenUSD (pip install usd-core)", is_usd_here),
    ):
        skipped = {path for path in found if format_for(path) is row}
        if skipped and not is_here():
            say(f"{folder}: {kind} files skipped, because they require {what}: {len(skipped)}")
            found = [path for path in found if path not in skipped]
    return found


def _files_below(folder: Path, exclude: Sequence[str]) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        here = Path(place)
        folders[:] = [name for name in folders if _is_wanted(here / name, folder, exclude)]
        for name in names:
            path = here / name
            if _is_wanted(path, folder, exclude) and not path.is_symlink():
                yield path


def _is_wanted(path: Path, folder: Path, exclude: Sequence[str]) -> bool:
    below = path.relative_to(folder).as_posix()
    is_excluded = any(fnmatch(path.name, text) or fnmatch(below, text) for text in exclude)
    return not path.name.startswith(".") and not is_excluded


def _is_of_a_format(path: Path) -> bool:
    """Return whether a file is of a known format, by its content where others share the suffix."""
    row = format_for(path)
    if path.suffix.lower() == ".vrm":
        # A glTF file of a character, which is read and not written.
        return True
    if row is None or path.suffix.lower() not in _SHARED_SUFFIXES:
        return row is not None
    try:
        return registry.format_of_content(path) is row
    except OSError:
        return True


def reads(path: Path, options: argparse.Namespace) -> tuple[Read, ...]:
    """Return the scenes in a file; raises `UnreadableError`."""
    with readable(path) as file:
        return registry.format_of(file).read(source_of(file, options))


def read_first(path: Path, options: argparse.Namespace) -> Read:
    """Return the first scene in a file; raises `CommandError`."""
    try:
        return reads(path, options)[0]
    except UnreadableError as error:
        raise CommandError(f"{path}: {error}") from error


def source_of(path: Path, options: argparse.Namespace) -> Source:
    """Return what the options of a command ask of a file."""
    dialect = getattr(options, "dialect", None)
    return Source(
        path=path,
        options={} if dialect is None else {"dialect": dialect},
        largest=options.max_size * _MEBIBYTE,
    )


@contextmanager
def readable(path: Path) -> Iterator[Path]:
    """Yield a file as it is, or a new one with what comes from standard input."""
    if path != STANDARD:
        yield path
        return
    with scratch() as folder:
        file = folder / "standard input"
        try:
            _take_standard_input(file)
        except OSError as error:
            raise UnreadableError(error.strerror or str(error)) from error
        yield file


def _take_standard_input(file: Path) -> None:
    """Write what comes from standard input to a file; raises `OSError` and `UnreadableError`."""
    if sys.stdin is None:
        raise UnreadableError("standard input is closed")
    stream = sys.stdin.buffer
    head = stream.read(registry.HEAD)
    # What is of no format may have no end.
    registry.require_format(registry.format_by_content(head))
    import shutil

    with file.open("wb") as copy:
        copy.write(head)
        shutil.copyfileobj(stream, copy)


def _dialects(text: str) -> frozenset[str]:
    from ..io.formats.gltf.dialect import Dialect

    try:
        return frozenset(Dialect(name.strip()) for name in text.split(","))
    except ValueError as error:
        names = ", ".join(Dialect)
        raise argparse.ArgumentTypeError(
            f"unknown dialects {text!r} (choose from {names})"
        ) from error
