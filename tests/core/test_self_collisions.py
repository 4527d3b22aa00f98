"""Which bodies touch as joints move, beside MuJoCo's own kinematics and collisions."""

import math
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.freedom import clamped, within
from omi_joints_addon.core.model.body import Collider, MotionType
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.shape import Box, Sphere
from omi_joints_addon.core.solver.contacts.self_collision import (
    Touch,
    connected_bodies,
    self_collisions,
)
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Source
from tests.core.solver_scenes import SceneBuilder

ARM = """<mujoco><compiler angle="radian"/><worldbody>
<body name="base" pos="0.3 -0.2 0.5"><geom type="box" size="0.11 0.12 0.07"/>
<body name="shoulder" pos="0 0 0.2" euler="0.1 0 0.3">
 <joint name="turn" axis="0 0 1" range="-2.1 1.7"/><geom type="cylinder" size="0.06 0.05"/>
 <geom type="capsule" fromto="0 0 0 0 0.02 0.12" size="0.04"/>
 <geom type="sphere" pos="0 0.02 0.17" size="0.1"/>
<body name="upper" pos="0 0.02 0.17"><joint name="lift" axis="1 0.1 0" range="-1.3 2.2"/>
 <geom type="capsule" fromto="0 0 0.05 0 0 0.33" size="0.045"/>
<body name="cuff" pos="0 0 0.2"><joint name="slide" type="slide" axis="0 0 1" range="-0.05 0.06"/>
 <geom type="box" size="0.07 0.07 0.03"/><geom type="sphere" pos="0 0 -0.15" size="0.05"/></body>
<body name="fore" pos="0 0 0.38"><joint name="bend" axis="1 0 0" range="-0.4 2.4"/>
 <geom type="capsule" fromto="0 0 0.06 0 0 0.29" size="0.04"/>
<body name="tool" pos="0 0 0.33"><joint name="wrist" axis="0 1 0.2" range="-1.1 1.2"/>
 <geom type="box" size="0.05 0.09 0.06"/></body></body></body></body></body>
</worldbody></mujoco>"""


def _read(path: Path, text: str):
    path.write_text(text)
    return registry.format_of(path).read(Source(path=path, options={}))[0].scene


def _by_names(scene, found):
    return {frozenset(scene.names[node] for node in pair): touch for pair, touch in found.items()}


def _in_mujoco(text: str, samples: int) -> tuple[dict[frozenset[str], float], set[frozenset[str]]]:
    """Return how often bodies touch in MuJoCo at random positions of its joints, and at rest."""
    model = mujoco.MjModel.from_xml_string(text)
    model.geom_margin[:] = 0.0
    data, random = mujoco.MjData(model), np.random.default_rng(11)
    names = [model.body(body).name for body in model.geom_bodyid]

    def touching(positions) -> set[frozenset[str]]:
        data.qpos[:] = positions
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_collision(model, data)
        pairs = zip(data.contact.geom.tolist(), data.contact.dist.tolist(), strict=True)
        return {frozenset(names[n] for n in geoms) for geoms, distance in pairs if distance < 0.0}

    counts: dict[frozenset[str], float] = {}
    low, high = model.jnt_range.T
    for _ in range(samples):
        for pair in touching(random.uniform(low, high)):
            counts[pair] = counts.get(pair, 0.0) + 1.0 / samples
    return counts, touching(np.zeros(model.nq))


def test_pairs_of_an_arm_are_those_of_mujoco(tmp_path: Path) -> None:
    scene = _read(tmp_path / "arm.xml", ARM)
    members = connected_bodies(scene, [scene.names.index("tool")])
    assert {scene.names[node] for node in members} >= {"shoulder", "upper", "cuff", "fore", "tool"}
    found = _by_names(scene, self_collisions(scene, members))
    counts, rest = _in_mujoco(ARM, 4000)
    # Joints keep the bodies that they connect apart, in MuJoCo as here.
    assert found.keys() >= counts.keys()
    for pair, touch in found.items():
        share = counts.get(pair, 0.0)
        if share >= 0.99:
            assert touch == Touch.ALWAYS, pair
        elif pair in rest:
            assert touch == Touch.AT_REST, pair
        elif share > 0.001:
            assert touch == Touch.SOMETIMES, pair
        elif share == 0.0:
            # What only corners reach is no fault.
            assert touch in (Touch.NEVER, Touch.SOMETIMES), pair
    assert {Touch.ALWAYS, Touch.SOMETIMES, Touch.NEVER} <= set(found.values())


