"""Rules about URDF documents (J470 to J489)."""

from ....core.findings.finding import ERROR, INFO, WARNING, rule

UNUSABLE_VALUE = rule(
    "OMI-J470",
    WARNING,
    "{name} must be {expected}, not {text!r}; it is ignored",
    reason="URDF: numbers are decimals, vectors are numbers separated by spaces.",
)
LEFT_OUT = rule(
    "OMI-J471",
    ERROR,
    "{problem}; it is left out",
    reason="URDF: a joint has a type, a parent and a child link, a part has a geometry.",
)
REPEATED_NAME = rule(
    "OMI-J472",
    ERROR,
    "this name is used twice; the second {fate}",
    reason="URDF: names of links are unique, and so are those of joints.",
)
NO_MASS = rule(
    "OMI-J473",
    WARNING,
    "the link moves but has no mass; give it an inertial element",
    reason="No engine can move a body without mass; most reject the file or weld the link.",
)
WHOLE_TURN = rule(
    "OMI-J474",
    INFO,
    "the range {lower:g} to {upper:g} is a full turn or more, so the joint turns freely here",
    reason=(
        "Limits measure an angle within half a turn to either side and cannot count turns; the "
        "numbers are kept for writing URDF."
    ),
)
NO_RANGE = rule(
    "OMI-J475",
    WARNING,
    "{problem}; the joint moves freely",
    reason="URDF: revolute and prismatic joints have a limit with lower below upper.",
)
BARE_LIMIT = rule(
    "OMI-J476",
    WARNING,
    "the limit has neither lower nor upper, which means 0 to 0, so the joint is locked; if that "
    "is not intended, read the file with the option bare_limits=free",
    reason="URDF: lower and upper default to 0.",
)
LOST_MIMIC = rule(
    "OMI-J477",
    WARNING,
    "mimics {source!r}, which is {problem}; it moves independently",
    reason="URDF: mimic names another joint with one axis.",
)
BROKEN_MIMIC = rule(
    "OMI-J478",
    INFO,
    "to mimic {source!r} it should be at {offset:g} when all joints are at zero",
    reason="URDF: offset is added to the position of the other joint; a file has no rest pose.",
)
SECOND_PARENT = rule(
    "OMI-J479",
    WARNING,
    "is the second joint that holds {child!r}; it is kept and closes a loop",
    reason="URDF: links form a tree.",
)
CIRCLE = rule(
    "OMI-J480",
    ERROR,
    "closes a loop of the links {names}; it is kept",
    reason="URDF: links form a tree with one root.",
)
UNKNOWN_GEOMETRY = rule(
    "OMI-J481",
    WARNING,
    "unknown geometry {kind!r}; the part is left out",
    reason="URDF: box, cylinder, sphere and mesh; capsules are common.",
)
MISSING_MESH = rule(
    "OMI-J482",
    WARNING,
    "{uri} is missing: {problem}",
    reason=(
        "Meshes are only looked up next to the file, in the package around it and in given "
        "folders (the option package=NAME=FOLDER)."
    ),
)
BAD_INERTIA = rule(
    "OMI-J483",
    WARNING,
    "moments of inertia are impossible: {problem}",
    reason=(
        "Principal moments are positive, and the sum of two is at least the third; MuJoCo "
        "rejects others."
    ),
)
SEVERAL_ROOTS = rule(
    "OMI-J484",
    WARNING,
    "is an additional root link; the file contains {count} trees",
    reason="URDF: links form a tree with one root.",
)
CARRIED = rule(
    "OMI-J485",
    INFO,
    "no effect here, kept for writing URDF: {names}",
    reason="Descriptions of controllers, simulators and sensors are not supported.",
)
NO_AXIS = rule(
    "OMI-J486",
    WARNING,
    "the axis is zero; X is used",
    reason="URDF: axis is a unit vector, 1 0 0 by default.",
)
STALE_CARRIER = rule(
    "OMI-J487",
    INFO,
    "was changed after this program wrote it; the extra data kept with it is not used",
    reason="The element with data that URDF cannot express has a digest of the URDF it belongs to.",
)
NO_WEIGHT = rule(
    "OMI-J488",
    WARNING,
    "has no {what} above zero; simulators reject such links",
    reason="A link that moves needs a mass and an inertia.",
)
NO_ACTUATOR = rule(
    "OMI-J489",
    INFO,
    "has no {what}, which URDF requires; {value} is written",
    reason="URDF: limit has effort and velocity; set them under More in the joint's panel.",
)
