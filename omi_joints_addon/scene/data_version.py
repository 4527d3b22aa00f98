"""Marks joints and bodies with the version of their properties when a file is saved.

Objects without a mark have version 1. A later release upgrades what has a lower version when a file
is opened or objects are appended; what has a higher one is reported (`SAVED_BY_NEWER`).
"""

from typing import Any

import bpy
from bpy.app.handlers import persistent

from ..properties.body import body_data_of
from ..properties.joint import DATA_VERSION, joint_of
from ..properties.shape import NONE


@persistent  # type: ignore[untyped-decorator]
def _mark(*_arguments: Any) -> None:
    for obj in bpy.data.objects:
        if obj.library is None:
            joint, body = joint_of(obj), body_data_of(obj)
            if joint is not None and joint.data_version < DATA_VERSION:
                joint.data_version = DATA_VERSION
            if body is not None and body.motion_type != NONE and body.data_version < DATA_VERSION:
                body.data_version = DATA_VERSION


def attach() -> None:
    """Mark objects from now on."""
    bpy.app.handlers.save_pre.append(_mark)


def detach() -> None:
    """Mark objects no longer."""
    if _mark in bpy.app.handlers.save_pre:
        bpy.app.handlers.save_pre.remove(_mark)
