"""Bodies that fall, for scenarios with contacts."""

from collections.abc import Sequence

import bpy
from mathutils import Vector


def ragdoll(place: Sequence[float] = (0.0, 0.0, 0.0)) -> bpy.types.Object:
    """Return an armature of a trunk and two legs half a meter above a place, a body each bone."""
    bones = {
        "spine": (None, (0, 0, 1.5), (0, 0, 2.1)),
        "head": ("spine", (0, 0, 2.1), (0, 0, 2.4)),
        "thigh.L": ("spine", (0.15, 0, 1.5), (0.2, 0, 1.0)),
        "shin.L": ("thigh.L", (0.2, 0, 1.0), (0.2, 0.05, 0.5)),
        "thigh.R": ("spine", (-0.15, 0, 1.5), (-0.2, 0, 1.0)),
        "shin.R": ("thigh.R", (-0.2, 0, 1.0), (-0.2, 0.05, 0.5)),
    }
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    edit = rig.data.edit_bones
    edit.remove(edit[0])
    for name, (parent, head, tail) in bones.items():
        bone = edit.new(name)
        bone.head, bone.tail = (Vector(end) + Vector(place) for end in (head, tail))
        bone.parent = edit[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    return rig


def solid(
    name: str, place: Sequence[float], scale: Sequence[float], motion: str = "DYNAMIC"
) -> bpy.types.Object:
    """Return a box that is a body, of half lengths."""
    bpy.ops.mesh.primitive_cube_add(location=place)
    cube = bpy.context.object
    cube.name, cube.scale = name, scale
    bpy.ops.omi.body_add(motion_type=motion, shape="BOX")
    return cube


def pose_of(rig: bpy.types.Object) -> list[list[float]]:
    """Return where the bones of an armature are."""
    return [[number for row in bone.matrix for number in row] for bone in rig.pose.bones]
