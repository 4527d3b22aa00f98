"""Bodies at positions of all joints, many configurations at once, beside MuJoCo."""

import math
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

from omi_joints_addon.core.meaning.kinematics import Kinematics
from omi_joints_addon.core.meaning.presets import ball_with_cone, hinge
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Source
from tests.core.solver_scenes import SceneBuilder

CRANE = """<mujoco><compiler angle="radian"/><option><flag contact="disable"/></option><worldbody>
<body name="mast" pos="0.3 -0.2 0.5" euler="0.2 -0.4 0.7"><inertial pos="0 0 0" mass="2.3"
  diaginertia="0.1 0.12 0.13"/><joint name="turn" axis="0.1 -0.3 0.9" pos="0.05 0.02 0"/>
  <body name="boom" pos="0.1 0.6 0.2" quat="0.9 0.1 0.3 -0.2"><inertial pos="0.1 0 0" mass="1.1"
    diaginertia="0.1 0.12 0.13"/><joint name="lift" axis="1 0.2 0" range="-0.7 1.3" limited="true"/>
    <body name="trolley" pos="0 0.4 -0.1"><inertial pos="0 0 0" mass="0.4"
      diaginertia="0.1 0.12 0.13"/><joint name="drive" type="slide" axis="0.3 1 -0.2"/></body>
  </body></body></worldbody></mujoco>"""


def _compiled_poses(positions: dict[str, np.ndarray], bodies: list[str]) -> np.ndarray:
    """Return MuJoCo's matrices (t, b, 4, 4) of bodies with joints at positions (t,)."""
    model = mujoco.MjModel.from_xml_string(CRANE)
    data = mujoco.MjData(model)
    rows = []
    for row in zip(*positions.values(), strict=True):
        for name, value in zip(positions, row, strict=True):
            data.joint(name).qpos[0] = value
        mujoco.mj_kinematics(model, data)
        matrices = np.tile(np.eye(4), (len(bodies), 1, 1))
        for at, name in enumerate(bodies):
            matrices[at, :3, :3] = data.body(name).xmat.reshape(3, 3)
            matrices[at, :3, 3] = data.body(name).xpos
        rows.append(matrices)
    return np.array(rows)


def test_poses_are_those_of_mujoco(tmp_path: Path) -> None:
    (tmp_path / "crane.xml").write_text(CRANE)
    row = registry.format_of(tmp_path / "crane.xml")
    scene = row.read(Source(path=tmp_path / "crane.xml", options={}))[0].scene
    tree = Kinematics(scene)
    random = np.random.default_rng(7)
    positions = {name: random.uniform(-0.6, 1.2, 9) for name in ("turn", "lift", "drive")}
    numbers = {scene.names[joint.node]: n for n, joint in enumerate(scene.joints)}
    values = np.tile(tree.rest, (9, 1, 1))
    for name, column in positions.items():
        freedom = tree.freedoms[numbers[name]]
        assert freedom is not None
        values[:, numbers[name], freedom.number] = column
    bodies = ["mast", "boom", "trolley"]
    nodes = [scene.names.index(name) for name in bodies]
    found = tree.matrices(values)[:, nodes]
    assert np.abs(found - _compiled_poses(positions, bodies)).max() < 1e-9


def test_a_joint_at_rest_moves_nothing_even_where_its_frames_are_apart() -> None:
    build = SceneBuilder((0.0, 0.0, 0.0))
    body = build.body((1.0, 0.2, -0.3))
    build.joint(ball_with_cone(cone=0.4, twist=0.3), -1, body, (0.1, 0.0, 0.0))
    scene = build.scene()
    moved = scene.matrices.copy()
    moved[scene.joints[0].node, :3, 3] += (0.02, -0.05, 0.01)
    turned = np.array([[math.cos(0.3), -math.sin(0.3)], [math.sin(0.3), math.cos(0.3)]])
    moved[scene.joints[0].node, :2, :2] = turned @ moved[scene.joints[0].node, :2, :2]
    tree = Kinematics(replace(scene, matrices=moved))
    assert tree.matrices(tree.rest) == pytest.approx(moved, abs=1e-12)


def test_one_more_turn_is_the_same_pose() -> None:
    """Positions of a hinge are not cut at half a turn."""
    build = SceneBuilder((0.0, 0.0, 0.0))
    free = hinge(min_angle=-math.inf, max_angle=math.inf)
    build.joint(free, -1, build.body((1.0, 0.0, 0.0)), (0.0, 0.0, 0.0))
    tree = Kinematics(build.scene())
    values = np.tile(tree.rest, (2, 1, 1))
    values[:, 0, 5] = (0.3, 0.3 + 4.0 * math.pi)
    one, other = tree.matrices(values)
    assert one == pytest.approx(other, abs=1e-12)
    assert math.atan2(one[0, 1, 3], one[0, 0, 3]) != pytest.approx(0.0)
