"""Signals that end a program: raised as exceptions, and held off where a step must be whole."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Signals by which people and systems end a program; Windows has no SIGHUP."""
_Handler = Callable[[int, FrameType | None], Any]


class StoppedError(BaseException):
    """A signal other than that of Ctrl+C; Python ends by SIGINT after any `KeyboardInterrupt`."""


class Stop:
    """The signal that ended what a program did."""

    def __init__(self) -> None:
        self.number = 0
        """Number of the signal; 0 if there was none."""

    def raise_first(self, number: int, _frame: FrameType | None) -> None:
        """Raise an exception, once: what is done then must not be interrupted again."""
        if not self.number:
            self.number = number
            raise KeyboardInterrupt if number == signal.SIGINT else StoppedError


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Raise an exception in the block for the first signal that is to end the program."""
    stop = Stop()
    with _handled_by(stop.raise_first):
        yield stop


@contextmanager
def unstopped() -> Iterator[None]:
    """Let signals that are to end the program wait until the block is done."""
    came: list[int] = []
    try:
        with _handled_by(lambda number, _frame: came.append(number)):
            yield
    finally:
        if came:
            signal.raise_signal(came[0])


@contextmanager
def _handled_by(handler: _Handler) -> Iterator[None]:
    """Have signals go to a handler, but for those that are ignored or not Python's to handle."""
    kept = {number: signal.getsignal(number) for number in SIGNALS}
    if threading.current_thread() is not threading.main_thread():
        # Signals come to the main thread only, and only it may say what becomes of them.
        kept = {}
    kept = {number: old for number, old in kept.items() if old not in (signal.SIG_IGN, None)}
    try:
        for number in kept:
            signal.signal(number, handler)
        yield
    finally:
        for number, old in kept.items():
            signal.signal(number, old)
