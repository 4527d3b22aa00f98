"""Rows of bodies: mass, inertia, center, velocities, gravity factor, kinematic motion, several."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from omi_joints_addon.core.model.animation import MOTION, Track
from omi_joints_addon.core.model.body import Collider, Motion, MotionType
from omi_joints_addon.core.model.joint import JointDrive, JointSettings
from omi_joints_addon.core.model.pose import Array, rotation_matrix
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Sphere
from tests.core.solver_scenes import integrate
from tests.oracles.property_row import (
    BODY,
    DOWN,
    HINGE,
    PINNED,
    SLIDER,
    STILL,
    G,
    Item,
    OnJoint,
    Property,
    along,
    metric_of,
    scene_of,
    static,
    turn_of,
    turned_about,
)

SECONDS = 0.3
BALL = Collider(shape=Sphere(radius=0.11))
TURNED = turn_of((0.3, -0.5, 0.8), 50.0)
TILTED = turn_of((1.0, 0.0, 0.0), 37.0)


def weighed(name: str, arm: Sequence[float], **motion: object) -> Property:
    """Return a body with an inertia of its own on a hinge about Y, let go level."""
    own = Motion(**motion)
    axes = rotation_matrix(np.array(own.inertia_orientation))
    tensor = axes @ np.diag(own.inertia_diagonal) @ axes.T
    center = np.array(arm) + np.array(own.center_of_mass)
    about = tensor[1, 1] + own.mass * (center[0] ** 2 + center[2] ** 2)

    def acceleration(angle: float, _rate: float) -> float:
        sideways = center[0] * math.cos(angle) + center[2] * math.sin(angle)
        return own.mass * G * sideways / about

    return Property(
        group="Body",
        name=name,
        scene=OnJoint(limits=HINGE, gravity=DOWN, arm=arm, motion=own).scene(),
        seconds=SECONDS,
        value=metric_of((1,), is_angular=True),
        expected=float(integrate(acceleration, 0.0, 0.0, SECONDS)[-1]),
        is_angular=True,
    )


def flying(
    name: str,
    expected: float,
    *,
    seconds: float = SECONDS,
    axis: int = 2,
    turns: bool = False,
    gravity: Sequence[float] = STILL,
    is_default: bool = False,
    **motion: object,
) -> Property:
    """Return a turned body without joint, measured along a world axis or about its own one."""
    item = Item(name=BODY, rotation=TURNED, motion=Motion(**motion), collider=BALL)
    return Property(
        group="Body",
        name=name,
        scene=scene_of(item, gravity=gravity),
        seconds=seconds,
        value=turned_about(axis) if turns else along(axis),
        expected=expected,
        is_angular=turns,
        is_default=is_default,
    )


def _fall(seconds: float, factor: float = 1.0) -> float:
    return -0.5 * G * factor * seconds**2


def _thrown(velocity: Sequence[float], axis: int, seconds: float) -> float:
    """Return how far a velocity in the body's axes carries it along a world axis [m]."""
    return float(seconds * (rotation_matrix(np.array(TURNED)) @ np.array(velocity))[axis])


def keyed(
    name: str,
    member: str,
    values: tuple[float, float],
    expected: float,
    *,
    number: int = 0,
    **motion: object,
) -> Property:
    """Return such a body with a number that goes from one value to another within 0.7 s."""
    row = flying(name, expected, seconds=0.7, gravity=DOWN, **motion)
    track = Track(
        body=0,
        kind=MOTION,
        member=member,
        number=number,
        seconds=np.array((0.0, 0.7)),
        values=np.array(values),
    )
    return replace(row, scene=replace(row.scene, tracks=(track,)))


