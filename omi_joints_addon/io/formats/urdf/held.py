"""What of a URDF file a scene holds; the rest is for robot software alone."""

from ..inventory import Held
from .parsing import CARRIERS

_ORIGIN = frozenset(("xyz", "rpy"))
_NAME = frozenset(("name",))

HELD: Held = {
    **dict.fromkeys(CARRIERS, frozenset("*")),
    **dict.fromkeys(("link", "visual", "collision", "material"), _NAME),
    **dict.fromkeys(("inertial", "geometry"), frozenset[str]()),
    "origin": _ORIGIN,
    "mass": frozenset(("value",)),
    "inertia": frozenset(("ixx", "ixy", "ixz", "iyy", "iyz", "izz")),
    "mesh": frozenset(("filename", "scale")),
    "box": frozenset(("size",)),
    "sphere": frozenset(("radius",)),
    "cylinder": frozenset(("radius", "length")),
    "capsule": frozenset(("radius", "length")),
    "color": frozenset(("rgba",)),
    "texture": frozenset(("filename",)),
    "joint": frozenset(("name", "type")),
    "parent": frozenset(("link",)),
    "child": frozenset(("link",)),
    "axis": frozenset(("xyz",)),
    "limit": frozenset(("lower", "upper", "effort", "velocity")),
    "dynamics": frozenset(("damping", "friction")),
    "mimic": frozenset(("joint", "multiplier", "offset")),
}
"""Attributes by tag."""
