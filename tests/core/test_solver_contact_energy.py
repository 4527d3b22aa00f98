"""What falls, lands and lies in each other loses energy: random heaps, rooms, hills and crowds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.body import Collider, PhysicsMaterial
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.pose import rotate
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Shape, Sphere, Trimesh
from omi_joints_addon.core.solver import Options, Simulation
from tests.cases import cases
from tests.core.solver_scenes import LINEAR, SceneBuilder, turn
from tests.core.solver_surfaces import Surface, grid, room

pytestmark = pytest.mark.slow

FLOOR = Box(size=(20.0, 20.0, 1.0))
KINDS = (
    Sphere(radius=0.13),
    Box(size=(0.23, 0.17, 0.11)),
    Capsule(height=0.13, radius_bottom=0.07, radius_top=0.07),
)
BALL = JointSettings(
    limits=(LINEAR, JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.8)),
)
ELBOW = presets.hinge(axis=0, min_angle=-0.1, max_angle=2.4)
PERSON = (
    # The limb before, its joint, its middle [m], its mass [kg], its settings.
    (-1, (0, 0, 0), (0, 0, 1.0), 20.0, BALL),
    (0, (0, 0, 1.35), (0, 0, 1.5), 4.0, BALL),
    *(
        limb
        for side, first in ((-1, 2), (1, 4))
        for limb in (
            (0, (0.2 * side, 0, 1.25), (0.35 * side, 0, 1.25), 2.0, BALL),
            (first, (0.5 * side, 0, 1.25), (0.62 * side, 0, 1.25), 0.4, ELBOW),
        )
    ),
    (0, (-0.1, 0, 0.8), (-0.1, 0.1, 0.55), 7.0, BALL),
    (0, (0.1, 0, 0.8), (0.1, 0.1, 0.55), 7.0, BALL),
)


def material(source: np.random.Generator) -> PhysicsMaterial:
    friction = float(source.uniform(0.1, 0.9))
    return PhysicsMaterial(
        static_friction=friction,
        dynamic_friction=friction,
        restitution=float(source.choice((0.0, source.uniform(0.1, 0.8)))),
    )


def solid(build: SceneBuilder, shapes: dict[int, Shape], made: PhysicsMaterial) -> PhysicsScene:
    colliders = {node: Collider(shape=shape, material=made) for node, shape in shapes.items()}
    return replace(build.scene(), colliders=colliders)


def heap(source: np.random.Generator) -> PhysicsScene:
    """Return bodies that start apart above a floor and fall on each other."""
    build = SceneBuilder()
    shapes: dict[int, Shape] = {build.node((0.0, 0.0, -0.5)): FLOOR}
    for number in range(14):
        place = (*source.uniform(-0.2, 0.2, 2), 0.3 + 0.31 * number)
        body = build.body(place, turn(source.normal(size=3), float(source.uniform(0, 3))))
        shapes[body] = KINDS[int(source.integers(3))]
    return solid(build, shapes, material(source))


def thrown(source: np.random.Generator, surface: Surface, speed: float) -> PhysicsScene:
    """Return bodies that fly above or within a surface of triangles."""
    build = SceneBuilder()
    shapes: dict[int, Shape] = {build.node((0.0, 0.0, 0.0)): Trimesh(mesh=0)}
    for number in range(9):
        place = (*source.uniform(-0.3, 0.3, 2) + 2.2 * np.array(divmod(number, 3)) - 2.2, 1.6)
        velocity = tuple(speed * source.normal(size=3))
        body = build.body(place, inertia=0.01, linear_velocity=velocity)
        shapes[body] = KINDS[number % 3]
    mesh = Mesh(name="surface", read=lambda: MeshData(surface[0], surface[1].astype(np.intp)))
    return replace(solid(build, shapes, material(source)), meshes=(mesh,))


def in_room(source: np.random.Generator) -> PhysicsScene:
    return thrown(source, room(), 8.0)


def on_hills(source: np.random.Generator) -> PhysicsScene:
    high, long = source.uniform(0.1, 0.5), source.uniform(0.7, 1.6)
    hills = grid(24, 16.0, lambda x, y: high * np.sin(x / long) * np.cos(y / long))
    return thrown(source, hills, 1.0)


def crowd(source: np.random.Generator) -> PhysicsScene:
    """Return persons that start in each other, so that some of their limbs are wedged in."""
    build = SceneBuilder()
    shapes: dict[int, Shape] = {build.node((0.0, 0.0, -0.5)): FLOOR}
    for number in range(6):
        way = turn((0, 0, 1), float(source.uniform(0.0, 2.0 * math.pi)))
        start = np.array((0.5 * (number % 3), 0.5 * (number // 3), source.uniform(0.0, 0.3)))
        limbs: list[int] = []
        for before, joint, middle, mass, settings in PERSON:
            place = start + rotate(way, np.array(middle, float))
            limbs.append(build.body(place, way, mass=mass, inertia=0.01 * mass))
            if before >= 0:
                at = start + rotate(way, np.array(joint, float))
                build.joint(settings, limbs[before], limbs[-1], at, way)
        shapes |= dict.fromkeys(limbs, Sphere(radius=0.06))
    return solid(build, shapes, PhysicsMaterial(static_friction=0.6, dynamic_friction=0.6))


def rises(scene: PhysicsScene, seconds: float) -> Sequence[float]:
    """Return how much more energy there is after each frame, as parts of that of the start."""
    moving = Simulation(scene, options=Options(contacts=True))
    assert moving.has_contacts
    sums = []
    for _ in range(round(60 * seconds)):
        moving.advance(1.0 / 60.0)
        sums.append(float(moving.energies().sum()))
    # The guard that undoes steps has had nothing to do.
    assert "OMI-P035" not in [found.code for found in moving.problems()]
    return np.diff(sums) / sums[0]


@pytest.mark.parametrize(
    ("make", "most"),
    # Necks and shoulders meet their limits at once there, which is known to a part of a step.
    [(heap, 1e-4), (in_room, 1e-4), (on_hills, 2e-4), (crowd, 4e-3)],
)
@pytest.mark.fuzz
def test_energies_never_rise(
    make: Callable[[np.random.Generator], PhysicsScene], most: float, tally
) -> None:
    for seed in range(cases(2, 40)):
        scene = make(np.random.default_rng((seed, 271127)))
        assert rises(scene, 1.3).max() < most, seed
        tally.add(f"energies of {make.__name__}", seed)
