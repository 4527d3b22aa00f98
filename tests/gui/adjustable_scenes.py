"""Scenes that `adjustable` starts from, and what is read of them."""

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import Any

import bpy

ROBOT = Path(tempfile.mkdtemp(prefix="omi-adjustable-"))
atexit.register(shutil.rmtree, ROBOT, ignore_errors=True)


def joints() -> list[Any]:
    """Return the joints of the scene."""
    return [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]


def clear() -> None:
    """Remove all objects, and collections with what they were imported from."""
    bpy.data.batch_remove([*bpy.data.objects, *bpy.data.collections])


def bodies(*names: str) -> None:
    """Make cubes in a row, all selected, the first one active."""
    for number, name in enumerate(names or ("Wall", "Door")):
        bpy.ops.mesh.primitive_cube_add(location=(3.0 * number - 1.5, 0.0, 0.0))
        bpy.context.object.name = name
    select(*(names or ("Wall", "Door")))


def select(*names: str) -> None:
    """Select objects, the first one active."""
    for obj in bpy.context.scene.objects:
        obj.select_set(obj.name in names)
    bpy.context.view_layer.objects.active = bpy.data.objects[names[0]]


def alone() -> None:
    """Select the door and not the wall beside it, as after a missed Shift."""
    bodies()
    select("Door")


def many() -> dict[str, Any]:
    """Make five bodies; distance, name and nearness order three of them differently."""
    bodies("Beam", "C", "A", "B", "D")
    for name, place in (
        ("C", (2.5, 0.0, 0.0)),
        ("A", (5.0, 0.0, 0.0)),
        ("B", (-4.0, 0.0, 0.0)),
        ("D", (0.0, 4.5, 0.0)),
    ):
        bpy.data.objects[name].location = place
    bpy.data.objects["Beam"].location = (0.0, 0.0, 0.0)
    bpy.data.objects["A"].rotation_euler.x = 0.3
    return {"preset": "HINGE", "pattern": "EACH_TO_ACTIVE"}


def hinge() -> None:
    bodies()
    bpy.data.objects["Door"].rotation_euler = (0.4, 0.2, 0.1)
    bpy.ops.omi.joint_add(preset="HINGE")
    bpy.context.scene.cursor.location = (0.3, 0.2, 0.1)
    bpy.context.scene.cursor.rotation_euler = (0.5, 0.4, 0.3)


def rope() -> None:
    bodies("Beam", "One", "Two", "Three")
    bpy.ops.omi.joint_add(preset="PIN", pattern="CHAIN")
    select(joints()[0].name)


def motor() -> None:
    bodies()
    bpy.ops.omi.joint_add(preset="HINGE_MOTOR")
    bpy.ops.omi.joint_drive_add()
    bpy.ops.omi.joint_drive_add()
    bpy.context.object.omi_joint.active_drive = 1


def middle_limit() -> None:
    hinge()
    bpy.context.object.omi_joint.active_limit = 1


def apart() -> None:
    hinge()
    bpy.context.object.omi_joint.connected_object.location.x += 0.4


def turned() -> None:
    bodies()
    bpy.ops.omi.joint_add(preset="POSITION_SERVO", min_angle=-1.0, max_angle=1.0)
    bpy.data.objects["Door"].rotation_euler.z = 0.3
    bpy.context.view_layer.update()


def animated() -> None:
    hinge()
    door = bpy.data.objects["Door"]
    for frame, angle in ((1, 0.0), (5, 0.9), (10, 0.5)):
        door.rotation_euler.z = angle
        door.keyframe_insert("rotation_euler", frame=frame)
    bag = door.animation_data.action.layers[0].strips[0].channelbags[0]
    for curve in bag.fcurves:
        for point in curve.keyframe_points:
            point.select_control_point = point.co.x != 5.0


def mirrored() -> None:
    hinge()
    bpy.data.objects["Door"].name = "Door.L"
    bpy.ops.mesh.primitive_cube_add(location=(-6.0, 0.0, 0.0))
    bpy.context.object.name = "Door.R"
    bpy.ops.object.empty_add(location=(0.0, 2.0, 0.0), rotation=(0.0, 0.0, 0.7))
    bpy.context.object.name = "Plane"
    select(joints()[0].name)


