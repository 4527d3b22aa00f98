"""Command line, by `python -m omi_joints_addon` and by `blender --command omi_joints`.

A command is a module with a docstring that its `--help` prints, `NAME`, `arguments(parser)` and
`run(options)`, which returns the exit code. Nothing here imports Blender before a command needs it.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from . import check as check
from . import convert as convert
from . import picture as picture
from . import schema as schema
from . import show as show
from . import simulate as simulate
from .errors import CommandError
from .terminal import add_color_argument

COMMANDS: tuple[ModuleType, ...] = (
    check,
    convert,
    picture,
    schema,
    show,
    simulate,
)
MODULE = "python -m omi_joints_addon"
BLENDER = "blender --command omi_joints"
_UNREADABLE, _INTERRUPTED = 2, 130


def main(arguments: Sequence[str], program: str = MODULE) -> int:
    """Run one command and return the exit code: 0, 1 for errors found, 2 for unusable input."""
    options = _parser(program).parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except CommandError as error:
        sys.stderr.write(f"{program} {options.command}: {error}\n")
        return _UNREADABLE
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    return code


def run_in_blender(arguments: Sequence[str]) -> int:
    """Run one command for `blender --command omi_joints`; argparse's exits become exit codes."""
    try:
        return main(arguments, BLENDER)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else _UNREADABLE


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Check, show and convert physics joints in glTF and Blender files.",
        epilog=f"Each command explains itself: {program} check --help",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in COMMANDS:
        text = (module.__doc__ or "").strip()
        command = commands.add_parser(
            module.NAME,
            help=text.splitlines()[0].rstrip("."),
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(command)
        add_color_argument(command)
        command.set_defaults(run=module.run)
    return parser
