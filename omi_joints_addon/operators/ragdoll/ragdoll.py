"""A ragdoll from an armature, and an armature without it."""

from typing import TYPE_CHECKING, Any

import bpy

from ... import authoring
from ... import scene as scenes
from ...authoring.conditions import Explained, uneditable
from ...authoring.context import present
from ...classes import OperatorResult
from ...core.findings.sentence import Sentence
from ...declared import BoolProperty, EnumProperty, FloatProperty
from ...scene.watch import WATCH
from ...translation import refused, report
from .poses import animated_poses, library_poses, pose_assets

if TYPE_CHECKING:
    from ...core.model.pose import Array

OTHER_KIND = {
    False: "{name} has a ragdoll beside its skeleton; remove that first",
    True: "{name} has a ragdoll on its bones; remove that first",
}


def no_armature(context: bpy.types.Context) -> str | None:
    """Return why there is no armature that could become a ragdoll."""
    if WATCH.is_showing:
        return "A preview is running; press Esc in the viewport to leave it"
    if context.mode not in ("OBJECT", "POSE"):
        return "Works in Object Mode and Pose Mode"
    armature = authoring.skins.armature_of(context.object)
    if armature is None:
        return "Select an armature, or a mesh that one deforms"
    return uneditable(armature)


def no_ragdoll(context: bpy.types.Context) -> str | None:
    """Return why there is no ragdoll to remove."""
    reason = no_armature(context)
    if reason is not None:
        return reason
    armature = present(authoring.skins.armature_of(context.object))
    return None if has_ragdoll(armature) else Sentence("{name} has no ragdoll", name=armature.name)


def has_ragdoll(armature: bpy.types.Object) -> bool:
    """Return whether bones of an armature are bodies, or follow such."""
    bones = authoring.ragdoll_parts.ragdoll_bones(armature)
    return bool(bones or scenes.structure.followers_of(armature))


