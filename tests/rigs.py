"""Armatures that tests make, with a skin, bodies on bones and joints between them."""

from typing import Any

import bpy
from mathutils import Matrix, Vector

Bones = dict[str, tuple[str | None, tuple[float, float, float], tuple[float, float, float], float]]
"""Parent, head, tail and roll of each bone."""
ARM: Bones = {
    "root": (None, (0, 0, 1), (0.2, 0, 1.3), 0.4),
    "upper": ("root", (0.2, 0, 1.3), (0.9, 0.1, 1.2), -0.7),
    "twist": ("upper", (0.9, 0.1, 1.2), (1.1, 0.1, 1.1), 0.2),
    "lower": ("twist", (1.1, 0.1, 1.1), (1.8, -0.2, 1.0), 1.1),
}


def add_rig(name: str, bones: Bones, **values: Any) -> Any:
    """Return a new armature with bones, in Object Mode."""
    rig = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.scene.collection.objects.link(rig)
    for key, value in values.items():
        setattr(rig, key, value)
    activate(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, (parent, head, tail, roll) in bones.items():
        made = rig.data.edit_bones.new(bone)
        made.head, made.tail, made.roll = head, tail, roll
        made.parent = rig.data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def activate(obj: Any) -> None:
    """Select an object only."""
    for other in bpy.context.view_layer.objects:
        other.select_set(False)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj


def add_skin(rig: Any, radius: float = 0.08) -> Any:
    """Return a new mesh: a box along each deforming bone, all of its weight on it."""
    points, faces, groups = [], [], {}
    for bone in rig.data.bones:
        if not bone.use_deform:
            continue
        first = len(points)
        for y in (0.0, bone.length):
            for x, z in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                points.append(bone.matrix_local @ Vector((x * radius, y, z * radius)))
        sides = [(n, (n + 1) % 4, (n + 1) % 4 + 4, n + 4) for n in range(4)]
        faces += [[first + n for n in face] for face in [(3, 2, 1, 0), (4, 5, 6, 7), *sides]]
        groups[bone.name] = list(range(first, first + 8))
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata(points, [], faces)
    skin = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(skin)
    skin.parent = rig
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    for name, numbers in groups.items():
        skin.vertex_groups.new(name=name).add(numbers, 1.0, "REPLACE")
    return skin


def make_body(rig: Any, bone: str, motion_type: str = "DYNAMIC", **values: Any) -> Any:
    """Make a bone a body with a capsule along it; return its data."""
    body = rig.pose.bones[bone].omi_body
    body.motion_type = motion_type
    for name, value in values.items():
        setattr(body, name, value)
    length = rig.data.bones[bone].length
    body.collider.source, shape = "CUSTOM", body.collider.shape
    shape.type, shape.height, shape.up = "CAPSULE", length - 0.16, "Y"
    shape.radius_bottom = shape.radius_top = 0.08
    shape.offset = (0.0, length / 2.0, 0.0)
    return body


def add_frame(name: str, rig: Any, bone: str, world: Matrix) -> Any:
    """Return a new empty at a place in the world, below a bone."""
    frame = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(frame)
    frame.parent, frame.parent_type, frame.parent_bone = rig, "BONE", bone
    bpy.context.view_layer.update()
    frame.matrix_world = world
    return frame


def add_hinge(rig: Any, bone: str, connected: str) -> Any:
    """Return a new joint between two bones, at the head of the first, about the frames' Z."""
    world = rig.matrix_world @ rig.pose.bones[bone].matrix
    joint = add_frame(f"{bone} Joint", rig, bone, world)
    data = joint.omi_joint
    data.enabled = True
    data.connected_object = add_frame(f"{bone} Connected", rig, connected, world)
    data.limits.add().linear_axes = (True, True, True)
    data.limits.add().angular_axes = (True, True, False)
    turn = data.limits.add()
    turn.angular_axes, turn.min, turn.max = (False, False, True), -0.25, 1.5
    return joint


def add_arm(*, is_bent: bool = False, **values: Any) -> Any:
    """Return a skinned arm of four bones, three of them bodies, two hinges between these.

    Bent or straight, it is at rest for its joints.
    """
    rig = add_rig("Arm", ARM, **values)
    add_skin(rig)
    if is_bent:
        pose_arm(rig)
    make_body(rig, "root", "STATIC")
    make_body(rig, "upper", mass=2.0, center_of_mass=(0.01, 0.3, -0.02))
    make_body(
        rig,
        "lower",
        mass=1.5,
        inertia_diagonal=(0.3, 0.1, 0.2),
        inertia_orientation=(0.8, 0.0, 0.6, 0.0),
        angular_velocity=(0.0, 0.0, 0.4),
    )
    add_hinge(rig, "upper", "root")
    add_hinge(rig, "lower", "twist")
    bpy.context.view_layer.update()
    return rig


def pose_arm(rig: Any) -> None:
    """Bend the arm."""
    for name, angles in (("upper", (0.3, -0.2, 0.4)), ("lower", (-0.5, 0.1, 0.2))):
        bone = rig.pose.bones[name]
        bone.rotation_mode, bone.rotation_euler = "XYZ", angles
    bpy.context.view_layer.update()


def human_bones() -> Bones:
    """Return the bones of a human of 30 bones, in the names of Mixamo, facing -Y."""
    joints: dict[str, tuple[str, tuple[float, float, float], tuple[float, float, float]]] = {
        "Hips": ("", (0, 0, 1.0), (0, 0, 1.1)),
        "Spine": ("Hips", (0, 0, 1.1), (0, 0, 1.2)),
        "Spine1": ("Spine", (0, 0, 1.2), (0, 0, 1.35)),
        "Spine2": ("Spine1", (0, 0, 1.35), (0, 0, 1.5)),
        "Neck": ("Spine2", (0, 0, 1.5), (0, 0, 1.58)),
        "Head": ("Neck", (0, 0, 1.58), (0, 0, 1.78)),
    }
    limbs: dict[str, tuple[str, tuple[float, float, float], tuple[float, float, float]]] = {
        "Shoulder": ("Spine2", (0.03, 0, 1.46), (0.15, 0, 1.46)),
        "Arm": ("Shoulder", (0.15, 0, 1.46), (0.43, 0, 1.46)),
        "ForeArm": ("Arm", (0.43, 0, 1.46), (0.68, -0.02, 1.46)),
        "Hand": ("ForeArm", (0.68, -0.02, 1.46), (0.85, -0.02, 1.46)),
        "HandThumb1": ("Hand", (0.7, -0.05, 1.46), (0.73, -0.08, 1.45)),
        "HandIndex1": ("Hand", (0.78, -0.04, 1.46), (0.82, -0.04, 1.46)),
        "HandIndex2": ("HandIndex1", (0.82, -0.04, 1.46), (0.85, -0.04, 1.46)),
        "HandIndex3": ("HandIndex2", (0.85, -0.04, 1.46), (0.87, -0.04, 1.46)),
        "UpLeg": ("Hips", (0.1, 0, 0.98), (0.1, -0.02, 0.53)),
        "Leg": ("UpLeg", (0.1, -0.02, 0.53), (0.1, 0.02, 0.1)),
        "Foot": ("Leg", (0.1, 0.02, 0.1), (0.1, -0.12, 0.03)),
        "ToeBase": ("Foot", (0.1, -0.12, 0.03), (0.1, -0.2, 0.03)),
    }
    for side, sign in (("Left", 1), ("Right", -1)):
        for name, (above, head, tail) in limbs.items():
            parent = f"{side}{above}" if above in limbs else above
            ends = [(sign * end[0], end[1], end[2]) for end in (head, tail)]
            joints[f"{side}{name}"] = (parent, ends[0], ends[1])
    return {
        f"mixamorig:{name}": (f"mixamorig:{above}" if above else None, head, tail, 0.0)
        for name, (above, head, tail) in joints.items()
    }


def add_human(**values: Any) -> Any:
    """Return a skinned human of 30 bones."""
    rig = add_rig("Human", human_bones(), **values)
    add_skin(rig, 0.06)
    bpy.context.view_layer.update()
    return rig
