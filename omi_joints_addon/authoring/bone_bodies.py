"""Single bones made bodies, with the shapes that a ragdoll would give them."""

from collections.abc import Sequence

import bpy
import numpy as np

from ..core.ragdoll.shapes import BoneShape, fitted_shape
from ..properties.body import body_data, motion_of
from ..properties.bones import BodyBone
from ..properties.overridable import make_groups
from .bodies import set_mass
from .context import present
from .following import remember_length
from .ragdoll_parts import set_hull
from .skins import points_of_bodies

DENSITY = 1000.0
"""Density of bodies without a mass of their own [kg/m³]: that of water."""


def make_bone_bodies(
    context: bpy.types.Context, bones: Sequence[BodyBone], motion_type: str
) -> int:
    """Make bones of one armature bodies with capsules around what they deform; return how many.

    A bone that is a body already keeps its mass, and a shape that a bone has stays.
    """
    armature = bones[0].armature
    data: bpy.types.Armature = armature.data  # type: ignore[assignment]
    numbers = {bone.name: number for number, bone in enumerate(data.bones)}
    points = points_of_bodies(armature, present(context.scene), numbers, len(numbers))
    for bone in bones:
        rest = data.bones[bone.name]
        world = np.array(armature.matrix_world @ rest.matrix_local)
        inverse = np.linalg.inv(world)
        cloud = points[numbers[bone.name]] @ inverse[:3, :3].T + inverse[:3, 3]
        shape = fitted_shape("capsule", cloud, rest.length)
        body, is_new = body_data(bone), motion_of(bone) is None
        body.motion_type = motion_type
        make_groups(body)
        if body.collider.source != "CUSTOM":
            set_bone_shape(bone, shape)
        if is_new:
            set_mass(bone, DENSITY * shape.volume * abs(float(np.linalg.det(world[:3, :3]))))
    return len(bones)


def set_bone_shape(body: BodyBone | bpy.types.Object, shape: BoneShape) -> None:
    """Give a bone, or the object beside the skeleton that stands for it, a shape."""
    data = body_data(body)
    data.center_of_mass = shape.center
    data.collider.source = "CUSTOM"
    data.collider.shape.from_fit(shape.fit)
    remember_length(body)
    set_hull(body, shape.hull)
