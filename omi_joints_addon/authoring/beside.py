"""Bodies of a ragdoll beside its skeleton: objects below the armature that its bones follow."""

from collections.abc import Iterable
from typing import Any

import bpy

from ..properties.bones import RAGDOLL, BodyBone
from ..scene.structure import followers_of, followings_of
from .context import present
from .ragdoll_parts import set_hull
from .removal import remove_bodies

_NAME = "Ragdoll"


def put_beside(bone: BodyBone, body: bpy.types.Object) -> None:
    """Put an object where a bone is at rest, and have the bone follow it.

    Its axes and its scale are the bone's.
    """
    body.parent, body.matrix_basis = bone.armature, bone.pose_bone.bone.matrix_local
    if bone.name in followers_of(bone.armature):
        return
    body[RAGDOLL] = 0
    # Child Of would move a bone twice whose parent follows, too.
    following: Any = bone.pose_bone.constraints.new("COPY_TRANSFORMS")
    following.name, following.target = _NAME, body


def release_copies(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Have copies of bones follow no body; return the bodies that others follow.

    Blender copies constraints with the bones.
    """
    own: dict[bpy.types.Object, str] = {}
    for bone, follower in [*followings_of(armature)]:
        is_own = own.setdefault(follower.body, bone.name) == bone.name
        if not is_own and follower.constraint.name.startswith(_NAME):
            bone.constraints.remove(follower.constraint)
    return list(own)


def remove_beside(
    context: bpy.types.Context, armature: bpy.types.Object, bones: Iterable[str]
) -> None:
    """Remove the bodies that some bones follow, and their joints."""
    known = followers_of(armature)
    gone = {name: known[name] for name in bones}
    bodies = [each.body for each in gone.values()]
    for name, each in gone.items():
        BodyBone(armature, name).pose_bone.constraints.remove(each.constraint)
    for body in bodies:
        set_hull(body, None)
    remove_bodies(present(context.blend_data), bodies)
