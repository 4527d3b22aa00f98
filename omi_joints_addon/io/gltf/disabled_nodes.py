"""Nodes of what is disabled in viewports, in the tree that Blender's exporter makes.

The exporter takes world matrices as Blender has them, which evaluates nothing that is disabled.
"""

from typing import Any

import bpy
from mathutils import Matrix

from ...properties.bones import world_matrix


def place_disabled(tree: Any) -> None:
    """Put the disabled objects of a `tree.VExportTree` where they are in the world."""
    from io_scene_gltf2.blender.exp.tree import VExportNode as Kind

    # Blender's exporter turns these itself.
    turned = (Kind.CAMERA, Kind.LIGHT, Kind.COLLECTION, Kind.INSTANCE)
    for vnode in tree.nodes.values():
        obj = vnode.blender_object
        if vnode.blender_type in turned or obj.visible_get() or _is_instance(tree, vnode):
            continue
        stale, world = obj.matrix_world, world_matrix(obj)
        if stale == world:
            continue
        before = vnode.matrix_world.copy()
        if vnode.blender_type == Kind.BONE:
            vnode.matrix_world = world @ stale.inverted_safe() @ before
        else:
            vnode.matrix_world = before @ stale.inverted_safe() @ world
        if vnode.blender_type == Kind.INST_COLLECTION:
            _move_contents(tree, vnode, vnode.matrix_world @ before.inverted_safe())


def _move_contents(tree: Any, vnode: Any, motion: Matrix) -> None:
    """Move what a node instances."""
    kinds = vnode.children_type
    waiting = [each for each in vnode.children if kinds[each] == vnode.CHILDREN_IS_IN_COLLECTION]
    while waiting:
        each = tree.nodes[waiting.pop()]
        waiting += each.children
        if each.matrix_world is not None:
            each.matrix_world = motion @ each.matrix_world


def _is_instance(tree: Any, vnode: Any) -> bool:
    """Return whether a node is something that an object instances, with a place of its own."""
    above = tree.nodes.get(vnode.parent_uuid)
    obj = None if above is None else above.blender_object
    if not isinstance(obj, bpy.types.Object) or not obj.is_instancer:
        return False
    return obj.instance_type != "COLLECTION"
