"""What the pose of a joint decides of its outline: a few vectors, in which all points are linear.

A point is `anchor + size * offset`, plus its weights times these vectors.
"""

from collections.abc import Sequence
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

from ..meaning.metric import twist_angle
from ..model.pose import Array, Pose, rotation_matrix
from .pieces import BASES

LEAST_GAP = 1e-6
"""Shortest gap [m] that is drawn."""


class Tie(IntEnum):
    """First row of a vector, or of one for each axis or body, in the joint's frame."""

    CONNECTED = 0
    """Origin of the connected frame [m]."""
    BODY = 1
    """Origins of both bodies [m]."""
    FOLLOWED = 3
    """Origin of the joint that this one follows [m]."""
    ALONG = 4
    """The part along each axis of the origin of the connected frame [m]."""
    AXIS = 7
    """Axes of the connected frame [size]."""
    TIP = 10
    """Where turning by the present twist about each axis takes the next axis [size]."""


METERS, ROWS = 7, 13
"""Number of vectors in meters, and of all."""
_XYZ = np.arange(3)
_ALONG = Tie.ALONG + _XYZ


class There(IntFlag):
    """What a joint is tied to."""

    CONNECTED = 1
    """A connected frame."""
    GAP = 2
    """A connected frame that is elsewhere."""
    BODY = 4
    """A body of its own frame."""
    OTHER_BODY = 8
    """A body of the connected frame."""
    FOLLOWED = 16
    """A joint that it follows."""


# Numpy takes long to find out that members of enumerations are numbers.
_CONNECTED, _GAP, _BODY, _OTHER_BODY, _FOLLOWED = (np.intp(each) for each in There)


def ties_of(pose: Pose, bodies: Array, followed: Array) -> Array:
    """Return the vectors (n, 13, 3), of size 1, of joints; zero where nothing is there.

    `pose` is the connected frame in the joint frame; `bodies` (n, 2, 3) and `followed` (n, 3) [m]
    are NaN, or empty, where there are none.
    """
    found = np.zeros((len(pose.position), ROWS, 3))
    found[:, Tie.CONNECTED] = pose.position
    if len(bodies):
        found[:, Tie.BODY : Tie.FOLLOWED] = bodies
    if len(followed):
        found[:, Tie.FOLLOWED] = followed
    found[:, _ALONG, _XYZ] = pose.position
    found[:, Tie.AXIS : Tie.TIP] = np.swapaxes(rotation_matrix(pose.rotation), -1, -2)
    twist = twist_angle(pose.rotation[:, :3], pose.rotation[:, 3:])[..., None]
    found[:, Tie.TIP :] = np.cos(twist) * BASES[:, 0] + np.sin(twist) * BASES[:, 1]
    found[np.isnan(found)] = 0.0
    return found


def there_of(
    pose: Pose, is_connected: NDArray[np.bool_], bodies: Array, followed: Array
) -> NDArray[np.intp]:
    """Return what joints are tied to, as sums of `There`, shape (n,)."""
    found = is_connected * _CONNECTED
    found[is_connected & ((pose.position**2).sum(axis=-1) > LEAST_GAP**2)] += _GAP
    if len(bodies):
        has_body = np.isfinite(bodies).all(axis=-1)
        found += has_body[:, 0] * _BODY
        found += (has_body[:, 1] & is_connected) * _OTHER_BODY
    if len(followed):
        found += np.isfinite(followed).all(axis=-1) * _FOLLOWED
    return found


def weights(*points: Sequence[tuple[int, float]]) -> Array:
    """Return the weights (p, 13) of points, each given by rows and what they are multiplied by."""
    found = np.zeros((len(points), ROWS))
    for number, point in enumerate(points):
        for row, factor in point:
            found[number, row] = factor
    return found
