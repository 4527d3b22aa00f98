"""What artists make: one scene for each row, with the names of what steps act on."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix

from tests.blender.scenes import select


@dataclass(frozen=True)
class Row:
    """A scene and the names of its main objects."""

    name: str
    make: Callable[[Path], dict[str, str]]
    """Returns the body that moves, the one that holds it, and the joint, by `body`, `holder`…"""


def cube(name: str, place: Any, scale: Any = (1, 1, 1), turn: Any = (0, 0, 0)) -> Any:
    bpy.ops.mesh.primitive_cube_add(size=1, location=place, rotation=turn)
    obj = bpy.context.object
    obj.name, obj.scale = name, scale
    bpy.context.view_layer.update()
    return obj


def joint(body: Any, holder: Any, **options: Any) -> Any:
    select(holder, body)
    assert bpy.ops.omi.joint_add(**options) == {"FINISHED"}
    return bpy.context.object


def names(body: Any, holder: Any, made: Any) -> dict[str, str]:
    return {"body": body.name, "holder": holder.name, "joint": made.name}


def door(turn: Any = (0, 0, 0), **options: Any) -> tuple[Any, Any, Any]:
    post = cube("Post", (3.0, 0.13, 1.0), (0.1, 0.1, 2.0))
    leaf = cube("Door", (3.5, 0.13, 1.0), (0.9, 0.05, 1.95), turn)
    values = {"preset": "HINGE", "min_angle": 0.0, "max_angle": 1.9} | options
    return leaf, post, joint(leaf, post, **values)


def hinge(_folder: Path) -> dict[str, str]:
    return names(*door())


def oblique(_folder: Path) -> dict[str, str]:
    bpy.context.scene.cursor.rotation_euler = (0.61, 0.35, 0.0)
    return names(*door(axis="Z", axis_space="CURSOR"))


def crate(_folder: Path) -> dict[str, str]:
    leaf, post, made = door((0.0, 0.5, 0.1), preset="PIN")
    body = leaf.omi_body
    body.center_of_mass, body.linear_velocity = (0.1, 0.0, -0.23), (0.0, 0.4, 2.9)
    body.inertia_diagonal = (1.3, 2.1, 2.9)
    return names(leaf, post, made)


def drawer(_folder: Path) -> dict[str, str]:
    chest = cube("Chest", (1.0, 2.0, 0.5), (1.0, 0.8, 1.0))
    box = cube("Drawer", (1.0, 1.5, 0.5), (0.8, 0.7, 0.2))
    return names(box, chest, joint(box, chest, preset="SLIDER"))


def car(_folder: Path) -> dict[str, str]:
    chassis = cube("Chassis", (5.0, 1.0, 0.7), (1.2, 2.6, 0.4))
    wheels = []
    for number, (x, y) in enumerate(((-0.75, -1), (0.75, -1), (-0.75, 1), (0.75, 1))):
        bpy.ops.mesh.primitive_cylinder_add(
            radius=0.4, depth=0.25, location=(5 + x, 1 + y, 0.4), rotation=(0, math.pi / 2, 0)
        )
        bpy.context.object.name = f"Wheel {number}"
        wheels.append(bpy.context.object)
    select(chassis, *wheels)
    bpy.ops.omi.joint_add(preset="HINGE", pattern="EACH_TO_ACTIVE")
    return names(wheels[0], chassis, bpy.context.object)


def rope(_folder: Path) -> dict[str, str]:
    parts = [cube(f"Part {n}", (0.2, 0, 3 - 0.3 * n), (0.1, 0.1, 0.28)) for n in range(4)]
    select(*parts)
    bpy.ops.omi.joint_add(preset="PIN", pattern="CHAIN")
    return names(parts[1], parts[0], bpy.context.object)


def cone(_folder: Path) -> dict[str, str]:
    post = cube("Post", (3.0, 0.13, 2.1), (0.3, 0.3, 0.1))
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, location=(3.0, 0.13, 1.7))
    ball = bpy.context.object
    ball.name = "Ball"
    return names(ball, post, joint(ball, post, preset="BALL_WITH_CONE"))


def key(obj: Any, path: str, values: tuple[float, float]) -> None:
    holder, name = path.rsplit(".", 1)
    for frame, value in zip((1, 40), values, strict=True):
        element = obj.path_resolve(holder)
        setattr(element, name, value)
        element.keyframe_insert(name, frame=frame)
    setattr(obj.path_resolve(holder), name, values[0])
    bpy.context.scene.frame_set(1)


def keyed(_folder: Path) -> dict[str, str]:
    leaf, post, made = door(preset="POSITION_SERVO", position_angle=0.2, stiffness=20.0)
    limit = next(n for n, each in enumerate(made.omi_joint.limits) if sum(each.angular_axes) == 2)
    key(made, f"omi_joint.limits[{limit}].damping", (0.0, 0.4))
    driver = made.omi_joint.drives[0].driver_add("position_target_angle").driver
    driver.expression = "frame / 100"
    return names(leaf, post, made)


def shared(_folder: Path) -> dict[str, str]:
    first = door()
    leaf, post = cube("Leaf", (7.5, 0, 1), (0.9, 0.05, 2)), cube("Jamb", (7, 0, 1), (0.1, 0.1, 2))
    second = joint(leaf, post, preset="HINGE")
    select(first[2], second)
    bpy.ops.omi.joint_settings_link()
    key(first[2], "omi_joint.limits[2].max_angle", (1.9, 0.6))
    return names(leaf, post, second)


def two_alike(_folder: Path) -> dict[str, str]:
    made = []
    for x, end in ((0, 0.9), (5, -0.5)):
        post, leaf = (
            cube("Post", (x, 0, 1), (0.1, 0.1, 2)),
            cube("Leaf", (x + 0.5, 0, 1), (1, 0.1, 2)),
        )
        new = joint(leaf, post, preset="POSITION_SERVO", position_angle=0.0, stiffness=20.0)
        key(new, "omi_joint.drives[0].position_target_angle", (0.0, end))
        made.append((leaf, post, new))
    return names(*made[0])


def trigger(_folder: Path) -> dict[str, str]:
    leaf, post, made = door()
    zone = cube("Zone", (4.0, -1.0, 1.0), (1.3, 1.1, 2.0))
    zone.omi_body.trigger.enabled = True
    zone.omi_body.trigger.shape.type = "BOX"
    select(zone)
    bpy.ops.omi.body_shape_fit()
    return names(zone, post, made) | {"leaf": leaf.name}


def rig(scale: float = 1.0) -> Any:
    data = bpy.data.armatures.new("Rig")
    obj = bpy.data.objects.new("Rig", data)
    bpy.context.collection.objects.link(obj)
    obj.scale = (scale,) * 3
    select(obj)
    bpy.ops.object.mode_set(mode="EDIT")
    size = 1.0 / scale
    bones = {
        "hips": (None, (0, 0, 1.0), (0, 0, 1.2)),
        "spine": ("hips", (0, 0, 1.2), (0, 0, 1.5)),
        "head": ("spine", (0, 0, 1.5), (0, 0, 1.8)),
        "arm.L": ("spine", (0.2, 0, 1.45), (0.6, 0, 1.45)),
    }
    for name, (above, head, tail) in bones.items():
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = ([size * v for v in end] for end in (head, tail))
        bone.parent = data.edit_bones.get(above or "")
    bpy.ops.object.mode_set(mode="OBJECT")
    skin = skin_of(obj, bones, size)
    skin.parent = obj
    return obj


def skin_of(obj: Any, bones: dict[str, Any], size: float) -> Any:
    mesh = bpy.data.meshes.new("Skin")
    points, faces, groups = [], [], []
    for name, (_above, head, tail) in bones.items():
        low = [min(a, b) - 0.08 for a, b in zip(head, tail, strict=True)]
        high = [max(a, b) + 0.08 for a, b in zip(head, tail, strict=True)]
        first = len(points)
        points += [[size * v for v in p] for p in _corners(low, high)]
        faces += [[first + i for i in f] for f in _FACES]
        groups.append((name, range(first, first + 8)))
    mesh.from_pydata(points, [], faces)
    skin = bpy.data.objects.new("Skin", mesh)
    bpy.context.collection.objects.link(skin)
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    for name, members in groups:
        skin.vertex_groups.new(name=name).add(list(members), 1.0, "REPLACE")
    return skin


def _corners(low: list[float], high: list[float]) -> list[list[float]]:
    return [
        [x, y, z]
        for z in (low[2], high[2])
        for x, y in ((low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1]))
    ]


_FACES = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def _ragdoll(*, beside: bool) -> dict[str, str]:
    obj = rig(0.01)
    select(obj)
    bpy.ops.omi.ragdoll_add(use_beside=beside)
    made = [each for each in bpy.data.objects if each.omi_joint.enabled]
    return {"body": "Skin", "holder": obj.name, "joint": made[0].name}


def ragdoll(_folder: Path) -> dict[str, str]:
    return _ragdoll(beside=False)


def ragdoll_beside(_folder: Path) -> dict[str, str]:
    return _ragdoll(beside=True)


ARM = """<robot name="arm"><link name="base"><visual><geometry><box size=".4 .4 .2"/></geometry>
</visual><collision><geometry><box size=".4 .4 .2"/></geometry></collision></link>
<link name="arm"><inertial><mass value="2"/><origin xyz="0 0 .3"/>
<inertia ixx=".1" iyy=".1" izz=".02" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 .3"/><geometry><box size=".1 .1 .6"/></geometry></visual>
<collision><origin xyz="0 0 .3"/><geometry><box size=".1 .1 .6"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/>
<origin xyz="0 .1 .1" rpy="0 .2 0"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1.3" effort="7" velocity="3"/></joint></robot>"""
MODEL = """<mujoco><worldbody><geom name="floor" type="box" size="2 2 .1" pos="0 0 -.1"/>
<body name="arm" pos="0 .2 1" euler="0 10 0"><joint name="shoulder" axis="0 1 0" limited="true"
range="-60 80"/><geom type="box" size=".05 .05 .3" pos="0 0 .3" mass="1.7"/></body></worldbody>
</mujoco>"""


