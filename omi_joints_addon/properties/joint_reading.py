"""What the properties of an object say of its joint: one reading for all who ask.

SI units and radians, axes of the object's own frame.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import bpy

from ..core.model.attributes import DEFAULT_ATTRIBUTES, JointAttributes
from ..core.model.joint import JointSettings
from .coupling import coefficients_in
from .joint_attributes import attributes_in
from .joint_settings import settings_in
from .stored import group_in, read_group, same, stored_at, values_of


@dataclass(frozen=True, slots=True)
class JointValues:
    """What the properties of a joint hold beside pointers to other objects."""

    enabled: bool
    """Whether the object is a joint."""
    enable_collision: bool
    settings: JointSettings
    """The joint's own, whatever it shares."""
    attributes: JointAttributes
    coefficients: tuple[float, ...]
    """How it follows another joint (`core.model.articulation.Coupling`); empty where it
    follows none."""
    color: tuple[float, float, float, float] | None
    """RGBA in which the viewport shows it, None where it has none of its own."""
    display_size: float
    """Size at which the viewport shows it [m], 0 for that of the empty."""
    is_frame_of_parent: bool
    """Whether an import made the object as the frame of its parent's node."""
    is_connected_frame: bool
    """Whether a joint is or was connected to the object, an empty."""
    carried: str
    data_version: int


class ObjectJoint(NamedTuple):
    """The properties of an object as a joint."""

    values: JointValues
    connected: bpy.types.Object | None
    """Attachment frame on the other body."""
    source: bpy.types.Object | None
    """Joint whose settings this one shares."""
    followed: bpy.types.Object | None
    """Joint that this one follows."""


def read_joint(obj: bpy.types.Object) -> ObjectJoint | None:
    """Return the properties of an object as a joint, be it one or not; None where none was set."""
    group = read_group(obj, "omi_joint")
    if group is None:
        return None
    ends = map(group.blocks.get, ("connected_object", "settings_source", "coupling.source"))
    return ObjectJoint(_values(group.key), *ends)


def own_settings_in(group: bpy.types.PropertyGroup) -> JointSettings:
    """Return the settings that a group of a joint holds itself."""
    return _values(group_in(group, "omi_joint").key).settings


@lru_cache(maxsize=32768)
def _values(key: bytes) -> JointValues:
    """Return what a group holds that is stored as `key`; equal groups are looked into once."""
    stored = stored_at(key)
    values = values_of(stored, "omi_joint")
    attributes = attributes_in(values["attributes"]) if "attributes" in stored else None
    red, green, blue, opacity = values["color"]
    return JointValues(
        enabled=values["enabled"],
        enable_collision=values["enable_collision"],
        settings=settings_in(values),
        attributes=DEFAULT_ATTRIBUTES if attributes is None else same(attributes),
        coefficients=coefficients_in(values["coupling"]) if "coupling" in stored else (),
        color=(red, green, blue, opacity) if opacity else None,
        display_size=values["display_size"],
        is_frame_of_parent=values["is_frame_of_parent"],
        is_connected_frame=values["is_connected_frame"],
        carried=values["carried"],
        data_version=values["data_version"],
    )