def upright() -> None:
    """Make a hinge about the joint's X axis, which Godot's importer cannot build."""
    hinge()
    limits = bpy.context.object.omi_joint.limits
    for limit, axes in zip(list(limits)[1:], ((1, 2), (0,)), strict=True):
        limit.angular_axes = [axis in axes for axis in range(3)]


def shape() -> None:
    bodies()
    bpy.ops.omi.body_add()


def rigged() -> None:
    """Make an armature of hips, two unlike legs that overlap, and a tail that deforms nothing.

    One leg is animated, the other one is a spring bone as VRM has it.
    """
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    rig.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = (
        ("hips", "", (0.0, 0.0, 1.0), (0.0, 0.0, 1.2)),
        ("thigh.L", "hips", (0.02, 0.0, 1.0), (0.02, 0.0, 0.5)),
        ("thigh.R", "hips", (-0.02, 0.0, 1.0), (-0.02, 0.0, 0.45)),
        ("tail", "hips", (0.0, 0.0, 1.0), (0.0, 0.2, 1.0)),
    )
    for name, above, head, tail in bones:
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail, bone.use_deform = head, tail, name != "tail"
        bone.parent = rig.data.edit_bones.get(above)
    bpy.ops.object.mode_set(mode="OBJECT")
    thigh = rig.pose.bones["thigh.L"]
    thigh.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (11, 0.5), (21, 0.0)):
        thigh.rotation_euler.x = angle
        thigh.keyframe_insert("rotation_euler", frame=frame)
    rig.pose.bones["thigh.R"]["vrm_spring_bone"] = (0.7, 0.4, 0.3)


def bony() -> None:
    """Make the same armature, one of its bones active."""
    rigged()
    bones = bpy.data.objects["Rig"].data.bones
    bones.active = bones["tail"]


def ragdoll() -> None:
    """Make the same armature a ragdoll."""
    rigged()
    bpy.ops.omi.ragdoll_add()


def walking() -> None:
    """Make the same ragdoll with two actions, its first joint active."""
    ragdoll()
    joint = joints()[0]
    rig, bone = joint.parent, joint.parent.pose.bones[joint.parent_bone]
    bone.rotation_mode, data = "XYZ", rig.animation_data_create()
    for name, angle in (("Far", 1.0), ("Near", 0.2)):
        data.action = bpy.data.actions.new(name)
        for frame, turn in ((1, 0.0), (5, angle)):
            bone.rotation_euler = (turn, 0.5 * turn, 0.0)
            bone.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.object.mode_set(mode="OBJECT")
    select(joint.name)


def drives() -> Any:
    """Return the drives of all joints, and how bones move."""
    joints = [obj.omi_joint for obj in bpy.data.objects if obj.omi_joint.enabled]
    return [joint.settings_to_core().drives for joint in joints], bone_values()


def limits() -> Any:
    """Return the limits of all joints."""
    joints = [obj.omi_joint for obj in bpy.data.objects if obj.omi_joint.enabled]
    return [joint.settings_to_core().limits for joint in joints]


def constraint() -> None:
    bodies()
    for name in ("Wall", "Door"):
        bpy.context.view_layer.objects.active = bpy.data.objects[name]
        bpy.ops.rigidbody.object_add()
    bpy.ops.object.empty_add()
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    held = bpy.context.object.rigid_body_constraint
    held.object1, held.object2 = bpy.data.objects["Wall"], bpy.data.objects["Door"]


def written(name: str, text: str) -> dict[str, Any]:
    """Write a file and return the values that import it."""
    path = ROBOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return {"filepath": str(path)}


def robot() -> dict[str, Any]:
    """Write a robot whose mesh is in a package elsewhere, and whose joint has a bare limit."""
    box = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    written("robo/box.obj", box)
    mass = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial>"
    )
    mesh = '<visual><geometry><mesh filename="package://robo/box.obj"/></geometry></visual>'
    return written(
        "away/robot.urdf",
        f'<robot name="r"><link name="base">{mass}{mesh}</link><link name="arm">{mass}</link>'
        '<joint name="j" type="revolute"><parent link="base"/><child link="arm"/>'
        '<axis xyz="0 0 1"/><limit effort="1" velocity="1"/></joint></robot>',
    )


def imported() -> dict[str, Any]:
    """Import a robot and move a part of it, before the same file is imported again."""
    values = robot()
    bpy.ops.omi.scene_import(**values)
    bpy.data.objects["arm"].location.z += 1.0
    return values


