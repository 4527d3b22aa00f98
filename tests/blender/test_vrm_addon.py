"""Ragdolls of armatures whose bones the VRM add-on knows.

The properties are declared as that add-on documents them: `Armature.vrm_addon_extension`, of VRM
0.x a list of human bones, of VRM 1.0 a property for each.
"""

from typing import Any

import bpy
import pytest
from bpy.props import BoolProperty, CollectionProperty, PointerProperty, StringProperty

from omi_joints_addon.scene.structure import body_bones_of
from tests.blender.test_ragdoll import BODIES, VRM, joints, ragdoll
from tests.rigs import add_human

pytestmark = pytest.mark.usefixtures("empty_scene")


def _snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)


def _group(name: str, **properties: Any) -> Any:
    return type(name, (bpy.types.PropertyGroup,), {"__annotations__": properties})


@pytest.fixture
def _vrm_addon():
    node = _group("VrmNode", bone_name=StringProperty())
    bone = _group("VrmBone", bone=StringProperty(), node=PointerProperty(type=node))
    named = {_snake(name): PointerProperty(type=bone) for name in VRM.values()}
    bones = _group("VrmBones", **named, initial_automatic_bone_assignment=BoolProperty())
    old = _group("VrmHumanoid0", human_bones=CollectionProperty(type=bone))
    new = _group("VrmHumanoid1", human_bones=PointerProperty(type=bones))
    versions = [
        _group(f"Vrm{n}", humanoid=PointerProperty(type=t)) for n, t in enumerate((old, new))
    ]
    held = {f"vrm{number}": PointerProperty(type=each) for number, each in enumerate(versions)}
    classes = (node, bone, bones, old, new, *versions, _group("VrmExtension", **held))
    for each in classes:
        bpy.utils.register_class(each)
    bpy.types.Armature.vrm_addon_extension = PointerProperty(type=classes[-1])
    yield
    del bpy.types.Armature.vrm_addon_extension
    for each in reversed(classes):
        bpy.utils.unregister_class(each)


@pytest.mark.usefixtures("_vrm_addon")
@pytest.mark.parametrize("version", [0, 1])
def test_its_table_says_which_bone_is_what(version):
    """The bones have names of no meaning."""
    rig, table = add_human(), {}
    extension = rig.data.vrm_addon_extension
    for number, bone in enumerate(rig.data.bones):
        name, bone.name = bone.name.removeprefix("mixamorig:"), f"Bone{number:02}"
        table[bone.name] = name
        if name not in VRM:
            continue
        if version:
            row = getattr(extension.vrm1.humanoid.human_bones, _snake(VRM[name]))
        else:
            row = extension.vrm0.humanoid.human_bones.add()
            row.bone = VRM[name]
        row.node.bone_name = bone.name
    ragdoll(rig)
    assert {table[bone.name] for bone in body_bones_of(rig)} == BODIES
    knee = next(each for each in joints() if table[each.parent_bone] == "LeftLeg")
    assert len(knee.omi_joint.limits) == 3


@pytest.mark.usefixtures("_vrm_addon")
def test_an_empty_table_says_nothing():
    rig = add_human()
    rig.data.vrm_addon_extension.vrm0.humanoid.human_bones.add().bone = "hips"
    ragdoll(rig)
    assert {bone.name.removeprefix("mixamorig:") for bone in body_bones_of(rig)} == BODIES
