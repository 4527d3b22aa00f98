"""Blender's own rigid bodies move the way the joints say, and vanish without a trace."""

import json
import math
from itertools import pairwise
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from tests.blender.scenes import add_cube, select

pytestmark = pytest.mark.usefixtures("empty_scene")


def jointed(settings, *, gravity, place=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0)):
    """Return a dynamic cube at `place`, jointed to a static one, both frames at the origin.

    `turn` is that of both frames in the world [rad].
    """
    bpy.context.scene.gravity = gravity
    wall, body = add_cube("Wall", (0.0, 0.0, 0.0)), add_cube("Body", place)
    wall.omi_body.motion_type, body.omi_body.motion_type = "STATIC", "DYNAMIC"
    ends = []
    for name, parent in (("Joint", wall), ("End", body)):
        end = bpy.data.objects.new(name, None)
        bpy.context.scene.collection.objects.link(end)
        end.parent = parent
        end.matrix_parent_inverse = parent.matrix_world.inverted()
        end.rotation_euler = turn
        ends.append(end)
    bpy.context.view_layer.update()
    joint = ends[0].omi_joint
    joint.enabled = True
    joint.connected_object = ends[1]
    joint.settings_from_core(settings)
    select(ends[0])
    return body


def played(body, frames):
    """Return the world matrix of a body after Blender's own playback."""
    scene = bpy.context.scene
    scene.frame_end = frames
    scene.rigidbody_world.point_cache.frame_end = frames
    for frame in range(1, frames + 1):
        scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    return np.array(body.evaluated_get(graph).matrix_world)


@pytest.mark.parametrize("options", [{}, {"export_hierarchy_flatten_objs": True}])
def test_an_export_knows_nothing_of_the_preview(tmp_path, options):
    jointed(JointSettings(limits=presets.hinge().limits), gravity=(0, 0, -9.81))
    loose = add_cube("Loose", (5.0, 0.0, 0.0))
    loose.omi_body.motion_type = "DYNAMIC"
    joint = bpy.data.objects.new("World Joint", None)
    bpy.context.scene.collection.objects.link(joint)
    joint.parent = loose
    end = bpy.data.objects.new("World End", None)
    bpy.context.scene.collection.objects.link(end)
    joint.omi_joint.enabled, joint.omi_joint.connected_object = True, end
    bpy.context.scene.omi_gltf.export_constraints = True

    def exported() -> dict[str, Any]:
        bpy.ops.export_scene.gltf(
            filepath=str(tmp_path / "file.gltf"),
            export_format="GLTF_SEPARATE",
            export_extras=True,
            **options,
        )
        return json.loads((tmp_path / "file.gltf").read_text())

    before = exported()
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    assert len(bpy.context.scene.objects) > 8
    assert exported() == before
    bpy.ops.omi.rigid_body_preview_clean()
    assert exported() == before


def counts():
    data = bpy.data
    return (
        [len(kind) for kind in (data.objects, data.meshes, data.collections)],
        bpy.context.scene.rigidbody_world is None,
        [obj.rigid_body is None for obj in data.objects],
        sorted(bpy.context.scene.keys()),
        [
            sorted(key for key in set(obj.keys()) if key.startswith("omi_rigid"))
            for obj in data.objects
        ],
    )


def test_constraints_are_freed_before_their_bodies_where_another_file_is_opened():
    """Blender frees objects in this order, and may crash where a body goes before them."""
    jointed(presets.slider(axis=0), gravity=(0.0, 0.0, -9.81))
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    are_constraints = [obj.rigid_body_constraint is not None for obj in bpy.data.objects]
    assert are_constraints == sorted(are_constraints, reverse=True)
    assert any(are_constraints)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_asymmetric_slider_stops_at_the_right_end(sign):
    settings = presets.slider(axis=0, min_distance=-0.2, max_distance=0.6)
    body = jointed(settings, gravity=(5.0 * sign, 0.0, 0.0))
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    place = played(body, 60)[0, 3]
    assert place == pytest.approx(0.6 if sign > 0 else -0.2, abs=0.02)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_asymmetric_hinge_stops_at_the_right_end(sign):
    settings = presets.hinge(axis=2, min_angle=-0.3, max_angle=0.7)
    body = jointed(settings, gravity=(0.0, 5.0 * sign, 0.0), place=(3.0, 0.0, 0.0))
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    matrix = played(body, 100)
    angle = math.atan2(matrix[1, 0], matrix[0, 0])
    assert angle == pytest.approx(0.7 if sign > 0 else -0.3, abs=0.03)


