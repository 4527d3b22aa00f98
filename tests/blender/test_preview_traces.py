"""Nothing of a preview is left or leaks: undo, files, exports, scripts, errors, edits meanwhile."""

import json
import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.meaning.sides import End
from omi_joints_addon.core.outline.pieces import State
from omi_joints_addon.overlay.scene_joints import SceneJoints
from omi_joints_addon.preview.frames import world_matrices
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import begin, running, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from omi_joints_addon.scene.animation import curves_of
from omi_joints_addon.scene.reading import scene_to_core
from omi_joints_addon.scene.watch import live_scene
from tests.blender.scene_dump import dumped
from tests.blender.scenes import add_cube, add_door, add_rope, select
from tests.blender.test_preview import channels, hanging_cube, world

ALL_ANIMATED = ("scenes", "objects", "materials", "actions")


pytestmark = pytest.mark.usefixtures("no_preview_left")


def simulate(ticks: int = 12) -> SimulationPreview:
    preview = SimulationPreview(bpy.context)
    begin(preview)
    for _ in range(ticks):
        preview.tick(bpy.context)
    return preview


def test_blender_knows_nothing_of_a_simulation_while_it_runs_and_after_it():
    _, bob = hanging_cube()
    before = dumped()
    simulate()
    assert world(bob)[2, 3] < -0.1
    assert dumped() == before
    stop()
    assert dumped() == before
    np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))


def test_blender_knows_nothing_of_a_joint_moved_by_hand():
    _, door, joint = add_door()
    before = dumped()
    preview = PosePreview(bpy.context, joint)
    begin(preview)
    preview_options(bpy.context).about_z = 0.5
    preview.tick(bpy.context)
    assert not np.allclose(world(door), np.array(door.matrix_world), atol=0.1)
    assert dumped() == before
    stop()
    assert dumped() == before
    np.testing.assert_array_equal(world(door), np.array(door.matrix_world))


def test_undo_steps_made_meanwhile_hold_the_rest_pose():
    _, bob = hanging_cube()
    bpy.ops.ed.undo_push(message="scene")
    before = channels()
    preview = simulate()
    bpy.data.objects["Beam"].omi_body.mass = 3.0
    bpy.ops.ed.undo_push(message="from another window")
    preview.tick(bpy.context)
    assert world(bob)[2, 3] < -0.1
    stop()
    bpy.data.objects["Beam"].omi_body.mass = 4.0
    bpy.ops.ed.undo_push(message="after it")
    bpy.ops.ed.undo()
    assert bpy.data.objects["Beam"].omi_body.mass == 3.0
    assert channels() == before
    np.testing.assert_allclose(world(bpy.data.objects["Bob"])[2, 3], 0.0, atol=1e-6)


def test_a_preview_starts_with_what_was_moved_just_now():
    _, bob = hanging_cube()
    bob.location = (4.0, 5.0, 6.0)
    preview = SimulationPreview(bpy.context)
    begin(preview)
    assert preview.record[0][preview.objects.index(bob), :3, 3].tolist() == [4.0, 5.0, 6.0]


def test_a_preview_starts_with_what_undo_brought_back():
    joints = add_rope(8)
    bpy.ops.ed.undo_push(message="made")
    for joint in joints:
        joint.omi_joint.limits[0].damping = 7.0
    bpy.ops.ed.undo_push(message="damped")
    damped = SimulationPreview(bpy.context).scene.joints
    assert [joint.settings.limits[0].damping for joint in damped] == [7.0] * 8
    bpy.ops.ed.undo()
    found = SimulationPreview(bpy.context).scene.joints
    assert [joint.settings.limits[0].damping for joint in found] != [7.0] * 8
    assert found == scene_to_core(bpy.context.scene)[0].joints


