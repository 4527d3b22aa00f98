"""What Newton makes of bodies and surfaces, and of joints outside of articulations."""

import math
from collections.abc import Iterator

from ..findings.finding import ERROR, INFO, WARNING, Finding, rule
from ..meaning.velocities import moves
from ..model.body import MotionType
from ..model.graph import articulated_bodies, joint_ends
from ..model.scene import PhysicsScene
from ..model.shape import Convex, Trimesh
from .meshes import is_convex, is_flat, mesh_data
from .passing import passing_bodies
from .surfaces import combined_frictions

_MEASURED = "Measured with Newton 1.8.0 and its solver SolverMuJoCo."
_STEP = 1.0 / 960.0
"""Length of the steps that it was measured with [s]; Newton leaves them to whoever runs it."""
_HEAVY = 50.0
"""Ratio of masses from which on the lighter body visibly gives way."""

NOT_ARTICULATED = rule(
    "OMI-E612",
    WARNING,
    "Newton: {joints} outside of all articulations, so that nothing moves, or the scene is "
    "rejected; make the root of the bodies an Articulation Root, or convert with the option "
    "articulations=all",
    reason="Bodies of 32 files stayed where they were; a joint between two bodies that no "
    f"articulation reaches is an error. {_MEASURED}",
)
GRAVITY_FACTOR = rule(
    "OMI-E613",
    WARNING,
    "Newton: the gravity factor of {factor:g} is not read; full gravity acts on the body",
    reason=f"The importer does not read physxRigidBody:disableGravity. {_MEASURED}",
)
KINEMATIC_STAYS = rule(
    "OMI-E614",
    WARNING,
    "Newton: the kinematic body does not move by its velocity",
    reason=f"It stays where its prim is. {_MEASURED}",
)
ONE_FRICTION = rule(
    "OMI-E615",
    WARNING,
    "Newton: of static and dynamic friction it reads {friction:g}, the dynamic one",
    reason=f"A box that 0.7 holds on a slope of 27° slid 0.92 m in a second by 0.3. {_MEASURED}",
)
LARGER_FRICTION = rule(
    "OMI-E616",
    WARNING,
    "Newton: where surfaces with a friction of {low:g} and of {high:g} touch, the larger one "
    "counts, whatever their combine modes",
    reason=f"Average, minimum and product all gave the maximum. {_MEASURED}",
)
NO_BOUNCE = rule(
    "OMI-E617",
    WARNING,
    "Newton: the restitution of {restitution:g} is not used; nothing bounces",
    reason=f"A ball with 0.62 did not leave the floor. {_MEASURED}",
)
FLAT_MESH = rule(
    "OMI-E618",
    ERROR,
    "Newton: the mesh lies in one plane, and the solver rejects the scene; use a box",
    reason=f"Contacts with planar meshes are not supported. {_MEASURED}",
)
HULL_SINKS = rule(
    "OMI-E619",
    WARNING,
    "Newton: the convex hull sinks by about a centimeter into what it lies on",
    reason=f"A brick of 1.7 kg rested 14 mm too deep. {_MEASURED}",
)
ONE_HULL = rule(
    "OMI-E626",
    WARNING,
    "Newton: the mesh is held as its convex hull, and what starts inside that is pushed out of it; "
    "make it of boxes or convex parts",
    reason=f"Of a room, the hull is solid: a crate in it was 36 m away after 2 s. {_MEASURED}",
)
PASSES = rule(
    "OMI-E620",
    WARNING,
    "Newton: at {speed:.3g} m/s the body passes what is {thickness:.2g} m thick; take steps of "
    "less than {step:.1g} s",
    reason="A ball of 23 mm passed a wall of 13 mm at 7 m/s with 960 steps per second. "
    f"{_MEASURED}",
)
GIVES_WAY = rule(
    "OMI-E621",
    WARNING,
    "Newton: bodies weigh from {light:.3g} to {heavy:.3g} kg; where the heavy lie on the light, "
    "contacts give way by millimeters",
    reason=f"23 kg upon 0.23 kg stood 7 mm too low. {_MEASURED}",
)
JOINED_VELOCITY = rule(
    "OMI-E623",
    WARNING,
    "Newton: the initial velocity of a body on joints is that of its whole articulation if it is "
    "the root, else it is not used",
    reason="Speeds of joints are 0 at load. A body that had -0.7 m/s on a spring took the other "
    f"one along, 0.63 m in 0.9 s. {_MEASURED}",
)
BREAKS_NOT = rule(
    "OMI-E624",
    WARNING,
    "Newton: the joint does not break",
    reason=f"A joint with a break force of 9 N held 22.6 N. {_MEASURED}",
)


