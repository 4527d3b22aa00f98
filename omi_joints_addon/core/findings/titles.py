"""Rules in a few words, for a row of a list."""

import re

from .finding import Rule

_WORDS = 5

TITLES = {
    "OMI-B013": "Body below a moving body",
    "OMI-B014": "Mass not above zero",
    "OMI-B015": "Impossible inertia",
    "OMI-B016": "Dynamic body without shape",
    "OMI-B044": "Constraint does nothing",
    "OMI-B045": "Constraint of several angles",
    "OMI-B046": "Breakable constraint",
    "OMI-B047": "Constraint with a motor",
    "OMI-B048": "Springs of Blender 2.7",
    "OMI-B049": "Angular springs not exact",
    "OMI-B051": "Constraints left out",
    "OMI-B052": "Settings of Blender only",
    "OMI-B053": "Rigid Body World speed",
    "OMI-B054": "Outside the Rigid Body World",
    "OMI-B058": "Transform not a number",
    "OMI-B059": "Value not a number",
    "OMI-B069": "Still body without shape",
    "OMI-J001": "No connected object",
    "OMI-J002": "Connected object not shown",
    "OMI-J003": "Shared settings form a loop",
    "OMI-J004": "Shared settings are gone",
    "OMI-J005": "Not on a dynamic body",
    "OMI-J006": "Connected to no body",
    "OMI-J007": "No dynamic body",
    "OMI-J008": "Connected to a trigger",
    "OMI-J009": "Both ends on one body",
    "OMI-J010": "Not directly below its body",
    "OMI-J011": "Joint on another kind",
    "OMI-J012": "Joint on its body itself",
    "OMI-J013": "Same frames as another joint",
    "OMI-J014": "Nothing holds the bodies",
    "OMI-J015": "Very different masses",
    "OMI-J016": "Joint on nothing that moves",
    "OMI-J018": "Hinges out of line",
    "OMI-J019": "Saved by a newer version",
    "OMI-J020": "Animated joint",
    "OMI-J021": "Velocities pull the joint apart",
    "OMI-J022": "Frame without a joint",
    "OMI-J023": "Error in its animation",
    "OMI-J024": "Problem in its animation",
    "OMI-J025": "Copy without joints",
    "OMI-J101": "Limit without axes",
    "OMI-J102": "Limit without bounds",
    "OMI-J103": "Minimum above maximum",
    "OMI-J104": "Minimum without effect",
    "OMI-J105": "Negative maximum",
    "OMI-J106": "Bound beyond half a turn",
    "OMI-J107": "Limits contradict each other",
    "OMI-J108": "Two limits on one axis",
    "OMI-J109": "Soft limit without damping",
    "OMI-J110": "Uneven range of several axes",
    "OMI-J111": "Same numbers in two units",
    "OMI-J112": "Neither limits nor drives",
    "OMI-J113": "Bounds look like degrees",
    "OMI-J114": "Bounds look like millimeters",
    "OMI-J115": "Range looks like rounding",
    "OMI-J201": "Drive without target",
    "OMI-J202": "Target without stiffness",
    "OMI-J203": "Target without damping",
    "OMI-J204": "Two drives on one axis",
    "OMI-J205": "Target outside the limits",
    "OMI-J206": "Drive on a locked axis",
    "OMI-J207": "Drive without force",
    "OMI-J208": "Very fast spring",
    "OMI-J209": "Very strong damping",
    "OMI-J301": "Scaled frame",
    "OMI-J302": "Sheared frame",
    "OMI-J303": "Frames apart at rest",
    "OMI-J304": "Frame without a place",
    "OMI-J305": "Outside its limits at rest",
    "OMI-J306": "Frame turned on scaled body",
    "OMI-J413": "More findings",
    "OMI-J450": "Collision system without name",
    "OMI-J463": "Joint value not a number",
    "OMI-P006": "Soft lock sags",
    "OMI-S005": "Unevenly scaled shape",
    "OMI-S008": "Shape does not fit",
}
"""By code, for the rules that scenes are checked by."""


def title(rule: Rule) -> str:
    """Return what a rule is about; of an engine's the first words of its sentence."""
    known = TITLES.get(rule.code)
    if known is not None:
        return known
    words = re.sub(r"[{][^}]*[}]|'", "", rule.sentence).replace(",", "").split()
    short = " ".join(words[:_WORDS])
    return short[:1].upper() + short[1:]
