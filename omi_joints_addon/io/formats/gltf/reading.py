"""A glTF file as a scene."""

from dataclasses import replace

from ..format import Read, Source
from .container import file_of, read_gltf, uris_of
from .dialects import Dialect, in_omi, without_dialects
from .document import scene_from_document


def read_file(source: Source) -> Read:
    """Return the scene of a file; raises `UnreadableError`."""
    file = read_gltf(source.path, largest=source.largest)
    wanted = source.options.get("dialect") or frozenset(Dialect)
    document, findings = in_omi(without_dialects(file.document, frozenset(Dialect) - wanted))
    read = scene_from_document(document)
    folder = source.path.parent
    found = (file_of(folder, uri) for uri in uris_of(file.document))
    return Read(
        scene=replace(read.scene, carried={"gltf": file}),
        findings=(*file.findings, *findings, *read.findings),
        files=tuple(path for path in found if path is not None),
    )
