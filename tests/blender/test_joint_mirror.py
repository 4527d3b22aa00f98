"""omi.joint_mirror: bodies, frames and settings of the other side."""

import math
from itertools import pairwise
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Pose
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.scenes import add_cube, add_joint, select
from tests.limit_excess import limit_excess
from tests.whole_check import scene_findings


def add_arm(**options: Any) -> tuple[Any, Any, Any]:
    """Return torso, left arm, and a hinge between them that is not symmetric."""
    torso = add_cube("Torso", (0.0, 0.0, 3.0))
    arm = add_cube("Arm.L", (3.0, 0.4, 3.2), rotation=(0.2, 0.3, 0.1))
    torso.omi_body.motion_type = "STATIC"
    options = {"axis": "Y", "min_angle": 0.0, "max_angle": 1.2} | options
    return torso, arm, add_joint(torso, arm, preset="HINGE", **options)


def mirror(*joints: Any, **options: Any) -> Any:
    select(*joints)
    assert bpy.ops.omi.joint_mirror(**options) == {"FINISHED"}
    bpy.context.view_layer.update()
    return bpy.context.object


def points(obj: Any) -> Any:
    world = np.array([obj.matrix_world @ vertex.co for vertex in obj.data.vertices])
    return world[np.lexsort(np.round(world, 4).T)]


def test_arm_of_the_other_side_is_made() -> None:
    torso, arm, joint = add_arm()
    other = mirror(joint)
    body = other.parent
    assert (body.name, other.omi_joint.connected_object.parent) == ("Arm.R", torso)
    assert other.name == "Arm.R to Torso Joint"
    assert body.matrix_world.determinant() == pytest.approx(1.0)
    mirrored = points(arm) * (-1.0, 1.0, 1.0)
    np.testing.assert_allclose(
        points(body), mirrored[np.lexsort(np.round(mirrored, 4).T)], atol=1e-5
    )
    outer = body.data.polygons[0]
    middle = sum((v.co for v in body.data.vertices), start=0.0 * outer.center) / 8.0
    assert (outer.center - middle).dot(outer.normal) > 0.0
    assert len(bpy.data.objects) == 7
    # The one that holds was never given a shape.
    assert {found.code for found in scene_findings(bpy.context.scene)} <= {"OMI-B069"}


def test_mirrored_numbers_mean_the_mirrored_motion() -> None:
    """Turn both arms as mirror images of each other: both joints measure the same."""
    _, arm, joint = add_arm()
    other = mirror(joint)
    reflect = Matrix.Diagonal((-1.0, 1.0, 1.0, 1.0))
    pivot = joint.matrix_world.translation.copy()
    turn = Matrix.Translation(pivot) @ Matrix.Rotation(0.7, 4, "Y") @ Matrix.Translation(-pivot)
    arm.matrix_world = turn @ arm.matrix_world
    other.parent.matrix_world = (reflect @ turn @ reflect) @ other.parent.matrix_world
    bpy.context.view_layer.update()
    scene, _ = scene_to_core(bpy.context.scene)
    poses = scene.relative_poses()
    values = [
        [
            float(limit_excess(JointLimit(angular_axes=limit.angular_axes, min=0, max=0), pose))
            for limit in each.settings.limits
            if limit.angular_axes
        ]
        for each, pose in zip(
            scene.joints,
            (Pose(*pair) for pair in zip(poses.position, poses.rotation, strict=True)),
            strict=True,
        )
    ]
    np.testing.assert_allclose(values[0], values[1], atol=1e-5)
    assert max(values[0]) == pytest.approx(0.7, abs=1e-5)
    assert all(
        float(limit_excess(limit, Pose(poses.position[n], poses.rotation[n]))) < 1e-4
        for n, each in enumerate(scene.joints)
        for limit in each.settings.limits
    )


