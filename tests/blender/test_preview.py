"""Previews in Blender: what they show, and that nothing of them is left."""

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.engines.engines import ENGINES
from omi_joints_addon.core.model.joint import JointDrive
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import Command, PreviewError, begin, running, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from omi_joints_addon.scene.watch import WATCH
from tests.blender.scenes import add_cube, add_door, add_joint, add_rope, select

pytestmark = pytest.mark.usefixtures("no_preview_left")

CHANNELS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")


def channels() -> dict[str, Any]:
    """Return every transform channel of every object and where views show it, to the bit."""
    return {
        obj.name: [*(tuple(getattr(obj, name)) for name in CHANNELS), world(obj).tolist()]
        for obj in bpy.context.scene.objects
    }


def world(obj: Any) -> np.ndarray:
    """Return the world matrix at which the viewport shows an object."""
    bpy.context.view_layer.update()
    return np.array(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)


def awkward_door() -> tuple[Any, Any, Any]:
    """Return a door that is parented, scaled and turned in an odd way, with a handle on it."""
    wall, door, joint = add_door()
    handle = add_cube("Handle", (4.0, -1.2, 0.0))
    handle.scale = (0.1, 0.2, 0.3)
    handle.parent = door
    handle.matrix_parent_inverse = door.matrix_world.inverted()
    door.rotation_mode = "QUATERNION"
    door.scale = (1.0, 1.0, 1.3)
    root = bpy.data.objects.new("Root", None)
    bpy.context.scene.collection.objects.link(root)
    root.location, root.rotation_euler, root.scale = (1, 2, 3), (0.3, 0.2, 0.1), (1.1, 1.1, 1.1)
    for obj in (wall, door):
        obj.parent = root
    bpy.context.view_layer.update()
    return wall, door, joint


def test_slider_turns_the_door_and_stop_restores_to_the_bit():
    _, door, joint = awkward_door()
    before, rest = channels(), world(door)
    handle = bpy.data.objects["Handle"]
    between = np.linalg.inv(rest) @ world(handle)
    select(joint)
    options = preview_options(bpy.context)
    preview = PosePreview(bpy.context, joint)
    assert preview.objects[preview.body] == door
    begin(preview)
    options.about_z = 0.5
    preview.tick(bpy.context)
    moved = world(door)
    turn = math.acos((np.trace(moved[:3, :3] @ np.linalg.inv(rest[:3, :3])) - 1.0) / 2.0)
    assert turn == pytest.approx(0.5, abs=1e-5)
    np.testing.assert_allclose(np.linalg.inv(moved) @ world(handle), between, atol=1e-5)
    stop()
    assert channels() == before
    assert running() is None


def test_range_is_clamped_unless_past_limits_is_on():
    _, _, joint = add_door()
    options = preview_options(bpy.context)
    preview = PosePreview(bpy.context, joint)
    begin(preview)
    options.about_z = 3.0
    preview.tick(bpy.context)
    assert options.about_z == pytest.approx(math.pi / 2.0)
    options.past_limits = True
    options.about_z = 3.0
    preview.tick(bpy.context)
    assert preview.joint_values[5] == pytest.approx(3.0)
    options.past_limits = False


def test_sweep_reaches_both_limits_and_comes_back():
    _, _, joint = add_door()
    preview = PosePreview(bpy.context, joint)
    begin(preview)
    preview.obey(Command.SWEEP)
    seen = []
    while preview.is_sweeping:
        preview.tick(bpy.context)
        seen.append(preview.joint_values[5])
    assert max(seen) == pytest.approx(math.pi / 2.0, abs=0.1)
    assert min(seen) == pytest.approx(-math.pi / 2.0, abs=0.1)
    assert seen[-1] == 0.0


def test_reset_takes_a_range_preview_back_to_where_it_began():
    _, door, joint = add_door()
    rest, options = world(door), preview_options(bpy.context)
    preview = PosePreview(bpy.context, joint)
    begin(preview)
    options.about_z = 0.5
    preview.tick(bpy.context)
    assert not np.allclose(world(door), rest, atol=0.1)
    assert bpy.ops.omi.preview_control(command="RESET") == {"FINISHED"}
    preview.tick(bpy.context)
    np.testing.assert_allclose(world(door), rest, atol=1e-5)
    assert options.about_z == 0.0
    assert running() is preview


