"""The gravity of a stage."""

import math
from collections.abc import Sequence

import numpy as np

from ....core.findings.finding import Finding
from ....core.model.scene import GRAVITY
from .prim import Prim
from .rules import MANY_SCENES, OLD_GRAVITY
from .units import Units


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
    # UsdPhysics: a negative magnitude, and no direction, are those of the earth.
    magnitude = declared.bound("physics:gravityMagnitude", -math.inf, findings)
    is_given = 0.0 <= magnitude < math.inf
    size = magnitude / units.length if is_given else -GRAVITY[2]
    x, y, z = _direction(declared, is_y_up, findings)
    return (x * size + 0.0, y * size + 0.0, z * size + 0.0)


def _direction(
    declared: Prim, is_y_up: bool, findings: list[Finding]
) -> tuple[float, float, float]:
    """Return the unit direction, Z up; zero means down."""
    direction = declared.vector("physics:gravityDirection", (0.0, 0.0, 0.0), findings)
    length = float(np.linalg.norm(direction))
    if length == 0.0:
        return (0.0, 0.0, -1.0)
    x, y, z = (part / length for part in direction)
    return (x, -z, y) if is_y_up else (x, y, z)
