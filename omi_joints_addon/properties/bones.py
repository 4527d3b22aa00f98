"""Bones that are bodies: `PoseBone.omi_body`, read by what reads the bodies of objects.

A bone's axes are those of its pose: Y along the bone. Its node in a glTF file has the same.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import bpy
from mathutils import Matrix

from ..closeness import READ, is_close

RAGDOLL = "omi_ragdoll"
"""Custom property of bones and frames that a ragdoll was made of: what was written there."""
HUMAN_PART = "vrm_human_bone"
"""Custom property of pose bones: what part of a human a VRM file says that they are."""
SPRING = "vrm_spring_bone"
"""Custom property of pose bones: stiffness, drag and gravity that a VRM file has for them."""
JOURNAL = "omi_pose_before_preview"
"""Custom property of an armature object that a preview poses: the pose before."""
_FIRST_KEY = 1 << 62
"""Keys of bones are above every `session_uid` of Blender's data, which has 32 bits."""


@dataclass(frozen=True, slots=True)
class BodyBone:
    """A bone as a body, by names: Blender makes new pose bones on undo and in Edit Mode.

    What bodies are asked for has the name that it has for objects.
    """

    armature: bpy.types.Object
    name: str

    type: ClassVar[str] = "BONE"
    data: ClassVar[None] = None
    modifiers: ClassVar[tuple[()]] = ()
    rigid_body: ClassVar[None] = None
    animation_data: ClassVar[None] = None
    instance_type: ClassVar[str] = "NONE"
    instance_collection: ClassVar[None] = None

    @property
    def pose_bone(self) -> bpy.types.PoseBone:
        """The bone in Blender."""
        pose: Any = self.armature.pose
        bone: bpy.types.PoseBone = pose.bones[self.name]
        return bone

    @property
    def session_uid(self) -> int:
        """Key of the bone among the keys of objects, as long as Blender runs."""
        return _FIRST_KEY | hash((self.armature.session_uid, self.name)) & (_FIRST_KEY - 1)

    @property
    def matrix_world(self) -> Matrix:
        """World matrix of the pose."""
        return world_matrix(self.armature) @ self.pose_bone.matrix

    @property
    def omi_body(self) -> Any:
        """What is stored of the bone as a body, an `OMI_PG_body`."""
        bone: Any = self.pose_bone
        return bone.omi_body

    def is_property_set(self, name: str) -> bool:
        """Return whether the bone has a property of its own."""
        return self.pose_bone.is_property_set(name)

    def select_get(self) -> bool:
        """Return whether the bone is selected, in Object Mode its armature."""
        armature = self.armature
        return self.is_selected if armature.mode == "POSE" else armature.select_get()

    @property
    def is_selected(self) -> bool:
        """Whether the bone is selected in Pose Mode."""
        return bool(self._selectable.select)

    def select_set(self, *, select: bool) -> None:
        """Select the bone for Pose Mode, or deselect it."""
        self._selectable.select = select

    @property
    def _selectable(self) -> Any:
        pose_bone: Any = self.pose_bone
        # Blender 5 keeps it with the pose.
        return pose_bone if hasattr(pose_bone, "select") else pose_bone.bone


Node = bpy.types.Object | BodyBone
"""What can be a body."""


def object_of(node: Node) -> bpy.types.Object:
    """Return the object that a node is or is part of: for a bone its armature."""
    return node.armature if isinstance(node, BodyBone) else node


def world_matrix(node: Node) -> Matrix:
    """Return the world matrix of a node; one that is disabled is where its parent takes it.

    Blender evaluates nothing that is disabled in viewports, by itself or by its collection: the
    world matrix of such an object stays as it was, and is the identity once a file was opened.
    """
    if isinstance(node, BodyBone) or node.visible_get():
        return node.matrix_world
    found, last = _by_parents(node), node.matrix_world
    # What is only hidden is evaluated, and there to the last digit.
    pairs = ((found[row].to_tuple(), last[row].to_tuple()) for row in range(4))
    return last if all(is_close(one, other, READ) for one, other in pairs) else found


def _by_parents(obj: bpy.types.Object) -> Matrix:
    """Return where the parents of an object take it, up to the first that is evaluated."""
    inside, above = Matrix(), obj
    while not above.visible_get() and _is_by_parent(above):
        if above.parent is None:
            return above.matrix_basis @ inside
        inside = _in_parent(above) @ inside
        above = above.parent
    return above.matrix_world @ inside


def tip_of(bone: bpy.types.PoseBone) -> Matrix:
    """Return where children of a bone start, in its axes."""
    return Matrix.Translation((0.0, bone.bone.length, 0.0))


def _in_parent(obj: bpy.types.Object) -> Matrix:
    """Return where an object is in its parent, which is an object or a bone."""
    local = obj.matrix_parent_inverse @ obj.matrix_basis
    pose = obj.parent.pose if obj.parent is not None and obj.parent_type == "BONE" else None
    bone = None if pose is None else pose.bones.get(obj.parent_bone)
    return local if bone is None else bone.matrix @ tip_of(bone) @ local


def _is_by_parent(obj: bpy.types.Object) -> bool:
    """Return whether an object is where its own channels and its parent put it."""
    is_free = all(each.mute for each in obj.constraints)
    # Bullet moves what is hidden, too, but not what is disabled.
    is_simulated = obj.rigid_body is not None and not obj.hide_viewport
    is_held = obj.parent is None or obj.parent_type in {"OBJECT", "BONE"}
    return is_free and is_held and not is_simulated


def selected_bones(armature: bpy.types.Object) -> tuple[list[BodyBone], BodyBone | None]:
    """Return the selected bones of an armature in Pose Mode, and the active one."""
    pose, data = armature.pose, armature.data
    names = [] if pose is None else [bone.name for bone in pose.bones]
    bones = [bone for bone in (BodyBone(armature, name) for name in names) if bone.is_selected]
    active = data.bones.active if isinstance(data, bpy.types.Armature) else None
    return bones, None if active is None else BodyBone(armature, active.name)