@pytest.mark.parametrize(("kind", "axis"), [("linear", 0), ("linear", 1), ("angular", 2)])
def test_motor_turns_the_right_way(kind, axis):
    drive = JointDrive(type=kind, axis=axis, velocity_target=1.0, damping=100.0, max_force=1000.0)
    base = presets.slider if kind == "linear" else presets.hinge
    wide = (
        {"min_distance": -9.0, "max_distance": 9.0}
        if kind == "linear"
        else {"min_angle": -3.0, "max_angle": 3.0}
    )
    settings = JointSettings(limits=base(axis=axis, **wide).limits, drives=(drive,))
    body = jointed(settings, gravity=(0.0, 0.0, 0.0))
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    matrix = played(body, 24)
    moved = matrix[axis, 3] if kind == "linear" else math.atan2(matrix[1, 0], matrix[0, 0])
    assert moved > 0.3


TURNS = ((0.0, 0.0, 0.0), (0.4, -0.7, 1.1))
SECONDS = 24.0 / 24.0
"""What 25 frames take, the first of them at rest."""


def pulled(settings, axis, turn):
    """Return a body of 2 kg on a slider that gravity pulls against `axis`, and the axis."""
    way = np.array(Euler(turn).to_matrix())[:, axis]
    body = jointed(settings, gravity=(-9.81 * way).tolist(), turn=turn)
    body.omi_body.mass = 2.0
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    return body, way


def slider_with(axis, **drive):
    limits = presets.slider(axis=axis, min_distance=-90.0, max_distance=90.0).limits
    return JointSettings(limits=limits, drives=(JointDrive(type="linear", axis=axis, **drive),))


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_motor_along_turned_axis_keeps_its_speed(axis, turn):
    settings = slider_with(axis, velocity_target=2.5, damping=100.0, max_force=1000.0)
    body, way = pulled(settings, axis, turn)
    moved = played(body, 25)[:3, 3]
    np.testing.assert_allclose(moved, 2.5 * SECONDS * way, atol=0.15)


def test_motor_too_weak_for_gravity_slows_the_fall():
    settings = slider_with(2, velocity_target=2.5, damping=100.0, max_force=12.0)
    body, way = pulled(settings, 2, TURNS[0])
    moved = played(body, 25)[:3, 3] @ way
    assert moved == pytest.approx(-0.5 * (9.81 - 12.0 / 2.0) * SECONDS**2, rel=0.1)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_spring_carries_the_weight(axis, turn):
    settings = slider_with(axis, position_target=0.0, stiffness=100.0, damping=10.0)
    body, way = pulled(settings, axis, turn)
    moved = played(body, 250)[:3, 3]
    np.testing.assert_allclose(moved, -2.0 * 9.81 / 100.0 * way, atol=0.01)


def test_spring_turns_the_body_as_far_as_its_weight_asks():
    drive = JointDrive(type="angular", axis=2, position_target=0.0, stiffness=50.0, damping=10.0)
    settings = JointSettings(
        limits=presets.hinge(axis=2, min_angle=-1.5, max_angle=1.5).limits, drives=(drive,)
    )
    body = jointed(settings, gravity=(0.0, -2.0, 0.0), place=(3.0, 0.0, 0.0))
    body.omi_body.mass = 2.0
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    matrix = played(body, 250)
    angle = math.atan2(matrix[1, 0], matrix[0, 0])
    assert 50.0 * angle == pytest.approx(-2.0 * 2.0 * 3.0 * math.cos(angle), rel=0.1)


def test_clean_removes_every_trace():
    jointed(presets.pin(), gravity=(0.0, 0.0, -9.81))
    before = counts()
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    assert counts() != before
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    assert counts() == before


def test_a_body_on_the_world_swings_about_the_pivot_and_does_not_hit_it():
    hinge = presets.hinge(axis=2, min_angle=-3.0, max_angle=3.0)
    body = jointed(hinge, gravity=(0.0, -9.81, 0.0), place=(0.9, 0.0, 0.0))
    # What the joint is on is no body any more, and out of the way.
    bpy.data.objects["Wall"].omi_body.motion_type = "NONE"
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    places = [played(body, frames)[:3, 3] for frames in (6, 12, 18)]
    np.testing.assert_allclose([np.linalg.norm(place) for place in places], 0.9, atol=0.02)
    # A cube of 2 m that swings from level at 0.9 m has I/m = 0.9² + (2² + 2²) / 12 about there.
    first = math.atan2(places[0][1], places[0][0])
    turning = 9.81 * 0.9 / (0.81 + 8.0 / 12.0)
    assert first == pytest.approx(-0.5 * turning * (5.0 / 24.0) ** 2, rel=0.15)
    assert all(before[1] > after[1] for before, after in pairwise(places))


