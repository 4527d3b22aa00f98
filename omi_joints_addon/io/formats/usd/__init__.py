"""USD with UsdPhysics: joints, bodies, colliders, articulations, and what PhysX adds to them."""

from typing import TYPE_CHECKING

from ..format import Read, Source, Target, Written
from .content import SUFFIXES, is_stage

if TYPE_CHECKING:
    from ....core.model.scene import PhysicsScene


class UsdFormat:
    """The format of OpenUSD files."""

    name = "usd"
    label = "USD"
    suffixes = SUFFIXES
    reading_options = ("folder",)
    writing_options = (
        "meters_per_unit",
        "kilograms_per_unit",
        "up_axis",
        "nesting",
        "physx",
        "articulations",
        "layer",
        "source",
    )

    def recognizes(self, head: bytes) -> bool:
        """Return whether a file that starts with `head` is certainly a USD file."""
        return is_stage(head)

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the scene of a stage; raises `UnreadableError` and nothing else.

        Options: `folder` (a folder that layers may be in).
        """
        from .opening import read_file

        return (read_file(source),)

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return the file of a scene; raises `UnwritableError` where there can be none.

        Options: those of `writing.write_usd`.
        """
        from .writing import write_usd

        return write_usd(scene, target)


USD = UsdFormat()
