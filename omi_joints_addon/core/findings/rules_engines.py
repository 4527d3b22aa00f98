"""Rules about what engines make of joints: E1xx Godot, E2xx KHR, E3xx PhysX, E4xx Bullet.

Those about Godot were measured with Godot 4.6.3 and the importer omigroup/omi-godot at commit
e421986; those about PhysX and Bullet follow from their documentation.
"""

from .rule import Rule, Severity

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

ENGINE_RULES: dict[str, Rule] = {
    "OMI-E101": Rule(
        _ERROR,
        "Godot: a one-sided limit on {axis} turns positions into NaN; give it both bounds",
        "Hinge and slider get an infinite bound handed on as it is.",
    ),
    "OMI-E102": Rule(
        _ERROR,
        "Godot: a hinge about Z with a position target and no velocity target turns positions "
        "into NaN; turn the frames so that the hinge is about X",
        "The importer reads the missing velocity target as NaN.",
    ),
    "OMI-E103": Rule(
        _WARNING,
        "Godot: the velocity target of {target} on {axis} overrules the position target there; "
        "the spring is dead",
        "A motor without limited force holds its velocity whatever else acts on the axis.",
    ),
    "OMI-E104": Rule(
        _ERROR,
        "Godot: a hinge about X becomes a slider that does not turn; turn the frames so that the "
        "hinge is about Z",
        "The importer takes fixed linear and angular Y and Z for a slider along X.",
    ),
    "OMI-E105": Rule(
        _INFO,
        "Godot: a hinge about Y becomes a Generic6DOFJoint3D; about Z it would be a HingeJoint3D",
        "The importer knows hinges about Z only.",
    ),
    "OMI-E106": Rule(
        _INFO,
        "Godot: a slider along {axis} becomes a Generic6DOFJoint3D; along X it would be a "
        "SliderJoint3D",
        "The importer knows sliders along X only.",
    ),
    "OMI-E107": Rule(
        _WARNING,
        "Godot: the stiffness of limit {number} is not honoured; with Jolt the bound is rigid",
        "Newtons per metre are fed to unitless softness; Jolt ignores it.",
    ),
    "OMI-E108": Rule(
        _WARNING,
        "Godot: limit {number} about {axes} together is split into a range for each axis, "
        "so {shape} becomes a box",
        "The importer flattens limits over several axes.",
    ),
    "OMI-E109": Rule(
        _WARNING,
        "Godot: limit {number} replaces earlier ones on {axis}; only the last counts",
        "The importer keeps the last limit that names an axis.",
    ),
    "OMI-E110": Rule(
        _WARNING,
        "Godot: the spring on a hinge about Z is lost, only its velocity target is used",
        "HingeJoint3D has a motor and no spring.",
    ),
    "OMI-E111": Rule(
        _WARNING,
        "Godot: drive {number} in acceleration mode is used as a force",
        "The importer knows force mode only.",
    ),
    "OMI-E112": Rule(
        _ERROR,
        "Godot: the joint is not directly below its body, so it does not find it",
        "The importer connects direct children of a body only.",
    ),
    "OMI-E113": Rule(
        _WARNING,
        "Godot: the connected frame is {gap} away from the joint's and is ignored; "
        "both ends attach at the joint",
        "The importer takes both attachment frames from the joint node.",
    ),
    "OMI-E114": Rule(
        _WARNING,
        "Godot: angles about {axis} are measured the other way round, so the uneven {what} "
        "is mirrored",
        "Measured in both of its physics engines: the joint's body relative to the connected one.",
    ),
    "OMI-E115": Rule(
        _WARNING,
        "Godot: the joint slides along X and does not turn about it",
        "Jolt locks the rotation of a SliderJoint3D.",
    ),
    "OMI-E116": Rule(
        _INFO,
        "Godot: with its own physics engine instead of Jolt, {problem}",
        "Measured with GodotPhysics and infinite stiffness.",
    ),
    "OMI-E117": Rule(
        _INFO,
        "Godot: {axis} is locked at {value} instead of zero, which makes no special joint",
        "The importer takes an axis for fixed only where both bounds are about 0.",
    ),
    "OMI-E201": Rule(
        _INFO,
        "KHR viewers: they read KHR_physics_rigid_bodies only; export that form as well",
        "The two extensions share limits and drives, not how nodes refer to them.",
    ),
    "OMI-E202": Rule(
        _WARNING,
        "KHR viewers: limit {number} names linear and angular axes, which is not valid there; "
        "split it in two",
        "KHR_physics_rigid_bodies: a limit has either linear or angular axes.",
    ),
    "OMI-E301": Rule(
        _INFO,
        "PhysX: a {kind} is native about X only; here it becomes a D6 joint, which works",
        "PxRevoluteJoint and PxPrismaticJoint use the X axis of their frames.",
    ),
    "OMI-E302": Rule(
        _WARNING,
        "PhysX: a cone about {axis} is not possible; turn the frames so that it opens along X",
        "PxD6Joint: the swing limit is a cone about X, Y and Z each have a range of their own.",
    ),
    "OMI-E303": Rule(
        _WARNING,
        "PhysX: limit {number} on {shape} has no equal; each axis gets a range of its own",
        "PxD6Joint: linear and angular limits are for one axis each, but the cone about X and the "
        "distance on all free axes.",
    ),
    "OMI-E304": Rule(
        _WARNING,
        "PhysX: limit {number} has a minimum of {lower}, which leaves a hole; it is dropped",
        "PxD6Joint: a limit over several axes has a maximum only.",
    ),
    "OMI-E401": Rule(
        _WARNING,
        "Bullet: limit {number} on {shape} becomes a box, a range for each axis",
        "btGeneric6DofSpring2Constraint limits each axis; btConeTwistConstraint needs all linear "
        "axes fixed and the cone about X.",
    ),
    "OMI-E402": Rule(
        _WARNING,
        "Bullet: limit {number} is soft, which Bullet's limits are not; the bound is rigid",
        "btGeneric6DofSpring2Constraint: limits have restitution and error correction only.",
    ),
    "OMI-E403": Rule(
        _WARNING,
        "Bullet: drive {number} in acceleration mode is used as a force",
        "Motors and springs of btGeneric6DofSpring2Constraint are in newtons.",
    ),
    "OMI-E404": Rule(
        _WARNING,
        "Bullet: rotation is free about all axes; the range about Y must stay within 90°",
        "btGeneric6DofSpring2Constraint decomposes the rotation into Euler angles.",
    ),
}
