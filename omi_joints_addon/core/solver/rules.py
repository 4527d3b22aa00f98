"""Rules about what goes wrong while a scene is simulated."""

from ..findings.finding import INFO, WARNING, rule

NO_TRANSFORM = rule(
    "OMI-P003",
    WARNING,
    "the transform is not a number; the preview uses the origin",
    reason="A NaN spreads to everything connected to it.",
)
LEFT_NUMBERS = rule(
    "OMI-P005",
    WARNING,
    "the body moved beyond the range of numbers and was stopped; use more substeps or softer "
    "values",
    reason="Forces that a step cannot resolve grow without bound.",
)
TURNS_TOO_FAST = rule(
    "OMI-P011",
    WARNING,
    "the body turns faster than the steps can resolve and was slowed to {rate} rad/s",
    reason=(
        "The directions of joints must not turn far in one step, and steps cannot be arbitrarily "
        "small."
    ),
)
SPINS_TOO_FAST = rule(
    "OMI-P019",
    WARNING,
    "the body spins at more than {rate} rad/s and is not balanced on its joint, so it loses energy",
    reason="The smallest steps do not resolve a faster spin whose center of mass or axis moves.",
)
STARTS_ONLY = rule(
    "OMI-P039",
    INFO,
    "the {what} of the body changes over time, but it is what a dynamic body starts with",
    reason="Both specifications call it the velocity that a body starts with; a kinematic body "
    "keeps it, and so follows it.",
)
STAYS_APART = rule(
    "OMI-P015",
    WARNING,
    "the locked axes of the joint stay apart: something blocks them, or is too heavy for them",
    reason="Rigid limits without play are held as far as other joints and double precision allow.",
)
BROKE = rule(
    "OMI-P038",
    INFO,
    "the joint broke after {time} s",
    reason=(
        "It held more than its break force or torque: the force or the torque about the connected "
        "frame of its limits, mean of a step."
    ),
)
NO_CONTACTS = rule(
    "OMI-P032",
    INFO,
    "bodies pass through each other: {why}",
    reason="Contacts are found and held by MuJoCo, which comes with the zips for one platform.",
)
CONTACTS_FAILED = rule(
    "OMI-P033",
    WARNING,
    "bodies passed through each other for a moment: {why}",
    reason="A step that MuJoCo cannot solve is solved without contacts, the next one with them.",
)
CONTACTS_GROW = rule(
    "OMI-P035",
    WARNING,
    "contacts would have multiplied the speed of the body; for a moment it passed through others",
    reason=(
        "Contacts cannot give more than they are struck with; where inertias or overlaps are out "
        "of proportion, a step that does is taken back and done without them."
    ),
)
CONTACTS_INEXACT = rule(
    "OMI-P036",
    WARNING,
    "contacts were off by up to {speed} mm/s: more touches at once than a step has time for",
    reason="Heaps are solved in passes until they settle, within a bound of work for each step.",
)
CONTACTS_LEFT_OUT = rule(
    "OMI-P037",
    WARNING,
    "up to {count} contacts at once were left out: more touches than a step has room for",
    reason="Beyond a number of contacts those count that are deepest on each body.",
)
DOES_NOT_FOLLOW = rule(
    "OMI-P016",
    WARNING,
    "the joint stays away from where {source} puts it: something blocks it, or is too heavy for it",
    reason="Joints that follow others are held as far as other joints and double precision allow.",
)
