"""omi.joint_add: which bodies, which frames, which settings."""

from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.meaning.presets import PRESETS, Preset
from omi_joints_addon.core.meaning.recognition import joint_kind
from tests.blender.scenes import add_cube, add_door, add_joint, add_rope, rows, select
from tests.whole_check import scene_findings


def is_unscaled(obj: Any) -> bool:
    axes = np.array(obj.matrix_world)[:3, :3]
    return np.allclose(axes.T @ axes, np.eye(3), atol=1e-5)


def test_pair_puts_the_joint_under_the_selected_body_and_connects_the_active_one() -> None:
    wall, door, joint = add_door()
    connected = joint.omi_joint.connected_object
    assert (joint.parent, connected.parent) == (door, wall)
    assert (joint.name, connected.name) == ("Door to Wall Joint", "Door to Wall Connected")
    assert (joint.empty_display_type, connected.empty_display_type) == ("PLAIN_AXES", "PLAIN_AXES")
    # Small: the overlay draws the frames, at a size of its own.
    assert joint.empty_display_size < 0.1 * max(door.dimensions) < joint.omi_joint.display_size
    assert (door.omi_body.motion_type, wall.omi_body.motion_type) == ("DYNAMIC", "STATIC")
    assert bpy.context.selected_objects == [joint]


def test_motion_types_that_are_set_stay() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    wall.omi_body.motion_type, door.omi_body.motion_type = "DYNAMIC", "KINEMATIC"
    add_joint(wall, door)
    assert (wall.omi_body.motion_type, door.omi_body.motion_type) == ("DYNAMIC", "KINEMATIC")


def test_rigid_bodies_keep_their_own_type_and_collection() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    bpy.ops.rigidbody.world_add()
    select(wall)
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    joint = add_joint(wall, door)
    assert wall.omi_body.motion_type == "NONE"
    members = set(bpy.context.scene.rigidbody_world.collection.objects)
    assert members == {wall}
    assert joint.rigid_body is None


def test_single_body_is_held_by_a_static_empty() -> None:
    fan = add_cube("Fan", (1.0, 2.0, 3.0))
    joint = add_joint(fan, preset="HINGE_MOTOR")
    anchor = joint.omi_joint.connected_object.parent
    assert anchor.type == "EMPTY"
    assert anchor.omi_body.motion_type == "STATIC"
    assert anchor.parent is None
    assert fan.omi_body.motion_type == "DYNAMIC"
    np.testing.assert_allclose(anchor.matrix_world.translation, (1.0, 2.0, 3.0), atol=1e-6)


@pytest.mark.parametrize("preset", list(Preset))
def test_every_preset_gives_its_own_settings(preset: Preset) -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    joint = add_joint(wall, door, preset=preset.name)
    settings = joint.omi_joint.settings_to_core()
    expected = PRESETS[preset].build()
    assert joint_kind(settings) == joint_kind(expected)
    assert len(settings.limits) == len(expected.limits)
    for limit, wanted in zip(settings.limits, expected.limits, strict=True):
        assert (limit.linear_axes, limit.angular_axes) == (wanted.linear_axes, wanted.angular_axes)
        assert (limit.min, limit.max) == pytest.approx((wanted.min, wanted.max))
    for drive, wanted in zip(settings.drives, expected.drives, strict=True):
        assert (drive.type, drive.axis) == (wanted.type, wanted.axis)
        assert drive.position_target == pytest.approx(wanted.position_target)
        assert drive.velocity_target == pytest.approx(wanted.velocity_target)
        assert drive.stiffness == pytest.approx(wanted.stiffness)
        assert drive.damping == pytest.approx(wanted.damping)
        assert drive.max_force == pytest.approx(wanted.max_force)


def test_parameters_reach_the_limits_as_the_shortest_decimal() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    joint = add_joint(wall, door, preset="SLIDER", min_distance=0.0, max_distance=0.35)
    moving = joint.omi_joint.settings_to_core().limits[-1]
    assert (moving.min, moving.max) == (0.0, 0.35)


def test_range_can_be_left_out() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    joint = add_joint(wall, door, preset="HINGE", use_range=False)
    limits = joint.omi_joint.settings_to_core().limits
    assert [limit.angular_axes for limit in limits] == [(), (0, 1)]


