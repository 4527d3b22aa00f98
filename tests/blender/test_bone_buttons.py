"""What the buttons of joints and bodies do or say with an armature, a bone or a skin selected."""

import math
from typing import Any

import bpy
import pytest

from omi_joints_addon import operators
from omi_joints_addon.authoring.conditions import Explained
from omi_joints_addon.authoring.context import present
from omi_joints_addon.classes import classes_of
from omi_joints_addon.preview.session import begin, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from tests.blender.recording_layout import drawn
from tests.rigs import ARM, activate, add_rig, add_skin

ARMATURE = "Arm is an armature: all of it would become one body. Use Ragdoll from Armature, or "
SKIN = "Skin is the skin of Arm, whose bones move it. Use Ragdoll from Armature, or "
POSE = "Works in Object Mode only. In Pose Mode, Ragdoll from Armature connects bones, and "
NO_JOINT = "No physics joint is selected"
NO_ACTIVE = "The active object is not a physics joint"
NO_BONE_JOINT = "No physics joint moves the active bone"
NO_BODY = "No physics body is selected"
SELECTIONS = ("armature", "bone", "skin", "skin and armature", "box and armature")
TABLE: dict[str, tuple[str, str, str, str, str]] = {
    "body_add": (ARMATURE, POSE, SKIN, ARMATURE, ""),
    "body_bone_add": ("No bone", "", "No bone", "No bone", "No bone"),
    "body_shape_fit": (ARMATURE, ARMATURE, SKIN, ARMATURE, "No selected object has a collider"),
    "body_anchor_add": ("", POSE, "", "", ""),
    "body_mass_from_density": (NO_BODY, NO_BODY, NO_BODY, NO_BODY, NO_BODY),
    "body_nest": (NO_BODY, POSE, NO_BODY, NO_BODY, NO_BODY),
    "joint_add": (ARMATURE, POSE, SKIN, ARMATURE, ARMATURE),
    "joint_axis_set": (NO_JOINT, POSE, NO_JOINT, NO_JOINT, NO_JOINT),
    "joint_mirror": (NO_JOINT, POSE, NO_JOINT, NO_JOINT, NO_JOINT),
    "joint_remove": (NO_JOINT, POSE, NO_JOINT, NO_JOINT, NO_JOINT),
    "joint_limit_add": (NO_ACTIVE, NO_BONE_JOINT, *(NO_ACTIVE,) * 3),
    "joint_drive_add": (NO_ACTIVE, NO_BONE_JOINT, *(NO_ACTIVE,) * 3),
    "preview_range": (NO_ACTIVE, NO_BONE_JOINT, *(NO_ACTIVE,) * 3),
    "preview_simulate": ("The scene has no dynamic body",) * 5,
    "ragdoll_add": ("", "", "", "", "Select an armature, or a mesh that one deforms"),
    "ragdoll_remove": ("Arm has no ragdoll",) * 4 + ("Select an armature",),
    "ragdoll_activate": ("No joint connects two bones of Arm",) * 4 + ("Select an armature",),
    "ragdoll_targets_key": ("No drive between bones of Arm",) * 4 + ("Select an armature",),
}
"""What each button says with each selection, as it begins; empty where it works."""


def select(selection: str) -> tuple[Any, Any, Any]:
    rig = add_rig("Arm", ARM)
    skin = add_skin(rig)
    box = bpy.data.objects.new("Box", bpy.data.meshes.new("Box"))
    bpy.context.scene.collection.objects.link(box)
    activate(skin if selection == "skin" else rig)
    if selection == "bone":
        bpy.ops.object.mode_set(mode="POSE")
        rig.data.bones.active = rig.data.bones["upper"]
    elif selection == "skin and armature":
        skin.select_set(True)
    elif selection == "box and armature":
        box.select_set(True)
        bpy.context.view_layer.objects.active = box
    bpy.context.view_layer.update()
    return rig, skin, box


def answer(name: str) -> str:
    """Press a button and return why it does nothing, empty where it works."""
    cls = next(each for each in classes() if each.bl_idname == f"omi.{name}")
    for condition in cls.conditions:
        reason = condition(bpy.context)
        if reason is not None:
            return str(reason)
    try:
        getattr(bpy.ops.omi, name)()
    except RuntimeError as error:
        return str(error).removeprefix("Error: ")
    return ""


def classes() -> list[Any]:
    return [
        cls
        for module in operators.MODULES
        for cls in classes_of(module)
        if issubclass(cls, Explained)
    ]


