"""One conversion of a file: read, written, verified and reported."""

import argparse
import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.findings.finding import Finding, Severity
from ..core.findings.loss import How, Kind, Loss, are_worse, counted, grouped
from ..core.model.plain import JsonObject
from ..io import registry
from ..io.blend import left_out
from ..io.contents import write_files
from ..io.files import scratch
from ..io.formats.format import Format, Read, Source, Target, Written
from .errors import CommandError
from .file_report import Reported, amounts, plural
from .outputs import Output
from .reports.json_report import reported_to_json
from .sources import STANDARD, source_of
from .terminal import json_text, printable, say, working
from .tool import NAME, version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.model.scene import PhysicsScene


class Conversion:
    """One run of the command; raises `CommandError`, `UnreadableError` and `UnwritableError`."""

    def __init__(self, path: Path, options: argparse.Namespace) -> None:
        self._path = path
        self._options = options
        self._pairs = list(map(_option, options.option))
        self._values: dict[str, Any] = {}
        """Options of writing."""
        if options.dialect is not None:
            self._values["dialect"] = options.dialect
        if options.for_ is not None:
            self._values["for"] = options.for_
        if options.constraints:
            self._pairs.append(("constraints", True))
        # Where OUT is -, a file of this name is what goes there.
        self._target = named_target(options)
        self._output = Output(options.target, inputs=(path,), force=options.force)
        found = registry.format_for(self._target)
        if found is None:
            known = ", ".join(registry.suffixes())
            raise CommandError(f"{self._target} is not in a known format ({known})")
        self._wanted = found

    def run(self) -> int:
        """Read, write and report; return the exit code."""
        kind = registry.format_of(self._path)
        direct = registry.DIRECT.get((kind.name, self._wanted.name))
        if self._options.close_loops:
            direct = None
        source = self._source(kind)
        self._choose(kind, is_direct=direct is not None)
        if direct is None:
            return self._through_scene(kind, source)
        if self._options.stop_on_errors and self._print_report(_checked(kind.read(source))):
            return 1
        if self._options.target == STANDARD:
            raise CommandError(f"Blender can only write {self._target.suffix} to a file; name OUT")
        try:
            return self._direct(direct)
        except _RefusedError as refused:
            self._print_report([], refused.losses)
            return self._refuse(refused.losses)

    def _direct(self, direct: registry.Convert) -> int:
        """Have Blender's own exporter or importer write; raises `_RefusedError`."""
        with self._output.folder() as folder, working(f"writing {self._target.name}"):
            found = direct(self._path, folder / self._target.name, self._values)
            losses = left_out(found)
            if self._is_refused(losses):
                raise _RefusedError(losses)
            names = [path.name for path in folder.iterdir()]
        reads = self._wanted.read(_unlimited(self._target))
        self._print_written(names, reads[0].scene)
        return self._print_report(_checked(reads), losses, names=names)

    def _is_refused(self, losses: "Sequence[Loss]") -> bool:
        level = self._options.fail_on
        return level is not None and are_worse(losses, Kind[level.upper()])

    def _refuse(self, losses: "Sequence[Loss]") -> int:
        """Say what keeps the file from being written; return the exit code."""
        kind = Kind[self._options.fail_on.upper()]
        say(printable(_refusal(self._target.name, losses, kind)))
        return 1

    def _source(self, kind: Format) -> Source:
        """Return the file with what the options ask of reading it."""
        source = source_of(self._path, argparse.Namespace(max_size=self._options.max_size))
        named = [str(value) for name, value in self._pairs if _is_folder(name, value)]
        # What both have is for writing.
        names = {*kind.reading_options} - {*self._wanted.writing_options, "package"}
        asked: dict[str, Any] = {name: value for name, value in self._pairs if name in names}
        asked |= {"package": named} if named else {}
        if "folder" in kind.reading_options:
            asked["folder"] = [str(value) for name, value in self._pairs if name == "folder"]
        folders = tuple(Path(text.partition("=")[2]) for text in named)
        return source._replace(options=asked, folders=folders)

    def _choose(self, kind: Format, *, is_direct: bool) -> None:
        """Take the options of writing; raises `CommandError` for those that nobody knows.

        Blender's exporter and importer have options of their own, which they check themselves.
        """
        reading, writing = kind.reading_options, self._wanted.writing_options
        for name, value in self._pairs:
            if is_direct or (name in writing and not _is_folder(name, value)):
                self._values.setdefault(name, value)
            elif name not in reading and not _is_folder(name, value):
                known = ", ".join(dict.fromkeys((*reading, *writing))) or "none"
                words = f"from {kind.label} to {self._wanted.label}: {known}"
                raise CommandError(f"unknown option {name} (options {words})")

    def _through_scene(self, kind: Format, source: Source) -> int:
        from ..io.formats.keeping import kept_of, written_scene

        with working(f"reading {self._path.name}"):
            reads = kind.read(source)
            found = _checked(reads[:1])
        if self._options.stop_on_errors and _has_errors(found):
            return self._print_report(found)
        self._output.inputs = (self._path, *reads[0].files)
        scene = reads[0].scene
        if self._options.close_loops:
            scene = _closed(scene, self._options.source)
        kept, values = kept_of(kind, reads[0], self._wanted, self._values)
        target = Target(path=self._target, options=values, kept=kept)
        with working(f"writing {self._target.name}"):
            written = written_scene(self._wanted, scene, target)
        losses = [*_left_out(reads[1:]), *self._unread(kind, reads[0]), *written.losses]
        is_refused = self._is_refused(losses)
        verified, is_open = (
            self._verified(kind, source, written) if self._options.verify else ([], False)
        )
        names: Sequence[str] = ()
        if not is_refused:
            self._output.write_all(written.files, self._target.name)
            names = list(written.files)
            self._print_written(names, scene)
        code = self._print_report([*found, *written.findings, *verified], losses, names=names)
        return self._refuse(losses) if is_refused else int(code or is_open)

    def _unread(self, kind: Format, read: Read) -> "Sequence[Loss]":
        """Return what is not read of a file that its own format keeps as it is."""
        return () if kind is self._wanted or read.document is not None else read.unread

    def _verified(
        self, kind: Format, source: Source, written: Written
    ) -> tuple[list[Finding], bool]:
        """Return how the file differs from the source in engines, and whether --strict fails."""
        from ..io.engine_models.comparing import verified

        with scratch() as folder:
            write_files(folder, written.files)
            place = folder / self._target.name
            found, uncounted = verified(
                (kind, source.path), (self._wanted, place), source.named_folders
            )
        if uncounted:
            say(f"not verified: {'; '.join(uncounted)}")
        return found, bool(uncounted) and self._options.fail_on is not None

    def _print_written(self, names: "Sequence[str]", scene: "PhysicsScene") -> None:
        """Print which files were written and how much is in them."""
        options = self._options
        if options.quiet or options.report == "json" or options.target == STANDARD:
            return
        more = f" and {plural(len(names) - 1, 'file')} beside it" if len(names) > 1 else ""
        text = f"{self._target}{more}: {amounts(scene)}"
        sys.stdout.write(f"wrote {printable(text)}\n")
        sys.stdout.flush()

    def _print_report(
        self,
        findings: "Sequence[Finding]",
        losses: "Sequence[Loss]" = (),
        *,
        names: "Sequence[str]" = (),
    ) -> int:
        """Print what is wrong and what is lost; return the exit code."""
        if self._options.report == "json":
            text = json_text(_report(findings, losses, sorted(names)))
            if self._options.target == STANDARD:
                # Beside a file on standard output there is no room for it.
                say(text)
            else:
                sys.stdout.write(text + "\n")
        else:
            for found in findings:
                if found.severity != Severity.INFO:
                    say(printable(f"{self._options.source}: {found}"))
            for line in grouped(losses):
                say(printable(f"{self._options.source}: {line}"))
        return int(_has_errors(findings))


