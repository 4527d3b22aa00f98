"""Axes renamed by thirds of a turn of both frames, and frames turned about one axis."""

import math
from dataclasses import replace

from ....core.model.body import Quaternion
from ....core.model.joint import JointSettings

TURNS: tuple[Quaternion, ...] = (
    (0.0, 0.0, 0.0, 1.0),
    (-0.5, -0.5, -0.5, 0.5),
    (0.5, 0.5, 0.5, 0.5),
)
"""Rotation x y z w of both frames, each in its own axes, that moves the names by 0, 1, 2 places."""


def renamed(settings: JointSettings, shift: int) -> JointSettings:
    """Return the settings with X, Y, Z moved on by `shift` places."""
    return replace(
        settings,
        limits=tuple(
            replace(
                limit,
                linear_axes=_moved(limit.linear_axes, shift),
                angular_axes=_moved(limit.angular_axes, shift),
            )
            for limit in settings.limits
        ),
        drives=tuple(replace(drive, axis=(drive.axis + shift) % 3) for drive in settings.drives),
    )


def turn_about(axis: int, angle: float) -> Quaternion:
    """Return the rotation x y z w by an angle [rad] about an axis."""
    vector = [0.0, 0.0, 0.0]
    vector[axis] = math.sin(0.5 * angle)
    return (vector[0], vector[1], vector[2], math.cos(0.5 * angle))


def _moved(axes: tuple[int, ...], shift: int) -> tuple[int, ...]:
    return tuple(sorted((axis + shift) % 3 for axis in axes))
