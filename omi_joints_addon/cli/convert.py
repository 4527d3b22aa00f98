"""Convert a file of any known format to any other, with joints and bodies.

The content of IN and the ending of OUT determine their formats. The file - is standard input or
output; --to is the format of standard output. Whatever the target cannot express exactly is listed
on stderr: converted (expressed differently), carried (only this program reads it) or lost.

Between .blend and glTF, Blender's own exporter and importer are used, with materials and
animations; this requires Blender. Their options are given by their Python names, repeatedly.

The glTF dialects of physics are omi (OMI_physics_joint, OMI_physics_body,
OMI_physics_shape) and khr (KHR_physics_rigid_bodies, KHR_implicit_shapes).

Exit code: 0 if the file is written, 1 if a joint has an error (the file is still written, unless
--stop-on-errors is given), --verify finds a difference, or --strict or --fail-on refuses, 2 if the
file cannot be written.

examples:
  convert door.blend door.glb
  convert door.glb door.blend
  convert door.blend door.gltf --option export_yup=False --option use_selection=True
  convert door.blend both.glb --dialect omi,khr
  convert khronos.glb omi.glb --dialect omi --strict
  convert door.blend door.glb --for godot
"""

import argparse
import ast
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.findings.finding import Finding, Severity
from ..core.findings.loss import LEVELS, How, Loss, are_worse, grouped
from ..core.model.plain import JsonObject
from ..io import registry
from ..io.collector import without_collections
from ..io.files import scratch
from ..io.formats.document import Kept
from ..io.formats.format import (
    Format,
    Read,
    Source,
    Target,
    UnreadableError,
    UnwritableError,
    Written,
)
from ..io.formats.inventory import Inventoried
from .errors import CommandError
from .file_report import Reported
from .outputs import Output, add_force_argument
from .reports.json_report import reported_to_json
from .sources import (
    KINDS,
    STANDARD,
    add_dialect_argument,
    add_size_argument,
    readable,
    source_of,
)
from .terminal import printable, say, working

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..core.model.scene import PhysicsScene


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", type=Path, metavar="IN", help=KINDS)
    parser.add_argument(
        "target",
        type=Path,
        metavar="OUT",
        help=f"file to write ({', '.join(registry.suffixes())}), or - for standard output",
    )
    parser.add_argument("--to", metavar="SUFFIX", help="format to write to standard output: glb, …")
    parser.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=(
            "option of the format or of Blender's glTF exporter or importer, for example "
            "export_apply=True"
        ),
    )
    add_dialect_argument(parser, help="glTF dialects to write: omi, khr or omi,khr")
    parser.add_argument(
        "--for",
        dest="for_",
        choices=("godot",),
        help=(
            "write glTF for one engine's importer instead of following the specification: godot "
            "(Godot 4); only that engine will read it correctly"
        ),
    )
    add_force_argument(parser)
    _add_conditions(parser)
    parser.add_argument(
        "--report", choices=("text", "json"), default="text", help="format of the report"
    )
    add_size_argument(parser)


def _add_conditions(parser: argparse.ArgumentParser) -> None:
    """Add when nothing is written, and what is done before."""
    parser.add_argument(
        "--stop-on-errors",
        action="store_true",
        help="write nothing if the check finds an error in IN",
    )
    parser.add_argument(
        "--fail-on",
        choices=[str(how) for how in LEVELS],
        help=(
            "write nothing if the report has a line of this kind or a graver one: lost, carried "
            "(only this program reads it) or converted (expressed differently)"
        ),
    )
    parser.add_argument(
        "--strict",
        dest="fail_on",
        action="store_const",
        const=str(How.CARRIED),
        help="write nothing if other programs would miss anything; the same as --fail-on carried",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help=(
            "load IN and OUT with MuJoCo, Pinocchio or OpenUSD, whichever their formats belong "
            "to, and compare joints, degrees of freedom, controls, bodies and mass"
        ),
    )
    parser.add_argument(
        "--close-loops",
        action="store_true",
        help="move bodies along their joints until all loops close",
    )


def run(options: argparse.Namespace) -> int:
    """Convert the file and return the exit code."""
    try:
        with without_collections(), readable(options.source) as path:
            return _Conversion(path, options).run()
    except UnreadableError as error:
        raise CommandError(f"{options.source}: {error}") from error
    except UnwritableError as error:
        raise CommandError(f"{_named_target(options)}: {error}") from error


