"""A mechanism posed by sliders and by dragging: places by arithmetic, limits held, all restored."""

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

import omi_joints
from omi_joints_addon.authoring.joints import add_joint as build_joint
from omi_joints_addon.authoring.patterns import Pair
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.panels.preview import OMI_UL_positions
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import Command, PreviewError, begin, stop
from omi_joints_addon.properties.pose import pose_of
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.scenes import add_cube, add_joint, select
from tests.blender.test_preview import world

pytestmark = pytest.mark.usefixtures("no_preview_left")


def started() -> PosePreview:
    begin(preview := PosePreview(bpy.context))
    return preview


def rows() -> dict[str, Any]:
    return {row.name: row for row in pose_of(bpy.context).positions}


@pytest.fixture
def arm(repository: Path) -> str:
    """Import the robot of the examples and return its file."""
    path = str(repository / "omi_joints_addon" / "examples" / "arm.urdf")
    assert bpy.ops.omi.scene_import(filepath=path) == {"FINISHED"}
    return path


def test_sliders_move_all_joints_to_their_authors_positions(arm: str) -> None:
    preview = started()
    wanted = {"turn": 0.7, "lift": 0.4, "bend": -0.6, "roll": 1.7, "nod": 0.9}
    for name, position in wanted.items():
        rows()[name].angle = position
    preview.tick(bpy.context)
    there = omi_joints.read(arm).posed(wanted).body("hand").pose.position
    assert world(bpy.data.objects["hand"])[:3, 3] == pytest.approx(there, abs=1e-5)
    assert {name: rows()[name].angle for name in wanted} == pytest.approx(wanted, abs=1e-6)


def test_a_slider_stops_at_the_limit(arm: str) -> None:
    preview = started()
    limit = omi_joints.read(arm).joint("lift").upper
    rows()["lift"].angle = 9.0
    preview.tick(bpy.context)
    assert rows()["lift"].angle == pytest.approx(limit, abs=1e-6)
    node = preview.objects.index(bpy.data.objects["lift"])
    assert node in preview.live.shown.states


def test_a_hand_that_is_dragged_takes_its_chain_along_within_limits(arm: str) -> None:
    preview = started()
    hand = preview.objects.index(bpy.data.objects["hand"])
    start = world(bpy.data.objects["hand"])[:3, 3]
    wanted = {"turn": 0.5, "lift": 0.3, "bend": 0.5}
    goal = omi_joints.read(arm).posed(wanted).body("hand").pose.position
    preview.grab(hand, start)
    preview.pull(bpy.context, goal, (0.0, 0.0, 1.0))
    for _ in range(10):
        preview.tick(bpy.context)
    preview.release()
    assert world(bpy.data.objects["hand"])[:3, 3] == pytest.approx(goal, abs=1e-4)
    for row in rows().values():
        if row.is_bounded:
            assert row.low - 1e-6 <= row.position <= row.high + 1e-6
    # The file's own reader finds the hand there, too.
    shown = {name: row.position for name, row in rows().items()}
    read = omi_joints.read(arm).posed(shown).body("hand").pose.position
    assert read == pytest.approx(goal, abs=1e-4)


def test_keep_makes_the_pose_that_of_the_scene_and_leaving_restores_it(arm: str) -> None:
    hand = bpy.data.objects["hand"]
    before = world(hand).copy()
    started().obey(Command.RANDOM)
    bpy.ops.omi.preview_control(command="STOP")
    assert world(hand) == pytest.approx(before, abs=1e-6)
    preview = started()
    rows()["turn"].angle = 0.8
    preview.tick(bpy.context)
    shown = world(hand).copy()
    assert np.abs(shown - before).max() > 0.1
    assert bpy.ops.omi.preview_keep() == {"FINISHED"}
    assert world(hand) == pytest.approx(shown, abs=1e-5)
    # The next preview starts there.
    started()
    assert rows()["turn"].angle == pytest.approx(0.8, abs=1e-5)


