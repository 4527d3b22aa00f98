"""Edits of a scene as a layer above its file, or in its file."""

from pathlib import Path
from typing import Any

from ....core.findings.sentence import Sentence
from ....core.model.scene import PhysicsScene
from ..document import Document
from ..format import Target, UnreadableError, UnwritableError, Written
from .editing import edited_by_number, write_edits
from .opening import read_stage_file
from .overs import new_layer
from .pxr_access import usd
from .reading import StageRead
from .writing import layer_bytes


def written_layer(scene: PhysicsScene, target: Target) -> Written:
    """Return the edits of a scene that was read from a USD file; raises `UnwritableError`."""
    kind = str(target.options["layer"])
    if kind not in ("above", "into"):
        raise UnwritableError(Sentence("layer is whole, above or into, not {kind}", kind=kind))
    if target.kept is None or target.kept.document.format != "usd":
        raise UnwritableError("only a scene that was read from a USD file can be a layer of edits")
    document = target.kept.document
    stage, read = opened_document(document)
    layer = edited_layer(stage, document.path, target.path, is_above=kind == "above")
    losses = write_edits(stage, layer, read, edited_by_number(read, scene))
    files = {target.path.name: layer_bytes(layer, target.path)}
    return Written(files=files, losses=tuple(losses), names_all=True)


def opened_document(document: Document, *, meters: float | None = None) -> tuple[Any, StageRead]:
    """Return the stage of a document and what it says; raises `UnwritableError`.

    `meters` replaces the stage's own length of its unit.
    """
    try:
        stage, read, _problems = read_stage_file(document.source(), meters=meters)
    except UnreadableError as error:
        raise UnwritableError(
            Sentence("{name}: {error}", name=document.path.name, error=error)
        ) from error
    return stage, read


def edited_layer(stage: Any, source: Path, path: Path, *, is_above: bool) -> Any:
    """Return the layer for edits: a new one above the root layer, or a copy of that.

    Raises `UnwritableError` where that cannot be.
    """
    root = stage.GetRootLayer()
    if not is_above:
        copy = usd().Sdf.Layer.CreateAnonymous(".usda")
        copy.TransferContent(root)
        if path.resolve().parent != source.resolve().parent:
            raise UnwritableError(
                "a file refers to others from its own folder, so its edits have to be written there"
            )
        return copy
    if path.resolve() == source.resolve():
        raise UnwritableError("a layer above a file needs a name of its own")
    if path.suffix.lower() == ".usdz":
        raise UnwritableError("a layer above a file cannot be a package; write .usda or .usdc")
    return new_layer(root, path)
