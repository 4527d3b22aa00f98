"""The pivot of a new joint: where two evaluated surfaces meet or come closest."""

import math
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.meaning.presets import PRESETS, Preset
from tests.blender.scenes import add_cube, add_joint, rows


def pivot(active: Any, other: Any, kind: str = "CLOSEST") -> Any:
    joint = add_joint(active, other, preset="PIN", pivot=kind)
    return np.array(joint.matrix_world.translation)


def test_facing_cubes_meet_in_the_middle_of_the_gap() -> None:
    """Faces at x = 1 and x = 2, overlapping in y from 0 to 1: the middle of that area."""
    place = pivot(add_cube("A", (0, 0, 0)), add_cube("B", (3, 1, 0)))
    np.testing.assert_allclose(place, (1.5, 0.5, 0.0), atol=1e-4)


def test_corner_to_face() -> None:
    """A cube turned by 45° about y and z points a corner at the other's face."""
    a = add_cube("A", (0, 0, 0))
    tip = math.sqrt(3.0)
    b = add_cube("B", (1.0 + tip + 0.5, 0.2, 0.1))
    b.rotation_mode = "QUATERNION"
    corner = np.array((-1.0, -1.0, -1.0))
    from mathutils import Vector

    b.rotation_quaternion = Vector(corner).rotation_difference(Vector((-1.0, 0.0, 0.0)))
    bpy.context.view_layer.update()
    np.testing.assert_allclose(pivot(a, b), (1.25, 0.2, 0.1), atol=1e-4)


def test_crossing_edges() -> None:
    """Two cubes turned so that an edge along y faces an edge along z across a gap of 0.4."""
    quarter = math.pi / 4.0
    half = math.sqrt(2.0)
    a = add_cube("A", (0, 0, 0), rotation=(0, quarter, 0))
    b = add_cube("B", (2 * half + 0.4, 0.3, 0.2), rotation=(0, 0, quarter))
    place = pivot(a, b)
    assert place[0] == pytest.approx(half + 0.2, abs=1e-4)
    assert abs(place[1] - 0.3) < 1e-4
    assert abs(place[2] - 0.0) < 1e-4


def test_overlapping_cubes_give_the_middle_of_the_crossing() -> None:
    """The surfaces cross around the box from (0.5, 0, -1) to (1, 1, 1)."""
    place = pivot(add_cube("A", (0, 0, 0)), add_cube("B", (1.5, 1.0, 0.0)))
    np.testing.assert_allclose(place, (0.75, 0.5, 0.0), atol=1e-4)


def test_touching_cubes_give_the_middle_of_the_contact() -> None:
    place = pivot(add_cube("A", (0, 0, 0)), add_cube("B", (2, 1, 0)))
    np.testing.assert_allclose(place, (1.0, 0.5, 0.0), atol=1e-4)


def test_ball_inside_a_box_takes_the_nearest_side() -> None:
    box = add_cube("Box", (0, 0, 0), scale=(5, 5, 5))
    ball = add_cube("Ball", (3, 0, 0), scale=(0.5, 0.5, 0.5))
    place = pivot(box, ball)
    assert place[0] == pytest.approx((5.0 + 3.5) / 2.0, abs=1e-4)


def test_modifiers_count() -> None:
    """An array doubles the cube to x = 3; the other starts at x = 4."""
    a = add_cube("A", (0, 0, 0))
    a.modifiers.new("Array", "ARRAY").count = 2
    np.testing.assert_allclose(pivot(a, add_cube("B", (5, 0, 0))), (3.5, 0, 0), atol=1e-4)


def test_dense_meshes_are_exact_to_their_resolution() -> None:
    for name, x in (("A", 0.0), ("B", 3.0)):
        bpy.ops.mesh.primitive_uv_sphere_add(segments=128, ring_count=64, location=(x, 0, 0))
        bpy.context.object.name = name
    place = pivot(bpy.data.objects["A"], bpy.data.objects["B"])
    np.testing.assert_allclose(place, (1.5, 0.0, 0.0), atol=1e-3)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("ACTIVE", (0.0, 0.0, 0.0)),
        ("SELECTED", (4.0, 2.0, 0.0)),
        ("MIDPOINT", (2.0, 1.0, 0.0)),
        ("CURSOR", (7.0, 8.0, 9.0)),
    ],
)
def test_pivots_at_origins_and_cursor(kind: str, wanted: Any) -> None:
    bpy.context.scene.cursor.location = (7.0, 8.0, 9.0)
    place = pivot(add_cube("A", (0, 0, 0)), add_cube("B", (4, 2, 0)), kind)
    np.testing.assert_allclose(place, wanted, atol=1e-6)


