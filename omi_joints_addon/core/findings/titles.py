"""Rules in a few words, for a row of a list."""

import re

from .finding import Rule

_WORDS = 5
_COUNTED = 18
"""Those that are left beside a count, which what an engine loses mostly has."""

TITLES = {
    "OMI-B013": "Below a moving body",
    "OMI-B014": "Mass not above zero",
    "OMI-B015": "Impossible inertia",
    "OMI-B016": "Body without a shape",
    "OMI-B044": "Constraint is idle",
    "OMI-B045": "Several angles limited",
    "OMI-B046": "Breakable constraint",
    "OMI-B047": "Constraint with motor",
    "OMI-B048": "Springs of Blender 2.7",
    "OMI-B049": "Inexact turn springs",
    "OMI-B051": "Constraints left out",
    "OMI-B052": "Known to Blender only",
    "OMI-B053": "Rigid Body World speed",
    "OMI-B054": "Outside rigid bodies",
    "OMI-B058": "Transform not a number",
    "OMI-B059": "Value not a number",
    "OMI-B069": "Still body, no shape",
    "OMI-J001": "No connected object",
    "OMI-J002": "Connected but hidden",
    "OMI-J003": "Settings form a loop",
    "OMI-J004": "Shared settings gone",
    "OMI-J005": "Not on a dynamic body",
    "OMI-J006": "Connected to no body",
    "OMI-J007": "No dynamic body",
    "OMI-J008": "Connected to a trigger",
    "OMI-J009": "Both ends on one body",
    "OMI-J010": "Not below its body",
    "OMI-J011": "Joint on another kind",
    "OMI-J012": "Joint on the body",
    "OMI-J013": "Doubled joint",
    "OMI-J014": "Nothing holds bodies",
    "OMI-J015": "Very different masses",
    "OMI-J016": "On no moving body",
    "OMI-J018": "Hinges out of line",
    "OMI-J019": "Saved by newer version",
    "OMI-J020": "Animated joint",
    "OMI-J021": "Velocities tear it",
    "OMI-J022": "Frame without a joint",
    "OMI-J023": "Error when animated",
    "OMI-J024": "Problem when animated",
    "OMI-J025": "Copy without joints",
    "OMI-J026": "Keyed position",
    "OMI-J101": "Limit without axes",
    "OMI-J102": "Limit without bounds",
    "OMI-J103": "Minimum above maximum",
    "OMI-J104": "Idle minimum",
    "OMI-J105": "Negative maximum",
    "OMI-J106": "Bound past half a turn",
    "OMI-J107": "Limits contradict",
    "OMI-J108": "Two limits on one axis",
    "OMI-J109": "Soft limit rings",
    "OMI-J110": "Uneven range of axes",
    "OMI-J111": "One number, two units",
    "OMI-J112": "No limits, no drives",
    "OMI-J113": "Bounds in degrees?",
    "OMI-J114": "Bounds in millimeters?",
    "OMI-J115": "Range of rounding only",
    "OMI-J201": "Drive without target",
    "OMI-J202": "Target, no stiffness",
    "OMI-J203": "Target, no damping",
    "OMI-J204": "Two drives on one axis",
    "OMI-J205": "Target outside limits",
    "OMI-J206": "Drive on a locked axis",
    "OMI-J207": "Drive without force",
    "OMI-J208": "Very fast spring",
    "OMI-J209": "Very strong damping",
    "OMI-J301": "Scaled frame",
    "OMI-J302": "Sheared frame",
    "OMI-J303": "Frames apart at rest",
    "OMI-J304": "Frame without a place",
    "OMI-J305": "Outside limits at rest",
    "OMI-J306": "Turned on scaled body",
    "OMI-J413": "More findings",
    "OMI-J450": "System without a name",
    "OMI-J463": "Value is not a number",
    "OMI-P006": "Soft lock sags",
    "OMI-S005": "Unevenly scaled shape",
    "OMI-S008": "Shape does not fit",
}
"""By code, for the rules that scenes are checked by."""


def title(rule: Rule) -> str:
    """Return what a rule is about; of an engine's the first words of its sentence, or its code."""
    known = TITLES.get(rule.code)
    if known is not None:
        return known
    words = re.sub(r"[{][^}]*[}]|[',]", "", rule.sentence).split()[:_WORDS]
    while len(" ".join(words)) > _COUNTED and len(words) > 1:
        words.pop()
    short = " ".join(words)
    return short[:1].upper() + short[1:] or rule.code
