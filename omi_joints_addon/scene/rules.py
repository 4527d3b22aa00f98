"""Rules about what a Blender scene says of joints."""

from ..core.findings.finding import ERROR, WARNING, rule

CONNECTED_ELSEWHERE = rule(
    "OMI-J002",
    ERROR,
    "the connected object {connected!r} is not part of what is written or shown",
    reason="connectedNode must be a node of the document.",
)
SHARED_IN_CIRCLE = rule(
    "OMI-J003",
    ERROR,
    "the shared settings go round in a circle over {source!r}; unlink one of the joints",
    reason="Settings are owned by one joint.",
)
SHARED_SOURCE_GONE = rule(
    "OMI-J004",
    WARNING,
    "the joint whose settings this one shares, {source!r}, is gone or no longer a joint; its "
    "last settings are used",
    reason="A deleted source must not take the joint with it.",
)
