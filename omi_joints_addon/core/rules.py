"""The table of all rules that findings come from. Codes are stable: never reuse or renumber one.

J0xx structure, J1xx limits, J2xx drives, J3xx frames, J4xx document, B0xx bodies, S0xx shapes.
"""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """The joint cannot work, or the file is invalid."""
    WARNING = "warning"
    """An engine will surprise the artist."""
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    severity: Severity
    sentence: str
    """Format string of the message."""
    reason: str
    """Why it matters, with the clause of the specification or the engine it comes from."""


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

RULES: dict[str, Rule] = {
    "OMI-J001": Rule(
        _ERROR,
        "the joint has no connected object; set one or remove the joint",
        "connectedNode is required by node.OMI_physics_joint.",
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
        "OMI_physics_joint: the joint node must have a dynamic body ancestor for the joint to function.",
    ),
    "OMI-J006": Rule(
        _WARNING,
        "the connected object {connected!r} is not on or under a physics body",
        "OMI_physics_joint: the connected node must be a descendant of a physics body.",
    ),
}
