"""Work of OpenUSD tried first in a process of its own, which it may end or fill the memory of.

OpenUSD trusts what it reads: damaged files make it abort, or ask for gigabytes. Blender's own
importer would end Blender with them.
"""

import importlib
import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

from ....core.findings.sentence import Sentence
from ..format import UnreadableError

_MEMORY = 2 * 2**30
"""Bytes of address space that reading may take beyond what there is, and 20 times the file."""
_SECONDS = 600
"""Processor time that reading may take."""
_OUT_OF_MEMORY = 3


def require_harmless(work: Callable[[], object], *, size: int) -> None:
    """Run work in a process of its own; raises `UnreadableError` where that does not survive.

    `size` is that of the file in bytes. What else goes wrong does so again in this process, which
    reports it. Does nothing inside Blender and where processes cannot be copied: Windows.
    """
    if sys.modules.get("bpy") is not None or not hasattr(os, "fork"):
        return
    # A copy has none of the threads that OpenUSD and numpy start; both then work without.
    importlib.import_module("pxr.Work").SetConcurrencyLimit(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        _work_alone(work, size)
    try:
        _, status = os.waitpid(child, 0)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    code = os.waitstatus_to_exitcode(status)
    if code == _OUT_OF_MEMORY:
        raise UnreadableError("makes OpenUSD take more memory than such a file can need")
    if code < 0:
        name = signal.Signals(-code).name
        raise UnreadableError(
            Sentence("makes OpenUSD crash ({signal}); it is damaged, or too large", signal=name)
        )


def _work_alone(work: Callable[[], object], size: int) -> None:
    """Do the work within limits, without a word, and exit."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        _limit(size)
        work()
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    finally:
        os._exit(0)  # whatever happens, this copy goes no further


def _limit(size: int) -> None:
    import resource

    statm = Path("/proc/self/statm")
    pages = int(statm.read_text("ascii").split()[0]) if statm.exists() else 0
    most = pages * resource.getpagesize() + _MEMORY + 20 * size
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
