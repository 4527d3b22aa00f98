"""Eight models, each with something that other formats lack, for the table of formats."""

import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.core.model.articulation import Coupling
from omi_joints_addon.core.model.body import Collider, CollisionFilter, PhysicsMaterial, Trigger
from omi_joints_addon.core.model.joint import (
    DriveType,
    JointDrive,
    JointLimit,
    JointSettings,
)
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Cylinder, Sphere
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Source
from tests.core.solver_scenes import SceneBuilder, turn
from tests.oracles import chain

ROPE = JointSettings(limits=(JointLimit(linear_axes=(0, 1, 2), max=1.5),))
EXAMPLES = Path(__file__).resolve().parent.parent / "omi_joints_addon" / "examples"


def robot_arm() -> PhysicsScene:
    """The arm of the examples: URDF, with a coupling."""
    return _read(EXAMPLES / "arm.urdf")


def presets_in_a_row() -> PhysicsScene:
    """A body on a wall for each preset."""
    build = SceneBuilder()
    wall = build.body((0, 0, 0), type="static")
    for number, preset in enumerate(Preset):
        place = (number, 0.5, 0.25)
        body = build.body(place, turn((1, 2, 3), 0.2 * number), mass=1.0 + number)
        build.joint(preset_settings(preset), body, wall, place, turn((3, 1, 2), 0.3))
    return _named(build.scene(), "presets")


def driven_chain() -> PhysicsScene:
    """Servo, motor and a range beyond half a turn, as an articulation."""
    return replace(chain.scene(is_articulation=True), name="chain")


def four_bars() -> PhysicsScene:
    """A linkage of four hinges: a loop."""
    build = SceneBuilder()
    base = build.body((0, 0, 0), type="static")
    crank, rod, rocker = (build.body((x, 0, 1), mass=1.0) for x in (0.0, 1.0, 2.0))
    free = presets.hinge(min_angle=-np.inf, max_angle=np.inf)
    for one, other, x in ((crank, base, 0), (rod, crank, 0), (rocker, rod, 2), (rocker, base, 2)):
        across = turn((1, 0, 0), np.pi / 2.0)
        build.joint(free, one, other, (x, 0, float(one != crank and other != base)), across)
    return _named(build.scene(), "four bars")


def coupled_fingers() -> PhysicsScene:
    """Two fingers, the second following the first."""
    build = SceneBuilder()
    palm = build.body((0, 0, 0), type="static")
    for side in (-1.0, 1.0):
        finger = build.body((side, 0, 0.5), mass=0.2)
        build.joint(presets.hinge(), finger, palm, (side, 0, 0), turn((1, 0, 0), 0.5 * side))
    coupling = Coupling(joint=1, source=0, coefficients=(0.1, -1.5))
    return _named(replace(build.scene(), couplings=(coupling,)), "fingers")


def shapes_and_surfaces() -> PhysicsScene:
    """Colliders with materials and filters, a trigger, a body without gravity."""
    build = SceneBuilder()
    floor = build.body((0, 0, 0), type="static")
    ball = build.body((0, 0, 2), mass=2.0, gravity_factor=0.5)
    rod = build.body((2, 0, 2), turn((0, 1, 0), 0.5), mass=2.0, linear_velocity=(1.0, 0.0, 0.0))
    zone = build.node((0, 0, 1))
    ice = PhysicsMaterial(name="ice", static_friction=0.1, dynamic_friction=0.05, restitution=0.5)
    ghosts = CollisionFilter(
        name="ghosts", collision_systems=("ghosts",), not_collide_with_systems=("ghosts",)
    )
    return _named(
        replace(
            build.scene(),
            colliders={
                floor: Collider(shape=Box(size=(9.0, 9.0, 0.5)), material=ice),
                ball: Collider(shape=Sphere(radius=0.5), collision_filter=ghosts),
                rod: Collider(shape=Capsule(height=1.0, radius_bottom=0.2, radius_top=0.2)),
            },
            triggers={zone: Trigger(shape=Cylinder(height=1.0, radius_bottom=1.0, radius_top=1.0))},
            excluded_pairs=((ball, rod),),
        ),
        "shapes",
    )


def rope_and_spring() -> PhysicsScene:
    """A rope that only pulls, a soft limit, a spring that is an acceleration."""
    build = SceneBuilder(gravity=(0.0, 0.0, -1.62))
    hook = build.body((0, 0, 3), type="static")
    weight, float_ = build.body((0, 0, 2), mass=3.0), build.body((1, 0, 2), mass=1.0)
    build.joint(ROPE, weight, hook, (0, 0, 3))
    spring = JointDrive(
        type=DriveType.LINEAR,
        mode="acceleration",
        axis=2,
        position_target=0.2,
        velocity_target=0.0,
        stiffness=20.0,
        damping=1.0,
    )
    soft = presets.slider(min_distance=-0.5, max_distance=0.5)
    limits = tuple(
        replace(limit, stiffness=300.0, damping=3.0) if limit.min != limit.max else limit
        for limit in soft.limits
    )
    build.joint(replace(soft, limits=limits, drives=(spring,)), float_, hook, (1, 0, 2))
    return _named(build.scene(), "rope")


def lit_mechanism() -> PhysicsScene:
    """A model of Shift: assemblies, a light, a preloaded spring, members of its own."""
    rotated = {"name": "post", "T": [0.0, 0.0, 1.0], "R": [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}
    moments = {"Ixx": 1.0, "Iyy": 2.0, "Izz": 2.5, "Ixy": 0.1, "Iyz": 0.0, "Izx": 0.2}
    lamp = {"name": "lamp", "type": "spot", "parent": ["fixed", "post"], "Kd": [1.0, 0.5, 0.25]}
    link = {"name": "link", "mass": 2.0, "moment_of_inertia": moments}
    joint = {
        "name": "J",
        "type": "Rx",
        "body_frame_pairs": [["fixed", "post"], ["link", "origin"]],
        "initial_displacement": 0.5,
        "initial_velocity": 2.0,
        "stiffness": [1.0, 4.0],
    }
    assembly = {"name": "A", "bodies": [link], "joints": [joint], "force_modules": [{"name": "f"}]}
    document = {
        "model_parameters": {"version": "0.2", "gravity": [0.0, 0.0, -9.81]},
        "fixed": {"frames": [rotated], "lights": [lamp]},
        "assemblies": [assembly],
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mechanism.json")
        path.write_text(json.dumps(document), encoding="utf-8")
        return _read(path)


MODELS: dict[str, Callable[[], PhysicsScene]] = {
    "arm": robot_arm,
    "presets": presets_in_a_row,
    "chain": driven_chain,
    "four bars": four_bars,
    "fingers": coupled_fingers,
    "shapes": shapes_and_surfaces,
    "rope": rope_and_spring,
    "mechanism": lit_mechanism,
}


def _read(path: Path) -> PhysicsScene:
    row = registry.format_of(path)
    return row.read(Source(path=path))[0].scene


def _named(scene: PhysicsScene, name: str) -> PhysicsScene:
    return replace(scene, name=name)
