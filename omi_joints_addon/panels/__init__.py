"""Panels, menus and lists; they only draw."""

from types import ModuleType

from . import (
    active_ragdoll,
    body,
    bone,
    bone_joint,
    checks,
    gltf_dialog,
    joint,
    joint_list,
    joint_settings,
    joint_table,
    joint_tools,
    keys,
    menus,
    overlay,
    preview,
    report,
    usd,
)

MODULES: tuple[ModuleType, ...] = (
    body,
    bone,
    checks,
    gltf_dialog,
    joint,
    joint_settings,
    joint_tools,
    bone_joint,
    active_ragdoll,
    joint_list,
    joint_table,
    menus,
    keys,
    overlay,
    preview,
    report,
    usd,
)