def _imported(folder: Path, name: str, text: str) -> dict[str, str]:
    path = folder / name
    path.write_text(text)
    bpy.ops.omi.scene_import(filepath=str(path))
    bpy.context.view_layer.update()
    return _first_joint()


def _first_joint() -> dict[str, str]:
    made = next(obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled)
    other = made.omi_joint.connected_object
    bodies = [_above(made), _above(other)]
    return names(bodies[0] or made, bodies[1] or other, made)


def _above(obj: Any) -> Any:
    while obj is not None and obj.omi_body.motion_type == "NONE":
        obj = obj.parent
    return obj


def urdf(folder: Path) -> dict[str, str]:
    return _imported(folder, "arm.urdf", ARM)


def mjcf(folder: Path) -> dict[str, str]:
    return _imported(folder, "arm.xml", MODEL)


def _gltf(folder: Path, dialect: str) -> dict[str, str]:
    door()
    bpy.context.scene.omi_gltf.export_dialects = {dialect}
    path = str(folder / "door.glb")
    bpy.ops.export_scene.gltf(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    bpy.context.scene.omi_gltf.export_dialects = {"OMI"}
    return _first_joint()


def gltf_omi(folder: Path) -> dict[str, str]:
    return _gltf(folder, "OMI")


def gltf_khr(folder: Path) -> dict[str, str]:
    return _gltf(folder, "KHR")


def _library(folder: Path) -> str:
    door()
    kept = bpy.data.collections.new("Doors")
    for obj in list(bpy.context.scene.objects):
        for each in obj.users_collection:
            each.objects.unlink(obj)
        kept.objects.link(obj)
    bpy.context.scene.collection.children.link(kept)
    path = str(folder / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    return path


def instance(_folder: Path) -> dict[str, str]:
    door()
    kept = bpy.data.collections.new("Doors")
    for obj in list(bpy.context.scene.objects):
        for each in obj.users_collection:
            each.objects.unlink(obj)
        kept.objects.link(obj)
    empty = bpy.data.objects.new("Instance", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", kept
    empty.matrix_world = Matrix.LocRotScale((1, 2, 0), Matrix.Rotation(0.4, 3, "Z"), None)
    bpy.context.scene.collection.objects.link(empty)
    return {"body": empty.name, "holder": empty.name, "joint": empty.name}


def override(folder: Path) -> dict[str, str]:
    path = _library(folder)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_source, target):
        target.collections = ["Doors"]
    linked = target.collections[0]
    bpy.context.scene.collection.children.link(linked)
    linked.override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=True
    )
    bpy.context.scene.collection.children.unlink(linked)
    bpy.context.view_layer.update()
    return _first_joint()


def rigid_bodies(_folder: Path) -> dict[str, str]:
    post, leaf = cube("Post", (3, 0, 1), (0.1, 0.1, 2)), cube("Door", (3.5, 0, 1), (0.9, 0.05, 2))
    for obj, kind in ((post, "PASSIVE"), (leaf, "ACTIVE")):
        select(obj)
        bpy.ops.rigidbody.object_add(type=kind)
        obj.rigid_body.collision_shape = "BOX"
    return names(leaf, post, joint(leaf, post, preset="HINGE"))


ROWS = [
    Row(make.__name__, make)
    for make in (
        *(hinge, oblique, crate, drawer, car, rope, cone, keyed, shared, two_alike, trigger),
        *(ragdoll, ragdoll_beside, urdf, mjcf, gltf_omi, gltf_khr, instance, override),
        rigid_bodies,
    )
]


def build(row: Row, folder: Path) -> tuple[Path, dict[str, str]]:
    """Save the scene of a row; return its file and the names of its roles."""
    bpy.ops.wm.read_homefile(use_empty=True)
    folder = folder / row.name
    folder.mkdir(exist_ok=True)
    roles = row.make(folder)
    bpy.context.view_layer.update()
    path = folder / "row.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path, roles
