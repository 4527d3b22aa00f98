"""The dialects of physics in glTF documents."""

from enum import StrEnum

from .khr import implicit_shapes, rigid_bodies
from .omi import body, joint, shape


class Dialect(StrEnum):
    """A set of extensions that says physics."""

    OMI = "omi"
    """OMI_physics_joint, OMI_physics_body and OMI_physics_shape."""
    KHR = "khr"
    """KHR_physics_rigid_bodies and KHR_implicit_shapes."""


EXTENSIONS = {
    Dialect.OMI: frozenset((body.EXTENSION, joint.EXTENSION, shape.EXTENSION)),
    Dialect.KHR: frozenset((rigid_bodies.EXTENSION, implicit_shapes.EXTENSION)),
}
"""Names of the extensions of each dialect."""
