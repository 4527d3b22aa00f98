"""Rules about glTF documents and the extensions in them."""

from ....core.findings.finding import ERROR, INFO, WARNING, rule

MOTION_WITHOUT_TYPE = rule(
    "OMI-B001",
    ERROR,
    "the motion has no type, so {default!r} is used",
    reason="OMI_physics_body: type of a motion is required.",
)
UNKNOWN_MOTION_TYPE = rule(
    "OMI-B002",
    ERROR,
    "unknown motion type {type!r}, which is kept",
    reason="OMI_physics_body: type is static, kinematic or dynamic.",
)
NO_POSITIVE_MASS = rule(
    "OMI-B003",
    ERROR,
    "the mass is {value}, but must be above zero, so it is ignored",
    reason="OMI_physics_body: mass in kilograms; no engine can move a body without mass.",
)
NO_ROTATION = rule(
    "OMI-B004",
    ERROR,
    "the inertia orientation is not a rotation (its length is {length:g}), so it is ignored",
    reason="OMI_physics_body: inertiaOrientation is a quaternion, whose length is 1.",
)
FILTER_BOTH_WAYS = rule(
    "OMI-B005",
    ERROR,
    "the collision filter lists both systems to collide with and systems not to collide with; "
    "the second list is ignored",
    reason="OMI_physics_body: collideWithSystems and notCollideWithSystems exclude each other.",
)
UNKNOWN_COMBINE_MODE = rule(
    "OMI-B006",
    ERROR,
    "unknown combine mode {word!r}; it is kept",
    reason="OMI_physics_body: average, minimum, maximum or multiply.",
)
NO_SUCH_PART = rule(
    "OMI-B007",
    ERROR,
    "the file has no {name} {index}, so the reference is ignored",
    reason="OMI_physics_body: references are indices into the document's arrays.",
)
TRIGGER_NODE_ELSEWHERE = rule(
    "OMI-B008",
    ERROR,
    "node {index} of the compound trigger is not below it, so it is ignored",
    reason="OMI_physics_body: nodes of a trigger are descendants of its node.",
)
TRIGGER_IN_CIRCLE = rule(
    "OMI-B009",
    ERROR,
    "node {index} of the compound trigger contains the trigger itself, so it is ignored",
    reason="A trigger that is part of itself has no volume.",
)
NODE_WITHOUT_TRIGGER = rule(
    "OMI-B010",
    ERROR,
    "node {index} of the compound trigger has no trigger, so it is ignored",
    reason="OMI_physics_body: nodes of a trigger have a trigger of their own.",
)
MASS_LEFT_TO_ENGINE = rule(
    "OMI-B041",
    INFO,
    "the motion has no mass, so engines compute it from the colliders; {mass:g} kg is used until "
    "it is set",
    reason="KHR_physics_rigid_bodies: mass and inertia that are not provided should be calculated.",
)
INFINITE_MASS = rule(
    "OMI-B042",
    WARNING,
    "the mass is 0, which means infinite, so the body is read as kinematic",
    reason=(
        "KHR_physics_rigid_bodies: a mass of zero is infinite, as for isKinematic; "
        "OMI_physics_body has no infinite mass."
    ),
)
INFINITE_INERTIA = rule(
    "OMI-B043",
    WARNING,
    "a moment of inertia is 0, which means infinite; lock the axis with a joint instead",
    reason=(
        "KHR_physics_rigid_bodies: zero in inertiaDiagonal is infinite; in OMI_physics_body the "
        "engine computes it."
    ),
)
NO_SUCH_ELEMENT = rule(
    "OMI-J401",
    ERROR,
    "the file has no {name} {index}",
    reason="glTF 2.0: references are indices into the document's arrays.",
)
EXTENSION_NOT_LISTED = rule(
    "OMI-J402",
    ERROR,
    "{extension} is used but missing from extensionsUsed; engines ignore it silently",
    reason="glTF 2.0: all extensions used must be listed in extensionsUsed.",
)
NO_JOINT_SETTINGS = rule(
    "OMI-J403",
    ERROR,
    "nodes refer to joint settings, but the document has none",
    reason="OMI_physics_joint: physicsJoints is in the extension object of the document.",
)
UNUSED_SETTINGS = rule(
    "OMI-J404",
    INFO,
    "no joint uses these settings",
    reason="Settings that nothing refers to only make the file larger.",
)
OLD_MEMBERS = rule(
    "OMI-J405",
    WARNING,
    "the members {names} belong to the extension's format from before 2024, which current "
    "engines ignore",
    reason="OMI_physics_joint changed to limits and drives; export the file again.",
)
UNKNOWN_MEMBERS = rule(
    "OMI-J406",
    INFO,
    "the members {names} are not part of the extension; they are kept but have no effect",
    reason="Often a spelling mistake, or a later version of the extension.",
)
BROKEN_TREE = rule(
    "OMI-J407",
    ERROR,
    "node {index} is its own ancestor or has two parents, so the node tree is broken here",
    reason="glTF 2.0: nodes form a set of trees.",
)
BAD_TRANSFORM = rule(
    "OMI-J408",
    ERROR,
    "the transform is not a {name} of finite numbers, so it is ignored",
    reason="glTF 2.0: a node has a matrix, or translation, rotation and scale.",
)
WRONG_GLTF_TYPE = rule(
    "OMI-J409",
    ERROR,
    "{name} must be {expected}, not {found}",
    reason="glTF 2.0 gives the type.",
)
DAMAGED_CONTAINER = rule(
    "OMI-J410",
    WARNING,
    "the binary container is damaged: {problem}",
    reason="glTF 2.0: GLB file format.",
)
LEADS_OUT = rule(
    "OMI-J411",
    WARNING,
    "{uri} points outside the folder of the file, so it is not followed",
    reason="A file from elsewhere could name any file or address.",
)
NEEDLESSLY_REQUIRED = rule(
    "OMI-J412",
    INFO,
    "{extension} is listed in extensionsRequired, so viewers without physics will reject the file",
    reason="OMI_physics_joint is optional: models can be shown without it.",
)
NOT_GLTF_2 = rule(
    "OMI-J414",
    ERROR,
    "not a glTF 2.0 document: {problem}",
    reason="glTF 2.0: asset.version is required.",
)
NOT_UTF_8 = rule(
    "OMI-J415",
    WARNING,
    "the text is not valid UTF-8 from byte {offset} on; such characters are replaced",
    reason="glTF 2.0: JSON is encoded in UTF-8.",
)
UNREADABLE = rule(
    "OMI-J420",
    ERROR,
    "{problem}",
    reason="Only the joint or body that cannot be read is left out.",
)
WRONG_TYPE = rule(
    "OMI-J421",
    ERROR,
    "{name} must be {expected}, not {found}; it is ignored",
    reason="The JSON schema of the extension gives the type.",
)
NOT_FINITE = rule(
    "OMI-J422",
    ERROR,
    "{name} is not a finite number of at most 1e15, so it is ignored",
    reason="JSON has no NaN and no infinity; a missing bound is unbounded.",
)
TOO_SMALL = rule(
    "OMI-J423",
    ERROR,
    "{name} is {value}, but must be at least {minimum}, so it is ignored",
    reason="The JSON schema of the extension sets the minimum.",
)
CONSTANTS_CARRIED = rule(
    "OMI-J424",
    ERROR,
    "{names} contains NaN or infinity, which is replaced by null",
    reason="JSON has no NaN and no infinity.",
)
CANNOT_BE_CARRIED = rule(
    "OMI-J425",
    WARNING,
    "{names} cannot be kept: the values are not valid JSON or nested too deeply",
    reason="Members of other extensions are carried as JSON text.",
)
NOT_AN_OBJECT = rule(
    "OMI-J426",
    ERROR,
    "expected an object, not {found}, so it is left out",
    reason="OMI_physics_joint: limits and drives are arrays of objects.",
)
DRIVE_WORD_MISSING = rule(
    "OMI-J427",
    ERROR,
    "the drive has no {name}, so {default!r} is used",
    reason="OMI_physics_joint: type and mode of a drive are required.",
)
DRIVE_WITHOUT_AXIS = rule(
    "OMI-J428",
    ERROR,
    "the drive has no axis (0, 1 or 2) to act on, so it is left out",
    reason="OMI_physics_joint: the axis of a drive is required.",
)
NO_CONNECTED_MEMBER = rule(
    "OMI-J429",
    ERROR,
    "the joint has no connected node; set its connected object",
    reason="connectedNode is required by node.OMI_physics_joint.",
)
NO_SUCH_AXIS = rule(
    "OMI-J430",
    ERROR,
    "{name} can only contain the axes 0, 1 and 2, so this element is ignored",
    reason="OMI_physics_joint: axes are 0 (X), 1 (Y) and 2 (Z).",
)
REPEATED = rule(
    "OMI-J431",
    ERROR,
    "{name} contains {value} more than once; it counts once",
    reason="The JSON schemas of glTF and the extensions ask for elements that differ.",
)
EMPTY_ARRAY = rule(
    "OMI-J432",
    ERROR,
    "{name} is empty; leave it out, or name at least one",
    reason="The JSON schema of the extension asks for at least one element.",
)
DIALECTS_DISAGREE = rule(
    "OMI-J446",
    WARNING,
    "the KHR extension disagrees about {what} here with the OMI extensions, which are used",
    reason="A file may hold both dialects; where they disagree only one can be used.",
)
OLDER_FORM = rule(
    "OMI-J447",
    INFO,
    "{extension} is in the form that it had until {until}, which is read as that of today; export "
    "the file again to update it",
    reason="Engines of today may not read older forms; docs/dialects.md has a row for each member.",
)
OLDER_MEMBERS = rule(
    "OMI-J498",
    WARNING,
    "{names} of an older form of the extension cannot be expressed today, so it is left out",
    reason="The extension once had these members; no engine of today has a place for them.",
)
NO_DIRECTION = rule(
    "OMI-J490",
    ERROR,
    "the direction of gravity has no length, so the gravity is ignored",
    reason="OMI_physics_gravity: direction is a normalized vector.",
)
HELD_BY_WORLD = rule(
    "OMI-J448",
    INFO,
    "the joint is attached to the world, so {node!r} is written as a static body",
    reason="OMI_physics_joint: the connected node must be a descendant of a physics body, while in "
    "KHR_physics_rigid_bodies a node without motion is the fixed world.",
)
EXTRAS_REFER_NOWHERE = rule(
    "OMI-J451",
    WARNING,
    "the file has no node {node} that this could refer to, so it is left out",
    reason="Couplings and pairs of bodies are in extras, which other programs do not keep up to "
    "date when they renumber nodes; they are found by index and name.",
)
OLD_JOINT_WITHOUT_NODES = rule(
    "OMI-J449",
    ERROR,
    "the joint in the 2023 format does not refer to two nodes with {problem}, so it is left out",
    reason="OMI_physics_joint of 2023: nodeA and nodeB are the two bodies.",
)
UNKNOWN_SHAPE = rule(
    "OMI-S001",
    WARNING,
    "unknown shape type {type!r}; it is kept",
    reason="OMI_physics_shape: box, sphere, capsule, cylinder, convex or trimesh.",
)
SIZE_NOT_POSITIVE = rule(
    "OMI-S002",
    ERROR,
    "{name} is {value}, but must be above zero, so the default is used",
    reason="OMI_physics_shape: sizes are positive.",
)
NO_SUCH_SHAPE = rule(
    "OMI-S003",
    ERROR,
    "the file has no shape {index}, so the node has none",
    reason="OMI_physics_shape: shapes are referred to by index.",
)
NO_SUCH_MESH = rule(
    "OMI-S004",
    ERROR,
    "the {type} shape refers to mesh {mesh}, which the file does not have, so the node has no "
    "shape",
    reason="OMI_physics_shape: convex and trimesh refer to a mesh by index.",
)
NO_GEOMETRY = rule(
    "OMI-S040",
    ERROR,
    "no geometry is given, so the shapes of the nodes below are used",
    reason="KHR_physics_rigid_bodies: a collider or trigger has a geometry.",
)
EMPTY_GEOMETRY = rule(
    "OMI-S041",
    WARNING,
    "the geometry refers to neither a shape nor a node with a mesh, so the node has no shape",
    reason="KHR_physics_rigid_bodies: a geometry has a shape, or a node that carries a mesh.",
)
KHR_NOT_READ = rule(
    "OMI-E125",
    WARNING,
    "Godot: its importer only reads joints of OMI_physics_joint, and this file has none; convert "
    "it with --dialect omi",
    reason="Nothing in the importer reads KHR_physics_rigid_bodies. Read in omi-godot e421986.",
)
