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
    # To read a group that nobody set would make it.
    is_set = obj.is_property_set
    is_joint = is_set("omi_joint") and joint_data(obj).enabled
    if obj.rigid_body is None and not is_set("omi_body"):
        return _physics(is_joint=is_joint) if is_joint else NONE
    return _physics(
        motion_type_of(obj), has_collider(obj), body_data(obj).trigger.enabled, is_joint
    )
