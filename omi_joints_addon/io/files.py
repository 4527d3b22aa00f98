"""Regular files to read, and folders for a while."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from .stopping import unstopped


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Yield a regular file; raises `OSError`, for a pipe or a device as well."""
    # Without O_NONBLOCK a pipe that nobody writes to would never open.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(number, "rb") as file:  # noqa: PTH123 - a number is not a path
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(None, "is not a regular file")
        yield file


@contextmanager
def scratch(beside: Path | None = None) -> Iterator[Path]:
    """Yield a new folder that is gone afterwards, also where a signal ends the program.

    It is in the folder `beside`, or else where temporary files go.
    """
    from tempfile import TemporaryDirectory

    with unstopped():
        # If what comes next is interrupted, it goes with its last reference.
        made = TemporaryDirectory(
            prefix=".omi_" if beside else "omi_", dir=beside, ignore_cleanup_errors=True
        )
    try:
        yield Path(made.name)
    finally:
        with unstopped():
            made.cleanup()


def real(path: Path) -> Path:
    """Return an absolute path without links, as far as there are files; a loop of links stays."""
    return Path(os.path.realpath(path))


def is_same_file(one: Path, other: Path) -> bool:
    """Return whether two paths lead to one file, whatever they are called."""
    try:
        return one.samefile(other)
    except OSError:
        return False
