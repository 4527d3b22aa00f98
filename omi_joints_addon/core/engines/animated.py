"""What engines make of joints and bodies whose numbers change over time."""

from ..findings.finding import INFO, WARNING, rule

STAYS_IN_GODOT = rule(
    "OMI-E129",
    WARNING,
    "Godot: the importer does not read this animation, so values stay as they are at rest",
    reason="Its importer knows no pointers of KHR_animation_pointer. Read in omi-godot e421986.",
)
FOLLOWED_BY_KHRONOS = rule(
    "OMI-E211",
    INFO,
    "KHR viewers: Khronos' sample renderer follows this animation; whether others do is not known",
    reason="Read in its source: it applies KHR_animation_pointer to limits, drives and materials.",
)
NOT_KNOWN = rule(
    "OMI-E701",
    INFO,
    "PhysX, Bullet, Jolt, Newton and MuJoCo: whether they follow this animation is not known; "
    "files of USD have joints as time samples; all else has its values at rest",
    reason="Read in the formats that these engines get: none has the pointers of glTF. What their "
    "importers of glTF and USD make of it was not measured.",
)
