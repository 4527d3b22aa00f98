"""Rules about SDF documents (J520 to J535)."""

from ....core.findings.finding import ERROR, INFO, WARNING, rule

UNUSABLE_VALUE = rule(
    "OMI-J520",
    WARNING,
    "{name} must be {expected}, not {text!r}; it is ignored",
    reason="SDFormat: each element has a type; a text of another one counts as its default.",
)
BAD_FRAME = rule(
    "OMI-J521",
    ERROR,
    "{problem}; {what} is left out",
    reason="SDFormat, Pose frame semantics: names of frames exist in the model or the world.",
)
NOT_INCLUDED = rule(
    "OMI-J522",
    WARNING,
    "{uri} is not included: {problem}",
    reason="SDFormat: include names a model in a folder; addresses of the web are not followed.",
)
NO_INERTIAL = rule(
    "OMI-J523",
    WARNING,
    "the link has no inertial, so it weighs 1 kg and has moments of 1 kg·m²",
    reason="SDFormat: these are the defaults of inertial; a link that moves should say its own.",
)
UNKNOWN_JOINT = rule(
    "OMI-J524",
    WARNING,
    "joints of type {kind!r} are not known; it is left out",
    reason="SDFormat 1.12: ball, continuous, fixed, gearbox, prismatic, revolute, revolute2, screw "
    "and universal are the types of joints.",
)
STACKED = rule(
    "OMI-J525",
    INFO,
    "becomes two joints with a light body between",
    reason="Two axes in a row turn one after the other, which limits of one joint cannot express.",
)
SHAPELESS = rule(
    "OMI-J526",
    WARNING,
    "the geometry {kind!r} has no shape here; it is left out",
    reason="SDFormat: ellipsoids, planes, height maps and images have no shape in the scene.",
)
MISSING_MESH = rule(
    "OMI-J527",
    WARNING,
    "{uri} cannot be read: {problem}",
    reason="Meshes are read from the folder of the file and from folders that are named.",
)
LOST_MIMIC = rule(
    "OMI-J528",
    WARNING,
    "follows {source!r}, which is not a joint with one axis; it moves independently",
    reason="SDFormat 1.11: mimic names a joint of the model.",
)
NO_RANGE = rule(
    "OMI-J529",
    WARNING,
    "the lower bound {lower:g} is above the upper bound {upper:g}; the joint moves freely",
    reason="SDFormat: limits have a lower bound below the upper one; Gazebo lets such joints turn.",
)
REPEATED_NAME = rule(
    "OMI-J530",
    INFO,
    "this name is used twice in one scope",
    reason="SDFormat 1.7: names of links, joints, frames and models of a scope are unique.",
)
NO_GEAR = rule(
    "OMI-J531",
    WARNING,
    "the gearbox needs hinges of {reference!r} with {parent!r} and with {child!r}; it is left out",
    reason="SDFormat: a gearbox ties the angles of two hinges on its reference body.",
)
SEVERAL_MODELS = rule(
    "OMI-J532",
    WARNING,
    "the file has {count} models beside each other; all are read",
    reason="SDFormat 1.9: a file has one model, light or actor, or worlds.",
)
WHOLE_TURN = rule(
    "OMI-J533",
    INFO,
    "the range {lower:g} to {upper:g} is a full turn or more, so the joint turns freely here",
    reason="Limits measure an angle within half a turn to either side and cannot count turns.",
)
SPRING_WITHOUT_EFFORT = rule(
    "OMI-J534",
    INFO,
    "the effort of {effort:g} does not limit the joint's spring; it is left out",
    reason="SDFormat: effort limits what is applied to the joint; its spring and damper act beside "
    "it. Here the effort of a joint limits its drives.",
)
