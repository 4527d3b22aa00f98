"""The process that reads files: each in a copy of itself, and it answers how that ended.

It takes pickled requests and answers each with a pickled outcome, until its input ends.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any

from ..format import UnreadableError
from .opening import content_of
from .pxr_access import usd
from .reading import read_stage
from .trial import OUT_OF_MEMORY, Outcome, Request, silence

_MEMORY = 2 * 2**30
"""Bytes of address space that reading may take beyond what there is, and 20 times the file."""
_SECONDS = 600
"""Processor time that reading may take."""


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests; see the module."""
    pxr = _loaded()
    while True:
        try:
            request: Request = pickle.load(requests)
        except EOFError:
            return
        work = partial(_answer, pxr, request)
        pickle.dump(tuple(outcome_of(work, request.path.stat().st_size)), answers)
        answers.flush()


def _loaded() -> Any:
    """Return OpenUSD, or why it cannot be had.

    Most of what reading a small file takes is done once here: OpenUSD learns its types at the first
    body. It does so in one thread, as others would be missing in the copies of this process.
    """
    try:
        pxr = usd()
    except UnreadableError as error:
        return error
    pxr.Work.SetConcurrencyLimit(1)
    stage = pxr.Usd.Stage.CreateInMemory()
    pxr.UsdPhysics.RigidBodyAPI.Apply(stage.DefinePrim("/Body", "Xform"))
    read_stage(stage)
    return pxr


def _answer(pxr: Any, request: Request) -> object:
    """Return what a file says, or why it is not read."""
    if isinstance(pxr, UnreadableError):
        return pxr
    try:
        return content_of(pxr, request)
    except UnreadableError as error:
        return error


def outcome_of(work: Callable[[], object], size: int) -> Outcome:
    """Return how work on a file of `size` bytes ends in a copy of this process, and its result.

    Errors in Python count as 0, without an answer.
    """
    answers, answered = os.pipe()
    child = os.fork()
    if child == 0:
        _work_alone(work, size, answered)
    os.close(answered)
    with os.fdopen(answers, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    return Outcome(os.waitstatus_to_exitcode(status), answer)


def _work_alone(work: Callable[[], object], size: int, answered: int) -> None:
    """Do the work within limits, in silence, and exit."""
    try:
        silence()
        _limit(size)
        data = pickle.dumps(work(), pickle.HIGHEST_PROTOCOL)
        with os.fdopen(answered, "wb") as pipe:
            pipe.write(data)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    finally:
        os._exit(0)  # whatever happens, this copy goes no further


def _limit(size: int) -> None:
    import resource

    statm = Path("/proc/self/statm")
    pages = int(statm.read_text("ascii").split()[0]) if statm.exists() else 0
    most = pages * resource.getpagesize() + _MEMORY + 20 * size
    for kind, value in (
        (resource.RLIMIT_AS, most),
        (resource.RLIMIT_CPU, _SECONDS),
        (resource.RLIMIT_CORE, 0),
    ):
        _, allowed = resource.getrlimit(kind)
        least = value if allowed == resource.RLIM_INFINITY else min(value, allowed)
        resource.setrlimit(kind, (least, least))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    serve(sys.stdin.buffer, sys.stdout.buffer)
