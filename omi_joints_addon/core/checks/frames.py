"""Checks of attachment frames: their scale, and how far apart they are at rest. SI units."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..findings.finding import ERROR, WARNING, Finding, rule
from ..findings.fix import Fix
from ..findings.words import amount, limit_part
from ..meaning.metric import excess_of_each
from ..model.joint import DriveType, JointSettings
from ..model.pose import Array, Pose, pose_from_matrix, relative_pose
from ..model.scene import PhysicsScene

Indices = NDArray[np.intp]
_UNIT = 1e-3
"""Allowed difference from unit scale, and from right angles as a cosine."""
_DISTANCE, _ANGLE = 1e-3, 2e-3
"""Gaps that nobody sees [m] and [rad]."""
_FARTHEST = 1e9
"""Largest number of a usable matrix."""


SCALED_FRAME = rule(
    "OMI-J301",
    WARNING,
    "the frame {frame!r} is scaled by {scale}, but limits are in meters; clear its scale",
    reason="Attachment frames are positions and rotations; engines differ on scaled joints.",
    fix=Fix.CLEAR_SCALE,
    is_safe=True,
)
SHEARED_FRAME = rule(
    "OMI-J302",
    WARNING,
    "the frame {frame!r} is sheared: its axes are not at right angles",
    reason="Attachment frames are positions and rotations; a sheared frame has no definite "
    "rotation.",
    fix=Fix.CLEAR_SCALE,
    is_safe=True,
)
APART_AT_REST = rule(
    "OMI-J303",
    WARNING,
    "at rest the frames are {gap} further apart than limit {number} allows, so the bodies will "
    "snap together when the simulation starts",
    reason="OMI_physics_joint: the joint keeps both frames together within its limits; the Godot "
    "importer ignores the connected frame.",
    fix=Fix.ALIGN_FRAMES,
)
REST_LEFT_OUT = rule(
    "OMI-J305",
    WARNING,
    "at rest the joint is {gap} outside of limit {number}, which excludes identical frames; the "
    "bodies will jump when the simulation starts",
    reason="OMI_physics_joint: the joint keeps both frames within its limits from the first step.",
    fix=Fix.INCLUDE_REST,
)
UNUSABLE_FRAME = rule(
    "OMI-J304",
    ERROR,
    "the transform of the frame {frame!r} is not finite or is zero, so it has no usable place",
    reason="A transform must have an inverse.",
)


def check_frames(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what is wrong with the frames of the joints of a scene."""
    if scene.joints:
        yield from check_transforms(scene)
        yield from _check_gaps(scene)


