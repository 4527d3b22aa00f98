"""URDF, the robot description of ROS: trees of links and joints."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ..format import Options, Read, Source, Target, Written

if TYPE_CHECKING:
    from ....core.findings.loss import Loss
    from ....core.model.scene import PhysicsScene
    from ..format import Document
    from ..revision import Revision


class UrdfFormat:
    """The format of URDF files."""

    name = "urdf"
    label = "URDF"
    suffixes = (".urdf",)
    reading_options = ("base", "nested", "bare_limits", "package", "folder")
    writing_options = ("source", "names", "meshes", "package", "carry")

    def recognizes(self, head: bytes) -> bool:
        """Return whether the root element is `robot`."""
        from ...documents.xml_encoding import root_of

        return root_of(head) == b"robot"

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the scene of a file; raises `UnreadableError`.

        Options: `base` (auto, fixed or floating), `nested` (whether bodies are below each other),
        `bare_limits` (locked or free), `package` (NAME=FOLDER, or several of them),
        `folder` (a folder that meshes may be in, or several).
        """
        from ..beside import Folders
        from .carrying import carried_of
        from .parsing import parsed_robot
        from .parts import Parts
        from .reading import SceneReader
        from .semantic import semantics_of

        text = source.text()
        robot, findings = parsed_robot(text)
        folders = Folders(source.path, source.named_folders, _packages(source.options))
        parts = Parts(folders)
        reader = SceneReader(robot, carried_of(robot), parts, source.options)
        scene = reader.scene()
        links = [link.name for link in robot.links]
        joints = [joint.name for joint in robot.joints]
        semantics = semantics_of(source.path, robot.name, links, joints, folders)
        if semantics is not None:
            scene = reader.with_semantics(scene, semantics)
        return (
            Read(
                scene=scene,
                findings=(*findings, *reader.findings),
                name=robot.name,
                files=(*parts.meshes.files, *((semantics.path,) if semantics else ())),
                document=source.document(self.name, {source.path.name: text}),
            ),
        )

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return the document of a scene."""
        from .writing import written_scene

        return written_scene(scene, target)

    def edit(self, revision: "Revision", target: Target) -> Written:
        """Return the document with what differs; raises `UneditableError`."""
        from ..beside import Folders
        from .editing import edited_robot
        from .semantic import with_semantics_edited

        source = revision.document.source()
        folders = Folders(source.path, source.named_folders, _packages(source.options))
        left, beside = with_semantics_edited(revision, folders, target.path)
        written = edited_robot(left, target)
        return written._replace(files={**written.files, **beside})

    def unheld(self, document: "Document") -> "tuple[Loss, ...]":
        """Return what a document says that no scene holds, a line for each kind of it."""
        from ..inventory import counted_unheld, unheld_of
        from .held import HELD, moments_without_mass
        from .parsing import root_of_text

        roots = [root_of_text(text) for text in document.files.values()]
        weightless = (each for root in roots for each in moments_without_mass(root))
        return (
            *unheld_of(roots, HELD, label=self.label),
            *counted_unheld(weightless, label=self.label),
        )


URDF = UrdfFormat()


def _packages(options: Options) -> dict[str, Path]:
    named = options.get("package", ())
    if isinstance(named, Mapping):
        return {str(name): Path(folder) for name, folder in named.items()}
    pairs = [str(text).partition("=") for text in ((named,) if isinstance(named, str) else named)]
    return {name: Path(folder) for name, _, folder in pairs if folder}