def simulated(frames: int) -> SimulationPreview:
    """Return a simulation that runs and has shown some frames."""
    preview = SimulationPreview(bpy.context)
    begin(preview)
    for _ in range(frames):
        preview.tick(bpy.context)
    return preview


def test_simulation_lets_the_pendulum_fall_and_restores_it():
    joint, bob = hanging_cube()
    before = channels()
    preview = simulated(24)
    fallen = world(bob)
    assert fallen[2, 3] < -0.5
    preview.obey(Command.RESET)
    preview.tick(bpy.context)
    assert channels() == before
    assert not preview.is_playing
    assert bpy.ops.omi.preview_control(command="PLAY") == {"FINISHED"}
    for _ in range(24):
        preview.tick(bpy.context)
    np.testing.assert_allclose(world(bob), fallen, atol=1e-6)
    assert bpy.ops.omi.preview_control(command="STOP") == {"FINISHED"}
    assert not bpy.ops.omi.preview_control.poll()
    assert channels() == before
    assert joint.name in bpy.data.objects


@pytest.fixture
def evaluated():
    """Return the numbers of updates that Blender has reported."""
    counts: list[int] = []

    def note(_scene, depsgraph):
        counts.append(len(depsgraph.updates))

    bpy.app.handlers.depsgraph_update_post.append(note)
    yield counts
    bpy.app.handlers.depsgraph_update_post.remove(note)


def swinging_rope() -> list[Any]:
    """Return the dynamic links of a rope that does not hang straight."""
    add_rope(8)
    links = [obj for obj in bpy.context.scene.objects if obj.name.startswith("Link")]
    for link in links:
        link.omi_body.motion_type = "DYNAMIC"
    links[0].location.x += 0.5
    bpy.context.view_layer.update()
    return links


def test_a_frame_of_many_bodies_has_blender_evaluate_one_and_shows_all(evaluated):
    """Views look anew only where one is; also when others are, or as many as before but others."""
    links = swinging_rope()
    preview = SimulationPreview(bpy.context)
    begin(preview)
    for frame in range(6):
        preview.tick(bpy.context)
        evaluated.clear()
        if frame == 1:
            bpy.data.objects["Beam"].update_tag()
            links[3].update_tag()
        if frame in (3, 4):
            links[2].hide_viewport, links[4].hide_viewport = frame == 3, frame == 4
        shown = {obj.name: world(obj) for obj in preview.objects if not obj.hide_viewport}
        assert len(evaluated) == 1
        # An edit has all that moved evaluated at rest: what was edited may follow it.
        assert frame in (1, 3, 4) or sum(evaluated) < 3
        for name, matrix in shown.items():
            pose = preview.live.shown.poses[preview.scene.names.index(name)]
            np.testing.assert_allclose(matrix, pose, atol=1e-5)


def test_a_view_that_keeps_shadows_is_told_of_each_body(evaluated):
    swinging_rope()
    preview = SimulationPreview(bpy.context)
    begin(preview)
    preview.tick(bpy.context)
    matrices, states = preview.live.shown.poses.copy(), {}
    matrices[:, 0, 3] += 1.0
    graph = bpy.context.evaluated_depsgraph_get()
    preview.live.shown.show(graph, matrices, states, all_reported=True)
    evaluated.clear()
    bpy.context.view_layer.update()
    assert evaluated[0] >= len(preview.objects)


def hanging_cube() -> tuple[Any, Any]:
    """Return a joint and a cube that stands beside the beam it is pinned to."""
    beam, bob = add_cube("Beam", (0.0, 0.0, 0.0)), add_cube("Bob", (3.0, 0.0, 0.0))
    joint = add_joint(beam, bob, preset="HINGE")
    joint.rotation_euler = (math.pi / 2.0, 0.0, 0.0)
    joint.omi_joint.connected_object.rotation_euler = (math.pi / 2.0, 0.0, 0.0)
    for obj, kind in ((beam, "STATIC"), (bob, "DYNAMIC")):
        obj.omi_body.motion_type = kind
    bpy.context.view_layer.update()
    return joint, bob


