"""Files as stages, with what OpenUSD says about them as findings."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ....core.findings.sentence import Sentence
from ...files import opened, real, scratch
from ..beside import OUTSIDE, Folders
from ..format import Read, Source, UnreadableError
from .content import SUFFIXES, is_package
from .pxr_access import message_of, usd
from .reading import StageRead, read_stage
from .rules import COMPOSITION, ONLY_OVERS
from .trial import Content, Request, read_apart
from .unread import unread_losses


def read_file(source: Source) -> Read:
    """Return the scene of a USD file; raises `UnreadableError`."""
    _require_readable(source)
    with _named_as_usd(source.path) as path:
        request = Request(path, source.path, source.named_folders)
        # Not after OpenUSD is loaded here: where memory is short, already that ends a process.
        content = read_apart(request) or content_of(usd(), request)
    return Read(
        scene=content.scene,
        findings=content.findings,
        document=source.document("usd", {}),
        files=content.files,
        unread=tuple(unread_losses(content.findings)),
    )


def content_of(pxr: Any, request: Request) -> Content:
    """Return what a file says; raises `UnreadableError`."""
    stage, read, problems = _stage_of(pxr, request)
    findings = (*(COMPOSITION("", problem=problem) for problem in problems), *read.findings)
    if _is_only_overs(stage):
        findings += (ONLY_OVERS(""),)
    own = stage.GetRootLayer()
    layers = [layer.realPath for layer in stage.GetUsedLayers() if layer != own]
    return Content(read.scene, findings, tuple(Path(path) for path in layers if path))


def read_stage_file(
    source: Source, *, meters: float | None = None
) -> tuple[Any, StageRead, list[str]]:
    """Return a file as a stage, what it says and what OpenUSD finds wrong with it.

    `meters` replaces the stage's own length of its unit. Raises `UnreadableError`.
    """
    _require_readable(source)
    with _named_as_usd(source.path) as path:
        request = Request(path, source.path, source.named_folders, meters)
        read_apart(request)
        return _stage_of(usd(), request)


def _stage_of(pxr: Any, request: Request) -> tuple[Any, StageRead, list[str]]:
    diagnostics = pxr.UsdUtils.CoalescingDiagnosticDelegate()
    folders = Folders(request.document, request.folders, {})
    try:
        stage, outside = stage_within(pxr, request.path, folders)
        read = read_stage(stage, meters=request.meters)
    except pxr.Tf.ErrorException as error:
        raise UnreadableError(
            _not_utf8(request.document)
            or Sentence("cannot be read by OpenUSD: {error}", error=message_of(error))
        ) from error
    problems = [*outside, *map(_text, diagnostics.TakeUncoalescedDiagnostics())]
    return stage, read, list(dict.fromkeys(filter(None, problems)))[:20]


def _require_readable(source: Source) -> None:
    """Raise `UnreadableError` where there is not a file, or too large a one."""
    if not source.path.is_file():
        raise UnreadableError("does not exist")
    if source.path.stat().st_size > source.largest:
        raise UnreadableError(
            Sentence("is larger than {largest} MiB", largest=source.largest // 2**20)
        )


def _is_only_overs(stage: Any) -> bool:
    """Return whether a stage defines nothing: it is a layer for above another file."""
    roots = stage.GetPseudoRoot().GetAllChildren()
    return bool(roots) and not any(prim.IsDefined() for prim in roots)


def _not_utf8(path: Path) -> Sentence | None:
    """Return where a text file is not UTF-8, None for one that is and for binary files."""
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            if number == 1 and not line.startswith(b"#usda"):
                return None
            try:
                line.decode()
            except UnicodeDecodeError:
                return Sentence("line {number} is not UTF-8 text; save it as UTF-8", number=number)
    return None


@contextmanager
def _named_as_usd(path: Path) -> Iterator[Path]:
    """Yield a file under a name by which OpenUSD knows its form."""
    if path.suffix.lower() in SUFFIXES:
        yield path
        return
    from shutil import copyfile

    with opened(path) as file:
        suffix = ".usdz" if is_package(file.read(100)) else ".usd"
    with scratch() as folder:
        yield Path(copyfile(path, folder / f"scene{suffix}"))


def stage_within(pxr: Any, path: Path, folders: Folders) -> tuple[Any, list[str]]:
    """Return a stage, and what it refers to that may not be read, which it does without."""
    root = pxr.Sdf.Layer.FindOrOpen(str(path))
    kept, outside = _keep_inside(pxr, root, folders)
    stage = pxr.Usd.Stage.Open(str(path))
    # Until now, or OpenUSD would read the layers again.
    del kept
    if not stage:
        raise UnreadableError("cannot be opened by OpenUSD")
    used = {_file_of(pxr, layer.realPath) for layer in stage.GetUsedLayers() if layer.realPath}
    if not all(real(Path(name)) == real(path) or folders.hold(Path(name)) for name in used):
        # Layers of a stage may have variables that another one sets.
        raise UnreadableError("refers to files outside its folder")
    return stage, outside


def _keep_inside(pxr: Any, root: Any, folders: Folders) -> tuple[list[Any], list[str]]:
    """Take what layers refer to outside of the folders out of them; return them and what it was."""
    waiting: list[tuple[Any, dict[str, Any]]] = [(root, {})]
    layers, seen, outside = list[Any](), set[str](), list[str]()
    while waiting:
        layer, variables = waiting.pop()
        if layer is None:
            continue
        layers.append(layer)
        variables = {**layer.expressionVariables, **variables}
        # A reference within the layer has no name.
        names = filter(None, layer.GetCompositionAssetDependencies())
        known = {name: _evaluated(pxr, name, variables) for name in names}
        paths = {name: layer.ComputeAbsolutePath(value) for name, value in known.items()}
        places = {name: _file_of(pxr, path) for name, path in paths.items()}
        refused = {name for name, place in places.items() if not folders.hold(Path(place))}
        outside += [f"{name} is not read: {OUTSIDE} (option folder)" for name in sorted(refused)]
        _leave_out(pxr, layer, {known[name] for name in refused})
        for name in places.keys() - refused:
            if places[name] not in seen:
                seen.add(places[name])
                waiting.append((_layer_of(pxr, places[name], name), variables))
    return layers, outside


def _leave_out(pxr: Any, layer: Any, names: set[str]) -> None:
    """Take references to files out of a layer in memory."""
    if names:
        pxr.UsdUtils.ModifyAssetPaths(layer, lambda name: "" if name in names else name)


def _evaluated(pxr: Any, name: str, variables: Mapping[str, Any]) -> str:
    """Return what a name comes to that may be an expression of variables."""
    if not pxr.Sdf.VariableExpression.IsExpression(name):
        return name
    return str(pxr.Sdf.VariableExpression(name).Evaluate(dict(variables)).value or name)


def _file_of(pxr: Any, path: str) -> str:
    """Return the path of a file, without that of a layer in a package."""
    return str(pxr.Ar.SplitPackageRelativePathOuter(path)[0])


def _layer_of(pxr: Any, place: str, name: str) -> Any:
    """Return a layer, None where there is none or it is broken: the stage says so itself.

    Raises `UnreadableError` for a pipe: OpenUSD would wait for ever.
    """
    if not Path(place).is_file():
        if Path(place).exists():
            raise UnreadableError(
                Sentence("refers to {name}, which is not a regular file", name=name)
            )
        return None
    try:
        return pxr.Sdf.Layer.FindOrOpen(place)
    except pxr.Tf.ErrorException:
        return None


def _text(item: Any) -> str:
    try:
        text = getattr(item, "commentary", "")
    except UnicodeDecodeError as problem:
        text = problem.object.decode("utf-8", "backslashreplace")
    return " ".join(str(text).split())[:300]
