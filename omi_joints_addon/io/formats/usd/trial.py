"""Files are tried first in a process of their own, which OpenUSD may end, or fill the memory of.

OpenUSD trusts what it reads: damaged files make it abort, or ask for gigabytes. Blender's own
importer would end Blender with them.
"""

import atexit
import functools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from ....core.findings.sentence import Sentence
from ..format import UnreadableError

OUT_OF_MEMORY = 3
"""Exit code of a trial that wanted more memory than such a file can need."""
_UNANSWERED = "that ended without an answer, as it does where memory is short"


def require_harmless(
    path: Path, *, document: Path, folders: tuple[Path, ...], meters: float | None
) -> None:
    """Read a file in a process of its own; raises `UnreadableError` where that does not survive.

    `document` is the file that the user named: `path`, or what that is a copy of. `folders` may be
    referred to. What else goes wrong does so again in this process, which reports it. Does nothing
    inside Blender and where processes cannot be copied: Windows.
    """
    if sys.modules.get("bpy") is not None or not hasattr(os, "fork"):
        return
    request = {
        "path": str(path),
        "document": str(document),
        "folders": [str(folder) for folder in folders],
        "meters": meters,
    }
    code = _exit_code(request)
    if code == OUT_OF_MEMORY:
        raise UnreadableError("makes OpenUSD take more memory than such a file can need")
    if code < 0:
        name = signal.Signals(-code).name
        raise UnreadableError(
            Sentence("makes OpenUSD crash ({signal}); it is damaged, or too large", signal=name)
        )


def _exit_code(request: Mapping[str, object]) -> int:
    """Return how a trial ended; raises `UnreadableError` where nobody says so.

    What ended the trials might end this process, or be there to keep them from judging.
    """
    try:
        trials = _trials()
    except OSError as error:
        raise _untried(error.strerror or str(error)) from error
    assert trials.stdin
    assert trials.stdout
    try:
        trials.stdin.write(json.dumps(request) + "\n")
        trials.stdin.flush()
        return int(trials.stdout.readline())
    except (OSError, ValueError) as error:
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
def _trials() -> subprocess.Popen[str]:
    """Return the process that tries files in copies of itself.

    This process cannot be copied itself: threads of OpenUSD do not survive it, and it crashes.
    """
    trials = subprocess.Popen(
        [sys.executable, "-P", "-m", f"{__package__}.trial_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        text=True,
    )
    atexit.register(_stop, trials)
    return trials


def _stop(trials: subprocess.Popen[str]) -> None:
    _trials.cache_clear()
    trials.kill()
    trials.communicate()