def check_transforms(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield frames with scale or shear; a body that is its own frame may have its scale.

    Scale counts where a joint has lengths, and a mirrored frame where the other one is not.
    """
    nodes = _frames(scene)
    nodes = nodes[~_are_rigid(scene.matrices[nodes])]
    if not len(nodes):
        return
    owner = _frame_places(scene, nodes)
    usable = _usable(scene.matrices[nodes])
    for node in nodes[~usable].tolist():
        yield UNUSABLE_FRAME(owner[node], frame=scene.names[node])
    nodes = nodes[usable]
    linear = scene.matrices[nodes, :3, :3]
    lengths = np.linalg.norm(linear, axis=1)
    flipped = np.linalg.det(linear) < 0.0
    has_lengths, is_half_mirrored = _scale_matters(scene, nodes)
    uneven = (np.abs(lengths - 1.0) > _UNIT).any(axis=1) & has_lengths | is_half_mirrored
    axes = linear / lengths[:, None, :]
    cosines = np.abs(np.swapaxes(axes, 1, 2) @ axes - np.eye(3)).max(axis=(1, 2), initial=0.0)
    for at in np.flatnonzero(uneven):
        node, sign = int(nodes[at]), "mirrored " if flipped[at] else ""
        scale = sign + " × ".join(f"{length:.3g}" for length in lengths[at])
        yield SCALED_FRAME(owner[node], frame=scene.names[node], scale=scale)
    for node in nodes[cosines > _UNIT].tolist():
        yield SHEARED_FRAME(owner[node], frame=scene.names[node])


def _scale_matters(
    scene: PhysicsScene, nodes: Indices
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which frames have joints with lengths, and which are mirrored unlike the other end."""
    ends = np.array((scene.joint_nodes, scene.other_nodes))
    has_lengths = np.array([_has_lengths(joint.settings) for joint in scene.joints], np.bool_)
    with np.errstate(all="ignore"):
        flipped = np.linalg.det(scene.matrices[ends, :3, :3]) < 0.0
    found = (ends[:, chosen].ravel() for chosen in (has_lengths, flipped[0] != flipped[1]))
    lengths, mirrored = (np.isin(nodes, each) for each in found)
    return lengths, mirrored


def _has_lengths(settings: JointSettings) -> bool:
    """Return whether limits or drives of a joint are about more than the place of a point."""
    limits = (limit for limit in settings.limits if limit.linear_axes)
    return any(drive.type == DriveType.LINEAR for drive in settings.drives) or any(
        max(abs(limit.min), abs(limit.max)) > 0.0 for limit in limits
    )


def _frames(scene: PhysicsScene) -> Indices:
    """Return the nodes that are frames of joints, ascending, but bodies, which may have a scale."""
    is_frame = np.zeros(len(scene.parents) + 1, dtype=np.bool_)
    is_frame[scene.joint_nodes] = is_frame[scene.connected_nodes] = True
    nodes = np.flatnonzero(is_frame[:-1])
    is_body = np.zeros(len(scene.parents), dtype=np.bool_)
    is_body[list(scene.motions)] = True
    return np.asarray(nodes[~is_body[scene.frame_owners()[nodes]]])


def _frame_places(scene: PhysicsScene, nodes: Indices) -> dict[int, str]:
    """Return where findings about frames point: the first joint on the node, else to it."""
    places: dict[int, str] = {}
    for ends in (scene.joint_nodes, scene.connected_nodes):
        for index in np.flatnonzero(np.isin(ends, nodes)).tolist():
            places.setdefault(int(ends[index]), scene.joint_place(index))
    return places


def _are_rigid(matrices: Array) -> NDArray[np.bool_]:
    """Return which matrices have neither scale nor shear and are of sane size, shape (n,)."""
    with np.errstate(all="ignore"):
        x, y, z = np.moveaxis(matrices[:, :3, :3], -1, 0)
        gram = np.swapaxes(matrices[:, :3, :3], 1, 2) @ matrices[:, :3, :3]
        volume = (
            x[:, 0] * (y[:, 1] * z[:, 2] - y[:, 2] * z[:, 1])
            + x[:, 1] * (y[:, 2] * z[:, 0] - y[:, 0] * z[:, 2])
            + x[:, 2] * (y[:, 0] * z[:, 1] - y[:, 1] * z[:, 0])
        )
        is_even = (np.abs(gram - np.eye(3)) <= _UNIT).reshape(len(matrices), 9).all(axis=1)
        is_near = (np.abs(matrices[:, :3, 3]) < _FARTHEST).all(axis=1)
    return np.asarray(is_even & is_near & (volume > 0.0))


def _check_gaps(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield joints whose frames at rest are where a limit does not allow them."""
    chosen = apart(scene)
    settings = [scene.joints[number].settings for number in chosen.tolist()]
    for at, index, excess in _gaps(settings, joint_poses(scene, chosen)):
        limit = settings[at].limits[index]
        place, part = scene.joint_place(chosen[at]), limit_part(index)
        gap = amount(excess, is_angular=not limit.linear_axes)
        broken = APART_AT_REST if limit.min <= 0.0 <= limit.max else REST_LEFT_OUT
        yield broken(place, part, gap=gap, number=index + 1)


def _gaps(settings: Sequence[JointSettings], poses: Pose) -> list[tuple[int, int, float]]:
    """Return the joints and limits that do not allow the poses (n,), and by how much [m or rad].

    Limits of all joints that have the same axes are measured at once.
    """
    groups: defaultdict[object, list[tuple[int, int]]] = defaultdict(list)
    for at, each in enumerate(settings):
        for index, limit in enumerate(each.limits):
            if limit.min <= limit.max and (limit.linear_axes or limit.angular_axes):
                groups[limit.linear_axes, limit.angular_axes].append((at, index))
    gaps: list[tuple[int, int, float]] = []
    for members in groups.values():
        limits = [settings[at].limits[index] for at, index in members]
        some = [at for at, _ in members]
        excess = excess_of_each(limits, poses.at(some))
        seen = _DISTANCE if limits[0].linear_axes else _ANGLE
        gaps += ((*members[n], float(excess[n])) for n in np.flatnonzero(excess > seen).tolist())
    return sorted(gaps)


def apart(scene: PhysicsScene) -> Indices:
    """Return the joints whose limits may not hold at rest.

    They are those with frames that differ, and those that do not allow frames that are the same.
    """
    node, other = scene.joint_nodes, scene.other_nodes
    with np.errstate(invalid="ignore"):
        gap = np.abs(scene.matrices[node] - scene.matrices[other]).reshape(len(node), 16)
    allow_rest = np.array([_allows_rest(joint.settings) for joint in scene.joints], dtype=np.bool_)
    chosen = np.flatnonzero((gap > 1e-5).any(axis=1) | ~allow_rest)
    usable = _usable(scene.matrices[node[chosen]]) & _usable(scene.matrices[other[chosen]])
    return np.asarray(chosen[usable & (scene.connected_nodes[chosen] >= 0)])


def _allows_rest(settings: JointSettings) -> bool:
    return all(limit.min <= 0.0 <= limit.max for limit in settings.limits)


def joint_poses(scene: PhysicsScene, chosen: Indices) -> Pose:
    """Return the connected frame in the joint frame of the joints `chosen`."""
    one, other = (
        pose_from_matrix(scene.matrices[ends[chosen]].reshape(-1, 4, 4))
        for ends in (scene.joint_nodes, scene.other_nodes)
    )
    return relative_pose(one, other)


def _usable(matrices: Array) -> NDArray[np.bool_]:
    """Return which matrices are finite, of sane size and have an inverse, shape (n,)."""
    with np.errstate(all="ignore"):
        sane = (np.abs(matrices) < _FARTHEST).all(axis=(-2, -1))
        linear = np.where(sane[:, None, None], matrices[:, :3, :3], 0.0)
        lengths = np.linalg.norm(linear, axis=1)
    return np.asarray(sane & (lengths > 1e-9).all(axis=1))
