"""Viewport overlay, handles and the toolbar's tool."""

from types import ModuleType

from . import drawing, joint_handle_types, joint_tool

MODULES: tuple[ModuleType, ...] = (
    joint_handle_types,
    drawing,
    joint_tool,
)
