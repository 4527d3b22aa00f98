"""Elements that belong to MuJoCo alone, as they are kept and written again: without classes.

Missed by who writes a model anew: of 55 public models 32 have lights, 28 sensors, 23 cameras and 7
tendons, which no scene holds.
"""

import math
import xml.etree.ElementTree as ET

from ....core.model.pose import Array
from .attributes import Values
from .orientations import ORIENTATIONS
from .printing import numbers, placed
from .schema import carried

BODIES = "bodies"
"""Member of what scenes carry: elements of bodies by the names of these."""
FREE = "free"
"""Member of what scenes carry: attributes of free joints by the names of their bodies."""
_OF_FREE = (
    *("name", "group", "user", "align", "damping", "armature", "frictionloss", "stiffness"),
    *("springdamper", "solreffriction", "solimpfriction"),
)
"""Attributes that act on a joint of the type free."""
JOINTS = "joints"
"""Member of what scenes carry: names of joints in the order of the coordinates of keyframes."""
LIMITS = "limits"
"""Member of what scenes carry: the stiffness that this program has given limits."""
SITES = "sites"
"""Member of what scenes carry: how sites look, by their names."""
SITE = carried("site")
"""Attributes of sites beside their pose; that of `fromto` is read."""
_TENDONS = "tendon"
_ROUND = ("capsule", "cylinder")
_NOT_FIXED = ("material", "rgba", "width")
"""Attributes of the defaults of tendons that fixed ones do not have."""
_ASSETS = ("class", "material", "texture")
"""Attributes that name what is not kept."""


def own_element(
    element: ET.Element, values: Values, frame: Array, child_class: str = ""
) -> ET.Element:
    """Return an element of a body in the axes of the body; `frame` (4, 4) is what is around it."""
    attributes = values.attributes(element, child_class)
    world = frame @ values.pose(element.get("name", element.tag), attributes)
    if element.tag == "light":
        direction = values.numbers(element.get("name", "light"), attributes, "dir")
        attributes["pos"] = numbers(world[:3, 3])
        attributes["dir"] = numbers(frame[:3, :3] @ direction)
    elif element.tag == "camera":
        attributes = placed_at(attributes, world)
    return _copy(element, attributes)


def placed_at(attributes: dict[str, str], matrix: Array) -> dict[str, str]:
    """Return attributes with the pose of a matrix (4, 4) instead of their own."""
    written = ("pos", "fromto", *ORIENTATIONS)
    rest = {name: value for name, value in attributes.items() if name not in written}
    return rest | placed(matrix)


def own_geom(attributes: dict[str, str], place: Array) -> ET.Element:
    """Return a geom that has no shape here, with its defaults; `place` (4, 4) on its body."""
    rest = placed_at(attributes, place)
    if "fromto" in attributes:
        x, y, z, *end = map(float, attributes["fromto"].split())
        first = attributes.get("size", "0").split()[0]
        across = (first,) if attributes.get("type") in _ROUND else (first, first)
        rest["size"] = " ".join((*across, repr(math.dist((x, y, z), end) / 2.0)))
    return _copy(ET.Element("geom"), rest)


def own_section(section: ET.Element, values: Values) -> ET.Element:
    """Return a section of a model with the defaults of classes, which are not kept."""
    if section.tag != _TENDONS:
        return section
    result = ET.Element(_TENDONS)
    for tendon in section:
        attributes = values.attributes(tendon, "", kind=_TENDONS)
        refused = _NOT_FIXED if tendon.tag == "fixed" else ()
        kept = {name: value for name, value in attributes.items() if name not in refused}
        result.append(_copy(tendon, values.without_stiffness(kept)))
    return result


def own_free_joint(attributes: dict[str, str]) -> dict[str, str]:
    """Return what a free joint has beyond its freedom."""
    return {name: attributes[name] for name in _OF_FREE if name in attributes}


CHOSEN = ({"integrator": "RK4"}, {"integrator": "implicitfast", "timestep": "0.001"})
"""Options of steps that this program chooses: where nothing is stiff, and where something is."""


def own_options(root: ET.Element, *, is_ours: bool) -> list[ET.Element]:
    """Return the options of a model but its gravity, and what this program chose of its own."""
    found = []
    for option in root.findall("option"):
        rest = {name: value for name, value in option.attrib.items() if name != "gravity"}
        is_chosen = is_ours and rest in CHOSEN
        if (rest and not is_chosen) or len(option):
            found.append(_copy(option, rest))
    return found


def _copy(element: ET.Element, attributes: dict[str, str]) -> ET.Element:
    kept = {name: value for name, value in attributes.items() if name not in _ASSETS}
    copy = ET.Element(element.tag, kept)
    copy.extend(list(element))
    return copy
