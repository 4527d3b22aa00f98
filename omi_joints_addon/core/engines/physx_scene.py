"""What engines built on PhysX make of bodies and of what joints have beyond their settings."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..findings.finding import INFO, WARNING, Finding, rule
from ..findings.words import amount
from ..meaning.authored import authored_range
from ..meaning.axes import joint_axes
from ..meaning.coupling import only_freedom_of
from ..meaning.velocities import moves, turn_of
from ..model.axes import AXIS_LETTERS
from ..model.body import MotionType
from ..model.graph import articulated_bodies, articulated_joints, joint_ends, spanning_tree
from ..model.scene import PhysicsScene
from ..model.shape import Box, Cylinder
from .frame_gaps import frame_gaps

_HALF_TURN = 180.0
_ANGULAR = 3
"""Number of the first angular axis."""
_VISIBLE = 1e-3
"""Turn of a body from the world's axes that matters [rad]."""

STATIC_COLLIDES = rule(
    "OMI-U050",
    INFO,
    "PhysX: a joint to a static body filters no collisions between the two, so they are written as "
    "a filtered pair as well",
    reason=(
        "The drawer of a cabinet jumped 0.45 m out of it when only its joint disabled their "
        "collisions. Measured with ovphysx 0.7.0."
    ),
)
ARTICULATION_ONLY = rule(
    "OMI-U051",
    WARNING,
    "PhysX: {names} of a joint only act in articulations; make the root of its bodies an "
    "articulation root",
    reason="Friction, armature and largest velocity changed nothing of a joint outside of an "
    "articulation, to four decimals. Measured with ovphysx 0.7.0.",
)
LOOP_IN_ARTICULATION = rule(
    "OMI-U052",
    WARNING,
    "PhysX: the joint closes a loop of an articulation; turn off In Articulation under More",
    reason="UsdPhysics: a tree of bodies holds no loops; excludeFromArticulation breaks one where "
    "it is wanted.",
)
KINEMATIC_BELOW = rule(
    "OMI-U053",
    WARNING,
    "PhysX: a kinematic body below the moving bodies of an articulation is not allowed",
    reason="OpenUSD 25.11: an articulation may be kinematic from its root down to the first "
    "dynamic body.",
)
STATIC_ROOT = rule(
    "OMI-U054",
    INFO,
    "PhysX: the articulation root is static, so it is written as a fixed base, whatever Fixed "
    "Base is set to",
    reason="The first hinge of an articulation with a static root did not turn. Measured with "
    "ovphysx 0.7.0; Newton rejects such a root.",
)
NO_LINKS = rule(
    "OMI-U055",
    WARNING,
    "PhysX: no dynamic body is jointed to the articulation root, so there is no articulation",
    reason="UsdPhysics: an articulation is a tree of bodies that joints connect.",
)