def add_four_bars() -> None:
    """Add a parallelogram of 4 m by 3 m: ground, two cranks, a coupler, and four hinges about Y."""
    ground = add_cube("Ground", (0.0, 0.0, -3.0))
    left, coupler, right = (add_cube(name, place) for name, place in BARS.items())
    for name, one, other, place in (
        ("a", ground, left, (-2.0, 0.0, 0.0)),
        ("b", left, coupler, (-2.0, 0.0, 3.0)),
        ("c", coupler, right, (2.0, 0.0, 3.0)),
        ("d", ground, right, (2.0, 0.0, 0.0)),
    ):
        pair = Pair(other, one)
        settings = hinge(min_angle=-1.2, max_angle=1.2)
        about = {"place": Vector(place), "direction": Vector((0.0, 1.0, 0.0))}
        build_joint(bpy.context, pair, settings, **about).name = name


BARS = {"Left": (-2.0, 0.0, 1.5), "Coupler": (0.0, 0.0, 3.0), "Right": (2.0, 0.0, 1.5)}


def test_a_loop_stays_closed_when_one_of_its_joints_is_moved() -> None:
    add_four_bars()
    select(bpy.data.objects["Left"])
    preview = started()
    row = next(iter(rows().values()))
    row.angle = 0.4
    for _ in range(5):
        preview.tick(bpy.context)
    # In a parallelogram the coupler is not turned, and goes along a circle of the cranks' length.
    coupler = world(bpy.data.objects["Coupler"])
    assert coupler[:3, :3] == pytest.approx(np.eye(3), abs=1e-3)
    offset = coupler[:3, 3] - np.array((0.0, 0.0, 0.0))
    assert math.hypot(offset[0], offset[2]) == pytest.approx(3.0, abs=1e-3)
    assert abs(offset[0]) == pytest.approx(3.0 * math.sin(0.4), abs=2e-3)


def test_a_pinned_body_stays_while_others_move(arm: str) -> None:
    preview = started()
    rows()["bend"].is_pinned = True
    preview.tick(bpy.context)
    forearm, hand = (bpy.data.objects[name] for name in ("forearm", "left_finger"))
    before = world(forearm).copy()
    start = world(hand)[:3, 3]
    preview.grab(preview.objects.index(hand), start)
    preview.pull(bpy.context, start + np.array((0.0, 0.2, 0.4)), (0.0, 0.0, 1.0))
    for _ in range(10):
        preview.tick(bpy.context)
    preview.release()
    assert np.linalg.norm(world(hand)[:3, 3] - start) > 0.02
    assert world(forearm) == pytest.approx(before, abs=1e-3)
    # No other joint could make good for this one.
    rows()["turn"].angle = 0.3
    preview.tick(bpy.context)
    assert rows()["turn"].angle == pytest.approx(0.0, abs=1e-3)
    assert world(forearm) == pytest.approx(before, abs=1e-3)


def test_only_the_mechanism_of_the_active_object_is_posed() -> None:
    for x in (0.0, 20.0):
        wall = add_cube(f"Wall {x:g}", (x, 0.0, 0.0))
        door = add_cube(f"Door {x:g}", (x + 3.0, 0.0, 0.0))
        add_joint(wall, door, preset="HINGE").name = f"Hinge {x:g}"
    select(bpy.data.objects["Door 20"])
    preview = started()
    assert set(rows()) == {"Hinge 20"}
    assert {preview.objects[node].name for node in preview.held_bodies} == {"Door 20"}


def test_a_limit_that_is_edited_counts_at_once(arm: str) -> None:
    select(lift := bpy.data.objects["lift"])
    preview = started()
    rows()["lift"].angle = 0.5
    preview.tick(bpy.context)
    lift.omi_joint.limits[-1].max = 0.2
    lift.update_tag()
    preview.tick(bpy.context)
    assert rows()["lift"].angle == pytest.approx(0.2, abs=1e-6)


def test_random_poses_are_within_limits(arm: str) -> None:
    preview = started()
    for _ in range(5):
        preview.obey(Command.RANDOM)
        preview.tick(bpy.context)
        for row in rows().values():
            assert row.low - 1e-6 <= row.position <= row.high + 1e-6


def test_without_a_joint_that_moves_a_body_it_says_what_to_do() -> None:
    add_cube("Cube", (0.0, 0.0, 0.0))
    with pytest.raises(PreviewError, match="connect two bodies"):
        PosePreview(bpy.context)


