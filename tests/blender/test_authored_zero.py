"""The author's numbers of a hinge in Blender: kept, shown and written."""

import math
from dataclasses import replace
from pathlib import Path

import bpy
import pytest

from omi_joints_addon.core.model.actuator import Actuator
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.panels.joint import OMI_PT_joint
from omi_joints_addon.properties.joint_reading import read_joint
from tests.blender.full_scene import scene_now
from tests.blender.recording_layout import drawn
from tests.blender.scenes import add_door
from tests.core.urdf_robots import joint, link, robot

TURNS = (-6.2831853, 6.2831853)
ROBOT = robot(
    link("base", ""),
    link("arm"),
    link("hand"),
    joint("elbow", "revolute", "base", "arm", '<limit lower="-0.5" upper="4.4" effort="7"/>'),
    joint("wrist", "revolute", "arm", "hand", '<limit lower="-6.2831853" upper="6.2831853"/>'),
)


def test_numbers_of_a_robot_come_back_and_the_panel_shows_them(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(ROBOT)
    bpy.ops.omi.scene_import(filepath=str(path))
    scene = scene_now()
    by_name = {scene.names[each.node]: each.attributes for each in scene.joints}
    assert by_name["elbow"].zero == 1.9500000000000002
    assert by_name["wrist"].whole_range == TURNS
    for name, text in (("elbow", "-28.65° to 252.1°"), ("wrist", "-360° to 360°")):
        bpy.context.view_layer.objects.active = bpy.data.objects[name]
        assert f"In files: {text}" in str(drawn(OMI_PT_joint))
    out = tmp_path / "out.xml"
    bpy.ops.omi.scene_export(filepath=str(out))
    assert 'range="-0.5 4.4"' in out.read_text()
    assert 'range="-6.2831853 6.2831853"' in out.read_text()


def test_swapped_ends_count_the_other_way() -> None:
    door = add_door()[2]
    servo = Actuator(name="s", zero=1.2, gear=(3.0,), gain=5.0, bias=(0.0, -5.0, -0.4))
    own = JointAttributes(effort=4.5, zero=1.2, whole_range=(-4.0, 6.5))
    door.omi_joint.attributes.from_core(replace(own, actuators=(servo,)))
    new = door.omi_joint.connected_object
    bpy.ops.omi.joint_ends_swap()
    found = read_joint(new).values.attributes
    assert (found.effort, found.zero, found.whole_range) == (4.5, -1.2, (-6.5, 4.0))
    (turned,) = found.actuators
    assert (turned.gear, turned.zero) == ((-3.0,), -1.2)
    assert turned.drive().position_target == pytest.approx(-servo.drive().position_target)
    assert math.isinf(read_joint(door).values.attributes.effort)