def test_bodies_without_surface_use_the_middle_between_origins() -> None:
    empty = bpy.data.objects.new("Empty", None)
    empty.location = (4, 0, 0)
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(pivot(add_cube("A", (0, 0, 0)), empty), (2, 0, 0), atol=1e-6)


def test_loose_edges_are_no_surface() -> None:
    mesh = bpy.data.meshes.new("Wire")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
    wire = bpy.data.objects.new("Wire", mesh)
    wire.location = (4, 0, 0)
    bpy.context.scene.collection.objects.link(wire)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(pivot(add_cube("A", (0, 0, 0)), wire), (2, 0, 0), atol=1e-6)


def test_random_tetrahedra_match_brute_force() -> None:
    """Distances between all pairs of sampled points bound the true distance from above."""
    random = np.random.default_rng(7)
    for _ in range(20):
        bodies = []
        for shift in (0.0, 3.0):
            mesh = bpy.data.meshes.new("Tetrahedron")
            corners = random.uniform(-1, 1, (4, 3)) + np.array((shift, 0, 0))
            mesh.from_pydata(corners.tolist(), [], [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)])
            obj = bpy.data.objects.new("Tetrahedron", mesh)
            bpy.context.scene.collection.objects.link(obj)
            bodies.append((obj, corners))
        bpy.context.view_layer.update()
        place = pivot(bodies[0][0], bodies[1][0])
        distances = [_distance_to_surface(place, corners) for _obj, corners in bodies]
        sampled = _sampled_distance(*(corners for _obj, corners in bodies), random)
        assert distances[0] == pytest.approx(distances[1], abs=1e-4)
        assert sum(distances) <= sampled + 1e-5


def _sample(corners: Any, random: Any, count: int) -> Any:
    faces = np.array([(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)])
    weights = random.dirichlet((0.4, 0.4, 0.4), count)
    return np.einsum("nk,nkd->nd", weights, corners[faces[random.integers(0, 4, count)]])


def _sampled_distance(one: Any, two: Any, random: Any) -> float:
    first, second = _sample(one, random, 1500), _sample(two, random, 1500)
    return float(np.linalg.norm(first[:, None] - second[None], axis=-1).min())


def _distance_to_surface(point: Any, corners: Any) -> float:
    from mathutils.bvhtree import BVHTree

    faces = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    return BVHTree.FromPolygons(corners.tolist(), faces).find_nearest(point.tolist())[3]


@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
@pytest.mark.parametrize("preset", ["HINGE", "SLIDER", "POSITION_SERVO"])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_axis_can_be_set_afterwards(axis: str, preset: str, is_reversed: bool) -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0), rotation=(0.3, 0.2, 0.1))
    expected = add_joint(wall, door, preset=preset, axis=axis, use_reverse=is_reversed)
    joint = add_joint(wall, door, preset=preset)
    connected = joint.omi_joint.connected_object
    assert bpy.ops.omi.joint_axis_set(axis=axis, use_reverse=is_reversed) == {"FINISHED"}
    bpy.context.view_layer.update()
    main = 2 if preset == "HINGE" else 0
    for frame in (joint, connected):
        np.testing.assert_allclose(
            frame.matrix_world.col[main], expected.matrix_world.col[main], atol=1e-5
        )
        np.testing.assert_allclose(
            frame.matrix_world.translation, expected.matrix_world.translation, atol=1e-6
        )
    np.testing.assert_allclose(rows(joint.matrix_world), rows(connected.matrix_world), atol=1e-5)


def add_wheel(name: str, location: Any, turn: float, **size: Any) -> Any:
    """Return a cylinder whose axis lies along Y, made by a quarter turn about X."""
    bpy.ops.mesh.primitive_cylinder_add(location=location, rotation=(turn, 0.0, 0.0), **size)
    bpy.context.object.name = name
    return bpy.context.object


