"""Selecting objects. The context says in which view layer."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import bpy
from mathutils import Vector

from ..properties.bones import BodyBone, Node, selected_bones
from ..scene.structure import BodiesAbove, is_dynamic, joint_objects
from ..scene.windows import areas
from .context import present

_AROUND = 1.5
"""Distance of a view from what it is to show, in diagonals of that."""


def select_only(
    context: bpy.types.Context, objects: list[bpy.types.Object], *, extend: bool = False
) -> bool:
    """Select the objects that are visible, the first of them active; return whether any is."""
    return select_in(present(context.view_layer), objects, extend=extend)


def select_in(
    layer: bpy.types.ViewLayer, objects: list[bpy.types.Object], *, extend: bool = False
) -> bool:
    """Select the objects that a view layer shows, as `select_only` does."""
    layer.update()  # new objects are not visible before
    # Not by `layer.objects`, which looks through all of them for each name.
    shown = [obj for obj in objects if obj.visible_get(view_layer=layer)]
    if not shown:
        return False
    if not extend:
        for obj in list(layer.objects.selected):
            obj.select_set(False, view_layer=layer)
    for obj in shown:
        obj.select_set(True, view_layer=layer)
    layer.objects.active = shown[0]
    return True


def bring_into_view(objects: Iterable[bpy.types.Object]) -> None:
    """Have 3D views show objects that are new, whatever their size."""
    points = [
        obj.matrix_world @ Vector(corner)
        for obj in objects
        for corner in (obj.bound_box if obj.type == "MESH" else ((0.0, 0.0, 0.0),))
    ]
    if bpy.app.background or not points:
        return
    low, high = (Vector(tuple(map(end, zip(*points, strict=True)))) for end in (min, max))
    for area in areas("VIEW_3D"):
        space: Any = area.spaces.active
        space.region_3d.view_location = (low + high) / 2.0
        space.region_3d.view_distance = max(_AROUND * (high - low).length, 0.1)


def select_bones(
    context: bpy.types.Context, bodies: Iterable[Node | None], *, extend: bool = False
) -> bool:
    """Select those of bodies that are bones, in Pose Mode of what is posed; return whether any is.

    The first one becomes the active bone of its armature.
    """
    is_posing = context.mode == "POSE"
    bones = [each for each in bodies if isinstance(each, BodyBone)]
    bones = [each for each in bones if not is_posing or each.armature.mode == "POSE"]
    for armature in {each.armature for each in bones}:
        for bone in () if extend else selected_bones(armature)[0]:
            bone.select_set(select=False)
    for number, bone in enumerate(bones):
        bone.select_set(select=True)
        if number == 0:
            data: Any = bone.armature.data
            data.bones.active = data.bones[bone.name]
    return bool(bones)


def connected_joints(
    chosen: Iterable[Node],
    objects: Iterable[bpy.types.Object],
    *,
    is_chain: bool = False,
) -> list[bpy.types.Object]:
    """Return the joints among `objects` that hold the same bodies as the chosen objects.

    `is_chain` goes on from body to body; bodies that do not move end a chain, and begin one only
    where none of them moves.
    """
    above = BodiesAbove()
    joints, held = joint_objects(objects), defaultdict[Node | None, list[int]](list)
    ends: dict[Node, set[Node | None]] = {
        joint: set(above.of_joint(joint)) - {None} for joint in joints
    }
    for number, joint in enumerate(joints):
        for body in ends[joint]:
            held[body].append(number)
    reached = {body for obj in chosen for body in ends.get(obj, {above.of(obj)} - {None})}
    if is_chain:
        reached = set(filter(is_dynamic, reached)) or reached
    found: dict[bpy.types.Object, None] = {}
    front = set(reached)
    while front:
        new = [joints[n] for n in sorted({number for body in front for number in held[body]})]
        found |= dict.fromkeys(new)
        beyond = {body for joint in new for body in ends[joint]} - reached
        front = {body for body in beyond if is_dynamic(body)} if is_chain else set()
        reached |= front
    return list(found)
