"""Keys and drivers on the numbers that the panel shows in degrees and meters."""

import math

import bpy
import numpy as np
import pytest

from omi_joints_addon.scene.findings import settled_findings
from omi_joints_addon.scene.joint_keys import moving_scene
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
    assert "2 in all" in str(found)


@pytest.mark.parametrize("way", ["driver", "strip"])
def test_driven_numbers_of_bodies_are_sampled_as_blender_evaluates_them(way: str) -> None:
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 9
    body = add_cube("Body", (0.0, 0.0, 0.0))
    body.omi_body.motion_type = "DYNAMIC"
    body.omi_body.center_of_mass = (0.1, 0.2, 0.3)
    if way == "driver":
        curve = body.driver_add("omi_body.gravity_factor")
        curve.driver.expression = "0.13 * frame"
        second = body.driver_add("omi_body.center_of_mass", 1)
        second.driver.expression = "0.2 + 0.01 * frame"
    else:
        data = body.animation_data_create()
        action = data.action = bpy.data.actions.new("Program")
        for path, index, slope in (("gravity_factor", 0, 0.13), ("center_of_mass", 1, 0.01)):
            keys = action.fcurve_ensure_for_datablock(body, f"omi_body.{path}", index=index)
            for frame in (0, 10):
                start = 0.2 if index else 0.0
                keys.keyframe_points.insert(frame, start + slope * frame).interpolation = "LINEAR"
        data.nla_tracks.new().strips.new("Program", 0, action)
        data.action = None
    core, _ = moving_scene(scene)
    found = {(track.member, track.number): track for track in core.tracks}
    frames = np.arange(1, 10)
    weight, middle = found["gravity_factor", 0], found["center_of_mass", 1]
    assert weight.values == pytest.approx(0.13 * frames)
    assert middle.values == pytest.approx(0.2 + 0.01 * frames, abs=1e-6)
    assert found["center_of_mass", 2].values == pytest.approx(np.full(9, 0.3))
    assert weight.seconds == pytest.approx(frames / 24.0)