def test_a_file_exported_meanwhile_holds_the_rest_pose(tmp_path):
    hanging_cube()
    for name in ("rest.gltf", "during.gltf"):
        target = tmp_path / name
        bpy.ops.export_scene.gltf(filepath=str(target), export_format="GLTF_SEPARATE")
        preview = running() or simulate()
        # Selecting makes Blender copy what is shown into the object's matrix.
        bpy.data.objects["Bob"].select_set(name == "during.gltf")
        bpy.context.view_layer.update()
    preview.tick(bpy.context)
    assert world(bpy.data.objects["Bob"])[2, 3] < -0.1
    rest, during = (
        json.loads((tmp_path / name).read_text()) for name in ("rest.gltf", "during.gltf")
    )
    assert during["nodes"] == rest["nodes"]


@pytest.mark.parametrize("kind", ["usd", "alembic"])
def test_an_exporter_that_evaluates_the_scene_itself_finds_the_rest_pose(tmp_path, kind):
    writer = getattr(bpy.ops.wm, f"{kind}_export")
    if not writer.poll():
        pytest.skip(f"Blender was built without {kind}")
    _, bob = hanging_cube()
    rest = np.array(bob.matrix_world)
    preview = simulate()
    target = str(tmp_path / "during.usda")
    for options in ({}, {"evaluation_mode": "VIEWPORT"}):
        writer(filepath=target, **options)
        assert world(bob)[2, 3] < -0.1, "no longer shown"
        preview.tick(bpy.context)
    stop()
    bpy.ops.wm.read_homefile(use_empty=True)
    getattr(bpy.ops.wm, f"{kind}_import")(filepath=target)
    bpy.context.view_layer.update()
    found = bpy.data.objects["Bob"]
    np.testing.assert_allclose(world(found), rest, atol=1e-5)


def test_libraries_and_assets_written_meanwhile_hold_the_rest_pose(tmp_path):
    _, bob = hanging_cube()
    before = [tuple(getattr(bob, name)) for name in ("location", "rotation_euler")]
    simulate()
    bob.asset_mark()
    target = tmp_path / "library.blend"
    bpy.data.libraries.write(str(target), {bob})
    with bpy.data.libraries.load(str(target)) as (_, loaded):
        loaded.objects = ["Bob"]
    (copy,) = loaded.objects
    assert [tuple(getattr(copy, name)) for name in ("location", "rotation_euler")] == before


def test_an_error_in_a_tick_is_raised_and_puts_all_back(monkeypatch):
    from omi_joints_addon.operators.preview.preview import Modal

    class Timer:
        time_duration = 1.0

    class Operator(Modal):
        _timer = None

    _, bob = hanging_cube()
    preview = simulate()
    operator = Operator()
    operator._preview, operator._timer = preview, Timer()
    monkeypatch.setattr(Modal, "_leave", lambda self, context: left.append(self))
    left: list[Any] = []
    monkeypatch.setattr(preview.simulation, "advance", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        operator._tick(bpy.context)
    assert left == [operator]
    assert running() is None
    assert SimulationPreview(bpy.context) is not None
    np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))


def test_objects_that_come_or_go_end_a_preview():
    for change in (
        lambda: bpy.context.scene.collection.objects.link(bpy.data.objects.new("New", None)),
        lambda: bpy.data.objects.remove(bpy.data.objects["New"]),
    ):
        if running() is None and "Bob" not in bpy.data.objects:
            hanging_cube()
        preview = simulate()
        change()
        bpy.context.view_layer.update()
        preview.tick(bpy.context)
        assert preview.is_over
        bob = bpy.data.objects["Bob"]
        np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))


@pytest.mark.parametrize("others", [0, 60])
def test_a_body_removed_between_two_redraws_ends_a_preview(capfd, others):
    _, bob = hanging_cube()
    for number in range(others):
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(f"Other {number}", None))
    bpy.context.view_layer.update()
    preview = simulate()
    bpy.data.objects.remove(bob)
    for _ in range(3):
        preview.tick(bpy.context)
        bpy.context.view_layer.update()
    assert preview.is_over
    assert "Traceback" not in "".join(capfd.readouterr())


