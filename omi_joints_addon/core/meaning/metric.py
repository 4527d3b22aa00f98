"""What each limit measures: the one definition that drawing, clamping, preview and checks share.

With joint node a, connected node b and the basis vectors e of a's frame (KHR_physics_rigid_bodies,
appendix "Joint limit metrics"; OMI_physics_joint, limit schema): linear one axis the signed
e_i·(t_b - t_a), two the distance from the line along the third axis, three the distance; angular
one axis the signed twist of q_a*·q_b about e_i, two the angle between the frames' third axes, three
the angle of the whole rotation.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..model.joint import JointLimit
from ..model.pose import Array, Pose


def linear_metric(axes: tuple[int, ...], position: Array) -> Array:
    """Return the distance [m] that a linear limit on `axes` bounds; signed for one axis.

    `position` (..., 3) is the connected frame's in the joint's frame; the result has shape (...).
    """
    selected = position[..., list(axes)]
    return selected[..., 0] if len(axes) == 1 else np.linalg.norm(selected, axis=-1)


def angular_metric(axes: tuple[int, ...], rotation: Array) -> Array:
    """Return the angle [rad] that an angular limit on `axes` bounds.

    One axis: the twist in (-pi, pi]. Two or three axes: in [0, pi]. `rotation` (..., 4) is the
    connected frame's unit quaternion in the joint's frame; q and -q give the same angle. The result
    has shape (...).
    """
    if len(axes) == 1:
        return twist_angle(rotation[..., axes[0]], rotation[..., 3])
    rest = [axis for axis in range(4) if axis not in axes]
    swing = np.linalg.norm(rotation[..., list(axes)], axis=-1)
    return np.asarray(2.0 * np.arctan2(swing, np.linalg.norm(rotation[..., rest], axis=-1)))


def twist_angle(part: Array, scalar: Array) -> Array:
    """Return the twist [rad] about an axis, in (-pi, pi], of which unit quaternions have `part`.

    Shapes broadcast.
    """
    return wrapped_angle(2.0 * np.arctan2(part, scalar))


def limit_metrics(limit: JointLimit, pose: Pose) -> Iterator[Array]:
    """Yield the metric of the limit's linear axes, then that of its angular axes, where it has any.

    `pose` is the connected frame in the joint's frame (`pose.relative_pose`).
    """
    if limit.linear_axes:
        yield linear_metric(limit.linear_axes, pose.position)
    if limit.angular_axes:
        yield angular_metric(limit.angular_axes, pose.rotation)


def excess_of_each(limits: Sequence[JointLimit], poses: Pose) -> Array:
    """Return how far n poses are outside of n limits [m or rad], which have the same axes; (n,).

    0 inside, both bounds included.
    """
    lower, upper = (np.array([getattr(limit, name) for limit in limits]) for name in ("min", "max"))
    excess = np.zeros(poses.position.shape[:-1])
    for metric in limit_metrics(limits[0], poses):
        outside = np.maximum(lower - metric, metric - upper)
        excess = np.maximum(excess, np.maximum(outside, 0.0))
    return excess


def wrapped_angle(angle: ArrayLike) -> Array:
    """Return angles [rad] in (-pi, pi], also where rounding would end just beyond."""
    angle = np.asarray(angle, float)
    turns = np.ceil((angle - np.pi) / (2.0 * np.pi))
    return np.asarray(np.minimum(angle - 2.0 * np.pi * turns, np.pi))
