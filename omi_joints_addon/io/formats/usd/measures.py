"""What a stage says of its units and its up axis."""

from collections.abc import Callable
from typing import Any

from ....core.findings.finding import Finding
from ....core.model.numbers import LARGEST
from .pxr_access import message_of, usd
from .rules import COMPOSITION
from .units import Units


def measures_of(stage: Any, findings: list[Finding]) -> tuple[Units, bool]:
    """Return the units of a stage, and whether Y is up; what is damaged is OpenUSD's default."""
    pxr = usd()

    def declared(get: Callable[[Any], Any], default: object) -> Any:
        try:
            return get(stage)
        except pxr.Tf.ErrorException as error:
            findings.append(COMPOSITION("", problem=message_of(error)))
            return default

    meters = float(declared(pxr.UsdGeom.GetStageMetersPerUnit, 0.01))
    kilograms = float(declared(pxr.UsdPhysics.GetStageKilogramsPerUnit, 1.0))
    is_sane = [1.0 / LARGEST <= value <= LARGEST for value in (meters, kilograms)]
    up = declared(pxr.UsdGeom.GetStageUpAxis, pxr.UsdGeom.Tokens.y)
    units = Units(meters if is_sane[0] else 0.01, kilograms if is_sane[1] else 1.0)
    return units, up == pxr.UsdGeom.Tokens.y
