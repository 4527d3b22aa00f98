"""Panels, menus and lists; they only draw."""

from types import ModuleType

from . import gltf_dialog, joint, joint_tools, overlay

MODULES: tuple[ModuleType, ...] = (
    gltf_dialog,
    joint,
    joint_tools,
    overlay,
)
