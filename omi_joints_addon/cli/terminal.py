"""What a person at a terminal sees and a pipe does not: colors and a progress bar."""

import argparse
import os
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO, TypeVar

from ..core.findings.finding import Severity

T = TypeVar("T")
_RESET, _BOLD, _DIM = "\x1b[0m", "\x1b[1m", "\x1b[2m"
_COLORS = {Severity.ERROR: "\x1b[31m", Severity.WARNING: "\x1b[33m", Severity.INFO: "\x1b[36m"}
_BAR = 30
_HARMLESS = "\N{REPLACEMENT CHARACTER}"
_COMMAND = "##["


def add_color_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option `--color`."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colors: only on a terminal (auto, unless NO_COLOR is set), always, or never",
    )


class Painter:
    """Adds colors to text, or not."""

    def __init__(self, options: argparse.Namespace) -> None:
        is_wanted = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        self._is_on = options.color == "always" or (options.color == "auto" and is_wanted)

    def severity(self, severity: Severity) -> str:
        """Return the name of a severity in its color."""
        return self._paint(str(severity), _COLORS[severity])

    def bold(self, text: str) -> str:
        """Return text that stands out."""
        return self._paint(text, _BOLD)

    def dim(self, text: str) -> str:
        """Return text that stands back."""
        return self._paint(text, _DIM)

    def _paint(self, text: str, color: str) -> str:
        return f"{color}{text}{_RESET}" if self._is_on else text


def printable(text: str) -> str:
    """Return text of a file that steers nothing which prints it.

    Control characters could steer a terminal, those of direction mislead who reads it, and build
    servers take lines that begin with :: and what follows ##[ for commands.
    """
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _HARMLESS for char in text)
    if text.lstrip().startswith("::"):
        text = _HARMLESS + text
    return text.replace(_COMMAND, f"##{_HARMLESS}[")


def json_text(value: object) -> str:
    """Return a value as JSON that no build server takes for a command, over several lines."""
    import json

    return json.dumps(value, indent=2).replace(_COMMAND, "#\\u0023[")


def say(text: str) -> None:
    """Write lines to stderr where that is possible; nothing depends on whether they are read."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        silence(sys.stderr)


def silence(stream: TextIO | None) -> None:
    """Send what is yet to come on a standard stream nowhere.

    Python would complain at its exit about what it cannot write there.
    """
    if stream is None:
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (AttributeError, OSError, ValueError):
        # It is not a file.
        return


def progress(items: Iterable[T], what: str, *, count: int) -> Generator[T, None, None]:
    """Yield items, with a progress bar on stderr while each is awaited, if that is a terminal."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        yield from items
        return
    remaining = iter(items)
    for done in range(count):
        bar = "#" * (_BAR * done // count)
        try:
            stream.write(f"\r[{bar:<{_BAR}}] {done}/{count} {what}")
            stream.flush()
            item = next(remaining)
        finally:
            stream.write("\r\x1b[K")
            stream.flush()
        yield item


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say on stderr what is being done, as long as it is, where that is a terminal."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        yield
        return
    try:
        stream.write(f"\r{printable(what)} …")
        stream.flush()
        yield
    finally:
        stream.write("\r\x1b[K")
        stream.flush()


def table(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield lines of columns of even width."""
    cells = list(map(tuple, rows))
    if not cells:
        return
    widths = (max(map(len, column)) for column in zip(*cells, strict=True))
    line = "  ".join(f"%-{width}s" for width in widths)
    for row in cells:
        yield printable(line % row).rstrip()
