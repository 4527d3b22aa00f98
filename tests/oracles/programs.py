"""Programs that are run for what they print, and fail with what they complain of."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def printed(
    command: Sequence["str | Path"],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """Return what a program prints; raise RuntimeError with the end of its complaints."""
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, env=env, timeout=600
    )
    if done.returncode:
        raise RuntimeError(
            f"{Path(command[0]).name} ends with {done.returncode}: {done.stderr[-2000:]}"
        )
    return done.stdout
