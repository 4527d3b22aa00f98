"""The gravity of a stage."""

import math
from collections.abc import Sequence

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.scene import GRAVITY
from .prim import Prim
from .rules import MANY_SCENES, OLD_GRAVITY
from .units import Units
from .values import Values


def read_gravity(
    scenes: Sequence[Prim], is_y_up: bool, units: Units, findings: list[Finding]
) -> tuple[float, float, float]:
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
