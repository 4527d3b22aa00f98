"""Blender as a Python module with the add-on of this checkout enabled."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import bpy

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("OMI_BUILD", ROOT / "build"))
"""Folder that examples write to; tests choose one for each run."""
ADDON = "omi_joints_addon"


@contextmanager
def blender() -> Iterator[None]:
    """Start from an empty scene with the add-on enabled; make the build folder.

    The add-on is disabled at the end: Blender 4.5 hangs at exit while classes are registered.
    """
    import addon_utils  # importable once bpy is

    BUILD.mkdir(parents=True, exist_ok=True)
    with redirect_stdout(None):  # it tells that a module imported before is loaded again
        addon_utils.enable(ADDON, default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    try:
        yield
    finally:
        addon_utils.disable(ADDON, default_set=True)


@contextmanager
def log_to(path: Path) -> Iterator[None]:
    """Send what is printed, Blender's own messages too, to the end of a file instead."""
    sys.stdout.flush()
    saved = [os.dup(stream) for stream in (1, 2)]
    with path.open("ab") as log:
        for stream in (1, 2):
            os.dup2(log.fileno(), stream)
    try:
        yield
    finally:
        sys.stdout.flush()
        for stream, copy in zip((1, 2), saved, strict=True):
            os.dup2(copy, stream)
            os.close(copy)


sys.path.insert(0, str(ROOT))
