"""A ragdoll from an armature: bodies, limits, masses, another run, and the fall."""

import json
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.ragdoll.parts import Segment, recognized, simplified
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.bones import BodyBone
from omi_joints_addon.scene.reading import scene_to_core
from omi_joints_addon.scene.structure import body_bones_of, joint_bodies
from tests.rigs import ARM, activate, add_human, add_rig, add_skin


def ragdoll(rig: Any, **options: Any) -> None:
    activate(rig)
    assert bpy.ops.omi.ragdoll_add(**options) == {"FINISHED"}
    bpy.context.view_layer.update()


def names(rig: Any) -> set[str]:
    return {bone.name.removeprefix("mixamorig:") for bone in body_bones_of(rig)}


def joints() -> list[Any]:
    return [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]


def findings() -> list[str]:
    core, found = scene_to_core(bpy.context.scene)
    return [str(each) for each in (*found, *check_scene(core)) if each.severity != "info"]


def pairs() -> set[tuple[str, str]]:
    found = [joint_bodies(joint) for joint in joints()]
    return {tuple(body.name.removeprefix("mixamorig:") for body in each) for each in found}


BODIES = {"Hips", "Spine", "Spine1", "Neck"} | {
    f"{side}{part}"
    for side in ("Left", "Right")
    for part in ("Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot")
}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("DEF-thigh.L.001", ("thigh1", "L")),
        ("mixamorig:LeftForeArm", ("forearm", "L")),
        ("J_Bip_R_UpperArm", ("upperarm", "R")),
        ("J_Bip_C_Hips", ("hips", "")),
        ("upperarm_l", ("upperarm", "L")),
        ("spine_01", ("spine1", "")),
        ("leftUpperLeg", ("upperleg", "L")),
        ("upperleg01.R", ("upperleg1", "R")),
        ("Bip01 L Thigh", ("thigh", "L")),
        ("pelvis", ("pelvis", "")),
    ],
)
def test_names_of_rigs_are_taken_apart(name, expected):
    assert simplified(name) == expected


def test_parts_are_not_found_within_other_names():
    rig = ["pelvis", "thigh_l", "thigh_r", "calf_l", "upperarm_twist_01_l", "spine_01", "spine_02"]
    places = {rig[n]: place.part for n, place in recognized(rig).items()}
    assert places == {
        "pelvis": Segment.HIPS,
        "thigh_l": Segment.UPPER_LEG,
        "thigh_r": Segment.UPPER_LEG,
        "calf_l": Segment.LOWER_LEG,
        "spine_01": Segment.SPINE,
        "spine_02": Segment.CHEST,
    }
    assert recognized(["Bone", "Bone.001", "arm.L"]) == {}


def test_a_human_becomes_sixteen_bodies_without_a_finding():
    rig = add_human(location=(1, 2, 0), rotation_euler=(0, 0, 0.7))
    assert len(rig.data.bones) == 30
    ragdoll(rig)
    assert names(rig) == BODIES
    assert len(joints()) == 15
    assert {("LeftForeArm", "LeftArm"), ("LeftArm", "Spine1"), ("RightUpLeg", "Hips")} <= pairs()
    assert findings() == []
    masses = {bone.name[10:]: bone.omi_body.mass for bone in body_bones_of(rig)}
    assert sum(masses.values()) == pytest.approx(70.0, rel=1e-5)
    assert masses["LeftUpLeg"] / masses["Hips"] == pytest.approx(14.2 / 11.2, rel=1e-5)


def test_elbows_and_knees_bend_as_they_do():
    rig = add_human()
    ragdoll(rig)
    for name, goal in (("LeftForeArm", -1), ("RightForeArm", -1), ("LeftLeg", 1), ("RightLeg", 1)):
        joint = next(j for j in joints() if j.parent_bone == f"mixamorig:{name}")
        turn = joint.omi_joint.limits[2]
        assert turn.min < -2.0 < 0.0 <= turn.max < 0.3
        frame = np.array(joint.matrix_world)[:3, :3]
        # Flexion is about Z: it leads the bone, along X, to where Y points.
        assert np.sign(frame[1, 1]) == goal
        assert abs(frame[1, 1]) > 0.9


