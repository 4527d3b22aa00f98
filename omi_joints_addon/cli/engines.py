"""The option that names a target engine."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.engines.engine import Engine


def add_engine_argument(parser: argparse.ArgumentParser, *, help: str) -> None:  # noqa: A002
    """Add the option `--engine`."""
    parser.add_argument("--engine", type=_engine, metavar="ENGINE", help=help)


def _engine(text: str) -> "Engine":
    from ..core.engines.engines import ENGINES

    if text not in ENGINES:
        choices = ", ".join(ENGINES)
        raise argparse.ArgumentTypeError(f"unknown engine {text!r} (choose from {choices})")
    return ENGINES[text]