def test_edit_mode_and_another_scene_end_a_preview():
    _, bob = hanging_cube()
    preview = simulate()
    select(bob)
    bpy.ops.object.mode_set(mode="EDIT")
    preview.tick(bpy.context)
    assert preview.is_over
    bpy.ops.object.mode_set(mode="OBJECT")
    preview = simulate()
    other = bpy.data.scenes.new("Other")
    bpy.context.window.scene = other
    preview.tick(bpy.context)
    assert preview.is_over


def test_edits_take_effect_at_once_and_keep_the_poses():
    joint, bob = hanging_cube()
    preview = simulate(10)
    before = world(bob)
    bpy.context.scene.gravity = (0.0, 0.0, 0.0)
    limits = joint.omi_joint.limits
    hinge = next(limit for limit in limits if tuple(limit.angular_axes) == (False, False, True))
    hinge.min = hinge.max = 0.0
    joint.update_tag()
    bpy.context.view_layer.update()
    np.testing.assert_allclose(world(bob), before, atol=1e-6)
    preview.tick(bpy.context)
    assert preview.simulation.scene.gravity == (0.0, 0.0, 0.0)
    assert preview.simulation.time == pytest.approx(11 * preview.frame_time)
    for _ in range(100):
        preview.tick(bpy.context)
    # The hinge is locked where the frames meet: the bob is back at rest.
    shown = world(bob)
    stop()
    np.testing.assert_allclose(shown, world(bob), atol=5e-3)


def test_a_changed_mass_keeps_the_velocity():
    _, bob = hanging_cube()
    preview = simulate(10)
    one = preview.simulation.matrices()
    preview.tick(bpy.context)
    step = preview.simulation.matrices() - one
    bob.omi_body.mass = 7.0
    bob.update_tag()
    bpy.context.view_layer.update()
    two = preview.simulation.matrices()
    preview.tick(bpy.context)
    after = preview.simulation.matrices() - two
    node = preview.objects.index(bob)
    # A pendulum's motion does not depend on its mass; nor may it stop for a moment.
    np.testing.assert_allclose(after[node, :3, 3], step[node, :3, 3], rtol=0.3, atol=5e-3)
    assert np.linalg.norm(after[node, :3, 3]) > 1e-3


def test_an_edited_mass_counts_as_if_it_had_always_been():
    """The inertia that shapes give goes with it."""
    found = []
    for is_edited in (False, True):
        bpy.ops.wm.read_homefile(use_empty=True)
        _, bob = hanging_cube()
        collider = bob.omi_body.collider
        collider.source, collider.shape.type = "CUSTOM", "BOX"
        bob.omi_body.mass = 1.0 if is_edited else 7.0
        bpy.context.view_layer.update()
        preview = simulate(0)
        bob.omi_body.mass = 7.0
        bob.update_tag()
        for _ in range(20):
            preview.tick(bpy.context)
        found.append(world(bob))
        stop()
    assert found[0][2, 3] < -0.1
    np.testing.assert_allclose(found[1], found[0], atol=1e-6)


def test_the_overlay_itself_is_moved_and_coloured():
    _, _door, joint = add_door()
    live = live_scene(bpy.context.scene)
    drawn = SceneJoints(live)
    preview = PosePreview(bpy.context, joint)
    begin(preview)
    options = preview_options(bpy.context)
    number = None
    for value, state in (
        (0.5, State.NORMAL),
        (math.pi / 2.0, State.AT_LIMIT),
        (3.0, State.VIOLATED),
    ):
        options.past_limits = value == 3.0
        options.about_z = value
        preview.tick(bpy.context)
        live_scene(bpy.context.scene)
        drawn.refresh(bpy.context.view_layer, End.CONNECTED)
        number = int(np.flatnonzero(drawn.nodes == live.nodes.numbers[joint.session_uid])[0])
        assert drawn.states[number] == state
        np.testing.assert_allclose(drawn.arrays.frames[number, 0], world(joint), atol=1e-5)
    options.past_limits = False
    stop()
    drawn.refresh(bpy.context.view_layer, End.CONNECTED)
    assert drawn.states[number] == State.NORMAL


