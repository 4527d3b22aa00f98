"""What an object is in physics: read once in an export, for all that asks."""

from typing import NamedTuple

from ...properties.body_reading import ObjectBody, read_body
from ...properties.bones import BodyBone, Node
from ...properties.joint import has_joint_data, joint_data


class ObjectPhysics(NamedTuple):
    """The parts of physics that an object has."""

    motion_type: str | None = None
    """Type of the motion of a body."""
    is_solid: bool = False
    is_trigger: bool = False
    is_joint: bool = False
    body: ObjectBody | None = None
    """What the object declares as a body."""

    @property
    def is_body_part(self) -> bool:
        """Whether the object's node says something of physics in its own axes."""
        return self.motion_type is not None or self.is_solid or self.is_trigger


NONE = ObjectPhysics()
"""What is not an object at all, too."""
_JOINT = ObjectPhysics(is_joint=True)


def physics_of(obj: Node | None) -> ObjectPhysics:
    """Return what an object or a bone is in physics."""
    if obj is None:
        return NONE
    is_joint = not isinstance(obj, BodyBone) and has_joint_data(obj) and joint_data(obj).enabled
    body = read_body(obj)
    if body is None:
        return _JOINT if is_joint else NONE
    return ObjectPhysics(body.motion_type, body.is_solid, body.is_trigger, is_joint, body)