@pytest.mark.parametrize(
    "scale", [(1, 1, 1), (2, 2, 2), (1, 0.2, 3), (-1, 1, 1), (1e-3, 1, 1)], ids=str
)
def test_frames_coincide_unscaled_under_scaled_bodies(scale: Any) -> None:
    wall = add_cube("Wall", (0, 0, 0), rotation=(0.5, 0.1, 0.7))
    door = add_cube("Door", (3, 1, 0), rotation=(0.3, 0.2, 0.1))
    wall.scale = door.scale = scale
    joint = add_joint(wall, door, axis="Y")
    connected = joint.omi_joint.connected_object
    assert is_unscaled(joint)
    assert is_unscaled(connected)
    np.testing.assert_allclose(rows(joint.matrix_world), rows(connected.matrix_world), atol=1e-5)


def test_frames_are_unscaled_under_a_sheared_body() -> None:
    outer = add_cube("Outer", (0, 0, 0))
    outer.scale = (1, 3, 1)
    inner = add_cube("Inner", (2, 0, 0), rotation=(0, 0, 0.6))
    inner.parent = outer
    wall = add_cube("Wall", (9, 0, 0))
    joint = add_joint(wall, inner, axis="X")
    assert joint.parent == inner
    assert is_unscaled(joint)


def test_location_of_a_frame_is_in_the_body_s_space_in_metres() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    door.scale = (1.0, 0.5, 1.0)
    bpy.context.scene.cursor.location = (2.0, 1.0, 0.5)
    joint = add_joint(wall, door, pivot="CURSOR")
    np.testing.assert_allclose(joint.location, (-1.0, 1.0, 0.5), atol=1e-6)


def test_frames_are_linked_where_their_bodies_are() -> None:
    house, yard = (bpy.data.collections.new(name) for name in ("House", "Yard"))
    for collection in (house, yard):
        bpy.context.scene.collection.children.link(collection)
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    for obj, collection in ((wall, house), (door, yard)):
        bpy.context.scene.collection.objects.unlink(obj)
        collection.objects.link(obj)
    joint = add_joint(wall, door)
    assert joint.users_collection == (yard,)
    assert joint.omi_joint.connected_object.users_collection == (house,)


def test_each_to_active_shares_settings_when_asked() -> None:
    car = add_cube("Car", (0, 0, 0))
    wheels = [add_cube(f"Wheel {n}", (3, n, 0)) for n in range(4)]
    options = {"pattern": "EACH_TO_ACTIVE", "share_settings": True, "pivot": "SELECTED"}
    first = add_joint(car, *wheels, preset="HINGE_MOTOR", **options)
    joints = bpy.context.selected_objects
    assert sorted(joint.parent.name for joint in joints) == [wheel.name for wheel in wheels]
    sources = [joint.omi_joint.settings_source for joint in joints if joint != first]
    assert sources == [first] * 3
    for joint in joints:
        place = joint.parent.matrix_world.translation
        np.testing.assert_allclose(joint.matrix_world.translation, place, atol=1e-6)


def test_chain_goes_from_the_active_body_to_the_nearest_left() -> None:
    joints = add_rope(3)
    names = [(joint.parent.name, joint.omi_joint.connected_object.parent.name) for joint in joints]
    assert sorted(names) == [("Link 1", "Beam"), ("Link 2", "Link 1"), ("Link 3", "Link 2")]
    motions = [bpy.data.objects[name].omi_body.motion_type for name in ("Beam", "Link 1", "Link 3")]
    assert motions == ["STATIC", "DYNAMIC", "DYNAMIC"]


def test_chain_by_name_counts_numbers_by_value() -> None:
    first = add_cube("Part 1", (0, 0, 0))
    others = [add_cube(f"Part {n}", (-3.0 * n, 0, 0)) for n in (10, 2)]
    add_joint(first, *others, pattern="CHAIN", chain_order="NAME")
    names = {joint.name for joint in bpy.context.selected_objects}
    assert names == {"Part 2 to Part 1 Joint", "Part 10 to Part 2 Joint"}


def test_ring_closes_the_chain() -> None:
    joints = add_rope(3, use_ring=True)
    assert "Link 3 to Beam Joint" in {joint.name for joint in joints}
    assert len(joints) == 4


def test_part_of_a_body_stands_for_the_body() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    door.omi_body.motion_type = "DYNAMIC"
    handle = add_cube("Handle", (3, 0.5, 0))
    handle.parent = door
    joint = add_joint(wall, handle)
    assert joint.parent == door
    assert handle.omi_body.motion_type == "NONE"


def test_body_and_its_part_make_one_joint() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    door.omi_body.motion_type = "DYNAMIC"
    handle = add_cube("Handle", (3, 0.5, 0))
    handle.parent = door
    add_joint(wall, door, handle, pattern="EACH_TO_ACTIVE")
    assert [joint.parent for joint in bpy.context.selected_objects] == [door]


