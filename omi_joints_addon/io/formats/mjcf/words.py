"""Attributes of the elements of MJCF that are read, as `mj_printSchema` of MuJoCo 4 lists them."""

import difflib
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from ....core.findings.finding import Finding
from .rules import UNKNOWN_ATTRIBUTE

_POSE = "pos quat axisangle euler xyaxes zaxis "
_ACTUATOR = "class ctrlrange delay group interp name nsample user "
_OF_FORCES = "forcelimited forcerange "
_ON_ALL = (
    "joint jointinparent tendon site refsite cranksite slidersite cranklength gear lengthrange "
    "armature damping "
)
_DRIVEN = _ACTUATOR + _OF_FORCES + _ON_ALL + "ctrllimited "
_WITH_STATE = "actdim actearly actlimited actrange dynprm dyntype "
_SOLVER = "active class name solimp solref "

_ACTUATORS = {
    "general": _DRIVEN
    + _WITH_STATE
    + "body biasprm biastype gainprm gaintype ffrange inheritrange input velrange",
    "motor": _DRIVEN,
    "position": _DRIVEN + "dampratio inheritrange kp kv timeconst",
    "velocity": _DRIVEN + "kv",
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
_WORDS = {
    "compiler": "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass "
    "conflict coordinate discardvisual eulerseq fitaabb fusestatic inertiafromgeom "
    "inertiagrouprange meshdir passthrough savecanonical savecompiled saveinertial settotalmass "
    "strippath texturedir usethread",
    "option": "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio "
    "integrator iterations jacobian ls_iterations ls_tolerance magnetic noslip_iterations "
    "noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations "
    "sleep_tolerance solver timestep tolerance viscosity wind apirate mpr_iterations "
    "mpr_tolerance collision",
    "mesh": "builtin class content_type face file inertia material maxhullvert name normal params "
    "refpos refquat scale smoothnormal texcoord vertex",
    "material": "class emission metallic name reflectance rgba roughness shininess specular "
    "texrepeat texture texuniform",
    "body": _POSE + "childclass fuse gravcomp mocap name simple sleep user",
    "frame": _POSE + "name childclass",
    "inertial": _POSE + "diaginertia fullinertia mass",
    "joint": "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping "
    "frictionloss group limited margin name pos range ref solimpfriction solimplimit "
    "solreffriction solreflimit springdamper springref springyield stiffness type user align",
    "freejoint": "align group name",
    "geom": _POSE + "adhesion castshadow class conaffinity condim contype density fitscale "
    "fluidcoef fluidshape friction fromto gap group hfield margin mass material mesh name "
    "priority rgba shellinertia size solimp solmix solref surfacevel type user",
    "site": _POSE + "class fromto group material mesh name rgba size type user",
    "exclude": "body1 body2 name",
    "connect": _SOLVER + "anchor body1 body2 site1 site2",
    "weld": _SOLVER + "anchor body1 body2 relpose site1 site2 torquescale",
    "equality joint": _SOLVER + "joint1 joint2 polycoef",
}
WORDS = {tag: frozenset(text.split()) for tag, text in (_WORDS | _ACTUATORS).items()}
"""Attributes by tag; joints of equalities are `equality joint`."""
ACTUATORS = frozenset(_ACTUATORS)
"""Tags of actuators."""


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
