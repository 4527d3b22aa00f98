"""Runs a command by its arguments, and makes every way out an exit code."""

import argparse
import difflib
import re
import signal
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn, TextIO

from ..io.stopping import StoppedError, stoppable
from ..isolation import isolated
from .errors import CommandError
from .terminal import add_color_argument, printable, say, silence
from .tool import NAME, version

COMMANDS = (
    "check",
    "completion",
    "convert",
    "explain",
    "picture",
    "pose",
    "schema",
    "show",
    "simulate",
)
MODULE = "python -m omi_joints_addon"
PACKAGE = __package__.rpartition(".")[0]
BLENDER = "blender --command omi_joints"
_VERSION = "--version"
_UNREADABLE, _BUG, _STOPPED = 2, 3, 128
_UNKNOWN = re.compile(r"invalid choice: '([^']*)' \(choose from (.*)\)")
"""How argparse reports a word that it does not know."""
_WORDS: dict[int, str] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


def main(arguments: Sequence[str], program: str = MODULE) -> int:
    """Run one command and return the exit code.

    0, 1 for errors found, 2 for input or output that is unusable, 3 for a fault of this program,
    and 128 with the number of the signal that ended it, 130 for Ctrl+C.
    """
    for stream in (sys.stdout, sys.stderr):
        _write_any_character(stream)
    name = " ".join((program, *_named(arguments)))
    try:
        with stoppable() as stop:
            code, text = _outcome(arguments, program)
    except (KeyboardInterrupt, StoppedError):
        stop.number = stop.number or signal.SIGINT
    if stop.number:
        code, text = _STOPPED + stop.number, _WORDS.get(stop.number, "hung up")
    if text:
        say(f"{name}: {text}")
    return code


def _outcome(arguments: Sequence[str], program: str) -> tuple[int, str]:
    """Run one command; return the exit code, and what to say where it could not run to its end."""
    if arguments[:1] == [_VERSION]:
        # Known without any command's modules.
        sys.stdout.write(f"{NAME} {version()}\n")
        return 0, ""
    parser, _ = _parsers(program, _named(arguments) or COMMANDS)
    if not arguments:
        parser.print_help(sys.stderr)
        return _UNREADABLE, ""
    options = parser.parse_args(arguments)
    try:
        if sys.stdout is None:
            raise OSError("standard output is closed")
        return _run(options), ""
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough; Python would complain at exit.
        silence_output()
        return 0, ""
    except OSError as error:
        # Files that a command reads or writes have errors of their own.
        silence_output()
        return _UNREADABLE, _refusal(error)
    except Exception as error:  # noqa: BLE001 - a fault of ours must not look like one of the file
        return _outcome_of(error)


def _run(options: argparse.Namespace) -> int:
    with warnings.catch_warnings():
        # Numbers out of range are judged by findings; numpy's own words are for programmers.
        warnings.simplefilter("ignore", RuntimeWarning)
        code: int = options.run(options)
    sys.stdout.flush()
    return code


def _outcome_of(error: Exception) -> tuple[int, str]:
    """Return the exit code for an error that ended a command, and what to say."""
    if isinstance(error, CommandError):
        return _UNREADABLE, printable(str(error))
    if isinstance(error, MemoryError):
        return _UNREADABLE, "there is not enough memory"
    if isinstance(error, ImportError) and _is_foreign(error):
        return _UNREADABLE, f"this Python lacks {error.name}"
    import traceback

    return _BUG, f"this is a bug\n{traceback.format_exc()}".rstrip()


def _refusal(error: OSError) -> str:
    """Return in one line what the system refused."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"the output cannot be written: {reason}"
    return printable(f"{error.filename}: {reason}")


def _is_foreign(error: ImportError) -> bool:
    """Return whether a module is missing that is not of this program."""
    return not f"{error.name}.".startswith(f"{PACKAGE}.")


def run_in_blender(arguments: Sequence[str]) -> int:
    """Run one command for `blender --command omi_joints`; argparse's exits become exit codes."""
    try:
        with isolated():
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

    At its exit Blender prints there what does not belong to a command's output.
    """
    silence(sys.stdout)


def command_module(name: str) -> ModuleType:
    """Return the module of a command."""
    return import_module(f".{name}", __package__)


def _named(arguments: Sequence[str]) -> Sequence[str]:
    """Return the command that arguments name, if any."""
    return arguments[:1] if arguments and arguments[0] in COMMANDS else ()


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with what was probably meant."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and exit."""
        unknown = _UNKNOWN.search(message)
        if unknown:
            choices = re.findall(r"[\w-]+", unknown[2])
            near = difflib.get_close_matches(unknown[1], choices, n=1)
            message += f"; did you mean {near[0]!r}?" if near else ""
        self.exit(_UNREADABLE, f"usage: see {self.prog} --help\n{self.prog}: error: {message}\n")


def commands() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    _, found = _parsers(MODULE, COMMANDS)
    return found


def _parsers(
    program: str, names: Sequence[str]
) -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """Return the parser of the program, and those of commands by name."""
    parser = _Parser(
        prog=program,
        description="Check, show, simulate and convert physics joints in files.",
        epilog=f"For help on a command: {program} check --help",
    )
    parser.add_argument(
        _VERSION, action="store_true", help="show the version of this program and exit"
    )
    added = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    is_in_blender = program == BLENDER
    found: dict[str, argparse.ArgumentParser] = {}
    for name, module in zip(names, map(command_module, names), strict=True):
        # Examples can be copied into a shell as they are.
        text = (module.__doc__ or "").strip().replace(f"\n  {name} ", f"\n  {program} {name} ")
        found[name] = added.add_parser(
            name,
            help=text.splitlines()[0].rstrip("."),
            description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(found[name])
        add_color_argument(found[name])
        found[name].set_defaults(run=module.run, prog=program, is_in_blender=is_in_blender)
    return parser, found
