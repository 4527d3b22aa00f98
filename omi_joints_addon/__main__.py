"""`python -m omi_joints_addon`: the command line without Blender's window."""

import gc
import os
import signal
import sys
from pathlib import Path

from .isolation import ENVIRONMENT

_COLLECTED = 1_000_000
"""Objects made before Python's garbage collector runs."""


def main(program: str = "") -> int:
    """Run the command that the arguments of the process name and return the exit code.

    `program` is what it calls itself, by default what the process was started as.
    """
    if sys.version_info < (3, 11):  # noqa: UP036 - a package index is not the only way here
        sys.stderr.write("This program requires Python 3.11 or newer\n")
        return 2
    # Its first runs would look through all that is imported, a tenth of a command on a small file.
    gc.set_threshold(_COLLECTED)
    # OpenBLAS, which numpy brings, starts a thread on each processor as it is loaded, and they wait
    # busily: 0.06 s of processor time, of 0.17 s on a small file. No matrix here is that large.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        _open_closed_streams()
        from .cli.main import MODULE, silence_output
        from .cli.main import main as run

        os.environ.update(ENVIRONMENT)
        name = Path(sys.argv[0]).stem
        own = MODULE if name == "__main__" else name
        code = run(sys.argv[1:], program or own)
        # From here on there is nothing to put back.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        silence_output()
        if "bpy" not in sys.modules:
            # Nor is there anything to collect. Blender 4.5 would wait for what is kept of it.
            gc.freeze()
    except KeyboardInterrupt:
        # What is imported takes a tenth of a second.
        if sys.stderr is not None:
            sys.stderr.write("interrupted\n")
        return 130
    return code


def _open_closed_streams() -> None:
    """Have no file of the user's get the number of a standard stream that is closed.

    What libraries print would be written into it.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


if __name__ == "__main__":
    sys.exit(main())
