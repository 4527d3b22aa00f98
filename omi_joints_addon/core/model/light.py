"""A light on a node. It shines along the node's -Z, as in Blender and glTF."""

from dataclasses import dataclass
from enum import StrEnum


class LightType(StrEnum):
    """Kinds of light that formats share; others are words of their own."""

    POINT = "point"
    DIRECTIONAL = "directional"
    SPOT = "spot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """What shines from a node."""

    type: str = LightType.POINT
    """A `LightType`, or a word that a format has for it."""
    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Red, green and blue, linear."""
    carried: tuple[tuple[str, str], ...] = ()
    """What formats keep for themselves: name of the format and JSON object text."""
