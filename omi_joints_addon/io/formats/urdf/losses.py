"""What becomes of the fields that URDF has no words for, in words."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ....core.checks.acting_alike import without_alike
from ....core.checks.difference import CLOSE, Difference
from ....core.checks.matching import freely_named
from ....core.findings.loss import How, Loss, Noun
from ....core.model.pose import Array
from ....core.model.scene import PhysicsScene
from ..details import Details
from .plan import Plan

_TEXTS: Mapping[Noun, str] = {
    Noun.NODE: "URDF can only hold bodies, joints, shapes and frames below bodies",
    Noun.NAME: "names must be unique",
    Noun.PARENT: "URDF links connect only through joints",
    Noun.POSE: "a link is at its joint, the root link at the origin",
    Noun.MOTION: "only the root link can be static, if it has no mass or is fixed to the world",
    Noun.MASS: "links without mass are frames",
    Noun.CENTER_OF_MASS: "links without mass have no inertia",
    Noun.INERTIA: "a tensor is required; the one of the shapes is written",
    Noun.VELOCITY: "URDF does not support initial velocities",
    Noun.GRAVITY_FACTOR: "gravity is set in the simulator",
    Noun.GRAVITY: "gravity is set in the simulator",
    Noun.JOINT: (
        "joints must form a tree with two links each; this one closes a loop or has a free end"
    ),
    Noun.FRAMES: "a joint has only one frame, at the child",
    Noun.SETTINGS_NAME: "joints cannot share settings",
    Noun.LIMIT: (
        "joints turn about or slide along one axis, or are free; others are written as floating"
    ),
    Noun.LIMIT_SPRING: "limits are always hard",
    Noun.DRIVE: "URDF does not support springs and motors, only damping",
    Noun.EFFORT: "the largest force of the drive is the joint's effort",
    Noun.COUPLING: "only linear couplings between joints with one axis can be written",
    Noun.EXCLUDED_PAIR: "this belongs in the robot's SRDF file",
    Noun.ENABLE_COLLISION: "this belongs in the robot's SRDF file",
    Noun.SHAPE: "shapes can be boxes, spheres, cylinders and meshes, which are used as hulls",
    Noun.MATERIAL: "URDF does not support friction and bounce of surfaces",
    Noun.COLLISION_FILTER: "this belongs in the robot's SRDF file",
    Noun.TRIGGER: "URDF does not support triggers",
    Noun.COLLIDER: "a collider has exactly one shape",
    Noun.ARTICULATION: "the whole robot is one articulation",
}
_CONVERTED = frozenset(
    (
        *(Noun.NAME, Noun.PARENT, Noun.POSE, Noun.FRAMES, Noun.SHAPE, Noun.INERTIA, Noun.MOTION),
        Noun.EFFORT,
    )
)
_OF_DRIVES = frozenset(
    (
        *(Noun.DRIVE_MODE, Noun.DRIVE_STIFFNESS, Noun.DRIVE_DAMPING),
        *(Noun.MAX_FORCE, Noun.POSITION_TARGET, Noun.VELOCITY_TARGET),
    )
)
"""What goes with a drive, of which one line is enough."""


def start_of(
    scene: PhysicsScene, again: PhysicsScene, plan: Plan, match: Mapping[int, int]
) -> Array | None:
    """Return the motion (4, 4) from a document, `again`, to the scene of a robot that is free.

    None where it is held, or starts at the origin.
    """
    (root, *_) = plan.tree.roots() or [-1]
    if plan.has_world or root not in match or not scene.is_dynamic(root):
        return None
    motion = scene.matrices[root] @ np.linalg.inv(again.matrices[match[root]])
    return None if np.abs(motion - np.eye(4)).max() <= CLOSE else np.asarray(motion)


def mattering(
    found: Sequence[Difference],
    scene: PhysicsScene,
    again: PhysicsScene,
    match: Mapping[int, int],
) -> Iterator[Difference]:
    """Yield what programs that read a document, `again`, find otherwise than in the scene."""
    moved = {each.node for each in found if each.noun == Noun.CENTER_OF_MASS}
    parts = freely_named(scene)
    for each in without_alike(found, scene, again, match):
        # A link is at its joint, so that its frame may be elsewhere though the body is not.
        is_frame = each.noun == Noun.POSE and each.node in scene.motions and each.node not in moved
        is_free_name = each.noun == Noun.NAME and (each.node < 0 or each.node in parts)
        if not (is_frame or is_free_name):
            yield each


def losses_of(scene: PhysicsScene, difference: Difference, *, is_left: bool) -> Iterator[Loss]:
    """Yield what to report of a difference; `is_left` is that nothing brings it back."""
    noun = Noun.DRIVE if difference.noun in _OF_DRIVES else difference.noun
    how = How.LOST if is_left else How.CARRIED
    if noun == Noun.CARRIED:
        if difference.node >= 0:
            yield from Details(scene, "urdf").losses(difference.node, how)
        return
    if noun in _CONVERTED:
        how = How.CONVERTED
    place = scene.names[difference.node] if difference.node >= 0 else ""
    yield Loss(place, noun, how, _TEXTS.get(noun, "URDF cannot express it"))
