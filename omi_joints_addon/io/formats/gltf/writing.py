"""A scene as a glTF file."""

from typing import Any

from ....core.model.scene import PhysicsScene
from ..format import Target, UnwritableError, Written
from .container import GltfFile, file_of, glb_bytes, gltf_bytes, uris_of
from .dialect import Dialect
from .dialects import dialects_of, in_dialects
from .members import CodecError
from .reading import Carried


def write_file(scene: PhysicsScene, target: Target) -> Written:
    """Return the files of a scene; raises `UnwritableError`."""
    carried = scene.carried.get("gltf")
    file = carried.file if isinstance(carried, Carried) else None
    if file is None or not isinstance(file.document, dict):
        raise UnwritableError("only scenes that were read from glTF are written as glTF")
    _require_known(target)
    wanted = target.options.get("dialect") or dialects_of(file.document) or {Dialect.OMI}
    try:
        document, findings = in_dialects(file.document, wanted)
    except CodecError as error:
        raise UnwritableError(str(error)) from error
    chunks = file.chunks()
    if file.is_binary != (target.path.suffix.lower() == ".glb"):
        raise UnwritableError("a .glb stays a .glb, a .gltf a .gltf")
    name = target.path.name
    files = {name: glb_bytes(document, chunks) if file.is_binary else gltf_bytes(document)}
    return Written(files=files | _beside(file, target), findings=tuple(findings))


def _require_known(target: Target) -> None:
    unknown = sorted(set(target.options) - {"dialect"})
    if unknown:
        raise UnwritableError(f"glTF has no option {', '.join(unknown)}")


def _beside(file: GltfFile, target: Target) -> dict[str, bytes]:
    """Return the files that a document refers to, where it goes to another folder."""
    here, there = file.path.parent.resolve(), target.path.parent.resolve()
    if here == there:
        return {}
    found: dict[str, Any] = {uri: file_of(here, uri) for uri in uris_of(file.document)}
    return {
        str(path.relative_to(here)): path.read_bytes()
        for path in found.values()
        if path is not None and path.is_file()
    }
