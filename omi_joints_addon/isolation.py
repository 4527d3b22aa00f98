"""Keeps the working folder, which may be a stranger's, out of the programs that start meanwhile.

Python puts it in front of its search path for `-c` and `-m`, which libraries start, too: those of
multiprocessing, and glfw below MuJoCo. Windows looks there for programs.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

ENVIRONMENT: Mapping[str, str] = {
    "PYTHONSAFEPATH": "1",
    "NoDefaultCurrentDirectoryInExePath": "1",
}


@contextmanager
def isolated() -> Iterator[None]:
    """Have processes that start within the block load nothing from the working folder."""
    kept = {name: os.environ.get(name) for name in ENVIRONMENT}
    os.environ.update(ENVIRONMENT)
    try:
        yield
    finally:
        for name, value in kept.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
