"""What belongs to a ragdoll, and whether somebody has edited it since.

What was written is marked by its digest, in a custom property.
"""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ..core.model.mesh import MeshData
from ..core.ragdoll.plan import Bone, SpringBone
from ..properties.body import body_data
from ..properties.bones import HUMAN_PART, RAGDOLL, SPRING, BodyBone, Node
from ..properties.joint import joint_data, own_settings
from ..properties.stored import key_of, read_group, stored_at
from ..scene.structure import body_bones_of, followers_of
from .context import present


def bones_at_rest(armature: bpy.types.Object, *, springs: bool = False) -> list[Bone]:
    """Return the bones of an armature in the world, parents first; with its spring bones or not."""
    bones = armature.data.bones  # type: ignore[union-attr]
    numbers = {bone.name: number for number, bone in enumerate(bones)}
    parts = _parts_of_human(armature)
    swinging = springs_of(armature) if springs else {}
    world = np.array(armature.matrix_world)
    found = []
    for bone in bones:
        matrix = world @ np.array(bone.matrix_local)
        length = bone.length * float(np.linalg.norm(matrix[:3, 1]))
        parent = numbers[bone.parent.name] if bone.parent else -1
        part, spring = parts.get(bone.name, ""), swinging.get(bone.name)
        found.append(Bone(bone.name, parent, matrix, length, part, spring))
    return found


def _parts_of_human(armature: bpy.types.Object) -> dict[str, str]:
    """Return what parts of a human VRM says that bones are, by names of bones.

    What the VRM add-on holds (`Armature.vrm_addon_extension`, of it what is not empty), else what
    was imported from a VRM file.
    """
    data: Any = armature.data
    extension = getattr(data, "vrm_addon_extension", None)
    parts = {} if extension is None else dict(_of_vrm_addon(extension))
    for bone in present(armature.pose).bones:
        part = bone.get(HUMAN_PART, "")
        if type(part) is str and part:
            parts.setdefault(bone.name, part)
    return parts


def _of_vrm_addon(extension: Any) -> Iterator[tuple[str, str]]:
    """Yield names of bones and their parts: VRM 0.x has a list, VRM 1.0 a property for each."""
    for bone in extension.vrm0.humanoid.human_bones:
        if bone.node.bone_name:
            yield bone.node.bone_name, bone.bone
    bones = extension.vrm1.humanoid.human_bones
    for each in bones.bl_rna.properties:
        node = getattr(getattr(bones, each.identifier), "node", None)
        if node is not None and node.bone_name:
            yield node.bone_name, each.identifier


def springs_of(armature: bpy.types.Object) -> dict[str, SpringBone]:
    """Return the spring bones that VRM has in an armature, by names of bones.

    Those of the VRM add-on, else those that were imported from a VRM file.
    """
    extension = getattr(armature.data, "vrm_addon_extension", None)
    found = {} if extension is None else dict(_springs_of_vrm_addon(armature, extension))
    for bone in present(armature.pose).bones:
        if len(values := bone.get(SPRING, ())) == 3:
            found.setdefault(bone.name, SpringBone(*map(float, values)))
    return found


def _springs_of_vrm_addon(
    armature: bpy.types.Object, extension: Any
) -> Iterator[tuple[str, SpringBone]]:
    """Yield names of bones and their springs: VRM 0.x has roots, VRM 1.0 each bone and the end."""
    bones: Any = present(armature.data)
    for group in extension.vrm0.secondary_animation.bone_groups:
        spring = SpringBone(group.stiffiness, group.drag_force, group.gravity_power)
        for root in group.bones:
            if (bone := bones.bones.get(root.bone_name)) is not None:
                yield from ((each.name, spring) for each in (bone, *bone.children_recursive))
    for chain in extension.spring_bone1.springs:
        for joint in list(chain.joints)[:-1]:
            spring = SpringBone(joint.stiffness, joint.drag_force, joint.gravity_power)
            if joint.node.bone_name:
                yield joint.node.bone_name, spring


def ragdoll_bones(armature: bpy.types.Object) -> list[BodyBone]:
    """Return the bones of an armature that a ragdoll made bodies."""
    return [bone for bone in body_bones_of(armature) if bone.pose_bone.get(RAGDOLL) is not None]


def frames_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Return the joints and connected frames of a ragdoll, on bones and on bodies beside them."""
    beside = {each.body for each in followers_of(armature).values()}
    return [
        obj
        for obj in scene.objects
        if obj.get(RAGDOLL) is not None
        and (obj.parent in beside or (obj.parent == armature and obj.parent_type == "BONE"))
    ]


def is_body_unedited(body: Node) -> bool:
    """Return whether a body is as a ragdoll made it."""
    return bool(_holder(body).get(RAGDOLL) == _digest_of_body(body))


def is_joint_unedited(joint: bpy.types.Object) -> bool:
    """Return whether a joint is as a ragdoll made it."""
    return bool(joint.get(RAGDOLL) == _digest_of_joint(joint))


def mark_body(body: Node) -> None:
    """Remember a body as a ragdoll made it."""
    _holder(body)[RAGDOLL] = _digest_of_body(body)


def mark_joint(joint: bpy.types.Object) -> None:
    """Remember a joint as a ragdoll made it."""
    joint[RAGDOLL] = _digest_of_joint(joint)


def set_hull(body: Node, hull: MeshData | None) -> None:
    """Make a mesh the convex shape of a body, in place of the one that a ragdoll made."""
    shape = body_data(body).collider.shape
    before, shape.mesh = shape.mesh, None
    if hull is not None:
        mesh = shape.mesh = bpy.data.meshes.new(f"{body.name} Hull")
        mesh.from_pydata(hull.points.tolist(), [], hull.triangles.tolist())
        mesh[RAGDOLL] = 0
    is_ours = before is not None and before.get(RAGDOLL) is not None and not before.library
    if before is not None and is_ours and not before.users:
        bpy.data.meshes.remove(before)


def clear(bone: BodyBone) -> None:
    """Make a bone no body."""
    set_hull(bone, None)
    bone.pose_bone.property_unset("omi_body")
    del bone.pose_bone[RAGDOLL]


def _holder(body: Node) -> bpy.types.Object | bpy.types.PoseBone:
    return body.pose_bone if isinstance(body, BodyBone) else body


def _digest_of_body(body: Node) -> int:
    group = read_group(body, "omi_body")
    key = b"" if group is None else _key_without_anchor(group.key)
    return _digest(key if isinstance(body, BodyBone) else key + _place_of(body))


def _key_without_anchor(key: bytes) -> bytes:
    """Return what is stored of a body but for what it follows, which is no edit."""
    stored = stored_at(key)
    if "anchor" not in stored:
        return key
    return key_of({name: value for name, value in stored.items() if name != "anchor"})


def _digest_of_joint(joint: bpy.types.Object) -> int:
    """Return a digest of frames and limits; drives are not the ragdoll's, and stay."""
    end = joint_data(joint).connected_object
    places = b"".join(_place_of(obj) for obj in (joint, end) if obj)
    return _digest(str(replace(own_settings(joint), drives=())).encode() + places)


def _place_of(obj: bpy.types.Object) -> bytes:
    return str(np.array(obj.matrix_basis).round(5).tolist()).encode()


def _digest(data: bytes) -> int:
    """Return a digest that fits a custom property."""
    return zlib.crc32(data) >> 1
