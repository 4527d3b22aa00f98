"""A character to try ragdolls on: a skin, 24 bones with names as Mixamo has them, and a walk.

Run as a script it writes build/character.glb, which `omi_joints_addon/examples/character.glb` is a
copy of.
"""

import math

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector
from session import BUILD, blender

TRUNK = {
    "Hips": ("", (0, 0, 0.98), (0, 0, 1.08), 0.13),
    "Spine": ("Hips", (0, 0, 1.08), (0, 0, 1.2), 0.12),
    "Spine1": ("Spine", (0, 0, 1.2), (0, 0, 1.34), 0.13),
    "Spine2": ("Spine1", (0, 0, 1.34), (0, 0, 1.48), 0.13),
    "Neck": ("Spine2", (0, 0, 1.48), (0, 0, 1.57), 0.06),
    "Head": ("Neck", (0, 0, 1.57), (0, 0, 1.78), 0.11),
}
"""Bone above, head and tail [m], radius of the skin [m]."""
LIMBS = {
    "Shoulder": ("Spine2", (0.03, 0, 1.45), (0.16, 0, 1.44), 0.07),
    "Arm": ("Shoulder", (0.16, 0, 1.44), (0.4, 0.015, 1.36), 0.055),
    "ForeArm": ("Arm", (0.4, 0.015, 1.36), (0.63, -0.01, 1.28), 0.045),
    "Hand": ("ForeArm", (0.63, -0.01, 1.28), (0.78, -0.02, 1.23), 0.045),
    "HandThumb1": ("Hand", (0.66, -0.04, 1.26), (0.71, -0.1, 1.24), 0.02),
    "UpLeg": ("Hips", (0.11, 0, 0.95), (0.11, -0.01, 0.52), 0.085),
    "Leg": ("UpLeg", (0.11, -0.01, 0.52), (0.11, 0.02, 0.1), 0.06),
    "Foot": ("Leg", (0.11, 0.02, 0.1), (0.11, -0.11, 0.04), 0.05),
    "ToeBase": ("Foot", (0.11, -0.11, 0.04), (0.11, -0.18, 0.03), 0.035),
}
"""The same for one side; the other one is its mirror image."""
WALK = {"UpLeg": 0.45, "Leg": 0.0, "Arm": -0.3}
"""Turns about the axis from side to side [rad] at the ends of a step."""
VOXEL = 0.03
"""Size [m] that the skin is made of."""
FRAMES = 24


def build() -> bpy.types.Object:
    """Add the character to the current scene, facing -Y, and return its armature."""
    bones = dict(TRUNK)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for name, (above, head, tail, radius) in LIMBS.items():
            ends = [(sign * x, y, z) for x, y, z in (head, tail)]
            parent = f"{side}{above}" if above in LIMBS else above
            bones[f"{side}{name}"] = (parent, *ends, radius)
    rig = _armature(bones)
    _skin(rig, bones)
    _walk(rig)
    return rig


def _armature(bones: dict) -> bpy.types.Object:
    rig = bpy.data.objects.new("Character", bpy.data.armatures.new("Character"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, (above, head, tail, _) in bones.items():
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        bone.parent = rig.data.edit_bones.get(above)
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def _skin(rig: bpy.types.Object, bones: dict) -> None:
    """Melt a tube along each bone into one mesh; a vertex belongs to the nearest bones."""
    import bmesh  # importable once bpy is

    parts = bmesh.new()
    for _, start, end, radius in bones.values():
        head, tail = Vector(start), Vector(end)
        turn = (tail - head).to_track_quat("Z", "Y").to_matrix().to_4x4()
        place = Matrix.Translation((head + tail) / 2.0) @ turn
        length = (tail - head).length
        bmesh.ops.create_cone(
            parts,
            cap_ends=True,
            segments=16,
            radius1=radius,
            radius2=radius,
            depth=length,
            matrix=place,
        )
        for place in (head, tail):
            ball = Matrix.Translation(place)
            bmesh.ops.create_icosphere(parts, subdivisions=2, radius=radius, matrix=ball)
    mesh = bpy.data.meshes.new("Body")
    parts.to_mesh(mesh)
    parts.free()
    skin = bpy.data.objects.new("Body", mesh)
    bpy.context.scene.collection.objects.link(skin)
    remesh = skin.modifiers.new("Remesh", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", VOXEL, True
    skin.modifiers.new("Smooth", "SMOOTH").iterations = 4
    evaluated = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    skin.data = bpy.data.meshes.new_from_object(evaluated)
    bpy.data.meshes.remove(mesh)
    skin.data.name = "Body"
    skin.modifiers.clear()
    _weigh(skin, bones)
    skin.parent = rig
    skin.modifiers.new("Armature", "ARMATURE").object = rig


def _weigh(skin: bpy.types.Object, bones: dict) -> None:
    """Give each vertex the two bones whose tubes are nearest."""
    points = np.array([vertex.co for vertex in skin.data.vertices])
    distances = []
    for _, head, tail, radius in bones.values():
        start, way = np.array(head), np.array(tail) - np.array(head)
        along = np.clip((points - start) @ way / (way @ way), 0.0, 1.0)
        distances.append(np.linalg.norm(points - start - along[:, None] * way, axis=1) - radius)
    distances = np.array(distances)
    groups = [skin.vertex_groups.new(name=name) for name in bones]
    nearest = np.argsort(distances, axis=0)[:2]
    for vertex, pair in enumerate(nearest.T.tolist()):
        shares = np.exp(-(distances[pair, vertex] - distances[pair[0], vertex]) / 0.02)
        for bone, share in zip(pair, (shares / shares.sum()).tolist(), strict=True):
            groups[bone].add([vertex], share, "REPLACE")


def _walk(rig: bpy.types.Object) -> None:
    """Key a step of each leg, arms against legs."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 5 * FRAMES + 1
    for frame in range(1, scene.frame_end + 1, 3):
        phase = 2.0 * math.pi * (frame - 1) / FRAMES
        for side, sign in (("Left", 1.0), ("Right", -1.0)):
            swing = sign * math.sin(phase)
            for name, size in WALK.items():
                bend = 0.4 * (1.0 - sign * math.cos(phase)) if name == "Leg" else 0.0
                _turn(rig.pose.bones[f"{side}{name}"], size * swing + bend, frame)
    rig.animation_data.action.name = "Walk"
    scene.frame_set(1)


def _turn(bone: bpy.types.PoseBone, angle: float, frame: int) -> None:
    axis = bone.bone.matrix_local.to_3x3().inverted() @ Vector((1.0, 0.0, 0.0))
    bone.rotation_quaternion = Quaternion(axis, angle)
    bone.keyframe_insert("rotation_quaternion", frame=frame)


def main() -> None:
    """Build the character in an empty file and write it."""
    with blender():
        build()
        bpy.ops.export_scene.gltf(filepath=str(BUILD / "character.glb"), export_skins=True)


if __name__ == "__main__":
    main()
