"""Shift's multibody JSON: models of bodies and joints in assemblies.

Source: the file format pages of Shift Dynamics; comments tell what public files do beyond them.
"""

from typing import TYPE_CHECKING

from ..format import Read, Source, Target, Written

if TYPE_CHECKING:
    from ....core.model.scene import PhysicsScene
    from ..revision import Revision


class ShiftFormat:
    """The format of Shift JSON files, in both of its dialects."""

    name = "shift"
    label = "Shift JSON"
    suffixes = (".json",)
    reading_options = ("turn",)
    writing_options = ("source", "version", "hard_limits")

    def recognizes(self, head: bytes) -> bool:
        """Return whether a file that starts with `head` is certainly a Shift model."""
        is_marked = b'"model_parameters"' in head or b'"assemblies"' in head
        return is_marked and not head.lstrip().startswith(b"<")

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the model; raises `UnreadableError`.

        Options: `turn` (auto turns models upright whose gravity is not along -Z, or keep).
        """
        from .reader import read_model

        return (read_model(source),)

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return the document of a scene.

        Options: `version` (0.2, which most files are in and which has no spherical joint, or
        2.0.0), `hard_limits` (carry, or springs for stiff ones instead of limits that Shift does
        not have), `source` (keep or new).
        """
        from .writer import write_model

        return write_model(scene, target)

    def edit(self, revision: "Revision", _target: Target) -> Written:
        """Return the document with what differs; raises `UneditableError`."""
        from .editing import edited_model

        return edited_model(revision)


SHIFT = ShiftFormat()
