"""Files are read in a process of their own, which OpenUSD may end, or fill the memory of.

OpenUSD trusts what it reads: damaged files make it abort, or ask for gigabytes. Blender's own
importer would end Blender with them.
"""

import atexit
import functools
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, NamedTuple

from ....core.findings.finding import Finding
from ....core.findings.sentence import Sentence
from ....core.model.scene import PhysicsScene
from ..format import UnreadableError

OUT_OF_MEMORY = 3
"""Exit code of a trial that wanted more memory than such a file can need."""
_PROCESS = f"{__package__}.trial_process"
_UNANSWERED = "that ended without an answer, as it does where memory is short"


class Request(NamedTuple):
    """A file to read as a stage."""

    path: Path
    document: Path
    """The file that the user named: `path`, or what that is a copy of."""
    folders: tuple[Path, ...]
    """Folders beside that of the document that it may refer to."""
    meters: float | None = None
    """Replaces the stage's own length of its unit."""


class Content(NamedTuple):
    """What a file says, without the stage."""

    scene: PhysicsScene
    findings: tuple[Finding, ...]
    files: tuple[Path, ...]
    """Other layers."""


class Outcome(NamedTuple):
    """How a trial ended."""

    code: int
    """Its exit code; a negative number is that of the signal that ended it."""
    answer: bytes
    """What it read, or an `UnreadableError`, pickled; empty where it failed otherwise."""


class _Trials(NamedTuple):
    """The process that reads files in copies of itself."""

    requests: IO[bytes]
    answers: IO[bytes]
    stop: Callable[[], object]


def read_apart(request: Request) -> Content | None:
    """Return what a file says, read in a process of its own; raises `UnreadableError`.

    None where another fault of reading it is to be met in this process, which reports it; also
    inside Blender and where processes cannot be copied: Windows.
    """
    if sys.modules.get("bpy") is not None or not hasattr(os, "fork"):
        return None
    code, data = _outcome(request)
    if code == OUT_OF_MEMORY:
        raise UnreadableError("makes OpenUSD take more memory than such a file can need")
    if code < 0:
        name = signal.Signals(-code).name
        raise UnreadableError(
            Sentence("makes OpenUSD crash ({signal}); it is damaged, or too large", signal=name)
        )
    # This process would trust OpenUSD with the file, so it may trust the process that did.
    answer = pickle.loads(data) if data else None
    if isinstance(answer, UnreadableError):
        raise answer
    return answer


def _outcome(request: Request) -> Outcome:
    """Return how a trial ended; raises `UnreadableError` where nobody says so.

    What ended the trials might end this process, or be there to keep them from judging.
    """
    try:
        trials = _trials()
    except OSError as error:
        raise _untried(error.strerror or str(error)) from error
    try:
        pickle.dump(request, trials.requests)
        trials.requests.flush()
        return Outcome(*pickle.load(trials.answers))
    except (OSError, EOFError, pickle.UnpicklingError) as error:
        _stop(trials)
        raise _untried(_UNANSWERED) from error
    except BaseException:
        _stop(trials)
        raise


def _untried(problem: str) -> UnreadableError:
    return UnreadableError(
        Sentence(
            "cannot be tried in a process of its own, so it is not read: {problem}", problem=problem
        )
    )


@functools.cache
def _trials() -> _Trials:
    """Return the process that reads files; a copy of this one starts in a third of the time."""
    trials = _copied() if _can_be_copied() else _started()
    atexit.register(_stop, trials)
    return trials


def _can_be_copied() -> bool:
    """Return whether this process is known to have one thread: others do not survive it."""
    threads = Path("/proc/self/task")
    return "pxr" not in sys.modules and threads.is_dir() and len(list(threads.iterdir())) == 1


def _copied() -> _Trials:
    asked, requests = os.pipe()
    answers, answered = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(requests)
            os.close(answers)
            silence()
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            import_module(_PROCESS).serve(os.fdopen(asked, "rb"), os.fdopen(answered, "wb"))
        finally:
            os._exit(0)  # whatever happens, this copy goes no further
    os.close(asked)
    os.close(answered)

    def stop() -> None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    return _Trials(os.fdopen(requests, "wb"), os.fdopen(answers, "rb"), stop)


def silence() -> None:
    """Have this process read and write nothing by its standard streams, libraries included."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


def _started() -> _Trials:
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", _PROCESS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdin
    assert process.stdout

    def stop() -> None:
        process.kill()
        process.wait()

    return _Trials(process.stdin, process.stdout, stop)


def _stop(trials: _Trials) -> None:
    _trials.cache_clear()
    atexit.unregister(_stop)
    trials.stop()
    for pipe in (trials.requests, trials.answers):
        with suppress(OSError):
            # What was never read of a request.
            pipe.close()
