"""A ragdoll that follows the animation of its armature by drives."""

import bpy

from ... import authoring
from ... import preview as previews
from ...authoring.conditions import Explained
from ...authoring.context import present
from ...classes import OperatorResult
from ...declared import BoolProperty, FloatProperty
from ...translation import refused, report
from .ragdoll import no_armature

_BESIDE = (
    "The bodies of {name} are beside its skeleton, where no drive follows the animation; remove "
    "the ragdoll and make one on the bones"
)
_NO_JOINT = "No joint connects two bones of {name}; use Ragdoll from Armature first"


class OMI_OT_ragdoll_activate(Explained, bpy.types.Operator):
    """Give the joints between bones drives that hold the pose and follow the animation"""

    bl_idname = "omi.ragdoll_activate"
    bl_label = "Make Ragdoll Active"
    conditions = (no_armature,)

    frequency = FloatProperty(
        name="Frequency",
        description="Swings per second of the bodies below a joint on its spring, in hertz; "
        "higher is stiffer, zero removes the drives",
        default=4.0,
        min=0.0,
        soft_max=10.0,
    )
    damping_ratio = FloatProperty(
        name="Damping Ratio",
        description="1 stops without overshoot; lower values oscillate",
        default=1.0,
        min=0.0,
        soft_max=2.0,
    )
    use_animated_root = BoolProperty(
        name="Animated Root",
        description="Let the root body follow the animation directly, so that it does not fall",
        default=True,
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        armature = present(authoring.skins.armature_of(context.object))
        joints = authoring.active_ragdoll.add_drives(
            context,
            armature,
            frequency=self.frequency,
            damping_ratio=self.damping_ratio,
            is_root_animated=self.use_animated_root,
        )
        if not joints:
            is_beside = authoring.ragdoll.has_other_kind(armature, beside=False)
            return refused(self, "ERROR", _BESIDE if is_beside else _NO_JOINT, name=armature.name)
        text = "{count} joints hold the pose" if self.frequency else "{count} joints are limp"
        report(self, "INFO", text, count=len(joints))
        return {"FINISHED"}


class OMI_OT_ragdoll_targets_key(Explained, bpy.types.Operator):
    """Key position targets of drives between bones from the animation, for files and engines"""

    bl_idname = "omi.ragdoll_targets_key"
    bl_label = "Key Targets from Animation"
    conditions = (no_armature,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        armature = present(authoring.skins.armature_of(context.object))
        scene = present(context.scene)
        frames = range(scene.frame_start, max(scene.frame_end, scene.frame_start) + 1)
        paths = previews.followed.joint_paths(scene, armature, frames)
        keyed = authoring.active_ragdoll.key_targets(paths, frames)
        if not keyed:
            text = "No drive between bones of {name} has a position target; use Make Ragdoll Active"
            return refused(self, "ERROR", text, name=armature.name)
        report(
            self,
            "INFO",
            "{frames} keys for {drives} drives of {joints} joints",
            frames=len(frames),
            drives=sum(keyed.values()),
            joints=len(keyed),
        )
        return {"FINISHED"}