class _RefusedError(Exception):
    """A file that is not written, since something would be lost."""

    def __init__(self, losses: "Sequence[Loss]") -> None:
        super().__init__()
        self.losses = losses


def _closed(scene: "PhysicsScene", source: Path) -> "PhysicsScene":
    """Return a scene whose loops are closed as far as they can be, and print how far."""
    from ..core.rewrite.loops import close_loops

    closed = close_loops(scene)
    if closed.before > closed.after or not closed.is_closed:
        state = "" if closed.is_closed else ", not closed"
        text = f"loops: largest gap {closed.before:.3g} to {closed.after:.3g} m or rad{state}"
        say(f"{printable(str(source))}: {text}")
    return closed.scene


def named_target(options: argparse.Namespace) -> Path:
    """Return the file to write; for standard output one that has its format's suffix.

    Raises `CommandError` where nothing names that format.
    """
    target: Path = options.target
    if target != STANDARD:
        return target
    if not options.to:
        raise CommandError("use --to to choose the format for standard output, such as --to glb")
    return Path(f"scene.{options.to.removeprefix('.')}")


def _is_folder(name: str, value: object) -> bool:
    """Return whether an option is NAME=FOLDER of a package of meshes."""
    return name == "package" and "=" in str(value)


def _option(text: str) -> tuple[str, Any]:
    """Return name and value of an option; text unless it is a Python literal."""
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise CommandError(f"option {text!r} is not NAME=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return name, value


def _unlimited(path: Path) -> Source:
    return Source(path=path, largest=path.stat().st_size + 1)


def _checked(reads: "Sequence[Read]") -> list[Finding]:
    from ..io.formats.checking import check

    return [found for read in reads for found in check(read)]


def _has_errors(findings: "Sequence[Finding]") -> bool:
    return any(found.severity == Severity.ERROR for found in findings)


def _left_out(reads: "Sequence[Read]") -> list[Loss]:
    """Return the losses of further scenes of a file."""
    text = "only the first scene in the file is converted"
    return [Loss(read.name, "scene", How.LOST, text) for read in reads]


def _refusal(name: str, losses: "Sequence[Loss]", level: Kind) -> str:
    """Return why a file was not written, and how to write it all the same."""
    counts = counted(loss for loss in losses if are_worse([loss], level))
    words = {Kind.CHANGED: "changed value", Kind.KEPT: "value", Kind.LOOKS: "value"}
    ends = {Kind.CHANGED: "", Kind.KEPT: " kept aside", Kind.LOOKS: " of looks only"}
    amounts = [f"{plural(count, words[kind])}{ends[kind]}" for kind, count in counts.items()]
    option = "--strict" if level == Kind.CHANGED else f"--fail-on {level.name.lower()}"
    return (
        f"{name} was not written: {', '.join(amounts)}; leave out {option} to write it with the "
        "differences above, or use a format that has these values"
    )


def _report(
    findings: "Sequence[Finding]", losses: "Sequence[Loss]", names: "Sequence[str]"
) -> JsonObject:
    return {
        "tool": {"name": NAME, "version": version()},
        "written": names,
        "findings": [reported_to_json(Reported.of(found)) for found in findings],
        "losses": [
            {
                "kind": str(loss.kind),
                "place": loss.place,
                "noun": loss.noun,
                "how": str(loss.how),
                "number": loss.number,
                "text": loss.text,
                "advice": loss.advice,
            }
            for loss in losses
        ],
    }
