"""The core layer runs without Blender: here its modules cannot be imported."""

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest

from tests.blender_modules import BLENDER


@contextmanager
def _no_blender() -> Iterator[None]:
    """Make imports of Blender's modules fail for a while: other layers may share the process."""
    with pytest.MonkeyPatch.context() as patch:
        for name in BLENDER:
            patch.setitem(sys.modules, name, None)
        yield


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Import the test modules without Blender."""
    with _no_blender():
        return (yield)


@pytest.fixture(autouse=True)
def _without_blender() -> Iterator[None]:
    with _no_blender():
        yield