def test_shapes_fit_what_the_bones_deform():
    rig = add_human()
    ragdoll(rig, shape="CAPSULE")
    arm = rig.pose.bones["mixamorig:LeftArm"].omi_body.collider.shape
    assert arm.type == "CAPSULE"
    assert arm.up == "Y"
    assert arm.height + 2.0 * arm.radius_bottom == pytest.approx(0.28, abs=0.02)
    assert tuple(arm.offset) == pytest.approx((0.0, 0.14, 0.0), abs=0.01)
    ragdoll(rig, shape="BOX")
    assert rig.pose.bones["mixamorig:LeftArm"].omi_body.collider.shape.type == "BOX"


@pytest.mark.parametrize("beside", [False, True])
def test_hulls_enclose_what_the_bones_deform_and_go_with_the_ragdoll(beside):
    rig = add_human()
    meshes = set(bpy.data.meshes)
    for _ in range(2):
        ragdoll(rig, shape="HULL", symmetry="L", use_beside=beside)
    bodies = [each for each in core_bodies() if each.name.endswith(("LeftArm", "LeftArm Body"))]
    (arm,) = bodies
    assert arm.omi_body.collider.shape.type == "CONVEX"
    corners = np.array([tuple(each.co) for each in arm.omi_body.collider.shape.mesh.vertices])
    skin = bpy.data.objects["Skin"]
    group = skin.vertex_groups["mixamorig:LeftArm"].index
    held = [v for v in skin.data.vertices if any(g.group == group for g in v.groups)]
    bone = rig.matrix_world @ rig.data.bones["mixamorig:LeftArm"].matrix_local
    points = np.array([tuple(bone.inverted() @ (skin.matrix_world @ v.co)) for v in held])
    away = np.linalg.norm(corners[:, None] - points, axis=-1)
    assert away.min(axis=1).max() < 1e-6
    for axis in range(3):
        assert np.ptp(corners[:, axis]) == pytest.approx(np.ptp(points[:, axis]), rel=0.05)
    right = next(each for each in core_bodies() if "RightArm" in each.name)
    mirrored = np.array([tuple(each.co) for each in right.omi_body.collider.shape.mesh.vertices])
    assert mirrored == pytest.approx(corners * (-1, 1, 1), abs=1e-6)
    assert len(set(bpy.data.meshes) - meshes) == 16
    assert findings() == []
    assert bpy.ops.omi.ragdoll_remove() == {"FINISHED"}
    assert set(bpy.data.meshes) == meshes


def core_bodies() -> list[Any]:
    """Return the bodies of the scene, bones and objects."""
    bones = [bone for obj in bpy.data.objects if obj.pose for bone in obj.pose.bones]
    return [each for each in (*bones, *bpy.data.objects) if each.omi_body.motion_type != "NONE"]


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_bodies_weigh_in_the_middle_of_their_shapes(scale: float, beside: bool):
    rig = add_human()
    rig.scale = (scale,) * 3
    bpy.context.view_layer.update()
    ragdoll(rig, shape="CAPSULE", use_beside=beside)
    core, _ = scene_to_core(bpy.context.scene)
    owner = core.bodies()
    shapes = {int(owner[node]): core.matrices[node, :3, 3] for node in core.colliders}
    assert len(shapes) == 16
    for body, place in shapes.items():
        center = (*core.motions[body].center_of_mass, 1.0)
        assert (core.matrices[body] @ center)[:3] == pytest.approx(place, abs=1e-5 * scale)


def test_bodies_that_overlap_at_rest_do_not_collide():
    rig = add_human()
    for bone in ("LeftUpLeg", "RightUpLeg"):
        group = bpy.data.objects["Skin"].vertex_groups[f"mixamorig:{bone}"]
        for vertex in bpy.data.objects["Skin"].data.vertices:
            if any(each.group == group.index for each in vertex.groups):
                vertex.co.x *= 0.4  # so that both thighs share the middle
    ragdoll(rig)
    core, _ = scene_to_core(bpy.context.scene)
    owner, filters = core.bodies(), {}
    for node, collider in core.colliders.items():
        filters[core.names[owner[node]][10:]] = collider.collision_filter
    left, right = filters["LeftUpLeg"], filters["RightUpLeg"]
    assert set(left.collision_systems) & set(right.not_collide_with_systems)
    assert set(right.collision_systems) & set(left.not_collide_with_systems)
    assert filters["LeftFoot"] is None


