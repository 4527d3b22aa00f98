"""Rules about exporting to and importing from glTF in Blender."""

from ...core.findings.finding import ERROR, INFO, WARNING, rule

BODY_LEFT_OUT = rule(
    "OMI-B011",
    ERROR,
    "{problem}; the {part} is left out",
    reason="A value that JSON cannot store must not reach the file.",
)
ANIMATED_FRAME = rule(
    "OMI-J440",
    WARNING,
    "the attachment frame is animated; its current place is exported as its place at rest",
    reason="OMI_physics_joint: changing attachment frames at runtime is not supported.",
)
NOT_ANIMATED = rule(
    "OMI-J452",
    WARNING,
    "animated properties that glTF cannot express are written as they are now: {names}",
    reason="The exporter writes pointers to bounds, stiffness, damping, targets, largest forces "
    "and the collision of the bodies of a joint, and to mass, inertia, center, velocities, gravity "
    "factor and surface of bodies: those that the extensions list as changeable.",
)
NOT_KEYED = rule(
    "OMI-J457",
    WARNING,
    "the animation changes {pointer}, which is imported as it is at rest",
    reason="Limits, drives and the collision of joints, and motion and surface of bodies, become "
    "keyframes; other physics and other extensions do not. Files that the command line edits in "
    "place keep them.",
)
ANIMATION_LEFT_OUT = rule(
    "OMI-J453",
    WARNING,
    "the animation of its limits and drives is left out; Godot's importer does not read it",
    reason="Files for Godot have other signs and frames than what is animated.",
)
REMOVED = rule(
    "OMI-J458",
    WARNING,
    "keyframes or drivers are left out, because what they animate was removed: {names}; delete "
    "them in the Graph or Drivers editor",
    reason="Blender keeps keyframes and drivers of limits and drives that no longer exist.",
)
NOT_FINITE = rule(
    "OMI-J459",
    ERROR,
    "keyframes or a driver of {name} give values that are not numbers; they are left out",
    reason="JSON cannot store them, and an animation with them is invalid.",
)
GRAVITY_SET = rule(
    "OMI-J491",
    INFO,
    "the gravity of the scene is now that of the file, {gravity} m/s²",
    reason="OMI_physics_gravity on a document is the gravity of the whole world; that of the file "
    "read last is used.",
)
GODOT_PROJECT = rule(
    "OMI-J441",
    INFO,
    "written for Godot's importer, since the folder {project} is a Godot project; choose the "
    "target Specification for other engines",
    reason="Godot's importer measures angles the other way round and shows no meshes of bodies, so "
    "a file can be right there or elsewhere.",
)
GODOT_READS_OMI = rule(
    "OMI-J442",
    WARNING,
    "Godot's importer reads neither joints nor bodies of KHR; select the format OMI",
    reason="Nothing in Godot or its importer reads KHR_physics_rigid_bodies. "
    "Read in omi-godot e421986.",
)
JOINT_HIDDEN = rule(
    "OMI-J443",
    WARNING,
    "the joint is left out, since its frame is hidden and the export is limited to visible "
    "objects; show it, or turn the limit off",
    reason="An object that is not exported has no node; Godot's import option Visible does that.",
)
BODY_HIDDEN = rule(
    "OMI-J492",
    WARNING,
    "the body or collider is left out, since the object is hidden and the export is limited to "
    "visible or renderable objects; show it, or turn the limit off",
    reason="An object that is not exported has no node, so a body whose collider is on a hidden "
    "object has no shape.",
)
JOINT_EXCLUDED = rule(
    "OMI-J460",
    WARNING,
    "the joint is left out, since {part!r} is in a collection that the view layer excludes and the "
    "rest of the joint is not; put both in collections that are in use",
    reason="Blender exports what is in the view layer.",
)
UNIT_SCALE = rule(
    "OMI-J445",
    WARNING,
    "the unit scale of the scene is {scale:g}, so Blender imports positions {factor:g} times as "
    "large, and lengths of joints with them; forces and masses stay the same",
    reason="Blender's importer divides positions by the unit scale; its exporter does not "
    "multiply them.",
)
MESH_WITHOUT_TRIANGLES = rule(
    "OMI-S006",
    WARNING,
    "the {type} needs a mesh with triangles but has none, so no shape is written",
    reason="OMI_physics_shape: the mesh of convex and trimesh has at least one triangle.",
)
TRIANGLES_IN_MOTION = rule(
    "OMI-S007",
    WARNING,
    "the triangle mesh belongs to a dynamic body; most engines need convex shapes there",
    reason="OMI_physics_shape: trimesh is for static bodies in most engines.",
)
OTHER_ADDON_LEFT_OUT = rule(
    "OMI-B050",
    WARNING,
    "the add-on {addon} is left out, because it would {action} the same physics a second time; to "
    "use it instead, turn off the options of OMI Physics Joints",
    reason="Each joint would arrive twice, and again with each export.",
)
POSES_LEFT_OUT = rule(
    "OMI-J493",
    INFO,
    "named poses of the scene are not in the file: {names}",
    reason="glTF has no place for poses under names; MJCF has, and the SRDF file beside a URDF.",
)
