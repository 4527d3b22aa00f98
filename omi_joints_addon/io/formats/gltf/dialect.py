"""The dialects of physics in glTF documents."""

from enum import StrEnum


class Dialect(StrEnum):
    """A set of extensions that says physics."""

    OMI = "omi"
    """OMI_physics_joint, OMI_physics_body and OMI_physics_shape."""
    KHR = "khr"
    """KHR_physics_rigid_bodies and KHR_implicit_shapes."""
