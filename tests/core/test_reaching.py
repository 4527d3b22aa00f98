"""Inverse kinematics: goals are reached within limits, and loops stay closed."""

import math
from pathlib import Path

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.meaning.axes import joint_axes
from omi_joints_addon.core.meaning.kinematics import Kinematics
from omi_joints_addon.core.meaning.metric import limit_metrics
from omi_joints_addon.core.meaning.reaching import Goal, Reach
from omi_joints_addon.core.model.pose import Pose, pose_from_matrix, relative_pose


@pytest.fixture(scope="module")
def arm(repository: Path) -> omi_joints.Scene:
    return omi_joints.read(repository / "omi_joints_addon" / "examples" / "arm.urdf")


def test_places_that_can_be_reached_are_reached_within_limits(arm: omi_joints.Scene) -> None:
    random = np.random.default_rng(11)
    moving = [joint for joint in arm.moving_joints() if joint.mimic is None]
    for _ in range(20):
        wanted = {joint.name: random.uniform(joint.lower, joint.upper) for joint in moving}
        goal = arm.posed(wanted).body("hand").pose.position
        found = arm.reach("hand", goal)
        assert found.distance < 1e-4
        for joint in arm.moving_joints():
            assert joint.lower - 1e-9 <= found.positions[joint.name] <= joint.upper + 1e-9
        there = arm.posed(found.positions).body("hand").pose.position
        assert np.linalg.norm(there - goal) == pytest.approx(found.distance, abs=1e-9)


def test_what_is_out_of_reach_is_approached(arm: omi_joints.Scene) -> None:
    """The arm points at it, stretched."""
    found = arm.reach("hand", (0.0, -9.0, 0.3))
    there = arm.posed(found.positions).body("hand").pose.position
    assert found.distance == pytest.approx(9.0 + there[1], abs=0.05)
    assert abs(there[0]) < 1e-3


def test_a_body_is_turned_as_asked(arm: omi_joints.Scene) -> None:
    wanted = {"turn": 0.7, "lift": 0.4, "bend": -0.6, "roll": 1.7, "nod": 0.9}
    goal = arm.posed(wanted)
    pose = goal.body("hand").pose
    found = arm.reach("hand", pose.position, rotation=goal.matrices[goal.body("hand").node, :3, :3])
    assert found.distance < 1e-5
    assert found.angle < 1e-5
    posed = arm.posed(found.positions).body("hand").pose
    assert abs(posed.rotation @ pose.rotation) == pytest.approx(1.0, abs=1e-9)


def four_bars() -> omi_joints.Scene:
    """Return a crank, a coupler and a rocker: the last hinge closes the loop."""
    build = omi_joints.SceneBuilder()
    y = (0.0, 1.0, 0.0)
    for name, pose in (
        ("crank", (0, 0, 0.2)),
        ("coupler", (0.35, 0, 0.45)),
        ("rocker", (0.7, 0, 0.25)),
    ):
        build.add_body(name, pose=pose, mass=0.7)
    build.hinge("a", None, "crank", pivot=(0, 0, 0), axis=y)
    build.hinge("b", "crank", "coupler", pivot=(0, 0, 0.4), axis=y)
    build.hinge("c", "coupler", "rocker", pivot=(0.7, 0, 0.5), axis=y)
    build.hinge("d", None, "rocker", pivot=(0.7, 0, 0), axis=y)
    return build.scene()


def test_a_loop_stays_closed() -> None:
    scene = four_bars()
    tree = scene.kinematics
    assert len(tree.tree.loops) == 1
    crank = scene.body("crank").node
    angle = 0.6
    place = np.array((0.2 * math.sin(angle), 0.0, 0.2 * math.cos(angle)))
    goal = Goal(body=crank, point=np.array((0.0, 0.0, 0.2)), place=place)
    found = Reach(tree).reach([goal], tree.rest)
    assert found.distance < 1e-4
    matrices = tree.matrices(found.values)
    for joint in scene.joints:
        ends = pose_from_matrix(matrices[[joint.node, joint.other]])
        assert np.linalg.norm(ends.at(0).position - ends.at(1).position) < 1e-4


def test_a_pinned_body_stays_and_a_cone_holds() -> None:
    build = omi_joints.SceneBuilder()
    for number in range(6):
        build.add_body(f"link {number}", pose=(0.2 * number + 0.1, 0, 1), mass=0.3)
        parent = f"link {number - 1}" if number else None
        pivot = (0.2 * number, 0, 1)
        build.ball(
            f"ball {number}",
            parent,
            f"link {number}",
            pivot=pivot,
            axis=(1, 0, 0),
            cone=0.5,
            twist=0.2,
        )
    scene = build.scene()
    tree = Kinematics(scene)
    last, middle = scene.body("link 5").node, scene.body("link 2").node
    pin = scene.matrices[middle, :3, 3]
    goals = [
        Goal(body=last, point=np.array((1.2, 0.0, 1.0)), place=np.array((1.15, 0.1, 1.05))),
        Goal(body=middle, point=pin, place=pin, weight=10.0),
    ]
    found = Reach(tree).reach(goals, tree.rest, steps=200)
    assert found.distance < 2e-3
    matrices = tree.matrices(found.values)
    for joint in scene.joints:
        ends = pose_from_matrix(matrices[[joint.node, joint.other]])
        pose = relative_pose(ends.at(0), ends.at(1))
        for limit in joint.settings.limits:
            measured = np.array(list(limit_metrics(limit, Pose(pose.position, pose.rotation))))
            assert (measured <= limit.max + 1e-6).all()
    assert joint_axes(scene.joints[0].settings).all[4].is_shared
