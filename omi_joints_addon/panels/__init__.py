"""Panels, menus and lists; they only draw."""

from types import ModuleType

from . import body, checks, gltf_dialog, joint, joint_tools, overlay, preview, usd

MODULES: tuple[ModuleType, ...] = (
    body,
    checks,
    gltf_dialog,
    joint,
    joint_tools,
    overlay,
    preview,
    usd,
)
