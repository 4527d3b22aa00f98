"""The live view of a Blender scene: read once, kept up to date by what changes."""

from types import ModuleType

from . import data_version, watch

MODULES: tuple[ModuleType, ...] = (data_version, watch)
