"""Rows of shapes and surfaces: where bodies rest, slide, roll, bounce, and what stops them."""

import math
from collections.abc import Sequence

import numpy as np

from omi_joints_addon.core.model.body import Collider, CombineMode, Motion, PhysicsMaterial
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    Shape,
    Sphere,
    Trimesh,
)
from omi_joints_addon.core.shapes.hull import convex_hull
from tests.oracles.property_row import (
    BODY,
    DOWN,
    SIDE,
    STILL,
    UPRIGHT,
    G,
    Item,
    Property,
    along,
    scene_of,
    static,
    tilted,
    turn_of,
)

SLAB = Box(size=(40.0, 4.0, 0.2))
FLOOR_AT = (0.0, 0.0, -0.1)
LYING = turn_of((1.0, 0.0, 0.0), 90.0)
BRICK = np.array([(x, y, z) for x in (-0.21, 0.21) for y in (-0.13, 0.13) for z in (-0.07, 0.07)])
SPAN = np.array([(-20.0, -2.0, 0.0), (20.0, -2.0, 0.0), (20.0, 2.0, 0.0), (-20.0, 2.0, 0.0)])
MESHES = (
    Mesh(name="Brick", read=lambda: MeshData(BRICK, convex_hull(BRICK))),
    Mesh(name="Ground", read=lambda: MeshData(SPAN, np.array([(0, 1, 2), (0, 2, 3)]))),
)


def resting(
    name: str,
    shape: Shape,
    height: float,
    *,
    rotation: Sequence[float] = UPRIGHT,
    scale: Sequence[float] = (1.0, 1.0, 1.0),
    ground: Item | None = None,
) -> Property:
    """Return a body that falls by 3 cm onto a floor."""
    floor = ground or static("Floor", SLAB, FLOOR_AT)
    body = Item(
        name=BODY,
        position=(0.1, 0.2, height + 0.03),
        rotation=rotation,
        scale=scale,
        motion=Motion(mass=1.7),
        collider=Collider(shape=shape),
    )
    return Property(
        group="Shape",
        name=name,
        scene=scene_of(floor, body, meshes=MESHES),
        seconds=2.0,
        value=along(2),
        expected=height,
    )


def compound() -> Property:
    """Return two boxes on one body, the lower one 0.19 m below its origin."""
    floor = static("Floor", SLAB, FLOOR_AT)
    at = (0.0, 0.0, 0.33)
    body = Item(name=BODY, position=at, motion=Motion(mass=1.7))
    upper = Item(
        name="Upper", position=at, parent=1, collider=Collider(shape=Box(size=(0.5, 0.3, 0.1)))
    )
    lower = Item(
        name="Lower",
        position=(0.0, 0.0, 0.33 - 0.19),
        parent=1,
        collider=Collider(shape=Box(size=(0.4, 0.4, 0.16))),
    )
    return Property(
        group="Shape",
        name="compound of two boxes",
        scene=scene_of(floor, body, upper, lower),
        seconds=2.0,
        value=along(2),
        expected=0.19 + 0.08,
    )  # fmt: skip


SHAPES = (
    resting("sphere", Sphere(radius=0.13), 0.13),
    resting("box", Box(size=(0.3, 0.4, 0.26)), 0.13),
    resting("capsule", Capsule(height=0.27, radius_bottom=0.09, radius_top=0.09), 0.09,
            rotation=LYING),
    resting("cylinder", Cylinder(height=0.27, radius_bottom=0.19, radius_top=0.19), 0.135),
    resting("tapered cylinder", Cylinder(height=0.22, radius_bottom=0.21, radius_top=0.12), 0.11),
    resting("tapered capsule", Capsule(height=0.3, radius_bottom=0.14, radius_top=0.08), 0.11,
            rotation=LYING),
    resting("convex hull", Convex(mesh=0), 0.07),
    resting("on a mesh", Sphere(radius=0.13), 0.13,
            ground=static("Floor", Trimesh(mesh=1), STILL)),
    resting("scaled by 2.1", Sphere(radius=0.07), 0.147, scale=(2.1, 2.1, 2.1)),
    resting("scaled unevenly", Box(size=(0.3, 0.4, 0.1)), 0.085, scale=(1.3, 0.8, 1.7)),
    compound(),
)  # fmt: skip


