"""Keys and drivers on the numbers that the panel shows in degrees and meters."""

import math

import bpy
import pytest

from omi_joints_addon.scene.findings import settled_findings
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.scenes import add_cube, add_door, add_joint


def joint_now() -> object:
    (joint,) = scene_to_core(bpy.context.scene)[0].joints
    return joint.settings


def codes() -> list[str]:
    return [found.code for found in settled_findings(bpy.context.scene)]


def test_a_limit_is_keyed_in_degrees() -> None:
    _, _, joint = add_door()
    limit = joint.omi_joint.limits[2]
    for frame, degrees in ((1, 20.0), (11, 100.0)):
        limit.max_angle = math.radians(degrees)
        assert limit.keyframe_insert("max_angle", frame=frame)
    for curve in joint.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        assert curve.data_path == "omi_joint.limits[2].max_angle"
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    for frame, degrees in ((1, 20.0), (6, 60.0), (11, 100.0)):
        bpy.context.scene.frame_set(frame)
        assert joint_now().limits[2].max == pytest.approx(math.radians(degrees))


def test_a_target_is_driven_in_meters() -> None:
    wall, drawer = add_cube("Wall", (0, 0, 0)), add_cube("Drawer", (3, 0, 0))
    joint = add_joint(wall, drawer, preset="SUSPENSION_SPRING")
    driver = joint.driver_add("omi_joint.drives[0].position_target_distance").driver
    driver.expression = "frame / 100"
    for frame in (5, 20):
        bpy.context.scene.frame_set(frame)
        assert joint_now().drives[0].position_target == pytest.approx(frame / 100)


def test_what_animates_a_joint_is_named_once() -> None:
    _, _, joint = add_door()
    assert "OMI-J020" not in codes()
    joint.keyframe_insert("location", frame=1)
    bpy.context.view_layer.update()
    assert "OMI-J020" not in codes()
    joint.omi_joint.limits[2].keyframe_insert("max_angle", frame=1)
    joint.driver_add("omi_joint.limits[2].damping")
    bpy.context.view_layer.update()
    (found,) = [each for each in settled_findings(bpy.context.scene) if each.code == "OMI-J020"]
    assert found.place == joint.name
    assert "change 2 properties" in str(found)