def test_file_saved_during_a_preview_holds_the_rest_pose(tmp_path):
    _, bob = hanging_cube()
    before = channels()
    preview = simulated(24)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "during.blend"), copy=True)
    preview.tick(bpy.context)
    assert world(bob)[2, 3] < -0.5
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "during.blend"))
    assert running() is None
    assert channels() == before


def test_scripts_that_run_before_a_file_is_saved_find_the_rest_pose(tmp_path):
    """As add-ons do that export on saving."""
    _, bob = hanging_cube()
    rest, found = np.array(bob.matrix_world), []

    def read(*_arguments):
        found.append((np.array(bob.matrix_world), world(bob)))

    preview = simulated(24)
    select(bob)
    assert world(bob)[2, 3] < -0.5
    bpy.app.handlers.save_pre.append(read)
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "during.blend"), copy=True)
    finally:
        bpy.app.handlers.save_pre.remove(read)
    np.testing.assert_array_equal(found, [(rest, rest)])
    preview.tick(bpy.context)
    assert world(bob)[2, 3] < -0.5


def test_undo_and_redo_end_the_preview_and_find_the_rest_pose():
    hanging_cube()
    bpy.ops.ed.undo_push(message="scene")
    before = channels()
    bpy.data.objects["Beam"].omi_body.mass = 3.0
    bpy.ops.ed.undo_push(message="mass")
    simulated(10)
    bpy.ops.ed.undo()
    assert running() is None
    assert channels() == before
    simulated(10)
    assert channels() != before
    bpy.ops.ed.redo()
    assert running() is None
    assert bpy.data.objects["Beam"].omi_body.mass == 3.0
    assert channels() == before


def test_animated_body_drives_and_keeps_its_animation():
    joint, _bob = hanging_cube()
    beam = bpy.data.objects["Beam"]
    beam.omi_body.motion_type = "KINEMATIC"
    bpy.context.scene.frame_set(1)
    for frame, place in ((1, 0.0), (25, 2.0)):
        beam.location.x, beam.scale.y = place, 1.0 + place
        beam.keyframe_insert("location", frame=frame)
        beam.keyframe_insert("scale", frame=frame)
    bpy.context.scene.frame_set(1)
    before = channels()
    simulated(24)
    assert world(beam)[0, 3] == pytest.approx(2.0, abs=1e-5)
    assert world(beam)[1, 1] == pytest.approx(3.0, abs=1e-5)
    gap = world(joint)[:3, 3] - world(joint.omi_joint.connected_object)[:3, 3]
    assert np.linalg.norm(gap) < 1e-3
    stop()
    assert channels() == before


def test_selected_scope_leaves_other_islands_alone():
    hanging_cube()
    other, second = add_cube("Other", (0.0, 9.0, 0.0)), add_cube("Second", (-3.0, 0.0, 0.0))
    for body in (other, second):
        body.omi_body.motion_type = "DYNAMIC"
    # What hangs on the same static body is another island.
    add_joint(bpy.data.objects["Beam"], second, preset="PIN")
    select(bpy.data.objects["Bob"])
    options = preview_options(bpy.context)
    options.scope = "SELECTED"
    preview = SimulationPreview(bpy.context)
    options.scope = "ALL"
    begin(preview)
    for _ in range(12):
        preview.tick(bpy.context)
    assert world(other)[2, 3] == world(second)[2, 3] == 0.0
    assert world(bpy.data.objects["Bob"])[2, 3] < -0.1


def test_nothing_to_simulate_says_so():
    add_cube("Cube", (0.0, 0.0, 0.0))
    with pytest.raises(PreviewError, match="No dynamic body"):
        SimulationPreview(bpy.context)