def surface(static_: float, dynamic: float | None = None, **values: object) -> PhysicsMaterial:
    """Return a surface with friction."""
    return PhysicsMaterial(
        static_friction=static_, dynamic_friction=static_ if dynamic is None else dynamic, **values
    )


def sliding(
    name: str,
    degrees: float,
    expected: float,
    one: PhysicsMaterial,
    other: PhysicsMaterial | None = None,
    *,
    shape: Shape | None = None,
    speed: float = 0.0,
) -> Property:
    """Return a body on a slope, measured by how far down it is after a second."""
    floor = static("Floor", SLAB, FLOOR_AT, material=one)
    shape = shape or Box(size=(0.5, 0.5, 0.12))
    height = shape.radius if isinstance(shape, Sphere) else 0.06
    body = Item(
        name=BODY,
        position=(-3.0, 0.0, height),
        motion=Motion(mass=1.7, linear_velocity=(speed, 0.0, 0.0)),
        collider=Collider(shape=shape, material=other or one),
    )
    return Property(
        group="Surface",
        name=name,
        scene=scene_of(floor, body, gravity=tilted(degrees)),
        seconds=1.0,
        value=along(0),
        expected=expected - 3.0,
    )


def _slid(degrees: float, friction: float, speed: float = 0.0) -> float:
    """Return how far a box slides in a second [m]."""
    angle = math.radians(degrees)
    return speed + 0.5 * G * (math.sin(angle) - friction * math.cos(angle))


def bouncing(
    name: str, bounce: float, one: PhysicsMaterial, other: PhysicsMaterial | None = None
) -> Property:
    """Return a ball that falls by 0.4 m, measured at the top of its first bounce."""
    drop, radius = 0.4, 0.11
    body = Item(
        name=BODY,
        position=(0.1, 0.2, drop + radius),
        motion=Motion(mass=1.7),
        collider=Collider(shape=Sphere(radius=radius), material=other or one),
    )
    return Property(
        group="Surface",
        name=name,
        scene=scene_of(static("Floor", SLAB, FLOOR_AT, material=one), body),
        seconds=(1.0 + bounce) * math.sqrt(2.0 * drop / G),
        value=along(2),
        expected=bounce**2 * drop + radius,
    )


def _mode(mode: CombineMode) -> dict[str, CombineMode]:
    return {"friction_combine": mode, "restitution_combine": mode}


