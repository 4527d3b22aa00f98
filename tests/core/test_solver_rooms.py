"""Rooms, slabs and terrain made of triangles: each is held from its front, and from there only."""

import math
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.model.body import Collider, MotionType, PhysicsMaterial
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.pose import Array
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Shape, Sphere, Trimesh
from omi_joints_addon.core.solver import Options, Simulation
from omi_joints_addon.core.solver.contacts.boxes import BoxTree
from omi_joints_addon.core.solver.contacts.triangles import Triangles
from tests.core.solver_scenes import G, SceneBuilder, matrix
from tests.core.solver_surfaces import Surface, block, grid, joined, room

pytestmark = pytest.mark.slow

ROUGH = PhysicsMaterial(static_friction=0.5, dynamic_friction=0.5)
BALL, CRATE = Sphere(radius=0.15), Box(size=(0.4, 0.4, 0.4))


def on(surface: Surface, bodies: list[tuple[Shape, Array, Array]], **changes) -> Simulation:
    """Return bodies of 1 kg, each with a place and a velocity, and a surface that holds them."""
    build = SceneBuilder()
    shapes: dict[int, Shape] = {build.node((0.0, 0.0, 0.0)): Trimesh(mesh=0)}
    for shape, place, velocity in bodies:
        shapes[build.body(place, inertia=0.01, linear_velocity=tuple(velocity))] = shape
    return started(build.scene(), shapes, surface, **changes)


def started(
    scene: PhysicsScene, shapes: dict[int, Shape], surface: Surface, **changes
) -> Simulation:
    colliders = {node: Collider(shape=shape, material=ROUGH) for node, shape in shapes.items()}
    points, faces = surface
    mesh = Mesh(name="surface", read=lambda: MeshData(points, faces.astype(np.intp)))
    scene = replace(scene, colliders=colliders, meshes=(mesh,))
    return Simulation(replace(scene, **changes), options=Options(contacts=True))


def run(moving: Simulation, seconds: float) -> Array:
    """Return where all nodes are in every frame, (frames, n, 3)."""
    places = []
    for _ in range(round(60 * seconds)):
        moving.advance(1.0 / 60.0)
        places.append(moving.matrices()[:, :3, 3])
    assert not moving.problems()
    return np.array(places)


def test_a_room_holds_what_is_in_it() -> None:
    """A lamp falls from the ceiling, crates stay where they stand, 1 cm from a wall as well."""
    still = (0.0, 0.0, 0.0)
    bodies = [
        (CRATE, (1, 3.79, 0.2), still),
        (CRATE, (-1, 0, 0.2), still),
        (BALL, (2, 0, 2.7), still),
    ]
    moving = on(room(), bodies)
    assert not moving.findings
    places = run(moving, 2.0)
    fall = places[29, 3, 2]
    assert fall == pytest.approx(2.7 - 0.5 * G * 0.25, abs=1e-3)
    ends = np.array([(1, 3.79, 0.2), (-1, 0, 0.2), (2, 0, 0.15)])
    assert places[-1, 1:] == pytest.approx(ends, abs=1e-4)


def test_a_room_keeps_in_what_is_thrown_at_its_walls_ceiling_and_corners() -> None:
    source = np.random.default_rng(3)
    bodies = [
        (
            shape,
            tuple(source.uniform((-3, -3, 0.5), (3, 3, 2.5))),
            30.0 * source.normal(size=3),
        )
        for shape in (
            BALL,
            Box(size=(0.3, 0.2, 0.25)),
            Capsule(height=0.2, radius_bottom=0.1, radius_top=0.1),
        )
        for _ in range(4)
    ]
    places = run(on(room(), bodies), 1.5)[:, 1:]
    assert (np.abs(places[..., :2]) < 4.0).all()
    assert (places[..., 2] > 0.0).all()
    assert (places[..., 2] < 3.0).all()


