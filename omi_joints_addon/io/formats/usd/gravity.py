"""The gravity of a stage, both ways."""

import math
from collections.abc import Sequence

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.body import Vector
from ....core.model.pose import Array
from ....core.model.scene import GRAVITY
from .prim import Prim
from .rules import MANY_SCENES, OLD_GRAVITY
from .units import Units
from .values import Values


def set_gravity(values: Values, gravity: Vector, to_stage: Array) -> None:
    """Set gravity [m/s²] on a physics scene; `to_stage` (4, 4) turns it into the stage's axes."""
    pull = np.asarray(gravity, float)
    size = float(np.linalg.norm(pull))
    turned = to_stage[:3, :3] @ (pull / size if size else (0.0, 0.0, -1.0))
    x, y, z = (turned / np.linalg.norm(turned)).round(9).tolist()
    values.put("physics:gravityDirection", (x, y, z))
    values.put("physics:gravityMagnitude", size)


def read_gravity(
    scenes: Sequence[Prim], is_y_up: bool, units: Units, findings: list[Finding]
) -> Vector:
    """Return the gravity [m/s²] of the first physics scene, Z up; that of the earth for none."""
    if not scenes:
        return GRAVITY
    declared = scenes[0]
    if len(scenes) > 1:
        findings.append(MANY_SCENES("", count=len(scenes), name=declared.path))
    if "gravity" in declared.attributes:
        findings.append(OLD_GRAVITY(declared.path))
    values = Values(declared, units, findings)
    # UsdPhysics: a negative magnitude, and no direction, are those of the earth.
    size = values.get("physics:gravityMagnitude")
    size = size if 0.0 <= size < math.inf else -GRAVITY[2]
    direction = values.get("physics:gravityDirection")
    length = float(np.linalg.norm(direction))
    x, y, z = (part / length for part in direction) if length else (0.0, 0.0, -1.0)
    x, y, z = (x, -z, y) if is_y_up and length else (x, y, z)
    return (x * size + 0.0, y * size + 0.0, z * size + 0.0)