@pytest.mark.parametrize("number", range(len(SELECTIONS)), ids=SELECTIONS)
@pytest.mark.parametrize("name", TABLE)
def test_each_button_works_or_says_why_not(name, number):
    rig, skin, _ = select(SELECTIONS[number])
    found, expected = answer(name), TABLE[name][number]
    assert found.startswith(expected) if expected else found == ""
    assert rig.omi_body.motion_type == skin.omi_body.motion_type == "NONE"


@pytest.mark.parametrize("selection", SELECTIONS)
def test_no_button_makes_an_armature_or_a_skin_a_body(selection):
    for cls in classes():
        name = cls.bl_idname.removeprefix("omi.")
        if not name.startswith(("body", "joint", "ragdoll")):
            continue
        bpy.ops.wm.read_homefile(use_empty=True)
        rig, skin, _ = select(selection)
        answer(name)
        assert rig.omi_body.motion_type == skin.omi_body.motion_type == "NONE", name


@pytest.mark.parametrize("selection", ["armature", "skin", "bone"])
def test_the_panel_offers_the_ragdoll(selection):
    select(selection)
    assert ("operator", "omi.ragdoll_add") in drawn(bpy.types.OMI_PT_joint_create)
    assert bpy.types.OMI_PT_active_ragdoll.poll(bpy.context)
    assert ("operator", "omi.ragdoll_activate") in drawn(bpy.types.OMI_PT_active_ragdoll)


def test_the_hint_on_armatures_stays_away_while_a_ragdoll_is_simulated():
    """Below it is the button that was just pressed, which moved away from the mouse."""
    select("armature")
    assert len(_hints()) == 1
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    assert _hints() == []
    preview = SimulationPreview(bpy.context)
    begin(preview)
    try:
        preview.tick(bpy.context)
        assert _hints() == []
    finally:
        stop()


def _hints():
    shown = drawn(bpy.types.OMI_PT_joint_create)
    return [text for kind, text in shown if kind == "label" and text.startswith("Arm is")]


def test_collecting_triggers_leaves_other_objects_as_they_are():
    rig, skin, box = select("box and armature")
    bpy.ops.omi.body_trigger_parts()
    assert present(bpy.context.object) == box
    assert not rig.is_property_set("omi_body")
    assert not skin.is_property_set("omi_body")


def test_a_bone_becomes_a_body_with_a_capsule_around_what_it_deforms():
    rig, _, _ = select("bone")
    for panel in (bpy.types.OMI_PT_bone_body, bpy.types.OMI_PT_pose_body):
        shown = drawn(panel)
        assert ("operator", "omi.body_bone_add") in shown
        assert ("prop", "motion_type") not in shown, "a body without a shape"
    for name in ("upper", "lower"):
        bone = rig.pose.bones[name]
        (bone if hasattr(bone, "select") else bone.bone).select = True  # Blender 5 and 4
    bpy.ops.omi.body_bone_add(motion_type="KINEMATIC")
    made = {bone.name for bone in rig.pose.bones if bone.omi_body.motion_type == "KINEMATIC"}
    assert made == {"upper", "lower"}
    for name in made:
        body, length = rig.pose.bones[name].omi_body, rig.data.bones[name].length
        shape, radius = body.collider.shape, 0.08 * math.sqrt(2.0)
        assert (body.collider.source, shape.type, shape.up) == ("CUSTOM", "CAPSULE", "Y")
        assert tuple(shape.offset) == pytest.approx((0.0, length / 2.0, 0.0), abs=1e-5)
        assert shape.radius_bottom == shape.radius_top == pytest.approx(radius, rel=1e-4)
        assert shape.height + 2.0 * radius == pytest.approx(length, rel=0.03)
        volume = math.pi * radius**2 * (shape.height + 4.0 / 3.0 * radius)
        assert body.mass == pytest.approx(1000.0 * volume, rel=1e-4)


def test_a_bone_that_is_a_body_again_keeps_its_shape():
    rig, _, _ = select("bone")
    bpy.ops.omi.body_bone_add()
    body = rig.pose.bones["upper"].omi_body
    body.collider.shape.height, body.motion_type = 0.123, "NONE"
    bpy.ops.omi.body_bone_add(motion_type="STATIC")
    assert (body.motion_type, body.collider.shape.height) == ("STATIC", pytest.approx(0.123))
