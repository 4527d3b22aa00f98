"""Panels, menus and lists; they only draw."""

from types import ModuleType

from . import gltf_dialog, joint, joint_tools

MODULES: tuple[ModuleType, ...] = (
    gltf_dialog,
    joint,
    joint_tools,
)