def test_parts_of_one_body_become_bodies_themselves() -> None:
    torso = add_cube("Torso", (0, 0, 0))
    torso.omi_body.motion_type = "DYNAMIC"
    arm = add_cube("Arm", (3, 0, 0))
    arm.parent = torso
    joint = add_joint(torso, arm)
    assert joint.parent == arm
    assert arm.omi_body.motion_type == "DYNAMIC"


def test_active_pair_refuses_three_bodies() -> None:
    cubes = [add_cube(name, (3.0 * n, 0, 0)) for n, name in enumerate("ABC")]
    select(*cubes)
    with pytest.raises(RuntimeError, match="two selected bodies"):
        bpy.ops.omi.joint_add(pattern="ACTIVE_PAIR")
    assert len(bpy.context.scene.objects) == 3


def test_frames_in_the_selection_are_no_bodies() -> None:
    wall, door, joint = add_door()
    select(wall, door, joint, joint.omi_joint.connected_object)
    assert bpy.ops.omi.joint_add(preset="SLIDER") == {"FINISHED"}
    assert bpy.context.object.parent == door


def test_numbers_of_a_preset_do_not_stay_when_the_redo_panel_chooses_another() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    redone = {"preset": "POSITION_SERVO", "shown_preset": "SUSPENSION_SPRING", "stiffness": 5.0}
    servo = add_joint(wall, door, **redone).omi_joint
    default = PRESETS[Preset.POSITION_SERVO].build().drives[0]
    assert servo.drives[0].stiffness == pytest.approx(default.stiffness)
    redone["shown_preset"] = "POSITION_SERVO"
    assert add_joint(wall, door, **redone).omi_joint.drives[0].stiffness == 5.0


def test_numbers_of_a_preset_do_not_stay_for_the_next() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    add_joint(wall, door, preset="SUSPENSION_SPRING", stiffness=5.0)
    servo = add_joint(wall, door, preset="POSITION_SERVO").omi_joint
    assert servo.drives[0].stiffness == PRESETS[Preset.POSITION_SERVO].build().drives[0].stiffness


def test_many_bodies_take_time_in_proportion() -> None:
    """5,000 bodies would take minutes if each joint searched the whole file."""
    beam = add_cube("Beam", (0, 0, 0))
    balls = []
    for n in range(1000):
        ball = bpy.data.objects.new(f"Ball {n}", None)
        bpy.context.scene.collection.objects.link(ball)
        balls.append(ball)
    bpy.context.view_layer.update()
    add_joint(beam, *balls, pattern="EACH_TO_ACTIVE", preset="PIN", share_settings=True)
    assert len(bpy.context.selected_objects) == 1000


@pytest.mark.parametrize("preset", list(Preset))
@pytest.mark.parametrize("count", [1, 2])
def test_no_preset_is_born_with_a_finding(preset: Preset, count: int) -> None:
    cubes = [add_cube(f"Cube {n}", (2.5 * n, 0, 0)) for n in range(count)]
    add_joint(*cubes, preset=preset.name)
    assert scene_findings(bpy.context.scene) == []


def test_chain_of_nine_links_is_a_rope_of_eight_joints_from_the_active_one_on() -> None:
    links = [add_cube(f"Link {n}", (0.0, 0.0, -2.5 * n)) for n in range(9)]
    shuffled = [links[n] for n in (0, 5, 2, 8, 1, 7, 3, 6, 4)]
    add_joint(*shuffled, preset="PIN", pattern="CHAIN")
    joints = [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]
    tied = [(joint.parent, joint.omi_joint.connected_object.parent) for joint in joints]
    assert tied == [(links[n], links[n - 1]) for n in range(1, 9)]


def test_new_frames_go_to_the_collection_that_the_preferences_name() -> None:
    preferences = bpy.context.preferences.addons["omi_joints_addon"].preferences
    preferences.frame_collection = "Frames"
    try:
        joint = add_door()[2]
    finally:
        preferences.frame_collection = ""
    frames = bpy.data.collections["Frames"]
    assert set(frames.objects) == {joint, joint.omi_joint.connected_object}
    assert joint.users_collection == (frames,)
    assert frames.name in bpy.context.scene.collection.children


def test_bodies_that_a_joint_makes_collide() -> None:
    wall, door, _ = add_door()
    for body in (wall, door):
        assert body.omi_body.collider.source == "CUSTOM"
        assert body.omi_body.collider.shape.type == "BOX"
        assert tuple(body.omi_body.collider.shape.size) == (2.0, 2.0, 2.0)
    assert door.omi_body.mass == 1.0


