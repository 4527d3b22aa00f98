"""Several joints of one axis each between the same two bodies: one joint here, apart in USD.

Converters write a ball or a planar joint as a stack of hinges and sliders. Taken one by one they
would lock each other, so that engines that know them merge them (Newton). What each of them was is
carried with the joint, which is written as the same prims again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....core.meaning.axes import FREE, joint_axes, locks, one_axis_settings
from ....core.model.attributes import JointAttributes
from ....core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from ....core.model.plain import text_from_value, value_from_text
from ....core.model.pose import Array, Pose, matrix_from_pose, pose_from_matrix
from .dofs import AXIS_DOFS, dof_of, joint_dofs

_ALL = (0, 1, 2)
_CLOSE = 1e-4
STACK = "stack"
"""Carried on prims that were written as parts of one joint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StackPart:
    """A joint of one axis that is a part of another one."""

    name: str
    settings: JointSettings
    attributes: JointAttributes
    turn: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    """Its frames in those of the whole, x y z w."""


def axis_of(settings: JointSettings) -> int | None:
    """Return the one axis that moves, 0 to 2 linear and 3 to 5 angular; None for any other."""
    moving = joint_axes(settings).moving
    return moving[0] if len(moving) == 1 else None


def merged_joint(
    parts: Sequence[StackPart], first: Array, second: Array
) -> tuple[StackPart, Array] | None:
    """Return one joint for parts with world frames (n, 4, 4), and its frames (2, 4, 4).

    None where they do not turn and slide about one point along axes at right angles.
    """
    axes = [axis_of(part.settings) for part in parts]
    if None in axes or len({*axes, None}) == 1 or not _share_point(first, second):
        return None
    turns = np.linalg.inv(first[0, :3, :3]) @ first[:, :3, :3]
    others = np.linalg.inv(second[0, :3, :3]) @ second[:, :3, :3]
    if np.abs(turns - others).max() > _CLOSE:
        return None
    ways = [turn[:, axis % 3] for turn, axis in zip(turns, axes, strict=True) if axis is not None]
    basis = _basis(ways)
    if basis is None:
        return None
    slots = [int(np.argmax(np.abs(way @ basis))) for way in ways]
    kinds = [(slot, axis > 2) for slot, axis in zip(slots, axes, strict=True) if axis is not None]
    if len(set(kinds)) < len(kinds):
        return None
    frames = np.array((first[0], second[0]))
    frames[:, :3, :3] = frames[:, :3, :3] @ basis
    return _joined(parts, kinds, np.linalg.inv(basis) @ turns), frames


def _share_point(first: Array, second: Array) -> bool:
    ends = (first[:, :3, 3], second[:, :3, 3])
    return all(float(np.abs(end - end[0]).max()) < 1e-5 for end in ends)


def _basis(ways: Sequence[Array]) -> Array | None:
    """Return axes (3, 3) in columns of which each way is one; None where there are none."""
    unlike: list[Array] = []
    for way in ways:
        if not any(float(way @ other) > 1.0 - _CLOSE for other in unlike):
            unlike.append(way)
    if len(unlike) > 3:
        return None
    if len(unlike) == 1:
        unlike.append(np.cross(unlike[0], np.eye(3)[int(np.argmin(np.abs(unlike[0])))]))
        unlike[1] /= np.linalg.norm(unlike[1])
    if len(unlike) == 2:
        unlike.append(np.cross(unlike[0], unlike[1]))
    basis = np.array(unlike).T
    if np.linalg.det(basis) < 0.0:
        basis = basis[:, [0, 2, 1]]
    is_square = np.abs(basis.T @ basis - np.eye(3)).max() < _CLOSE
    return basis if is_square else None


