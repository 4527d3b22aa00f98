"""What Godot loses of frames, bodies and shapes, as measured."""

from collections.abc import Iterator

import numpy as np

from ...findings.finding import ERROR, INFO, WARNING, Finding, rule
from ...findings.words import amount
from ...meaning.velocities import moves, turn_of
from ...model.body import Collider, Motion, MotionType, Trigger
from ...model.graph import joint_ends
from ...model.scene import PhysicsScene
from ...model.shape import Capsule, Cylinder, shape_type
from ..frame_gaps import frame_gaps
from ..passing import passing_bodies
from .importer import MEASURED
from .node_names import check_names

STEP = 1.0 / 60.0
"""Length of a step by default [s]."""
_VISIBLE = 1e-3
"""Turn of a body from the world's axes that matters [rad]."""

NOT_DIRECT_CHILD = rule(
    "OMI-E112",
    ERROR,
    "Godot: the joint is not directly below its body, so the importer does not find the body",
    reason=f"The importer connects direct children of a body only. {MEASURED}",
)
BELOW_NO_BODY = rule(
    "OMI-E123",
    ERROR,
    "Godot: the joint is not below a body, so the importer ignores it; swap its ends, or put it "
    "below a static body",
    reason=f"The importer expects joints below a body; the other end may be the world. {MEASURED}",
)
MESH_NOT_SHOWN = rule(
    "OMI-E124",
    WARNING,
    "Godot: the mesh on the node of the body is not shown; export for the target Godot 4 Importer, "
    "which puts it on a node below",
    reason=f"Godot turns the node into a body and ignores its mesh. {MEASURED}",
)
CONNECTED_FRAME_IGNORED = rule(
    "OMI-E113",
    WARNING,
    "Godot: the connected frame is {gap} away from the joint's and is ignored; "
    "both ends attach at the joint",
    reason=f"The importer takes both attachment frames from the joint node. {MEASURED}",
)
CAPSULE_TOO_SHORT = rule(
    "OMI-E119",
    WARNING,
    "Godot: the capsule will be {missing:.4g} m too short",
    reason="Its height between the centers of the two spheres is taken as the full height. "
    f"{MEASURED}",
)
TAPER_LOST = rule(
    "OMI-E120",
    WARNING,
    "Godot: the two different radii of the {type} are ignored; its radius becomes 0.5 m",
    reason=f"The importer reads the one radius of older files only. {MEASURED}",
)
GRAVITY_FACTOR_IGNORED = rule(
    "OMI-E121",
    WARNING,
    "Godot: the gravity factor of {factor:g} is ignored; full gravity acts on the body",
    reason=f"The importer does not read it. {MEASURED}",
)
INERTIA_TURNED = rule(
    "OMI-E122",
    WARNING,
    "Godot: the orientation of the inertia is ignored; its moments act along the body's own axes",
    reason=f"RigidBody3D cannot store it. {MEASURED}",
)
FILTER_IGNORED = rule(
    "OMI-E127",
    WARNING,
    "Godot: the collision filter is ignored; set layers and masks of the body in Godot",
    reason=f"A ball rested on a floor whose filter excludes it. Godot reads no filters. {MEASURED}",
)
SURFACE_IGNORED = rule(
    "OMI-E131",
    WARNING,
    "Godot: the physics material is not read: friction {friction:g} becomes 1, restitution "
    "{restitution:g} becomes 0; give the body a PhysicsMaterial in Godot",
    reason="A box stayed on a slope of 30° with a friction of 0.4, on which it has to slide "
    f"0.75 m in a second, and no ball bounced. {MEASURED}",
)
WORLD_VELOCITY = rule(
    "OMI-E132",
    WARNING,
    "Godot: the initial velocity is used in world axes, {angle} away from those of the body; "
    "export for the target Godot 4 Importer, which writes it in these",
    reason=f"The specification has velocities in the axes of the body. {MEASURED}",
)
KINEMATIC_STAYS = rule(
    "OMI-E133",
    WARNING,
    "Godot: the kinematic body does not move by itself; animate it, or move it by a script",
    reason="The importer makes it an AnimatableBody3D, whose velocities only push what touches it. "
    f"{MEASURED}",
)
PASSES = rule(
    "OMI-E134",
    WARNING,
    "Godot: at {speed:.3g} m/s the body goes {way:.2g} m in a step, past what is {thickness:.2g} m "
    "thick; turn on Continuous CD of the body in Godot",
    reason=f"A ball of 23 mm passed a wall of 13 mm at 47 m/s with 60 steps per second. {MEASURED}",
)
OWN_SETTINGS = rule(
    "OMI-E135",
    INFO,
    "Godot: by the project's default settings bodies lose 10 % of their speed in a second, fall "
    "3 % short or far at 60 steps per second, and sleep below 0.03 m/s; see Physics in the Project "
    "Settings",
    reason="Linear Damp and Angular Damp are 0.1 there, and Jolt's steps are of first order. "
    f"{MEASURED}",
)
BONES_STAY = rule(
    "OMI-E130",
    WARNING,
    "Godot: {bones} move with the physics, so the skin stays as it is; add a node with "
    "examples/ragdoll_bones.gd below the root of the imported scene",
    reason="The bodies of a ragdoll fell by 4.67 m while its bones stayed; with the script they "
    f"follow. {MEASURED}",
)

