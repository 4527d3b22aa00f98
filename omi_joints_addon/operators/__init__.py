"""Operators, one module per topic."""

from types import ModuleType

MODULES: tuple[ModuleType, ...] = ()
