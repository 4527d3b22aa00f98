"""Edits of a scene as a layer above its file, or in its file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ....core.findings.loss import Losses
from ....core.findings.sentence import Sentence
from ....core.model.scene import PhysicsScene
from ...documents.splices import UneditableError
from ...documents.usda_merging import merged_text
from ..format import Document, Kept, Target, UnreadableError, UnwritableError, Written
from .companions import companions
from .edited import StageRevision, revision_by_number
from .editing import write_edits
from .layer import layer_bytes
from .opening import read_stage_file
from .overs import new_layer
from .pxr_access import usd
from .reading import StageRead

_TEXT, _PACKAGE = b"#usda", ".usdz"


def written_layer(scene: PhysicsScene, target: Target) -> Written | None:
    """Return the edits of a scene that was read from a USD file: above it, or in a copy of it.

    None where a whole stage is to be written, as for a package whose content is to change. Raises
    `UnwritableError`.
    """
    kind, kept = _kind_and_source(target)
    if kept is None:
        return None
    document, read, is_above = kept.document, kept.read, kind == "above"
    if not is_above and read is not None and read.scene is scene:
        data = _unchanged(document.path, target.path)
        if data is not None:
            return _with_companions(data, Losses(), document.path, target.path)
    if not is_above and _PACKAGE in (document.path.suffix.lower(), target.path.suffix.lower()):
        return None
    data, losses = edited_file(
        document,
        target.path,
        lambda found: revision_by_number(document, found, scene),
        is_above=is_above,
    )
    if is_above:
        files = {target.path.name: data}
        return Written(files=files, losses=tuple(losses), names_all=True, holds_animation=True)
    return _with_companions(data, losses, document.path, target.path)


def _kind_and_source(target: Target) -> tuple[str, Kept | None]:
    """Return whether edits are to be above or into a file, and that; None for a whole stage."""
    kept, options = target.kept, target.options
    is_kept = kept is not None and kept.document.format == "usd"
    is_kept = is_kept and options.get("source", "keep") == "keep"
    kind = str(options.get("layer", "into" if is_kept else "whole"))
    if kind not in ("whole", "above", "into"):
        raise UnwritableError(Sentence("layer is whole, above or into, not {kind}", kind=kind))
    if kind != "whole" and not is_kept:
        raise UnwritableError("only a scene that was read from a USD file can be a layer of edits")
    return kind, None if kind == "whole" else kept


def edited_file(
    document: Document,
    target: Path,
    revision: Callable[[StageRead], StageRevision],
    *,
    is_above: bool,
    meters: float | None = None,
) -> tuple[bytes, Losses]:
    """Return the file that has what `revision` finds in the stage of a document, and what is lost.

    It is a layer above the document, or the document itself with its comments. `meters` replaces
    the stage's own length of its unit. Raises `UnwritableError`.
    """
    stage, read = _opened_document(document, meters=meters)
    layer = edited_layer(stage, document.path, target, is_above=is_above)
    losses = write_edits(stage, layer, read, revision(read))
    if is_above:
        return layer_bytes(layer, target), losses
    if not layer.dirty:
        data = _unchanged(document.path, target)
        return layer_bytes(layer, target) if data is None else data, losses
    return _merged(document.path, target, layer, losses), losses


def _opened_document(document: Document, *, meters: float | None) -> tuple[Any, StageRead]:
    try:
        stage, read, _problems = read_stage_file(document.source(), meters=meters)
    except UnreadableError as error:
        raise UnwritableError(
            Sentence("{name}: {error}", name=document.path.name, error=error)
        ) from error
    return stage, read


def edited_layer(stage: Any, source: Path, path: Path, *, is_above: bool) -> Any:
    """Return the layer for edits: a new one above the root layer, or that of the file.

    Raises `UnwritableError` where that cannot be.
    """
    if not is_above:
        # The root layer of the stage goes without what it may not refer to.
        return usd().Sdf.Layer.OpenAsAnonymous(str(source))
    if path.resolve() == source.resolve():
        raise UnwritableError("a layer above a file needs a name of its own")
    if path.suffix.lower() == _PACKAGE:
        raise UnwritableError("a layer above a file cannot be a package; write .usda or .usdc")
    return new_layer(stage.GetRootLayer(), path)


def _unchanged(source: Path, target: Path) -> bytes | None:
    """Return the content of a file, None where the target is a file of another form."""
    data = source.read_bytes()
    return data if _has_form(data, source, target) else None


def _has_form(data: bytes, source: Path, target: Path) -> bool:
    """Return whether a file with this content may have the name of the target."""
    one, other = source.suffix.lower(), target.suffix.lower()
    if _PACKAGE in (one, other):
        return one == other
    return other == (".usda" if data.startswith(_TEXT) else ".usdc") or other == ".usd"


def _merged(source: Path, target: Path, layer: Any, losses: Losses) -> bytes:
    """Return a layer that was edited, where it can be as the text of its file."""
    data = source.read_bytes()
    if not data.startswith(_TEXT) or not _has_form(data, source, target):
        return layer_bytes(layer, target)
    before = usd().Sdf.Layer.OpenAsAnonymous(str(source))
    wanted = layer.ExportToString()
    try:
        text = merged_text(data.decode("utf-8"), before.ExportToString(), wanted)
    except UneditableError:
        text = ""
    if not _holds(text, wanted):
        losses.converted("", "comments", "OpenUSD writes the text anew, without its comments")
        text = wanted
    return text.encode("utf-8")


def _holds(text: str, wanted: str) -> bool:
    """Return whether OpenUSD reads from a text the layer that it writes as `wanted`."""
    pxr = usd()
    layer = pxr.Sdf.Layer.CreateAnonymous(".usda")
    try:
        is_read = layer.ImportFromString(text)
    except pxr.Tf.ErrorException:
        return False
    return bool(is_read) and layer.ExportToString() == wanted


def _with_companions(data: bytes, losses: Losses, source: Path, target: Path) -> Written:
    """Return a file that goes to another folder with the files that it refers to."""
    files = {target.name: data}
    if source.resolve().parent != target.resolve().parent and source.suffix.lower() != _PACKAGE:
        others, outside = companions(source)
        files = others | files
        if outside:
            text = "{count} files that it refers to are not in its folder and are not copied"
            losses.converted("", "files", Sentence(text, count=outside))
    return Written(files=files, losses=tuple(losses), names_all=True, holds_animation=True)