@pytest.mark.parametrize("thickness", [0.2, 0.01, 0.002])
@pytest.mark.parametrize("speed", [0.0, 20.0, 100.0])
def test_slabs_hold_however_thin_they_are(thickness: float, speed: float) -> None:
    slab = block((10, 10, thickness), (0, 0, -0.5 * thickness))
    bodies = [
        (shape, (x, 0.2, 2.003), (0, 0, -speed))
        for x, shape in ((-1, BALL), (1, Box(size=(0.3, 0.3, 0.3))))
    ]
    places = run(on(slab, bodies), 1.5)[:, 1:, 2]
    assert places.min() > 0.149
    assert places[-1] == pytest.approx((0.15, 0.15), abs=1e-4)


@pytest.mark.parametrize("scale", [(-1.3, 1, 1), (-1, -1, -0.7), (2, 1, 0.5), (1, 1, -2)])
def test_mirrored_and_scaled_surfaces_have_their_front_outside(scale: tuple[float, ...]) -> None:
    moving = on(block((6, 6, 0.2)), [(BALL, (0.3, 0.2, 0.6), (0, 0, 0))])
    matrices = moving.scene.matrices.copy()
    matrices[0] = np.diag((*scale, 1.0))
    moving = Simulation(replace(moving.scene, matrices=matrices), options=Options(contacts=True))
    assert run(moving, 1.0)[-1, 1, 2] == pytest.approx(0.15 + 0.1 * abs(scale[2]), abs=1e-4)


def test_a_body_goes_down_stairs() -> None:
    stairs = joined(*(block((0.3, 2, 0.2), (0.3 * n, 0, -0.2 * n)) for n in range(5)))
    moving = on(
        stairs, [(BALL, (0.0, 0.0, 0.25), (1.0, 0.0, 0.0)), (CRATE, (0.0, 0.6, 0.3), (0, 0, 0))]
    )
    places = run(moving, 1.6)[:, 1:]
    step = np.clip(np.round(places[:, 0, 0] / 0.3), 0, 4)
    beyond = places[:, 0, 0] > 1.3
    assert ((places[:, 0, 2] > 0.1 - 0.2 * step + 0.149) | beyond).all()
    assert beyond[-1]
    assert places[-1, 1] == pytest.approx((0.0, 0.6, 0.3), abs=1e-4)


def test_what_starts_behind_a_face_is_not_held_by_it() -> None:
    """Nothing draws it in or throws it out: a ball within a block falls freely."""
    moving = on(block((4, 4, 4)), [(BALL, (0.3, 0.2, 1.0), (0, 0, 0))])
    assert not moving.findings
    assert run(moving, 0.5)[-1, 1, 2] == pytest.approx(1.0 - 0.5 * G * 0.25, abs=1e-3)


def test_what_starts_in_a_face_is_named_with_its_depth_and_comes_out() -> None:
    moving = on(block((4, 4, 0.2), (0, 0, -0.1)), [(BALL, (0.3, 0.2, 0.1), (0, 0, 0))])
    assert [str(found.message) for found in moving.findings] == [
        "it starts 50 mm deep in 'the world', and will be pushed out of it"
    ]
    assert run(moving, 1.5)[-1, 1, 2] == pytest.approx(0.15, abs=1e-4)


def test_a_surface_that_is_driven_carries_and_strikes() -> None:
    build = SceneBuilder()
    lift = build.body((0.0, 0.0, 0.0), type=MotionType.KINEMATIC)
    ball = build.body((0.2, 0.1, 0.15), inertia=0.01)
    moving = started(
        build.scene(), {lift: Trimesh(mesh=0), ball: BALL}, block((2, 2, 0.02), (0, 0, -0.01))
    )
    for frame in range(60):
        moving.advance(1 / 60, driven={lift: matrix((0, 0, (frame + 1) / 60))})
    assert moving.matrices()[ball, 2, 3] == pytest.approx(1.15, abs=1e-3)


def test_fifty_thousand_triangles_cost_what_is_near() -> None:
    """A plane of them slows a block as one of two: v² / (2 mu g)."""
    moving = on(grid(158, 20.0), [(Box(size=(0.2, 0.2, 0.1)), (0.31, 0.1, 0.05), (1, 0, 0))])
    place = run(moving, 0.5)[-1, 1]
    assert place == pytest.approx((0.31 + 1.0 / G, 0.1, 0.05), abs=1.5e-3)
    assert moving.course._finder.model.nmesh < 100


