"""The dialects of physics in glTF documents."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from ....core.findings.sentence import Sentence
from ..format import UnwritableError
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


def dialects_in(options: Mapping[str, Any]) -> set[Dialect] | None:
    """Return the dialects that options ask for, None where they ask for none.

    Raises `UnwritableError`.
    """
    dialects = options.get("dialect")
    if dialects is None:
        return None
    names = dialects.split(",") if isinstance(dialects, str) else dialects
    try:
        return {Dialect(str(name).strip()) for name in names}
    except (TypeError, ValueError) as error:
        raise UnwritableError(
            Sentence(
                "unknown dialects {dialects!r} (choose from {known})",
                dialects=dialects,
                known=", ".join(Dialect),
            )
        ) from error
