"""What commands need Blender for: .blend files, and conversion by its glTF add-on.

A command plays the user here: it opens files and runs operators, in a Blender of its own.
"""

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..core.checks.scene import check_scene
from ..core.findings.finding import Finding
from ..core.model.scene import PhysicsScene
from ..io.formats.gltf.container import UnreadableError
from .errors import CommandError

PACKAGE = __package__.rpartition(".")[0]


@contextlib.contextmanager
def blender() -> Iterator[Any]:
    """Yield the module `bpy` with the extension enabled, the file closed afterwards.

    Raises `CommandError` without Blender. What Blender prints meanwhile is lost.
    """
    with quiet():
        bpy, addon_utils = _modules()
        is_enabled = PACKAGE in bpy.context.preferences.addons
        if not is_enabled and addon_utils.enable(PACKAGE, default_set=True) is None:
            raise CommandError("the extension does not start in this Blender")
        try:
            yield bpy
        finally:
            # Blender 4.5 as a module hangs at exit while classes or data of them are there.
            bpy.ops.wm.read_homefile(use_empty=True)
            if not is_enabled:
                addon_utils.disable(PACKAGE, default_set=True)


def _modules() -> tuple[Any, Any]:
    try:
        return importlib.import_module("bpy"), importlib.import_module("addon_utils")
    except ImportError as error:
        raise CommandError(
            "this needs Blender: install the module bpy, or use blender --command"
        ) from error


def scenes_of(path: Path) -> list[tuple[str, PhysicsScene, tuple[Finding, ...]]]:
    """Return name, content and findings of each scene of a .blend file.

    Raises `UnreadableError`. Scripts in the file do not run.
    """
    with blender() as bpy:
        open_blend(bpy, path)
        scene_to_core = importlib.import_module(f"{PACKAGE}.scene.reading").scene_to_core
        scenes = []
        for scene in bpy.data.scenes:
            core, findings = scene_to_core(scene)
            scenes.append((scene.name, core, (*findings, *check_scene(core))))
        return scenes


def open_blend(bpy: Any, path: Path) -> None:
    """Open a .blend file without running its scripts; raises `UnreadableError`."""
    if not path.is_file():
        raise UnreadableError("No such file" if not path.exists() else "is no file")
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path.resolve()), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        raise UnreadableError(one_line(error)) from error


def one_line(error: BaseException) -> str:
    """Return the last line of what Blender reports."""
    lines = str(error).strip().splitlines()
    return lines[-1].removeprefix("Error: ") if lines else type(error).__name__


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep what Blender prints out of the output of the command, also what its C code prints."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
