"""Viewport overlay and gizmos."""

from types import ModuleType

MODULES: tuple[ModuleType, ...] = ()
