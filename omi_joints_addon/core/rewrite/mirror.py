"""Joints mirrored across a plane, exactly: frames stay right-handed, settings change their signs.

A reflection S makes left-handed frames of right-handed ones, so one axis of the frame is turned
round as well: R becomes S·R·D, D = -1 on the flipped axis. The relative pose becomes D·(p, R)·D.
By `metric` the distance along the flipped axis and the twists about the two others change their
sign then; all other distances and angles stay.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ..model.pose import Array

_TRIES = (2, 0, 1)
"""Axes to flip, in the order of preference."""


def best_flip(settings: JointSettings) -> int:
    """Return the axis to flip for which settings stay as they are, Z where there is none."""
    return next((flip for flip in _TRIES if mirrored_settings(settings, flip) == settings), 2)


def mirrored_settings(settings: JointSettings, flip: int) -> JointSettings:
    """Return the settings that mean the mirrored motion in frames whose axis `flip` is flipped.

    One pose does not count: a half turn, to which the metric gives a positive sign from either
    side. Drives of types that other extensions specify stay.
    """
    limits = [part for limit in settings.limits for part in _mirrored_limit(limit, flip)]
    drives = [_mirrored_drive(drive, flip) for drive in settings.drives]
    return replace(settings, limits=tuple(limits), drives=tuple(drives))


def mirrored_frame(matrix: Array, reflection: Array, flip: int) -> Array:
    """Return a frame's mirrored world matrix (4, 4); `reflection` is that of the space."""
    turned = np.eye(4)
    turned[flip, flip] = -1.0
    return np.asarray(reflection @ matrix @ turned)


def reflection_across(space: ArrayLike, axis: int) -> Array:
    """Return the reflection (4, 4) that changes the sign of an axis of a space without scale."""
    sign = np.eye(4)
    sign[axis, axis] = -1.0
    matrix = np.asarray(space, float)
    return np.asarray(matrix @ sign @ np.linalg.inv(matrix))


def _mirrored_limit(limit: JointLimit, flip: int) -> tuple[JointLimit, ...]:
    """Return the limit, in two where its linear and its angular axes need different bounds."""
    is_linear = limit.linear_axes == (flip,)
    is_angular = len(limit.angular_axes) == 1 and limit.angular_axes != (flip,)
    turned = replace(limit, min=0.0 - limit.max, max=0.0 - limit.min)
    if limit.linear_axes and limit.angular_axes and is_linear != is_angular:
        if (turned.min, turned.max) == (limit.min, limit.max):
            return (limit,)
        one, other = (turned, limit) if is_linear else (limit, turned)
        return replace(one, angular_axes=()), replace(other, linear_axes=())
    return (turned if is_linear or is_angular else limit,)


def _mirrored_drive(drive: JointDrive, flip: int) -> JointDrive:
    if not drive.has_known_type:
        return drive
    if (drive.axis == flip) == (drive.type == DriveType.ANGULAR):
        return drive
    return drive.reversed()
