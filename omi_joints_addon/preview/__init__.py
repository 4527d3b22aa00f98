"""Previews of joints that run in Blender and restore all they move."""

from types import ModuleType

from . import draw, session

MODULES: tuple[ModuleType, ...] = (draw, session)
