"""Contacts by closed form: what lies, slides, bounces, stacks, hangs and is pushed."""

import math
import subprocess
import sys
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.articulation import Coupling
from omi_joints_addon.core.model.body import (
    Collider,
    CollisionFilter,
    CombineMode,
    MotionType,
    PhysicsMaterial,
    Trigger,
)
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Shape,
    Sphere,
    Trimesh,
)
from omi_joints_addon.core.solver import Options, Simulation
from omi_joints_addon.core.solver.contacts import course, fields, ordering, unavailable
from omi_joints_addon.core.solver.trajectory import simulate
from tests.core.solver_scenes import LINEAR, LOCK_YZ, G, SceneBuilder, chain, matrix, pendulum, turn

pytestmark = pytest.mark.slow

ROUGH = PhysicsMaterial(static_friction=0.5, dynamic_friction=0.5)
FLOOR = Box(size=(20.0, 20.0, 1.0))
BLOCK = Box(size=(0.2, 0.2, 0.1))


def of_box(mass: float, size: tuple[float, float, float]) -> tuple[float, ...]:
    x, y, z = size
    return tuple(mass / 12.0 * each for each in (y * y + z * z, x * x + z * z, x * x + y * y))


def of_ball(mass: float, radius: float) -> float:
    return 0.4 * mass * radius**2


def simulation(
    build: SceneBuilder, shapes: dict[int, Shape], *, material: PhysicsMaterial = ROUGH, **changes
) -> Simulation:
    colliders = {node: Collider(shape=shape, material=material) for node, shape in shapes.items()}
    return started(replace(build.scene(), **{"colliders": colliders} | changes))


def started(scene: PhysicsScene) -> Simulation:
    made = Simulation(scene, options=Options(contacts=True))
    assert made.has_contacts
    return made


def run(moving: Simulation, seconds: float) -> np.ndarray:
    """Return the world matrices of every frame."""
    frames = []
    for _ in range(round(60 * seconds)):
        moving.advance(1.0 / 60.0)
        frames.append(moving.matrices())
    assert not moving.problems()
    return np.array(frames)


def with_floor(**options) -> tuple[SceneBuilder, int]:
    build = SceneBuilder(**options)
    return build, build.node((0.0, 0.0, -0.5))


def test_mujoco_passes_its_test() -> None:
    assert not unavailable()


