"""Runs a command by its arguments, and makes every way out an exit code."""

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import TextIO

from .errors import CommandError
from .terminal import add_color_argument

COMMANDS = ("check", "convert", "picture", "schema", "show", "simulate")
MODULE = "python -m omi_joints_addon"
BLENDER = "blender --command omi_joints"
_PACKAGE = __package__.rpartition(".")[0]
_UNREADABLE, _BUG, _INTERRUPTED = 2, 3, 130


def main(arguments: Sequence[str], program: str = MODULE) -> int:
    """Run one command and return the exit code.

    0, 1 for errors found, 2 for input or output that is unusable, 3 for a fault of this program.
    """
    for stream in (sys.stdout, sys.stderr):
        _write_any_character(stream)
    options = _parser(program, _needed(arguments)).parse_args(arguments)
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed")
        return _run(options)
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; Python would complain at exit.
        silence_output()
        return 0
    except KeyboardInterrupt:
        code, text = _INTERRUPTED, "interrupted"
    except OSError as error:
        # Files that a command reads or writes have errors of their own.
        silence_output()
        code, text = _UNREADABLE, f"the output cannot be written: {error.strerror or error}"
    except Exception:  # noqa: BLE001 - a fault of ours must not look like one of the file
        import traceback

        code, text = _BUG, f"this is a bug\n{traceback.format_exc()}".rstrip()
    _say(f"{program} {options.command}: {text}")
    return code


def _run(options: argparse.Namespace) -> int:
    try:
        with warnings.catch_warnings():
            # Numbers out of range are judged by findings; numpy's own words are for programmers.
            warnings.simplefilter("ignore", RuntimeWarning)
            code: int = options.run(options)
    except CommandError as error:
        _say(f"{options.prog} {options.command}: {error}")
        return _UNREADABLE
    except ImportError as error:
        if f"{error.name}.".startswith(f"{_PACKAGE}."):
            raise
        _say(f"{options.prog} {options.command}: this Python lacks {error.name}")
        return _UNREADABLE
    sys.stdout.flush()
    return code


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text + "\n")


def run_in_blender(arguments: Sequence[str]) -> int:
    """Run one command for `blender --command omi_joints`; argparse's exits become exit codes."""
    try:
        return main(arguments, BLENDER)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else _UNREADABLE


def _write_any_character(stream: TextIO | None) -> None:
    """Have characters that an output cannot show written as escapes."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def silence_output() -> None:
    """Send what is yet to come on standard output nowhere.

    At its exit Blender prints there what is no part of a command's output.
    """
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (AttributeError, OSError, ValueError):
        # There is no output, or it is no file.
        return


def command_module(name: str) -> ModuleType:
    """Return the module of a command."""
    return import_module(f".{name}", __package__)


def _needed(arguments: Sequence[str]) -> Sequence[str]:
    """Return the commands that arguments cannot be understood without."""
    return arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS


def _parser(program: str, names: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Check, show, simulate and convert physics joints in files.",
        epilog=f"For help on a command: {program} check --help",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module in zip(names, map(command_module, names), strict=True):
        text = (module.__doc__ or "").strip()
        added = commands.add_parser(
            name,
            help=text.splitlines()[0].rstrip("."),
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(added)
        add_color_argument(added)
        added.set_defaults(run=module.run, prog=program)
    return parser
