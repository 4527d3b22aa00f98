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
}
