"""Rules about MJCF files."""

from ....core.findings.finding import ERROR, INFO, WARNING, rule

BAD_VALUE = rule(
    "OMI-M001",
    ERROR,
    "{name} must be {expected}; the default is used",
    reason="The XML reference gives each attribute its type; MuJoCo rejects the file.",
)
UNKNOWN_TYPE = rule(
    "OMI-M002",
    ERROR,
    "unknown {kind} type {type!r}; it is left out",
    reason="MuJoCo rejects the file.",
)
NO_AXIS = rule(
    "OMI-M003",
    ERROR,
    "the axis is zero; the joint is left out and its body stays where it is",
    reason="MuJoCo rejects the file.",
)
NAME_TAKEN = rule(
    "OMI-M004",
    WARNING,
    "another {kind} is also named {name!r}; references use the first",
    reason="Names are unique for each kind of element; MuJoCo rejects the file.",
)
MISSING = rule(
    "OMI-M005",
    ERROR,
    "the {kind} {name!r} does not exist; it is left out",
    reason="Elements refer to each other by name.",
)
UNKNOWN_CLASS = rule(
    "OMI-M006",
    WARNING,
    "the default class {name!r} does not exist; the main defaults are used",
    reason="MuJoCo rejects the file.",
)
MISSING_FILE = rule(
    "OMI-M007",
    WARNING,
    "the file {name!r} is missing: {problem}",
    reason="Only files in the folder of the model and in the given folders are read.",
)
STACKED = rule(
    "OMI-M008",
    INFO,
    "its {count} joints become a chain with light bodies between them",
    reason=(
        "OMI_physics_joint measures a rotation as a whole; MuJoCo chains one-axis joints. "
        "Writing MJCF again removes the bodies between them."
    ),
)
COMBINED = rule(
    "OMI-M009",
    WARNING,
    "its {count} hinges become one joint, whose angles differ from theirs off the axes",
    reason="Two hinges in a row let the third angle reach 37° when both are at 60°.",
)
WHOLE_TURN = rule(
    "OMI-M010",
    INFO,
    "its range {low:.4g} to {high:.4g} is a full turn or more, which limits cannot express; it "
    "turns freely",
    reason="Angles of limits are between -180° and 180°.",
)
CARRIED = rule(
    "OMI-M011",
    INFO,
    "no effect here, kept for writing MJCF: {names}",
    reason="Sensors, tendons, cameras and the like are specific to MuJoCo.",
)
APPROXIMATE = rule(
    "OMI-M012",
    INFO,
    "{what}",
    reason="The resulting joint behaves differently from MuJoCo's.",
)
NEEDS_MUJOCO = rule(
    "OMI-M013",
    WARNING,
    "{names} are expanded by MuJoCo, which {problem}; their result is missing",
    reason="replicate, attach, composite and flexcomp are instructions rather than data.",
)
NO_SHAPE = rule(
    "OMI-M014",
    INFO,
    "geoms of type {type} are not supported here; it is left out",
    reason="Shapes are boxes, spheres, capsules, cylinders and meshes.",
)
KEPT_SHAPE = rule(
    "OMI-M015",
    INFO,
    "geoms of type {type} have no shape here; it is kept for writing MJCF",
    reason="Shapes are boxes, spheres, capsules, cylinders and meshes; the option planes=box "
    "turns planes into boxes.",
)
UNKNOWN_ATTRIBUTE = rule(
    "OMI-M017",
    WARNING,
    "{tag} elements have no attribute {name!r}; it is ignored{near}",
    reason="MuJoCo rejects the file.",
)
