"""A joint of the tree as an element: the nearest thing that URDF has a word for."""

import math
import xml.etree.ElementTree as ET
from collections.abc import Sequence

import numpy as np

from ....core.meaning.axes import JointAxes
from ....core.model.axes import remaining_axis
from ....core.model.joint import DriveMode, JointDrive
from ....core.model.plain import JsonObject
from ....core.model.pose import Array, Pose
from ....core.model.scene import Joint
from ....core.model.settled import settled_unit
from ..origins import Origin, Vector
from ..resting import bounds_from_rest, rest_of
from .document import UNLIMITED, JointElement, Limit

_FAR = 1e6
"""Distance [m] that stands for no bound."""


def joint_kind_of(axes: JointAxes) -> tuple[str, int | None]:
    """Return the URDF type that a joint is nearest to and its axis, 0 to 5."""
    moving = [n for n, axis in enumerate(axes.all) if not axis.own.is_held]
    if any(_acts(limit.linear_axes, limit.angular_axes, moving) for limit in axes.shared):
        return "floating", None
    if not moving:
        return "fixed", None
    if len(moving) == 1:
        return ("prismatic" if moving[0] < 3 else "revolute"), moving[0]
    along, about = [n for n in moving if n < 3], [n - 3 for n in moving if n >= 3]
    normal = remaining_axis(along)
    if len(along) == 2 and about in ([], [normal]):
        return "planar", normal + 3
    return "floating", None


def joint_element(
    joint: Joint,
    axes: JointAxes,
    *,
    name: str,
    links: tuple[str, str],
    origin: Origin,
    directions: Array,
    pose: Pose,
) -> JointElement:
    """Return the element of a joint between two links, parent first.

    `axes` are those of the joint, `origin` is the child's in the parent, the columns of
    `directions` (3, 3) are the axes of motion of the child in its own axes, and `pose` is that of
    the connected node in the joint node. All joints are at zero at rest.
    """
    kind, number = joint_kind_of(axes)
    limit = None
    if kind in ("revolute", "prismatic") and number is not None:
        kind, limit = _limit(joint, axes, number, pose, kind)
    drives = axes.all[number].drives if number is not None and kind != "planar" else ()
    return JointElement(
        name=name,
        type=kind,
        parent=links[0],
        child=links[1],
        origin=origin,
        axis=(1.0, 0.0, 0.0) if number is None else _vector(directions[:, number % 3]),
        limit=limit,
        damping=sum(drive.damping for drive in drives if _is_brake(drive)),
        friction=joint.attributes.friction,
        extra=_extra(joint),
    )


def urdf_carried(joint: Joint) -> JsonObject:
    """Return what a URDF file had beside the model, as `reading` kept it."""
    return joint.attributes.kept("urdf")


def sound_elements(texts: object, known: Sequence[str]) -> tuple[str, ...]:
    """Return those of some texts that are XML elements of other tags than the known ones."""
    found = []
    for text in texts if isinstance(texts, list) else []:
        try:
            element = ET.fromstring(text)
        except (ET.ParseError, TypeError, ValueError):
            continue
        if element.tag not in known:
            found.append(text)
    return tuple(found)


def _acts(linear: Sequence[int], angular: Sequence[int], moving: Sequence[int]) -> bool:
    return not {*linear, *(axis + 3 for axis in angular)}.isdisjoint(moving)


def directions_of(frames: Array, children: Array, are_own: Sequence[bool]) -> Array:
    """Return the axes of motion of children, seen from the parents, in the children's axes.

    `frames` are the world matrices (n, 4, 4) of the joint nodes, `children` those of the links;
    `are_own` says whether the joint nodes are on the children. Axes are columns, shape (n, 3, 3).
    """
    columns = frames[:, :3, :3] / np.linalg.norm(frames[:, :3, :3], axis=1, keepdims=True)
    signs = np.where(are_own, -1.0, 1.0)[:, None, None]
    axes = np.swapaxes(children[:, :3, :3], 1, 2) @ columns * signs
    directions = np.swapaxes(axes / np.linalg.norm(axes, axis=1, keepdims=True), 1, 2)
    return np.swapaxes(settled_unit(directions), 1, 2)


def _vector(values: Array) -> Vector:
    x, y, z = values.tolist()
    return (x, y, z)


def _limit(
    joint: Joint, axes: JointAxes, number: int, pose: Pose, kind: str
) -> tuple[str, Limit | None]:
    interval = axes.all[number].own
    effort, velocity = _effort(joint, axes.all[number].drives), joint.attributes.velocity
    given = tuple(value if math.isfinite(value) else UNLIMITED for value in (effort, velocity))
    rest = rest_of(pose, number, joint.attributes.zero, interval)
    far = math.pi if number >= 3 else _FAR
    bounds = bounds_from_rest(interval, joint.attributes, number, rest, far=far)
    if bounds is not None:
        return kind, Limit(lower=bounds[0], upper=bounds[1], effort=given[0], velocity=given[1])
    if kind == "prismatic":
        return kind, Limit(lower=-_FAR, upper=_FAR, effort=given[0], velocity=given[1])
    if math.isinf(effort) and math.isinf(velocity):
        return "continuous", None
    return "continuous", Limit(effort=given[0], velocity=given[1])


def _effort(joint: Joint, drives: Sequence[JointDrive]) -> float:
    """Return the largest force [N or N·m]: the attribute, else that of the drives."""
    if math.isfinite(joint.attributes.effort) or not drives:
        return joint.attributes.effort
    return max(drive.max_force for drive in drives)


def _is_brake(drive: JointDrive) -> bool:
    is_plain = drive.mode == DriveMode.FORCE and math.isinf(drive.max_force)
    return is_plain and drive.velocity_target in (None, 0.0)


def _extra(joint: Joint) -> tuple[str, ...]:
    known = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")
    return sound_elements(urdf_carried(joint).get("extra"), known)
