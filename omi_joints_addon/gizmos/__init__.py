"""Viewport overlay, handles and the toolbar's tool."""

from types import ModuleType

from . import drawing, joint_handles, joint_tool

MODULES: tuple[ModuleType, ...] = (
    joint_handles,
    drawing,
    joint_tool,
)