SURFACES = (
    sliding("static friction holds", 27.0, 0.0, surface(0.7, 0.7)),
    sliding("dynamic friction", 30.0, _slid(30.0, 0.4), surface(0.4)),
    sliding("no friction", 11.0, _slid(11.0, 0.0), surface(0.0)),
    sliding("static above dynamic friction", 27.0, 0.0, surface(0.7, 0.3)),
    sliding("friction by average", 30.0, _slid(30.0, 0.35), surface(0.2), surface(0.5)),
    sliding("friction by minimum", 30.0, _slid(30.0, 0.2),
            surface(0.2, **_mode(CombineMode.MINIMUM)),
            surface(0.5, **_mode(CombineMode.MINIMUM))),
    sliding("friction by maximum", 30.0, _slid(30.0, 0.5),
            surface(0.2, **_mode(CombineMode.MAXIMUM)),
            surface(0.5, **_mode(CombineMode.MAXIMUM))),
    sliding("friction by product", 30.0, _slid(30.0, 0.3),
            surface(0.6, **_mode(CombineMode.MULTIPLY)),
            surface(0.5, **_mode(CombineMode.MULTIPLY))),
    sliding("rolling ball", 12.0, 5.0 / 14.0 * G * math.sin(math.radians(12.0)),
            surface(0.7), shape=Sphere(radius=0.13)),
    bouncing("restitution 0.62", 0.62, surface(0.5, restitution=0.62)),
    bouncing("restitution by average", 0.55, surface(0.5, restitution=0.4),
             surface(0.5, restitution=0.7)),
    bouncing("restitution by minimum", 0.4,
             surface(0.5, restitution=0.4, **_mode(CombineMode.MINIMUM)),
             surface(0.5, restitution=0.7, **_mode(CombineMode.MINIMUM))),
    bouncing("restitution by maximum", 0.7,
             surface(0.5, restitution=0.4, **_mode(CombineMode.MAXIMUM)),
             surface(0.5, restitution=0.7, **_mode(CombineMode.MAXIMUM))),
    bouncing("restitution by product", 0.63,
             surface(0.5, restitution=0.9, **_mode(CombineMode.MULTIPLY)),
             surface(0.5, restitution=0.7, **_mode(CombineMode.MULTIPLY))),
)  # fmt: skip


def shot(name: str, speed: float, wall: float) -> Property:
    """Return a ball of 23 mm that flies against a thin wall, measured by whether it is beyond."""
    radius = 0.0115
    ball = Item(
        name=BODY,
        motion=Motion(mass=0.03, linear_velocity=(speed, 0.0, 0.0)),
        collider=Collider(shape=Sphere(radius=radius), material=surface(0.4)),
    )
    stop = static("Wall", Box(size=(wall, 2.0, 2.0)), (2.0, 0.0, 0.0), material=surface(0.4))

    def is_through(scene: object, poses: object) -> float:
        return float(along(0)(scene, poses) > 2.0)  # type: ignore[arg-type]

    return Property(
        group="Speed",
        name=name,
        scene=scene_of(stop, ball, gravity=STILL),
        seconds=2.5 / speed + 0.1,
        value=is_through,
        expected=0.0,
        most=SIDE,
        is_default=True,
    )


def _plate() -> Property:
    """Return a plate of 2.3 mm that falls by half a meter onto a floor of 11 mm."""
    floor = static("Floor", Box(size=(4.0, 4.0, 0.011)), (0.0, 0.0, -0.0055))
    plate = Item(
        name=BODY,
        position=(0.1, 0.2, 0.5),
        motion=Motion(mass=0.6),
        collider=Collider(shape=Box(size=(0.4, 0.3, 0.0023))),
    )
    return Property(
        group="Speed",
        name="plate of 2.3 mm, fallen by 0.5 m",
        scene=scene_of(floor, plate),
        seconds=2.0,
        value=along(2),
        expected=0.00115,
        is_default=True,
    )


def _stack() -> Property:
    """Return 23 kg on 0.23 kg."""
    floor = static("Floor", SLAB, FLOOR_AT)
    boxes = [
        Item(
            name=name,
            position=(0.0, 0.0, height),
            motion=Motion(mass=mass),
            collider=Collider(shape=Box(size=(0.3, 0.3, 0.2)), material=surface(0.7)),
        )
        for name, height, mass in (("Lower", 0.1, 0.23), (BODY, 0.3, 23.0))
    ]
    return Property(
        group="Several",
        name="23 kg upon 0.23 kg",
        scene=scene_of(floor, *boxes, gravity=DOWN),
        seconds=2.0,
        value=along(2),
        expected=0.3,
    )


SPEEDS = (
    shot("ball of 23 mm at 7 m/s, wall of 13 mm", 7.0, 0.013),
    shot("the same at 47 m/s", 47.0, 0.013),
    shot("the same at 430 m/s", 430.0, 0.013),
    _plate(),
    _stack(),
)
ROWS = (*SHAPES, *SURFACES, *SPEEDS)
