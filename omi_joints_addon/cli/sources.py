"""Files that commands read: which there are, and the scenes in them."""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..io import registry
from ..io.files import scratch
from ..io.formats.format import LARGEST, Read, Source, UnreadableError
from .errors import CommandError

STANDARD = Path("-")
"""Stands for standard input or output."""
KINDS = "a glTF, Blender or other file in a known format, or - for standard input"
_MEBIBYTE = 2**20
_MOST_MEBIBYTES = 2**20


def add_size_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option `--max-size`."""
    parser.add_argument(
        "--max-size",
        type=_mebibytes,
        default=LARGEST // _MEBIBYTE,
        metavar="MIB",
        help="refuse files with more text than this, in MiB (default: %(default)s)",
    )


def add_dialect_argument(parser: argparse.ArgumentParser, *, help: str) -> None:  # noqa: A002
    """Add the option `--dialect`."""
    parser.add_argument(
        "-d", "--dialect", type=_dialects, default=None, metavar="NAME[,NAME]", help=help
    )


def files(paths: Sequence[Path], *, recursive: bool) -> Iterator[Path]:
    """Yield the files that are named, in folders those of known formats; links are not followed.

    Raises `CommandError` for a folder that is not to be searched or has no such file.
    """
    for path in paths:
        if not path.is_dir():
            yield path
        elif recursive:
            found = sorted(_files_below(path))
            if not found:
                raise CommandError(f"{path} contains no file in a known format")
            yield from found
        else:
            raise CommandError(f"{path} is a folder; name files in it, or use --recursive")


def _files_below(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            if path.suffix.lower() in registry.suffixes() and not path.is_symlink():
                yield path


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


def _mebibytes(text: str) -> int:
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number") from error
    if not 0 <= number <= _MOST_MEBIBYTES:
        raise argparse.ArgumentTypeError(f"{text:.20} is not between 0 and {_MOST_MEBIBYTES}")
    return number


def _dialects(text: str) -> frozenset[str]:
    from ..io.formats.gltf.dialect import Dialect

    try:
        return frozenset(Dialect(name.strip()) for name in text.split(","))
    except ValueError as error:
        names = ", ".join(Dialect)
        raise argparse.ArgumentTypeError(
            f"unknown dialects {text!r} (choose from {names})"
        ) from error