OTHER_IMPORTERS = rule(
    "OMI-E625",
    INFO,
    "Newton: its importer of MJCF leaves out gravity, keyframes with the targets of drives, and "
    "ranges of balls, that of URDF rejects floating links below a world; give it USD",
    reason="Of 79 scenes with one property each, 39 of MJCF and 9 of URDF moved as authored, and "
    f"what did not is what these importers and the losses of the files leave out. {_MEASURED}",
)
SOFT_CONTACTS = rule(
    "OMI-E627",
    INFO,
    "Newton: contacts are damped springs; what strikes rebounds by up to an eighth of its speed, "
    "what lies on a slope creeps by 2 mm/s",
    reason=f"A block with a friction of 0.5 went 5 mm down 20° in 3 s. {_MEASURED}",
)


def check_newton_scene(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what goes wrong or is lost of bodies, surfaces and joints outside of articulations."""
    yield from _check_roots(scene)
    joined = {body for pair in joint_ends(scene).pairs() for body in pair if pair[0] != pair[1]}
    for node, motion in scene.motions.items():
        if motion.type == MotionType.KINEMATIC and moves(motion):
            yield KINEMATIC_STAYS(scene.place_of(node))
        if scene.is_dynamic(node) and motion.gravity_factor != 1.0:
            yield GRAVITY_FACTOR(scene.place_of(node), factor=motion.gravity_factor)
        if scene.is_dynamic(node) and node in joined and moves(motion):
            yield JOINED_VELOCITY(scene.place_of(node))
    yield from _check_surfaces(scene)
    yield from _check_meshes(scene)
    for body, speed, thickness in passing_bodies(scene, _STEP * _SOFT):
        step = thickness / speed / _SOFT
        yield PASSES(scene.place_of(body), speed=speed, thickness=2.0 * thickness, step=step)
    yield from _check_masses(scene)
    yield from _check_importers(scene)
    for joint in scene.joints:
        attributes = joint.attributes
        if min(attributes.break_force, attributes.break_torque) < math.inf:
            yield BREAKS_NOT(joint.place)


_SOFT = 4.0
"""How many steps a contact needs to stop a body."""


def _check_importers(scene: PhysicsScene) -> Iterator[Finding]:
    if scene.are_dynamic().any():
        yield OTHER_IMPORTERS("")


def _check_roots(scene: PhysicsScene) -> Iterator[Finding]:
    inside = articulated_bodies(scene)
    outside = []
    for number, (one, other) in enumerate(joint_ends(scene).pairs()):
        moving = {body for body in (one, other) if scene.is_dynamic(body)}
        if one != other and moving and not moving <= inside:
            outside.append(number)
    if outside:
        words = "the joint is" if len(outside) == 1 else f"{len(outside)} joints are"
        yield NOT_ARTICULATED(scene.joint_place(outside[0]), joints=words)


def _check_surfaces(scene: PhysicsScene) -> Iterator[Finding]:
    surfaces = {
        node: collider.material
        for node, collider in scene.colliders.items()
        if collider.material is not None
    }
    for node, material in surfaces.items():
        if material.static_friction != material.dynamic_friction:
            yield ONE_FRICTION(scene.place_of(node), friction=material.dynamic_friction)
        if material.restitution > 0.0:
            yield NO_BOUNCE(scene.place_of(node), restitution=material.restitution)
    if surfaces and scene.are_dynamic().any():
        yield SOFT_CONTACTS(scene.place_of(min(surfaces)))
    combined = combined_frictions(scene)
    if combined is not None:
        place = scene.place_of(combined.node)
        yield LARGER_FRICTION(place, low=combined.low, high=combined.high)


def _check_meshes(scene: PhysicsScene) -> Iterator[Finding]:
    bodies = scene.bodies()
    for node, collider in scene.colliders.items():
        shape = collider.shape
        if isinstance(shape, Convex) and scene.is_dynamic(int(bodies[node])):
            yield HULL_SINKS(scene.place_of(node))
        if isinstance(shape, Trimesh):
            data = mesh_data(scene, shape.mesh)
            if data is not None and is_flat(data):
                yield FLAT_MESH(scene.place_of(node))
            elif data is not None and not is_convex(data):
                yield ONE_HULL(scene.place_of(node))


def _check_masses(scene: PhysicsScene) -> Iterator[Finding]:
    bodies = scene.bodies()
    solid = {int(bodies[node]) for node in scene.colliders}
    masses = {node: scene.motions[node].mass for node in solid if scene.is_dynamic(node)}
    if not masses:
        return
    light, heavy = min(masses.values()), max(masses.values())
    if heavy > _HEAVY * light > 0.0:
        node = min(masses, key=lambda each: masses[each])
        yield GIVES_WAY(scene.place_of(node), light=light, heavy=heavy)
