"""Files as stages, with what OpenUSD says about them as findings."""

from pathlib import Path
from typing import Any

from ....core.findings.sentence import Sentence
from ..format import Read, Source, UnreadableError
from .pxr_access import said_by, usd
from .reading import StageRead, read_stage
from .rules import COMPOSITION


def read_file(source: Source) -> Read:
    """Return the scene of a USD file; raises `UnreadableError`."""
    read, problems = read_stage_file(source)
    findings = (*(COMPOSITION("", problem=problem) for problem in problems), *read.findings)
    return Read(scene=read.scene, findings=findings)


def read_stage_file(source: Source) -> tuple[StageRead, list[str]]:
    """Return what a file says and what OpenUSD finds wrong with it; raises `UnreadableError`."""
    if not source.path.is_file():
        raise UnreadableError("does not exist")
    if source.path.stat().st_size > source.largest:
        raise UnreadableError(
            Sentence("is larger than {largest} MiB", largest=source.largest // 2**20)
        )
    pxr = usd()
    diagnostics = pxr.UsdUtils.CoalescingDiagnosticDelegate()
    try:
        stage = _opened(pxr, source)
        read = read_stage(stage)
    except pxr.Tf.ErrorException as error:
        raise UnreadableError(
            Sentence("cannot be read by OpenUSD: {error}", error=said_by(error))
        ) from error
    problems = [_text(item) for item in diagnostics.TakeUncoalescedDiagnostics()]
    return read, list(dict.fromkeys(filter(None, problems)))[:20]


def _opened(pxr: Any, source: Source) -> Any:
    _require_files(pxr, pxr.Sdf.Layer.FindOrOpen(str(source.path)))
    stage = pxr.Usd.Stage.Open(str(source.path))
    if not stage:
        raise UnreadableError("cannot be opened by OpenUSD")
    return stage


def _require_files(pxr: Any, root: Any) -> None:
    """Raise `UnreadableError` where layers refer to a pipe: OpenUSD would wait for ever."""
    waiting, seen = [root], set[str]()
    while waiting:
        layer = waiting.pop()
        # A reference within the layer has no name.
        names = filter(None, layer.GetCompositionAssetDependencies() if layer else ())
        places = {layer.ComputeAbsolutePath(name): name for name in names}
        for place in places.keys() - seen:
            seen.add(place)
            if Path(place).is_file():
                waiting.append(_layer_of(pxr, place))
            elif Path(place).exists():
                raise UnreadableError(
                    Sentence("refers to {name}, which is not a regular file", name=places[place])
                )


def _layer_of(pxr: Any, place: str) -> Any:
    """Return a layer, None where it is broken: the stage says so itself."""
    try:
        return pxr.Sdf.Layer.FindOrOpen(place)
    except pxr.Tf.ErrorException:
        return None


def _text(item: Any) -> str:
    text = getattr(item, "commentary", "")
    return " ".join(str(text).split())[:300]