@pytest.mark.parametrize(("shape", "type_"), [("BOX", "BOX"), ("CONVEX", "CONVEX")])
def test_shape_of_new_bodies_is_chosen(shape: str, type_: str) -> None:
    ball, door = add_cube("Ball", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    add_joint(ball, door, shape=shape)
    assert [obj.omi_body.collider.shape.type for obj in (ball, door)] == [type_, type_]


def test_no_shape_is_a_choice_that_a_finding_names() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    add_joint(wall, door, shape="NONE")
    bpy.context.view_layer.update()
    found = [item.place for item in scene_findings(bpy.context.scene) if item.code == "OMI-B016"]
    assert found == ["Door"]


def test_mass_is_density_times_volume_in_the_world() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    door.scale = (0.5, 0.03, 1.0)  # 1 m x 6 cm x 2 m
    add_joint(wall, door, use_density=True, density=600.0)
    assert door.omi_body.mass == pytest.approx(600.0 * 1.0 * 0.06 * 2.0)
    assert wall.omi_body.mass == 1.0, "nothing moves it"


def test_bodies_and_shapes_that_exist_stay() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    wall.omi_body.collider.source = "CUSTOM"
    wall.omi_body.collider.shape.type, wall.omi_body.collider.shape.radius = "SPHERE", 0.25
    door.omi_body.motion_type, door.omi_body.mass = "DYNAMIC", 4.0
    add_joint(wall, door, use_density=True)
    assert (wall.omi_body.motion_type, wall.omi_body.collider.shape.type) == ("STATIC", "SPHERE")
    assert (door.omi_body.collider.source, door.omi_body.mass) == ("AUTO", 4.0)


def test_an_empty_with_meshes_below_has_their_shapes() -> None:
    wall, part = add_cube("Wall", (0, 0, 0)), add_cube("Part", (3, 0, 0))
    body = bpy.data.objects.new("Body", None)
    bpy.context.collection.objects.link(body)
    part.parent = body
    add_joint(wall, body)
    assert body.omi_body.motion_type == "DYNAMIC"
    assert body.omi_body.collider.source == "AUTO"
    assert (part.omi_body.motion_type, part.omi_body.collider.shape.type) == ("NONE", "BOX")


@pytest.mark.parametrize(("anchor", "type_"), [("Frame", "TRIMESH"), ("Door", "BOX")])
def test_a_hollow_body_keeps_its_opening_if_it_never_moves(anchor: str, type_: str) -> None:
    """A frame of three beams, as one mesh: a hull would fill the doorway."""
    for place, size in (((-1, 0, 1), (0.1, 0.1, 2)), ((1, 0, 1), (0.1, 0.1, 2))):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=place, scale=size)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0, 0, 2), scale=(2.1, 0.1, 0.1))
    frame = bpy.context.object
    select(frame, *bpy.context.scene.objects)
    bpy.ops.object.join()
    frame.name = "Frame"
    door = add_cube("Door", (0, 3, 1))
    pair = (frame, door) if anchor == "Frame" else (door, frame)
    add_joint(*pair)
    found = frame.omi_body.collider.shape.type
    assert found == type_


def test_an_armature_is_refused_with_what_to_do_instead() -> None:
    wall = add_cube("Wall", (0, 0, 0))
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.collection.objects.link(rig)
    select(wall, rig)
    with pytest.raises(RuntimeError, match="Rig is an armature: all of it would become one body"):
        bpy.ops.omi.joint_add(preset="BALL_WITH_CONE")
    assert bpy.ops.omi.body_add() == {"FINISHED"}
    assert (wall.omi_body.motion_type, rig.omi_body.motion_type) == ("DYNAMIC", "NONE")
    select(rig)
    with pytest.raises(RuntimeError, match="Rig is an armature"):
        bpy.ops.omi.body_add()


def test_the_holding_body_can_move_too() -> None:
    chassis, wheel = add_cube("Chassis", (0.0, 0.0, 0.5)), add_cube("Wheel", (3.0, 0.0, 0.0))
    add_joint(chassis, wheel, preset="HINGE", holder="DYNAMIC")
    assert chassis.omi_body.motion_type == wheel.omi_body.motion_type == "DYNAMIC"
    wall, door = add_cube("Wall", (9.0, 0.0, 0.5)), add_cube("Door", (12.0, 0.0, 0.0))
    add_joint(wall, door, preset="HINGE")
    assert (wall.omi_body.motion_type, door.omi_body.motion_type) == ("STATIC", "DYNAMIC")
    other = add_cube("Other", (15.0, 0.0, 0.0))
    add_joint(wall, other, preset="HINGE", holder="DYNAMIC")
    assert wall.omi_body.motion_type == "STATIC"