def mujoco() -> dict[str, Any]:
    """Write a model with a floor and a body on two hinges."""
    return written(
        "model.xml",
        '<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="b">'
        '<joint name="one" axis="1 0 0"/><joint name="two" axis="0 1 0"/><geom size="1"/></body>'
        "</worldbody></mujoco>",
    )


def clashing() -> None:
    """Import an arm of balls that touch always, at rest and never, its second ball active."""
    balls = [(0.1, 0.2), (0.1, 0.4), (0.12, 0.6), (0.04, 0.8)]
    far = '<geom size="0.03" pos="0.355 0 0.41"/>'
    text = "".join(
        f'<body name="b{at}" pos="0.2 0 0"><joint axis="0 1 0" pos="-0.1 0 0" range="-75 75"/>'
        f'<geom size="{radius}"/>{far if at == 0.2 else ""}'
        for radius, at in balls
    )
    base = '<geom size="0.47"/><geom size="0.07" pos="0.8 0 0.1"/>'
    text = f'<body name="base">{base}{text}{"</body>" * len(balls)}</body>'
    text = f"<mujoco><worldbody>{text}</worldbody></mujoco>"
    bpy.ops.omi.scene_import(**written("clashing.xml", text))
    select("b0.4")


def passed() -> Any:
    """Return which bodies pass through which."""
    pairs = [(obj.name, obj.omi_body.excluded) for obj in bpy.data.objects]
    return [(name, sorted(each.body.name for each in others)) for name, others in pairs]


def shift() -> dict[str, Any]:
    """Write a model whose gravity points up."""
    ends = '"body_frame_pairs": [["fixed", "origin"], ["b", "origin"]]'
    return written(
        "model.json",
        '{"model_parameters": {"version": "0.2", "gravity": [0, 0, 9.81]}, "fixed": {},'
        '"assemblies": [{"name": "A", "bodies": [{"name": "b", "mass": 1}], "joints": '
        f'[{{"name": "j", "type": "Rz", "initial_displacement": 0.5, {ends}}}]}}]}}',
    )


def places() -> Any:
    """Return where all objects are."""
    bpy.context.view_layer.update()
    return sorted(
        (obj.name, *(round(v, 4) for row in obj.matrix_world for v in row))
        for obj in bpy.context.scene.objects
    )


def settings() -> Any:
    """Return what all joints allow."""
    return [str(joint.omi_joint.settings_to_core()) for joint in joints()]


def ends() -> Any:
    """Return which bodies are connected."""
    return sorted(
        (joint.parent.name, joint.omi_joint.connected_object.parent.name) for joint in joints()
    )


def sources() -> Any:
    return [joint.omi_joint.settings_source is not None for joint in joints()]


def selected() -> Any:
    return sorted(obj.name for obj in bpy.context.selected_objects)


def collide() -> Any:
    return [joint.omi_joint.enable_collision for joint in joints()]


def orders() -> Any:
    joint = joints()[0].omi_joint
    lists = [[str(item.to_core()) for item in items] for items in (joint.limits, joint.drives)]
    return lists, joint.active_limit, joint.active_drive


def body_values() -> Any:
    return [
        (obj.name, obj.omi_body.motion_type, obj.omi_body.mass, obj.omi_body.collider.shape.type)
        for obj in bpy.context.scene.objects
    ]


def bone_values() -> Any:
    shapes = ("type", "size", "height", "radius_bottom")
    return [
        (
            bone.name,
            bone.omi_body.motion_type,
            bone.omi_body.mass,
            str([list(v) if n == "size" else v for n in shapes for v in [_shape_of(bone, n)]]),
            bone.omi_body.collider.collision_filter.use_filter,
        )
        for bone in bpy.data.objects["Rig"].pose.bones
    ]


def _shape_of(bone: Any, name: str) -> Any:
    return getattr(bone.omi_body.collider.shape, name)


def names() -> Any:
    return sorted(obj.name for obj in bpy.context.scene.objects)


def parents() -> Any:
    return sorted((obj.name, str(obj.parent)) for obj in bpy.context.scene.objects)


def meshes() -> Any:
    return sum(obj.type == "MESH" for obj in bpy.context.scene.objects)


def profiles() -> Any:
    return [each.name for each in bpy.context.object.omi_joint.profiles]


def presets() -> Any:
    folders = bpy.utils.preset_paths("omi_joint")
    return sorted(path.name for folder in folders for path in Path(folder).glob("*.json"))
