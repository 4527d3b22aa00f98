"""A glTF file as a scene."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ....core.engines.names import GODOT
from ..format import Read, Source
from .animations import read_tracks
from .container import GltfFile, file_of, read_gltf, uris_of
from .document import ALL_DIALECTS, DocumentScene, scene_from_document
from .godot_original import is_for_godot, is_written_by_godot
from .mesh_data import Buffers
from .pointers import nearest

if TYPE_CHECKING:
    from ....core.findings.loss import Loss

_UNHELD = {"animations": "animation", "cameras": "camera", "skins": "skin"}
"""Arrays of a document that no scene holds, by the word for their elements."""


class CarriedFile(NamedTuple):
    """What glTF keeps of a document for itself, so that it can be written again."""

    file: GltfFile
    read: DocumentScene

    def unheld(self) -> "tuple[Loss, ...]":
        """Return a line for each kind of thing that a scene does not hold, with its number."""
        from ....core.findings.loss import How, Loss

        document = self.file.document if isinstance(self.file.document, dict) else {}
        counts = {word: document.get(array) for word, array in _UNHELD.items()}
        return tuple(
            Loss("", word, How.LOST, "only glTF has this here", len(value))
            for word, value in counts.items()
            if isinstance(value, list) and value
        )


def read_file(source: Source) -> Read:
    """Return the scene of a file; raises `UnreadableError`."""
    file = read_gltf(source.path, largest=source.largest)
    document = file.document if isinstance(file.document, dict) else {}
    buffers = Buffers(file, document)
    found = scene_from_document(
        file.document,
        dialects=source.options.get("dialect") or ALL_DIALECTS,
        meshes=buffers.meshes(),
    )
    read = found.as_read()
    tracks, findings = read_tracks(read.scene, buffers)
    found = found._replace(scene=replace(found.scene, tracks=tracks))
    if is_for_godot(file.document) or is_written_by_godot(document):
        from .godot_target import godot_findings  # here, since most files are for all engines

        lost = {**read.engine_findings, GODOT.name: tuple(godot_findings(found))}
        read = read._replace(engine_findings=lost, judged=frozenset((GODOT.name,)))
    folder = source.path.parent
    files = (file_of(folder, uri) for uri in uris_of(document))
    return read._replace(
        scene=replace(found.scene, carried={"gltf": CarriedFile(file, found)}),
        findings=(*file.findings, *read.findings, *findings),
        files=tuple(path for path in files if path is not None),
        locate=partial(nearest, file.document),
    )
