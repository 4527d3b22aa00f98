"""Viewport overlay, handles and the toolbar's tool."""

from types import ModuleType

from . import joint_handles, joint_overlay, joint_tool, shapes

MODULES: tuple[ModuleType, ...] = (
    joint_handles,
    joint_overlay,
    joint_tool,
    shapes,
)
