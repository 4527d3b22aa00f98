"""What elements of MJCF have: the one table that reading, editing, renaming and the inventory use.

Every attribute of the elements that are read, as `mj_printSchema` of MuJoCo 4 lists them. A scene
has values for those marked with "*"; those with "+" it carries as they are, for MJCF alone.
"""

import difflib
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ....core.findings.finding import Finding
from ..inventory import Held
from .rules import UNKNOWN_ATTRIBUTE

PLACE, MEASURED, ANGLE = "place", "measured", "angle"
"""Kinds of numbers: of a place, counted from places, and that in the unit of the compiler."""
_NOTHING = (0.0,)


class Attribute(NamedTuple):
    """What an attribute is on every element that has it."""

    default: tuple[float, ...] = ()
    """What is read where an element and its class have none; empty where that depends."""
    kind: str = ""
    switch: str = ""
    """Attribute that says whether this one counts."""
    names: str = ""
    """Kind of element that it names, outside of the bodies."""
    field: str = ""
    """Field of `JointAttributes` that is this number of a joint."""


ATTRIBUTES: Mapping[str, Attribute] = {
    "pos": Attribute((0.0, 0.0, 0.0), PLACE),
    "quat": Attribute((1.0, 0.0, 0.0, 0.0), PLACE),
    "axis": Attribute((0.0, 0.0, 1.0), PLACE),
    "range": Attribute((0.0, 0.0), ANGLE, switch="limited"),
    "ref": Attribute(_NOTHING, ANGLE),
    "springref": Attribute(_NOTHING, ANGLE),
    "actuatorfrcrange": Attribute(switch="actuatorfrclimited"),
    "anchor": Attribute((0.0, 0.0, 0.0), MEASURED),
    "relpose": Attribute((0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0), MEASURED),
    "polycoef": Attribute((0.0, 1.0, 0.0, 0.0, 0.0), MEASURED),
    "frictionloss": Attribute(_NOTHING, field="friction"),
    "armature": Attribute(_NOTHING, field="armature"),
    **dict.fromkeys(("stiffness", "damping"), Attribute(_NOTHING)),
    **dict.fromkeys(("gravcomp", "kv", "dampratio", "timeconst", "group"), Attribute(_NOTHING)),
    **dict.fromkeys(("kp", "fitscale", "contype", "conaffinity"), Attribute((1.0,))),
    "density": Attribute((1000.0,)),
    "friction": Attribute((1.0, 0.005, 1e-4)),
    "diaginertia": Attribute((0.0, 0.0, 0.0)),
    "fullinertia": Attribute((0.0,) * 6),
    "scale": Attribute((1.0, 1.0, 1.0)),
    "refpos": Attribute((0.0, 0.0, 0.0)),
    "refquat": Attribute((1.0, 0.0, 0.0, 0.0)),
    "dir": Attribute((0.0, 0.0, -1.0)),
    "gravity": Attribute((0.0, 0.0, -9.81)),
    **{
        name: Attribute(names=kind)
        for kind, names in {
            "joint": "joint jointinparent joint1 joint2",
            "body": "body body1 body2 subtree1 subtree2 bodyname",
            "site": "site site1 site2 refsite slidersite cranksite sidesite",
            "geom": "geom geom1 geom2",
            "actuator": "actuator",
            "tendon": "tendon tendon1 tendon2",
        }.items()
        for name in names.split()
    },
}
"""Attributes by name."""
FIELDS = {name: row.field for name, row in ATTRIBUTES.items() if row.field}
"""Fields of `JointAttributes` by the attribute of a joint that they are."""

_NAMED = "name* class* "
_POSE = "pos* quat* axisangle* euler* xyaxes* zaxis* "
_ACTUATOR = _NAMED + "ctrlrange delay group interp nsample user "
_OF_FORCES = "forcelimited* forcerange* "
_ON_ALL = (
    "joint* jointinparent tendon site refsite cranksite slidersite cranklength gear* lengthrange "
    "armature damping "
)
_DRIVEN = _ACTUATOR + _OF_FORCES + _ON_ALL + "ctrllimited* "
_WITH_STATE = "actdim actearly actlimited actrange dynprm dyntype "
_EQUALITY = _NAMED + "solref+ solimp+ "