class OMI_OT_ragdoll_add(Explained, bpy.types.Operator):
    """Make the bones of the active armature bodies connected by joints; again to update them"""

    bl_idname = "omi.ragdoll_add"
    bl_label = "Ragdoll from Armature"
    conditions = (no_armature,)

    bones = EnumProperty(
        name="Bones",
        description="Bones that become bodies; small ones belong to the body above them",
        items=(
            ("DEFORM", "Deforming", "Bones that deform a mesh"),
            ("SELECTED", "Selected", "Bones that are selected in Pose Mode"),
            ("ALL", "All", "All bones"),
        ),
    )
    shape = EnumProperty(
        name="Shape",
        description="Collision shapes, fitted to what the bones deform",
        items=(
            ("AUTO", "By Part", "Boxes for trunk, hands and feet, capsules for other parts"),
            ("CAPSULE", "Capsule", "Capsules along the bones"),
            ("BOX", "Box", "Boxes along the bones"),
            ("HULL", "Hull", "Convex hulls of what the bones deform, of up to 64 corners"),
        ),
    )
    smallest = FloatProperty(
        name="Smallest Bone",
        description="Length below which an unknown bone belongs to the body above it, as a "
        "part of the size of the armature",
        default=0.05,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
    )
    mass = FloatProperty(
        name="Mass",
        description="Mass of all bodies together; zero takes that of water in their shapes",
        default=70.0,
        min=0.0,
        unit="MASS",
    )
    use_shares = BoolProperty(
        name="Human Mass Distribution",
        description="Share out the mass as in a human body where the rig is one, else by the "
        "volume of the shapes",
        default=True,
    )
    use_filters = BoolProperty(
        name="Ignore Overlaps",
        description="Let bodies that overlap at rest pass through each other by collision filters",
        default=True,
    )
    symmetry = EnumProperty(
        name="Symmetry",
        description="Side whose shapes, and limits from its animation, both sides of a human get",
        items=(
            ("NONE", "None", "Fit both sides"),
            ("L", "Left", "As the left side"),
            ("R", "Right", "As the right side"),
        ),
    )
    use_beside = BoolProperty(
        name="Bodies Beside the Skeleton",
        description="Make objects the bodies, which the bones follow by constraints, instead "
        "of the bones themselves",
    )
    use_springs = BoolProperty(
        name="Spring Bones",
        description="Make spring bones of VRM, its hair and cloth, chains of bodies with springs",
    )
    limits = EnumProperty(
        name="Limits",
        description="How far joints turn",
        items=(
            ("PART", "By Part", "As the part of a human does, else a cone and a twist of 45°"),
            (
                "ACTION",
                "From Animation",
                "As far as the armature's action turns the bones; joints that it does not "
                "turn have the limits of their parts",
            ),
            (
                "POSES",
                "From Pose Library",
                "As far as the poses of this file that are marked as assets turn the bones; "
                "joints that they do not turn have the limits of their parts",
            ),
        ),
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        armature = present(authoring.skins.armature_of(context.object))
        if authoring.ragdoll.has_other_kind(armature, beside=self.use_beside):
            return refused(self, "ERROR", OTHER_KIND[self.use_beside], name=armature.name)
        if self.limits == "ACTION" and not scenes.animation.curves_of(armature.animation_data):
            return refused(
                self, "ERROR", "{name} has no animation to fit limits to", name=armature.name
            )
        if self.limits == "POSES" and not pose_assets(armature):
            text = "No pose of {name} is marked as an asset in this file"
            return refused(self, "ERROR", text, name=armature.name)
        chosen = self._chosen(armature)
        options = authoring.ragdoll.RagdollOptions(
            shape=self.shape.lower(),
            smallest=self.smallest,
            mass=self.mass,
            by_part=self.use_shares,
            use_filters=self.use_filters,
            symmetric="" if self.symmetry == "NONE" else self.symmetry,
            beside=self.use_beside,
            springs=self.use_springs,
            poses=self._poses(context, armature),
        )
        made = authoring.ragdoll.make_ragdoll(context, armature, chosen, options)
        if not made.bodies and not all(armature.matrix_world.to_scale().to_tuple()):
            text = "The scale of {name} is zero; clear it (Alt S) or scale the armature up"
            return refused(self, "ERROR", text, name=armature.name)
        if not made.bodies:
            return refused(self, "ERROR", "No bone is long enough to become a body")
        text = "{bodies} bodies and {joints} joints" + (
            "; {kept} that were edited stay as they are" if made.kept else ""
        )
        values = {"bodies": len(made.bodies), "joints": len(made.joints), "kept": made.kept}
        report(self, "INFO", text, **values)
        return {"FINISHED"}

    def draw(self, _context: bpy.types.Context) -> None:
        layout = present(self.layout)
        layout.use_property_split = True
        for name in ("bones", "use_springs", "use_beside", "shape", "smallest", "symmetry"):
            layout.prop(self, name)
        for name in ("limits", "mass", "use_shares", "use_filters"):
            layout.prop(self, name)

    def _poses(self, context: bpy.types.Context, armature: bpy.types.Object) -> "dict[str, Array]":
        if self.limits == "ACTION":
            return animated_poses(context, armature)
        return library_poses(context, armature) if self.limits == "POSES" else {}

    def _chosen(self, armature: bpy.types.Object) -> list[str]:
        bones: Any = present(armature.data)
        if self.bones == "DEFORM":
            return [bone.name for bone in bones.bones if bone.use_deform]
        if self.bones == "ALL":
            return [bone.name for bone in bones.bones]
        return authoring.ragdoll.selected_bones(armature)


class OMI_OT_ragdoll_remove(Explained, bpy.types.Operator):
    """Remove the bodies and joints that Ragdoll from Armature has made"""

    bl_idname = "omi.ragdoll_remove"
    bl_label = "Remove Ragdoll"
    conditions = (no_ragdoll,)

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        armature = present(authoring.skins.armature_of(context.object))
        count = authoring.ragdoll.remove_ragdoll(context, armature)
        if not count:
            return refused(self, "ERROR", "{name} has no ragdoll", name=armature.name)
        return {"FINISHED"}
