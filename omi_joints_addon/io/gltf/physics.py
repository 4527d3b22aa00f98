"""What an object is in physics: read once in an export, for all that asks."""

from dataclasses import dataclass
from functools import lru_cache

import bpy

from ...properties.body import body_data, motion_type_of
from ...properties.collider import has_collider
from ...properties.joint import joint_data


@dataclass(frozen=True, slots=True)
class Physics:
    """The parts of physics that an object has."""

    motion_type: str | None = None
    """Type of the motion of a body."""
    is_solid: bool = False
    is_trigger: bool = False
    is_joint: bool = False

    @property
    def is_body_part(self) -> bool:
        """Whether the object's node says something of physics in its own axes."""
        return self.motion_type is not None or self.is_solid or self.is_trigger


NONE = Physics()
"""What is no object at all, too."""
_physics = lru_cache(maxsize=256)(Physics)


def physics_of(obj: bpy.types.Object | None) -> Physics:
    """Return what an object is in physics."""
    if obj is None:
        return NONE
    return _physics(
        motion_type_of(obj),
        has_collider(obj),
        body_data(obj).trigger.enabled,
        joint_data(obj).enabled,
    )