MENDED = frozenset((MESH_NOT_SHOWN, CONNECTED_FRAME_IGNORED, CAPSULE_TOO_SHORT, WORLD_VELOCITY))
"""Rules whose findings do not hold of files in the importer's terms (`target`)."""


def check_scene(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what goes wrong with frames, bodies and shapes, or is lost of them."""
    if scene.joints:
        yield from _check_nesting(scene)
    yield from (
        CONNECTED_FRAME_IGNORED(scene.joint_place(number), gap=gap)
        for number, gap in frame_gaps(scene)
    )
    yield from _check_bodies(scene)
    for volumes in (scene.colliders, scene.triggers):
        for node, volume in volumes.items():
            yield from _check_volume(volume, scene.place_of(node))
    yield from _check_bones(scene)
    yield from check_names(scene)
    if scene.are_dynamic().any():
        yield OWN_SETTINGS()


def _check_bodies(scene: PhysicsScene) -> Iterator[Finding]:
    for node in [*scene.motions, *(node for node in scene.colliders if node not in scene.motions)]:
        if "mesh" in scene.carries.get(node, ()):
            yield MESH_NOT_SHOWN(scene.place_of(node))
    for node, motion in scene.motions.items():
        if motion.type == MotionType.DYNAMIC:
            yield from _check_motion(motion, scene.place_of(node))
        yield from _check_velocity(scene, node)
    for body, speed, thickness in passing_bodies(scene, STEP):
        place = scene.place_of(body)
        yield PASSES(place, speed=speed, way=speed * STEP, thickness=2.0 * thickness)


def _check_bones(scene: PhysicsScene) -> Iterator[Finding]:
    bones = [node for node in scene.motions if "bone" in scene.carries.get(node, ())]
    if bones:
        words = "the bone does not" if len(bones) == 1 else f"the {len(bones)} bones do not"
        yield BONES_STAY(scene.place_of(bones[0]), bones=words)


def _check_nesting(scene: PhysicsScene) -> Iterator[Finding]:
    ends = joint_ends(scene)
    deep = (ends.body >= 0) & (scene.parents[ends.node] != ends.body) & (ends.body != ends.node)
    for index in np.flatnonzero(deep):
        yield NOT_DIRECT_CHILD(scene.joints[index].place)
    for index in np.flatnonzero(ends.body < 0):
        yield BELOW_NO_BODY(scene.joints[index].place)


def _check_motion(motion: Motion, place: str) -> Iterator[Finding]:
    if motion.gravity_factor != 1.0:
        yield GRAVITY_FACTOR_IGNORED(place, factor=motion.gravity_factor)
    is_turned = any(motion.inertia_orientation[:3])
    if is_turned and len(set(motion.inertia_diagonal)) > 1:
        yield INERTIA_TURNED(place)


def _check_velocity(scene: PhysicsScene, node: int) -> Iterator[Finding]:
    motion, angle = scene.motions[node], turn_of(scene, node)
    if not moves(motion):
        return
    if motion.type == MotionType.KINEMATIC:
        yield KINEMATIC_STAYS(scene.place_of(node))
    elif motion.type == MotionType.DYNAMIC and angle > _VISIBLE:
        yield WORLD_VELOCITY(scene.place_of(node), angle=amount(angle, is_angular=True))


def _check_volume(volume: Collider | Trigger, place: str) -> Iterator[Finding]:
    if volume.collision_filter is not None:
        yield FILTER_IGNORED(place)
    material = volume.material if isinstance(volume, Collider) else None
    if material is not None:
        friction, restitution = material.dynamic_friction, material.restitution
        yield SURFACE_IGNORED(place, friction=friction, restitution=restitution)
    shape = volume.shape
    if not isinstance(shape, Capsule | Cylinder):
        return
    if shape.radius_bottom != shape.radius_top:
        yield TAPER_LOST(place, type=shape_type(shape))
    elif isinstance(shape, Capsule):
        yield CAPSULE_TOO_SHORT(place, missing=2.0 * shape.radius_top)
