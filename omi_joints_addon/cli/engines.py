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


def engine_of(name: str | None) -> "Engine | None":
    """Return an engine, None for no name; all of them are a tenth of what a command loads."""
    if not name:
        return None
    from ..core.engines.engines import ENGINES

    return ENGINES[name]
