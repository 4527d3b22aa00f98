"""What elements of URDF say: the one list that reading, writing, editing and the inventory follow.

SI units and radians. Bounds and strengths may be infinite, other numbers may not.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from ....core.model.numbers import are_usable, is_usable
from ...documents.number_words import numbers_in, word
from ...documents.schema import Child, Kind, Row, Schema
from ..geometries import Geometry
from ..origins import HERE, ZERO, Origin, Vector
from .document import Inertial, JointElement, Limit, Link, LinkPart, Material, Mimic, Tensor

_ONES: Vector = (1.0, 1.0, 1.0)


def _numbers(text: str) -> list[float]:
    return numbers_in(text.replace("_", "?"))


def _finite(count: int) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        found = tuple(_numbers(text))
        if len(found) != count or not are_usable(found):
            return None
        return found if count > 1 else found[0]

    return read


def _infinite(text: str) -> float | None:
    found = _numbers(text)
    if len(found) != 1 or math.isnan(found[0]):
        return None
    return found[0] if is_usable(found[0]) else math.copysign(math.inf, found[0])


def words(values: Any) -> str:
    """Return numbers as text, with spaces between."""
    return " ".join(map(word, values))


TEXT = Kind("a text", str, str)
NUMBER = Kind("a finite number", _finite(1), word)
SIZE = Kind("a finite number", _finite(1), word)
BOUND = Kind("a finite number", _infinite, word)
"""Position [m or rad]."""
STRENGTH = Kind("a finite number", _infinite, word)
PLACE = Kind("3 finite numbers", _finite(3), words)
"""Position [m], angles [rad] or axis."""
SIZES = Kind("3 finite numbers", _finite(3), words)
COLOR = Kind("4 finite numbers", _finite(4), words)

_always = partial(Row, is_always=True)
_NAME = _always("name", "@name", TEXT, "")
ORIGIN = Schema(Origin, (_always("xyz", "@xyz", PLACE, ZERO), _always("rpy", "@rpy", PLACE, ZERO)))
_POSED = Child("origin", "origin", ORIGIN, HERE)
LIMIT = Schema(
    Limit,
    (
        Row("lower", "@lower", BOUND),
        Row("upper", "@upper", BOUND),
        Row("effort", "@effort", STRENGTH),
        Row("velocity", "@velocity", STRENGTH),
    ),
)
MIMIC = Schema(
    Mimic,
    (
        _always("joint", "@joint", TEXT, ""),
        _always("multiplier", "@multiplier", NUMBER, 1.0),
        _always("offset", "@offset", NUMBER, 0.0),
    ),
)
JOINT = Schema(
    JointElement,
    (
        _NAME,
        _always("type", "@type", TEXT, ""),
        _POSED,
        _always("parent", "parent/@link", TEXT, ""),
        _always("child", "child/@link", TEXT, ""),
        _always("axis", "axis/@xyz", PLACE, (1.0, 0.0, 0.0)),
        Child("limit", "limit", LIMIT),
        Row("damping", "dynamics/@damping", NUMBER, 0.0, is_beside=True),
        Row("friction", "dynamics/@friction", NUMBER, 0.0, is_beside=True),
        Child("mimic", "mimic", MIMIC),
    ),
)
TENSOR = Schema(Tensor, tuple(_always(name, f"@{name}", NUMBER, 0.0) for name in Tensor._fields))
INERTIAL = Schema(
    Inertial,
    (
        _POSED,
        _always("mass", "mass/@value", NUMBER, 0.0),
        Child("inertia", "inertia", TENSOR),
    ),
)
LINK = Schema(Link, (_NAME, Child("inertial", "inertial", INERTIAL)))
PART = Schema(partial(LinkPart, geometry=Geometry()), (Row("name", "@name", TEXT, ""), _POSED))
"""A visual or collision without its geometry and material."""
MATERIAL = Schema(
    Material,
    (
        _NAME,
        Row("color", "color/@rgba", COLOR),
        Row("texture", "texture/@filename", TEXT, ""),
    ),
)
_RADIUS = _always("radius", "@radius", SIZE, 0.5)
_ROUND = (_RADIUS, _always("length", "@length", SIZE, 1.0))
GEOMETRY = {
    tag: Schema(partial(Geometry, kind=tag), rows)
    for tag, rows in (
        (
            "mesh",
            (
                _always("uri", "@filename", TEXT, ""),
                Row("scale", "@scale", SIZES, _ONES),
            ),
        ),
        ("box", (_always("size", "@size", SIZES, _ONES),)),
        ("sphere", (_RADIUS,)),
        ("cylinder", _ROUND),
        ("capsule", _ROUND),
    )
}
"""What is in a `geometry`, by tag."""
