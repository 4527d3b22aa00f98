"""Registers every part: the only module that knows them all.

A part is a module with classes of Blender, a tuple `MENUS` of what it draws in which of Blender's
menus and, where it hooks into more, functions `attach` and `detach`.
"""

import atexit
import logging
from collections.abc import Callable
from functools import partial
from types import ModuleType

import bpy

from . import gizmos, manual, operators, panels, preferences, preview, properties, scene
from .classes import classes_of, unregister_class
from .cli import command
from .io.gltf.upstream import ADDON, UNSEEN, is_found_by_exporters
from .io.usd import hooks as usd_hooks

PARTS: tuple[ModuleType, ...] = (
    *properties.MODULES,
    properties,
    preferences,
    *scene.MODULES,
    *operators.MODULES,
    *preview.MODULES,
    *gizmos.MODULES,
    *panels.MODULES,
    command,
    manual,
    usd_hooks,
)

_undo: list[Callable[[], None]] = []
_log = logging.getLogger(__name__)


def register() -> None:
    """Register all parts; where one fails, remove those before it and raise its error."""
    unregister()
    try:
        for part in PARTS:
            _register_part(part)
    except BaseException:
        unregister()
        raise
    if bpy.app.module:
        # Blender as a module outlives Python, and has no interpreter to free what refers to it.
        atexit.register(unregister)
    if not is_found_by_exporters():
        cure = f"addon_utils.enable({ADDON!r}, default_set=True)"
        _log.warning("%s, or in a script: %s", UNSEEN, cure)


def unregister() -> None:
    """Remove what is registered, last first, whatever others did to it meanwhile."""
    atexit.unregister(unregister)
    while _undo:
        undo = _undo.pop()
        try:
            undo()
        except Exception:  # noqa: BLE001 - what one part left behind must not keep all others
            _log.exception("a part of the extension was not removed cleanly")


def _register_part(part: ModuleType) -> None:
    """Register the classes of one part and attach it, noting how to undo each step."""
    for cls in classes_of(part):
        unregister_class(cls)
        bpy.utils.register_class(cls)
        _undo.append(partial(unregister_class, cls))
    for name, entry in getattr(part, "MENUS", ()):
        menu = getattr(bpy.types, name)
        menu.append(entry)
        _undo.append(partial(menu.remove, entry))
    if hasattr(part, "attach"):
        part.attach()
        _undo.append(part.detach)
