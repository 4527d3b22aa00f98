"""Run the quick tests that need no Blender, two at a time: quick_tests.py [PYTEST ARGUMENT ...]."""

from __future__ import annotations

import sys

import pytest

ARGUMENTS = ("tests/core", "-m", "not slow", "-n", "2", "-q")

if __name__ == "__main__":
    sys.exit(pytest.main([*ARGUMENTS, *sys.argv[1:]]))
