"""Operators, one module per topic."""

from types import ModuleType

from . import (
    body,
    body_lists,
    body_mass,
    check,
    joint_add,
    joint_ends,
    joint_frame_place,
    joint_limits,
    joint_remove,
    joint_select,
    joint_settings,
    preview,
    preview_bake,
    preview_draw,
    preview_limits,
    preview_rigid_body,
    preview_session,
    rigid_body_constraint,
)

MODULES: tuple[ModuleType, ...] = (
    body,
    body_lists,
    body_mass,
    check,
    joint_add,
    joint_ends,
    joint_frame_place,
    joint_limits,
    joint_remove,
    joint_select,
    joint_settings,
    preview,
    preview_bake,
    preview_draw,
    preview_limits,
    preview_rigid_body,
    preview_session,
    rigid_body_constraint,
)