FOLLOWS_NOTHING = rule(
    "OMI-U056",
    WARNING,
    "PhysX: the joint follows {source} only if both have two bounds; give both a range",
    reason="Without a lower and an upper bound on both, NewtonMimicAPI had no effect. "
    "Measured with ovphysx 0.7.0.",
)
SLIDES_NOT = rule(
    "OMI-U058",
    WARNING,
    "PhysX: the joint does not slide in an articulation, since it has several free axes; turn off "
    "In Articulation under More",
    reason="Joints of articulations slide along one axis, or turn about up to three. "
    "Measured with ovphysx 0.7.0.",
)
SUCCESSIVE = rule(
    "OMI-E312",
    WARNING,
    "PhysX: in an articulation the joint turns about {axes} one after the other, so the axis of "
    "the later turn is elsewhere once the first has turned; turn off In Articulation under More",
    reason="Outside of an articulation it turned as authored to 2 mm, in one it was 19 cm off. "
    "Measured with ovphysx 0.7.0.",
)
RANGE_OF_ARTICULATIONS = rule(
    "OMI-U062",
    WARNING,
    "PhysX: outside of an articulation the range from {low:.4g}° to {high:.4g}° ends at half a "
    "turn, where the hinge turns on; make the root of its bodies an articulation root",
    reason="A hinge with a range from -28.6° to 240.6° that a motor turned stopped at 240.6° in an "
    "articulation, and turned through 180° outside of one. Measured with ovphysx 0.7.0.",
)
STARTS_AT_ZERO = rule(
    "OMI-U059",
    WARNING,
    "PhysX: the frames of the joint are {gap} apart, but an articulation starts where the joint is "
    "at zero; start there, or turn off In Articulation under More",
    reason="A joint with one axis starts where its joint state is, which the USD export writes; "
    "no state moved a joint with several. Measured with ovphysx 0.7.0.",
)
WORLD_VELOCITY = rule(
    "OMI-E313",
    WARNING,
    "PhysX: the initial velocity is used in world axes, {angle} away from those of the body",
    reason="UsdPhysics has velocities in local space; Newton reads them so. "
    "Measured with ovphysx 0.7.0.",
)
KINEMATIC_STAYS = rule(
    "OMI-E314",
    WARNING,
    "PhysX: the kinematic body does not move by its velocity; animate its prim",
    reason="UsdPhysics: the transform of a kinematic body is what moves it. "
    "Measured with ovphysx 0.7.0.",
)
GRAVITY_FACTOR = rule(
    "OMI-E315",
    WARNING,
    "PhysX: the gravity factor of {factor:g} is not in UsdPhysics; full gravity acts on the body",
    reason="PhysX can turn the gravity of a body off, no more. Measured with ovphysx 0.7.0.",
)
CYLINDER_SINKS = rule(
    "OMI-E316",
    WARNING,
    "PhysX: the cylinder sinks by centimeters into boxes as large as {box}, which is {size:.3g} m "
    "wide; split the box, or use a plane or a mesh",
    reason="On a box of 20 m it rested, on one of 40 m it sank 7 cm in 2 s. "
    "Measured with ovphysx 0.7.0.",
)
_LARGE = 20.0
"""Extent [m] of a box that cylinders still rest on."""