def test_poses_are_stored_applied_and_blended(arm: str) -> None:
    preview = started()
    rows()["turn"].angle, rows()["lift"].angle = 0.8, 0.4
    preview.tick(bpy.context)
    assert bpy.ops.omi.preview_pose_store(name="ready") == {"FINISHED"}
    preview.obey(Command.RESET)
    preview.tick(bpy.context)
    assert rows()["turn"].angle == pytest.approx(0.0, abs=1e-6)
    pose_of(bpy.context).blend = 0.25
    assert bpy.ops.omi.preview_pose_apply() == {"FINISHED"}
    preview.tick(bpy.context)
    assert rows()["turn"].angle == pytest.approx(0.2, abs=1e-6)
    pose_of(bpy.context).blend = 1.0
    assert bpy.ops.omi.preview_pose_apply() == {"FINISHED"}
    preview.tick(bpy.context)
    assert rows()["lift"].angle == pytest.approx(0.4, abs=1e-6)
    assert bpy.ops.omi.preview_pose_store(name="ready") == {"FINISHED"}
    poses = bpy.context.scene.omi_poses
    assert [pose.name for pose in poses.poses] == ["ready", "ready.001"]
    assert bpy.ops.omi.preview_pose_remove() == {"FINISHED"}
    assert [pose.name for pose in poses.poses] == ["ready"]


def test_poses_go_to_keyframes_of_mjcf_and_back_though_a_joint_is_renamed(
    arm: str, tmp_path: Path
) -> None:
    """Judged by MuJoCo."""
    mujoco = pytest.importorskip("mujoco")
    preview = started()
    rows()["turn"].angle, rows()["lift"].angle = 0.8, 0.43
    preview.tick(bpy.context)
    assert bpy.ops.omi.preview_pose_store(name="ready") == {"FINISHED"}
    stop()
    bpy.data.objects["lift"].name = "raise"
    path = tmp_path / "arm.xml"
    assert bpy.ops.omi.scene_export(filepath=str(path)) == {"FINISHED"}
    written = omi_joints.read(path).named_pose("ready")
    assert written["raise"] == pytest.approx(0.43, abs=1e-6)
    assert written["turn"] == pytest.approx(0.8, abs=1e-6)
    model = mujoco.MjModel.from_xml_path(str(path))
    assert model.key("ready").qpos[model.joint("raise").qposadr[0]] == pytest.approx(0.43)
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.omi.scene_import(filepath=str(path)) == {"FINISHED"}
    (pose,) = bpy.context.scene.omi_poses.poses
    assert {joint.name: at for joint, at in pose.found()} == pytest.approx(dict(written))


def test_a_pose_of_a_removed_joint_goes_on_without_it(arm: str) -> None:
    started()
    assert bpy.ops.omi.preview_pose_store(name="home") == {"FINISHED"}
    stop()
    bpy.data.objects.remove(bpy.data.objects["nod"])
    scene, _ = scene_to_core(bpy.context.scene)
    (pose,) = scene.poses
    assert {name for name, _ in pose.positions} == {"turn", "lift", "bend", "roll", "grip"}


def test_a_joint_that_is_turned_off_meanwhile_leaves_the_others_where_they_are(arm: str) -> None:
    """Numbers of the joints behind it change."""
    select(turn := bpy.data.objects["turn"])
    preview = started()
    rows()["bend"].angle, rows()["nod"].angle = -0.6, 0.9
    preview.tick(bpy.context)
    turn.omi_joint.enabled = False
    turn.update_tag()
    for _ in range(2):
        preview.tick(bpy.context)
    assert "turn" not in rows()
    found = {name: rows()[name].angle for name in ("lift", "bend", "nod")}
    assert found == pytest.approx({"lift": 0.0, "bend": -0.6, "nod": 0.9}, abs=1e-5)


def test_a_slider_goes_no_further_than_its_loop_can_close() -> None:
    """A joint of the loop has a narrower range than the one that is moved."""
    add_four_bars()
    narrow = bpy.data.objects["c"].omi_joint.limits[-1]
    narrow.min, narrow.max = -0.2, 0.2
    bpy.context.view_layer.update()
    select(bpy.data.objects["Left"])
    preview = started()
    for step in range(1, 13):
        next(iter(rows().values())).angle = 0.1 * step
        preview.tick(bpy.context)
    left, coupler = (world(bpy.data.objects[name]) for name in ("Left", "Coupler"))
    # Where the left crank and the coupler meet at rest, on either.
    one = left @ np.array((0.0, 0.0, 1.5, 1.0))
    other = coupler @ np.array((-2.0, 0.0, 0.0, 1.0))
    assert np.linalg.norm(one - other) < 5e-3
    right = world(bpy.data.objects["Right"])
    one = right @ np.array((0.0, 0.0, 1.5, 1.0))
    other = coupler @ np.array((2.0, 0.0, 0.0, 1.0))
    assert np.linalg.norm(one - other) < 5e-3
    foot = right @ np.array((0.0, 0.0, -1.5, 1.0))
    assert foot[:3] == pytest.approx((2.0, 0.0, 0.0), abs=5e-3)


