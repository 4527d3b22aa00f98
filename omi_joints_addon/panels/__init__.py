"""Panels, menus and lists; they only draw."""

from types import ModuleType

from . import (
    body,
    bone,
    checks,
    exporters,
    joint,
    joint_list,
    joint_settings,
    joint_tools,
    keys,
    menus,
    overlay,
    preview,
    report,
)

MODULES: tuple[ModuleType, ...] = (
    body,
    bone,
    checks,
    exporters,
    joint,
    joint_settings,
    joint_tools,
    joint_list,
    menus,
    keys,
    overlay,
    preview,
    report,
)