def _chain(low: float, high: float, count: int, *, length: float, radius: float):
    """Return balls on a chain of hinges about Y, each joint half-way between two."""
    build = SceneBuilder()
    nodes = [build.body((length * n, 0.0, 0.0)) for n in range(count)]
    settings = presets.hinge(axis=1, min_angle=low, max_angle=high)
    for n in range(count - 1):
        build.joint(settings, nodes[n], nodes[n + 1], (length * (n + 0.5), 0.0, 0.0))
    collider = Collider(shape=Sphere(radius=radius))
    return replace(build.scene(), colliders=dict.fromkeys(nodes, collider)), nodes


def test_what_only_the_ends_of_all_limits_bring_together_is_found() -> None:
    """Five balls of a hexagon of which each joint is at its end; the first meets the last."""
    angle, length = math.pi / 3.0, 0.31
    # Closed: six bodies of six equal turns; the seventh would be the first again.
    scene, nodes = _chain(-0.2, angle, 7, length=length, radius=0.002)
    found = self_collisions(scene, nodes)
    assert found[nodes[0], nodes[6]] == Touch.SOMETIMES
    assert found[nodes[0], nodes[3]] == Touch.NEVER
    narrow, nodes = _chain(-0.2, 0.95 * angle, 7, length=length, radius=0.002)
    assert self_collisions(narrow, nodes)[nodes[0], nodes[6]] == Touch.NEVER


def test_pairs_that_are_excluded_or_joined_are_no_pairs_to_be_found() -> None:
    scene, nodes = _chain(-1.0, 1.0, 4, length=0.2, radius=0.11)
    found = self_collisions(scene, nodes)
    assert set(found) == {(nodes[0], nodes[2]), (nodes[0], nodes[3]), (nodes[1], nodes[3])}
    excluded = replace(scene, excluded_pairs=((nodes[2], nodes[0]),))
    assert set(self_collisions(excluded, nodes)) == set(found) - {(nodes[0], nodes[2])}
    solid = tuple(replace(joint, enable_collision=True) for joint in scene.joints)
    touching = self_collisions(replace(scene, joints=solid), nodes)
    assert touching[nodes[0], nodes[1]] == Touch.ALWAYS


@pytest.mark.parametrize("kind", [MotionType.STATIC, MotionType.KINEMATIC])
def test_robots_that_are_bolted_to_one_floor_are_two(kind: MotionType) -> None:
    """The floor is of both: what holds a robot may touch it, what else it holds is another one."""
    build, arms = SceneBuilder(), list[list[int]]()
    floor = build.body((0.0, 0.0, -0.17), type=kind)
    hinge = presets.hinge(axis=1, min_angle=-1.3, max_angle=1.3)
    for x in (-0.13, 0.11):
        arms.append([build.body((x, 0.0, 0.31 * n), mass=0.37) for n in range(3)])
        build.joint(hinge, floor, arms[-1][0], (x, 0.0, -0.1))
        for n in range(2):
            build.joint(hinge, arms[-1][n], arms[-1][n + 1], (x, 0.0, 0.31 * n + 0.155))
    solid = dict.fromkeys((*arms[0], *arms[1]), Collider(shape=Sphere(radius=0.05)))
    solid[floor] = Collider(shape=Box(size=(0.9, 0.8, 0.02)))
    scene = replace(build.scene(), colliders=solid)
    for arm in arms:
        for starts in (arm[:1], arm[2:], (floor, arm[0])):
            assert connected_bodies(scene, starts) == {floor, *arm}
    assert connected_bodies(scene, (floor,)) == {floor, *arms[0], *arms[1]}


def test_other_mechanisms_and_shapes_do_not_count() -> None:
    scene, nodes = _chain(-1.0, 1.0, 3, length=0.2, radius=0.11)
    build = SceneBuilder()
    beside = [build.body((0.01 * n, 0.0, 0.0)) for n in range(2)]
    del beside
    assert connected_bodies(scene, nodes[:1]) == set(nodes)
    assert self_collisions(scene, nodes[:1]) == {}
    assert self_collisions(replace(scene, colliders={}), nodes) == {}


@pytest.mark.parametrize("axes", [(0, 2), (0, 1, 2)])
def test_shared_limits_hold_many_values_at_once_as_they_hold_one(axes: tuple[int, ...]) -> None:
    limits = (JointLimit(angular_axes=axes, min=0.0, max=0.73),)
    settings = JointSettings(limits=(*presets.pin().limits, *limits))
    random = np.random.default_rng(3)
    values = np.zeros((40, 6))
    values[:, 3:] = random.uniform(-0.73, 0.73, (40, 3))
    found = within(settings, values)
    np.testing.assert_allclose(found, [clamped(settings, row) for row in values], atol=1e-6)
