"""Rules about colliders in simulations, known where MuJoCo is not installed, too (P030 to P034)."""

from ...findings.finding import INFO, WARNING, rule

HULL_OF_MESH = rule(
    "OMI-P030",
    INFO,
    "triangles that move, or that are a trigger, are their hull in the simulation",
    reason="Contacts of two surfaces without inside have no direction, and nothing is in them.",
)
NO_CONTACT_SHAPE = rule(
    "OMI-P031",
    WARNING,
    "the collider takes no part in contacts: {why}",
    reason="Contacts need a shape with sizes, or a mesh that can be read.",
)
OVERLAP = rule(
    "OMI-P034",
    WARNING,
    "it starts {depth} mm deep in {other!r}, and will be pushed out of it",
    reason="Bodies that overlap at rest move by themselves when the simulation starts.",
)