_SERVOS = {
    "general": _DRIVEN
    + _WITH_STATE
    + "body biasprm* biastype* gainprm* gaintype* ffrange inheritrange input velrange",
    "motor": _DRIVEN,
    "position": _DRIVEN + "dampratio* inheritrange kp* kv* timeconst",
    "velocity": _DRIVEN + "kv*",
}
_OTHER_ACTUATORS = {
    "intvelocity": _DRIVEN + "actlimited actrange dampratio inheritrange kp kv",
    "orientation": _ACTUATOR + _OF_FORCES + "joint dampratio input kp kv refsite site",
    "pid": _DRIVEN + "dampratio ffrange imax inheritrange input ki kp kv posrange slewmax velrange",
    "damper": _ACTUATOR + _OF_FORCES + _ON_ALL + "kv",
    "cylinder": _DRIVEN + "area bias diameter timeconst",
    "muscle": _DRIVEN + "force fpmax fvmax lmax lmin range scale tausmooth timeconst vmax",
    "adhesion": _ACTUATOR + _OF_FORCES + "body gain",
    "dcmotor": _ACTUATOR
    + _ON_ALL
    + "ctrllimited cogging controller inductance input lugre motorconst nominal resistance "
    "saturation thermal",
    "plugin": _DRIVEN + _WITH_STATE + "instance plugin",
}
_READ = {
    "compiler": "alignfree angle* assetdir* autolimits* balanceinertia* boundinertia* boundmass* "
    "conflict coordinate discardvisual eulerseq* fitaabb* fusestatic inertiafromgeom* "
    "inertiagrouprange* meshdir* passthrough savecanonical savecompiled saveinertial "
    "settotalmass* strippath texturedir usethread",
    "option": "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity* impratio "
    "integrator iterations jacobian ls_iterations ls_tolerance magnetic noslip_iterations "
    "noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations "
    "sleep_tolerance solver timestep tolerance viscosity wind apirate mpr_iterations "
    "mpr_tolerance collision",
    "mesh": _NAMED + "builtin content_type face* file* inertia* material maxhullvert normal params "
    "refpos* refquat* scale* smoothnormal texcoord vertex*",
    "material": _NAMED + "emission metallic reflectance rgba* roughness shininess specular "
    "texrepeat texture texuniform",
    "body": _POSE + "childclass* fuse gravcomp* mocap* name* simple sleep user",
    "frame": _POSE + "name childclass*",
    "inertial": _POSE + "diaginertia* fullinertia* mass*",
    "joint": _NAMED + "type* pos* axis* range* limited* actuatorfrclimited* actuatorfrcrange* "
    "margin*+ solreflimit*+ solimplimit*+ solreffriction*+ solimpfriction*+ user+ group+ "
    "actuatorgravcomp+ springdamper*+ armature* damping* frictionloss* ref* springref* stiffness* "
    "springyield align",
    "freejoint": "align group name*",
    "geom": _NAMED + _POSE + "type* size* fromto* mesh* fitscale* group* density* mass* "
    "shellinertia* rgba* material* contype* conaffinity* condim*+ friction*+ margin*+ gap*+ "
    "solmix*+ solref*+ solimp*+ priority*+ adhesion castshadow fluidcoef fluidshape hfield "
    "surfacevel user",
    "site": _NAMED + _POSE + "fromto material mesh type+ size+ rgba+ group+ user+",
    "exclude": "body1* body2* name",
    "connect": _EQUALITY + "active* anchor* body1* body2* site1 site2",
    "weld": _EQUALITY + "torquescale+ active* anchor* body1* body2* relpose* site1 site2",
    "equality joint": _EQUALITY + "active joint1* joint2* polycoef*",
}
ACTUATORS = frozenset((*_SERVOS, *_OTHER_ACTUATORS))
"""Tags of actuators."""
_ELEMENTS = {
    tag: {word.rstrip("*+"): word for word in text.split()}
    for tag, text in (_READ | _SERVOS | _OTHER_ACTUATORS).items()
}
WORDS = {tag: frozenset(words) for tag, words in _ELEMENTS.items()}
"""Attributes by tag; joints of equalities are `equality joint`."""


def carried(tag: str) -> tuple[str, ...]:
    """Return the attributes of an element that a scene carries as they are."""
    return tuple(name for name, word in _ELEMENTS[tag].items() if word.endswith("+"))


def _held() -> Held:
    sections = ("default", "include", "worldbody", "asset", "actuator", "equality", "contact")
    found: dict[str, frozenset[str]] = dict.fromkeys(sections, frozenset("*"))
    for tag in (*_READ, *_SERVOS):
        own = frozenset(name for name, word in _ELEMENTS[tag].items() if "*" in word)
        # Joints of bodies and of equalities have the same tag.
        found[tag.split()[-1]] = found.get(tag.split()[-1], frozenset()) | own
    return found | {"keyframe": frozenset(), "key": frozenset(("name", "qpos"))}


HELD: Held = _held()
"""Attributes that a scene has values for, by tag; those of classes count where these have them."""


def unknown_attributes(root: ET.Element) -> Iterator[Finding]:
    """Yield a finding for each attribute that no element of the tag has."""
    for tag, element in _read(root):
        if element.attrib.keys() <= WORDS[tag]:
            continue
        for name in sorted(element.attrib.keys() - WORDS[tag]):
            near = difflib.get_close_matches(name, WORDS[tag], n=1)
            yield UNKNOWN_ATTRIBUTE(
                element.get("name", ""), tag=element.tag, name=name[:40], near=_question(near)
            )


def _question(near: list[str]) -> str:
    return f"; did you mean {near[0]!r}?" if near else ""


def _read(root: ET.Element) -> Iterator[tuple[str, ET.Element]]:
    """Yield the elements that are read, with the row of their attributes."""
    for section in root:
        if section.tag in WORDS:
            yield section.tag, section
        elif section.tag in ("worldbody", "asset", "contact", "default"):
            yield from ((each.tag, each) for each in section.iter() if each.tag in WORDS)
        elif section.tag in ("equality", "actuator"):
            joint = "equality joint" if section.tag == "equality" else "joint"
            rows = ((joint if each.tag == "joint" else each.tag, each) for each in section)
            yield from ((tag, each) for tag, each in rows if tag in WORDS)
