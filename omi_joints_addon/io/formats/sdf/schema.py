"""What elements of SDF say: the one list that reading, writing, editing and the inventory follow.

Source: the specification's own files `sdf/1.x/*.sdf`. SI units and radians.
"""

import math
from dataclasses import dataclass
from functools import partial

from ...documents.schema import COLOR, FLAG, NUMBER, VECTOR, WORD, Row, Schema
from ..geometries import Geometry

Version = tuple[int, int]
_CAPSULES, _MIMICS, _CONES = (1, 8), (1, 11), (1, 11)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkValues:
    """What a link says beside its place, shapes and inertia's place."""

    mass: float = 1.0
    ixx: float = 1.0
    iyy: float = 1.0
    izz: float = 1.0
    ixy: float = 0.0
    ixz: float = 0.0
    iyz: float = 0.0
    gravity: bool = True
    kinematic: bool = False
    self_collide: bool = False


LINK = Schema(
    LinkValues,
    (
        Row("mass", "inertial/mass", NUMBER, 1.0),
        *(
            Row(name, f"inertial/inertia/{name}", NUMBER, default)
            for name, default in (
                ("ixx", 1.0),
                ("ixy", 0.0),
                ("ixz", 0.0),
                ("iyy", 1.0),
                ("iyz", 0.0),
                ("izz", 1.0),
            )
        ),
        Row("gravity", "gravity", FLAG, True),
        Row("kinematic", "kinematic", FLAG, False),
        Row("self_collide", "self_collide", FLAG, False),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisValues:
    """What an axis of a joint says beside its direction."""

    lower: float = -math.inf
    upper: float = math.inf
    effort: float = math.inf
    velocity: float = math.inf
    damping: float = 0.0
    friction: float = 0.0
    spring_reference: float = 0.0
    spring_stiffness: float = 0.0
    mimic: str | None = None
    mimic_axis: str | None = None
    multiplier: float = 1.0
    offset: float = 0.0
    reference: float = 0.0


AXIS = Schema(
    AxisValues,
    (
        Row("lower", "limit/lower", NUMBER, -math.inf),
        Row("upper", "limit/upper", NUMBER, math.inf),
        Row("effort", "limit/effort", NUMBER, math.inf),
        Row("velocity", "limit/velocity", NUMBER, math.inf),
        Row("damping", "dynamics/damping", NUMBER, 0.0),
        Row("friction", "dynamics/friction", NUMBER, 0.0),
        Row("spring_reference", "dynamics/spring_reference", NUMBER, 0.0),
        Row("spring_stiffness", "dynamics/spring_stiffness", NUMBER, 0.0),
        Row("mimic", "mimic/@joint", WORD, since=_MIMICS),
        Row("mimic_axis", "mimic/@axis", WORD, since=_MIMICS),
        Row("multiplier", "mimic/multiplier", NUMBER, 1.0, since=_MIMICS),
        Row("offset", "mimic/offset", NUMBER, 0.0, since=_MIMICS),
        Row("reference", "mimic/reference", NUMBER, 0.0, since=_MIMICS),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JointValues:
    """What a joint says beside its axes and place."""

    parent: str = ""
    child: str = ""
    gearbox_ratio: float = 1.0
    gearbox_reference_body: str = ""
    thread_pitch: float | None = None
    screw_thread_pitch: float | None = None
    must_be_loop_joint: bool = False


JOINT = Schema(
    JointValues,
    (
        Row("parent", "parent", WORD, ""),
        Row("child", "child", WORD, ""),
        Row("gearbox_ratio", "gearbox_ratio", NUMBER, 1.0),
        Row("gearbox_reference_body", "gearbox_reference_body", WORD, ""),
        Row("thread_pitch", "thread_pitch", NUMBER),
        Row("screw_thread_pitch", "screw_thread_pitch", NUMBER, since=(1, 10)),
        Row("must_be_loop_joint", "physics/simbody/must_be_loop_joint", FLAG, False),
    ),
)


_RADIUS = partial(Row, "radius", "radius", NUMBER, 1.0)
_LENGTH = partial(Row, "length", "length", NUMBER, 1.0)
_ONES = (1.0, 1.0, 1.0)
GEOMETRY = {
    tag: Schema(partial(Geometry, kind=tag), rows)
    for tag, rows in (
        ("box", (Row("size", "size", VECTOR, _ONES),)),
        ("sphere", (_RADIUS(),)),
        ("cylinder", (_RADIUS(), _LENGTH())),
        ("capsule", (_RADIUS(since=_CAPSULES), _LENGTH(since=_CAPSULES))),
        ("cone", (_RADIUS(since=_CONES), _LENGTH(since=_CONES))),
        ("mesh", (Row("uri", "uri", WORD, ""), Row("scale", "scale", VECTOR, _ONES))),
    )
}
"""What is in a `geometry`, by tag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceValues:
    """What the surface of a collision says."""

    mu: float | None = None
    restitution: float = 0.0
    threshold: float = 100000.0
    collide_bitmask: float | None = None
    category_bitmask: float | None = None
    without_contact: bool = False


SURFACE = Schema(
    SurfaceValues,
    (
        Row("mu", "friction/ode/mu", NUMBER),
        Row("restitution", "bounce/restitution_coefficient", NUMBER, 0.0),
        Row("threshold", "bounce/threshold", NUMBER, 100000.0),
        Row("collide_bitmask", "contact/collide_bitmask", NUMBER),
        Row("category_bitmask", "contact/category_bitmask", NUMBER),
        Row("without_contact", "contact/collide_without_contact", FLAG, False),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaterialValues:
    """Color of a visual, for screens."""

    diffuse: tuple[float, float, float, float] | None = None
    transparency: float = 0.0


MATERIAL = Schema(
    MaterialValues,
    (
        Row("diffuse", "material/diffuse", COLOR),
        Row("transparency", "transparency", NUMBER, 0.0),
    ),
)