class _Conversion:
    """One run of the command."""

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
        # Where OUT is -, a file of this name is what goes there.
        self._target = _named_target(options)
        self._output = Output(options.target, inputs=(path,), force=options.force)
        found = registry.format_for(self._target)
        if found is None:
            known = ", ".join(registry.suffixes())
            raise CommandError(f"{self._target} is not in a known format ({known})")
        self._wanted = found

    def run(self) -> int:
        """Read, write and tell; return the exit code."""
        kind = registry.format_of(self._path)
        direct = registry.DIRECT.get((kind.name, self._wanted.name))
        if self._options.close_loops:
            direct = None
        source = self._source(kind)
        self._choose(kind, is_direct=direct is not None)
        if direct is None:
            return self._through_scene(kind, source)
        if self._options.stop_on_errors and self._tell(_checked(kind.read(source))):
            return 1
        if self._options.target == STANDARD:
            raise CommandError(f"Blender can only write {self._target.suffix} to a file; name OUT")
        with self._output.folder() as folder, working(f"writing {self._target.name}"):
            direct(self._path, folder / self._target.name, self._values)
        return self._tell(_checked(self._wanted.read(_unlimited(self._target))))

    def _source(self, kind: Format) -> Source:
        """Return the file with what the options ask of reading it."""
        source = source_of(self._path, argparse.Namespace(max_size=self._options.max_size))
        named = [str(value) for name, value in self._pairs if _is_folder(name, value)]
        # What both have is for writing.
        names = {*kind.reading_options} - {*self._wanted.writing_options, "package"}
        asked: dict[str, Any] = {name: value for name, value in self._pairs if name in names}
        asked |= {"package": named} if named else {}
        folders = tuple(Path(text.partition("=")[2]) for text in named)
        return replace(source, options=asked, folders=folders)

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
        from ..io.formats.keeping import written_scene

        with working(f"reading {self._path.name}"):
            reads = kind.read(source)
            found = _checked(reads[:1])
        if self._options.stop_on_errors and _has_errors(found):
            return self._tell(found)
        self._output.inputs = (self._path, *reads[0].files)
        scene = reads[0].scene
        if self._options.close_loops:
            scene = _closed(scene, self._options.source)
        target = Target(path=self._target, options=self._values, kept=self._kept(kind, reads[0]))
        with working(f"writing {self._target.name}"):
            written = written_scene(self._wanted, scene, target)
        losses = [*_left_out(reads[1:]), *written.losses]
        level = self._options.fail_on
        is_refused = level is not None and are_worse(losses, How(level))
        verified = self._verified(kind, written) if self._options.verify else []
        if not is_refused:
            self._write(written)
        code = self._tell([*found, *written.findings, *verified], losses)
        return 1 if is_refused else code

    def _verified(self, kind: Format, written: Written) -> list[Finding]:
        """Return how what other engines find in the file differs from what is in the source."""
        from ..io.engine_counts import verified

        with scratch() as folder:
            _write_into(folder, written.files)
            place = folder / self._target.name
            found, uncounted = verified((kind, self._path), (self._wanted, place))
        if uncounted:
            say(f"not verified: no engine here counts {' or '.join(uncounted)}")
        return found

    def _kept(self, kind: Format, read: Read) -> Kept | None:
        """Return the document to change; an option of how to write asks for a new one."""
        is_same = kind is self._wanted
        asks_anew = bool(self._values.keys() - {"source", "carry", "layer"})
        if read.document is None:
            return None
        if is_same and asks_anew:
            self._values["source"] = "new"
        unheld = read.unread
        if isinstance(kind, Inventoried) and not is_same:
            unheld = kind.unheld(read.document)
        return Kept(document=read.document, read=read, unheld=unheld)

    def _write(self, written: Written) -> None:
        self._output.write_all(written.files, self._target.name)

    def _tell(self, findings: "Sequence[Finding]", losses: "Sequence[Loss]" = ()) -> int:
        """Tell what is wrong and what is lost; return the exit code."""
        if self._options.report == "json":
            text = json.dumps(_report(findings, losses), indent=2)
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


def _closed(scene: "PhysicsScene", source: Path) -> "PhysicsScene":
    """Return a scene whose loops are closed as far as they can be, and tell how far."""
    from ..core.rewrite.loops import close_loops

    closed = close_loops(scene)
    if closed.before > closed.after or not closed.is_closed:
        state = "" if closed.is_closed else ", not closed"
        text = f"loops: largest gap {closed.before:.3g} to {closed.after:.3g} m or rad{state}"
        say(f"{printable(str(source))}: {text}")
    return closed.scene


def _named_target(options: argparse.Namespace) -> Path:
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
    """Return name and value of an option; what is no Python literal is text."""
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise CommandError(f"option {text!r} is not NAME=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return name, value


def _write_into(folder: Path, files: "Mapping[str, bytes]") -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


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


def _report(findings: "Sequence[Finding]", losses: "Sequence[Loss]") -> JsonObject:
    return {
        "findings": [reported_to_json(Reported.of(found)) for found in findings],
        "losses": [
            {"place": loss.place, "noun": loss.noun, "how": str(loss.how), "text": loss.text}
            for loss in losses
        ],
    }
