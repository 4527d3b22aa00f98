"""Rules about MJCF files."""

from ....core.findings.finding import ERROR, INFO, WARNING, rule

BAD_VALUE = rule(
    "OMI-M001",
    ERROR,
    "{name} must be {expected}; the default is used",
    reason="The XML reference gives each attribute its type; MuJoCo refuses the file.",
)
UNKNOWN_TYPE = rule(
    "OMI-M002",
    ERROR,
    "unknown {kind} type {type!r}; it is left out",
    reason="MuJoCo refuses the file.",
)
NO_AXIS = rule(
    "OMI-M003",
    ERROR,
    "the axis is zero; the joint is left out and its body stays where it is",
    reason="MuJoCo refuses the file.",
)
NAME_TAKEN = rule(
    "OMI-M004",
    WARNING,
    "another {kind} is also named {name!r}; references lead to the first",
    reason="Names are unique for each kind of element; MuJoCo refuses the file.",
)
MISSING = rule(
    "OMI-M005",
    ERROR,
    "there is no {kind} {name!r}; it is left out",
    reason="Elements refer to each other by name.",
)
UNKNOWN_CLASS = rule(
    "OMI-M006",
    WARNING,
    "there is no default class {name!r}; the main defaults are used",
    reason="MuJoCo refuses the file.",
)
MISSING_FILE = rule(
    "OMI-M007",
    WARNING,
    "the file {name!r} is missing: {problem}",
    reason="Only files in the folder of the model and in named folders are read.",
)
STACKED = rule(
    "OMI-M008",
    INFO,
    "its {count} joints are a chain here, with light bodies between them",
    reason="A joint of OMI_physics_joint measures a rotation as one; a chain of one-axis joints "
    "is what MuJoCo has. Written as MJCF again the bodies between go.",
)
COMBINED = rule(
    "OMI-M009",
    WARNING,
    "its {count} hinges are one joint here, whose angles differ from theirs off the axes",
    reason="Two hinges in a row let the third angle reach 37° where both stand at 60°.",
)
WHOLE_TURN = rule(
    "OMI-M010",
    INFO,
    "its range {low:.4g} to {high:.4g} is a turn or more, which limits cannot say; it turns freely",
    reason="Angles of limits are between -180° and 180°.",
)
CARRIED = rule(
    "OMI-M011",
    INFO,
    "{names} have no counterpart here; they are kept for writing MJCF",
    reason="Sensors, tendons, cameras and the like belong to MuJoCo alone.",
)
APPROXIMATE = rule(
    "OMI-M012",
    INFO,
    "{what}",
    reason="What MuJoCo does differs from the joint that it becomes.",
)
NEEDS_MUJOCO = rule(
    "OMI-M013",
    WARNING,
    "{names} are expanded by MuJoCo, which is not installed; what they make is missing",
    reason="replicate, attach, composite and flexcomp are programs rather than data.",
)
NO_SHAPE = rule(
    "OMI-M014",
    INFO,
    "a geom of type {type} has no counterpart here; it is left out",
    reason="Shapes are boxes, spheres, capsules, cylinders and meshes.",
)
