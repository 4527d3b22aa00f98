"""Inverse kinematics: goals are reached within limits, and loops stay closed."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.meaning.axes import joint_axes
from omi_joints_addon.core.meaning.kinematics import Kinematics
from omi_joints_addon.core.meaning.metric import limit_metrics
from omi_joints_addon.core.meaning.reaching import Goal, Reach
from omi_joints_addon.core.model.articulation import Coupling
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


@pytest.mark.needs("pinocchio")
def test_what_is_reached_is_there_in_pinocchio(arm: omi_joints.Scene, repository: Path) -> None:
    import pinocchio

    path = repository / "omi_joints_addon" / "examples" / "arm.urdf"
    model, random = pinocchio.buildModelFromUrdf(str(path)), np.random.default_rng(17)
    data, frame = model.createData(), model.getFrameId("hand")
    for _ in range(8):
        drawn = random.uniform(model.lowerPositionLimit, model.upperPositionLimit)
        pinocchio.framesForwardKinematics(model, data, drawn)
        goal = data.oMf[frame].translation.copy()
        found = arm.reach("hand", goal)
        reached = pinocchio.neutral(model)
        for name, position in found.positions.items():
            reached[model.joints[model.getJointId(name)].idx_q] = position
        assert (reached >= model.lowerPositionLimit - 1e-9).all()
        assert (reached <= model.upperPositionLimit + 1e-9).all()
        pinocchio.framesForwardKinematics(model, data, reached)
        assert np.linalg.norm(data.oMf[frame].translation - goal) < 1e-4


TURNS = """<robot name="turns"><link name="base"/>
{links}</robot>"""
LINK = """<link name="l{n}"><inertial><mass value="1"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j{n}" type="revolute"><parent link="{above}"/><child link="l{n}"/>
<origin xyz="0.3 0 0.1"/><axis xyz="0 {y} {z}"/>
<limit lower="{low}" upper="{high}" effort="1" velocity="1"/></joint>"""


def test_ranges_of_a_turn_and_more_are_kept(tmp_path: Path) -> None:
    """Limits of settings cannot count turns; what the author counts holds all the same."""
    ranges, above, links = ((0.0, 6.4), (-0.2, 6.3), (-7.1, 0.3), (0.5, 7.0)), "base", ""
    for n, (low, high) in enumerate(ranges):
        links += LINK.format(n=n, above=above, y=n % 2, z=1 - n % 2, low=low, high=high)
        above = f"l{n}"
    path = tmp_path / "turns.urdf"
    path.write_text(TURNS.format(links=links))
    scene, random = omi_joints.read(path), np.random.default_rng(3)
    for _ in range(12):
        wanted = {f"j{n}": random.uniform(*each) for n, each in enumerate(ranges)}
        found = scene.reach("l3", scene.posed(wanted).body("l3").pose.position)
        assert found.distance < 1e-4
        for n, (low, high) in enumerate(ranges):
            assert low - 1e-9 <= found.positions[f"j{n}"] <= high + 1e-9, (n, found.positions)


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


BASE, ARM, PLATE, ROD, WIDE, LOW = 0.2, 0.25, 0.07, 0.6, 0.05, 0.35
"""A delta robot [m]: pivots and plate from the middle, lengths, half a pair of rods apart; and how
far its arms hang at rest [rad]."""


def delta() -> omi_joints.Scene:
    """Return a delta robot: three driven arms, each with two rods on balls to one plate."""
    build, balls = omi_joints.SceneBuilder(), []
    reach = BASE + ARM * math.cos(LOW)
    height = -ARM * math.sin(LOW) - math.sqrt(ROD**2 - (reach - PLATE) ** 2)
    build.add_body("plate", pose=(0, 0, height), mass=0.2)
    for number in range(3):
        turn = 2.0 * math.pi * number / 3.0
        out, side = (
            np.array((math.cos(turn), math.sin(turn), 0.0)),
            np.array((-math.sin(turn), math.cos(turn), 0.0)),
        )
        pivot, elbow = BASE * out, reach * out - (0, 0, ARM * math.sin(LOW))
        build.add_body(f"arm {number}", pose=tuple((pivot + elbow) / 2.0), mass=0.3)
        build.hinge(f"motor {number}", None, f"arm {number}", pivot=tuple(pivot), axis=tuple(side))
        for sign in (-1.0, 1.0):
            rod, upper = f"rod {number} {sign}", elbow + sign * WIDE * side
            lower = PLATE * out + sign * WIDE * side + (0, 0, height)
            build.add_body(rod, pose=tuple((upper + lower) / 2.0), mass=0.1)
            build.ball(f"upper {rod}", f"arm {number}", rod, pivot=tuple(upper))
            balls.append((f"lower {rod}", rod, tuple(lower)))
    for name, rod, lower in balls:
        build.ball(name, rod, "plate", pivot=lower)
    return build.scene()


def motor(place: np.ndarray, number: int) -> float:
    """Return how far a delta robot's arm hangs with its plate at a place [rad], in closed form."""
    turn = 2.0 * math.pi * number / 3.0
    x = place[0] * math.cos(turn) + place[1] * math.sin(turn) + PLATE - BASE
    y = -place[0] * math.sin(turn) + place[1] * math.cos(turn)
    square = x**2 + y**2 + place[2] ** 2 + ARM**2 - ROD**2
    return math.atan2(-place[2], x) - math.acos(square / (2.0 * ARM * math.hypot(x, place[2])))


