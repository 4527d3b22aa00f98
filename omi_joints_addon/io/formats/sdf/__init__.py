"""SDF (SDFormat), the description of models and worlds of Gazebo and Drake."""

from typing import TYPE_CHECKING

from ..format import Read, Source, Target, Written

if TYPE_CHECKING:
    from ....core.findings.loss import Loss
    from ....core.model.scene import PhysicsScene
    from ..format import Document
    from ..revision import Revision


class SdfFormat:
    """The format of SDF files."""

    name = "sdf"
    label = "SDF"
    suffixes = (".sdf", ".world")
    reading_options = ("folder",)
    writing_options = ("source", "sdf_version")

    def recognizes(self, head: bytes) -> bool:
        """Return whether the root element is `sdf`."""
        from ...documents.xml_encoding import root_of

        return root_of(head) == b"sdf"

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the scenes of a file, one for each world; raises `UnreadableError`.

        Options: `folder` (a folder that models may be in).
        """
        from .reading import read_document

        return read_document(source)

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return the document of a scene."""
        from .writing import written_scene

        return written_scene(scene, target)

    def edit(self, revision: "Revision", _target: Target) -> Written:
        """Return the document with what differs; raises `UneditableError`."""
        from .editing import edited_document

        return edited_document(revision)

    def unheld(self, document: "Document") -> "tuple[Loss, ...]":
        """Return what a document says that no scene holds, a line for each kind of it."""
        from ...documents.xml_source import XmlSource
        from ..inventory import counted_unheld
        from .held import unheld_elements

        roots = (XmlSource(text).root for text in document.files.values())
        found = (each for root in roots for each in unheld_elements(root))
        return counted_unheld(found, label=self.label)


SDF = SdfFormat()