def test_body_with_the_flipped_name_is_found_and_its_joint_updated() -> None:
    _torso, _arm, joint = add_arm()
    right = add_cube("Arm.R", (-3.0, 0.4, 3.2))
    right.omi_body.motion_type = "DYNAMIC"
    first = mirror(joint)
    assert first.parent == right
    count = len(bpy.data.objects)
    joint.name, first.name = "Shoulder.L", "Shoulder.R"
    joint.omi_joint.limits[-1].max = 0.5
    second = mirror(joint)
    assert second == first
    assert len(bpy.data.objects) == count
    assert second.omi_joint.limits[-1].max == pytest.approx(0.5)


def test_limits_that_are_not_symmetric_change_sides() -> None:
    _, _, joint = add_arm()
    limits = (
        JointLimit(angular_axes=(0,), min=-0.1, max=0.9),
        JointLimit(angular_axes=(2,), min=-0.2, max=0.4),
        JointLimit(linear_axes=(0, 1, 2), max=0.0),
    )
    joint.omi_joint.settings_from_core(JointSettings(limits=limits))
    found = mirror(joint).omi_joint.settings_to_core().limits
    # Z is flipped: twists about it keep their sign, those about X change it.
    assert (found[0].min, found[0].max) == pytest.approx((-0.9, 0.1))
    assert (found[1].min, found[1].max) == pytest.approx((-0.2, 0.4))


def test_sharing_is_kept() -> None:
    torso, _arm, joint = add_arm()
    leg = add_cube("Leg.L", (3.0, 0.0, -3.0))
    other = add_joint(torso, leg, preset="HINGE")
    other.omi_joint.settings_source = joint
    select(joint, other)
    bpy.ops.omi.joint_mirror()
    made = list(bpy.context.selected_objects)
    assert len(made) == 2
    assert all(each.omi_joint.settings_source == joint for each in made)
    joint.omi_joint.limits.add().angular_axes = (True, False, False)
    joint.omi_joint.limits[-1].max = 0.3
    select(joint, other)
    bpy.ops.omi.joint_mirror(axis="Y", use_names=False)
    made = list(bpy.context.selected_objects)
    sources = {each.omi_joint.settings_source for each in made}
    assert len(sources) == 2
    assert None in sources
    assert (sources - {None}) < set(made)


def test_plane_of_the_cursor_and_of_an_object() -> None:
    _, arm, joint = add_arm()
    bpy.context.scene.cursor.location = (10.0, 0.0, 0.0)
    at_cursor = mirror(joint, space="CURSOR", use_names=False)
    assert at_cursor.matrix_world.translation.x == pytest.approx(
        20.0 - joint.matrix_world.translation.x, abs=1e-5
    )
    rig = bpy.data.objects.new("Rig", None)
    bpy.context.collection.objects.link(rig)
    rig.rotation_euler.z = math.pi / 2.0
    at_object = mirror(joint, space="OBJECT", object_name="Rig", use_names=False)
    place = joint.matrix_world.translation
    np.testing.assert_allclose(
        at_object.matrix_world.translation, (place.x, -place.y, place.z), atol=1e-5
    )
    assert arm.matrix_world.translation.x == pytest.approx(3.0)


def add_rig(*bones: str) -> Any:
    """Return an armature with upright bones, those of the right at negative X."""
    data = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name in bones:
        bone = data.edit_bones.new(name)
        x = {"L": 3.0, "R": -3.0}.get(name[-1], 0.0)
        bone.head, bone.tail = (x, 0.3, 2.0), (1.2 * x, 0.4, 3.0)
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig


def hang(body: Any, rig: Any, bone: str) -> None:
    place = body.matrix_world.copy()
    body.parent, body.parent_type, body.parent_bone = rig, "BONE", bone
    body.matrix_world = place
    bpy.context.view_layer.update()


def add_rigged_arm() -> tuple[Any, Any, Any]:
    rig = add_rig("Spine", "Arm.L", "Arm.R")
    torso, arm, joint = add_arm()
    hang(torso, rig, "Spine")
    hang(arm, rig, "Arm.L")
    return rig, arm, joint


