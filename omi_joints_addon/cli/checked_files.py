"""Checks of many files, in this process or in several."""

import argparse
import os
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..core.findings.finding import Finding
from ..io.blend import BLEND
from ..io.files import opened
from ..io.formats.checking import check
from ..io.formats.format import Read, UnreadableError
from ..io.formats.gltf import GLTF
from ..io.registry import format_for, format_of
from .engines import engine_of
from .file_report import FileReport, Reported
from .rule_choice import RuleChoice
from .sources import STANDARD, readable, source_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

_BLOCK = 2**20


class Wanted(NamedTuple):
    """What is wanted of each file."""

    choice: RuleChoice
    max_size: int
    """Text that is read at most [MiB]."""
    engine: str = ""
    """Name of the engine whose report is part of the check."""
    has_digest: bool = False
    has_lines: bool = False
    has_validator: bool = False
    """Whether Khronos' validator is asked, too."""
    is_fixed: bool = False
    """Whether files are changed where that changes nothing of what they mean."""


def reports(paths: Sequence[Path], wanted: Wanted, jobs: int) -> Generator[FileReport, None, None]:
    """Yield the report of each file, in the order of the files.

    Files of Blender and standard input are read in this process, others in `jobs` processes.
    """
    apart = [path for path in paths if path != STANDARD and format_for(path) is not BLEND]
    if min(jobs, len(apart)) < 2:
        yield from (report_of(path, wanted) for path in paths)
        return
    is_apart = set(apart)
    with closing(_reports_apart(apart, wanted, jobs)) as found:
        for path in paths:
            yield next(found) if path in is_apart else report_of(path, wanted)


def _reports_apart(
    paths: Sequence[Path], wanted: Wanted, jobs: int
) -> Generator[FileReport, None, None]:
    """Yield the report of each file from `jobs` processes.

    A process that dies breaks its pool. The first file without a report is then checked alone, and
    those after it in a new pool.
    """
    made: dict[Path, FileReport] = {}
    rest = deque(paths)
    while rest:
        if rest[0] in made:
            yield made[rest.popleft()]
            continue
        waiting = [path for path in rest if path not in made]
        with closing(_reports_of_pool(waiting, wanted, jobs)) as found:
            for path, report in found:
                made[path] = report
                while rest and rest[0] in made:
                    yield made[rest.popleft()]
        if rest:
            made[rest[0]] = _report_alone(rest[0], wanted)


def _reports_of_pool(
    paths: Sequence[Path], wanted: Wanted, jobs: int
) -> Generator[tuple[Path, FileReport], None, None]:
    """Yield files with their reports as they are made, until a process dies."""
    from concurrent.futures import as_completed
    from concurrent.futures.process import BrokenProcessPool

    with _processes(min(jobs, len(paths))) as pool, suppress(BrokenProcessPool):
        pending = {pool.submit(report_of, path, wanted): path for path in paths}
        for done in as_completed(pending):
            if not isinstance(done.exception(), BrokenProcessPool):
                yield pending[done], done.result()


def _report_alone(path: Path, wanted: Wanted) -> FileReport:
    """Return the report of a file from a process of its own, which may die."""
    for _, report in _reports_of_pool([path], wanted, 1):
        return report
    return FileReport(path=path, problem="ended the process that checked it")


@contextmanager
def _processes(count: int) -> "Iterator[Executor]":
    """Yield processes that end with the block, at once where it is left by an exception."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A copy of a process with Blender or threads in it may hang.
    pool = ProcessPoolExecutor(count, get_context("spawn"), initializer=_begin)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """End at once and silently by Ctrl+C; the process that waits for this one reports it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def processors() -> int:
    """Return the number of processors that this process may use."""
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def report_of(path: Path, wanted: Wanted) -> FileReport:
    """Check a file and return what is to be reported."""
    try:
        with readable(path) as file:
            report = _readable_report(path, file, wanted)
            digest = _digest(file) if wanted.has_digest else ""
            return _with_lines(report, file, wanted)._replace(sha256=digest)
    except UnreadableError as error:
        return FileReport(path=path, problem=str(error))
    except OSError as error:
        return FileReport(path=path, problem=error.strerror or str(error))


def _readable_report(path: Path, file: Path, wanted: Wanted) -> FileReport:
    kind = format_of(file).name
    fixed = _fix(path, wanted) if wanted.is_fixed and kind == GLTF.name else 0
    scenes = _reads(file, wanted)
    found = list(map(Reported.of, findings_in(scenes, wanted.engine)))
    if wanted.has_validator and kind == GLTF.name:
        from .khronos import validated

        found += validated(file)
    chosen = (wanted.choice.chosen(each, path) for each in found)
    return FileReport(
        path=path,
        format=kind,
        dialects=tuple(dict.fromkeys(name for read in scenes for name in read.dialects)),
        findings=tuple(each for each in chosen if each is not None),
        fixed=fixed,
    )


def _fix(path: Path, wanted: Wanted) -> int:
    """Apply the safe fixes of the findings that are asked for; return how many were fixed."""
    from .fixing import fix

    scenes = _reads(path, wanted)
    if len({name for read in scenes for name in read.dialects}) > 1:
        # What goes in one dialect would have to go in the other, where it may be elsewhere.
        return 0
    found = findings_in(scenes, "")
    return fix(path, [e for e in found if wanted.choice.chosen(Reported.of(e), path) is not None])


def _reads(file: Path, wanted: Wanted) -> tuple[Read, ...]:
    return format_of(file).read(source_of(file, argparse.Namespace(max_size=wanted.max_size)))


def findings_in(scenes: Sequence[Read], engine: str) -> list[Finding]:
    """Return all that is wrong with the scenes of a file."""
    return [found for read in scenes for found in check(read, engine_of(engine))]


def _digest(file: Path) -> str:
    import hashlib

    digest = hashlib.sha256()
    with opened(file) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _with_lines(report: FileReport, file: Path, wanted: Wanted) -> FileReport:
    """Return a report whose findings have the lines of their places."""
    if not (wanted.has_lines and any(found.place.startswith("/") for found in report.findings)):
        return report
    from .json_lines import lines_of

    lines = lines_of(file, [found.place for found in report.findings])
    found: list[Reported] = [
        each._replace(line=line) for each, line in zip(report.findings, lines, strict=True)
    ]
    return report._replace(findings=tuple(found))
