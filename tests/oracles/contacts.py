"""Collisions in written files: filters, joints that switch collisions off, triggers, shapes.

A body falls onto a floor. It rests there, or passes through: each engine runs the file unchanged.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from omi_joints_addon.core.engines.khr import KHR
from omi_joints_addon.core.engines.physx import PHYSX
from omi_joints_addon.core.findings.finding import Finding, Severity
from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.core.model.body import (
    Collider,
    CollisionFilter,
    Motion,
    MotionType,
    Trigger,
)
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
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
from omi_joints_addon.io.formats.format import Format
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.usd import USD
from tests.core.solver_scenes import matrix, turn
from tests.oracles import godot, havok, mujoco, physx
from tests.oracles.files import Job, Poses, write_as

FLOOR, BALL, JOINT, CONNECTED = range(4)
RADIUS, HEIGHT = 0.1, 0.3
SECONDS = 1.0
GRAVITY = (0.0, 0.0, -9.81)
MATRICES = np.tile(np.eye(4), (4, 1, 1))
MATRICES[:, 2, 3] = -0.1, HEIGHT, HEIGHT, HEIGHT
RAIL = JointSettings(
    limits=(
        JointLimit(linear_axes=(0, 1), min=0.0, max=0.0),
        JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.0),
    )
)
SLAB = Box(size=(2.0, 2.0, 0.2))
IN_BALLS = CollisionFilter(collision_systems=("balls",))


class Contact(NamedTuple):
    """A body above a floor, and whether it rests there."""

    name: str
    scene: PhysicsScene
    rests: bool
    height: float = RADIUS
    """Of its center where it rests [m]."""


def _scene(
    *,
    floor: CollisionFilter | None = None,
    ball: CollisionFilter | None = None,
    is_trigger: bool = False,
    enable_collision: bool | None = None,
) -> PhysicsScene:
    solid = {FLOOR: Collider(shape=SLAB, collision_filter=floor)}
    rail = Joint(
        node=JOINT,
        connected=CONNECTED,
        settings=RAIL,
        enable_collision=bool(enable_collision),
        place="Joint",
    )
    return PhysicsScene(
        names=("Floor", "Ball", "Joint", "Connected"),
        parents=np.array((-1, -1, BALL, FLOOR)),
        matrices=MATRICES,
        gravity=GRAVITY,
        motions={FLOOR: Motion(type=MotionType.STATIC), BALL: Motion()},
        colliders={
            **({} if is_trigger else solid),
            BALL: Collider(shape=Sphere(radius=RADIUS), collision_filter=ball),
        },
        triggers={FLOOR: Trigger(shape=SLAB)} if is_trigger else {},
        joints=() if enable_collision is None else (rail,),
    )


def _floor(**systems: tuple[str, ...]) -> PhysicsScene:
    return _scene(floor=CollisionFilter(**systems), ball=IN_BALLS)


SPAN = np.array([(-2.0, -2.0, 0.0), (2.0, -2.0, 0.0), (2.0, 2.0, 0.0), (-2.0, 2.0, 0.0)])
CORNERS = np.array([(x, y, z) for x in (-0.2, 0.2) for y in (-0.1, 0.1) for z in (-0.05, 0.05)])
MESHES = (
    Mesh(name="Ground", read=lambda: MeshData(SPAN, np.array([(0, 1, 2), (0, 2, 3)]))),
    Mesh(name="Brick", read=lambda: MeshData(CORNERS, convex_hull(CORNERS))),
)
LYING = tuple(turn((1, 0, 0), np.pi / 2.0).tolist())


def _shaped(
    name: str,
    shape: Shape,
    height: float,
    *,
    rotation: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0),
    scale: float = 1.0,
    on_mesh: bool = False,
) -> Contact:
    """Return a body of a shape 5 cm above a floor, which is a box or a mesh."""
    ground = Collider(shape=Trimesh(mesh=0) if on_mesh else SLAB)
    floor = matrix((0.0, 0.0, 0.0 if on_mesh else -0.1))
    body = matrix((0.0, 0.0, height + 0.05), rotation)
    body[:3, :3] *= scale
    scene = PhysicsScene(
        names=("Floor", "Ball"),
        parents=np.array((-1, -1)),
        matrices=np.array((floor, body)),
        gravity=GRAVITY,
        motions={FLOOR: Motion(type=MotionType.STATIC), BALL: Motion(mass=1.0)},
        colliders={FLOOR: ground, BALL: Collider(shape=shape)},
        meshes=MESHES,
    )
    return Contact(name, scene, rests=True, height=height)


ROD = Cylinder(height=0.3, radius_bottom=RADIUS, radius_top=RADIUS)
PILL = Capsule(height=0.3, radius_bottom=RADIUS, radius_top=RADIUS)
CONTACTS = (
    Contact("no filters", _scene(), rests=True),
    Contact("floor collides with *balls*", _floor(collide_with_systems=("balls",)), rests=True),
    Contact("floor collides with *boxes*", _floor(collide_with_systems=("boxes",)), rests=False),
    Contact(
        "floor does not collide with *balls*",
        _floor(not_collide_with_systems=("balls",)),
        rests=False,
    ),
    Contact(
        "floor does not collide with *boxes*",
        _floor(not_collide_with_systems=("boxes",)),
        rests=True,
    ),
    Contact("joint without collisions", _scene(enable_collision=False), rests=False),
    Contact("joint with collisions", _scene(enable_collision=True), rests=True),
    Contact("floor is a trigger", _scene(is_trigger=True), rests=False),
    _shaped("ball on a flat mesh", Sphere(radius=RADIUS), RADIUS, on_mesh=True),
    _shaped("hull on a flat mesh", Convex(mesh=1), 0.05, on_mesh=True),
    _shaped("hull, scaled by 2", Convex(mesh=1), RADIUS, scale=2.0),
    _shaped("ball, scaled by 2", Sphere(radius=RADIUS), 2.0 * RADIUS, scale=2.0),
    _shaped("cylinder, upright", ROD, 0.15),
    _shaped("cylinder, lying", ROD, RADIUS, rotation=LYING),
    _shaped("capsule, upright", PILL, 0.25),
    _shaped("capsule, lying", PILL, RADIUS, rotation=LYING),
    _shaped("tapered cylinder", Cylinder(height=0.2, radius_bottom=0.2, radius_top=0.1), RADIUS),
)


class Reader(NamedTuple):
    """An engine, and the files that it is given."""

    name: str
    is_here: Callable[[], bool]
    format: Format
    suffix: str
    options: Mapping[str, str]
    run: Callable[[Sequence[Job]], Sequence[Sequence[Poses]]]
    reports: Callable[[PhysicsScene], Sequence[Finding]]


READERS = (
    Reader("MJCF in MuJoCo", mujoco.is_here, MJCF, ".xml", {}, mujoco.run, lambda _scene: ()),
    Reader("USD in PhysX", physx.is_here, USD, ".usda", {}, physx.run, PHYSX.check),
    Reader("KHR in Havok", havok.is_here, GLTF, ".glb", {"dialect": "khr"}, havok.run, KHR.check),
    Reader(
        "For Godot",
        godot.is_here,
        GLTF,
        ".gltf",
        {"for": "godot"},
        partial(godot.run, rate=godot.DEFAULT_RATE),
        lambda _scene: (),
    ),
)
_NOUNS = (Noun.SHAPE, Noun.COLLISION_FILTER, Noun.ENABLE_COLLISION, Noun.TRIGGER)


class Outcome(NamedTuple):
    """What became of a ball."""

    rests: bool
    height: float
    """[m]"""
    reported: tuple[str, ...]
    """What is reported about collisions: losses of the file and findings of the engine report."""


def outcomes(reader: Reader) -> list[Outcome]:
    """Return what becomes of each ball in the file that an engine is given."""
    with TemporaryDirectory() as folder:
        jobs, reported = [], []
        for number, contact in enumerate(CONTACTS):
            path = Path(folder, f"contact{number}{reader.suffix}")
            written = write_as(reader.format, contact.scene, path, **reader.options)
            reported_codes = {str(loss.noun) for loss in written.losses if loss.noun in _NOUNS}
            found = [*written.findings, *reader.reports(contact.scene)]
            reported_codes |= {item.code[4:] for item in found if item.severity != Severity.INFO}
            reported.append(tuple(sorted(reported_codes)))
            jobs.append(Job(path, GRAVITY, (SECONDS,)))
        runs = reader.run(jobs)
    heights = [float(stops[-1]["Ball"].position[2]) for stops in runs]
    # Jolt lets bodies sink in by up to 2 cm.
    return [
        Outcome(abs(height - contact.height) < 0.03, height, codes)
        for contact, height, codes in zip(CONTACTS, heights, reported, strict=True)
    ]