def test_what_was_moved_just_now_is_built_where_it_is():
    settings = slider_with(2, position_target=0.0, stiffness=100.0, damping=10.0)
    body = jointed(settings, gravity=(0.0, 0.0, -9.81))
    bpy.data.objects["Wall"].location = body.location = (3.0, 4.0, 5.0)
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    np.testing.assert_allclose(played(body, 250)[:3, 3], (3.0, 4.0, 5.0 - 9.81 / 100.0), atol=0.01)


def test_what_was_built_can_be_cleaned_in_another_file(tmp_path):
    jointed(presets.pin(), gravity=(0.0, 0.0, -9.81))
    names = set(bpy.data.objects.keys())
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    file = tmp_path / "built.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(file)) as (names_there, loaded):
        loaded.objects = names_there.objects
    for obj in loaded.objects:
        bpy.context.scene.collection.objects.link(obj)
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    assert set(bpy.data.objects.keys()) == names
    assert all(obj.rigid_body is None for obj in bpy.data.objects)
    assert not bpy.ops.omi.rigid_body_preview_clean.poll()


def test_clean_keeps_a_collection_that_was_chosen_since():
    body = jointed(presets.pin(), gravity=(0.0, 0.0, -9.81))
    bpy.ops.rigidbody.world_add()
    world = bpy.context.scene.rigidbody_world
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    mine, own = bpy.data.collections.new("Mine"), bpy.data.objects.new("Own", None)
    bpy.context.scene.collection.objects.link(own)
    world.constraints = mine
    mine.objects.link(own)
    played(body, 5)
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    assert world.constraints == mine
    assert own.rigid_body_constraint is not None
    assert [collection.name for collection in bpy.data.collections] == ["Mine"]


def test_clean_keeps_a_world_and_bodies_that_were_there():
    body = jointed(presets.pin(), gravity=(0.0, 0.0, -9.81))
    bpy.ops.rigidbody.world_add()
    collection = bpy.data.collections.new("Mine")
    bpy.context.scene.rigidbody_world.collection = collection
    collection.objects.link(body)
    before = counts()
    bpy.ops.omi.rigid_body_preview_build()
    bpy.ops.omi.rigid_body_preview_clean()
    assert counts() == before
    assert bpy.context.scene.rigidbody_world.collection == collection


def everything():
    """Return the names of all data and which objects have rigid bodies and custom properties."""
    groups = ("objects", "meshes", "collections")
    names = {group: sorted(item.name for item in getattr(bpy.data, group)) for group in groups}
    state = {
        obj.name: (obj.rigid_body is None, "omi_rigid_body_preview" in obj, obj.hide_viewport)
        for obj in bpy.data.objects
    }
    return names, state, bpy.context.scene.rigidbody_world is None, sorted(bpy.context.scene.keys())


def test_clean_takes_the_rigid_body_off_hidden_bodies():
    body = jointed(JointSettings(limits=presets.hinge().limits), gravity=(0, 0, -9.81))
    body.hide_viewport = True
    before = everything()
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    assert body.rigid_body is not None
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    assert everything() == before
    assert bpy.ops.omi.rigid_body_preview_build.poll()


def test_clean_copes_with_a_world_that_was_removed():
    jointed(JointSettings(limits=presets.hinge().limits), gravity=(0, 0, -9.81))
    before = everything()
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    bpy.ops.rigidbody.world_remove()
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    assert everything() == before
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    assert everything() == before


def test_a_linked_body_is_left_alone(tmp_path):
    body = jointed(JointSettings(limits=presets.hinge().limits), gravity=(0, 0, -9.81))
    file = tmp_path / "library.blend"
    bpy.data.libraries.write(str(file), {body})
    end = bpy.data.objects["End"]
    bpy.data.objects.remove(body)
    with bpy.data.libraries.load(str(file), link=True) as (_, loaded):
        loaded.objects = ["Body"]
    (linked,) = loaded.objects
    bpy.context.scene.collection.objects.link(linked)
    end.parent = linked
    bpy.context.view_layer.update()
    before = everything()
    bpy.ops.omi.rigid_body_preview_build()
    assert linked.rigid_body is None
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    assert everything() == before


@pytest.mark.parametrize("is_own", [False, True])
def test_a_played_preview_is_cleaned_without_a_crash(is_own):
    body = jointed(JointSettings(limits=presets.hinge().limits), gravity=(0, 0, -9.81))
    if is_own:
        select(body)
        bpy.ops.rigidbody.object_add()
    for _ in range(3):
        assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
        played(body, 5)
        assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
        for frame in (1, 2, 3):
            bpy.context.scene.frame_set(frame)