THROW = (0.43, -0.21, 1.37)
ROWS = (
    weighed("mass and inertia", (0.1, 0.0, 0.0), mass=5.3, inertia_diagonal=(0.11, 0.13, 0.17)),
    weighed(
        "inertia about tilted axes",
        (0.1, 0.0, 0.0),
        mass=1.7,
        inertia_diagonal=(0.16, 0.07, 0.19),
        inertia_orientation=TILTED,
    ),
    weighed("inertia of a flat plate", (0.1, 0.0, 0.0), mass=1.7,
            inertia_diagonal=(0.05, 0.07, 0.12)),
    weighed(
        "center of mass",
        (0.05, 0.0, 0.0),
        mass=1.7,
        center_of_mass=(0.19, 0.07, 0.06),
        inertia_diagonal=(0.02, 0.03, 0.025),
    ),
    flying("gravity", _fall(0.4), seconds=0.4, gravity=(0.0, 0.0, -G), mass=1.3),
    flying("gravity factor 0", 0.0, seconds=0.4, gravity=DOWN, gravity_factor=0.0, mass=1.3),
    flying("gravity factor 0.47", _fall(0.4, 0.47), seconds=0.4, gravity=DOWN,
           gravity_factor=0.47, mass=1.3),
    flying("gravity factor −1.3", _fall(0.4, -1.3), seconds=0.4, gravity=DOWN,
           gravity_factor=-1.3, mass=1.3),
    flying("initial velocity", _thrown(THROW, 2, 0.7), seconds=0.7, linear_velocity=THROW,
           mass=1.3),
    flying("initial spin", 1.7 * 0.7, seconds=0.7, axis=1, turns=True,
           angular_velocity=(0.0, 1.7, 0.0), mass=1.3),
    flying("kinematic body with a velocity", _thrown(THROW, 2, 0.7), seconds=0.7,
           type=MotionType.KINEMATIC, linear_velocity=THROW),
    flying("kinematic body with a spin", 1.7 * 0.7, seconds=0.7, axis=1, turns=True,
           type=MotionType.KINEMATIC, angular_velocity=(0.0, 1.7, 0.0)),
    keyed("keyed gravity factor", "gravity_factor", (0.21, 0.83),
          -0.5 * G * 0.7**2 * (0.21 + 0.62 / 3.0), mass=1.3, gravity_factor=0.21),
    flying("fall, with the engine's own steps", _fall(0.7), seconds=0.7, gravity=DOWN, mass=1.3,
           is_default=True),
    flying("flight, with its own damping", _thrown(THROW, 2, 1.3), seconds=1.3,
           linear_velocity=THROW, mass=1.3, is_default=True),
    flying("spin, with its own damping", 1.7 * 1.3, seconds=1.3, axis=1, turns=True,
           angular_velocity=(0.0, 1.7, 0.0), mass=1.3, is_default=True),
    flying("slow flight, with its own sleep", _thrown((0.0, 0.0, 0.013), 2, 4.0), seconds=4.0,
           linear_velocity=(0.0, 0.0, 0.013), mass=1.3, is_default=True),
)  # fmt: skip


def _links(count: int, *, masses: Sequence[float], length: float) -> PhysicsScene:
    """Return balls that are pinned in a row, level, from a static base along X."""
    items, joints = [static("Base", Sphere(radius=0.012))], []
    for number in range(count):
        name = BODY if number == count - 1 else f"Link {number}"
        mass = masses[number]
        motion = Motion(mass=mass, inertia_diagonal=(0.1 * mass * length**2,) * 3)
        place = ((number + 0.5) * length, 0.0, 0.0)
        ball = Collider(shape=Sphere(radius=0.2 * length))
        before = 0 if number == 0 else len(items) - 3
        body = len(items)
        items.append(Item(name=name, position=place, motion=motion, collider=ball))
        at = (number * length, 0.0, 0.0)
        items.append(Item(name=f"Joint {number}", position=at, parent=before))
        items.append(Item(name=f"Connected {number}", position=at, parent=body))
        settings = JointSettings(limits=HINGE)
        joints.append(
            Joint(node=body + 1, connected=body + 2, settings=settings, place=f"Joint {number}")
        )
    return scene_of(*items, joints=joints)


