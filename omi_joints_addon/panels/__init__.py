"""Panels, menus and lists; they only draw."""

from types import ModuleType

from . import (
    body,
    checks,
    gltf_dialog,
    joint,
    joint_list,
    joint_settings,
    joint_tools,
    menus,
    overlay,
    preview,
    usd,
)

MODULES: tuple[ModuleType, ...] = (
    body,
    checks,
    gltf_dialog,
    joint,
    joint_settings,
    joint_tools,
    joint_list,
    menus,
    overlay,
    preview,
    usd,
)
