"""Dialects of physics on the command line: which of them to read or write."""

import argparse
from pathlib import Path
from typing import Any

from ..core.findings.finding import Finding
from ..io.formats.gltf.container import read_gltf
from ..io.formats.gltf.dialects import Dialect, in_dialects, in_omi, without_dialects
from ..io.formats.gltf.members import CodecError
from ..io.gltf.rewrite import refers_to_files, rewrite_gltf
from .errors import CommandError

_ALL = frozenset(Dialect)
_MEBIBYTE = 2**20


def add_dialect_argument(
    parser: argparse.ArgumentParser,
    *,
    help: str,  # noqa: A002 - argparse's own word
) -> None:
    """Add the option `--dialect`."""
    parser.add_argument(
        "-d", "--dialect", type=_dialects, default=None, metavar="NAME[,NAME]", help=help
    )


def read_in_dialects(document: Any, dialects: frozenset[Dialect] | None) -> Any:
    """Return the OMI form of what a document says in some dialects, and what is wrong with it."""
    unread = _ALL - (dialects or _ALL)
    return in_omi(without_dialects(document, unread))


def translate(source: Path, target: Path, options: argparse.Namespace) -> list[Finding]:
    """Write a glTF file in other dialects; return what is wrong with what it said.

    Raises `UnreadableError` and `CommandError`.
    """
    read = read_gltf(source, largest=options.max_size * _MEBIBYTE)
    if target.parent.resolve() != source.parent.resolve() and refers_to_files(read.document):
        raise CommandError(f"{source} refers to files beside it; write {target.name} there")
    try:
        document, findings = in_dialects(read.document, options.dialect)
        rewrite_gltf(source, target, document)
    except CodecError as error:
        raise CommandError(f"{source}: {error}") from error
    return [*read.findings, *findings]


def _dialects(text: str) -> frozenset[Dialect]:
    try:
        return frozenset(Dialect(name.strip()) for name in text.split(","))
    except ValueError as error:
        names = ", ".join(Dialect)
        raise argparse.ArgumentTypeError(f"{text!r} is none of {names}") from error