def shown_lines() -> list[bool]:
    """Return where Blender shows relationship lines, in all 3D views of all screens."""
    return [
        space.overlay.show_relationship_lines
        for screen in bpy.data.screens
        for area in screen.areas
        for space in area.spaces
        if space.type == "VIEW_3D"
    ]


def test_relationship_lines_are_hidden_while_a_preview_runs(tmp_path):
    bpy.ops.wm.read_homefile(use_empty=True)
    before = shown_lines()
    assert any(before)
    hanging_cube()
    preview = SimulationPreview(bpy.context)
    begin(preview)
    preview.tick(bpy.context)
    assert not any(shown_lines())
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "during.blend"), copy=True)
    assert shown_lines() == before, "the file has other views than the artist set"
    preview.tick(bpy.context)
    assert not any(shown_lines())
    stop()
    assert shown_lines() == before


def test_hold_root_holds_the_base_of_what_nothing_holds():
    """A base of 1 kg with two limbs of 2 kg, and a pendulum that is held already."""
    hanging_cube()
    base = add_cube("Base", (0.0, 9.0, 0.0))
    limbs = [add_cube(f"Limb {side}", (side * 3.0, 9.0, 0.0)) for side in (-1, 1)]
    add_joint(base, *limbs, preset="PIN", pattern="EACH_TO_ACTIVE")
    for limb in limbs:
        limb.omi_body.mass = 2.0
    base.omi_body.motion_type = "DYNAMIC"
    bpy.context.view_layer.update()
    options = bpy.context.window_manager.omi_preview
    falls = {}
    for is_held in (False, True):
        options.hold_root = is_held
        preview = SimulationPreview(bpy.context)
        begin(preview)
        for _ in range(12):
            preview.next_frame()
        preview.show(preview.record[-1], {})
        preview.tick(bpy.context)
        falls[is_held] = [round(world(obj)[2, 3], 3) for obj in (base, bpy.data.objects["Bob"])]
        stop()
    options.hold_root = False
    assert falls[False][0] < -0.9
    assert falls[True][0] == 0.0
    assert falls[True][1] < -0.1


def test_simulation_needs_a_body_that_moves():
    add_cube("Cube", (0.0, 0.0, 0.0)).omi_body.motion_type = "STATIC"
    with pytest.raises(RuntimeError, match="no dynamic body"):
        bpy.ops.omi.preview_simulate()


def test_bodies_without_joints_are_simulated():
    cube = add_cube("Cube", (0.0, 0.0, 3.0))
    cube.omi_body.motion_type = "DYNAMIC"
    bpy.context.view_layer.update()
    assert bpy.ops.omi.preview_simulate() == {"RUNNING_MODAL"}
    for _ in range(24):
        running().next_frame()
    assert running().record[-1][0, 2, 3] == pytest.approx(3.0 - 0.5 * 9.81, abs=0.05)
    stop()


def test_bake_writes_keys_that_play_the_same_motion():
    _, bob = hanging_cube()
    bpy.context.scene.frame_end = 20
    preview = SimulationPreview(bpy.context)
    expected = [preview.scene.matrices] + [preview.next_frame() for _ in range(19)]
    node = preview.objects.index(bob)
    assert bpy.ops.omi.preview_bake() == {"FINISHED"}
    for frame in (1, 7, 20):
        bpy.context.scene.frame_set(frame)
        np.testing.assert_allclose(world(bob), expected[frame - 1][node], atol=1e-4)


def test_limits_are_set_from_the_previewed_pose():
    _, _, joint = add_door()
    joint.omi_joint.drives.add().from_core(JointDrive(type="angular", axis=2, stiffness=1.0))
    options = preview_options(bpy.context)
    for part, value in (("MAX", 0.7), ("MIN", -0.3), ("TARGET", 0.2)):
        select(joint)
        preview = PosePreview(bpy.context, joint)
        begin(preview)
        options.about_z = value
        preview.tick(bpy.context)
        assert bpy.ops.omi.joint_limit_from_pose(part=part) == {"FINISHED"}
    settings = joint.omi_joint.settings_to_core()
    (limit,) = [each for each in settings.limits if each.angular_axes == (2,)]
    assert (limit.min, limit.max) == (pytest.approx(-0.3), pytest.approx(0.7))
    assert settings.drives[0].position_target == pytest.approx(0.2)


