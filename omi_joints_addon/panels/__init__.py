"""Panels, menus and lists; they only draw."""

from types import ModuleType

from . import joint, joint_tools

MODULES: tuple[ModuleType, ...] = (
    joint,
    joint_tools,
)
