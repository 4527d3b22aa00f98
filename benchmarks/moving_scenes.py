"""Scenes of joints that move as soon as they are let go, spin, or are driven. SI, Z up."""

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.scene import PhysicsScene
from tests.core.solver_scenes import SceneBuilder

FREE = {"min_angle": -math.inf, "max_angle": math.inf}
HINGE = presets.hinge(axis=0, **FREE)
SPIN = presets.hinge(axis=2, **FREE)
PIN = presets.pin()
SPRING = JointDrive(type="angular", axis=0, position_target=0.3, stiffness=0.5, damping=0.05)
NECK = JointSettings(
    limits=(*PIN.limits, JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.8)),
)
ELBOW = presets.hinge(axis=0, min_angle=-0.1, max_angle=2.4)
LINK, MASS, INERTIA = 0.1, 0.1, 1.7e-4
LIMBS = (
    # The limb before, its joint, its middle [m], its mass [kg], its settings.
    (-1, (0, 0, 1.75), (0, 0, 1.65), 4.0, PIN),
    (0, (0, 0, 1.5), (0, 0, 1.35), 12.0, NECK),
    (1, (0, 0, 1.2), (0, 0, 1.1), 8.0, NECK),
    (2, (0, 0, 1.0), (0, 0, 0.95), 10.0, NECK),
    *(
        limb
        for side, first in ((-1, 4), (1, 10))
        for limb in (
            (1, (0.2 * side, 0, 1.45), (0.35 * side, 0, 1.45), 2.0, NECK),
            (first, (0.5 * side, 0, 1.45), (0.62 * side, 0, 1.45), 1.2, ELBOW),
            (first + 1, (0.75 * side, 0, 1.45), (0.82 * side, 0, 1.45), 0.4, NECK),
            (3, (0.1 * side, 0, 0.9), (0.1 * side, 0.15, 0.75), 7.0, NECK),
            (first + 3, (0.1 * side, 0.3, 0.6), (0.1 * side, 0.4, 0.42), 3.5, ELBOW),
            (first + 4, (0.1 * side, 0.5, 0.25), (0.1 * side, 0.55, 0.2), 1.0, NECK),
        )
    ),
)
"""A ragdoll that hangs by its head, arms and legs held out."""


def chains(count: int, size: int) -> PhysicsScene:
    """Return `count` chains of `size` hinges, straight at different slopes."""
    build = SceneBuilder()
    for number in range(count):
        slope = 0.5 * number / count
        way = np.array((0.0, math.cos(slope), -math.sin(slope)))
        before, start = -1, np.array((float(number), 0.0, 0.0))
        for link in range(size):
            middle = start + LINK * (link + 0.5) * way
            node = build.body(middle, mass=MASS, inertia=INERTIA)
            build.joint(HINGE, before, node, start + LINK * link * way)
            before = node
    return build.scene()


def ragdolls(count: int) -> PhysicsScene:
    """Return `count` ragdolls of 16 joints."""
    build = SceneBuilder()
    for number in range(count):
        shift, nodes = np.array((2.0 * number, 0.0, 0.0)), list[int]()
        for before, joint, middle, mass, settings in LIMBS:
            node = build.body(shift + middle, mass=mass, inertia=0.01 * mass)
            build.joint(settings, nodes[before] if before >= 0 else -1, node, shift + joint)
            nodes.append(node)
    return build.scene()


def net(size: int) -> PhysicsScene:
    """Return a flat net of plates pinned to their neighbors, held at an edge."""
    build = SceneBuilder()
    plates = {
        (x, y): build.body((LINK * x, LINK * y, 0.0), mass=MASS, inertia=1e-4)
        for x in range(size)
        for y in range(size)
    }
    for (x, y), plate in plates.items():
        for i, j in ((1, 0), (0, 1)):
            if (x + i, y + j) in plates:
                place = (LINK * (x + i / 2), LINK * (y + j / 2), 0.0)
                build.joint(PIN, plate, plates[x + i, y + j], place)
    for x in range(size):
        build.joint(PIN, -1, plates[x, 0], (LINK * x, -LINK / 2, 0.0))
    return build.scene()


def car() -> PhysicsScene:
    """Return a hanging car with four wheels that spin."""
    build = SceneBuilder()
    body = build.body((0, 0, 0), mass=1000.0, inertia=(300.0, 1000.0, 1100.0))
    build.joint(PIN, -1, body, (0, 0, 1.0))
    wheel = presets.hinge(axis=1, **FREE)
    for x in (-1.2, 1.2):
        for y in (-0.7, 0.7):
            speed = {"angular_velocity": (0.0, 60.0, 0.0)}
            node = build.body((x, y, -0.2), mass=20.0, inertia=(0.6, 1.0, 0.6), **speed)
            build.joint(wheel, body, node, (x, y, -0.2))
    return build.scene()


def top() -> PhysicsScene:
    """Return a top that spins at 500 rad/s on a pin, on a slope."""
    build, spin = SceneBuilder(), 500.0
    way = np.array((0.0, -math.sin(0.4), math.cos(0.4)))
    turned = (math.sin(0.2), 0.0, 0.0, math.cos(0.2))
    speed = {"angular_velocity": (0.0, 0.0, spin)}
    node = build.body(0.1 * way, turned, inertia=(5e-3, 5e-3, 2e-3), **speed)
    build.joint(PIN, -1, node, (0, 0, 0), turned)
    return build.scene()


def robot(size: int) -> PhysicsScene:
    """Return an arm of `size` servos that goes from the horizontal to a bow."""
    build, before = SceneBuilder(), -1
    for number in range(size):
        mass = 4.0 / (number + 1)
        gain = 4000.0 / (number + 1) ** 2
        servo = JointDrive(
            type="angular",
            axis=0,
            position_target=0.4,
            velocity_target=0.0,
            stiffness=gain,
            damping=0.1 * gain,
        )
        node = build.body((0, 0.3 * (number + 0.5), 0), mass=mass, inertia=0.01 * mass)
        settings = JointSettings(limits=HINGE.limits, drives=(servo,))
        build.joint(settings, before, node, (0, 0.3 * number, 0))
        before = node
    return build.scene()


SCENES: dict[str, Callable[[], PhysicsScene]] = {
    "10 hinges let go": partial(chains, 1, 10),
    "100 hinges in 10 chains let go": partial(chains, 10, 10),
    "300 hinges in 30 chains let go": partial(chains, 30, 10),
    "100 hinges in one chain let go": partial(chains, 1, 100),
    "ragdoll let go": partial(ragdolls, 1),
    "20 ragdolls let go": partial(ragdolls, 20),
    "net of 7 × 7 let go": partial(net, 7),
    "net of 22 × 22 let go": partial(net, 22),
    "car, wheels at 60 rad/s": car,
    "top at 500 rad/s": top,
    "arm of 6 servos driven": partial(robot, 6),
}
