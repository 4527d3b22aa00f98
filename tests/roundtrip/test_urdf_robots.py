"""Robots through Blender and glTF: every limit and pose stays."""

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.findings.finding import Severity
from omi_joints_addon.io.formats.format import Source
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.urdf import URDF
from tests.core.urdf_robots import INERTIAL, joint, link, read, robot, scene_kinematics, write
from tests.elsewhere import robots_folder

LIMIT = '<limit lower="-0.02" upper="3.75" effort="7" velocity="2"/>'
PLACE = '<origin xyz="0.1 0.2 0.3" rpy="1 2 3"/>'
ARM = robot(
    link("base", ""),
    link("upper", f'{INERTIAL}<visual><geometry><box size="1 2 3"/></geometry></visual>'),
    link("lower", f'{INERTIAL}<collision><geometry><sphere radius="2"/></geometry></collision>'),
    link("slide"),
    link("tool", ""),
    joint("shoulder", "revolute", "base", "upper", f'{PLACE}<axis xyz="0 0 1"/>{LIMIT}'),
    joint("elbow", "continuous", "upper", "lower", f'{PLACE}<axis xyz="0.6 0 -0.8"/>'),
    joint("rail", "prismatic", "lower", "slide", f'{PLACE}<axis xyz="0 -1 0"/>{LIMIT}'),
    joint("flange", "fixed", "slide", "tool", PLACE),
    name="arm",
)
ROBOTS = {
    "panda": "panda_description/urdf/panda.urdf",
    "pr2": "pr2_description/urdf/pr2.urdf",
    "talos": "talos_data/robots/talos_full_v2.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
}
FOUND = {
    name: path for name, end in ROBOTS.items() for path in list(robots_folder().rglob(end))[:1]
}


def through_blender(scene_path, folder):
    """Import a robot into Blender, export it as glTF and return what that is."""
    bpy.ops.omi.scene_import(filepath=str(scene_path))
    gltf = folder / "robot.glb"
    bpy.ops.export_scene.gltf(filepath=str(gltf))
    return GLTF.read(Source(path=gltf, largest=2**30))[0]


def assert_moves_the_same(before, after, *, tolerance):
    values = {j.place: 0.3 + 0.01 * n for n, j in enumerate(before.joints)}
    one, other = scene_kinematics(before, values), scene_kinematics(after, values)
    root = before.names[min(before.motions)]
    for body in before.motions:
        name = before.names[body]
        expected = np.linalg.solve(one[root], one[name])
        assert np.linalg.solve(other[root], other[name]) == pytest.approx(
            expected, abs=tolerance
        ), name


def bounds(joint):
    return np.array([(limit.min, limit.max) for limit in joint.settings.limits])


def axes(joint):
    return [(limit.linear_axes, limit.angular_axes) for limit in joint.settings.limits]


def assert_keeps_limits(before, after, *, tolerance):
    others = {after.names[joint.node]: joint for joint in after.joints}
    assert others.keys() == {joint.place for joint in before.joints}
    for one in before.joints:
        other = others[one.place]
        assert axes(other) == axes(one)
        assert bounds(other) == pytest.approx(bounds(one), abs=tolerance), one.place


def check_robot(path, folder):
    (found,) = URDF.read(Source(path=path))
    gltf = through_blender(path, folder)
    both = (*gltf.findings, *check_scene(gltf.scene))
    assert [str(one) for one in both if one.severity == Severity.ERROR] == []
    assert_keeps_limits(found.scene, gltf.scene, tolerance=0.0)
    assert_moves_the_same(found.scene, gltf.scene, tolerance=1e-5)
    written = write(gltf.scene, folder, meshes="none")
    again = read(written.files["out.urdf"], folder).scene
    # Blender's matrices are of single precision, and the zero of URDF is the rest pose.
    assert_keeps_limits(found.scene, again, tolerance=1e-6)
    assert_moves_the_same(found.scene, again, tolerance=1e-5)


@pytest.mark.parametrize("name", ["our own arm", *FOUND])
def test_robots_go_through_blender_and_gltf(tmp_path, name):
    path = FOUND.get(name, tmp_path / "arm.urdf")
    if name not in FOUND:
        path.write_text(ARM)
    check_robot(path, tmp_path)