def test_another_run_updates_and_keeps_what_was_edited():
    rig = add_human()
    ragdoll(rig)
    body = rig.pose.bones["mixamorig:Hips"].omi_body
    body.mass = 99.0
    joint = next(j for j in joints() if j.parent_bone == "mixamorig:LeftLeg")
    joint.omi_joint.limits[2].min = -1.0
    before = len(bpy.data.objects)
    ragdoll(rig, mass=35.0)
    assert len(bpy.data.objects) == before
    assert body.mass == 99.0
    assert joint.omi_joint.limits[2].min == -1.0
    head = rig.pose.bones["mixamorig:Neck"].omi_body
    assert head.mass == pytest.approx(0.5 * 70.0 * 6.9 / _shares(), rel=1e-4)


def test_another_run_updates_an_active_ragdoll_and_keeps_its_drives():
    """Drives and the animated root are no edits of what the ragdoll made."""
    rig = add_human()
    ragdoll(rig)
    assert bpy.ops.omi.ragdoll_activate() == {"FINISHED"}
    drives = {joint.name: len(joint.omi_joint.drives) for joint in joints()}
    assert min(drives.values()) > 0
    (root,) = [each for each in core_bodies() if each.omi_body.motion_type == "KINEMATIC"]
    masses = {each.name: each.omi_body.mass for each in core_bodies()}
    edited = next(each for each in joints() if "LeftLeg" in each.name)
    edited.omi_joint.limits[2].min = -1.0
    before = own(joints())
    ragdoll(rig, mass=35.0, shape="CAPSULE")
    assert own(joints()) == before
    for body in core_bodies():
        assert body.omi_body.mass == pytest.approx(0.5 * masses[body.name], rel=1e-4)
    assert root.omi_body.motion_type == "KINEMATIC"
    assert {joint.name: len(joint.omi_joint.drives) for joint in joints()} == drives


def own(found: list[Any]) -> dict[str, Any]:
    return {joint.name: joint.omi_joint.settings_to_core() for joint in found}


def _shares() -> float:
    sides = 2.7 + 1.6 + 0.6 + 14.2 + 4.3 + 1.4
    return 6.9 + 16.0 + 16.3 + 11.2 + 2.0 * sides


def test_the_ragdoll_is_for_the_rest_pose():
    rig = add_human()
    ragdoll(rig)
    straight = {joint.name: joint.matrix_basis.copy() for joint in joints()}
    assert bpy.ops.omi.ragdoll_remove() == {"FINISHED"}
    arm = rig.pose.bones["mixamorig:LeftArm"]
    arm.rotation_mode, arm.rotation_euler = "XYZ", (0.4, 0.2, 0.0)
    bpy.context.view_layer.update()
    ragdoll(rig)
    for joint in joints():
        assert np.array(joint.matrix_basis) == pytest.approx(
            np.array(straight[joint.name]), abs=1e-5
        )


def test_removing_leaves_the_armature_as_it_was():
    rig = add_human()
    before = (len(bpy.data.objects), [dict(bone.items()) for bone in rig.pose.bones])
    ragdoll(rig)
    assert bpy.ops.omi.ragdoll_remove() == {"FINISHED"}
    assert (len(bpy.data.objects), [dict(bone.items()) for bone in rig.pose.bones]) == before
    assert not any(bone.is_property_set("omi_body") for bone in rig.pose.bones)
    with pytest.raises(RuntimeError, match="has no ragdoll"):
        bpy.ops.omi.ragdoll_remove()


def test_any_other_rig_gets_cones_and_small_bones_belong_to_the_one_above():
    rig = add_rig("Arm", ARM)
    add_skin(rig)
    ragdoll(rig, smallest=0.2)
    assert names(rig) == {"root", "upper", "lower"}
    assert pairs() == {("upper", "root"), ("lower", "upper")}
    assert findings() == []