@pytest.mark.parametrize(
    ("owner", "name", "why"),
    [
        (fields.RowProblem, "_write_rows", "rows of joints are not solved as they are here"),
        (fields.RowProblem, "_write_touches", "contacts are not solved as they are here"),
        (fields.Prisms, "write", "triangles are not solved as they are here"),
    ],
)
def test_another_build_of_mujoco_turns_contacts_off_with_a_sentence(
    owner: type, name: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fields that no longer do what is written to them are noticed before anything is stepped."""
    monkeypatch.setattr(owner, name, lambda *_arguments: None)
    unavailable.cache_clear()
    try:
        assert unavailable().endswith(f"failed its test: {why}")
    finally:
        unavailable.cache_clear()


@pytest.mark.parametrize(
    ("shape", "height"),
    [
        (Sphere(radius=0.1), 0.1),
        (Box(size=(0.2, 0.3, 0.4)), 0.2),
        (Cylinder(height=0.4, radius_bottom=0.1, radius_top=0.1), 0.2),
        (Cylinder(height=0.4, radius_bottom=0.2, radius_top=0.1), 0.2),
        (Capsule(height=0.2, radius_bottom=0.1, radius_top=0.1), 0.2),
    ],
)
def test_what_falls_comes_to_rest_on_the_floor(shape: Shape, height: float) -> None:
    build, floor = with_floor()
    body = build.body((0.0, 0.0, height + 0.1), inertia=of_ball(1.0, 0.15))
    places = run(simulation(build, {floor: FLOOR, body: shape}), 1.5)[:, body, 2, 3]
    assert places.min() > height - 1e-3
    assert places[-1] == pytest.approx(height, abs=1e-5)


@pytest.mark.parametrize(("degrees", "slides"), [(-0.5, False), (0.5, True)])
def test_a_block_slides_from_the_angle_of_its_friction_on(degrees: float, slides: bool) -> None:
    """Down a slope of a: s = g (sin a - mu cos a) t² / 2."""
    angle = math.atan(0.5) + math.radians(degrees)
    up, tilt = np.array((math.sin(angle), 0.0, math.cos(angle))), turn((0, 1, 0), angle)
    build = SceneBuilder()
    floor = build.node(-0.5 * up, tilt)
    block = build.body(0.05 * up, tilt, inertia=of_box(1.0, BLOCK.size))
    places = run(simulation(build, {floor: FLOOR, block: BLOCK}), 2.0)[:, block, :3, 3]
    way = 0.5 * G * (math.sin(angle) - 0.5 * math.cos(angle)) * 4.0 if slides else 0.0
    assert np.linalg.norm(places[-1] - 0.05 * up) == pytest.approx(way, abs=1e-4)


@pytest.mark.parametrize("degrees", [0.0, 22.5, 45.0])
def test_a_block_stops_after_the_same_way_in_every_direction(degrees: float) -> None:
    """From v it slides v² / (2 mu g)."""
    build, floor = with_floor()
    way = np.array((math.cos(math.radians(degrees)), math.sin(math.radians(degrees)), 0.0))
    block = build.body(
        (0.0, 0.0, 0.05), inertia=of_box(1.0, BLOCK.size), linear_velocity=tuple(3.0 * way)
    )
    place = run(simulation(build, {floor: FLOOR, block: BLOCK}), 2.0)[-1, block, :3, 3]
    assert place[:2] == pytest.approx(9.0 / G * way[:2], abs=1e-3)


@pytest.mark.parametrize("height", [0.5, 1.0, 2.0])
def test_a_ball_bounces_by_the_square_of_its_restitution(height: float) -> None:
    build, floor = with_floor()
    ball = build.body((0.0, 0.0, 0.1 + height), inertia=of_ball(1.0, 0.1))
    shapes = {floor: FLOOR, ball: Sphere(radius=0.1)}
    elastic = PhysicsMaterial(restitution=0.8)
    fall = math.sqrt(2.0 * height / G)
    places = run(simulation(build, shapes, material=elastic), 2.2 * fall)[:, ball, 2, 3] - 0.1
    assert places[round(80.0 * fall) :].max() == pytest.approx(0.64 * height, rel=0.03)


def test_a_stack_stands_still_for_ten_seconds() -> None:
    build, floor = with_floor()
    size = (0.2, 0.2, 0.2)
    boxes = [build.body((0, 0, 0.1 + 0.2 * n), inertia=of_box(1.0, size)) for n in range(5)]
    shapes = {floor: FLOOR, **dict.fromkeys(boxes, Box(size=size))}
    places = run(simulation(build, shapes), 10.0)[:, boxes][..., :3, 3]
    assert np.abs(places - places[0]).max() < 1e-6


def test_a_bullet_does_not_pass_a_thin_floor() -> None:
    build = SceneBuilder()
    floor = build.node((0.0, 0.0, -0.005))
    ball = build.body((0, 0, 3.0), inertia=of_ball(1.0, 0.02), linear_velocity=(0, 0, -100.0))
    shapes = {floor: Box(size=(10.0, 10.0, 0.01)), ball: Sphere(radius=0.02)}
    assert run(simulation(build, shapes), 1.0)[:, ball, 2, 3].min() > 0.0199


def test_what_starts_in_the_floor_rises_without_a_hop_and_is_reported() -> None:
    build, floor = with_floor()
    ball = build.body((0.0, 0.0, 0.0), inertia=of_ball(1.0, 0.1))
    moving = simulation(build, {floor: FLOOR, ball: Sphere(radius=0.1)})
    places = run(moving, 4.0)[:, ball, 2, 3]
    assert [str(found.message) for found in moving.findings] == [
        "it starts 100 mm deep in 'the world', and will be pushed out of it"
    ]
    assert places[-1] == pytest.approx(0.1, abs=1e-5)
    assert places.max() < 0.1 + 1e-5


@pytest.mark.parametrize("depth", [0.001, 0.01, 0.1])
def test_bodies_that_start_in_each_other_part_slowly(depth: float) -> None:
    """At 24 times their depth a second, 0.4 m/s at most: a tenth of it in a step of 1/240 s.

    MuJoCo alone, at its defaults, parts two such boxes at 19 times their depth, without a bound.
    """
    build = SceneBuilder(gravity=(0.0, 0.0, 0.0))
    boxes = [build.body((0, 0, z), inertia=of_ball(1.0, 0.5)) for z in (0.0, 1.0 - depth)]
    moving = simulation(build, dict.fromkeys(boxes, Box(size=(1.0, 1.0, 1.0))))
    places = run(moving, 2.0)[:, boxes, 2, 3]
    speeds = (places[-1] - places[-31]) / 0.5
    assert speeds.sum() == pytest.approx(0.0, abs=1e-6)
    parting = speeds[1] - speeds[0]
    # Contacts may yield by 1e-5 m/s when passes end.
    assert 0.0 < parting <= min(24.0 * depth, 0.4) + 1e-5


def test_a_door_stops_at_its_frame() -> None:
    """A door of 1 m swings onto a post that reaches 50 mm into its way: asin(0.05) at its edge."""
    settings = JointSettings(limits=(LINEAR, JointLimit(angular_axes=(0, 1), min=0.0, max=0.0)))
    build = SceneBuilder((0.0, 0.0, 0.0))
    frame, post = build.node((0.0, 0.0, 0.0)), build.node((1.0, 0.55, 0.0))
    size = (1.0, 0.001, 2.0)
    door = build.body((0.5, 0.0, 0.0), inertia=of_box(5.0, size), mass=5.0)
    build.motions[door] = replace(build.motions[door], angular_velocity=(0.0, 0.0, 1.0))
    build.joint(settings, -1, door, (0.0, 0.0, 0.0))
    shapes = {post: Box(size=(0.02, 1.0, 0.1)), door: Box(size=size)}
    rotation = run(simulation(build, shapes), 3.0)[-1, door]
    assert frame == 0
    angle = math.atan2(rotation[1, 0], rotation[0, 0])
    # The corner of the post, 0.99 m from the hinge, touches the face 0.5 mm off the middle.
    assert math.degrees(angle) == pytest.approx(math.degrees(math.asin(0.0495 / 0.99)), abs=0.2)


def test_a_rope_lies_on_a_beam() -> None:
    """Twelve capsules hung over a box keep together, and nothing sinks into anything."""
    build = SceneBuilder()
    beam = build.node((0.0, 0.0, 0.0))
    pin, link = JointSettings(limits=(LINEAR,)), 0.1
    links = []
    for number in range(12):
        x = (number - 5.5) * link
        links.append(build.body((x, 0, 0.1), turn((0, 1, 0), math.pi / 2), mass=0.1, inertia=1e-4))
        if number:
            build.joint(pin, links[-2], links[-1], (x - 0.5 * link, 0, 0.1))
    capsule = Capsule(height=0.07, radius_bottom=0.015, radius_top=0.015)
    moving = simulation(build, {beam: Box(size=(0.3, 1.0, 0.1)), **dict.fromkeys(links, capsule)})
    places = run(moving, 2.0)
    gaps = np.linalg.norm(moving.relative_poses().position, axis=1)
    assert gaps.max() < 2e-4
    assert moving.contacts()[:, 6].max() < 2e-4
    assert places[-1, links, 2, 3].max() < 0.08
    assert places[-1, links[0], 2, 3] < 0.0


def test_wheels_that_carry_fifty_times_their_mass_take_few_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each came a sixth nearer, so that steps took four and more in the mean."""
    solve, passes = fields.RowProblem.solve, list[int]()

    def counted(problem: fields.RowProblem, goals: np.ndarray) -> tuple[np.ndarray, ...]:
        passes.append(1)
        return solve(problem, goals)

    monkeypatch.setattr(fields.RowProblem, "solve", counted)
    build = SceneBuilder()
    floor, size = build.node((0.0, 0.0, -0.5)), (4.0, 1.2, 0.5)
    car = build.body((0.0, 0.0, 0.6), mass=1000.0, inertia=of_box(1000.0, size))
    shapes: dict[int, Shape] = {floor: FLOOR, car: Box(size=size)}
    motor = JointDrive(type="angular", axis=1, velocity_target=15.0, damping=200.0)
    settings = presets.hinge(axis=1, min_angle=-math.inf, max_angle=math.inf)
    for x, y in product((-1.2, 1.2), (-0.7, 0.7)):
        wheel = build.body((x, y, 0.3), turn((1, 0, 0), -math.pi / 2), mass=20.0, inertia=0.8)
        build.joint(replace(settings, drives=(motor,)), car, wheel, (x, y, 0.3))
        shapes[wheel] = Cylinder(height=0.2, radius_bottom=0.3, radius_top=0.3)
    moving = simulation(build, shapes)
    run(moving, 1.0)
    assert len(passes) < 3.0 * 240


def test_a_chain_that_lands_takes_whole_steps_again_soon() -> None:
    """Impacts want smaller steps for one or two; they were kept for 24, twelve frames in all."""
    build = SceneBuilder()
    floor, links = build.node((0.0, 0.0, -0.5)), list[int]()
    for number in range(4):
        x, z = 0.3 * number, 0.2 * number
        links.append(
            build.body((x, 0, 0.5 + z), mass=1.0, inertia=0.01, linear_velocity=(0, 0, -6))
        )
        if number:
            settings = JointSettings(limits=(LINEAR,))
            build.joint(settings, links[-2], links[-1], (x - 0.15, 0, 0.4 + z))
    moving = simulation(build, {floor: FLOOR, **dict.fromkeys(links, Sphere(radius=0.06))})
    is_cut = []
    for _ in range(60):
        moving.advance(1.0 / 60.0)
        is_cut.append((moving.course.cuts > 1).any())
    assert 0 < sum(is_cut) <= 10
    assert not moving.problems()


def test_a_driven_box_pushes_a_ball_at_its_speed() -> None:
    build, floor = with_floor()
    pusher = build.body((-0.5, 0, 0.1), type=MotionType.KINEMATIC)
    ball = build.body((0.0, 0.0, 0.1), inertia=of_ball(1.0, 0.1))
    ice = PhysicsMaterial(static_friction=0.0, dynamic_friction=0.0)
    shapes = {floor: FLOOR, pusher: Box(size=(0.2, 0.2, 0.2)), ball: Sphere(radius=0.1)}
    moving = simulation(build, shapes, material=ice)
    for frame in range(120):
        moving.advance(1 / 60, driven={pusher: matrix((-0.5 + 0.5 * (frame + 1) / 60, 0, 0.1))})
    assert moving.matrices()[ball][0, 3] == pytest.approx(-0.5 + 1.0 + 0.2, abs=2e-3)


@pytest.mark.parametrize("kind", [Trimesh, Convex])
def test_meshes_hold_what_lies_on_them(kind: type[Trimesh] | type[Convex]) -> None:
    build, floor = with_floor()
    block = build.body((0.3, 0.1, 0.05), inertia=of_box(1.0, BLOCK.size), linear_velocity=(1, 0, 0))
    grid = np.linspace(-2.0, 2.0, 9)
    points = np.array([(x, y, 0.5) for x in grid for y in grid])
    cells = [9 * a + b for a in range(8) for b in range(8)]
    triangles = np.array([t for n in cells for t in ((n, n + 9, n + 10), (n, n + 10, n + 1))])
    mesh = Mesh(name="grid", read=lambda: MeshData(points, triangles.astype(np.intp)))
    moving = simulation(build, {floor: kind(mesh=0), block: BLOCK}, meshes=(mesh,))
    place = run(moving, 1.0)[-1, block, :3, 3]
    # Slides v² / (2 mu g), also over the inner edges of the triangles.
    assert place == pytest.approx((0.3 + 1.0 / G, 0.1, 0.05), abs=1e-2)


def test_triangles_that_move_collide_as_their_hull_with_a_finding() -> None:
    build, floor = with_floor()
    body = build.body((0.0, 0.0, 0.2), inertia=of_ball(1.0, 0.1))
    corners = 0.1 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    mesh = Mesh(read=lambda: MeshData(corners, np.array([(0, 1, 2), (1, 3, 2)])))
    moving = simulation(build, {floor: FLOOR, body: Trimesh(mesh=0)}, meshes=(mesh,))
    assert [found.code for found in moving.findings] == ["OMI-P030"]
    assert run(moving, 1.0)[-1, body, 2, 3] == pytest.approx(0.1, abs=1e-4)


GHOST = CollisionFilter(collision_systems=("ghost",), not_collide_with_systems=("floor",))
GROUND = CollisionFilter(collision_systems=("floor",))
NOTHING = CollisionFilter(collide_with_systems=())


@pytest.mark.parametrize(
    ("own", "other", "falls"),
    [(GHOST, GROUND, True), (GROUND, GHOST, True), (GHOST, None, False), (None, NOTHING, True)],
)
def test_filters_of_both_sides_count(
    own: CollisionFilter | None, other: CollisionFilter | None, falls: bool
) -> None:
    build, floor = with_floor()
    ball = build.body((0.0, 0.0, 0.1), inertia=of_ball(1.0, 0.1))
    colliders = {
        floor: Collider(shape=FLOOR, collision_filter=own),
        ball: Collider(shape=Sphere(radius=0.1), collision_filter=other),
    }
    scene = replace(build.scene(), colliders=colliders)
    moving = Simulation(scene, options=Options(contacts=True))
    assert moving.has_contacts != falls
    moving.advance(0.5)
    assert (moving.matrices()[ball][2, 3] < 0.0) == falls


@pytest.mark.parametrize("collides", [False, True])
def test_jointed_bodies_collide_where_their_joint_says_so(collides: bool) -> None:
    build = SceneBuilder((0.0, 0.0, 0.0))
    one, two = (build.body((x, 0.0, 0.0), inertia=0.01) for x in (0.0, 0.15))
    build.joint(JointSettings(), one, two, (0.075, 0.0, 0.0))
    build.joints = [replace(joint, enable_collision=collides) for joint in build.joints]
    far = build.node((9.0, 0.0, 0.0))
    moving = simulation(build, dict.fromkeys((one, two, far), Box(size=(0.2, 0.2, 0.2))))
    places = run(moving, 1.0)[-1, [one, two], 0, 3]
    assert np.ptp(places) > 0.199 if collides else np.ptp(places) == pytest.approx(0.15, abs=1e-6)


def test_triggers_notice_what_is_inside_and_hold_nothing() -> None:
    build, floor = with_floor()
    zone = build.node((0.0, 0.0, 1.0))
    ball = build.body((0.0, 0.0, 2.0), inertia=of_ball(1.0, 0.1))
    ghost = build.body((0.5, 0.0, 2.0), inertia=of_ball(1.0, 0.1))
    unseen = CollisionFilter(collision_systems=("ghost",))
    colliders = {
        floor: Collider(shape=FLOOR),
        ball: Collider(shape=Sphere(radius=0.1)),
        ghost: Collider(shape=Sphere(radius=0.1), collision_filter=unseen),
    }
    trigger = Trigger(
        shape=Box(size=(2.0, 2.0, 0.5)),
        collision_filter=CollisionFilter(not_collide_with_systems=("ghost",)),
    )
    moving = started(replace(build.scene(), colliders=colliders, triggers={zone: trigger}))
    found, heights = [], []
    for _ in range(60):
        run(moving, 1.0 / 60.0)
        found.append(moving.inside())
        heights.append(moving.matrices()[ball][2, 3])
    assert {pair for each in found for pair in each} == {(zone, ball)}
    times = np.array([bool(each) for each in found])
    # From the time that its lower side is at 1.25 m until its upper one is at 0.75 m.
    enters, leaves = (math.sqrt(2.0 * way / G) for way in (2.0 - 1.35, 2.0 - 0.65))
    frames = (np.flatnonzero(times)[[0, -1]] + 1) / 60.0
    assert frames == pytest.approx((enters, leaves), abs=0.02)
    spans = [each[zone, ball] for each in found if each]
    assert (spans[0][0], spans[-1][1]) == pytest.approx((enters, leaves), abs=1.0 / 240.0)
    assert heights[-1] == pytest.approx(0.1, abs=1e-3)


def test_excluded_pairs_do_not_collide() -> None:
    build, floor = with_floor()
    build.motions[floor] = replace(
        build.motions[build.body((0, 0, 9))], type=MotionType.STATIC, mass=1.0
    )
    ball = build.body((0.0, 0.0, 0.1), inertia=of_ball(1.0, 0.1))
    shapes = {floor: FLOOR, ball: Sphere(radius=0.1), ball - 1: Sphere(radius=0.1)}
    moving = simulation(build, shapes, excluded_pairs=((floor, ball),))
    assert run(moving, 1.0)[-1, ball, 2, 3] < -1.0


@pytest.mark.parametrize(
    ("modes", "friction"),
    [
        ((CombineMode.AVERAGE, CombineMode.AVERAGE), 0.4),
        ((CombineMode.MINIMUM, CombineMode.MAXIMUM), 0.2),
        ((CombineMode.MAXIMUM, CombineMode.MULTIPLY), 0.6),
        ((CombineMode.MULTIPLY, CombineMode.MULTIPLY), 0.12),
        ((CombineMode.AVERAGE, CombineMode.MULTIPLY), 0.4),
    ],
)
def test_materials_combine_by_the_first_of_their_modes(
    modes: tuple[CombineMode, CombineMode], friction: float
) -> None:
    build, floor = with_floor()
    block = build.body(
        (0.0, 0.0, 0.05), inertia=of_box(1.0, BLOCK.size), linear_velocity=(1.0, 0.0, 0.0)
    )
    colliders = {
        node: Collider(
            shape=shape,
            material=PhysicsMaterial(
                static_friction=value, dynamic_friction=value, friction_combine=mode
            ),
        )
        for node, shape, value, mode in zip(
            (floor, block), (FLOOR, BLOCK), (0.2, 0.6), modes, strict=True
        )
    }
    moving = started(replace(build.scene(), colliders=colliders))
    place = run(moving, 1.5)[-1, block, 0, 3]
    assert place == pytest.approx(0.5 / (friction * G), rel=0.01)


def test_what_sticks_holds_more_than_what_slides() -> None:
    """On 30°, a block of 0.7 static and 0.3 dynamic friction stays; pushed off it goes on."""
    sticky = PhysicsMaterial(static_friction=0.7, dynamic_friction=0.3)
    angle = math.radians(30.0)
    up, tilt = np.array((math.sin(angle), 0.0, math.cos(angle))), turn((0, 1, 0), angle)
    ways = []
    for speed in (0.0, 0.1):
        build = SceneBuilder()
        floor = build.node(-0.5 * up, tilt)
        block = build.body(
            0.05 * up, tilt, inertia=of_box(1.0, BLOCK.size), linear_velocity=(speed, 0.0, 0.0)
        )
        moving = simulation(build, {floor: FLOOR, block: BLOCK}, material=sticky)
        ways.append(np.linalg.norm(run(moving, 1.0)[-1, block, :3, 3] - 0.05 * up))
    slid = 0.1 + 0.5 * G * (math.sin(angle) - 0.3 * math.cos(angle))
    assert ways == [pytest.approx(0.0, abs=1e-4), pytest.approx(slid, rel=0.01)]


def test_an_edited_joint_keeps_what_was_built_of_the_shapes() -> None:
    build, floor = with_floor()
    block = build.body((0.0, 0.0, 0.05), inertia=of_box(1.0, BLOCK.size))
    build.joint(SPRING, -1, block, (0.0, 0.0, 0.05))
    moving = simulation(build, {floor: FLOOR, block: BLOCK})
    built = moving.course._finder
    scene = moving.scene
    joint = replace(scene.joints[0], settings=MOTOR)
    options = Options(contacts=True)
    moving.change(replace(scene, joints=(joint,)), options=options)
    assert moving.course._finder is built
    shapes = {**scene.colliders, block: Collider(shape=Sphere(radius=0.05))}
    moving.change(replace(scene, colliders=shapes), options=options)
    assert moving.course._finder is not built


def test_contacts_carry_the_weight() -> None:
    build, floor = with_floor()
    block = build.body((0.0, 0.0, 0.05), mass=3.0, inertia=of_box(3.0, BLOCK.size))
    moving = simulation(build, {floor: FLOOR, block: BLOCK})
    run(moving, 1.0)
    found = moving.contacts()
    assert len(found) == 4
    assert found[:, 3:6].sum(axis=0) == pytest.approx((0.0, 0.0, 3.0 * G), abs=1e-3)


def test_a_trajectory_has_the_forces_between_all_that_touches() -> None:
    """Of two boxes on each other the floor carries both, and the lower one the upper one."""
    build, floor = with_floor()
    size = (0.2, 0.2, 0.2)
    low, high = (build.body((0, 0, z), mass=2.0, inertia=of_box(2.0, size)) for z in (0.1, 0.3))
    shapes = {floor: FLOOR, **dict.fromkeys((low, high), Box(size=size))}
    colliders = {node: Collider(shape=shape) for node, shape in shapes.items()}
    motion = simulate(replace(build.scene(), colliders=colliders), seconds=0.5)
    assert motion.touching == ((low, floor), (low, high))
    assert motion.contact_forces.shape == (31, 2, 3)
    assert motion.contact_forces[-1] == pytest.approx(
        np.array(((0.0, 0.0, 4.0 * G), (0.0, 0.0, -2.0 * G))), abs=1e-3
    )


def far_away(scene: PhysicsScene) -> PhysicsScene:
    """Return a scene with shapes that never meet."""
    first = next(node for node in scene.motions if scene.is_dynamic(node))
    place = matrix((50.0, 50.0, 50.0))[None]
    return replace(
        scene,
        names=(*scene.names, "far"),
        parents=np.append(scene.parents, -1),
        matrices=np.concatenate((scene.matrices, place)),
        colliders={node: Collider(shape=Sphere(radius=1e-3)) for node in (first, len(scene.names))},
    )


HINGE = JointSettings(limits=(LINEAR, LOCK_YZ, JointLimit(angular_axes=(0,), min=-0.5, max=0.8)))
MOTOR = JointSettings(
    limits=(LINEAR, LOCK_YZ),
    drives=(JointDrive(type="angular", axis=0, velocity_target=3.0, damping=1e4, max_force=2.0),),
)
SPRING = JointSettings(
    limits=(LINEAR, LOCK_YZ),
    drives=(JointDrive(type="angular", axis=0, position_target=0.3, stiffness=40, damping=1.0),),
)


def gears() -> PhysicsScene:
    build = SceneBuilder()
    free = JointSettings(limits=(LINEAR, LOCK_YZ))
    for x, settings in ((0.0, MOTOR), (1.0, free)):
        build.joint(settings, -1, build.body((x, 0, 0), inertia=0.1), (x, 0, 0))
    coupling = Coupling(joint=1, source=0, coefficients=(0.1, -2.0))
    return replace(build.scene(), couplings=(coupling,))


SCENES = {
    "limit": lambda: pendulum(HINGE, angle=1.2, mass=2.0, inertia=0.01),
    "saturated drive": lambda: pendulum(MOTOR, angle=0.3, mass=2.0, inertia=0.01),
    "spring": lambda: pendulum(SPRING, angle=0.3, mass=2.0, inertia=0.01),
    "chain": lambda: chain(JointSettings(limits=(LINEAR,)), 8),
    "long chain": lambda: chain(JointSettings(limits=(LINEAR,)), 20),
    "gears": gears,
}


@pytest.mark.parametrize("name", SCENES)
def test_what_touches_nothing_moves_as_without_contacts(name: str) -> None:
    scene = far_away(SCENES[name]())
    one, other = Simulation(scene), started(scene)
    for _ in range(30):
        one.advance(1.0 / 60.0)
        other.advance(1.0 / 60.0)
    assert np.array_equal(one.matrices(), other.matrices())
    assert np.array_equal(one.joint_forces(), other.joint_forces())


@pytest.mark.parametrize("name", SCENES)
def test_joints_move_alike_in_both_solvers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """MuJoCo solves the steps of joints alone as our solver does: every law is one of its rows."""
    scene = far_away(SCENES[name]())
    one = Simulation(scene)

    def all_touch(self, motions, memory, step):
        return np.where(self._model.bodies.is_dynamic, self._together.system.island, -1)

    monkeypatch.setattr(course.ContactCourse, "_labels", all_touch)
    other = started(scene)
    for _ in range(60):
        one.advance(1.0 / 60.0)
        other.advance(1.0 / 60.0)
        assert other.matrices() == pytest.approx(one.matrices(), abs=1e-7)


def heap(seed: int, count: int = 8) -> tuple[SceneBuilder, dict[int, Shape]]:
    """Return bodies of any shape that start apart above a floor, some of them jointed."""
    source = np.random.default_rng(seed)
    build, floor = with_floor()
    shapes: dict[int, Shape] = {floor: FLOOR}
    kinds = (
        Sphere(radius=0.1),
        Box(size=(0.2, 0.15, 0.1)),
        Capsule(height=0.1, radius_bottom=0.05, radius_top=0.05),
        Cylinder(height=0.1, radius_bottom=0.08, radius_top=0.08),
    )
    last = -1
    for number in range(count):
        place = (*source.uniform(-0.3, 0.3, 2), 0.3 + 0.3 * number)
        axis = source.normal(size=3)
        body = build.body(
            place,
            turn(axis, float(source.uniform(0, math.pi))),
            inertia=of_ball(1.0, 0.1),
            linear_velocity=tuple(source.normal(size=3)),
            angular_velocity=tuple(3.0 * source.normal(size=3)),
        )
        shapes[body] = kinds[int(source.integers(len(kinds)))]
        if last >= 0 and source.random() < 0.4:
            middle = 0.5 * (np.array(place) + build.nodes[last][2][:3, 3])
            build.joint(JointSettings(limits=(LINEAR,)), last, body, middle)
        last = body
    return build, shapes


@pytest.mark.fuzz
def test_random_heaps_come_down_and_stay_above_the_floor(tally) -> None:
    from tests.cases import cases

    for seed in range(cases(2, 40)):
        build, shapes = heap(seed)
        moving = simulation(build, shapes)
        bodies = [node for node in shapes if node in build.motions]
        energies = [moving.energies().sum()]
        for _ in range(90):
            frame = run(moving, 1.0 / 60.0)[0]
            energies.append(moving.energies().sum())
            assert np.isfinite(frame).all()
            assert frame[bodies, 2, 3].min() > 0.0
        tally.add("heaps with contacts", seed)
        assert np.diff(energies).max() < 0.01 * energies[0]


def wall() -> tuple[SceneBuilder, dict[int, Shape]]:
    """Return bricks on a floor, two of them tied to others that they do not touch."""
    build, floor = with_floor()
    bricks = {
        (row, number): build.body(
            (0.21 * number + 0.105 * (row % 2), 0.0, 0.05 + 0.1 * row), inertia=of_ball(1.0, 0.1)
        )
        for row in range(5)
        for number in range(5 - row % 2)
    }
    pin = JointSettings(limits=(LINEAR,))
    build.joint(pin, bricks[0, 0], bricks[2, 4], (0.3, 0.0, 0.1))
    build.joint(pin, bricks[4, 0], bricks[0, 3], (0.3, 0.0, 0.1))
    return build, {floor: FLOOR, **dict.fromkeys(bricks.values(), Box(size=(0.2, 0.1, 0.1)))}


def test_many_bodies_move_alike_in_any_order_of_their_unknowns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """MuJoCo's factors fill up less in a chosen order; what they say is the same.

    It is as exact as passes are, that end where contacts yield by 1e-5 m/s.
    """
    ordered = run(simulation(*wall()), 0.5)
    monkeypatch.setattr(ordering, "_FEW", 1000)
    again = run(simulation(*wall()), 0.5)
    assert again[0] == pytest.approx(ordered[0], abs=1e-5)
    assert again == pytest.approx(ordered, abs=1e-3)


def test_two_runs_are_the_same_bit_for_bit() -> None:
    first, second = (run(simulation(*heap(3, 4)), 0.8) for _ in range(2))
    assert np.array_equal(first, second)


def test_a_step_that_cannot_be_solved_is_solved_without_contacts_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build, floor = with_floor()
    ball = build.body((0.0, 0.0, 0.1), inertia=of_ball(1.0, 0.1))
    moving = simulation(build, {floor: FLOOR, ball: Sphere(radius=0.1)})

    def refuse(_self, _joints, _surfaces, bodies, _islands):
        raise course.NotSolvedError("there is no room", bodies)

    monkeypatch.setattr(course.Problems, "solve", refuse)
    moving.advance(0.1)
    assert moving.matrices()[ball][2, 3] < 0.1
    assert [str(found.message) for found in moving.problems()] == [
        "bodies passed through each other for a moment: there is no room"
    ]


def test_numbers_beyond_range_never_reach_mujoco() -> None:
    """The lost body stays; what lies beside it does so still."""
    build, floor = with_floor()
    lost = build.body((0.0, 0.0, 0.1), inertia=of_ball(1.0, 0.1), linear_velocity=(1e300, 0, -1))
    calm = build.body((5.0, 0.0, 0.1), inertia=of_ball(1.0, 0.1))
    ball = Sphere(radius=0.1)
    frames = run(simulation(build, {floor: FLOOR, lost: ball, calm: ball}), 0.5)
    assert np.isfinite(frames).all()
    assert frames[:, calm, 2, 3] == pytest.approx(0.1, abs=1e-4)


def test_fifteen_hundred_joints_lie_on_a_floor() -> None:
    """More rows than fit MuJoCo's arena as it is by default."""
    build, floor = with_floor()
    pin, shapes = JointSettings(limits=(LINEAR,)), {floor: FLOOR}
    for row in range(50):
        before = None
        for number in range(31):
            place = (0.2 * (number - 15), 0.2 * (row - 25), 0.03)
            link = build.body(place, mass=0.1, inertia=of_ball(0.1, 0.05))
            shapes[link] = Sphere(radius=0.03)
            if before is not None:
                build.joint(pin, before, link, (place[0] - 0.1, place[1], 0.03))
            before = link
    moving = simulation(build, shapes)
    assert len(moving.scene.joints) == 1500
    frames = run(moving, 0.05)
    assert moving.problems() == []
    assert frames[-1, 1:, 2, 3] == pytest.approx(0.03, abs=1e-4)
    assert np.abs(frames[-1] - frames[0])[:, :3, 3].max() < 1e-4


def test_a_body_of_several_shapes_rests_on_the_lowest() -> None:
    """A table of a plate and four legs, each collider on a node of its own."""
    build, floor = with_floor()
    table = build.body((0.0, 0.0, 0.9), mass=5.0, inertia=0.5)
    shapes = {floor: FLOOR, table: Box(size=(1.0, 1.0, 0.05))}
    for x in (-0.4, 0.4):
        for y in (-0.4, 0.4):
            leg = build.node((x, y, 0.5), parent=table)
            shapes[leg] = Box(size=(0.05, 0.05, 0.8))
    frames = run(simulation(build, shapes), 2.0)
    assert frames[-1, table, 2, 3] == pytest.approx(0.8, abs=1e-4)
    assert frames[-1, table, :3, :3] == pytest.approx(np.eye(3), abs=1e-5)


def test_nothing_of_mujoco_is_loaded_before_something_collides() -> None:
    code = (
        "import sys, omi_joints_addon.core.solver.simulation\n"
        "assert 'mujoco' not in sys.modules and not [m for m in sys.modules if 'contacts.' in m]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_mujoco_bodies_pass_through_each_other_with_a_finding(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build, floor = with_floor()
    ball = build.body((0.0, 0.0, 0.1), inertia=of_ball(1.0, 0.1))
    colliders = {floor: Collider(shape=FLOOR), ball: Collider(shape=Sphere(radius=0.1))}
    scene = replace(build.scene(), colliders=colliders)
    monkeypatch.setitem(sys.modules, "mujoco", None)
    unavailable.cache_clear()
    try:
        alone = Simulation(scene, options=Options(contacts=True))
    finally:
        unavailable.cache_clear()
    assert not alone.has_contacts
    assert [str(found.message) for found in alone.findings] == [
        "bodies pass through each other: MuJoCo is not installed"
    ]