def test_looking_at_other_frames_keeps_unkeyed_edits_and_the_subframe():
    scene = bpy.context.scene
    obj = bpy.data.objects.new("Animated", None)
    scene.collection.objects.link(obj)
    obj["custom"] = 1.0
    for frame, place in ((1, 0.0), (11, 10.0)):
        obj.location.x, obj["custom"] = place, place
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert('["custom"]', frame=frame)
    scene.frame_set(3, subframe=0.25)
    obj.location, obj["custom"] = (7.1, 0.2, 0.3), 0.7
    before = dumped()
    matrices = world_matrices(scene, [obj], [1, 6, 11])
    assert matrices[:, 0, 0, 3] == pytest.approx([0.0, 5.0, 10.0])
    assert (scene.frame_current, scene.frame_subframe) == (3, 0.25)
    assert dumped() == before


def _strips(obj: Any, *, are_actions_gone: bool = False) -> None:
    data = obj.animation_data
    action = data.action
    data.nla_tracks.new().strips.new("Slide", 1, action)
    data.action = None
    if are_actions_gone:
        bpy.data.actions.remove(action)


def _drivers(obj: Any) -> None:
    obj.animation_data_clear()
    obj.driver_add("location", 0).driver.expression = "frame - 1"


def _paths_that_lead_nowhere(obj: Any) -> None:
    limited = obj.constraints.new("LIMIT_LOCATION")
    limited.keyframe_insert("influence", frame=1)
    obj.constraints.remove(limited)


def _words(obj: Any) -> None:
    for frame, kind in ((1, "STATIC"), (5, "KINEMATIC")):
        obj.omi_body.motion_type = kind
        obj.keyframe_insert("omi_body.motion_type", frame=frame)
        obj.rotation_mode = "XYZ"
        obj.keyframe_insert("rotation_mode", frame=frame)


@pytest.mark.parametrize(
    ("animate", "places"),
    [
        (_strips, [0.0, 5.0, 10.0]),
        (lambda obj: _strips(obj, are_actions_gone=True), [7.0, 7.0, 7.0]),
        (_drivers, [0.0, 5.0, 10.0]),
        (_paths_that_lead_nowhere, [0.0, 5.0, 10.0]),
        (_words, [0.0, 5.0, 10.0]),
    ],
    ids=["strips", "strips without actions", "drivers", "paths that lead nowhere", "words"],
)
def test_looking_at_frames_of_any_animation_keeps_unkeyed_edits(animate, places):
    scene = bpy.context.scene
    obj = bpy.data.objects.new("Animated", None)
    scene.collection.objects.link(obj)
    for frame, place in ((1, 0.0), (11, 10.0)):
        obj.location.x = place
        obj.keyframe_insert("location", frame=frame)
    for curve in curves_of(obj.animation_data):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    animate(obj)
    scene.frame_set(4)
    obj.location, obj.omi_body.motion_type, obj.rotation_mode = (7.0, 0.2, 0.3), "DYNAMIC", "ZYX"
    before = dumped()
    matrices = world_matrices(scene, [obj], [1, 6, 11])
    assert matrices[:, 0, 0, 3] == pytest.approx(places)
    assert dumped() == before


def keyed(owner: Any, path: str, *values: Any) -> None:
    """Key values at frames 1, 11 and so on."""
    name = path.rpartition(".")[2]
    for number, value in enumerate(values):
        if path.startswith("["):
            owner[bpy.utils.unescape_identifier(path[2:-2])] = value
        else:
            setattr(owner, name, value)
        owner.keyframe_insert(path, frame=1 + 10 * number)


def empty(name: str = "Animated") -> Any:
    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def node_of_a_material() -> None:
    material = bpy.data.materials.new("Material")
    add_cube("Cube", (0.0, 0.0, 0.0)).data.materials.append(material)
    if bpy.app.version < (5, 0):
        material.use_nodes = True
    value = material.node_tree.nodes.new("ShaderNodeValue").outputs[0]
    keyed(value, "default_value", 0.0, 1.0)
    value.default_value = 7.0


