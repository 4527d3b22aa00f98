"""Rules about glTF documents and the extensions in them."""

from ....core.findings.finding import ERROR, INFO, WARNING, rule

MOTION_WITHOUT_TYPE = rule(
    "OMI-B001",
    ERROR,
    "the motion has no type; it is taken as {default!r}",
    reason="OMI_physics_body: type of a motion is required.",
)
UNKNOWN_MOTION_TYPE = rule(
    "OMI-B002",
    WARNING,
    "the motion type {type!r} is none that is known; it is kept",
    reason="OMI_physics_body: type is static, kinematic or dynamic; other extensions may add more.",
)
NO_POSITIVE_MASS = rule(
    "OMI-B003",
    ERROR,
    "the mass is {value}, it must be above zero; it is ignored",
    reason="OMI_physics_body: mass in kilograms; no engine can move a body without mass.",
)
NO_ROTATION = rule(
    "OMI-B004",
    ERROR,
    "the inertia orientation is no rotation, its length is {length:g}; it is ignored",
    reason="OMI_physics_body: inertiaOrientation is a quaternion, whose length is 1.",
)
FILTER_BOTH_WAYS = rule(
    "OMI-B005",
    ERROR,
    "the collision filter both allows and forbids systems; what it forbids is ignored",
    reason="OMI_physics_body: collideWithSystems and notCollideWithSystems exclude each other.",
)
UNKNOWN_COMBINE_MODE = rule(
    "OMI-B006",
    WARNING,
    "the combine mode {word!r} is none that is known; it is kept",
    reason="OMI_physics_body: average, minimum, maximum or multiply.",
)
NO_SUCH_PART = rule(
    "OMI-B007",
    ERROR,
    "there is no {name} {index} in the file; the reference is ignored",
    reason="OMI_physics_body: references are indices into the document's arrays.",
)
TRIGGER_NODE_ELSEWHERE = rule(
    "OMI-B008",
    ERROR,
    "node {index} of the compound trigger is no node below it; it is ignored",
    reason="OMI_physics_body: nodes of a trigger are descendants of its node.",
)
TRIGGER_IN_CIRCLE = rule(
    "OMI-B009",
    ERROR,
    "node {index} of the compound trigger leads back to it; it is ignored",
    reason="A trigger that is part of itself has no volume.",
)
NODE_WITHOUT_TRIGGER = rule(
    "OMI-B010",
    ERROR,
    "node {index} of the compound trigger has no trigger; it adds nothing",
    reason="OMI_physics_body: nodes of a trigger have a trigger of their own.",
)
MASS_LEFT_TO_ENGINE = rule(
    "OMI-B041",
    INFO,
    "the motion has no mass, an engine works it out from the colliders; it is {mass:g} kg "
    "until set",
    reason="KHR_physics_rigid_bodies: mass and inertia that are not provided should be calculated.",
)
INFINITE_MASS = rule(
    "OMI-B042",
    WARNING,
    "the mass is 0, which stands for infinity; the body is read as kinematic",
    reason="KHR_physics_rigid_bodies: zero in mass is infinite, as for isKinematic; "
    "OMI_physics_body has no infinite mass.",
)
INFINITE_INERTIA = rule(
    "OMI-B043",
    WARNING,
    "a moment of inertia is 0, which stands for infinity; lock the axis by a joint instead",
    reason="KHR_physics_rigid_bodies: zero in inertiaDiagonal is infinite; in OMI_physics_body the "
    "engine works it out.",
)
NO_SUCH_ELEMENT = rule(
    "OMI-J401",
    ERROR,
    "there is no {name} {index} in the file",
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
    "nodes are joints, but the document holds no joint settings",
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
    "this is the form of the extension from before 2024 ({names}); current engines ignore it",
    reason="OMI_physics_joint was changed to limits and drives; write the file again.",
)
UNKNOWN_MEMBERS = rule(
    "OMI-J406",
    INFO,
    "the members {names} are no part of the extension; they are kept and do nothing",
    reason="Often a spelling mistake, or a later version of the extension.",
)
BROKEN_TREE = rule(
    "OMI-J407",
    ERROR,
    "node {index} is below itself or below two nodes; the tree of nodes is broken here",
    reason="glTF 2.0: nodes form a set of trees.",
)
BAD_TRANSFORM = rule(
    "OMI-J408",
    ERROR,
    "the transform is no {name} of finite numbers; it is ignored",
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
    "{uri} leads out of the folder of the file; it is not followed here",
    reason="A file from elsewhere could name any file or address.",
)
NEEDLESSLY_REQUIRED = rule(
    "OMI-J412",
    INFO,
    "{extension} is listed in extensionsRequired; viewers without physics refuse the file",
    reason="OMI_physics_joint is optional: without it the models still show.",
)
NOT_GLTF_2 = rule(
    "OMI-J414",
    ERROR,
    "this is no glTF 2.0 document: {problem}",
    reason="glTF 2.0: asset.version is required.",
)
NOT_UTF_8 = rule(
    "OMI-J415",
    WARNING,
    "the text is not UTF-8 from byte {offset} on; such characters are replaced",
    reason="glTF 2.0: JSON is encoded in UTF-8.",
)
UNREADABLE = rule(
    "OMI-J420",
    ERROR,
    "{problem}",
    reason="A value that cannot be read as a joint costs that joint only.",
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
    "{name} is not a finite number; it is ignored",
    reason="JSON has no NaN and no infinity; a missing bound is unbounded.",
)
TOO_SMALL = rule(
    "OMI-J423",
    ERROR,
    "{name} is {value}, less than {minimum}; it is ignored",
    reason="The JSON schema of the extension gives the smallest value.",
)
CONSTANTS_CARRIED = rule(
    "OMI-J424",
    ERROR,
    "NaN or infinity inside {names} is replaced by null",
    reason="JSON has no NaN and no infinity.",
)
CANNOT_BE_CARRIED = rule(
    "OMI-J425",
    WARNING,
    "{names} cannot be kept, the values are no JSON or nested too deeply",
    reason="Members of other extensions are carried as JSON text.",
)
NOT_AN_OBJECT = rule(
    "OMI-J426",
    ERROR,
    "there must be an object here, not {found}; it is left out",
    reason="OMI_physics_joint: limits and drives are arrays of objects.",
)
DRIVE_WORD_MISSING = rule(
    "OMI-J427",
    ERROR,
    "the drive has no {name}; it is taken as {default!r}",
    reason="OMI_physics_joint: type and mode of a drive are required.",
)
DRIVE_WITHOUT_AXIS = rule(
    "OMI-J428",
    ERROR,
    "the drive has no axis 0, 1 or 2 to act on; it is left out",
    reason="OMI_physics_joint: the axis of a drive is required.",
)
NO_CONNECTED_MEMBER = rule(
    "OMI-J429",
    ERROR,
    "the joint names no connected node; set its connected object",
    reason="connectedNode is required by node.OMI_physics_joint.",
)
NO_SUCH_AXIS = rule(
    "OMI-J430",
    ERROR,
    "{name} may hold the axes 0, 1 and 2 only; this element is ignored",
    reason="OMI_physics_joint: axes are 0 (X), 1 (Y) and 2 (Z).",
)
DIALECTS_DISAGREE = rule(
    "OMI-J446",
    WARNING,
    "KHR_physics_rigid_bodies says something else of {what} here than the OMI extensions, "
    "which are used",
    reason="A file may hold both dialects; where they disagree only one can count.",
)
FORM_OF_2023 = rule(
    "OMI-J447",
    INFO,
    "joints of the form that OMI_physics_joint had in 2023 are read as of today; export the "
    "file again to keep them",
    reason="OMI_physics_joint changed in 2024 (constraints, nodeA and nodeB are gone).",
)
HELD_BY_WORLD = rule(
    "OMI-J448",
    INFO,
    "the joint holds on to the world: {node!r} is written as a static body for it",
    reason="OMI_physics_joint: the connected node must be a descendant of a physics body, while in "
    "KHR_physics_rigid_bodies a node without motion is the fixed world.",
)
OLD_JOINT_WITHOUT_NODES = rule(
    "OMI-J449",
    ERROR,
    "the joint of 2023 does not name two nodes with {problem}; it is left out",
    reason="OMI_physics_joint of 2023: nodeA and nodeB are the two bodies.",
)
UNKNOWN_SHAPE = rule(
    "OMI-S001",
    WARNING,
    "the shape type {type!r} is none that is known; it is kept as it is",
    reason="OMI_physics_shape: box, sphere, capsule, cylinder, convex or trimesh.",
)
SIZE_NOT_POSITIVE = rule(
    "OMI-S002",
    ERROR,
    "{name} is {value}, it must be above zero; the default is used",
    reason="OMI_physics_shape: sizes are positive.",
)
NO_SUCH_SHAPE = rule(
    "OMI-S003",
    ERROR,
    "there is no shape {index} in the file; the node has none",
    reason="OMI_physics_shape: shapes are referred to by index.",
)
NO_SUCH_MESH = rule(
    "OMI-S004",
    ERROR,
    "the {type} shape refers to mesh {mesh}, which is none of the file; the node has no shape",
    reason="OMI_physics_shape: convex and trimesh refer to a mesh by index.",
)
NO_GEOMETRY = rule(
    "OMI-S040",
    WARNING,
    "there is no geometry here; the shapes of the nodes below count",
    reason="KHR_physics_rigid_bodies: a collider or trigger has a geometry.",
)
EMPTY_GEOMETRY = rule(
    "OMI-S041",
    WARNING,
    "the geometry names no shape and no node with a mesh; there is no shape",
    reason="KHR_physics_rigid_bodies: a geometry has a shape, or a node that carries a mesh.",
)