def test_bones_that_hang_at_a_slant_have_no_scale():
    """Blender's matrices of theirs have factors of 1.000024."""
    legs = {
        f"thigh.{side}": ("spine", (way * 0.15, 0.0, 1.5), (way * 0.2, 0.0, 1.0), 0.0)
        for side, way in (("L", 1.0), ("R", -1.0))
    }
    ragdoll(add_rig("Legs", {"spine": (None, (0.0, 0.0, 1.5), (0.0, 0.0, 2.1), 0.0)} | legs))
    scales = [factor for bone in bpy.context.object.pose.bones for factor in bone.matrix.to_scale()]
    assert max(scales) > 1.00002
    assert findings() == []


def test_the_skin_can_be_active_and_other_things_are_refused():
    rig = add_human()
    activate(bpy.data.objects["Skin"])
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    assert names(rig) == BODIES
    bpy.ops.mesh.primitive_cube_add()
    assert not bpy.ops.omi.ragdoll_add.poll()


@pytest.mark.parametrize("version", [0, 1])
def test_a_vrm_file_says_what_its_bones_are(tmp_path, version: int):
    """Its bones may have any names, even those of other parts; VRM 0.x has a list of them."""
    rig, table = add_human(), {}
    for number, bone in enumerate(rig.data.bones):
        table[f"Bone{number:02}"] = bone.name.removeprefix("mixamorig:")
        bone.name = f"Bone{number:02}"
    path = tmp_path / "human.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    document = json.loads(path.read_text())
    nodes = {node.get("name"): number for number, node in enumerate(document["nodes"])}
    parts = {VRM[name]: {"node": nodes[bone]} for bone, name in table.items() if name in VRM}
    listed = [{"bone": part, **row} for part, row in parts.items()]
    human = {"humanoid": {"humanBones": parts if version else listed}}
    document["extensions"] = {"VRMC_vrm" if version else "VRM": human}
    path.write_text(json.dumps(document))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(path))
    rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    ragdoll(rig)
    assert {table[bone.name] for bone in body_bones_of(rig)} == BODIES
    knee = next(each for each in joints() if table[each.parent_bone] == "LeftLeg")
    assert len(knee.omi_joint.limits) == 3


VRM = {"Hips": "hips", "Spine": "spine", "Spine1": "chest", "Neck": "neck"} | {
    f"{side}{part}": f"{side.lower()}{name}"
    for side in ("Left", "Right")
    for part, name in (
        ("Arm", "UpperArm"),
        ("ForeArm", "LowerArm"),
        ("Hand", "Hand"),
        ("UpLeg", "UpperLeg"),
        ("Leg", "LowerLeg"),
        ("Foot", "Foot"),
    )
}


@pytest.mark.parametrize("dialect", ["OMI", "KHR"])
def test_it_comes_back_from_a_file(tmp_path, dialect):
    rig = add_human(location=(1, 2, 0))
    ragdoll(rig)
    bpy.context.scene.omi_gltf.export_dialects = {dialect}
    before, _ = scene_to_core(bpy.context.scene)
    path = str(tmp_path / "human.gltf")
    bpy.ops.export_scene.gltf(filepath=path, export_format="GLTF_SEPARATE")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    bpy.context.view_layer.update()
    assert findings() == []
    rig = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    assert names(rig) == BODIES
    after, _ = scene_to_core(bpy.context.scene)
    known = {joint.place: joint for joint in after.joints}
    assert len(known) == len(before.joints) == 15
    for joint in before.joints:
        assert known[joint.place].settings == joint.settings
        there = after.matrices[known[joint.place].node]
        assert there == pytest.approx(before.matrices[joint.node], abs=1e-6)


@pytest.mark.parametrize("held", ["Hips", "Neck", "LeftHand", "RightFoot"])
def test_it_hangs_without_leaving_its_limits(held):
    rig = add_human()
    ragdoll(rig)
    rig.pose.bones[f"mixamorig:{held}"].omi_body.motion_type = "STATIC"
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    worst_gap = worst_angle = 0.0
    for _ in range(48):
        matrices = preview.next_frame()
        for joint in preview.scene.joints:
            frame, end = matrices[joint.node], matrices[joint.connected]
            worst_gap = max(worst_gap, float(np.linalg.norm(frame[:3, 3] - end[:3, 3])))
            worst_angle = max(worst_angle, _excess(joint.settings, frame, end))
    node = preview.objects.index(BodyBone(rig, "mixamorig:LeftArm"))
    assert np.abs(matrices[node] - preview.scene.matrices[node]).max() > 0.05
    assert worst_gap < 3e-4
    # In the one frame in which a bone meets its limit fast; which one is up to the last digits.
    assert worst_angle < np.radians(0.25)
    preview.end()


