"""Panels, menus and lists; they only draw."""

from types import ModuleType

MODULES: tuple[ModuleType, ...] = ()