def custom_properties_of_odd_names() -> None:
    bpy.ops.object.armature_add()
    bone, name = bpy.context.object.pose.bones[0], 'a.b ["c"] \\'
    keyed(bone, f'["{bpy.utils.escape_identifier(name)}"]', 0.0, 1.0)
    keyed(bone, '["numbers"]', (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    bone[name], bone["numbers"] = 0.7, (0.1, 0.2, 0.3)


def strips_below_a_meta_strip() -> None:
    obj = empty()
    keyed(obj, "location", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    data = obj.animation_data
    track, action = data.nla_tracks.new(), data.action
    strips = [track.strips.new("Strip", start, action) for start in (1, 20)]
    data.action = None
    for strip in strips:
        strip.select = True
    area = bpy.context.window.screen.areas[0]
    kind, area.type = area.type, "NLA_EDITOR"
    region = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(area=area, region=region):
        assert bpy.ops.nla.meta_add() == {"FINISHED"}
    area.type = kind
    assert [strip.type for strip in track.strips] == ["META"]
    obj.location = (0.1, 0.2, 0.3)


def camera_of_markers() -> None:
    scene = bpy.context.scene
    cameras = [bpy.data.objects.new(name, bpy.data.cameras.new(name)) for name in "AB"]
    for frame, camera in zip((1, 8), cameras, strict=True):
        scene.collection.objects.link(camera)
        scene.timeline_markers.new(camera.name, frame=frame).camera = camera
    scene.camera = cameras[1]


def mode_of_rotation() -> None:
    obj = empty()
    keyed(obj, "rotation_mode", "XYZ")
    keyed(obj, "rotation_euler", (0.3, 0.2, 0.1))
    obj.rotation_mode = "QUATERNION"
    obj.rotation_euler, obj.rotation_quaternion = (1.0, 2.0, -0.0), (0.5, 0.1, -0.7, 0.2)


def subframe_before_zero() -> None:
    bpy.context.scene.frame_set(-7, subframe=0.75)


@pytest.mark.parametrize(
    "edit",
    [
        node_of_a_material,
        custom_properties_of_odd_names,
        strips_below_a_meta_strip,
        camera_of_markers,
        mode_of_rotation,
        subframe_before_zero,
    ],
)
def test_looking_at_other_frames_keeps_whatever_was_edited(edit):
    scene, obj = bpy.context.scene, empty("Moving")
    keyed(obj, "location", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    scene.frame_set(3)
    edit()
    # Where the frame changed, animation was evaluated: from here on nothing is.
    before = dumped(ALL_ANIMATED)
    assert len(world_matrices(scene, [obj], [1, 6, 11])) == 3
    assert dumped(ALL_ANIMATED) == before


@pytest.mark.parametrize("options", [{}, {"tolerance": 0.01}, {"blend": 2}])
def test_bake_leaves_other_animated_objects_and_the_bodies_where_they_are(options):
    _, bob = hanging_cube()
    other = empty()
    keyed(other, "location", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    bpy.context.scene.frame_set(3, subframe=0.25)
    other.location, bob.scale = (7.1, 0.2, 0.3), (1.1, 1.2, 1.3)
    bpy.context.view_layer.update()
    before = channels(), np.array(bob.matrix_world)
    assert bpy.ops.omi.preview_bake(frames=5, **options) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert channels() == before[0]
    np.testing.assert_array_equal(np.array(bob.matrix_world), before[1])


def test_a_preview_of_animated_bodies_keeps_unkeyed_edits():
    hanging_cube()
    beam = bpy.data.objects["Beam"]
    beam.keyframe_insert("location", frame=1)
    beam.location.x = 0.5
    before = dumped()
    simulate()
    assert dumped() == before
    stop()
    assert dumped() == before