def _excess(settings: Any, frame: Any, end: Any) -> float:
    """Return how far a hinge or a cone is beyond its limits [rad], by the angles of the frames."""
    turn = frame[:3, :3].T @ end[:3, :3]
    turn = turn / np.linalg.norm(turn, axis=0)
    last = settings.limits[-1]
    if last.angular_axes == (2,):
        angle = float(np.arctan2(turn[1, 0], turn[0, 0]))
        return max(last.min - angle, angle - last.max)
    cone = next(limit for limit in settings.limits if limit.angular_axes == (1, 2))
    return float(np.arccos(np.clip(turn[0, 0], -1.0, 1.0))) - cone.max


def animate(rig: Any, side: str = "Left") -> None:
    """Bend a knee by a radian, and swing the arm, from frame 5 to 15; sides are mirror images."""
    sign = 1.0 if side == "Left" else -1.0
    for name, first, last in (
        ("Leg", (0, 0, 0), (1.0, 0, 0)),
        ("Arm", (0.3, 0, 0.0), (-0.6, 0.1, 0.2)),
    ):
        bone = rig.pose.bones[f"mixamorig:{side}{name}"]
        bone.rotation_mode = "XYZ"
        for frame, (x, y, z) in ((5, first), (15, last)):
            bone.rotation_euler = (x, sign * y, sign * z)
            bone.keyframe_insert("rotation_euler", frame=frame)


def excesses(rig: Any) -> dict[str, float]:
    """Return how far each joint is beyond its limits in the worst frame of the action [rad]."""
    for constraint in (each for bone in rig.pose.bones for each in bone.constraints):
        constraint.mute = True
    worst: dict[str, float] = {}
    for frame in range(5, 16):
        bpy.context.scene.frame_set(frame)
        for joint in joints():
            ends = [at_bone(rig, end) for end in (joint, joint.omi_joint.connected_object)]
            found = _excess(joint.omi_joint.settings_to_core(), *ends)
            name = joint.name.removeprefix("mixamorig:")
            worst[name] = max(worst.get(name, -9.0), found)
    return worst


def at_bone(rig: Any, frame: Any) -> Any:
    """Return where a frame is as the bone of its body is animated."""
    if frame.parent_bone:
        return np.array(frame.matrix_world)
    bone = rig.pose.bones[frame.parent.name.removesuffix(" Body")]
    local = np.linalg.inv(np.array(frame.parent.matrix_world)) @ np.array(frame.matrix_world)
    return np.array(rig.matrix_world @ bone.matrix) @ local


@pytest.mark.parametrize("beside", [False, True])
def test_limits_are_fitted_to_the_animation(beside):
    rig = add_human()
    animate(rig)
    bpy.context.scene.frame_set(10)
    for _ in range(2):
        ragdoll(rig, limits="ACTION", use_beside=beside)
    assert bpy.context.scene.frame_current == 10
    knee = next(joint for joint in joints() if "LeftLeg" in joint.name).omi_joint.limits[2]
    assert sorted((abs(knee.min), abs(knee.max))) == pytest.approx([0.0, 1.0], abs=0.01)
    still = next(joint for joint in joints() if "RightLeg" in joint.name).omi_joint.limits[2]
    assert abs(still.min) > 2.0
    worst = excesses(rig)
    assert max(worst.values()) < 1e-4
    assert worst["LeftArm Joint"] > -1e-4


def test_limits_of_one_side_hold_the_mirrored_animation_of_the_other():
    rig = add_human()
    animate(rig)
    ragdoll(rig, limits="ACTION", symmetry="L")
    rig.animation_data_clear()
    for bone in rig.pose.bones:
        bone.rotation_euler = (0.0, 0.0, 0.0)
    animate(rig, "Right")
    worst = excesses(rig)
    assert max(worst.values()) < 1e-4
    assert (worst["RightArm Joint"], worst["RightLeg Joint"]) == pytest.approx((0, 0), abs=1e-4)