def test_terrain_holds_balls_crates_and_capsules() -> None:
    source = np.random.default_rng(1)
    height = lambda x, y: 0.5 * np.sin(x) * np.cos(y)  # noqa: E731
    shapes = (BALL, CRATE, Capsule(height=0.2, radius_bottom=0.1, radius_top=0.1))
    bodies = [(shapes[n % 3], (*source.uniform(-6, 6, 2), 1.2), (0, 0, 0)) for n in range(9)]
    places = run(on(grid(60, 20.0, height), bodies), 2.0)[:, 1:]
    # Middles of what is at least 0.1 m thick, over chords of 0.33 m.
    assert (places[..., 2] - height(places[..., 0], places[..., 1])).min() > 0.08


def test_more_triangles_than_there_was_room_for_make_room() -> None:
    """A plank that falls flat on a fine grid."""
    moving = on(grid(40, 4.0), [(Box(size=(2.0, 0.3, 0.1)), (0.03, 0.02, 0.2), (0, 0, 0))])
    assert run(moving, 0.5)[-1, 1, 2] == pytest.approx(0.05, abs=1e-4)
    assert moving.course._finder._prisms.count > 100


def test_a_compound_looks_ahead_with_each_of_its_shapes() -> None:
    """A dumbbell at 100 m/s stops at a floor of 10 mm."""
    build = SceneBuilder()
    floor = build.node((0.0, 0.0, -0.005))
    body = build.body((0, 0, 2.0), inertia=0.01, linear_velocity=(0, 0, -100.0))
    ends = [build.node((x, 0, 2.0), parent=body) for x in (-0.2, 0.2)]
    shapes = {floor: Box(size=(10.0, 10.0, 0.01)), **dict.fromkeys(ends, Sphere(radius=0.02))}
    moving = started(build.scene(), shapes, block((1, 1, 1)))
    assert run(moving, 0.5)[:, body, 2].min() > 0.0199


def test_prisms_end_within_what_their_triangles_enclose() -> None:
    thin = Triangles(*block((10, 10, 0.2)))
    assert thin.depth == pytest.approx(
        np.where(np.abs(thin.normals[:, 2]) > 0.5, 0.1, 0.1 * math.sqrt(2))
    )
    plane = Triangles(*grid(1, 10.0))
    assert plane.depth == pytest.approx((1.0, 1.0))


def test_a_tree_of_boxes_finds_what_overlaps() -> None:
    source = np.random.default_rng(0)
    low, other = source.uniform(-5, 5, (700, 3)), source.uniform(-5, 5, (40, 3))
    high = low + source.uniform(0.0, 0.5, (700, 3))
    meets = ((low <= other[:, None] + 0.4) & (other[:, None] <= high)).all(axis=2)
    found = np.stack(BoxTree(low, high).overlapping(other, other + 0.4), axis=1)
    assert np.array_equal(found, np.argwhere(meets))


def test_what_is_pulled_by_hand_stays_in_the_room() -> None:
    """A crate, and a chain of two balls, are drawn to places behind walls, ceiling and corners."""
    build = SceneBuilder()
    shapes: dict[int, Shape] = {build.node((0.0, 0.0, 0.0)): Trimesh(mesh=0)}
    crate, one, two = (build.body((x, 0.3, 0.5), inertia=0.02) for x in (-1.0, 1.0, 1.4))
    pin = JointSettings(limits=(JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),))
    build.joint(pin, one, two, (1.2, 0.3, 0.5))
    shapes |= {crate: CRATE, one: BALL, two: BALL}
    moving = started(build.scene(), shapes, room())
    for node, target in (
        (crate, (9, 8, 1)),
        (one, (0, -9, 9)),
        (two, (-7, 3, -5)),
        (crate, (0, 0, 9)),
    ):
        moving.grab(node, moving.matrices()[node, :3, 3])
        moving.drag(target)
        places = run(moving, 1.0)[:, 1:4]
        moving.release()
        assert (np.abs(places[..., :2]) < 3.86).all()
        assert (np.abs(places[..., 2] - 1.5) < 1.36).all()
