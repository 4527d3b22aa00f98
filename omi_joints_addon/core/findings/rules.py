"""The table of all rules that findings come from. Codes are stable: never reuse or renumber one.

J0xx structure, J1xx limits, J2xx drives, J3xx frames, J4xx document, Exxx engines, B0xx bodies,
S0xx shapes, P0xx preview.
"""

from .rule import Fix, Rule, Severity
from .rules_bodies import BODY_RULES
from .rules_document import DOCUMENT_RULES
from .rules_engines import ENGINE_RULES
from .rules_preview import PREVIEW_RULES
from .rules_settings import SETTINGS_RULES

__all__ = ["RULES", "Fix", "Rule", "Severity"]

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

RULES: dict[str, Rule] = {
    "OMI-J001": Rule(
        _ERROR,
        "the joint has no connected object; set one or remove the joint",
        "connectedNode is required by node.OMI_physics_joint.",
        fix=Fix.ADD_ANCHOR,
    ),
    "OMI-J002": Rule(
        _ERROR,
        "the connected object {connected!r} is not part of what is written or shown",
        "connectedNode must be a node of the document.",
    ),
    "OMI-J003": Rule(
        _ERROR,
        "the shared settings go round in a circle over {source!r}; unlink one of the joints",
        "Settings are owned by one joint.",
    ),
    "OMI-J004": Rule(
        _WARNING,
        "the joint whose settings this one shares, {source!r}, is gone or no longer a joint; "
        "its last settings are used",
        "A deleted source must not take the joint with it.",
    ),
    "OMI-J005": Rule(
        _WARNING,
        "neither the joint nor any object above it is a dynamic body",
        "OMI_physics_joint: the joint node must have a dynamic body ancestor for the joint to "
        "function. Official files break this and engines accept it, as long as the connected body "
        "is dynamic.",
        fix=Fix.MARK_DYNAMIC,
    ),
    "OMI-J006": Rule(
        _WARNING,
        "the connected object {connected!r} is not on or under a physics body",
        "OMI_physics_joint: the connected node must be a descendant of a physics body.",
        fix=Fix.ADD_BODY,
    ),
    "OMI-J007": Rule(
        _ERROR,
        "neither end of the joint is on a dynamic body, so nothing can move",
        "OMI_physics_joint: joints constrain dynamic bodies, to each other or to others.",
        fix=Fix.MARK_DYNAMIC,
    ),
    "OMI-J008": Rule(
        _WARNING,
        "the connected object {connected!r} belongs to a trigger, which holds nothing",
        "OMI_physics_joint: the connected node must be a descendant of a physics body; the Godot "
        "importer connects the joint to the world instead.",
        fix=Fix.ADD_BODY,
    ),
    "OMI-J009": Rule(
        _ERROR,
        "both ends of the joint are in one body, {body!r}, so it holds nothing",
        "OMI_physics_joint: a joint constrains the relative motion of two bodies.",
    ),
    "OMI-J010": Rule(
        _WARNING,
        "the joint is not directly below its body {body!r}; some engines do not find the body then",
        "The specification allows any descendant; the Godot importer wants direct children.",
        fix=Fix.REPARENT,
        is_safe=True,
    ),
    "OMI-J011": Rule(
        _WARNING,
        "the joint is on an object that is also a {kinds}; give it an empty of its own",
        "OMI_physics_joint: a joint must be on its own node, not with a mesh, camera, light or "
        "shape.",
    ),
    "OMI-J012": Rule(
        _WARNING,
        "the joint is on a physics body itself; put it on an empty below the body",
        "OMI_physics_joint: a joint must be on its own node; the Godot importer drops it.",
    ),
    "OMI-J013": Rule(
        _WARNING,
        "the joint joins the same two frames as {other!r}",
        "Two joints in one place fight each other, or an engine drops one.",
        fix=Fix.REMOVE_JOINT,
    ),
    "OMI-J014": Rule(
        _INFO,
        "the {count} bodies that hang together with {body!r} are held by no static or kinematic "
        "body; they fall together",
        "Right for a ragdoll or a vehicle, a missing joint in a chain that should hang.",
    ),
    "OMI-J015": Rule(
        _WARNING,
        "{heavy!r} weighs {ratio:.0f} times as much as {light!r}; such joints stretch or shake",
        "Iterative solvers converge badly over a mass ratio of 10.",
    ),
    "OMI-J301": Rule(
        _WARNING,
        "the frame {frame!r} is scaled by {scale}; limits are in metres, so clear its scale",
        "Attachment frames are positions and rotations; engines differ on scaled joints.",
        fix=Fix.CLEAR_SCALE,
        is_safe=True,
    ),
    "OMI-J302": Rule(
        _WARNING,
        "the frame {frame!r} is sheared, its axes are not at right angles",
        "Attachment frames are positions and rotations; a sheared one has no certain rotation.",
        fix=Fix.CLEAR_SCALE,
        is_safe=True,
    ),
    "OMI-J303": Rule(
        _WARNING,
        "at rest the frames are {gap} further apart than limit {number} allows; "
        "the bodies snap together when the simulation starts",
        "OMI_physics_joint: the joint keeps both frames together within its limits; the Godot "
        "importer ignores the connected frame.",
        fix=Fix.ALIGN_FRAMES,
    ),
    "OMI-J304": Rule(
        _ERROR,
        "the frame {frame!r} has no usable place, its transform is not finite or is zero",
        "A transform must have an inverse.",
    ),
    "OMI-J420": Rule(
        _ERROR,
        "{problem}",
        "A value that cannot be read as a joint costs that joint only.",
    ),
    "OMI-J421": Rule(
        _WARNING,
        "{name} must be {expected}, not {found}; it is ignored",
        "The JSON schema of the extension gives the type.",
    ),
    "OMI-J422": Rule(
        _WARNING,
        "{name} is not a finite number; it is ignored",
        "JSON has no NaN and no infinity; a missing bound is unbounded.",
    ),
    "OMI-J423": Rule(
        _WARNING,
        "{name} is {value}, less than {minimum}; it is ignored",
        "The JSON schema of the extension gives the smallest value.",
    ),
    "OMI-J424": Rule(
        _WARNING,
        "NaN or infinity inside {names} is replaced by null",
        "JSON has no NaN and no infinity.",
    ),
    "OMI-J425": Rule(
        _WARNING,
        "{names} cannot be kept, the values are no JSON or nested too deeply",
        "Members of other extensions are carried as JSON text.",
    ),
    "OMI-J426": Rule(
        _WARNING,
        "there must be an object here, not {found}; it is left out",
        "OMI_physics_joint: limits and drives are arrays of objects.",
    ),
    "OMI-J427": Rule(
        _WARNING,
        "the drive has no {name}; it is taken as {default!r}",
        "OMI_physics_joint: type and mode of a drive are required.",
    ),
    "OMI-J428": Rule(
        _ERROR,
        "the drive has no axis 0, 1 or 2 to act on; it is left out",
        "OMI_physics_joint: the axis of a drive is required.",
    ),
    "OMI-J429": Rule(
        _ERROR,
        "the joint names no connected node; set its connected object",
        "connectedNode is required by node.OMI_physics_joint.",
    ),
    "OMI-J430": Rule(
        _WARNING,
        "{name} may hold the axes 0, 1 and 2 only; this element is ignored",
        "OMI_physics_joint: axes are 0 (X), 1 (Y) and 2 (Z).",
    ),
    "OMI-J440": Rule(
        _WARNING,
        "the attachment frame is animated; the file has it where it is now, at rest",
        "OMI_physics_joint: changing attachment frames at runtime is not supported.",
    ),
    "OMI-J441": Rule(
        _WARNING,
        "there are no joint settings {index} in the file; the joint is free",
        "node.OMI_physics_joint: joint is an index into the document's physicsJoints.",
    ),
    "OMI-J442": Rule(
        _WARNING,
        "there is no node {index} in the file to be connected to; set the connected object",
        "node.OMI_physics_joint: connectedNode is an index into the document's nodes.",
    ),
    "OMI-J443": Rule(
        _WARNING,
        "the joint settings {index} have no limits; the joint is free",
        "A joint without limits allows every motion.",
    ),
    "OMI-J444": Rule(
        _INFO,
        "no joint uses the settings {index}; they are left out",
        "Settings belong to joints in Blender.",
    ),
    "OMI-J445": Rule(
        _WARNING,
        "the unit scale of the scene is {scale:g}: Blender imports positions {factor:g} times as "
        "large, and lengths of joints with them; forces and masses stay",
        "Blender's importer divides positions by the unit scale, its exporter writes them as is.",
    ),
    "OMI-J446": Rule(
        _WARNING,
        "KHR_physics_rigid_bodies says something else of {what} here than the OMI extensions, "
        "which are used",
        "A file may hold both dialects; where they disagree only one can count.",
    ),
    "OMI-J447": Rule(
        _INFO,
        "joints of the form that OMI_physics_joint had in 2023 are read as of today; "
        "export the file again to keep them",
        "OMI_physics_joint changed in 2024 (constraints, nodeA and nodeB are gone).",
    ),
    "OMI-J448": Rule(
        _INFO,
        "the joint holds on to the world: {node!r} is written as a static body for it",
        "OMI_physics_joint: the connected node must be a descendant of a physics body, while in "
        "KHR_physics_rigid_bodies a node without motion is the fixed world.",
    ),
    "OMI-J449": Rule(
        _ERROR,
        "the joint of 2023 does not name two nodes with {problem}; it is left out",
        "OMI_physics_joint of 2023: nodeA and nodeB are the two bodies.",
    ),
    **SETTINGS_RULES,
    **DOCUMENT_RULES,
    **BODY_RULES,
    **ENGINE_RULES,
    **PREVIEW_RULES,
}
