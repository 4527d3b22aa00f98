"""Scenes of contacts with closed forms: slopes, bounces, stacks, rooms, ropes, doors, bullets.

They are rows of properties, run in the same engines in the same way (`properties.py`), each with
the accuracy that is required of our own solver.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from omi_joints_addon.core.model.body import Collider, Motion
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.pose import quaternion_product
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Cylinder, Shape, Sphere, Trimesh
from tests.core.probe import LOCK
from tests.core.solver_surfaces import Surface, block, room
from tests.oracles.contacts import CONTACTS
from tests.oracles.files import Poses
from tests.oracles.property_contacts import LYING, SPEEDS, compound, resting, shot, surface
from tests.oracles.property_row import (
    BODY,
    PINNED,
    SIDE,
    STILL,
    UPRIGHT,
    G,
    Item,
    Property,
    angular,
    metric_of,
    pose_at,
    pose_of,
    scene_of,
    static,
    turn_of,
)

SPAN = Box(size=(16.0, 4.0, 0.2))
UNDER = (0.0, 0.0, -0.1)
"""Where the middle of such a box is, below a floor at zero [m]."""
ROUGH = surface(0.5)


@dataclass(frozen=True, kw_only=True)
class Truth:
    """A scene with a closed form."""

    row: Property
    exact: float
    """What our own solver may be off [m or rad]."""


def on_slope(
    name: str,
    degrees: float,
    friction: float,
    shape: Shape,
    height: float,
    *,
    expected: float,
    exact: float,
    seconds: float = 1.0,
    rotation: Sequence[float] = UPRIGHT,
) -> Truth:
    """Return a body on a turned slab, measured by how far down it is."""
    tilt, angle = turn_of((0.0, 1.0, 0.0), degrees), math.radians(degrees)
    up = np.array((math.sin(angle), 0.0, math.cos(angle)))
    down = np.array((math.cos(angle), 0.0, -math.sin(angle)))
    start, own = height * up - 3.0 * down, surface(friction)
    slope = static("Slope", SPAN, -0.1 * up, material=own)
    body = Item(
        name=BODY,
        position=start,
        rotation=quaternion_product(tilt, rotation),
        motion=Motion(mass=1.7),
        collider=Collider(shape=shape, material=own),
    )
    row = Property(
        group="Surface",
        name=name,
        scene=scene_of(replace(slope, rotation=tilt), body),
        seconds=seconds,
        value=lambda scene, poses: float(down @ (pose_of(scene, poses, BODY).position - start)),
        expected=expected,
    )
    return Truth(row=row, exact=exact)


def sliding(name: str, degrees: float, friction: float, *, seconds: float = 1.0) -> Truth:
    """Return a block that slides, or stays where friction holds it."""
    angle = math.radians(degrees)
    pull = max(0.0, G * (math.sin(angle) - friction * math.cos(angle)))
    way, block = 0.5 * pull * seconds**2, Box(size=(0.34, 0.23, 0.12))
    return on_slope(
        name, degrees, friction, block, 0.06, expected=way, exact=1e-4 if way else 1e-6,
        seconds=seconds,
    )  # fmt: skip


def rolling(name: str, shape: Shape, radius: float, ratio: float) -> Truth:
    """Return a round body of a moment of inertia of `ratio` m r² that rolls down 10°."""
    way = 0.5 * G * math.sin(math.radians(10.0)) / (1.0 + ratio)
    return on_slope(name, 10.0, 0.7, shape, radius, expected=way, exact=1e-6, rotation=LYING)


def bouncing(bounce: float, number: int) -> Truth:
    """Return a ball that falls by a meter, at the top of a bounce, measured above its rest."""
    radius, fall = 0.11, math.sqrt(2.0 / G)
    own = surface(0.5, restitution=bounce)
    ball = Item(
        name=BODY,
        position=(0.1, 0.2, 1.0 + radius),
        motion=Motion(mass=1.7),
        collider=Collider(shape=Sphere(radius=radius), material=own),
    )
    hops = 2.0 * sum(bounce**each for each in range(1, number)) + bounce**number
    which, top = ("first", "second")[number - 1], bounce ** (2 * number)
    row = Property(
        group="Surface",
        name=f"bounces by {bounce}: {which} top",
        scene=scene_of(static("Floor", SPAN, UNDER, material=own), ball),
        seconds=fall * (1.0 + hops),
        around=0.5 * fall * bounce**number,
        value=lambda scene, poses: float(pose_of(scene, poses, BODY).position[2]) - radius,
        expected=top,
    )
    return Truth(row=row, exact=0.005 * top)


def drift(scene: PhysicsScene, poses: Poses) -> float:
    """Return how far the body that moved most is from where it started [m]."""
    return max(
        float(np.linalg.norm(pose_of(scene, poses, name).position - scene.matrices[node, :3, 3]))
        for node, name in enumerate(scene.names)
        if scene.is_dynamic(node)
    )


def standing(name: str, masses: Sequence[float]) -> Truth:
    """Return boxes on each other, from below, that must not move."""
    size = 0.21
    boxes = [
        Item(
            name=f"Box{number}",
            position=(0.0, 0.0, size * (number + 0.5)),
            motion=Motion(mass=mass),
            collider=Collider(shape=Box(size=(size, size, size)), material=ROUGH),
        )
        for number, mass in enumerate(masses)
    ]
    floor = static("Floor", SPAN, UNDER, material=ROUGH)
    row = Property(
        group="Several",
        name=name,
        scene=scene_of(floor, *boxes),
        seconds=3.0,
        value=drift,
        expected=0.0,
    )
    return Truth(row=row, exact=1e-5)


def _mesh(part: Surface) -> Mesh:
    points, triangles = part
    return Mesh(name="Surface", read=lambda: MeshData(points, triangles))


def on_triangles(
    name: str, part: Surface, shape: Shape, place: Sequence[float], rest: Sequence[float]
) -> Truth:
    """Return a body that comes to rest on or in a mesh, measured by how far it is from there."""
    body = Item(
        name=BODY,
        position=place,
        motion=Motion(mass=1.7),
        collider=Collider(shape=shape, material=ROUGH),
    )
    ground = static("Surface", Trimesh(mesh=0), STILL, material=ROUGH)
    row = Property(
        group="Shape",
        name=name,
        scene=scene_of(ground, body, meshes=(_mesh(part),)),
        seconds=2.0,
        value=lambda scene, poses: float(
            np.linalg.norm(pose_of(scene, poses, BODY).position - rest)
        ),
        expected=0.0,
    )
    return Truth(row=row, exact=1e-4)


def _door() -> Truth:
    """Return a door that swings at 1 rad/s onto a post, and must stay there."""
    size, corner = (0.94, 0.04, 2.1), np.array((0.83, 0.31))
    post = static("Post", Box(size=(0.06, 0.5, 0.3)), (0.8, 0.56, 0.0), material=ROUGH)
    door = Item(
        name=BODY,
        position=(0.47, 0.0, 0.0),
        motion=Motion(
            mass=23.0, angular_velocity=(0.0, 0.0, 1.0), linear_velocity=(0.0, 0.47, 0.0)
        ),
        collider=Collider(shape=Box(size=size), material=ROUGH),
    )
    settings = JointSettings(limits=(PINNED, angular(0, 1, **LOCK)))
    row = Property(
        group="Surface",
        name="door stops at a post",
        scene=scene_of(
            static("Base", Sphere(radius=0.012)),
            door,
            Item(name="Joint", parent=0),
            Item(name="Connected", parent=1),
            post,
            joints=(Joint(node=2, connected=3, settings=settings, place="Joint"),),
            gravity=STILL,
        ),
        seconds=2.0,
        value=metric_of((2,), is_angular=True),
        expected=math.atan2(*corner[::-1]) - math.asin(0.5 * size[1] / np.linalg.norm(corner)),
        is_angular=True,
    )
    return Truth(row=row, exact=1e-5)


def _rope() -> Truth:
    """Return twelve capsules on pins that fall by 3 cm onto a beam."""
    capsule = Capsule(height=0.07, radius_bottom=0.015, radius_top=0.015)
    items = [static("Beam", Box(size=(0.3, 1.0, 0.1)), (0.0, 0.0, -0.05), material=ROUGH)]
    joints, before, lying = [], 0, turn_of((0.0, 1.0, 0.0), 90.0)
    for number in range(12):
        link = Item(
            name=f"Link{number}",
            position=(0.1 * (number - 5.5), 0.0, 0.045),
            rotation=lying,
            motion=Motion(mass=0.13),
            collider=Collider(shape=capsule, material=ROUGH),
        )
        items.append(link)
        at = len(items) - 1
        if number:
            end = (0.1 * (number - 6.0), 0.0, 0.045)
            items.append(Item(name=f"Joint{number}", position=end, parent=before))
            items.append(Item(name=f"Connected{number}", position=end, parent=at))
            settings = JointSettings(limits=(PINNED,))
            place = f"Joint{number}"
            joints.append(Joint(node=at + 1, connected=at + 2, settings=settings, place=place))
        before = at
    row = Property(
        group="Several",
        name="rope over a beam, largest gap after 3 s",
        scene=scene_of(*items, joints=joints),
        seconds=3.0,
        value=largest_gap,
        expected=0.0,
    )
    return Truth(row=row, exact=1e-5)


def largest_gap(scene: PhysicsScene, poses: Poses) -> float:
    """Return by how much joints are apart at most [m]; NaN where no body is above the beam."""
    heights = [pose_of(scene, poses, name).position[2] for name in poses]
    gaps = [pose_at(scene, poses, joint).position for joint in scene.joints]
    return float(np.linalg.norm(gaps, axis=1).max()) if max(heights) > 0.0 else math.nan


def _filtered(number: int) -> Truth:
    """Return a ball above a floor, measured by whether it falls through."""
    contact = CONTACTS[number]

    def is_through(scene: PhysicsScene, poses: Poses) -> float:
        return float(pose_of(scene, poses, "Ball").position[2] < 0.0)

    row = Property(
        group="Filter",
        name=f"filter: {contact.name}",
        scene=contact.scene,
        seconds=1.0,
        value=is_through,
        expected=float(not contact.rests),
        most=SIDE,
    )
    return Truth(row=row, exact=0.0)


def _capsule_ratio(height: float, radius: float) -> float:
    """Return the moment of a solid capsule about its axis, over mass times radius squared."""
    ends = 4.0 / 3.0 * radius
    return (0.5 * height + 0.4 * ends) / (height + ends)


def _resting(name: str, shape: Shape, height: float, **more: object) -> Truth:
    return Truth(row=resting(name, shape, height, **more), exact=1e-4)


BALL, ROD = Sphere(radius=0.15), Cylinder(height=0.3, radius_bottom=0.13, radius_top=0.13)
PILL = Capsule(height=0.24, radius_bottom=0.11, radius_top=0.11)
CRATE = Box(size=(0.4, 0.4, 0.4))
SLAB = block((4.0, 4.0, 0.2), UNDER)
BY_WALL, LAMP = (1.0, 3.79, 0.2), (2.0, 0.0, 2.7)
TRUTHS = (
    sliding("slides in 1 s on 30°, friction 0.4", 30.0, 0.4),
    sliding("slides in 1 s on 40°, friction 0.3", 40.0, 0.3),
    sliding("creeps in 3 s on 20°, friction 0.5", 20.0, 0.5, seconds=3.0),
    rolling("ball rolls for 1 s down 10°", BALL, 0.15, 0.4),
    rolling("cylinder rolls for 1 s down 10°", ROD, 0.13, 0.5),
    rolling("capsule rolls for 1 s down 10°", PILL, 0.11, _capsule_ratio(0.24, 0.11)),
    *(bouncing(bounce, number) for bounce in (0.3, 0.6, 0.9) for number in (1, 2)),
    standing("stack of five, drift in 3 s", (1.3,) * 5),
    standing("10 kg on 0.1 kg, drift in 3 s", (0.1, 10.0)),
    *(
        Truth(row=shot(f"bullet at {speed:g} m/s, wall of 10 mm", speed, 0.01), exact=0.0)
        for speed in (50.0, 200.0, 800.0)
    ),
    *map(_filtered, range(5)),
    Truth(row=compound(), exact=1e-4),
    _resting("hull on a mesh", Convex(mesh=0), 0.07, ground=static("Floor", Trimesh(mesh=1))),
    _resting("ball, scaled by 2", Sphere(radius=0.13), 0.26, scale=(2.0, 2.0, 2.0)),
    _resting("box, scaled by 1 : 3 : 1", Box(size=(0.3, 0.1, 0.26)), 0.13, scale=(1.0, 3.0, 1.0)),
    _door(),
    Truth(row=next(row for row in SPEEDS if row.name.startswith("plate")), exact=1e-4),
    on_triangles("ball on a slab of triangles", SLAB, BALL, (0.5, 0.3, 0.5), (0.5, 0.3, 0.15)),
    on_triangles("crate 1 cm from a wall of triangles", room(), CRATE, BY_WALL, BY_WALL),
    on_triangles("lamp falls in a room of triangles", room(), BALL, LAMP, (2.0, 0.0, 0.15)),
    _rope(),
)
