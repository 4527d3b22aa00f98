"""The option that names a target engine, and what it adds to a check."""

import argparse
from pathlib import Path

from ..core.engines.engine import Engine, check_engine
from ..core.findings.finding import Finding
from .sources import sources

_NAMES = ", ".join(f"{engine} ({engine.label})" for engine in Engine)


def add_engine_argument(parser: argparse.ArgumentParser, *, help: str) -> None:  # noqa: A002
    """Add the option `--engine`."""
    parser.add_argument(
        "--engine",
        type=Engine,
        choices=tuple(Engine),
        metavar="ENGINE",
        help=f"{help}: {_NAMES}",
    )


def engine_findings(path: Path, options: argparse.Namespace) -> list[Finding]:
    """Return what the chosen engine loses of the joints in a file."""
    return [
        found
        for source in sources(path, options)
        for found in check_engine(source.scene, options.engine)
    ]
