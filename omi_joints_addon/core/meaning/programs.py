"""Positions of joints over time as targets of their drives: the program of a robot."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ..model.animation import Track
from ..model.joint import DriveType, JointSettings
from ..model.pose import Array
from ..model.scene import PhysicsScene
from .naming import distinct_names
from .recognition import main_axis_of

Axis = tuple[DriveType, int]
"""Kind and number of an axis along or about which a drive pulls."""
_SUFFIXES: dict[str, Axis] = {
    f".{prefix}{letter}": (kind, axis)
    for prefix, kind in (("", DriveType.LINEAR), ("r", DriveType.ANGULAR))
    for axis, letter in enumerate("xyz")
}
"""Endings of columns that name an axis."""


@dataclass(frozen=True, slots=True)
class Program:
    """What became of columns of positions."""

    followed: list[str] = field(default_factory=list)
    """Joints whose targets follow a column."""
    unknown: list[str] = field(default_factory=list)
    """Columns that name no joint of the scene."""
    undriven: list[str] = field(default_factory=list)
    """Joints that have no drive of their own along or about that axis."""


def named_in(column: str) -> tuple[tuple[str, Axis | None], ...]:
    """Return the names of joints that a column may mean, with the axis where it names one."""
    stem, dot, letters = column.rpartition(".")
    axis = _SUFFIXES.get(dot + letters)
    return ((column, None), (stem, axis)) if axis is not None else ((column, None),)


def joint_named_in(column: str, joints: Mapping[str, int]) -> tuple[str, Axis | None] | None:
    """Return which of some joints a column names, and the axis where it names one."""
    return next((each for each in named_in(column) if each[0] in joints), None)


def drive_for(settings: JointSettings, axis: Axis | None) -> int | None:
    """Return the number of the drive that pulls to positions along or about an axis.

    None for the axis is the main one; drives with a target come first. None where no drive does.
    """
    drives = list(enumerate(settings.drives))
    if axis is not None:
        fitting = [each for each in drives if (each[1].type, each[1].axis) == axis]
    else:
        main = main_axis_of(settings)
        fitting = [each for each in drives if main is None or each[1].axis == main]
    springs = [each for each in fitting if each[1].stiffness > 0.0]
    springs.sort(key=lambda each: each[1].position_target is None)
    return springs[0][0] if springs else None


def following(
    scene: PhysicsScene, seconds: Array, columns: Mapping[str, Array]
) -> tuple[PhysicsScene, Program]:
    """Return the scene with position targets that go linearly through the positions of columns.

    A target's own track gives way. A name with an axis that has no drive is left out. Columns are
    [m] or [rad], shape (n,), nan where there is no position.
    """
    names = distinct_names(scene)
    joints = {names[joint.node]: number for number, joint in enumerate(scene.joints)}
    found, tracks = Program(), list[Track]()
    for column, values in columns.items():
        meant = joint_named_in(column, joints)
        if meant is None:
            found.unknown.append(column)
            continue
        name, axis = meant
        number = drive_for(scene.joints[joints[name]].settings, axis)
        is_there = np.isfinite(values)
        if number is not None and is_there.any():
            tracks.append(_track(joints[name], number, seconds[is_there], values[is_there]))
            found.followed.append(name)
        elif axis is None:
            found.undriven.append(name)
    return replace(scene, tracks=(*tracks, *scene.tracks)), found


def _track(joint: int, number: int, seconds: Array, values: Array) -> Track:
    return Track(
        joints=(joint,),
        kind="drives",
        number=number,
        member="position_target",
        seconds=seconds,
        values=values,
    )