def test_body_on_a_bone_is_mirrored_onto_the_bone_of_the_other_side() -> None:
    rig, arm, joint = add_rigged_arm()
    other = mirror(joint)
    body = other.parent
    assert (body.parent, body.parent_type, body.parent_bone) == (rig, "BONE", "Arm.R")
    assert other.omi_joint.connected_object.parent.parent_bone == "Spine"
    mirrored = points(arm) * (-1.0, 1.0, 1.0)
    np.testing.assert_allclose(
        points(body), mirrored[np.lexsort(np.round(mirrored, 4).T)], atol=1e-5
    )
    # The one that holds was never given a shape.
    assert {found.code for found in scene_findings(bpy.context.scene)} <= {"OMI-B069"}
    before = body.matrix_world.copy()
    rig.pose.bones["Arm.R"].rotation_mode = "XYZ"
    rig.pose.bones["Arm.R"].rotation_euler.x = 0.5
    bpy.context.view_layer.update()
    assert (body.matrix_world.translation - before.translation).length > 0.01


def test_body_on_the_bone_of_the_other_side_is_found() -> None:
    rig, arm, joint = add_rigged_arm()
    arm.name = "Sleeve"
    right = add_cube("Some Other", (-3.0, 0.4, 3.2))
    right.omi_body.motion_type = "DYNAMIC"
    hang(right, rig, "Arm.R")
    count = len(bpy.data.objects)
    assert mirror(joint).parent == right
    assert len(bpy.data.objects) == count + 2


def test_duplicate_is_below_the_object_of_its_original() -> None:
    _, arm, joint = add_arm()
    group = bpy.data.objects.new("Group", None)
    bpy.context.collection.objects.link(group)
    arm.parent = group
    assert mirror(joint).parent.parent == group


def test_mirror_is_one_undo_step() -> None:
    _, _, joint = add_arm()
    names = {obj.name for obj in bpy.data.objects}
    select(joint)
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.omi.joint_mirror("EXEC_DEFAULT", True)
    assert len(bpy.data.objects) == len(names) + 3
    bpy.ops.ed.undo()
    assert {obj.name for obj in bpy.data.objects} == names


def test_frames_are_named_after_the_bodies_of_their_own_joint() -> None:
    """The name of one body is in that of the next, and both bodies get copies."""
    names = ("Link", "Link 1", "Link 12")
    links = [add_cube(name, (5.0, 0.0, 3.0 * n)) for n, name in enumerate(names)]
    joints = [add_joint(one, two, preset="PIN") for one, two in pairwise(links)]
    mirror(*joints)
    made = [obj for obj in bpy.context.selected_objects if obj.omi_joint.enabled]
    found = {
        obj.name: (obj.parent.name, obj.omi_joint.connected_object.parent.name) for obj in made
    }
    assert found == {f"{one} to {two} Joint": (one, two) for one, two in found.values()}
    assert len(found) == 2


def test_a_body_at_the_mirrored_place_is_the_counterpart_whatever_its_name() -> None:
    """Blender flips a side only at the beginning or end of a name."""
    torso, arm, joint = add_arm()
    arm.name = "upper_arm.L body"
    twin = add_cube("upper_arm.R body", (-3.0, 0.4, 3.2), rotation=(0.2, -0.3, -0.1))
    add_cube("Elsewhere", (-3.0, 1.4, 3.2))
    bpy.context.view_layer.update()
    before = len(bpy.data.meshes)
    other = mirror(joint)
    assert (other.parent, other.omi_joint.connected_object.parent) == (twin, torso)
    assert len(bpy.data.meshes) == before


def test_a_body_of_another_size_at_the_mirrored_place_is_none() -> None:
    _, arm, joint = add_arm()
    arm.name = "Left"
    small = add_cube("Small", (-3.0, 0.4, 3.2), rotation=(0.2, -0.3, -0.1))
    small.scale = (0.9, 1.0, 1.0)
    arm.name = "Upper"
    bpy.context.view_layer.update()
    assert mirror(joint).parent not in (small, arm)
