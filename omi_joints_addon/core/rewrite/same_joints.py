"""Joints that are the same with their ends exchanged or with other names of their axes.

Readers of tree formats put a joint's node on the child and turn hinges about Z, say. What differs
then is how the joint is described, not what it does.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..checks.difference import is_read_back
from ..meaning.authored import moved_drive, moved_limit
from ..meaning.axes import moving_axes
from ..model.graph import joint_ends
from ..model.joint import JointLimit, JointSettings
from ..model.pose import Array, matrix_from_pose, pose_from_matrix, rotation_from_matrix
from ..model.scene import Joint, PhysicsScene
from .swap import SwapError, swapped_settings
from .turning import AxisTurn, moved_connected_frames, turned_settings

_NEAR = 1e-6
"""Part of a unit axis within which axes count as the same."""


class _Pair(NamedTuple):
    """A joint in both scenes."""

    joint: Joint
    number: int
    """In the second scene."""
    exchanged: JointSettings | None = None
    """Settings with the ends exchanged, where each end is on the body of the other one there."""


def with_joints_described_as(
    before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]
) -> tuple[PhysicsScene, tuple[int, ...]]:
    """Return `after` with ends and axes of joints as `before` has them, and which ones were not so.

    These joints are given by their nodes in `before`; `match` has the node in `after` of each node
    in `before`. A joint with one axis may also have been turned about it. Where frames are stays.
    """
    pairs = list(_pairs(before, after, match))
    after, changed = (
        _with_ends_exchanged(after, pairs),
        {p.joint.node for p in pairs if p.exchanged},
    )
    joints, matrices = list(after.joints), after.matrices.copy()
    renamings = dict[bytes, AxisTurn]()
    for pair, turn, names in _turns(before, after, pairs):
        own, key = joints[pair.number], names.tobytes()
        renamings[key] = renaming = renamings.get(key) or _axis_turn(names)
        joints[pair.number] = replace(own, settings=turned_settings(own.settings, renaming))
        nodes = [own.node, own.other]
        matrices[nodes, :3, :3] = after.matrices[nodes, :3, :3] @ turn
        changed.add(pair.joint.node)
    same = replace(after, joints=tuple(joints), matrices=matrices)
    same = _with_zeros(before, same, pairs)
    return same, tuple(pair.joint.node for pair in pairs if pair.joint.node in changed)


def _with_ends_exchanged(scene: PhysicsScene, pairs: Sequence[_Pair]) -> PhysicsScene:
    """Return a scene whose nodes of joints have exchanged their places, where that is to be."""
    joints, matrices, parents = list(scene.joints), scene.matrices.copy(), scene.parents.copy()
    for _, number, exchanged in pairs:
        if exchanged is not None:
            own = joints[number]
            joints[number] = replace(own, settings=exchanged)
            ends, others = [own.node, own.other], [own.other, own.node]
            matrices[ends], parents[ends] = matrices[others], parents[others]
    return replace(scene, joints=tuple(joints), matrices=matrices, parents=parents)


def _with_zeros(before: PhysicsScene, after: PhysicsScene, pairs: Sequence[_Pair]) -> PhysicsScene:
    """Return `after` with hinges that measure 0 where those of `before` do.

    Where their author's zero is stays, in the numbers of these.
    """
    joints, matrices = list(after.joints), after.matrices.copy()
    one, other = (_between(before, after, pairs, end) for end in ("node", "other"))
    # The connected frame is to turn by what the joint's is not turned as well.
    apart = np.swapaxes(one, 1, 2) @ other
    for at in np.flatnonzero(np.abs(apart - np.eye(3)).max(axis=(1, 2), initial=0.0) > _NEAR):
        pair = pairs[at]
        own, moving = joints[pair.number], moving_axes(pair.joint.settings)
        if len(moving) != 1 or moving[0] < 3 or moving != moving_axes(own.settings):
            continue
        axis = moving[0] - 3
        turn = rotation_from_matrix(apart[at])
        if np.abs(np.delete(turn[:3], axis)).max() > _NEAR:
            continue
        by = -math.remainder(2.0 * math.atan2(turn[axis], turn[3]), 2.0 * math.pi)
        limits = tuple(moved_limit(limit, axis, -by) for limit in own.settings.limits)
        if not _are_same_bounds(limits, pair.joint.settings.limits):
            continue
        drives = tuple(moved_drive(drive, axis, -by) for drive in own.settings.drives)
        settings = replace(own.settings, limits=limits, drives=drives)
        attributes = replace(own.attributes, zero=own.attributes.zero + by)
        joints[pair.number] = replace(own, settings=settings, attributes=attributes)
        frame = pose_from_matrix(matrices[own.other])
        moved = moved_connected_frames(frame, is_angular=True, axis=axis, by=by)
        matrices[own.other] = matrix_from_pose(moved)
    return replace(after, joints=tuple(joints), matrices=matrices)


def _are_same_bounds(ones: Sequence[JointLimit], others: Sequence[JointLimit]) -> bool:
    bounds = [[(limit.min, limit.max) for limit in limits] for limits in (ones, others)]
    return len(ones) == len(others) and is_read_back(tuple(bounds[0]), tuple(bounds[1]))


def _pairs(before: PhysicsScene, after: PhysicsScene, match: Mapping[int, int]) -> Iterator[_Pair]:
    """Yield the joints that hold the same bodies in both scenes.

    Frames that are bodies stay what they are, and so do joints of couplings, which count turns.
    """
    numbers = {joint.node: number for number, joint in enumerate(after.joints)}
    coupled = {n for each in after.couplings for n in (each.joint, each.source)}
    bodies, others = (joint_ends(scene).pairs() for scene in (before, after))
    for joint, ends in zip(before.joints, bodies, strict=True):
        number = numbers.get(match.get(joint.node, -1), -1)
        own = after.joints[number] if number >= 0 and number not in coupled else None
        if own is None or not after.motions.keys().isdisjoint((own.node, own.other)):
            continue
        one, two = (match.get(body, -1) for body in ends)
        if (one, two) == others[number]:
            yield _Pair(joint, number)
        elif (two, one) == others[number] and own.connected is not None:
            with suppress(SwapError):
                yield _Pair(joint, number, swapped_settings(own.settings))


def _turns(
    before: PhysicsScene, after: PhysicsScene, pairs: Sequence[_Pair]
) -> Iterator[tuple[_Pair, Array, Array]]:
    """Yield the pairs whose frames in `after` become those in `before` by one turn (3, 3).

    With it come the names (3, 3) that it gives to axes.
    """
    one, other = (_between(before, after, pairs, end) for end in ("node", "other"))
    are_alike = np.abs(one - other).max(axis=(1, 2), initial=0.0) <= _NEAR
    is_turned = (np.abs(one - np.eye(3)) > _NEAR).any(axis=(1, 2))
    for at in np.flatnonzero(are_alike & is_turned).tolist():
        names = _of_axes(one[at], moving_axes(after.joints[pairs[at].number].settings))
        if names is not None:
            yield pairs[at], one[at], names


def _between(before: PhysicsScene, after: PhysicsScene, pairs: Sequence[_Pair], end: str) -> Array:
    """Return what turns one frame of each joint in `after` into that in `before`, (n, 3, 3)."""
    present = after.matrices[[getattr(after.joints[pair.number], end) for pair in pairs]]
    wanted = before.matrices[[getattr(pair.joint, end) for pair in pairs]]
    turns = (
        np.swapaxes(present.reshape(-1, 4, 4)[:, :3, :3], 1, 2)
        @ wanted.reshape(-1, 4, 4)[:, :3, :3]
    )
    return np.asarray(turns)


def _of_axes(turn: Array, moving: Sequence[int]) -> Array | None:
    """Return the names of axes (3, 3) that a turn gives, beside one about the only moving axis.

    It is None where it gives none.
    """
    names = np.rint(turn)
    if np.abs(turn - names).max() > _NEAR:
        if len(moving) != 1 or np.abs(np.abs(turn[moving[0] % 3]).max() - 1.0) > _NEAR:
            return None
        axis = moving[0] % 3
        first = int(np.abs(turn[axis]).argmax())
        second, third = (first + 1) % 3, (first + 2) % 3
        row = int(np.abs(turn[:, second]).argmax())
        names = np.zeros((3, 3))
        names[axis, first], names[row, second] = (
            np.sign(turn[axis, first]),
            np.sign(turn[row, second]),
        )
        names[:, third] = np.cross(names[:, first], names[:, second])
    return names


def _axis_turn(turn: Array) -> AxisTurn:
    """Return a rotation (3, 3) that gives axes other names."""
    x, y, z = np.abs(turn).argmax(axis=0).tolist()
    signs = turn.sum(axis=0).astype(int).tolist()
    rotation = rotation_from_matrix(turn).tolist()
    return AxisTurn((x, y, z), (signs[0], signs[1], signs[2]), tuple(rotation))
