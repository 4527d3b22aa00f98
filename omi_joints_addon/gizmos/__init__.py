"""Viewport overlay and gizmos."""

from types import ModuleType

from . import joint_overlay

MODULES: tuple[ModuleType, ...] = (joint_overlay,)
