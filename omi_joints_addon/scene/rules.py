"""Rules about what a Blender scene says of joints."""

from ..core.findings.finding import ERROR, INFO, WARNING, rule
from ..core.findings.fix import Fix

CONNECTED_ELSEWHERE = rule(
    "OMI-J002",
    ERROR,
    "the connected object {connected!r} is not exported or shown",
    reason="connectedNode must be a node of the document.",
)
SHARED_IN_CIRCLE = rule(
    "OMI-J003",
    ERROR,
    "the shared settings form a loop through {source!r}; unlink one of the joints",
    reason="Settings belong to one joint.",
)
SHARED_SOURCE_GONE = rule(
    "OMI-J004",
    WARNING,
    "the joint that this one shares settings with, {source!r}, was deleted or is no longer a "
    "joint; its last settings are used",
    reason="Deleting a source must not delete the joints that share it.",
)
SAVED_BY_NEWER = rule(
    "OMI-J019",
    WARNING,
    "this joint was saved by a newer version of the extension (data {version}, this one knows "
    "{known}); update the extension, or some of its settings may be ignored",
    reason="Properties that a later version adds or redefines are not understood here.",
)
SETTINGS_ANIMATED = rule(
    "OMI-J020",
    INFO,
    "keyframes or drivers change values of the joint, {count} in all; files of glTF and USD hold "
    "the animation, those of other formats the values of the current frame",
    reason="OMI_physics_joint and KHR_physics_rigid_bodies define pointers of "
    "KHR_animation_pointer to limits and drives; engines that do not read it use the values of "
    "the current frame.",
)
POSITION_ANIMATED = rule(
    "OMI-J026",
    INFO,
    "keyframes or drivers move the joint, and its bodies follow in Blender; a file has that motion "
    "only where the exporter looks at each frame (glTF: Animation > Scene, or Bake All Objects "
    "Animations), or after Blender's Bake Action",
    reason="Bodies that follow a joint have no keyframes of their own, and no format keys joints.",
)
NOT_NUMBERS = rule(
    "OMI-J463",
    ERROR,
    "a limit or drive has a value that is not a number, so the joint is left out; mend the "
    "keyframes, the driver or the script that it comes from",
    reason="Formats cannot store it, and solvers end on it.",
)
NOT_A_NUMBER = rule(
    "OMI-B059",
    ERROR,
    "{names} of the body is not a number, so the default is used; mend the keyframes, the driver "
    "or the script that it comes from",
    reason="Formats cannot store it, and solvers end on it.",
)
NOT_PLACED = rule(
    "OMI-B058",
    ERROR,
    "its position, rotation or scale is not a number, so it is taken to be where its parent is; "
    "clear its transform, or mend the driver or constraint that it comes from",
    reason="A file with such a place is invalid, and solvers and exporters end on it.",
)
FRAME_LEFT_BEHIND = rule(
    "OMI-J022",
    WARNING,
    "no joint is connected to this frame any longer; remove it, or connect a joint to it",
    reason="Deleting the empty of a joint leaves its other frame, which files keep as a node "
    "without a use.",
    fix=Fix.REMOVE_FRAME,
)
ONLY_IN_BLENDER = rule(
    "OMI-B052",
    INFO,
    "only Blender's own simulation has these settings of the Rigid Body: {names}; files and "
    "previews leave them out",
    reason="None of the formats has damping, margins, sleeping or deforming shapes.",
)
OTHER_TIME = rule(
    "OMI-B053",
    WARNING,
    "the Rigid Body World runs at {scale:g} times the speed; files and previews run in real time",
    reason="A file has seconds, and no scale of time.",
)
NOT_IN_WORLD = rule(
    "OMI-B054",
    WARNING,
    "the object is a Rigid Body outside of the collection of the Rigid Body World, so Blender does "
    "not simulate it; it is a body all the same",
    reason="Blender simulates what is in the collection; files have no such switch.",
)
CONSTRAINTS_LEFT_OUT = rule(
    "OMI-B051",
    WARNING,
    "Rigid Body Constraints are not joints and are left out, {count} in all: {names}; convert "
    "them, or turn on Constraints in the export ({option} of convert)",
    reason="Only Blender reads its constraints; files hold joints.",
)
UNEVEN_SCALE = rule(
    "OMI-S005",
    WARNING,
    "the {type} cannot be scaled unevenly by {scale}; it is written large enough to enclose the "
    "scaled one; apply the scale, or use the convex hull",
    reason="OMI_physics_shape: spheres and capsules stay round.",
    fix=Fix.USE_HULL,
)
SHAPE_BESIDE_MESH = rule(
    "OMI-S008",
    INFO,
    "the {type} {how} {distance:.3g} m of the object's mesh; fit the shape if it is not meant so",
    reason="A shape that was edited by hand stays as it is when the mesh is edited.",
    fix=Fix.FIT_SHAPE,
)
OBLIQUE_FRAME = rule(
    "OMI-J306",
    WARNING,
    "the frame {frame!r} is turned against the axes of {body!r}, which is scaled unevenly; glTF "
    "files get a node between the two, which some engines do not look below; apply the scale of "
    "{body!r}",
    reason="A node of glTF has a translation, a rotation and a scale, which cannot undo the uneven "
    "scale of the node above it when it is turned.",
    fix=Fix.APPLY_SCALE,
)
STILL_WITHOUT_SHAPE = rule(
    "OMI-B069",
    INFO,
    "the body has a mesh but no collision shape, so bodies that fall or drive pass through it; fit "
    "a shape to it",
    reason="OMI_physics_body: a body collides by the colliders on and below its node only.",
    fix=Fix.FIT_SHAPE,
)
SHAPES_LEFT_BEHIND = rule(
    "OMI-B070",
    WARNING,
    "the body was imported with {count} shapes in objects below it, and none of them is here, so "
    "others pass through it; append or link its children, too, or the whole collection",
    reason="Blender appends and links what an object refers to and is a child of, not what is "
    "below it.",
)
COPY_WITHOUT_JOINTS = rule(
    "OMI-J025",
    INFO,
    "no joint holds the body, though joints hold {original!r}, of which it is a copy by its name; "
    "copy the joints, or rename the body",
    reason="Blender duplicates what is selected, and a joint is an empty of its own.",
    fix=Fix.COPY_JOINTS,
)