def test_clean_keeps_what_the_user_has_added_to_the_world():
    jointed(presets.pin(), gravity=(0.0, 0.0, -9.81))
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    bpy.ops.mesh.primitive_cube_add(location=(9.0, 0.0, 0.0))
    crate = bpy.context.object
    bpy.ops.rigidbody.object_add()
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    world = bpy.context.scene.rigidbody_world
    assert [obj.name for obj in world.collection.objects] == [crate.name]
    assert [obj for obj in bpy.data.objects if obj.rigid_body or obj.rigid_body_constraint] == [
        crate
    ]
    tagged = (*bpy.data.objects, *bpy.data.collections, *bpy.data.scenes)
    assert not any("omi_rigid_body_preview" in each for each in tagged)
    assert bpy.ops.omi.rigid_body_preview_build.poll()


def test_clean_takes_the_rigid_body_off_a_body_that_has_left_the_scene():
    body = jointed(presets.pin(), gravity=(0.0, 0.0, -9.81))
    body.use_fake_user = True
    before = counts()
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    bpy.context.scene.collection.objects.unlink(body)
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    bpy.context.scene.collection.objects.link(body)
    assert counts() == before


def test_clean_leaves_the_preview_of_another_scene():
    jointed(presets.pin(), gravity=(0.0, 0.0, -9.81))
    scene = bpy.context.scene
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    built = counts()
    # A new scene with copied settings has the note of what was made, too.
    bpy.ops.scene.new(type="EMPTY")
    assert bpy.ops.omi.rigid_body_preview_clean() == {"FINISHED"}
    bpy.context.window.scene = scene
    assert counts() == built
    assert scene.rigidbody_world.constraints is not None


def hanging(settings, *, force=math.inf, torque=math.inf, place=(0.0, 0.0, -2.0)):
    """Return a body of 2.7 kg whose joint at the origin breaks, as it is built."""
    body = jointed(settings, gravity=(0.0, 0.0, -9.81), place=place)
    body.omi_body.mass = 2.7
    attributes = bpy.data.objects["Joint"].omi_joint.attributes
    attributes.break_force, attributes.break_torque = force, torque
    assert bpy.ops.omi.rigid_body_preview_build() == {"FINISHED"}
    world = bpy.context.scene.rigidbody_world
    # Bullet comes near to what a joint holds only with enough iterations.
    world.solver_iterations = 60
    for each in world.collection.objects:
        each.rigid_body.use_deactivation = False
    return body


@pytest.mark.parametrize(("part", "holds"), [(0.97, False), (1.03, True)])
@pytest.mark.parametrize(("fps", "substeps"), [(24, None), (60, 7)])
def test_a_joint_breaks_by_the_weight_it_carries(part, holds, fps, substeps):
    """The threshold is that of Bullet's steps, also of the world that the preview makes."""
    if substeps is not None:
        bpy.ops.rigidbody.world_add()
        bpy.context.scene.rigidbody_world.substeps_per_frame = substeps
    bpy.context.scene.render.fps = fps
    body = hanging(presets.pin(), force=part * 2.7 * 9.81)
    place = played(body, fps // 2)[2, 3]
    assert (place == pytest.approx(-2.0, abs=0.05)) == holds
    assert (place < -2.6) == (not holds)


@pytest.mark.parametrize(("part", "holds"), [(0.9, False), (1.1, True)])
def test_a_joint_breaks_by_the_torque_it_carries(part, holds):
    """Of a weld; Bullet's generic constraint holds bodies by their centers, without a torque."""
    body = hanging(presets.fixed(), torque=part * 2.7 * 9.81 * 3.0, place=(3.0, 0.0, 0.0))
    place = played(body, 12)[2, 3]
    assert (place == pytest.approx(0.0, abs=0.1)) == holds
    assert (place < -0.3) == (not holds)


def test_what_springs_and_motors_do_to_a_joint_that_breaks_is_named(capsys):
    """A spring along the axis carries the weight and breaks the joint, a motor goes on."""
    drives = (
        JointDrive(type="linear", axis=2, position_target=0.0, stiffness=900.0, damping=90.0),
        JointDrive(type="angular", axis=2, velocity_target=1.3, damping=9.0, max_force=30.0),
    )
    limits = presets.cylindrical(axis=2, min_distance=-0.9, max_distance=0.9).limits
    body = hanging(JointSettings(limits=limits, drives=drives), force=0.8 * 2.7 * 9.81)
    matrix = played(body, 25)
    assert matrix[2, 3] < -4.0
    assert abs(math.atan2(matrix[1, 0], matrix[0, 0])) > 1.0
    said = capsys.readouterr().out
    assert "forces of its springs count when it breaks" in said
    assert "its motor goes on when it breaks" in said
