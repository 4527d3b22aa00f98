"""Run the quick tests that need no Blender, two at a time: quick_tests.py [PYTEST ARGUMENT ...]."""

from __future__ import annotations

import subprocess
import sys

ARGUMENTS = ("tests/core", "-m", "not slow", "-n", "2", "-q")

if __name__ == "__main__":
    command = [sys.executable, "-m", "pytest", *ARGUMENTS, *sys.argv[1:]]
    sys.exit(subprocess.run(command, check=False).returncode)