def test_a_loop_stays_closed_while_a_body_is_dragged_far_beyond_it() -> None:
    add_four_bars()
    select(bpy.data.objects["Left"])
    preview = started()
    coupler = bpy.data.objects["Coupler"]
    start = world(coupler)[:3, 3]
    preview.grab(preview.objects.index(coupler), start)
    preview.pull(bpy.context, start + np.array((9.0, 0.0, 4.0)), (0.0, 1.0, 0.0))
    for _ in range(12):
        preview.tick(bpy.context)
    preview.release()
    there = world(coupler)[:3, 3]
    assert there[0] > 1.0
    assert math.hypot(there[0], there[2]) == pytest.approx(3.0, abs=5e-3)
    right = world(bpy.data.objects["Right"]) @ np.array((0.0, 0.0, -1.5, 1.0))
    assert right[:3] == pytest.approx((2.0, 0.0, 0.0), abs=5e-3)


def test_a_moment_of_a_simulation_is_stored_as_a_pose(arm: str) -> None:
    """And applied to the mechanism: its bodies are where the simulation showed them."""
    from omi_joints_addon.preview.simulated import SimulationPreview

    begin(preview := SimulationPreview(bpy.context))
    for _ in range(9):
        preview.tick(bpy.context, preview.frame_time)
    assert bpy.ops.omi.preview_pose_store(name="falling") == {"FINISHED"}
    shown = world(bpy.data.objects["hand"])[:3, 3]
    stop()
    assert np.linalg.norm(world(bpy.data.objects["hand"])[:3, 3] - shown) > 0.01
    posing = started()
    assert bpy.ops.omi.preview_pose_apply() == {"FINISHED"}
    posing.tick(bpy.context)
    assert world(bpy.data.objects["hand"])[:3, 3] == pytest.approx(shown, abs=1e-3)


def test_without_a_preview_the_pose_of_the_scene_is_stored(arm: str) -> None:
    assert bpy.ops.omi.preview_pose_store(name="rest") == {"FINISHED"}
    (pose,) = bpy.context.scene.omi_poses.poses
    assert {joint.name: at for joint, at in pose.found()} == pytest.approx(
        {name: at for name, at in omi_joints.read(arm).positions().items() if name != "mimic"},
        abs=1e-5,
    )


def test_joints_are_listed_by_chains_and_one_chain_alone() -> None:
    """A palm with two fingers, made in another order."""
    names = ("tip A", "tip B", "root B", "root A", "Palm")
    places = {"Palm": 0.0, "root A": 1.0, "tip A": 2.0, "root B": -1.0, "tip B": -2.0}
    cubes = {name: add_cube(name, (places[name], 0.0, 0.0)) for name in names}
    cubes["Palm"].omi_body.motion_type = "STATIC"
    for name, holder in (
        ("tip A", "root A"),
        ("root B", "Palm"),
        ("root A", "Palm"),
        ("tip B", "root B"),
    ):
        middle = Vector((0.5 * (places[name] + places[holder]), 0.0, 0.0))
        pair = Pair(cubes[name], cubes[holder])
        cubes[name].omi_body.motion_type = "DYNAMIC"
        build_joint(bpy.context, pair, hinge(axis=2), place=middle).name = f"to {name}"
    started()
    listed, pose = list(rows()), pose_of(bpy.context)
    assert sorted(listed) == sorted(f"to {name}" for name in places if name != "Palm")
    for side in "AB":
        assert listed.index(f"to tip {side}") == listed.index(f"to root {side}") + 1
    assert {chain.name for chain in pose.chains} == {"tip A", "tip B"}
    pose.chain = "tip B"
    shown, _ = OMI_UL_positions.filter_items(
        SimpleNamespace(bitflag_filter_item=1, filter_name=""), bpy.context, pose, "positions"
    )
    assert [name for name, flag in zip(listed, shown, strict=True) if flag] == [
        "to root B",
        "to tip B",
    ]
    pose.chain = ""
