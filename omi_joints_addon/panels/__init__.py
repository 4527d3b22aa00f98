"""Panels, menus and lists; they only draw."""

from types import ModuleType

from . import body, gltf_dialog, joint, joint_tools, overlay

MODULES: tuple[ModuleType, ...] = (
    body,
    gltf_dialog,
    joint,
    joint_tools,
    overlay,
)
