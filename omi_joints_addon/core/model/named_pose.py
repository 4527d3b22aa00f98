"""Poses of a scene under names, such as "home": keyframes of MJCF, group states of SRDF."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPose:
    """Positions of joints with one axis, as their author counts them."""

    name: str
    positions: tuple[tuple[str, float], ...]
    """Name of a joint and its position [m or rad]; joints that are not named stay."""
