"""Sliders of the active joint: where it is in its ranges. To drag one starts to pose it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import bpy
from mathutils import Matrix

from ... import preview as previews
from ...authoring.conditions import active_joint
from ...core import meaning
from ...core.model.joint import JointSettings
from ...preview.session import running, stop
from ...properties.bones import world_matrix
from ...properties.joint import SettingsCycleError, joint_data, shared_settings
from ...properties.pose import OMI_PG_position, key_of, pose_of
from .preview import OMI_OT_preview_range

_STEP = 1e-6
"""Part of a range that is rounding of Blender's numbers."""
_Rows = tuple[tuple[float, ...], ...]
_DRAWN = 4
"""Joints whose sliders are drawn at once: one in each window."""


def _rows(context: bpy.types.Context) -> dict[int, OMI_PG_position]:
    """Return the rows of the active joint while it is posed."""
    joint = active_joint(context)
    is_posed = isinstance(running(), previews.mechanism.PosePreview)
    return pose_of(context).rows_of(key_of(joint)) if is_posed and joint is not None else {}


def _parts_at_rest(joint: bpy.types.Object) -> Sequence[float]:
    """Return where each value of a joint is between the ends of its range, from 0 to 1."""
    ends = joint, joint_data(joint).connected_object
    try:
        settings = shared_settings(joint)
    except SettingsCycleError:
        return [0.0] * 6
    return _parts_between(settings, *(end and _rows_of(world_matrix(end)) for end in ends))


def _rows_of(matrix: Matrix) -> _Rows:
    return tuple(matrix[row].to_tuple() for row in range(4))


@lru_cache(maxsize=_DRAWN)
def _parts_between(settings: JointSettings, frame: _Rows, other: _Rows | None) -> Sequence[float]:
    """Return the parts of the ranges at which frames are; each slider that is drawn asks twice."""
    import numpy as np

    from ...core.model.pose import pose_from_matrix, relative_pose

    parts, values = [0.0] * 6, np.zeros(6)
    if other is not None:
        frames = pose_from_matrix(np.array([frame, other]))
        pose = relative_pose(frames.at(0), frames.at(1))
        values = meaning.freedom.values_of_pose(settings, pose)
    for axis in meaning.freedom.freedoms(settings):
        part = (float(values[axis.number]) - axis.low) / (axis.high - axis.low)
        parts[axis.number] = min(max(part, 0.0), 1.0)
    return parts


def _parts(_manager: bpy.types.WindowManager) -> Sequence[float]:
    """Return where the active joint is between the ends of its ranges, from 0 to 1."""
    context = bpy.context  # noqa: TID251 - Blender gives no context to who reads a property
    joint, rows = active_joint(context), _rows(context)
    if joint is None:
        return [0.0] * 6
    parts = [0.0] * 6 if rows else list(_parts_at_rest(joint))
    for number, row in rows.items():
        parts[number] = row.part
    return parts


def _set_parts(manager: bpy.types.WindowManager, parts: Sequence[float]) -> None:
    """Move the active joint to where a slider was dragged."""
    context = bpy.context  # noqa: TID251 - Blender gives no context to who sets a property
    pairs = enumerate(zip(parts, _parts(manager), strict=True))
    moved = [number for number, (new, old) in pairs if abs(new - old) > _STEP]
    if moved and (_rows(context) or _begin(context)):
        for number, row in _rows(context).items():
            if number in moved:
                row.part = parts[number]


def _begin(context: bpy.types.Context) -> bool:
    """Preview the range of the active joint instead of what runs; return whether it does."""
    if not OMI_OT_preview_range.poll(context):
        stop()
    operators: Any = bpy.ops.omi  # type: ignore[attr-defined]  # noqa: TID251 - a property can start a modal operator by no other way
    if operators.preview_range.poll():
        operators.preview_range("INVOKE_DEFAULT")
    return bool(_rows(context))


def attach() -> None:
    """Add the sliders."""
    owner: Any = bpy.types.WindowManager
    properties: Any = bpy.props
    owner.omi_joint_parts = properties.FloatVectorProperty(
        name="Position",
        description=(
            "Where the joint is between the ends of its range. Drag to move its body; "
            "Esc puts it back"
        ),
        size=6,
        min=0.0,
        max=1.0,
        precision=2,
        get=_parts,
        set=_set_parts,
        options={"SKIP_SAVE"},
    )


def detach() -> None:
    """Remove the sliders."""
    owner: Any = bpy.types.WindowManager
    if hasattr(owner, "omi_joint_parts"):
        del owner.omi_joint_parts
