"""Rules about the limits (J1xx) and drives (J2xx) of joint settings."""

from .rule import Fix, Rule, Severity

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

SETTINGS_RULES: dict[str, Rule] = {
    "OMI-J101": Rule(
        _ERROR,
        "limit {number} names no axis, so it limits nothing; choose axes or remove it",
        "OMI_physics_joint: a limit without linear and angular axes is invalid.",
        fix=Fix.REMOVE_LIMIT,
        is_safe=True,
    ),
    "OMI-J102": Rule(
        _WARNING,
        "limit {number} has neither a minimum nor a maximum, so it limits nothing",
        "OMI_physics_joint: at least one of min and max should be present.",
        fix=Fix.REMOVE_LIMIT,
        is_safe=True,
    ),
    "OMI-J103": Rule(
        _ERROR,
        "limit {number} has a minimum of {lower} above its maximum of {upper}; no pose is allowed",
        "OMI_physics_joint: the allowed range is from min to max.",
        fix=Fix.SWAP_BOUNDS,
    ),
    "OMI-J104": Rule(
        _WARNING,
        "limit {number} is about {axes}, so it bounds {metric}, which is never negative: "
        "its minimum of {lower} has no effect",
        'Appendix "Joint limit metrics": two or three axes are measured as a distance or an '
        "unsigned angle. Engines that split such a limit by axis read it as a range per axis.",
        fix=Fix.CLEAR_BOUNDS,
    ),
    "OMI-J105": Rule(
        _ERROR,
        "limit {number} is about {axes} and its maximum of {upper} is below zero; "
        "{metric} is never negative, so no pose is allowed",
        'Appendix "Joint limit metrics": two or three axes are measured as a distance or an '
        "unsigned angle.",
    ),
    "OMI-J106": Rule(
        _WARNING,
        "limit {number} goes to {angle}, more than half a turn, which no angle reaches; "
        "that bound has no effect",
        'Appendix "Joint limit metrics": angles are within half a turn, so a cone opens to 180° '
        "at most.",
        fix=Fix.CLEAR_BOUNDS,
        is_safe=True,
    ),
    "OMI-J107": Rule(
        _ERROR,
        "limits {numbers} contradict each other on {axis}: no pose satisfies both",
        "OMI_physics_joint: every limit holds at once.",
        fix=Fix.REMOVE_LIMIT,
    ),
    "OMI-J108": Rule(
        _WARNING,
        "limits {numbers} both bound {axis}; the narrower range counts",
        "OMI_physics_joint: every limit holds at once; the Godot importer takes the last one.",
    ),
    "OMI-J109": Rule(
        _WARNING,
        "limit {number} is soft and has no damping; beyond its bounds the bodies keep swinging",
        "OMI_physics_joint: the damping of a limit is 0 where none is given.",
    ),
    "OMI-J110": Rule(
        _WARNING,
        "limit {number} has an uneven range of {lower} to {upper} on {axes} together; "
        "some engines read it as a hole in the middle, others as a range for each axis",
        'Appendix "Joint limit metrics" against importers that split a limit by axis.',
    ),
    "OMI-J111": Rule(
        _INFO,
        "limit {number} bounds movement in metres and rotation in radians by the same numbers",
        "OMI_physics_joint allows both in one limit, as in its weld example; two limits are "
        "clearer where the numbers are not zero.",
    ),
    "OMI-J112": Rule(
        _WARNING,
        "the joint has neither limits nor drives, so it does nothing",
        "OMI_physics_joint: at least one of limits and drives should have contents.",
    ),
    "OMI-J201": Rule(
        _WARNING,
        "drive {number} has neither a position nor a velocity target, so it does nothing",
        "OMI_physics_joint: without a target a drive is neither spring nor motor.",
        fix=Fix.REMOVE_DRIVE,
        is_safe=True,
    ),
    "OMI-J202": Rule(
        _WARNING,
        "drive {number} has a position target and no stiffness, so nothing pulls towards it",
        "OMI_physics_joint: the force of a drive is stiffness times distance from its target.",
    ),
    "OMI-J203": Rule(
        _WARNING,
        "drive {number} has a velocity target and no damping, so nothing pushes towards it",
        "OMI_physics_joint: the force of a drive is damping times difference from its velocity.",
    ),
    "OMI-J204": Rule(
        _WARNING,
        "drives {numbers} both act on {axis}; their forces add up, or an engine keeps one",
        "OMI_physics_joint: a drive describes a single degree of freedom.",
        fix=Fix.REMOVE_DRIVE,
    ),
    "OMI-J205": Rule(
        _WARNING,
        "drive {number} pulls {axis} to {target}, which the limits of {lower} to {upper} "
        "do not allow",
        "Limit and drive push against each other for ever.",
        fix=Fix.CLAMP_TARGET,
    ),
    "OMI-J206": Rule(
        _WARNING,
        "drive {number} acts on {axis}, which the limits lock; it cannot move anything",
        "OMI_physics_joint: min and max at the same value fix the axis.",
        fix=Fix.REMOVE_DRIVE,
    ),
    "OMI-J207": Rule(
        _WARNING,
        "drive {number} may use no force at all, its maximum is zero",
        "OMI_physics_joint: maxForce is the largest force or torque the drive can apply.",
    ),
}
