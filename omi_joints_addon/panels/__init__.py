"""Panels, menus and lists; they only draw."""

from types import ModuleType

from . import joint

MODULES: tuple[ModuleType, ...] = (joint,)