def geared() -> omi_joints.Scene:
    """Return an arm of hinges and a cone, of which the last hinge follows the first by a curve."""
    build = omi_joints.SceneBuilder()
    for number in range(4):
        pose = (0.3 * number + 0.13, 0.02 * number, 1.0)
        build.add_body(f"link {number}", pose=pose, mass=0.3)
        parent, child = f"link {number - 1}" if number else None, f"link {number}"
        pivot = (0.3 * number, 0.03 * number, 1.0)
        if number == 2:
            build.ball("ball", parent, child, pivot=pivot, axis=(1, 0.2, 0), cone=1.1, twist=0.7)
        else:
            axis = (0.1 * number, 1.0, 0.4)
            build.hinge(f"hinge {number}", parent, child, pivot=pivot, axis=axis)
    scene = build.scene()
    coupling = Coupling(joint=3, source=0, coefficients=(0.1, -0.7, 0.4))
    return omi_joints.Scene.of(replace(scene, couplings=(coupling,)))


@pytest.mark.parametrize("make", [four_bars, delta, geared])
def test_slopes_are_those_of_differences(make: Callable[[], omi_joints.Scene]) -> None:
    """By central differences of what is minimized: goals, turns, loops, cones and followers."""
    scene = make()
    tree = scene.kinematics
    reach, random = Reach(tree), np.random.default_rng(5)
    rest = reach.within(tree.rest)
    body = scene.body(scene.body_names[-1]).node
    goal = Goal(
        body=body,
        point=scene.matrices[body, :3, 3] + (0.1, 0.02, -0.03),
        place=np.array((0.3, -0.2, 0.4)),
        along=np.array((0.48, 0.6, 0.64)),
        rotation=np.eye(3),
        weight=1.7,
    )
    rows, columns = reach._joint, reach._axis
    values = rest.copy()
    values[rows, columns] += random.uniform(-0.1, 0.1, len(rows))
    values, step = tree.with_followers(values), 1e-6

    def errors(at: int, by: float) -> np.ndarray:
        moved = values.copy()
        moved[rows[at], columns[at]] += by
        return reach._errors([goal], tree.with_followers(moved)[None])[0]

    found = reach._slopes([goal], values)
    for at in range(len(rows)):
        difference = (errors(at, step) - errors(at, -step)) / (2.0 * step)
        assert found[:, at] == pytest.approx(difference, abs=1e-6 * np.abs(found).max())


def test_a_delta_robot_reaches_with_its_six_rods_closed() -> None:
    scene = delta()
    tree = scene.kinematics
    assert len(tree.tree.loops) == 5
    plate = scene.body("plate").node
    rest, values = scene.matrices[plate, :3, 3], tree.rest
    for way in ((0.05, 0.03, -0.06), (-0.08, 0.02, 0.03), (0.0, -0.09, -0.02)):
        goal = Goal(body=plate, point=rest, place=rest + way)
        found = Reach(tree).reach([goal], values, steps=200)
        assert (found.distance, found.gap) == pytest.approx((0.0, 0.0), abs=1e-4)
        values, matrices = found.values, tree.matrices(found.values)
        np.testing.assert_allclose(matrices[plate, :3, :3], np.eye(3), atol=2e-3)
        for number in range(3):
            turned = matrices[scene.body(f"arm {number}").node]
            out = np.array(
                (
                    math.cos(2.0 * math.pi * number / 3.0),
                    math.sin(2.0 * math.pi * number / 3.0),
                    0.0,
                )
            )
            arm = turned[:3, :3] @ (math.cos(LOW) * out - (0.0, 0.0, math.sin(LOW)))
            angle = math.atan2(-arm[2], arm @ out)
            assert angle == pytest.approx(motor(matrices[plate, :3, 3], number), abs=2e-3)