def check_physx_scene(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what goes wrong or is lost of bodies and joints in PhysX."""
    yield from _check_static(scene)
    yield from _check_attributes(scene)
    yield from _check_couplings(scene)
    yield from _check_motions(scene)
    yield from _check_cylinders(scene)
    if scene.articulations:
        yield from _check_articulations(scene)


def _check_motions(scene: PhysicsScene) -> Iterator[Finding]:
    for node, motion in scene.motions.items():
        angle = turn_of(scene, node)
        if motion.type == MotionType.KINEMATIC and moves(motion):
            yield KINEMATIC_STAYS(scene.place_of(node))
        elif scene.is_dynamic(node) and moves(motion) and angle > _VISIBLE:
            yield WORLD_VELOCITY(scene.place_of(node), angle=amount(angle, is_angular=True))
        if scene.is_dynamic(node) and motion.gravity_factor not in (0.0, 1.0):
            yield GRAVITY_FACTOR(scene.place_of(node), factor=motion.gravity_factor)


def _check_cylinders(scene: PhysicsScene) -> Iterator[Finding]:
    sizes = {node: _box_extent(scene, node) for node in scene.colliders}
    size, box = max(((size, node) for node, size in sizes.items()), default=(0.0, -1))
    if size <= _LARGE:
        return
    bodies = scene.bodies()
    for node, collider in scene.colliders.items():
        if isinstance(collider.shape, Cylinder) and scene.is_dynamic(int(bodies[node])):
            yield CYLINDER_SINKS(scene.place_of(node), box=scene.names[box], size=size)


def _box_extent(scene: PhysicsScene, node: int) -> float:
    """Return the largest extent of a box [m], 0 for other shapes."""
    shape = scene.colliders[node].shape
    scale = np.linalg.norm(scene.matrices[node][:3, :3], axis=0)
    return float((np.array(shape.size) * scale).max()) if isinstance(shape, Box) else 0.0


def _check_static(scene: PhysicsScene) -> Iterator[Finding]:
    ends = joint_ends(scene)
    owner = scene.bodies()
    solid = {int(owner[node]) for node in scene.colliders}
    for number, joint in enumerate(scene.joints):
        bodies = (int(ends.body[number]), int(ends.connected_body[number]))
        still = [body for body in bodies if body in solid and not scene.is_dynamic(body)]
        if still and not joint.enable_collision:
            yield STATIC_COLLIDES(joint.place)


def _check_attributes(scene: PhysicsScene) -> Iterator[Finding]:
    inside = articulated_bodies(scene)
    ends = joint_ends(scene)
    for number, joint in enumerate(scene.joints):
        attributes = joint.attributes
        bodies = {int(ends.body[number]), int(ends.connected_body[number])}
        if bodies <= inside:
            continue
        names = [
            name
            for name, is_set in (
                ("friction", attributes.friction > 0.0),
                ("armature", attributes.armature > 0.0),
                ("largest velocity", math.isfinite(attributes.velocity)),
            )
            if is_set
        ]
        if names:
            yield ARTICULATION_ONLY(joint.place, names=" and ".join(names))
        low, high = map(math.degrees, authored_range(joint.settings, attributes))
        if max(-low, high) > _HALF_TURN and math.isfinite(high - low):
            yield RANGE_OF_ARTICULATIONS(joint.place, low=low, high=high)


def _check_couplings(scene: PhysicsScene) -> Iterator[Finding]:
    for coupling in scene.couplings:
        joint, source = scene.joints[coupling.joint], scene.joints[coupling.source]
        moving = [only_freedom_of(each.settings) for each in (joint, source)]
        if not all(freedom is not None and freedom.is_bounded for freedom in moving):
            yield FOLLOWS_NOTHING(joint.place, source=source.place)


def _check_articulations(scene: PhysicsScene) -> Iterator[Finding]:
    yield from check_roots(scene)
    yield from _check_articulated(scene)
    inside = articulated_bodies(scene)
    ends = joint_ends(scene)
    tree = spanning_tree(scene)
    for number in tree.loops:
        bodies = {int(ends.body[number]), int(ends.connected_body[number])}
        if bodies <= inside and scene.joints[number].attributes.in_articulation:
            yield LOOP_IN_ARTICULATION(scene.joints[number].place)
    for body, parent in tree.parents.items():
        is_kinematic = scene.motions[body].type == MotionType.KINEMATIC
        if is_kinematic and body in inside and scene.is_dynamic(parent):
            yield KINEMATIC_BELOW(scene.place_of(body))


def _check_articulated(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield joints of articulations that do not move or start as authored."""
    numbers, gaps = articulated_joints(scene), dict(frame_gaps(scene))
    for number in numbers:
        place, moving = scene.joint_place(number), joint_axes(scene.joints[number].settings).moving
        if len(moving) > 1 and moving[0] < _ANGULAR:
            yield SLIDES_NOT(place)
        elif len(moving) == 2:
            yield SUCCESSIVE(place, axes=" and ".join(AXIS_LETTERS[axis - 3] for axis in moving))
        if len(moving) != 1 and number in gaps:
            yield STARTS_AT_ZERO(place, gap=gaps[number])


def check_roots(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield roots that are static, and those of nothing that moves."""
    for articulation in scene.articulations:
        root = articulation.root
        alone = replace(scene, articulations=(articulation,))
        if not any(scene.is_dynamic(body) for body in articulated_bodies(alone) - {root}):
            yield NO_LINKS(scene.place_of(root))
        elif scene.motions[root].type == MotionType.STATIC and not articulation.is_fixed:
            yield STATIC_ROOT(scene.place_of(root))
