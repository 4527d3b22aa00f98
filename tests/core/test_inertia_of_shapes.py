"""Mass properties of shapes and meshes against closed forms."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.body import Collider
from omi_joints_addon.core.model.pose import Pose, rotation_matrix
from omi_joints_addon.core.model.shape import Box, Capsule, Cylinder, Shape, Sphere, Trimesh
from omi_joints_addon.core.shapes.hull import convex_hull
from omi_joints_addon.core.shapes.inertia import (
    Solid,
    combined,
    convex_solid,
    inertia_at,
    mesh_solid,
    placed,
    placed_all,
    primitive_solid,
    principal_axes,
)
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.registry import FORMATS
from tests.core.solver_scenes import SceneBuilder

CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
CUBE_TRIANGLES = np.array(
    (
        *((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)),
        *((2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)),
    )
)


def solid_of(shape: Shape) -> Solid:
    solid = primitive_solid(shape)
    assert solid is not None
    return solid


def numbers(solid: Solid) -> np.ndarray:
    return np.concatenate(([solid.volume], solid.center, solid.inertia.ravel()))


def revolved(profile: np.ndarray, sides: int = 480) -> tuple[np.ndarray, np.ndarray]:
    """Return a closed mesh of (height, radius) rows about Z; first and last radius are 0."""
    turn = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    z, r = profile[:, :1], profile[:, 1:]
    rings = np.stack((r * np.cos(turn), r * np.sin(turn), z + 0.0 * turn), axis=-1)
    first = np.arange(sides)
    second = (first + 1) % sides
    triangles = []
    for row in range(len(profile) - 1):
        low, high = row * sides, (row + 1) * sides
        triangles += [
            np.stack((low + first, low + second, high + second), axis=1),
            np.stack((low + first, high + second, high + first), axis=1),
        ]
    return rings.reshape(-1, 3), np.concatenate(triangles)


def test_box_by_hand():
    solid = solid_of(Box(size=(1.0, 2.0, 3.0)))
    assert solid.volume == pytest.approx(6.0)
    # m/12 (b² + c²), m = 6.
    assert np.diag(solid.inertia) == pytest.approx([6.5, 5.0, 2.5])


def test_sphere_by_hand():
    solid = solid_of(Sphere(radius=2.0))
    mass = 4.0 / 3.0 * math.pi * 8.0
    assert solid.volume == pytest.approx(mass)
    assert solid.inertia == pytest.approx(np.eye(3) * 0.4 * mass * 4.0)


def test_cylinder_by_hand_stands_on_z():
    shape = Cylinder(height=3.0, radius_bottom=0.5, radius_top=0.5)
    mass = math.pi * 0.25 * 3.0
    axial, transverse = mass * 0.25 / 2.0, mass * (3.0 * 0.25 + 9.0) / 12.0
    assert np.diag(solid_of(shape).inertia) == pytest.approx([transverse, transverse, axial])


def test_cone_by_hand():
    solid = solid_of(Cylinder(height=4.0, radius_bottom=1.0, radius_top=0.0))
    mass = math.pi * 4.0 / 3.0
    assert solid.volume == pytest.approx(mass)
    # The centre of a cone is a quarter of its height above its base.
    assert solid.center == pytest.approx([0.0, 0.0, -1.0])
    assert solid.inertia[2, 2] == pytest.approx(0.3 * mass)
    assert solid.inertia[0, 0] == pytest.approx(3.0 / 80.0 * mass * (4.0 + 16.0))


def test_frustum_is_a_cone_less_its_tip():
    cone = solid_of(Cylinder(height=4.0, radius_bottom=2.0, radius_top=0.0))
    tip = solid_of(Cylinder(height=2.0, radius_bottom=1.0, radius_top=0.0))
    frustum = solid_of(Cylinder(height=2.0, radius_bottom=2.0, radius_top=1.0))
    up = np.array((0.0, 0.0, 0.0, 1.0))
    parts = [
        placed(frustum, Pose(np.array((0.0, 0.0, -1.0)), up)),
        placed(tip, Pose(np.array((0.0, 0.0, 1.0)), up)),
    ]
    whole = combined(parts)
    assert whole is not None
    assert numbers(whole) == pytest.approx(numbers(cone), abs=1e-12)


def test_capsule_by_hand():
    radius, height = 0.5, 2.0
    solid = solid_of(Capsule(height=height, radius_bottom=radius, radius_top=radius))
    middle = math.pi * radius**2 * height
    caps = 4.0 / 3.0 * math.pi * radius**3
    assert solid.volume == pytest.approx(middle + caps)
    assert solid.inertia[2, 2] == pytest.approx(middle * radius**2 / 2.0 + caps * 0.4 * radius**2)
    # A half ball's centre is 3/8 of its radius off its disc.
    transverse = middle * (3.0 * radius**2 + height**2) / 12.0
    transverse += caps * (0.4 * radius**2 + height**2 / 4.0 + 3.0 / 8.0 * height * radius)
    assert solid.inertia[0, 0] == pytest.approx(transverse)


def test_tapered_capsule_against_a_fine_mesh_of_the_hull_of_its_two_spheres():
    shape = Capsule(height=2.0, radius_bottom=1.0, radius_top=0.4)
    sine = (shape.radius_bottom - shape.radius_top) / shape.height
    tilt = math.asin(sine)
    below = np.linspace(-math.pi / 2.0, tilt, 200)
    above = np.linspace(tilt, math.pi / 2.0, 200)
    profile = np.concatenate(
        (
            np.stack((-1.0 + np.sin(below), np.cos(below)), axis=1),
            np.stack((1.0 + 0.4 * np.sin(above), 0.4 * np.cos(above)), axis=1),
        )
    )
    mesh = mesh_solid(*revolved(profile))
    assert mesh is not None
    assert numbers(solid_of(shape)) == pytest.approx(numbers(mesh), rel=1e-4, abs=1e-6)


def test_a_capsule_whose_one_sphere_holds_the_other_is_that_sphere():
    solid = solid_of(Capsule(height=0.5, radius_bottom=1.0, radius_top=0.25))
    ball = solid_of(Sphere(radius=1.0))
    assert solid.volume == pytest.approx(ball.volume)
    assert solid.center == pytest.approx([0.0, 0.0, -0.25])
    assert solid.inertia == pytest.approx(ball.inertia)


def test_mesh_of_a_unit_cube_is_exact_wherever_it_stands():
    for offset in (0.0, 1000.0):
        solid = mesh_solid(CUBE + offset, CUBE_TRIANGLES)
        assert solid is not None
        assert solid.volume == pytest.approx(1.0)
        assert solid.center == pytest.approx([offset + 0.5] * 3)
        assert solid.inertia == pytest.approx(np.eye(3) / 6.0, abs=1e-9)


def test_a_mesh_turned_inside_out_has_the_same_inertia():
    outside = mesh_solid(CUBE, CUBE_TRIANGLES)
    inside = mesh_solid(CUBE, CUBE_TRIANGLES[:, ::-1])
    assert outside is not None
    assert inside is not None
    assert numbers(inside) == pytest.approx(numbers(outside))


def test_tetrahedron_by_hand():
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
    solid = convex_solid(corners)
    assert solid is not None
    assert solid.volume == pytest.approx(1.0 / 6.0)
    assert solid.center == pytest.approx([0.25] * 3)
    # Integral of x² is 1/60 and of xy 1/120 about the corner.
    second = np.full((3, 3), 1.0 / 120.0) + np.eye(3) / 120.0 - np.full((3, 3), 1.0 / 96.0)
    assert solid.inertia == pytest.approx(np.trace(second) * np.eye(3) - second)


def test_an_open_mesh_and_a_flat_one_have_no_solid():
    assert mesh_solid(CUBE, CUBE_TRIANGLES[:-2]) is None
    assert mesh_solid(CUBE * (1.0, 1.0, 0.0), CUBE_TRIANGLES) is None
    assert mesh_solid(np.empty((0, 3)), np.empty((0, 3), int)) is None
    assert convex_solid(CUBE[:4]) is None


def test_shapes_that_are_meshes_have_no_closed_form():
    assert primitive_solid(Trimesh(mesh=0)) is None


@pytest.mark.parametrize(
    "shape",
    [Box(size=(1e200, 1, 1)), Sphere(radius=1e300), Capsule(height=1e300), Cylinder(height=1e308)],
)
def test_shapes_too_large_for_numbers_have_no_solid(shape):
    assert primitive_solid(shape) is None


def test_parallel_axes_join_two_half_boxes_to_the_whole():
    half = solid_of(Box(size=(1.0, 1.0, 1.0)))
    turned = np.array((0.0, 0.0, math.sin(0.7), math.cos(0.7)))
    side = rotation_matrix(turned)[:, 0]
    whole = combined([placed(half, Pose(side * x, turned)) for x in (-0.5, 0.5)])
    expected = placed(solid_of(Box(size=(2.0, 1.0, 1.0))), Pose(np.zeros(3), turned))
    assert whole is not None
    assert numbers(whole) == pytest.approx(numbers(expected), abs=1e-12)


def test_nothing_is_no_solid():
    assert combined([]) is None


def test_inertia_grows_with_the_mass():
    solid = solid_of(Sphere(radius=1.0))
    assert inertia_at(solid, 5.0) == pytest.approx(np.eye(3) * 2.0)


def test_principal_axes_of_a_diagonal_tensor_are_its_own():
    moments, rotation = principal_axes(np.diag((3.0, 1.0, 2.0)))
    assert moments.tolist() == [3.0, 1.0, 2.0]
    assert rotation.tolist() == [0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("angle", [0.1, 0.6, -0.7])
def test_principal_axes_of_a_turned_box_turn_with_it(angle):
    turned = np.array((0.0, math.sin(angle / 2.0), 0.0, math.cos(angle / 2.0)))
    solid = placed(solid_of(Box(size=(1.0, 2.0, 3.0))), Pose(np.zeros(3), turned))
    moments, rotation = principal_axes(solid.inertia)
    assert moments == pytest.approx([6.5, 5.0, 2.5])
    assert rotation == pytest.approx(turned)


def test_principal_axes_give_the_tensor_back():
    random = np.random.default_rng(4)
    for _ in range(50):
        root = random.normal(size=(3, 3))
        tensor = root @ root.T
        moments, rotation = principal_axes(tensor)
        axes = rotation_matrix(rotation)
        assert axes @ np.diag(moments) @ axes.T == pytest.approx(tensor)


def test_hull_of_random_points_is_closed_and_holds_them_all():
    random = np.random.default_rng(5)
    for count in (4, 10, 300, 2000):
        points = random.normal(size=(count, 3)) * (1.0, 2.0, 0.1)
        triangles = convex_hull(points)
        corners = points[triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        heights = np.einsum("tj,ptj->pt", normals, points[:, None] - corners[None, :, 0])
        assert heights.max() < 1e-6
        edges = {(a, b) for t in triangles for a, b in zip(t, np.roll(t, -1), strict=True)}
        assert edges == {(b, a) for a, b in edges}


def test_hull_of_a_grid_is_its_box():
    steps = np.linspace(-1.0, 1.0, 6)
    grid = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    solid = convex_solid(grid)
    assert solid is not None
    assert solid.volume == pytest.approx(8.0)


def test_hull_of_too_few_or_flat_points_is_empty():
    assert convex_hull(np.zeros((3, 3))).shape == (0, 3)
    assert convex_hull(np.zeros((9, 3))).shape == (0, 3)
    assert convex_hull(np.random.default_rng(1).normal(size=(50, 3)) * (1, 1, 0)).shape == (0, 3)


def test_hull_of_points_that_nearly_lie_on_its_faces() -> None:
    # Nine of them are within the tolerance of one plane, which once folded the hull.
    points = np.array(
        (
            (-1.23367149, 0.63780995, -0.94035806),
            (0.49108696, -0.64421832, -1.48740922),
            (0.57337389, -0.64421824, -2.37118546),
            (0.58010357, -0.64421717, -1.49807426),
            (0.61791749, -0.64421739, -1.59051091),
            (0.64939856, -0.64421743, -1.67065909),
            (0.88901777, -0.52881998, 0.0087679),
            (0.92375056, 0.41341414, 0.89746118),
            (1.06625442, -0.64421834, -1.87907128),
            (1.09957235, -0.64421701, -1.68558011),
            (1.07128256, -0.62557792, -1.66072495),
            (1.12598428, -0.62106984, -1.61091668),
            (1.12700821, 0.63500154, -1.6387339),
        )
    )
    triangles = points[convex_hull(points)]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    heights = points @ normals.T - np.sum(normals * triangles[:, 0], axis=1)
    assert heights.max() < 1e-5, "a point lies outside"
    assert mesh_solid(points, convex_hull(points)) is not None, "the hull is not closed"


def test_many_at_once_are_each_as_alone():
    random = np.random.default_rng(6)
    roots = random.normal(size=(40, 3, 3))
    tensors = roots @ np.swapaxes(roots, 1, 2)
    tensors[::4] *= np.eye(3)
    moments, rotations = principal_axes(tensors.reshape(8, 5, 3, 3))
    assert moments.shape == (8, 5, 3)
    assert rotations.shape == (8, 5, 4)
    for number, tensor in enumerate(tensors):
        one, turn = principal_axes(tensor)
        assert one == pytest.approx(moments.reshape(-1, 3)[number], rel=1e-12)
        assert turn == pytest.approx(rotations.reshape(-1, 4)[number], abs=1e-12)


@pytest.mark.parametrize("name", ["mjcf", "sdf", "shift", "urdf", "usd"])
def test_bodies_without_inertia_are_written_in_as_many_steps_however_many(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shapes of a scene are looked through once, not once for each body."""
    module = "omi_joints_addon.core.shapes.body_solids.placed_all"
    calls: list[int] = []
    monkeypatch.setattr(module, lambda *given: calls.append(1) or placed_all(*given))
    form = next(form for form in FORMATS if form.name == name)
    counts = []
    for size in (3, 11):
        builder = SceneBuilder()
        bodies = [builder.body((0.0, 0.3, 0.7 * row), inertia=0.0, mass=1.7) for row in range(size)]
        for row, body in enumerate(bodies[1:]):
            builder.joint(hinge(), body, bodies[row], (0.0, 0.3, 0.7 * row + 0.35))
        box = Collider(shape=Box(size=(0.3, 0.2, 0.45)))
        scene = replace(builder.scene(), colliders=dict.fromkeys(bodies, box))
        calls.clear()
        form.write(scene, Target(path=tmp_path / f"scene{form.suffixes[0]}"))
        counts.append(len(calls))
    assert counts[0] == counts[1] > 0