@pytest.mark.parametrize("turn", [math.pi / 2.0, -math.pi / 2.0])
@pytest.mark.parametrize("preset", ["HINGE", "HINGE_MOTOR", "POSITION_SERVO"])
def test_a_wheel_turns_about_its_own_axis(preset: str, turn: float) -> None:
    """The chassis ends 15 cm above the axle: the surfaces come closest there, not on it."""
    chassis = add_cube("Chassis", (-2.0, 0.0, 1.0))
    chassis.scale = (1.0, 0.3, 0.4)  # its lowest face is at z = 0.6
    wheel = add_wheel("Wheel", (-3.0, -0.42, 0.45), turn, radius=0.35, depth=0.2)
    joint = add_joint(chassis, wheel, preset=preset)
    place = joint.matrix_world.translation
    axis = joint.matrix_world.col[PRESETS[Preset[preset]].axis].xyz
    np.testing.assert_allclose((place.x, place.z), (-3.0, 0.45), atol=1e-4)
    # The frames point backward: the numbers count about +Y, whichever way the mesh was turned.
    np.testing.assert_allclose(axis, (0.0, -1.0, 0.0), atol=1e-6)


def test_what_is_not_round_or_hinged_at_its_side_stays_where_it_touches() -> None:
    raft = add_wheel("Raft", (0.0, 0.0, 0.0), math.pi / 2.0, radius=0.1, depth=2.0)
    log = add_wheel("Log", (0.21, 0.0, 0.0), math.pi / 2.0, radius=0.1, depth=2.0)
    joint = add_joint(raft, log, preset="HINGE")
    assert joint.matrix_world.translation.x == pytest.approx(0.105, abs=1e-3)
    explicit = add_joint(raft, add_wheel("Other", (-0.5, 0, 0.0), math.pi / 2.0), pivot="CLOSEST")
    assert explicit.matrix_world.translation.x != pytest.approx(-0.5, abs=1e-3)


@pytest.mark.parametrize("preset", ["HINGE", "POSITION_SERVO"])
def test_a_mirrored_door_turns_the_same_way(preset: str) -> None:
    ways = []
    for sign in (1.0, -1.0):
        post, door = add_cube("Post", (0, 5 * sign, 0)), add_cube("Door", (0.56, 5 * sign, 0))
        post.scale, door.scale = (0.05, 0.05, 1.0), (sign * 0.5, 0.03, sign * 1.0)
        joint = add_joint(post, door, preset=preset)
        ways.append(joint.matrix_world.col[PRESETS[Preset[preset]].axis].xyz)
    np.testing.assert_allclose(ways, [(0, 0, -1), (0, 0, -1)], atol=1e-6)


@pytest.mark.parametrize(("size", "reach"), [(2.0, 0.5), (0.02, 0.005), (60.0, 15.0)])
def test_distances_are_proposed_by_the_size_of_the_body(size: float, reach: float) -> None:
    cabinet, drawer = add_cube("Cabinet", (0, 0, 0)), add_cube("Drawer", (size, 0, 0))
    cabinet.scale = drawer.scale = (size / 2.0,) * 3
    bpy.context.view_layer.update()
    joint = add_joint(cabinet, drawer, preset="SLIDER")
    limit = joint.omi_joint.settings_to_core().limits[-1]
    assert (limit.min, limit.max) == pytest.approx((-reach, reach))
    bpy.ops.omi.joint_preset_apply(preset="SUSPENSION_SPRING")
    limit = joint.omi_joint.settings_to_core().limits[-1]
    assert limit.max == pytest.approx(0.1 * size / 2.0)
    bpy.ops.omi.joint_preset_apply(preset="SLIDER", max_distance=0.7)
    assert joint.omi_joint.settings_to_core().limits[-1].max == pytest.approx(0.7)


def test_a_missed_shift_is_reported_and_mended(
    capfd: pytest.CaptureFixture[str],
) -> None:
    cabinet, drawer = add_cube("Cabinet", (0, 0, 0)), add_cube("Drawer", (3, 0, 0))
    add_cube("Lamp", (9, 0, 0))
    joint = add_joint(cabinet)
    assert "Cabinet to the world" in capfd.readouterr().out
    assert joint.omi_joint.connected_object.parent.name == "Cabinet World"
    joint = add_joint(cabinet, use_nearest=True)
    assert joint.omi_joint.connected_object.parent == drawer
