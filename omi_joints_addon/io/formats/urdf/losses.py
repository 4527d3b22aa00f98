"""What becomes of the fields that URDF has no words for, in words."""

from collections.abc import Mapping

from ....core.checks.difference import Difference
from ....core.findings.loss import How, Loss, Noun
from ....core.model.scene import PhysicsScene

_TEXTS: Mapping[Noun, str] = {
    Noun.NODE: "URDF can only hold bodies, joints, shapes and frames below bodies",
    Noun.NAME: "names must be unique",
    Noun.PARENT: "only joints can connect links",
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
    (Noun.NAME, Noun.PARENT, Noun.POSE, Noun.FRAMES, Noun.SHAPE, Noun.INERTIA, Noun.MOTION)
)


_OTHER_LINKS = (
    "the child is the link further from the root, and a static body without mass is the world"
)


def loss_of(
    scene: PhysicsScene, difference: Difference, *, is_left: bool, is_written: bool = False
) -> Loss:
    """Return what to report of a difference.

    `is_left` is that nothing brings it back, `is_written` that the joint has an element.
    """
    noun = difference.noun
    how = How.LOST if is_left else How.CARRIED
    text = _TEXTS.get(noun, "URDF cannot express it")
    if noun == Noun.JOINT and is_written:
        how, text = How.CONVERTED, _OTHER_LINKS
    elif noun in _CONVERTED:
        how = How.CONVERTED
    place = scene.names[difference.node] if difference.node >= 0 else ""
    return Loss(place, noun, how, text)
