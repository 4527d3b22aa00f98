"""Rules about what a USD stage says (U001 to U049)."""

from ....core.findings.finding import ERROR, INFO, WARNING, rule

STALE = rule(
    "OMI-U003",
    WARNING,
    "the physics was changed by another program, so its attributes are used and the extra data "
    "kept by this program is not",
    reason="The exact settings are kept in customData with a digest of the attributes; an edited "
    "attribute wins over them.",
)
MISPRINT = rule(
    "OMI-U002",
    WARNING,
    "{found} is not a type in UsdPhysics; it is read as {name}",
    reason="The documentation of UsdPhysics misprints the names of joint types in its examples.",
)
WRONG_TYPE = rule(
    "OMI-U004",
    WARNING,
    "{name} cannot be {value}; its default is used",
    reason="UsdPhysics gives each attribute a type and a meaning.",
)
ZERO_MOVED = rule(
    "OMI-U005",
    INFO,
    "the range {low}° to {high}° reaches beyond half a turn, so its middle is the new zero; the "
    "connected frame was turned and the limits mean the same",
    reason="OMI_physics_joint measures angles between minus and plus half a turn.",
)
BEYOND_TURN = rule(
    "OMI-U006",
    WARNING,
    "the range {low}° to {high}° is a full turn or more, which joints cannot count; it is left "
    "free",
    reason="OMI_physics_joint measures angles between minus and plus half a turn.",
)
ELLIPTIC = rule(
    "OMI-U007",
    WARNING,
    "the cone of {first}° and {second}° becomes the wider one with a range of the narrower angle "
    "about its own axis",
    reason="OMI_physics_joint has round cones only. As PhysX does, the first angle is taken as the "
    "one about the axis after that of the joint, though the schema says toward it.",
)
NO_BODY = rule(
    "OMI-U008",
    ERROR,
    "the joint refers to the body {path!r}, which does not exist; the joint is left out",
    reason="UsdPhysics: body0 and body1 are prims with a place, and no target is the world.",
)
NO_BODIES = rule(
    "OMI-U009",
    ERROR,
    "the joint connects {what}; it is left out",
    reason="UsdPhysics: a joint connects two bodies, one of which may be the world.",
)
LEFT_OUT_SHAPE = rule(
    "OMI-U010",
    WARNING,
    "{kind} is not supported as a collision shape; the collider is left out",
    reason="OMI_physics_shape has boxes, spheres, capsules, cylinders and meshes.",
)
INEXACT_SHAPE = rule(
    "OMI-U011",
    WARNING,
    "the {kind} is scaled unevenly; it becomes as large as its largest scale makes it",
    reason="UsdPhysics: round shapes take the largest factor of an uneven scale.",
)
APPROXIMATED = rule(
    "OMI-U012",
    INFO,
    "the mesh approximation {name} is read as {shown}; USD files keep its name",
    reason="OMI_physics_shape has hulls and triangle meshes; other approximations are made by an "
    "engine.",
)
COLLIDER_OFF = rule(
    "OMI-U020",
    INFO,
    "the collider is turned off, so nothing collides with it here; only USD files keep it",
    reason="UsdPhysics: collisionEnabled sets whether a collider takes part in collisions.",
)
PLANE = rule(
    "OMI-U021",
    INFO,
    "the plane has no end; it becomes a box of 100 m by 100 m by 1 m with its top face there",
    reason="OMI_physics_shape has no planes. UsdPhysics takes a plane as a half space.",
)
INSTANCES = rule(
    "OMI-U022",
    WARNING,
    "the point instancer has {count} instances, whose physics is not read; make them prims of "
    "their own",
    reason="OpenUSD's own parser of physics does not read point instancers either.",
)
DRIVE_KEPT = rule(
    "OMI-U023",
    WARNING,
    "the drive {name} does not act on a {kind}; it is only kept for USD files",
    reason="UsdPhysics: drives act along or about single axes of revolute, prismatic and D6 "
    "joints.",
)
ONLY_OVERS = rule(
    "OMI-U025",
    WARNING,
    "the file only changes prims that another file defines; open the file that includes it, or "
    "make the other one its sublayer",
    reason="OpenUSD: an over says nothing of its own without a definition below it.",
)
UNREAD = rule(
    "OMI-U026",
    INFO,
    "{word} is not understood ({count} in the file); USD files made from this one keep it, other "
    "files do not have it",
    reason="Only what is understood, and what bodies and joints keep of other schemas, is in the "
    "scene.",
)
DRIVEN_TWICE = rule(
    "OMI-U057",
    INFO,
    "{name} drives the joint; the drives of the joint itself have no effect",
    reason="Isaac Sim sets the gains of drives to zero where a NewtonActuator acts on their joint.",
)
ANIMATED_VALUE = rule(
    "OMI-U027",
    WARNING,
    "{name} changes over time; only its value at rest is used",
    reason="Joints and bodies have one value of each kind here.",
)
STARTS_ELSEWHERE = rule(
    "OMI-U024",
    INFO,
    "the joint state starts at {position} with a velocity of {velocity}; bodies start where the "
    "stage places them",
    reason="PhysicsJointStateAPI is part of PhysX: it moves the bodies when the simulation starts.",
)
OLD_GRAVITY = rule(
    "OMI-U013",
    WARNING,
    "gravity is not an attribute of a physics scene; gravityDirection and gravityMagnitude are "
    "used",
    reason="The documentation of UsdPhysics has float3 gravity in its examples by mistake.",
)
MANY_SCENES = rule(
    "OMI-U014",
    WARNING,
    "the file has {count} physics scenes; the gravity of {name!r} is used for all",
    reason="A scene can have only one gravity here.",
)
NESTED_ROOTS = rule(
    "OMI-U015",
    WARNING,
    "another articulation root is above this one, which is left out",
    reason="UsdPhysics: articulation roots cannot be nested.",
)
EMPTY_ROOT = rule(
    "OMI-U016",
    INFO,
    "the articulation root has no body at or below it; it is left out",
    reason="UsdPhysics: an articulation starts at a body or a joint.",
)
COMPOSITION = rule(
    "OMI-U017",
    WARNING,
    "{problem}",
    reason="OpenUSD reports this when it composes the stage.",
)
TURNED_OFF = rule(
    "OMI-U018",
    INFO,
    "the rigid body is turned off, so it is read as a static one",
    reason="UsdPhysics: rigidBodyEnabled sets whether a body is dynamic or static.",
)
MIMIC_LEFT_OUT = rule(
    "OMI-U019",
    WARNING,
    "it cannot follow {source!r}: both must be hinges or both sliders of this file",
    reason="NewtonMimicAPI and PhysxMimicJointAPI couple two joints of one axis and one type.",
)
