"""Limits and targets from poses: the one on screen, or those of an animation."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import bpy

from ... import authoring
from ... import preview as previews
from ... import scene as scenes
from ...authoring.conditions import (
    Explained,
    active_joint,
    active_numbers_locked,
    active_settings_locked,
    no_connected_object,
)
from ...authoring.context import present
from ...classes import OperatorResult
from ...core import meaning
from ...core.model.axes import AXIS_LETTERS
from ...core.model.joint import DriveType, JointLimit, JointSettings
from ...declared import BoolProperty, EnumProperty, FloatProperty
from ...preview.session import running, stop
from ...properties.joint import joint_data, settings_owner
from ...translation import refused, report, translated
from .dropped import dropped_reported

if TYPE_CHECKING:
    from ...core.model.pose import Array, Pose


class OMI_OT_joint_limit_from_pose(Explained, bpy.types.Operator):
    """Set bounds or drive targets of the active joint to the current pose of its bodies"""

    bl_idname = "omi.joint_limit_from_pose"
    bl_label = "Set Limit to Current Pose"
    conditions = (active_numbers_locked, no_connected_object)

    part = EnumProperty(
        name="Set",
        description="What to set",
        items=(
            ("MIN", "Minimum", "Lower bounds of one-axis limits"),
            ("MAX", "Maximum", "Upper bounds of limits; for several axes their common maximum"),
            ("TARGET", "Target", "Position targets of drives"),
            (
                "RANGE",
                "Range",
                "Both bounds, to how far the body was dragged in the preview of its range of "
                "motion; turn on Past Limits to drag it further",
            ),
        ),
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: Any) -> str:
        """Return the tooltip of a button: what it sets."""
        return translated(
            properties.bl_rna.properties["part"].enum_items[properties.part].description
        )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        values = _values_now(context, is_range=self.part == "RANGE")
        stop()
        if values is None:
            return refused(self, "WARNING", "The joint cannot be measured")
        if self.part == "RANGE" and len(values) < 2:
            return refused(
                self, "WARNING", "Start Preview Range of Motion and drag the body or its sliders"
            )
        owner = settings_owner(present(active_joint(context)))
        settings = joint_data(owner).settings_to_core()
        changed = _with_pose(settings, values, self.part)
        if changed == settings:
            return refused(
                self, "WARNING", "The joint has no limit or drive that can be set from a pose"
            )
        authoring.joint_curves.JointCurves().replace(owner, changed)
        return {"FINISHED"}


class OMI_OT_joint_limits_fit(Explained, bpy.types.Operator):
    """Replace the limits of the active joint with the tightest ones that contain the animation"""

    bl_idname = "omi.joint_limits_fit"
    bl_label = "Fit Limits to Animation"
    conditions = (active_settings_locked, no_connected_object)

    form = EnumProperty(
        name="Form",
        description="How to limit rotation",
        items=(
            ("AXES", "Per Axis", "A range about each axis"),
            ("CONE", "Cone", "A cone about one axis, and a range of twist about it"),
        ),
    )
    cone_axis = EnumProperty(
        name="Cone Axis",
        description="Axis that the cone opens along",
        items=tuple((axis, axis, f"The joint's local {axis}") for axis in AXIS_LETTERS),
    )
    margin = FloatProperty(
        name="Angle Margin",
        description="Added to each end of a range of angles",
        subtype="ANGLE",
        default=0.0,
        min=0.0,
        max=math.pi,
    )
    distance_margin = FloatProperty(
        name="Distance Margin",
        description="Added to each end of a range of distances",
        subtype="DISTANCE",
        default=0.0,
        min=0.0,
    )
    keys_only = BoolProperty(
        name="Selected Keyframes",
        description="Only use frames of selected keyframes, if there are any",
    )
    all_actions = BoolProperty(
        name="All Actions of the Rig",
        description="Use the poses of a bone's rig in all actions of the file that animate it",
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        stop()
        if self.all_actions:
            joint = present(active_joint(context))
            poses = previews.action_poses.poses_in_actions(context, joint)
        else:
            poses = _animated_poses(context, keys_only=self.keys_only)
        if poses is None:
            return refused(self, "WARNING", "No action animates bones of the rig of this joint")
        owner = settings_owner(present(active_joint(context)))
        cone = AXIS_LETTERS.index(self.cone_axis) if self.form == "CONE" else None
        limits = [
            _widened(limit, self.distance_margin if limit.linear_axes else self.margin)
            for limit in meaning.freedom.fitted_limits(poses, cone_axis=cone)
        ]
        settings = replace(joint_data(owner).settings_to_core(), limits=tuple(limits))
        with dropped_reported(self, [owner]):
            authoring.joint_curves.JointCurves().replace(owner, settings)
        count = len(poses.position)
        report(
            self, "INFO", "{limits} limits contain {count} frames", limits=len(limits), count=count
        )
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        layout.prop(self, "form", expand=True)
        if self.form == "CONE":
            layout.prop(self, "cone_axis", expand=True)
        layout.prop(self, "margin")
        layout.prop(self, "distance_margin")
        layout.prop(self, "all_actions")
        column = layout.column()
        column.enabled = not self.all_actions
        column.prop(self, "keys_only")


def _values_now(context: bpy.types.Context, *, is_range: bool) -> "Array | None":
    """Return the values (n, 6) of the active joint, None where it cannot be read.

    They are those that it has now, or those that it was moved to by hand in its preview.
    """
    preview, joint = running(), present(active_joint(context))
    if isinstance(preview, previews.mechanism.PosePreview):
        values = preview.visited_by(joint) if is_range else preview.values_of(joint)
        if values is not None:
            return values
    present(context.view_layer).update()
    connected = present(joint_data(joint).connected_object)
    scene, _ = scenes.reading.objects_to_core([joint, connected])
    if not scene.joints:
        return None
    return meaning.range_of_motion.current_values(scene, 0)[None]


def _with_pose(settings: JointSettings, values: "Array", part: str) -> JointSettings:
    """Return settings with bounds or targets taken from values (n, 6)."""
    if part == "TARGET":
        drives = [
            replace(
                drive,
                position_target=float(
                    values[-1, drive.axis + 3 * (drive.type == DriveType.ANGULAR)]
                ),
            )
            for drive in settings.drives
        ]
        return replace(settings, drives=tuple(drives))
    free = {freedom.number for freedom in meaning.freedom.freedoms(settings)}
    return replace(
        settings, limits=tuple(_with_bound(limit, values, part, free) for limit in settings.limits)
    )


def _with_bound(limit: JointLimit, values: "Array", part: str, free: set[int]) -> JointLimit:
    """Return a limit that leaves room with its bounds at the extremes of values; locks stay."""
    numbers = [*limit.linear_axes, *(axis + 3 for axis in limit.angular_axes)]
    is_mixed = bool(limit.linear_axes) and bool(limit.angular_axes)
    if is_mixed or limit.is_locked or not free.intersection(numbers):
        return limit
    if len(numbers) > 1:
        reach = max(math.hypot(*row) for row in values[:, numbers])
        return limit if part == "MIN" else replace(limit, max=reach)
    if part != "MAX":
        limit = replace(limit, min=float(values[:, numbers[0]].min()))
    return limit if part == "MIN" else replace(limit, max=float(values[:, numbers[0]].max()))


def _widened(limit: JointLimit, margin: float) -> JointLimit:
    """Return a limit with room at its ends; locks stay."""
    if limit.is_locked:
        return limit
    wide = replace(limit, min=limit.min - margin, max=limit.max + margin)
    is_signed = len(limit.angular_axes) == 1
    return (
        replace(wide, min=max(wide.min, -math.pi), max=min(wide.max, math.pi))
        if is_signed
        else wide
    )


def _animated_poses(context: bpy.types.Context, *, keys_only: bool) -> "Pose":
    """Return the connected frame in the joint's frame at each frame of the bodies' animation."""
    scene, joint = present(context.scene), present(active_joint(context))
    connected = present(joint_data(joint).connected_object)
    frames = _frames(scene, (joint, connected), keys_only=keys_only)
    return previews.frames.relative_poses(scene, joint, connected, frames)


def _frames(
    scene: bpy.types.Scene, ends: tuple[bpy.types.Object, ...], *, keys_only: bool
) -> list[float]:
    """Return the frames to look at: selected keyframes, else all of the actions or scene."""
    curves = [
        curve
        for end in ends
        for obj in (end, *scenes.structure.parents_of(end))
        for curve in scenes.animation.curves_of(obj.animation_data)
    ]
    keys = [key for curve in curves for key in curve.keyframe_points]
    chosen = {float(key.co.x) for key in keys if key.select_control_point}
    if keys_only and chosen:
        return sorted(chosen)
    places = [float(key.co.x) for key in keys] or [scene.frame_start, scene.frame_end]
    return [float(frame) for frame in range(math.floor(min(places)), math.ceil(max(places)) + 1)]
