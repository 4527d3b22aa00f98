"""MJCF, the models of MuJoCo: nested bodies with joints, geoms, actuators and equalities.

Source: the XML reference of MuJoCo; the tests compare with MuJoCo itself.
"""

from typing import TYPE_CHECKING

from ..format import Read, Source, Target, Written

if TYPE_CHECKING:
    from ....core.findings.loss import Loss
    from ....core.model.scene import PhysicsScene
    from ..format import Document
    from ..revision import Revision


class MjcfFormat:
    """The format of MuJoCo's MJCF files."""

    name = "mjcf"
    label = "MuJoCo MJCF"
    suffixes = (".mjcf", ".xml")
    reading_options = ("nested", "stacked", "planes", "folder")
    writing_options = ("source",)

    def recognizes(self, head: bytes) -> bool:
        """Return whether the root element is `mujoco`."""
        from ...documents.xml_encoding import root_of

        return root_of(head) == b"mujoco"

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the model; raises `UnreadableError`.

        Options: `nested` (whether bodies are below each other), `stacked` (what becomes of several
        joints of one body: chain puts light bodies between them, combine makes one joint of hinges
        with a common anchor, which is not exact), `planes` (keep for writing MJCF only, or box),
        `folder` (a folder that meshes and included files may be in, or several).
        """
        from .reader import read_model

        return (read_model(source),)

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return the document of a scene.

        Options: `source` (keep or new).
        """
        from .writer import write_model

        return write_model(scene, target)

    def edit(self, revision: "Revision", _target: Target) -> Written:
        """Return the files with what differs; raises `UneditableError`."""
        from .editing import edited_model

        return edited_model(revision)

    def unheld(self, document: "Document") -> "tuple[Loss, ...]":
        """Return what a document says that no scene holds, a line for each kind of it."""
        from ..inventory import unheld_of
        from .held import unheld_actuators, unheld_geoms, without_unused
        from .parsing import parsed
        from .schema import HELD
        from .text import model_of

        roots = without_unused(parsed(file) for file in document.files.values())
        return (
            *unheld_of(roots, HELD, label=self.label),
            *unheld_geoms(roots, boxes=document.options.get("planes") == "box"),
            *unheld_actuators(model_of(document.source(), [], {})),
        )


MJCF = MjcfFormat()
