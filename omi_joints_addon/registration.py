"""Registers every part: the only module that knows them all.

A part is a module with a tuple `CLASSES` and, where it hooks into more than classes, functions
`attach` and `detach`.
"""

from collections.abc import Callable
from functools import partial
from types import ModuleType

import bpy

from . import gizmos, operators, panels, preferences, preview, properties, scene
from .cli import command
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
    usd_hooks,
)

_undo: list[Callable[[], None]] = []


def register() -> None:
    """Register all parts; where one fails, remove those before it and raise its error."""
    try:
        for part in PARTS:
            _register_part(part)
    except BaseException:
        unregister()
        raise


def unregister() -> None:
    """Remove what is registered, last first."""
    while _undo:
        _undo.pop()()


def _register_part(part: ModuleType) -> None:
    """Register the classes of one part and attach it, noting how to undo each step."""
    for cls in getattr(part, "CLASSES", ()):
        bpy.utils.register_class(cls)
        _undo.append(partial(bpy.utils.unregister_class, cls))
    if hasattr(part, "attach"):
        part.attach()
        _undo.append(part.detach)
