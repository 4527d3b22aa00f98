"""Time of simulating what touches, a frame at 60 Hz, beside MuJoCo alone and without contacts.

Heaps, crowds and what is thrown into rooms land within the frames that are measured. Beside the
time is the speed that contacts were off by at most.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from figures import Table, times_ms

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine_frames import in_bullet, in_mujoco
from moving_scenes import LIMBS

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.body import Collider
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.pose import Array, rotate
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Cylinder, Shape, Sphere, Trimesh
from omi_joints_addon.core.solver import Options, Simulation
from tests.core.solver_scenes import SceneBuilder, turn
from tests.core.solver_surfaces import grid, room

FRAMES = 120
LONGEST = {"heap of 100": 75.0, "ragdoll of 16 on a floor": 20.0}
"""Longest frames [ms]."""
_OFF = 20.0
"""Speed [mm/s] from which a finding says that contacts are off."""
FLOOR = Box(size=(20.0, 20.0, 1.0))
CUBE = Box(size=(0.2, 0.2, 0.2))
CUBE_INERTIA = 1.0 / 6.0 * 0.2**2
PIN = JointSettings(limits=(JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),))


def ball() -> PhysicsScene:
    """Return a ball that falls on a floor."""
    build = SceneBuilder()
    floor = build.node((0.0, 0.0, -0.5))
    return solid(build, {floor: FLOOR, build.body((0.0, 0.0, 0.3)): Sphere(radius=0.1)})


def stack() -> PhysicsScene:
    """Return five cubes on each other."""
    build = SceneBuilder()
    floor = build.node((0.0, 0.0, -0.5))
    cubes = [build.body((0, 0, 0.1 + 0.2 * n), inertia=CUBE_INERTIA) for n in range(5)]
    return solid(build, {floor: FLOOR, **dict.fromkeys(cubes, CUBE)})


def rope() -> PhysicsScene:
    """Return twelve links that fall over a beam."""
    build = SceneBuilder()
    beam, links = build.node((0.0, 0.0, 0.0)), list[int]()
    for number in range(12):
        place = (0.1 * (number - 5.5), 0.0, 0.1)
        links.append(build.body(place, turn((0, 1, 0), math.pi / 2), mass=0.1, inertia=1e-4))
        if number:
            build.joint(PIN, links[-2], links[-1], (place[0] - 0.05, 0.0, 0.1))
    link = Capsule(height=0.07, radius_bottom=0.015, radius_top=0.015)
    return solid(build, {beam: Box(size=(0.3, 1.0, 0.1)), **dict.fromkeys(links, link)})


def car() -> PhysicsScene:
    """Return a car whose four wheels drive it along a road."""
    build = SceneBuilder()
    floor = build.node((0.0, 0.0, -0.5))
    body = build.body((0, 0, 0.6), mass=1000.0, inertia=(300.0, 1000.0, 1100.0))
    shapes: dict[int, Shape] = {floor: FLOOR, body: Box(size=(4.0, 1.2, 0.5))}
    motor = JointDrive(type="angular", axis=1, velocity_target=15.0, damping=200.0)
    wheel = replace(presets.hinge(axis=1, min_angle=-math.inf, max_angle=math.inf), drives=(motor,))
    for x, y in product((-1.2, 1.2), (-0.7, 0.7)):
        node = build.body((x, y, 0.3), turn((1, 0, 0), -math.pi / 2), mass=20.0, inertia=0.8)
        build.joint(wheel, body, node, (x, y, 0.3))
        shapes[node] = Cylinder(height=0.2, radius_bottom=0.3, radius_top=0.3)
    return solid(build, shapes)


def ragdoll() -> PhysicsScene:
    """Return a ragdoll of 16 limbs that falls on a floor."""
    build = SceneBuilder()
    floor, limbs = build.node((0.0, 0.0, -0.5)), list[int]()
    for before, joint, middle, mass, settings in LIMBS:
        limbs.append(build.body(middle, mass=mass, inertia=0.01 * mass))
        if before >= 0:
            build.joint(settings, limbs[before], limbs[-1], joint)
    return solid(build, {floor: FLOOR, **dict.fromkeys(limbs, Sphere(radius=0.06))})


def heap(count: int) -> PhysicsScene:
    """Return cubes and balls that start apart above a floor, nine in each layer."""
    source, build = np.random.default_rng(1), SceneBuilder()
    shapes: dict[int, Shape] = {build.node((0.0, 0.0, -0.5)): FLOOR}
    for number in range(count):
        # No farther than 0.173 m from its middle, a cube stays within its cell of 0.36 m.
        cell = np.array((number % 3 - 1, number // 3 % 3 - 1, number // 9 + 0.5))
        place = 0.36 * cell + (*source.uniform(-5e-3, 5e-3, 2), 0.1)
        body = build.body(place, turn(source.normal(size=3), 1.0), inertia=CUBE_INERTIA)
        shapes[body] = CUBE if number % 2 else Sphere(radius=0.1)
    return solid(build, shapes)


def crowd(count: int) -> PhysicsScene:
    """Return ragdolls that fall on a floor from different heights, five in each row."""
    source, build = np.random.default_rng(2), SceneBuilder()
    shapes: dict[int, Shape] = {build.node((0.0, 0.0, -0.5)): FLOOR}
    for number in range(count):
        angle = float(source.uniform(0.0, 2.0 * math.pi))
        way = turn((0, 0, 1), angle)
        start = np.array((number % 5 * 2.0 - 4.0, number // 5 * 2.0 - 3.0, source.uniform(0, 0.3)))
        limbs = list[int]()
        for before, joint, middle, mass, settings in LIMBS:
            limbs.append(
                build.body(start + rotate(way, middle), way, mass=mass, inertia=0.01 * mass)
            )
            if before >= 0:
                place = start + rotate(way, np.array(joint, float))
                build.joint(settings, limbs[before], limbs[-1], place, way)
        shapes |= dict.fromkeys(limbs, Sphere(radius=0.06))
    return solid(build, shapes)


def thrown_into_room() -> PhysicsScene:
    """Return twelve bodies that fly at 30 m/s in a room of triangles with thick walls."""
    source, build = np.random.default_rng(3), SceneBuilder()
    shapes: dict[int, Shape] = {build.node((0.0, 0.0, 0.0)): Trimesh(mesh=0)}
    kinds = (Sphere(radius=0.15), CUBE, Capsule(height=0.2, radius_bottom=0.1, radius_top=0.1))
    for number in range(12):
        place = source.uniform((-3, -3, 0.5), (3, 3, 2.5))
        speed = tuple(30.0 * source.normal(size=3))
        shapes[build.body(place, inertia=0.01, linear_velocity=speed)] = kinds[number % 3]
    return with_surface(solid(build, shapes), *room())


def terrain(side: int) -> PhysicsScene:
    """Return thirty bodies that fall on hills of 2 · side² triangles."""
    source, build = np.random.default_rng(1), SceneBuilder()
    shapes: dict[int, Shape] = {build.node((0.0, 0.0, 0.0)): Trimesh(mesh=0)}
    kinds = (Sphere(radius=0.15), CUBE, Capsule(height=0.2, radius_bottom=0.1, radius_top=0.1))
    for number in range(30):
        place = (*source.uniform(-10, 10, 2), 1.2)
        shapes[build.body(place, inertia=0.01)] = kinds[number % 3]
    hills = grid(side, 40.0, lambda x, y: 0.5 * np.sin(x) * np.cos(y))
    return with_surface(solid(build, shapes), *hills)


def with_surface(scene: PhysicsScene, points: Array, faces: Array) -> PhysicsScene:
    """Return the scene with its only mesh."""
    mesh = Mesh(name="surface", read=lambda: MeshData(points, faces.astype(np.intp)))
    return replace(scene, meshes=(mesh,))


def solid(build: SceneBuilder, shapes: dict[int, Shape]) -> PhysicsScene:
    """Return the scene with these shapes."""
    colliders = {node: Collider(shape=shape) for node, shape in shapes.items()}
    return replace(build.scene(), colliders=colliders)


SCENES: dict[str, Callable[[], PhysicsScene]] = {
    "ball": ball,
    "stack of 5": stack,
    "car on a road": car,
    "rope of 12 on a beam": rope,
    "ragdoll of 16 on a floor": ragdoll,
    "heap of 20": partial(heap, 20),
    "heap of 50": partial(heap, 50),
    "heap of 100": partial(heap, 100),
    "crowd of 20 ragdolls": partial(crowd, 20),
    "thrown into a room": thrown_into_room,
    "30 on 50,000 triangles": partial(terrain, 158),
}


def main() -> None:
    """Print the table; heaps fall, so that their later frames have most contacts."""
    table = Table("Simulation with contacts, a frame at 60 Hz, beside the same without")
    for name, make in SCENES.items():
        scene = make()
        moving, without = (
            Simulation(scene, options=Options(contacts=contacts)) for contacts in (True, False)
        )
        taken, alone = (
            times_ms(partial(each.advance, 1.0 / 60.0), runs=FRAMES) for each in (moving, without)
        )
        table.add(name, taken, baseline=alone)
        table.add("  longest", max(taken.values), target=LONGEST.get(name))
        table.add("  off by", 1e3 * moving.course.contact_error, unit="mm/s", target=_OFF)
        if scene.meshes:
            # Other engines take surfaces as something else.
            continue
        theirs = in_mujoco(scene, FRAMES)
        if theirs is not None:
            table.add("  MuJoCo alone", theirs)
        table.add("  Blender's Bullet", in_bullet(scene, FRAMES))


if __name__ == "__main__":
    main()
