"""The process that tries files: it reads each one in a copy of itself, and says how that ended.

It takes a request in a line of JSON and answers with an exit code in a line, until its input ends.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ..beside import Folders
from ..format import UnreadableError
from .opening import read_within
from .pxr_access import usd
from .trial import OUT_OF_MEMORY

_MEMORY = 2 * 2**30
"""Bytes of address space that reading may take beyond what there is, and 20 times the file."""
_SECONDS = 600
"""Processor time that reading may take."""


def main() -> None:
    """Answer requests; see the module."""
    try:
        pxr = usd()
    except UnreadableError:
        pxr = None
    for line in sys.stdin:
        if pxr is None:
            # The process that asks says so itself.
            _answer(0)
            continue
        request = json.loads(line)
        path = Path(request["path"])
        named = tuple(map(Path, request["folders"]))
        folders = Folders(Path(request["document"]), named, {})
        work = partial(read_within, pxr, path, folders, meters=request["meters"])
        _answer(exit_code_of(work, path.stat().st_size))


def _answer(code: int) -> None:
    sys.stdout.write(f"{code}\n")
    sys.stdout.flush()


def exit_code_of(work: Callable[[], object], size: int) -> int:
    """Return how work on a file of `size` bytes ends in a copy of this process.

    A negative number is that of the signal that ended it; errors in Python count as 0.
    """
    child = os.fork()
    if child == 0:
        _work_alone(work, size)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _work_alone(work: Callable[[], object], size: int) -> None:
    """Do the work within limits, in silence, and exit."""
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        _limit(size)
        work()
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
    main()
