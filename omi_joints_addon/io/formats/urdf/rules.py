"""Rules about URDF documents (J470 to J489)."""

from ....core.findings.finding import ERROR, INFO, WARNING, rule

UNUSABLE_VALUE = rule(
    "OMI-J470",
    WARNING,
    "{name}={text!r} is not {expected}; it is ignored",
    reason="URDF: numbers are decimals, vectors are numbers with spaces between.",
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
    "there are two of this name; the second {fate}",
    reason="URDF: names of links are unique, and so are those of joints.",
)
NO_MASS = rule(
    "OMI-J473",
    WARNING,
    "the link moves but has no mass; give it an inertial element",
    reason="No engine can move a body without mass; most refuse the file or weld the link.",
)
WHOLE_TURN = rule(
    "OMI-J474",
    INFO,
    "the range {lower:g} to {upper:g} is a whole turn or more, so the joint turns freely here",
    reason="Limits measure an angle within half a turn to either side and cannot count turns; the "
    "numbers are kept and written again.",
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
    "the limit names neither lower nor upper, which is 0 to 0, so the joint is locked; if that is "
    "not meant, read the file with the option bare_limits=free",
    reason="URDF: lower and upper are 0 where they are not given.",
)
LOST_MIMIC = rule(
    "OMI-J477",
    WARNING,
    "mimics {source!r}, which is {problem}; it moves on its own",
    reason="URDF: mimic names another joint with one axis.",
)
BROKEN_MIMIC = rule(
    "OMI-J478",
    INFO,
    "at rest, where all joints are at zero, it should be at {offset:g} to mimic {source!r}",
    reason="URDF: offset is added to the position of the other joint; files have no rest pose.",
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
    "the links {names} hang on each other in a circle; they are left out",
    reason="URDF: links form a tree with one root.",
)
UNKNOWN_GEOMETRY = rule(
    "OMI-J481",
    WARNING,
    "the geometry {kind!r} is unknown; the part is left out",
    reason="URDF: box, cylinder, sphere and mesh; capsules are common.",
)
MISSING_MESH = rule(
    "OMI-J482",
    WARNING,
    "{uri} is not there: {problem}",
    reason="Meshes are found beside the file, in the package around it and in folders that are "
    "named (the option package=NAME=FOLDER), nowhere else.",
)
BAD_INERTIA = rule(
    "OMI-J483",
    WARNING,
    "the inertia is of no real body: {problem}",
    reason="Principal moments are positive, and two together are at least the third; MuJoCo "
    "refuses others.",
)
SEVERAL_ROOTS = rule(
    "OMI-J484",
    WARNING,
    "is a further root link; the file holds {count} trees",
    reason="URDF: links form a tree with one root.",
)
CARRIED = rule(
    "OMI-J485",
    INFO,
    "{names} do nothing here; they are kept and written to URDF again",
    reason="What describes controllers, simulators and sensors has no counterpart.",
)
NO_AXIS = rule(
    "OMI-J486",
    WARNING,
    "the axis is zero; X is taken",
    reason="URDF: axis is a unit vector, 1 0 0 where it is not given.",
)
STALE_CARRIER = rule(
    "OMI-J487",
    INFO,
    "was changed since this program wrote it; what else was kept of it is not used",
    reason="The element with what URDF has no words for has a digest of the URDF it belongs to.",
)
NO_WEIGHT = rule(
    "OMI-J488",
    WARNING,
    "has no {what} above zero; simulators refuse such links",
    reason="A link that moves needs a mass and an inertia.",
)
NO_ACTUATOR = rule(
    "OMI-J489",
    INFO,
    "has no {what}, which URDF asks for; {value} is written",
    reason="URDF: limit has effort and velocity; set them under More in the joint's panel.",
)
