"""The option that names a target engine."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.engines.engine import Engine


def add_engine_argument(parser: argparse.ArgumentParser, *, help: str) -> None:  # noqa: A002
    """Add the option `--engine`."""
    parser.add_argument("--engine", type=_engine, metavar="ENGINE", help=help)


def _engine(text: str) -> "Engine":
    from ..core.engines.engine import Engine

    try:
        return Engine(text)
    except ValueError as error:
        names = ", ".join(f"{engine} ({engine.label})" for engine in Engine)
        raise argparse.ArgumentTypeError(f"{text!r} is none of {names}") from error
