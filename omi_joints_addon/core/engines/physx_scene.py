"""What engines built on PhysX make of bodies and of what joints have beyond their settings."""

import math
from collections.abc import Iterator
from dataclasses import replace

from ..findings.finding import INFO, WARNING, Finding, rule
from ..meaning.coupling import only_freedom_of
from ..model.body import MotionType
from ..model.graph import articulated_bodies, joint_ends, spanning_tree
from ..model.scene import PhysicsScene

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
    "PhysX: the articulation root is static, so it is written as a fixed base, whatever Fixed Base "
    "says",
    reason="The first hinge of an articulation with a static root did not turn. Measured with "
    "ovphysx 0.7.0; Newton refuses such a root.",
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


def check_physx_scene(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield what goes wrong or is lost of bodies and joints in PhysX."""
    yield from _check_static(scene)
    yield from _check_attributes(scene)
    yield from _check_couplings(scene)
    if scene.articulations:
        yield from _check_articulations(scene)


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
        names = [
            name
            for name, is_set in (
                ("friction", attributes.friction > 0.0),
                ("armature", attributes.armature > 0.0),
                ("largest velocity", math.isfinite(attributes.velocity)),
            )
            if is_set
        ]
        bodies = {int(ends.body[number]), int(ends.connected_body[number])}
        if names and not bodies <= inside:
            yield ARTICULATION_ONLY(joint.place, names=" and ".join(names))


def _check_couplings(scene: PhysicsScene) -> Iterator[Finding]:
    for coupling in scene.couplings:
        joint, source = scene.joints[coupling.joint], scene.joints[coupling.source]
        moving = [only_freedom_of(each.settings) for each in (joint, source)]
        if not all(freedom is not None and freedom.is_bounded for freedom in moving):
            yield FOLLOWS_NOTHING(joint.place, source=source.place)


def _check_articulations(scene: PhysicsScene) -> Iterator[Finding]:
    yield from check_roots(scene)
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


def check_roots(scene: PhysicsScene) -> Iterator[Finding]:
    """Yield roots that are static, and those of nothing that moves."""
    for articulation in scene.articulations:
        root = articulation.root
        alone = replace(scene, articulations=(articulation,))
        if not any(scene.is_dynamic(body) for body in articulated_bodies(alone) - {root}):
            yield NO_LINKS(scene.place_of(root))
        elif scene.motions[root].type == MotionType.STATIC and not articulation.is_fixed:
            yield STATIC_ROOT(scene.place_of(root))
