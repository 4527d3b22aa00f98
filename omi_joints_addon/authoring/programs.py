"""Positions of joints over time as keys of the targets of their drives."""

import bpy
import numpy as np

from ..core.meaning.programs import Axis, Program, drive_for, named_in
from ..core.model.pose import Array
from ..properties.joint import joint_data, joint_of, settings_owner
from .joint_tracks import key_target


def key_targets(
    scene: bpy.types.Scene, seconds: Array, columns: "dict[str, Array]", *, first: float
) -> Program:
    """Key position targets of drives, linearly, so that time 0 is at the frame `first`.

    Columns have names of joints, as in `io.positions`. A name with an axis that has no drive is
    left out; keys that a target had before are replaced.
    """
    found = Program()
    rate = scene.render.fps / scene.render.fps_base
    for name, values in columns.items():
        joint, axis = _joint_of(scene, name)
        if joint is None:
            found.unknown.append(name)
            continue
        is_own = settings_owner(joint) is joint
        number = drive_for(joint_data(joint).settings_to_core(), axis) if is_own else None
        if number is not None:
            is_there = np.isfinite(values)
            key_target(joint, number, first + rate * seconds[is_there], values[is_there])
            found.followed.append(joint.name)
        elif axis is None:
            found.undriven.append(joint.name)
    return found


def _joint_of(scene: bpy.types.Scene, column: str) -> tuple[bpy.types.Object | None, Axis | None]:
    """Return the joint that a column names, and the axis where it names one."""
    for name, axis in named_in(column):
        obj = scene.objects.get(name)
        if obj is not None and joint_of(obj) is not None:
            return obj, axis
    return None, None