def _swung(masses: Sequence[float], length: float, seconds: float) -> float:
    """Return the height of the last of the links: Lagrange's equations in their angles."""
    count, mass = len(masses), np.array(masses)
    reach = np.where(np.arange(count)[:, None] > np.arange(count), length, 0.0)
    reach += 0.5 * length * np.eye(count)
    coupled = reach.T @ (mass[:, None] * reach)
    own, pull = 0.1 * mass * length**2, reach.T @ (mass * G)

    def rates(state: Array) -> Array:
        angle, rate = state[:count], state[count:]
        apart = angle[:, None] - angle
        inertia = coupled * np.cos(apart) + np.diag(own)
        load = pull * np.cos(angle) - (coupled * np.sin(apart)) @ rate**2
        return np.append(rate, np.linalg.solve(inertia, load))

    state, step = np.zeros(2 * count), 2e-4
    for _ in range(round(seconds / step)):
        one = rates(state)
        two = rates(state + 0.5 * step * one)
        three = rates(state + 0.5 * step * two)
        four = rates(state + step * three)
        state = state + step / 6.0 * (one + 2.0 * two + 2.0 * three + four)
    return float(-(reach @ np.sin(state[:count]))[-1])


def linked(name: str, masses: Sequence[float], length: float, seconds: float) -> Property:
    """Return a row of links that falls from level, measured by the height of its last one."""
    return Property(
        group="Several",
        name=name,
        scene=_links(len(masses), masses=masses, length=length),
        seconds=seconds,
        value=along(2),
        expected=_swung(masses, length, seconds),
    )


def _two_free(name: str) -> Property:
    """Return two bodies that are pinned to each other and to nothing else, falling."""
    items = (
        Item(name="Other", motion=Motion(mass=3.1), collider=BALL),
        Item(name=BODY, position=(0.4, 0.0, 0.0), motion=Motion(mass=1.3), collider=BALL),
        Item(name="Joint", parent=0),
        Item(name="Connected", parent=1),
    )
    joint = Joint(node=2, connected=3, settings=JointSettings(limits=(PINNED,)), place="Joint")
    return Property(
        group="Several",
        name=name,
        scene=scene_of(*items, joints=(joint,)),
        seconds=SECONDS,
        value=along(2),
        expected=_fall(SECONDS),
    )


def _light_spring(name: str, seconds: float) -> Property:
    """Return two bodies on no base with a spring along Z between them, one of which is pushed."""
    mass, other, speed, stiffness, damping = 1.3, 3.1, -0.7, 110.0, 1.1
    items = (
        Item(name="Other", motion=Motion(mass=other), collider=BALL),
        Item(
            name=BODY,
            position=(0.0, 0.0, 0.4),
            motion=Motion(mass=mass, linear_velocity=(0.0, 0.0, speed)),
            collider=BALL,
        ),
        Item(name="Joint", parent=0),
        Item(name="Connected", parent=1),
    )
    drive = JointDrive(axis=2, position_target=0.0, stiffness=stiffness, damping=damping)
    settings = JointSettings(limits=SLIDER, drives=(drive,))
    joint = Joint(node=2, connected=3, settings=settings, place="Joint")
    reduced = mass * other / (mass + other)

    def acceleration(x: float, v: float) -> float:
        return -(stiffness * x + damping * v) / reduced

    apart = float(integrate(acceleration, 0.0, speed, seconds)[-1])
    middle = mass * speed * seconds / (mass + other)
    return Property(
        group="Several",
        name=name,
        scene=scene_of(*items, joints=(joint,), gravity=STILL),
        seconds=seconds,
        value=along(2),
        expected=0.4 + middle + other / (mass + other) * apart,
    )


SEVERAL = (
    _light_spring("light spring between two bodies", 0.9),
    _two_free("two bodies on no base"),
    linked("chain of 5", (0.7, 0.9, 0.6, 0.8, 1.1), 0.23, 0.4),
    linked("mass ratio of 100 on joints", (0.13, 13.0), 0.31, 0.4),
)
