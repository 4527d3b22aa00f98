"""Blender's lights and the core's."""

import math

import bpy
from mathutils import Color

from ..core.model.light import Light, LightType
from .carried import keep_carried, kept_of

_TYPES: dict[str, str] = {
    LightType.POINT: "POINT",
    LightType.DIRECTIONAL: "SUN",
    LightType.SPOT: "SPOT",
}
_STRENGTH = 2.0
"""Irradiance [W/m²] that a light gives to what it is for."""


def light_of(data: bpy.types.ID | None) -> Light | None:
    """Return the light that the data of an object is, None where it is not one."""
    if not isinstance(data, bpy.types.Light):
        return None
    names = {shown: name for name, shown in _TYPES.items()}
    return Light(
        type=names.get(data.type, data.type.lower()),
        color=_rounded(data.color),
        carried=tuple((name, str(text)) for name, text in kept_of([data]).items()),
    )


def _rounded(color: Color) -> tuple[float, float, float]:
    """Return a color that Blender keeps in single precision as it was."""
    red, green, blue = (round(part, 6) for part in (color.r, color.g, color.b))
    return red, green, blue


def new_light(
    data: bpy.types.BlendData, name: str, light: Light, *, distance: float
) -> bpy.types.Light:
    """Return a new light, a lamp as bright as a sun is at `distance` [m]."""
    made = data.lights.new(name, _TYPES.get(light.type, "POINT"))  # type: ignore[arg-type]
    made.color = light.color
    is_sun = light.type == LightType.DIRECTIONAL
    energy = _STRENGTH * (1.0 if is_sun else 4.0 * math.pi * max(distance, 1.0) ** 2)
    made.energy = energy  # type: ignore[attr-defined]
    if light.carried:
        keep_carried(made, dict(light.carried))
    return made
