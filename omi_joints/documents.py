"""Files of every known format: read, written, checked, converted and compared."""

import errno
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from omi_joints_addon.cli.rule_list import all_rules
from omi_joints_addon.cli.tool import version
from omi_joints_addon.core.checks.scene import capped, check_scene
from omi_joints_addon.core.engines.engines import ENGINES
from omi_joints_addon.core.findings.finding import Finding, Rule
from omi_joints_addon.core.findings.loss import Loss
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io import registry
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.engine_models.comparing import verified
from omi_joints_addon.io.formats import checking
from omi_joints_addon.io.formats.format import (
    LARGEST,
    Format,
    Read,
    Source,
    Target,
    UnwritableError,
    Written,
)
from omi_joints_addon.io.formats.keeping import kept_of, written_scene
from omi_joints_addon.io.staging import OccupiedError, OutputError, staged

from .scene import Scene

AnyPath = str | os.PathLike[str]

__all__ = [
    "Converted",
    "Verified",
    "check",
    "convert",
    "read",
    "rules",
    "verify",
    "version",
    "write",
]


class Converted(NamedTuple):
    """What came of a conversion."""

    findings: tuple[Finding, ...]
    """What is wrong with the source, and what writers report."""
    losses: tuple[Loss, ...]
    """What the target does not express as the source does; empty is nothing."""
    files: tuple[Path, ...]
    """Files that were written, the target first."""


class Verified(NamedTuple):
    """How two files compare in the engines that their formats belong to."""

    findings: tuple[Finding, ...]
    """Differences in joints, their zeros and ranges, actuators, masses and colliders."""
    uncounted: tuple[str, ...]
    """What is not compared: formats that no engine here loads, and ranges of several axes."""


def read(path: AnyPath, *, largest: int = LARGEST, **options: Any) -> Scene:
    """Return the first scene of a file of any known format.

    `largest` is the text that is read at most [bytes]; `options` are those of the format, such as
    `dialect` of glTF. Raises `FileNotFoundError`, `UnreadableError`, and `TypeError` for an unknown
    option.
    """
    return Scene.of(_reads(Path(path), options, largest)[1][0].scene)


def write(
    scene: PhysicsScene,
    path: AnyPath,
    *,
    original: AnyPath | None = None,
    overwrite: bool = False,
    **options: Any,
) -> tuple[Loss, ...]:
    """Write a scene in the format of the path's suffix; return what the file does not express.

    With `original`, the file that the scene was read from, what was not edited stays as it is
    there. `options` are those of the format. Raises `UnwritableError`, `OutputError` where a file
    exists without `overwrite` or the disk refuses, and `TypeError` for an unknown option.
    """
    target, kept = Path(path), None
    row = _format_to_write(target, options)
    chosen: Mapping[str, Any] = options
    if original is not None:
        of, (first, *_) = _reads(Path(original), {}, LARGEST)
        kept, chosen = kept_of(of, first, row, options)
    written = written_scene(row, scene, Target(path=target, options=chosen, kept=kept))
    _put(written, target, inputs=(), overwrite=overwrite)
    return written.losses


def check(
    source: AnyPath | PhysicsScene, *, engine: str | None = None, largest: int = LARGEST
) -> list[Finding]:
    """Return all that is wrong or surprising in a file or in a scene.

    `engine` is a name in `ENGINES`: then what it makes of the joints is part of the report. Raises
    `FileNotFoundError`, `UnreadableError`, and `ValueError` for an unknown engine.
    """
    if engine is not None and engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r} (choose from {', '.join(ENGINES)})")
    judge = None if engine is None else ENGINES[engine]
    if isinstance(source, PhysicsScene):
        found = [*check_scene(source), *(judge.check(source) if judge else ())]
        return list(capped(found))
    _, scenes = _reads(Path(source), {}, largest)
    return [found for scene in scenes for found in checking.check(scene, judge)]


def convert(
    source: AnyPath,
    target: AnyPath,
    *,
    overwrite: bool = False,
    reading: Mapping[str, Any] | None = None,
    **options: Any,
) -> Converted:
    """Convert a file to the format of the target's suffix and return what came of it.

    `reading` are options of the source's format, `options` those of the target's. Raises
    `FileNotFoundError`, `UnreadableError` and what `write` raises.
    """
    place = Path(target)
    row = _format_to_write(place, options)
    of, (first, *_) = _reads(Path(source), reading or {}, LARGEST)
    kept, chosen = kept_of(of, first, row, options)
    written = written_scene(row, first.scene, Target(path=place, options=chosen, kept=kept))
    inputs = (Path(source), *first.files)
    files = _put(written, place, inputs=inputs, overwrite=overwrite)
    return Converted((*checking.check(first), *written.findings), written.losses, files)


def verify(source: AnyPath, target: AnyPath) -> Verified:
    """Compare two files in MuJoCo, Pinocchio or OpenUSD, whichever their formats belong to.

    Raises `UnreadableError` for a file of no known format.
    """
    before, after = ((registry.format_of(path), path) for path in (Path(source), Path(target)))
    findings, uncounted = verified(before, after)
    return Verified(tuple(findings), tuple(uncounted))


def rules() -> Mapping[str, Rule]:
    """Return every rule of the checks by its code."""
    return all_rules()


def _reads(path: Path, options: Mapping[str, Any], largest: int) -> tuple[Format, tuple[Read, ...]]:
    if not path.exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    row = registry.format_of(path)
    _require_known(options, row.reading_options, row)
    return row, row.read(Source(path=path, options=options, largest=largest))


def _format_to_write(path: Path, options: Mapping[str, Any]) -> Format:
    row = registry.format_for(path)
    if row is None:
        raise UnwritableError(f"{path} is not in a known format ({', '.join(registry.suffixes())})")
    _require_known(options, row.writing_options, row)
    return row


def _put(
    written: Written, path: Path, *, inputs: tuple[Path, ...], overwrite: bool
) -> tuple[Path, ...]:
    """Write the files of a document, all or none; return their paths, the document's first."""
    try:
        with staged(path, inputs=inputs, force=overwrite) as folder:
            write_files(folder, written.files)
    except OccupiedError as error:
        raise OutputError(f"{path} already exists; pass overwrite=True to replace it") from error
    names = sorted(written.files, key=lambda name: (name != path.name, name))
    return tuple(path.parent / name for name in names)


def _require_known(options: Mapping[str, Any], known: Collection[str], row: Format) -> None:
    unknown = ", ".join(sorted(options.keys() - set(known)))
    if unknown:
        choices = ", ".join(known) or "none"
        raise TypeError(f"unknown option {unknown} (options of {row.label}: {choices})")
