"""What an object is in physics: read once in an export, for all that asks."""

from dataclasses import dataclass
from functools import lru_cache

import bpy

from ...properties.body import body_data_of, motion_type_in
from ...properties.collider import collider_of, is_solid, is_trigger
from ...properties.joint import has_joint_data, joint_data
from ...properties.rigid_body import rigid_body_of


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
_JOINT = Physics(is_joint=True)
_physics = lru_cache(maxsize=256)(Physics)


def physics_of(obj: bpy.types.Object | None) -> Physics:
    """Return what an object is in physics."""
    if obj is None:
        return NONE
    is_joint = has_joint_data(obj) and joint_data(obj).enabled
    body, rigid = body_data_of(obj), rigid_body_of(obj)
    if body is None and rigid is None:
        return _JOINT if is_joint else NONE
    return _physics(
        motion_type_in(obj, body, rigid),
        is_solid(collider_of(body), rigid),
        is_trigger(body),
        is_joint,
    )
