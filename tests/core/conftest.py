"""The core layer runs without Blender: here its modules cannot be imported."""

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest

from tests.blender_modules import BLENDER
from tests.robots import robots_folder


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


collect_ignore = [] if robots_folder().is_dir() else ["test_urdf_robots.py"]
if "OMI_SHIFT_MODELS" not in os.environ:
    collect_ignore.append("test_shift_models.py")
