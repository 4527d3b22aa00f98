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
    said = scenes[0]
    if len(scenes) > 1:
        findings.append(MANY_SCENES("", count=len(scenes), name=said.path))
    if "gravity" in said.attributes:
        findings.append(OLD_GRAVITY(said.path))
    magnitude = said.attributes.get("physics:gravityMagnitude", ("", -math.inf))[1]
    size = -GRAVITY[2]
    if isinstance(magnitude, float) and 0.0 <= magnitude < math.inf:
        size = magnitude / units.length
    x, y, z = _direction(said, is_y_up)
    return (x * size + 0.0, y * size + 0.0, z * size + 0.0)


def _direction(said: Prim, is_y_up: bool) -> tuple[float, float, float]:
    """Return the unit direction, Z up; zero means down."""
    direction = said.attributes.get("physics:gravityDirection", ("", None))[1]
    down = (0.0, 0.0, -1.0)
    is_vector = isinstance(direction, tuple) and len(direction) == 3
    if not is_vector or not all(isinstance(part, int | float) for part in direction):
        return down
    length = float(np.linalg.norm(direction))
    if not math.isfinite(length) or length == 0.0:
        return down
    x, y, z = (part / length for part in direction)
    return (x, -z, y) if is_y_up else (x, y, z)
