"""Positions of joints over time as keys of the targets of their drives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np

from ..core.meaning.recognition import main_axis_of
from ..core.model.joint import DriveType, JointDrive, JointSettings
from ..core.model.pose import Array
from ..properties.joint import joint_data, joint_of, settings_owner

_SUFFIXES = {
    f".{prefix}{letter}": (kind, axis)
    for prefix, kind in (("", DriveType.LINEAR), ("r", DriveType.ANGULAR))
    for axis, letter in enumerate("xyz")
}
"""Endings of columns that name an axis."""


@dataclass(frozen=True, slots=True)
class Program:
    """What became of columns of positions."""

    keyed: list[str] = field(default_factory=list)
    """Joints whose targets were keyed."""
    unknown: list[str] = field(default_factory=list)
    """Columns that name no joint of the scene."""
    undriven: list[str] = field(default_factory=list)
    """Joints that have no drive of their own along or about that axis."""


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
        joint, wanted = _joint_of(scene, name)
        if joint is None:
            found.unknown.append(name)
            continue
        number = _drive_of(joint, wanted)
        if number is not None:
            is_there = np.isfinite(values)
            _key(joint, number, first + rate * seconds[is_there], values[is_there])
            found.keyed.append(joint.name)
        elif wanted is None:
            found.undriven.append(joint.name)
    return found


def _joint_of(
    scene: bpy.types.Scene, name: str
) -> tuple[bpy.types.Object | None, tuple[str, int] | None]:
    """Return the joint that a column names, and the axis where it names one."""
    stem, dot, letters = name.rpartition(".")
    for own, wanted in ((name, None), (stem, _SUFFIXES.get(dot + letters))):
        obj = scene.objects.get(own) if own == name or wanted else None
        if obj is not None and joint_of(obj) is not None:
            return obj, wanted
    return None, None


def _drive_of(joint: bpy.types.Object, wanted: tuple[str, int] | None) -> int | None:
    """Return the number of the drive that pulls along or about an axis, the main one for None."""
    if settings_owner(joint) is not joint:
        return None
    settings: JointSettings = joint_data(joint).settings_to_core()
    drives = list(enumerate(settings.drives))
    if wanted is not None:
        fitting = [each for each in drives if (each[1].type, each[1].axis) == wanted]
    else:
        axis = main_axis_of(settings)
        fitting = [each for each in drives if axis is None or each[1].axis == axis]
    return next(_best(fitting), None)


def _best(drives: Sequence[tuple[int, JointDrive]]) -> Iterator[int]:
    """Yield numbers of drives that pull toward a position, springs with a target first."""
    springs = [each for each in drives if each[1].stiffness > 0.0]
    springs.sort(key=lambda each: each[1].position_target is None)
    yield from (number for number, _ in springs)


def _key(joint: bpy.types.Object, number: int, frames: Array, values: Array) -> None:
    """Have the target of a drive follow values at frames."""
    drive: Any = joint_data(joint).drives[number]
    drive.use_position_target = True
    unit = "angle" if drive.type == "ANGULAR" else "distance"
    data: Any = joint.animation_data or joint.animation_data_create()
    if data.action is None:
        data.action = bpy.data.actions.new(joint.name)
    path = f"omi_joint.drives[{number}].position_target_{unit}"
    curve = data.action.fcurve_ensure_for_datablock(joint, path)
    points = curve.keyframe_points
    points.clear()
    points.add(len(frames))
    points.foreach_set("co", np.column_stack((frames, values)).reshape(-1).astype(np.float32))
    for point in points:
        point.interpolation = "LINEAR"
    curve.update()
