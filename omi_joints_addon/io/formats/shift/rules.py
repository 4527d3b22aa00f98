"""Rules about Shift files."""

from ....core.findings.finding import ERROR, INFO, WARNING, rule

WRONG_TYPE = rule(
    "OMI-H001",
    ERROR,
    "{name} must be {expected}; it is ignored",
    reason="Shift's file format defines the type of each member.",
)
UNKNOWN_TYPE = rule(
    "OMI-H002",
    ERROR,
    "unknown joint type {type!r}; the joint is left out",
    reason="Shift has Rx, Ry, Rz, Tx, Ty, Tz, revolute, prismatic, spherical, rigid and float.",
)
MISSING_END = rule(
    "OMI-H003",
    ERROR,
    "the body or frame {path!r} does not exist; the joint is left out",
    reason="Each end of a joint names a body and one of its frames.",
)
NAME_TAKEN = rule(
    "OMI-H004",
    WARNING,
    "another body of the assembly is also named {name!r}; paths use the first",
    reason="Names of bodies are unique within an assembly.",
)
UNPLACED = rule(
    "OMI-H005",
    WARNING,
    "no joint places the body, so it is at the origin",
    reason="A body that no joints connect to `fixed` needs a joint of type float.",
)
OPEN_LOOP = rule(
    "OMI-H006",
    WARNING,
    "the loop that this joint closes is open by {distance:.3g} m and {angle:.3g}°; "
    "close it with Close Loops",
    reason="Shift closes loops when it assembles a model; the file may leave them open.",
)
IMPOSSIBLE_INERTIA = rule(
    "OMI-H007",
    WARNING,
    "moments of inertia {moments} are impossible: the largest exceeds the sum of the other two",
    reason="No real body has such moments; engines may reject or change them.",
)
TURNED = rule(
    "OMI-H008",
    INFO,
    "gravity points along {axis}, so the model was turned to have it point down",
    reason="Most Shift models have Z pointing down; Blender's Z points up.",
)
UNKNOWN_UNIT = rule(
    "OMI-H009",
    ERROR,
    "unknown unit {unit!r} of {quantity}; SI is assumed",
    reason="Shift's own files are in radians, meters, kilograms and seconds.",
)
CARRIED_MEMBER = rule(
    "OMI-H010",
    INFO,
    "{name} is not supported here; it is kept for writing Shift files",
    reason="Force modules, friction, terrain and solver options are specific to Shift.",
)
INACTIVE = rule(
    "OMI-H011",
    INFO,
    "it is not active; its joints are disabled",
    reason="Assemblies, bodies and joints can be switched off.",
)
LIGHT_LEFT_OUT = rule(
    "OMI-H013",
    WARNING,
    "the light is left out: its type is {kind!r} and its parent is {parent!r}",
    reason="Lights are of type point, directional or spot, and their parent is a frame.",
)
KEPT_UNITS = rule(
    "OMI-H014",
    WARNING,
    "what is kept for writing Shift files has the units of this file, but they are written in SI",
    reason="Numbers in force modules, friction and the like are not understood here.",
)
MISSING_GEOMETRY = rule(
    "OMI-H012",
    WARNING,
    "the geometry {name!r} is missing; the body is shown without it",
    reason="Geometry is only looked up in the folder of the file.",
)