def _joined(
    parts: Sequence[StackPart], kinds: Sequence[tuple[int, bool]], turns: Array
) -> StackPart:
    limits: list[JointLimit] = []
    drives: list[JointDrive] = []
    entries = []
    rotations = pose_from_matrix(_as_matrices(turns)).rotation.tolist()
    for part, (slot, is_angular), turn in zip(parts, kinds, rotations, strict=True):
        moving, own = _with_axis(part.settings, slot, is_angular=is_angular)
        limits += moving
        drives += own
        entries.append(
            {
                "name": part.name,
                "slot": slot,
                "angular": is_angular,
                "axis": (axis_of(part.settings) or 0) % 3,
                "turn": turn,
                "attributes": text_from_value(part.attributes),
            }
        )
    held = [[axis for axis in _ALL if (axis, each) not in kinds] for each in (False, True)]
    settings = JointSettings(limits=(*locks(*held), *limits), drives=tuple(drives))
    attributes = parts[0].attributes
    attributes = attributes.with_kept("usd", attributes.kept("usd") | {STACK: entries})
    return StackPart(name=parts[0].name, settings=settings, attributes=attributes)


def _as_matrices(turns: Array) -> Array:
    matrices = np.tile(np.eye(4), (len(turns), 1, 1))
    matrices[:, :3, :3] = turns
    return matrices


def _with_axis(
    settings: JointSettings, slot: int, *, is_angular: bool, only: int | None = None
) -> tuple[list[JointLimit], list[JointDrive]]:
    """Return ranges and drives as those about or along another axis; `only` is the one of now."""
    name = "angular_axes" if is_angular else "linear_axes"
    kind = DriveType.ANGULAR if is_angular else DriveType.LINEAR
    limits: list[Any] = [
        replace(limit, **{name: (slot,)})  # type: ignore[arg-type]
        for limit in settings.limits
        if limit.min != limit.max and only in (None, *getattr(limit, name))
    ]
    drives = [
        replace(drive, axis=slot)
        for drive in settings.drives
        if drive.type == kind and only in (None, drive.axis)
    ]
    return limits, drives


def stack_axes(attributes: JointAttributes) -> list[int]:
    """Return the axis of each of the joints that one was read from, about axes from 3 on."""
    entries = attributes.kept("usd").get(STACK)
    return [entry["slot"] + 3 * entry["angular"] for entry in entries or ()]


def parts_of(settings: JointSettings, attributes: JointAttributes) -> tuple[StackPart, ...]:
    """Return the joints of one axis that a joint was read from; empty where it is one by now."""
    entries = attributes.kept("usd").get(STACK)
    if not isinstance(entries, list):
        return ()
    try:
        slots = {dof_of(int(e["slot"]), is_angular=e["angular"] is True) for e in entries}
        if not _is_apart(settings, slots):
            return ()
        return tuple(
            _part(settings, attributes, entry, is_first=number == 0)
            for number, entry in enumerate(entries)
        )
    except (KeyError, TypeError, ValueError, IndexError):
        return ()


def _is_apart(settings: JointSettings, slots: set[str]) -> bool:
    """Return whether each axis has limits of its own, and only these axes move."""
    dofs = joint_dofs(settings)
    held = (dof for dof in AXIS_DOFS if dof not in slots)
    shared = (
        limit.min != limit.max and len(limit.linear_axes) + len(limit.angular_axes) > 1
        for limit in settings.limits
    )
    return all(dofs.range(dof).is_locked for dof in held) and not any(shared)


def _part(
    settings: JointSettings, attributes: JointAttributes, entry: Any, *, is_first: bool
) -> StackPart:
    axis, is_angular = int(entry["axis"]) % 3, entry["angular"] is True
    limits, drives = _with_axis(settings, axis, is_angular=is_angular, only=int(entry["slot"]))
    others = one_axis_settings(axis + 3 * is_angular, FREE).limits
    own = value_from_text(JointAttributes, str(entry["attributes"]))
    x, y, z, w = map(float, entry["turn"])
    if is_first:
        own = replace(attributes, carried=own.carried, actuators=own.actuators)
    return StackPart(
        name=str(entry["name"]),
        settings=JointSettings(limits=(*others, *limits), drives=tuple(drives)),
        attributes=replace(own, enabled=attributes.enabled),
        turn=(x, y, z, w),
    )


def part_frame(frame: Pose, part: StackPart) -> Pose:
    """Return the frame of a part of a joint with this frame."""
    turn = matrix_from_pose(Pose(np.zeros(3), np.array(part.turn)))
    return pose_from_matrix(matrix_from_pose(frame) @ turn)
