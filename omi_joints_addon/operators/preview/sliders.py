"""Sliders of the active joint: where it is in its ranges. To drag one starts the range preview."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bpy

from ...authoring.context import present
from ...core import meaning
from ...preview.session import stop
from ...properties.joint import SettingsCycleError, joint_data, joint_of, shared_settings
from ...properties.preview import preview_options
from .preview import OMI_OT_preview_range, is_range_of

if TYPE_CHECKING:
    from ...core.model.joint import JointSettings
    from ...core.model.pose import Array

_STEP = 1e-6
"""Part of a range that is rounding of Blender's numbers."""
CLASSES = ()


def settings_of_active(context: bpy.types.Context) -> "JointSettings | None":
    """Return the settings of the active joint, None where there is none or they form a loop."""
    joint = context.object
    if joint is None or joint_of(joint) is None:
        return None
    try:
        return shared_settings(joint)
    except SettingsCycleError:
        return None


def _values(context: bpy.types.Context, settings: "JointSettings") -> "Array":
    """Return where the active joint is: shown by its preview, or at rest."""
    import numpy as np

    from ...core.model.pose import pose_from_matrix, relative_pose

    joint = present(context.object)
    connected = joint_data(joint).connected_object
    if is_range_of(context):
        return np.array(preview_options(context).freedom_values())
    if connected is None:
        return np.zeros(6)
    frames = pose_from_matrix(np.array([joint.matrix_world, connected.matrix_world]))
    return meaning.freedom.values_of_pose(settings, relative_pose(frames.at(0), frames.at(1)))


def _parts(_manager: bpy.types.WindowManager) -> list[float]:
    """Return where each value is between the ends of its range, from 0 to 1."""
    context = bpy.context  # noqa: TID251 - Blender gives no context to who reads a property
    settings, parts = settings_of_active(context), [0.0] * 6
    if settings is not None:
        values = _values(context, settings)
        for axis in meaning.freedom.freedoms(settings):
            part = (float(values[axis.number]) - axis.low) / (axis.high - axis.low)
            parts[axis.number] = min(max(part, 0.0), 1.0)
    return parts


def _set_parts(manager: bpy.types.WindowManager, parts: Sequence[float]) -> None:
    """Move the active joint to where a slider was dragged."""
    context = bpy.context  # noqa: TID251 - Blender gives no context to who sets a property
    settings = settings_of_active(context)
    if settings is None:
        return
    before, values = _parts(manager), _values(context, settings)
    moved = [
        axis
        for axis in meaning.freedom.freedoms(settings)
        if abs(parts[axis.number] - before[axis.number]) > _STEP
    ]
    for axis in moved:
        values[axis.number] = axis.low + parts[axis.number] * (axis.high - axis.low)
    if moved and (is_range_of(context) or _begin(context)):
        preview_options(context).set_values(values)


def _begin(context: bpy.types.Context) -> bool:
    """Preview the range of the active joint instead of what runs; return whether it does."""
    if not OMI_OT_preview_range.poll(context):
        stop()
    operators: Any = bpy.ops.omi  # type: ignore[attr-defined]  # noqa: TID251 - a property can start a modal operator by no other way
    if operators.preview_range.poll():
        operators.preview_range("INVOKE_DEFAULT")
    return is_range_of(context)


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
