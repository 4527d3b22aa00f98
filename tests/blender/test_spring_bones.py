"""Ragdolls with the spring bones of VRM files as chains, which are chosen to be bodies."""

import json
from typing import Any

import bpy
import pytest
from bpy.props import CollectionProperty, FloatProperty, PointerProperty, StringProperty

from omi_joints_addon.authoring.ragdoll_parts import springs_of
from omi_joints_addon.core.ragdoll.plan import SpringBone
from omi_joints_addon.scene.structure import body_bones_of
from tests.blender.test_ragdoll import joints, ragdoll
from tests.rigs import add_human

pytestmark = pytest.mark.usefixtures("empty_scene")
HAIR = ["Hair1", "Hair2", "Hair3"]
TABLES: dict[int, Any] = {
    0: lambda at: {
        "VRM": {
            "secondaryAnimation": {
                "boneGroups": [
                    {
                        "stiffiness": 0.7,
                        "dragForce": 0.4,
                        "gravityPower": 0.3,
                        "bones": [at[HAIR[0]]],
                    },
                    {"bones": "damaged"},
                ]
            }
        }
    },
    1: lambda at: {
        "VRMC_springBone": {
            "specVersion": "1.0",
            "springs": [
                {
                    "joints": [
                        {"node": at[name], "stiffness": 0.7, "dragForce": 0.4, "gravityPower": 0.3}
                        for name in (*HAIR, "HairEnd")
                    ]
                },
                {"joints": [7, {}]},
            ],
        }
    },
}


def add_hair(rig: Any) -> None:
    """Add a chain of four bones below the head."""
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    before = next(bone for bone in bones if bone.name.endswith("Head"))
    head = before.tail.copy()
    for name in (*HAIR, "HairEnd"):
        bone = bones.new(name)
        bone.head, bone.tail = head, (head.x, head.y + 0.13, head.z - 0.05)
        bone.parent, before, head = before, bone, bone.tail.copy()
    bpy.ops.object.mode_set(mode="OBJECT")


@pytest.mark.parametrize("version", [0, 1])
def test_spring_bones_are_chains_where_they_are_chosen(tmp_path, version: int) -> None:
    add_hair(add_human())
    path = tmp_path / "human.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    document = json.loads(path.read_text())
    nodes = {node.get("name"): number for number, node in enumerate(document["nodes"])}
    document["extensions"] = TABLES[version](nodes)
    path.write_text(json.dumps(document))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(path))
    rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    swinging = springs_of(rig)
    assert {name: swinging[name] for name in HAIR} == dict.fromkeys(HAIR, SpringBone(0.7, 0.4, 0.3))
    ragdoll(rig)
    assert not {bone.name for bone in body_bones_of(rig)} & {*HAIR}
    ragdoll(rig, use_springs=True)
    chain = {bone.name: bone for bone in body_bones_of(rig)}
    assert {*HAIR} < {*chain}
    assert chain[HAIR[1]].pose_bone.omi_body.gravity_factor == pytest.approx(12.0 / 9.81)
    (joint,) = [each for each in joints() if each.parent_bone == HAIR[1]]
    settings = joint.omi_joint.settings_to_core()
    assert [drive.mode for drive in settings.drives] == ["acceleration"] * 3
    assert settings.drives[0].damping == pytest.approx(30.65, abs=0.01)
    ragdoll(rig)
    assert not {bone.name for bone in body_bones_of(rig)} & {*HAIR}


def _group(name: str, **properties: Any) -> Any:
    return type(name, (bpy.types.PropertyGroup,), {"__annotations__": properties})


@pytest.fixture
def _vrm_addon() -> Any:
    """Declare what the VRM add-on has of spring bones, as its source does."""
    number = dict.fromkeys(("drag_force", "gravity_power"), FloatProperty())
    node = _group("VrmNode", bone_name=StringProperty())
    group = _group("VrmGroup", stiffiness=FloatProperty(), **number,
                   bones=CollectionProperty(type=node))  # fmt: skip
    joint = _group("VrmJoint", stiffness=FloatProperty(), **number,
                   node=PointerProperty(type=node))  # fmt: skip
    chain = _group("VrmChain", joints=CollectionProperty(type=joint))
    old = _group("VrmOld", bone_groups=CollectionProperty(type=group))
    zero = _group("Vrm0", secondary_animation=PointerProperty(type=old))
    new = _group("VrmNew", springs=CollectionProperty(type=chain))
    whole = _group("VrmExtension", vrm0=PointerProperty(type=zero),
                   spring_bone1=PointerProperty(type=new))  # fmt: skip
    classes = (node, group, joint, chain, old, zero, new, whole)
    for each in classes:
        bpy.utils.register_class(each)
    bpy.types.Armature.vrm_addon_extension = PointerProperty(type=whole)
    yield
    del bpy.types.Armature.vrm_addon_extension
    for each in reversed(classes):
        bpy.utils.unregister_class(each)


@pytest.mark.usefixtures("_vrm_addon")
@pytest.mark.parametrize("version", [0, 1])
def test_the_vrm_addon_knows_spring_bones(version: int) -> None:
    rig = add_human()
    add_hair(rig)
    extension, values = rig.data.vrm_addon_extension, (0.7, 0.4, 0.3)
    if version:
        joints = extension.spring_bone1.springs.add().joints
        for name in (*HAIR, "HairEnd"):
            made = joints.add()
            made.node.bone_name = name
            made.stiffness, made.drag_force, made.gravity_power = values
    else:
        made = extension.vrm0.secondary_animation.bone_groups.add()
        made.stiffiness, made.drag_force, made.gravity_power = values
        made.bones.add().bone_name = HAIR[0]
    found = springs_of(rig)
    assert {*found} == {*HAIR} | (set() if version else {"HairEnd"})
    spring = found[HAIR[1]]
    assert (spring.stiffness, spring.drag, spring.gravity) == pytest.approx(values)
