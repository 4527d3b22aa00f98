"""Python's garbage collector during an export or import.

A run makes hundreds of thousands of objects, those of io_scene_gltf2 included, that all stay alive
to its end. To look through them again and again frees nothing, so what has outlived one collection
is left alone meanwhile, which takes 10 to 15 % off an export. What is new is collected as always:
the exporter leaves much garbage in cycles (`gltf2_io.from_union` keeps tracebacks).
"""

import gc
import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import Any

_NEVER = 1_000_000_000
_RUNS = 64
"""Runs from one collection of everything to the next; all that young ones miss is 0.15 MB a run."""
_EVERY = 4
"""Young collections from one look at the stack to the next, which takes a while itself."""
_UPSTREAM = "io_scene_gltf2"


def spare_collector() -> None:
    """Hold off collections of older objects while the run of io_scene_gltf2 is on the stack.

    No hook is the last of a run: one that breaks off calls none, and after that of an import
    handlers look at all the new objects. So young collections look now and then whether the run is
    still there, and the first that does not find it sets things right.
    """
    for one in gc.callbacks[:]:
        if isinstance(one, _Spared):
            one.end()
    # What the run before left is garbage by now, and young: it held off all but young ones.
    gc.collect(1 if gc.get_count()[2] < _RUNS else 2)
    _Spared()


class _Spared:
    """The collector's settings before a run, until it is over."""

    def __init__(self) -> None:
        self._run = _run_below()
        self._before = gc.get_threshold()
        gc.set_threshold(self._before[0], _NEVER, _NEVER)
        self._calls = 0
        gc.callbacks.append(self)

    def __call__(self, _phase: str, _info: dict[str, Any]) -> None:
        """Look whether the run is over, called by the collector before and after it works."""
        self._calls += 1
        if self._calls % (2 * _EVERY) == 0 and not _is_running(self._run):
            self.end()

    def end(self) -> None:
        """Collect as before; a setting that someone else made meanwhile stays."""
        gc.callbacks.remove(self)
        if gc.get_threshold()[1:] == (_NEVER, _NEVER):
            gc.set_threshold(*self._before)


def _run_below() -> CodeType | None:
    """Return the code of io_scene_gltf2 that all else on the stack is called by."""
    upstream = (f for f in _frames() if _package(f) == _UPSTREAM)
    return next((frame.f_code for frame in reversed([*upstream])), None)


def _is_running(code: CodeType | None) -> bool:
    return any(frame.f_code is code for frame in _frames())


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _frames() -> Iterator[FrameType]:
    """Yield what is running, innermost first."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 - documented, and the only way
    while frame is not None:
        yield frame
        frame = frame.f_back
