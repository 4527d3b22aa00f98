"""What of an MJCF file a scene holds; the rest is for MuJoCo alone."""

import xml.etree.ElementTree as ET
from collections.abc import Iterable

from ....core.findings.loss import How, Loss
from ....core.findings.sentence import Sentence
from ..inventory import Held

_POSE = frozenset(("pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"))
_NAMED = frozenset(("name", "class"))
_EVERYTHING = frozenset(("*",))
_CONTACT = ("contype", "conaffinity", "condim", "friction", "priority", "solmix", "solref")
_LAW = ("gear", "joint", "kp", "kv", "dampratio", "gainprm", "gaintype", "biasprm", "biastype")
_FORCE = ("forcerange", "forcelimited")
_LIMITS = ("range", "limited", "actuatorfrcrange", "actuatorfrclimited", "margin")
_SOLVER = ("solreflimit", "solimplimit", "solreffriction", "solimpfriction", "springdamper")
_GEOM = (
    *("type", "size", "fromto", "mesh", "fitscale", "group", "density", "mass", "shellinertia"),
    *("rgba", "material"),
)
_COMPILER = ("angle", "eulerseq", "autolimits", "meshdir", "assetdir")
_WEIGHTS = (
    *("balanceinertia", "boundmass", "boundinertia", "inertiafromgeom", "inertiagrouprange"),
    "settotalmass",
    "fitaabb",
)
_SERVO = _NAMED | {*_LAW, *_FORCE}

HELD: Held = {
    **dict.fromkeys(("default", "include", "worldbody", "asset"), _EVERYTHING),
    **dict.fromkeys(("actuator", "equality", "contact"), _EVERYTHING),
    "compiler": frozenset((*_COMPILER, *_WEIGHTS)),
    "inertial": _POSE | {"mass", "diaginertia", "fullinertia"},
    "exclude": frozenset(("body1", "body2")),
    **dict.fromkeys(("position", "velocity", "general"), _SERVO),
    "option": frozenset(("gravity",)),
    "frame": _POSE | {"childclass"},
    "body": _POSE | {"name", "childclass", "mocap", "gravcomp"},
    "freejoint": frozenset(("name",)),
    "joint": _NAMED
    | {"type", "pos", "axis", "ref", "springref", "stiffness", "damping", "armature"}
    | {"frictionloss", "joint1", "joint2", "polycoef", *_LIMITS, *_SOLVER},
    "geom": _NAMED | _POSE | {*_CONTACT, *_GEOM, "solimp", "margin", "gap"},
    "site": _NAMED | _POSE,
    "mesh": _NAMED | {"file", "scale", "vertex", "face", "refpos", "refquat", "inertia"},
    "material": _NAMED | {"rgba"},
    "connect": _NAMED | {"body1", "body2", "anchor", "active"},
    "weld": _NAMED | {"body1", "body2", "anchor", "relpose", "active"},
}
"""Attributes by tag; those of classes are counted where the class has them."""

SHAPELESS = ("plane", "ellipsoid", "hfield", "sdf")
"""Types of geoms that have no shape in a scene."""


def unheld_geoms(roots: Iterable[ET.Element], *, boxes: bool) -> tuple[Loss, ...]:
    """Return a line for each geom whose own type has no shape in a scene; `boxes`: planes have."""
    geoms = (geom for root in roots for geom in root.iter("geom"))
    shapeless = {*SHAPELESS} - ({"plane"} if boxes else set())
    return tuple(
        Loss(geom.get("name", ""), "geom", How.LOST, Sentence("it is of type {type}", type=kind))
        for geom in geoms
        if (kind := geom.get("type")) in shapeless
    )
