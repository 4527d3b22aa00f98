"""OMI_physics_gravity of a document: the gravity of its scene. SI units.

Volumes with a gravity of their own, on nodes, are kept and named (`unread`).
"""

import math

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.axes import vector_from_gltf, vector_to_gltf
from ....core.model.body import Vector
from ....core.model.plain import JsonObject
from ....core.model.scene import GRAVITY
from .document_members import declare, extension_of, set_extension
from .members import Members
from .rules import NO_DIRECTION, WRONG_GLTF_TYPE

EXTENSION = "OMI_physics_gravity"
_DOWN = (0.0, -1.0, 0.0)


def gravity_of(document: JsonObject, findings: list[Finding]) -> Vector | None:
    """Return the gravity that a document declares [m/s²], Z up, None where it declares none."""
    value = extension_of(document, EXTENSION)
    if value is None:
        return None
    place = f"/extensions/{EXTENSION}"
    if not isinstance(value, dict):
        words = {"name": EXTENSION, "expected": "an object", "found": type(value).__name__}
        findings.append(WRONG_GLTF_TYPE(place, **words))
        return None
    members = Members(value, place, findings)
    strength, direction = members.number("gravity"), members.vector("direction", 3) or _DOWN
    length = math.hypot(*direction)
    if strength is None or length == 0.0:
        if strength is not None:
            findings.append(NO_DIRECTION(f"{place}/direction"))
        return None
    x, y, z = (strength * number / length + 0.0 for number in direction)
    return vector_from_gltf((x, y, z))


def write_gravity(document: JsonObject, gravity: Vector, *, is_z_up: bool = False) -> None:
    """Have a document declare a gravity, unless that is what a document without one means.

    One that the document declares already stays as it is.
    """
    known = gravity_of(document, [])
    if np.allclose(gravity, GRAVITY if known is None else known, rtol=1e-6, atol=1e-9):
        return
    x, y, z = gravity if is_z_up else vector_to_gltf(gravity)
    strength = math.hypot(x, y, z)
    declared: JsonObject = {"gravity": strength}
    direction = [number / strength + 0.0 for number in (x, y, z)] if strength else list(_DOWN)
    if direction != list(_DOWN):
        declared["direction"] = direction
    before = extension_of(document, EXTENSION)
    rest = before if isinstance(before, dict) else {}
    kept = {name: value for name, value in rest.items() if name not in ("gravity", "direction")}
    set_extension(document, EXTENSION, declared | kept)
    declare(document, [EXTENSION])
