"""Where objects and bones are in the world, evaluated or not.

Blender evaluates nothing that is disabled in viewports, by itself or by its collection: the world
matrix of such an object stays as it was last, and is the identity once a file was opened.
"""

import bpy
from mathutils import Matrix

from .bones import BodyBone, Node


def world_matrix(node: Node) -> Matrix:
    """Return the world matrix of a node; one that is disabled is where its parent takes it."""
    if isinstance(node, BodyBone):
        return world_matrix(node.armature) @ node.pose_bone.matrix
    if node.visible_get():
        return node.matrix_world
    chain, top = list[bpy.types.Object](), node
    while not top.visible_get() and _is_by_parent(top):
        chain.append(top)
        if top.parent is None:
            break
        top = top.parent
    is_whole = bool(chain) and chain[-1].parent is None
    world = Matrix() if is_whole else top.matrix_world.copy()
    for obj in reversed(chain):
        if obj.parent_type == "BONE" and obj.parent is not None and obj.parent.pose is not None:
            bone = obj.parent.pose.bones.get(obj.parent_bone)
            if bone is not None:
                # Children of a bone start at its tip.
                world = world @ bone.matrix @ Matrix.Translation((0.0, bone.bone.length, 0.0))
        world = world @ obj.matrix_parent_inverse @ obj.matrix_basis
    return world


def _is_by_parent(obj: bpy.types.Object) -> bool:
    """Return whether an object is where its own channels and its parent put it."""
    is_free = all(each.mute for each in obj.constraints)
    return is_free and (obj.parent is None or obj.parent_type in {"OBJECT", "BONE"})
