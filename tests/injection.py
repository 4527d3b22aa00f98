"""Faults at chosen steps: a call of a function of the package, or what Python asks of the disk.

A run is watched once to learn its steps; then it is run again and again, failing at another step
each time.
"""

import dis
import inspect
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import omi_joints_addon
from tests.cases import cases

PACKAGE = str(Path(omi_joints_addon.__file__).parent)
STEPS = cases(10, 250)
"""Steps at which each kind of run fails, at most."""
GUARDS = (
    "report.py",
    "usd/hooks.py",
    "omi_joints_addon/__init__.py",
)
"""Modules that catch faults, put things back or only call what does: they are no steps."""
CHANGES = ("os.rename", "os.mkdir", "os.chmod", "os.link", "os.symlink", "os.truncate")
"""What Python's audit says of changes on the disk, beside files that are opened for writing."""
NO_SPACE = 28


class InjectedError(RuntimeError):
    """A fault on purpose."""


class Steps:
    """The steps of a run by name, one of which fails."""

    def __init__(self, failing: int = -1) -> None:
        self.names: list[str] = []
        self.failing = failing

    def take(self, name: str, error: Exception) -> None:
        """Note a step; raise the error where it is the one that fails."""
        self.names.append(name)
        if len(self.names) - 1 == self.failing:
            raise error


@contextmanager
def calls(failing: int = -1) -> Iterator[Steps]:
    """Yield the calls of functions of the package within the block, one of which fails."""
    steps = Steps(failing)

    def trace(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and _is_ours(frame.f_code) and _begins(frame):
            name = f"{Path(frame.f_code.co_filename).stem}.{frame.f_code.co_qualname}"
            steps.take(name, InjectedError(f"on purpose in {name}"))

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield steps
    finally:
        sys.settrace(before)


def _is_ours(code: CodeType) -> bool:
    file = code.co_filename
    # What makes an empty object of ours, or sets two numbers of Python's, is no step that can fail.
    is_work = not code.co_qualname.endswith(("__init__", "_Spared.end"))
    return is_work and file.startswith(PACKAGE) and not file.endswith(GUARDS)


def _begins(frame: FrameType) -> bool:
    """Return whether a call begins: generators are resumed too, and Python 3.11 so closes them.

    A fault in one that is being closed goes nowhere.
    """
    is_generator = frame.f_code.co_flags & inspect.CO_GENERATOR
    return not is_generator or frame.f_lasti == _first_step(frame.f_code)


@cache
def _first_step(code: CodeType) -> int:
    return next(step.offset for step in dis.get_instructions(code) if step.opname == "RESUME")


class _Disk:
    """The audit hook, which cannot be removed: it does nothing without steps."""

    def __init__(self) -> None:
        self.steps: Steps | None = None
        self.is_added = False

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        steps = self.steps
        if steps is not None and _changes(event, arguments):
            steps.take(event, OSError(NO_SPACE, os.strerror(NO_SPACE)))


_DISK = _Disk()


def _changes(event: str, arguments: tuple[Any, ...]) -> bool:
    if event == "open":
        flags = arguments[2]
        return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
    return event in CHANGES


@contextmanager
def disk(failing: int = -1) -> Iterator[Steps]:
    """Yield the changes on the disk within the block, one of which fails as on a full disk."""
    if not _DISK.is_added:
        sys.addaudithook(_DISK)
        _DISK.is_added = True
    _DISK.steps = Steps(failing)
    try:
        yield _DISK.steps
    finally:
        _DISK.steps = None


def chosen(names: Sequence[str], *, most: int = STEPS) -> list[int]:
    """Return steps to fail at: the first of each name, then others, at random beyond `most`."""
    firsts = sorted({name: number for number, name in reversed([*enumerate(names)])}.values())
    source = random.Random(len(names))
    others = sorted(set(range(len(names))) - set(firsts))
    if len(firsts) >= most:
        return sorted(source.sample(firsts, most))
    return sorted(firsts + source.sample(others, min(len(others), most - len(firsts))))


def steps_of(watch: Callable[[], Any], run: Callable[[], Any]) -> list[str]:
    """Return the names of the steps of a run that does not fail."""
    with watch() as steps:
        run()
    return list(steps.names)
