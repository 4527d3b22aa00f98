"""The option that names a target engine."""

import argparse
from typing import TYPE_CHECKING

from ..core.engines import names

if TYPE_CHECKING:
    from ..core.engines.engine import Engine


def add_engine_argument(parser: argparse.ArgumentParser, *, help: str) -> None:  # noqa: A002
    """Add the option `--engine`."""
    choices = tuple(engine.name for engine in names.NAMES)
    parser.add_argument("--engine", choices=choices, help=help)


def engine_of(options: argparse.Namespace) -> "Engine | None":
    """Return the engine that the option names, None where it is not given."""
    from ..core.engines.engines import ENGINES

    return None if options.engine is None else ENGINES[options.engine]
