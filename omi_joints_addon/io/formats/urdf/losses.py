"""What becomes of the fields that URDF has no words for, in words."""

from collections.abc import Mapping

from ....core.checks.differences import Difference
from ....core.findings.loss import How, Loss, Noun
from ....core.model.scene import PhysicsScene

_TEXTS: Mapping[Noun, str] = {
    Noun.NODE: "only bodies, joints, shapes and frames below bodies have a place",
    Noun.NAME: "names are unique",
    Noun.PARENT: "links hang on each other by joints alone",
    Noun.POSE: "a link stands at its joint, the root link at the origin",
    Noun.MOTION: "only the root link stands still, where it has no mass or is fixed to the world",
    Noun.MASS: "links without mass are frames",
    Noun.CENTER_OF_MASS: "links without mass have none",
    Noun.INERTIA: "a tensor is required; that of the shapes is written",
    Noun.VELOCITY: "there is no start velocity",
    Noun.GRAVITY_FACTOR: "gravity is the simulator's",
    Noun.GRAVITY: "gravity is the simulator's",
    Noun.JOINT: "joints form a tree of two links each; this one closes a loop, or is free",
    Noun.FRAMES: "a joint has one frame, at the child",
    Noun.SETTINGS_NAME: "joints share no settings",
    Noun.LIMIT: "joints turn or slide about one axis, or are free; others are written as floating",
    Noun.LIMIT_SPRING: "limits are hard",
    Noun.DRIVE: "there are no springs and motors, only damping",
    Noun.COUPLING: "only straight lines between joints with one axis can be mimicked",
    Noun.EXCLUDED_PAIR: "this is in the SRDF of a robot",
    Noun.ENABLE_COLLISION: "this is in the SRDF of a robot",
    Noun.SHAPE: "shapes are boxes, spheres, cylinders and meshes that are taken as hulls",
    Noun.MATERIAL: "there is no friction and bounce of surfaces",
    Noun.COLLISION_FILTER: "this is in the SRDF of a robot",
    Noun.TRIGGER: "there are no triggers",
    Noun.COLLIDER: "a collider has one shape",
    Noun.ARTICULATION: "the whole robot is one",
}
_CONVERTED = frozenset(
    (Noun.NAME, Noun.PARENT, Noun.POSE, Noun.FRAMES, Noun.SHAPE, Noun.INERTIA, Noun.MOTION)
)


def loss_of(scene: PhysicsScene, difference: Difference, is_left: bool) -> Loss:
    """Return what to tell of a difference; `is_left` is that nothing brings it back."""
    noun = difference.noun
    how = How.CARRIED
    if is_left:
        how = How.CONVERTED if noun in _CONVERTED else How.LOST
    place = scene.names[difference.node] if difference.node >= 0 else ""
    return Loss(place, noun, how, _TEXTS.get(noun, "URDF has no word for it"))
