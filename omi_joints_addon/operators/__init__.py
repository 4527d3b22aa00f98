"""Operators, one module per topic."""

from types import ModuleType

from . import joint_add

MODULES: tuple[ModuleType, ...] = (joint_add,)