def test_slider_goes_from_the_minimum_to_the_maximum():
    """Its ends are those of the range, and where it stands is where the door is."""
    _, _, joint = add_door()
    limit = joint.omi_joint.limits[2]
    limit.min, limit.max = -0.5, 1.5
    select(joint)
    manager = bpy.context.window_manager
    preview = PosePreview(bpy.context, joint)
    begin(preview)
    assert manager.omi_joint_parts[5] == pytest.approx(0.25)
    for part, value in ((1.0, 1.5), (0.0, -0.5), (0.75, 1.0)):
        manager.omi_joint_parts[5] = part
        preview.tick(bpy.context)
        assert preview.joint_values[5] == pytest.approx(value)
    assert np.allclose(preview.joint_values[:5], 0.0, atol=1e-6)


def test_limits_are_set_from_how_far_the_joint_was_moved():
    """Past its limits, one way and the other: what was reached becomes the range."""
    _, _, joint = add_door()
    options = preview_options(bpy.context)
    select(joint)
    preview = PosePreview(bpy.context, joint)
    begin(preview)
    options.past_limits = True
    for value in (0.9, 2.5, -0.4, 0.3):
        options.about_z = value
        preview.tick(bpy.context)
    assert bpy.ops.omi.joint_limit_from_pose(part="RANGE") == {"FINISHED"}
    limits = joint.omi_joint.settings_to_core().limits
    (limit,) = [each for each in limits if each.angular_axes == (2,)]
    assert (limit.min, limit.max) == (pytest.approx(-0.4), pytest.approx(2.5))
    # Without a preview there is nothing that was reached.
    assert bpy.ops.omi.joint_limit_from_pose(part="RANGE") == {"CANCELLED"}


def test_limits_are_fitted_to_an_animation():
    _, door, joint = add_door()
    # The door turns about the hinge: parented to an empty there.
    pivot = bpy.data.objects.new("Pivot", None)
    bpy.context.scene.collection.objects.link(pivot)
    pivot.matrix_world = joint.matrix_world
    bpy.context.view_layer.update()
    door.parent = pivot
    door.matrix_parent_inverse = pivot.matrix_world.inverted()
    for frame, angle in ((1, -0.2), (10, 0.9)):
        pivot.rotation_euler.z = angle
        pivot.keyframe_insert("rotation_euler", frame=frame)
    select(joint)
    assert bpy.ops.omi.joint_limits_fit(margin=0.05) == {"FINISHED"}
    limits = joint.omi_joint.settings_to_core().limits
    (limit,) = [each for each in limits if each.angular_axes == (2,)]
    # The door turns about world Z, which its axis was chosen along.
    assert (limit.min, limit.max) == (pytest.approx(-0.25, abs=1e-4), pytest.approx(0.95, abs=1e-4))
    assert {each.angular_axes for each in limits} == {(), (0, 1), (2,)}


def test_disabling_the_extension_ends_the_preview():
    import addon_utils

    hanging_cube()
    before = channels()
    simulated(5)
    addon_utils.disable("omi_joints_addon")
    assert channels() == before
    addon_utils.enable("omi_joints_addon")
    assert running() is None


def test_a_preview_leaves_nothing_to_be_checked_again():
    """What it shows is no change of the scene: nobody checks thousands of joints every frame."""
    hanging_cube()
    checks = WATCH.settled(bpy.context.scene)
    checks.choose_engine(ENGINES["godot"])
    checks.work()
    assert checks.is_current
    preview = SimulationPreview(bpy.context)
    begin(preview)
    shown = preview.live.shown.version
    for _ in range(3):
        preview.tick(bpy.context)
        assert checks.is_current
    assert preview.live.shown.version == shown + 3
    bpy.data.objects["Bob"].omi_body.mass = 5.0
    bpy.data.objects["Bob"].update_tag()
    preview.tick(bpy.context)
    assert not checks.is_current
    checks.choose_engine(None)
