"""Baked keyframes play the motion that the simulation showed, between the frames too."""

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from omi_joints_addon.preview.session import begin, running
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.bones import BodyBone
from omi_joints_addon.scene.animation import action_curves, curves_of
from tests.blender.scenes import add_cube
from tests.blender.test_preview import hanging_cube, world
from tests.rigs import ARM, add_rig, make_body

pytestmark = pytest.mark.usefixtures("no_preview_left")

MODES = ("XYZ", "ZXY", "QUATERNION", "AXIS_ANGLE")


def spinning(name: str, place: tuple[float, float, float], speed: float) -> Any:
    """Return a body that turns quickly about an axis of its own and flies."""
    body = add_cube(name, place)
    body.omi_body.motion_type = "DYNAMIC"
    body.omi_body.angular_velocity = (0.0, 0.6 * speed, 0.8 * speed)
    body.omi_body.linear_velocity = (1.0, 0.0, 0.0)
    return body


def played(frames: list[float], *objects: Any) -> np.ndarray:
    """Return the world matrices of objects at frames, shape (f, o, 4, 4)."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        found.append([world(obj) for obj in objects])
    return np.array(found)


def keyed(obj: Any) -> set[float]:
    return {key.co.x for curve in curves_of(obj.animation_data) for key in curve.keyframe_points}


@pytest.mark.parametrize("mode", MODES)
def test_a_spinning_body_below_another_plays_as_simulated(mode: str) -> None:
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    root = bpy.data.objects.new("Root", None)
    bpy.context.scene.collection.objects.link(root)
    root.location, root.rotation_euler, root.scale = (1, 2, 3), (0.3, 0.2, 0.1), (1.5, 1.5, 1.5)
    upper, lower = spinning("Upper", (0, 0, 0), 9.0), spinning("Lower", (9, 0, 0), -7.0)
    bpy.context.view_layer.update()
    upper.parent, lower.parent = root, upper
    lower.matrix_parent_inverse = upper.matrix_world.inverted()
    for body in (upper, lower):
        body.rotation_mode = mode
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 41
    bpy.context.view_layer.update()
    preview = SimulationPreview(bpy.context)
    nodes = [preview.objects.index(body) for body in (upper, lower)]
    expected = np.array([preview.scene.matrices] + [preview.next_frame() for _ in range(40)])
    assert bpy.ops.omi.preview_bake() == {"FINISHED"}
    frames = list(range(1, 42))
    np.testing.assert_allclose(played(frames, upper, lower), expected[:, nodes], atol=2e-4)
    between = played([frame + 0.5 for frame in frames[:-1]], upper, lower)
    middle = (expected[1:, nodes] + expected[:-1, nodes]) / 2.0
    # A turn the long way around, or over a jump of angles, would be far off.
    assert np.abs(between - middle).max() < 0.25


def pulled_up(bob: bpy.types.Object) -> SimulationPreview:
    """Return a preview that runs and has shown ten frames of a body that the mouse pulls up."""
    preview = SimulationPreview(bpy.context)
    begin(preview)
    preview.simulation.grab(preview.objects.index(bob), (3.0, 0.0, 0.0))
    preview.simulation.drag((3.0, 0.0, 3.0))
    for _ in range(10):
        preview.tick(bpy.context)
    return preview


def test_what_a_preview_has_shown_is_baked_from_the_current_frame_on() -> None:
    _, bob = hanging_cube()
    scene = bpy.context.scene
    scene.frame_set(5, subframe=0.25)
    preview = pulled_up(bob)
    shown = np.array(preview.record)[:, preview.objects.index(bob)]
    assert shown[-1, 2, 3] > 0.1, "pulled up, where it would fall by itself"
    assert bpy.ops.omi.preview_bake() == {"FINISHED"}
    assert running() is None
    assert (scene.frame_current, scene.frame_subframe) == (5, 0.25)
    assert keyed(bob) == set(range(5, 16))
    np.testing.assert_allclose(played(list(range(5, 16)), bob)[:, 0], shown, atol=1e-4)


def test_as_many_frames_are_baked_as_asked_for_whatever_was_shown() -> None:
    _, bob = hanging_cube()
    pulled_up(bob)
    assert bpy.ops.omi.preview_bake(frames=6) == {"FINISHED"}
    assert running() is None
    assert keyed(bob) == set(range(1, 8))
    assert played([7.0], bob)[0, 0, 2, 3] < -0.01, "it falls by itself"


def test_only_chosen_frames_have_keyframes() -> None:
    _, bob = hanging_cube()
    shown = np.array(pulled_up(bob).record)[:, 1]
    assert bpy.ops.omi.preview_bake(start=3, end=10, step=3) == {"FINISHED"}
    assert keyed(bob) == {3, 6, 9, 10}
    np.testing.assert_allclose(played([3.0, 10.0], bob)[:, 0], shown[[2, 9]], atol=1e-4)


def test_frames_beyond_the_motion_are_refused_and_nothing_is_keyed() -> None:
    _, bob = hanging_cube()
    pulled_up(bob)
    assert bpy.ops.omi.preview_bake(start=40, end=50) == {"CANCELLED"}
    assert bob.animation_data is None


def walking_arm() -> tuple[Any, Any]:
    """Return an armature whose bone is a body and turns by an action, which a limp arm would."""
    rig = add_rig("Arm", ARM)
    make_body(rig, "upper")
    bone = rig.pose.bones["upper"]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.1), (21, 0.9)):
        for name in ("upper", "root"):
            rig.pose.bones[name].rotation_mode = "XYZ"
            rig.pose.bones[name].rotation_euler = (angle, 0.0, 0.0)
            rig.pose.bones[name].keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(5)
    return rig, rig.animation_data.action


def curve_values(action: Any) -> list[tuple[str, int, list[float]]]:
    return sorted(
        (
            curve.data_path,
            curve.array_index,
            [value for key in curve.keyframe_points for value in key.co],
        )
        for curve in action_curves(action)
    )


def test_keys_of_the_rig_stay_below_a_layer_that_plays_the_motion() -> None:
    rig, walk = walking_arm()
    before = curve_values(walk)
    bpy.context.scene.frame_set(2)
    hand = [np.array(rig.pose.bones[name].matrix) for name in ("root", "upper")]
    bpy.context.scene.frame_set(5)
    preview = SimulationPreview(bpy.context)
    node = preview.objects.index(BodyBone(rig, "upper"))
    expected = [preview.scene.matrices[node]] + [preview.next_frame()[node] for _ in range(8)]
    assert bpy.ops.omi.preview_bake(frames=8) == {"FINISHED"}
    assert curve_values(walk) == before, "the keys of the rig are not touched"
    assert rig.animation_data.action != walk
    assert [strip.action for track in rig.animation_data.nla_tracks for strip in track.strips] == [
        walk
    ]
    for frame in (5, 9, 13):
        bpy.context.scene.frame_set(frame)
        np.testing.assert_allclose(
            np.array(rig.matrix_world @ rig.pose.bones["upper"].matrix),
            expected[frame - 5],
            atol=1e-3,
        )
    bpy.context.scene.frame_set(2)
    np.testing.assert_allclose(np.array(rig.pose.bones["upper"].matrix), hand[1], atol=1e-4)
    np.testing.assert_allclose(np.array(rig.pose.bones["root"].matrix), hand[0], atol=1e-4)


def test_a_new_action_leaves_the_present_one_in_the_file() -> None:
    rig, walk = walking_arm()
    before = curve_values(walk)
    assert bpy.ops.omi.preview_bake(frames=8, target="ACTION") == {"FINISHED"}
    assert curve_values(walk) == before
    assert (walk.use_fake_user, len(rig.animation_data.nla_tracks)) == (True, 0)
    assert {path.split(".")[-1] for path, _, _ in curve_values(rig.animation_data.action)} == {
        "location",
        "rotation_euler",
    }


def test_the_present_action_is_written_over_where_that_is_asked_for() -> None:
    rig, walk = walking_arm()
    before = curve_values(walk)
    assert bpy.ops.omi.preview_bake(frames=8, target="PRESENT") == {"FINISHED"}
    assert rig.animation_data.action == walk
    assert curve_values(walk) != before


def test_an_action_of_physics_alone_is_no_animation_to_keep_apart() -> None:
    _, bob = hanging_cube()
    bob.keyframe_insert("omi_body.mass", frame=1)
    action = bob.animation_data.action
    assert bpy.ops.omi.preview_bake(frames=4) == {"FINISHED"}
    assert bob.animation_data.action == action
    assert len(bob.animation_data.nla_tracks) == 0


def test_a_body_below_something_animated_plays_as_simulated() -> None:
    """What moves it along is no part of the simulation, and is at another place at each frame."""
    _, bob = hanging_cube()
    cart = bpy.data.objects.new("Cart", None)
    bpy.context.scene.collection.objects.link(cart)
    bob.parent, bob.matrix_parent_inverse = cart, cart.matrix_world.inverted()
    for frame, place, turn in ((1, 0.0, 0.0), (41, 3.7, 1.3)):
        cart.location.x, cart.rotation_euler.z = place, turn
        cart.keyframe_insert("location", frame=frame)
        cart.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(11)
    preview = SimulationPreview(bpy.context)
    node = preview.objects.index(bob)
    expected = [preview.scene.matrices[node], *(preview.next_frame()[node] for _ in range(12))]
    assert bpy.ops.omi.preview_bake(frames=12) == {"FINISHED"}
    frames = [float(frame) for frame in range(11, 24)]
    np.testing.assert_allclose(played(frames, bob)[:, 0], expected, atol=1e-4)


def test_fewer_keyframes_play_the_motion_as_near_as_asked_for() -> None:
    """Of a body that turns and flies in an arc; the less it may be off, the more keyframes."""
    body = spinning("Body", (0, 0, 0), 2.0)
    body.omi_body.linear_velocity = (1.3, 0.0, 4.7)
    preview = SimulationPreview(bpy.context)
    node = preview.objects.index(body)
    expected = np.array([preview.scene.matrices] + [preview.next_frame() for _ in range(24)])
    preview.end()
    counts = []
    for tolerance in (0.0, 0.01, 0.2):
        body.animation_data_clear()
        bpy.context.scene.frame_set(1)
        body.matrix_world = Matrix(expected[0, node].tolist())
        bpy.context.view_layer.update()
        assert bpy.ops.omi.preview_bake(frames=24, tolerance=tolerance) == {"FINISHED"}
        counts.append(len(keyed(body)))
        found = played(list(range(1, 26)), body)[:, 0]
        # Corners of the cube are 1.7 m from its middle, those of its axes 2 m.
        assert np.abs(found - expected[:, node]).max() < max(2.0 * tolerance, 2e-4)
    assert counts[0] == 25
    assert counts[0] > counts[1] > counts[2] >= 2


@pytest.mark.parametrize("mode", MODES)
def test_a_loop_ends_where_it_begins_and_goes_on(mode: str) -> None:
    _, bob = hanging_cube()
    bob.rotation_mode = mode
    start = world(bob)
    assert bpy.ops.omi.preview_bake(frames=20, blend=8) == {"FINISHED"}
    places = played([1.0, 6.0, 21.0, 26.0, 46.0], bob)[:, 0]
    np.testing.assert_allclose(places[0], start, atol=1e-5)
    np.testing.assert_allclose(places[2], start, atol=1e-4)
    for again in places[3:]:
        np.testing.assert_allclose(again, places[1], atol=1e-4)
    assert np.abs(places[1] - start).max() > 0.05


def test_a_loop_goes_over_in_frames_whatever_their_distance() -> None:
    """Of 20 frames, the last 8 go over: a keyframe every four frames does not make them 32."""
    _, bob = hanging_cube()
    assert bpy.ops.omi.preview_bake(frames=20) == {"FINISHED"}
    frames = [1.0, 5.0, 9.0, 13.0, 21.0]
    expected = played(frames, bob)[:, 0]
    bpy.context.scene.frame_set(1)
    bob.animation_data_clear()
    assert bpy.ops.omi.preview_bake(frames=20, step=4, blend=8) == {"FINISHED"}
    found = played(frames, bob)[:, 0]
    np.testing.assert_allclose(found[:4], expected[:4], atol=1e-4)
    np.testing.assert_allclose(found[4], expected[0], atol=1e-4)
    assert np.abs(expected[4] - expected[0]).max() > 0.05


def test_a_ragdoll_loops_with_few_keyframes() -> None:
    rig, action = walking_arm()
    assert bpy.ops.omi.preview_bake(frames=20, blend=6, tolerance=0.02) == {"FINISHED"}
    data = rig.animation_data
    assert data.action != action
    curves = [each for each in curves_of(data) if "upper" in each.data_path]
    assert curves
    assert all(len(curve.modifiers) == 1 for curve in curves)
    assert len(keyed(rig)) < 20
    assert {key.interpolation for curve in curves for key in curve.keyframe_points} == {"LINEAR"}
    assert all(not curve.modifiers for curve in action_curves(action))