@pytest.mark.parametrize("has_action", [False, True])
def test_limits_are_fitted_to_the_poses_of_a_library(has_action):
    """Two poses, one of each leg; the rig keeps its own action, its pose and its frame."""
    rig = add_human()
    for side, angle in (("Left", 1.0), ("Right", 0.5)):
        bone = rig.pose.bones[f"mixamorig:{side}Leg"]
        bone.rotation_mode, bone.rotation_euler = "XYZ", (angle, 0.0, 0.0)
        bone.keyframe_insert("rotation_euler", frame=1)
        rig.animation_data.action.asset_mark()
        rig.animation_data_clear()
        bone.rotation_euler = (0.1, 0.0, 0.0)
    if has_action:
        animate(rig)
        bpy.context.scene.frame_set(7)
    before = [np.array(bone.matrix_basis).tolist() for bone in rig.pose.bones]
    action = rig.animation_data.action if has_action else None
    ragdoll(rig, limits="POSES")
    for name, angle in (("LeftLeg", 1.0), ("RightLeg", 0.5)):
        knee = next(joint for joint in joints() if name in joint.name).omi_joint.limits[2]
        assert sorted((abs(knee.min), abs(knee.max))) == pytest.approx([0.0, angle], abs=0.01)
    arm = next(joint for joint in joints() if "LeftForeArm" in joint.name).omi_joint.limits[2]
    assert arm.max - arm.min > 2.0
    assert (rig.animation_data and rig.animation_data.action) == action
    assert [np.array(bone.matrix_basis).tolist() for bone in rig.pose.bones] == before


def test_poses_of_a_library_are_in_the_slot_that_has_bones():
    """An action holds a lamp's motion first, and poses of a rig of another name."""
    rig = add_human()
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    bpy.context.collection.objects.link(lamp)
    lamp.keyframe_insert("location", frame=1)
    action = lamp.animation_data.action
    data = rig.animation_data_create()
    data.action, data.action_slot = action, action.slots.new("OBJECT", "Another Rig")
    bone = rig.pose.bones["mixamorig:LeftLeg"]
    bone.rotation_mode, bone.rotation_euler = "XYZ", (1.0, 0.0, 0.0)
    bone.keyframe_insert("rotation_euler", frame=1)
    rig.animation_data_clear()
    bone.rotation_euler = (0.0, 0.0, 0.0)
    action.asset_mark()
    ragdoll(rig, limits="POSES")
    knee = next(joint for joint in joints() if "LeftLeg" in joint.name).omi_joint.limits[2]
    assert sorted((abs(knee.min), abs(knee.max))) == pytest.approx([0.0, 1.0], abs=0.01)


def test_limits_cannot_be_fitted_without_poses_that_are_assets():
    activate(add_human())
    with pytest.raises(RuntimeError, match="is marked as an asset"):
        bpy.ops.omi.ragdoll_add(limits="POSES")


def test_limits_cannot_be_fitted_without_an_animation():
    activate(add_human())
    with pytest.raises(RuntimeError, match="has no animation"):
        bpy.ops.omi.ragdoll_add(limits="ACTION")


@pytest.mark.parametrize("scale", [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 1.0)])
@pytest.mark.filterwarnings("error")
def test_a_rig_that_is_scaled_to_nothing_is_refused_in_a_sentence(scale):
    rig = add_human()
    add_skin(rig)
    activate(rig)
    rig.scale = scale
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match=f"The scale of {rig.name} is zero"):
        bpy.ops.omi.ragdoll_add(bones="ALL", smallest=0.0)
    assert not joints()


@pytest.mark.filterwarnings("error")
def test_an_armature_without_bones_is_refused_in_a_sentence():
    rig = add_rig("Empty", {})
    activate(rig)
    with pytest.raises(RuntimeError, match="No bone is long enough"):
        bpy.ops.omi.ragdoll_add(bones="ALL", smallest=0.0)


def test_bodies_beside_the_skeleton_cannot_be_active():
    rig = add_human()
    ragdoll(rig, use_beside=True)
    with pytest.raises(RuntimeError, match="are beside its skeleton"):
        bpy.ops.omi.ragdoll_activate()
