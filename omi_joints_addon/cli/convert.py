"""Convert between Blender and glTF files, with joints and bodies.

The endings of the files say the direction: .blend to .glb or .gltf, or back. Options of Blender's
glTF exporter or importer are given by their Python names, as often as needed. What the exporter
says about joints goes to stderr. Needs Blender.

The dialects to write physics in are omi (OMI_physics_joint, OMI_physics_body, OMI_physics_shape)
and khr (KHR_physics_rigid_bodies, KHR_implicit_shapes). With them a .glb is converted to a .glb and
a .gltf to a .gltf as well, all but physics kept as it is; that needs no Blender.

Exit code: 0 where the file is written, 1 where a joint has an error (the file is written all the
same, unless with --stop-on-errors), 2 where it could not be written.

examples:
  convert door.blend door.glb
  convert door.glb door.blend
  convert door.blend door.gltf --option export_yup=False --option use_selection=True
  convert door.blend both.glb --dialect omi,khr
  convert khronos.glb godot.glb --dialect omi
"""

import argparse
import ast
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..core.findings.finding import Finding, Severity
from ..io.formats.gltf.container import UnreadableError, read_gltf
from ..io.formats.gltf.dialects import Dialect
from .blender import blender, one_line, open_blend
from .dialects import add_dialect_argument, translate
from .errors import CommandError
from .sources import findings_in

NAME = "convert"
Dialects = frozenset[Dialect] | None
Convert = Callable[[Any, Path, Path, dict[str, Any], Dialects], None]
_MEBIBYTE = 2**20
_FORMATS = {".glb": "GLB", ".gltf": "GLTF_SEPARATE"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("source", type=Path, metavar="IN", help=".blend, .glb or .gltf")
    parser.add_argument("target", type=Path, metavar="OUT", help=".glb, .gltf or .blend")
    parser.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="option of Blender's glTF exporter or importer, such as export_apply=True",
    )
    add_dialect_argument(parser, help="dialects of physics to write: omi, khr or omi,khr")
    parser.add_argument(
        "-f", "--force", action="store_true", help="write over a file that is there"
    )
    parser.add_argument(
        "--stop-on-errors",
        action="store_true",
        help="write nothing where the check finds an error in IN",
    )
    parser.set_defaults(max_size=256)


def run(options: argparse.Namespace) -> int:
    """Convert the file and return the exit code."""
    source, target = options.source, options.target
    convert = _direction(source, target, options.dialect)
    if target.exists() and not options.force:
        raise CommandError(f"{target} is there already; --force writes over it")
    if not target.parent.is_dir():
        raise CommandError(f"{target.parent} is no folder")
    if options.stop_on_errors and _report(source):
        return 1
    try:
        if convert is None:
            _tell(source, translate(source, target, options))
        else:
            _run_blender(convert, options)
    except UnreadableError as error:
        raise CommandError(f"{source}: {error}") from error
    if not target.is_file():
        raise CommandError(f"Blender has not written {target}")
    return _report(target)


def _run_blender(convert: Convert, options: argparse.Namespace) -> None:
    """Convert by Blender; raises `UnreadableError` and `CommandError`."""
    values = dict(map(_option, options.option))
    with blender() as bpy:
        convert(bpy, options.source.resolve(), options.target.resolve(), values, options.dialect)


def _direction(source: Path, target: Path, dialects: Dialects) -> Convert | None:
    """Return what converts between the files in Blender, None where that is not needed."""
    ends = source.suffix.lower(), target.suffix.lower()
    if ends[0] == ".blend" and ends[1] in _FORMATS:
        return _export
    if ends[0] in _FORMATS and ends[1] == ".blend":
        return _import
    if ends[0] == ends[1] and ends[0] in _FORMATS and dialects is not None:
        return None
    raise CommandError(
        f"cannot convert {source.name} to {target.name}; one must end in .blend, "
        "or both alike with --dialect given"
    )


def _export(
    bpy: Any, source: Path, target: Path, values: dict[str, Any], dialects: Dialects
) -> None:
    open_blend(bpy, source)
    if dialects is not None:
        for scene in bpy.data.scenes:
            scene.omi_gltf.export_dialects = {dialect.name for dialect in dialects}
    values = {"export_format": _FORMATS[target.suffix.lower()]} | values
    _call(bpy.ops.export_scene.gltf, filepath=str(target), **values)


def _import(
    bpy: Any, source: Path, target: Path, values: dict[str, Any], dialects: Dialects
) -> None:
    if dialects is not None:
        raise CommandError("--dialect says what glTF files are written in")
    read_gltf(source)
    bpy.ops.wm.read_homefile(use_empty=True)
    _call(bpy.ops.import_scene.gltf, filepath=str(source), **values)
    _call(bpy.ops.wm.save_as_mainfile, filepath=str(target), check_existing=False)


def _call(operator: Any, **values: Any) -> None:
    """Run an operator; raises `CommandError` where it does not like its input or options."""
    try:
        operator(**values)
    except (RuntimeError, TypeError) as error:
        raise CommandError(one_line(error)) from error


def _option(text: str) -> tuple[str, Any]:
    """Return name and value of an option; what is no Python literal is text."""
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise CommandError(f"option {text!r} is not NAME=VALUE")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def _report(path: Path) -> int:
    """Tell what is wrong with the joints in a file; return the exit code."""
    size = path.stat().st_size if path.is_file() else 0
    options = argparse.Namespace(max_size=size // _MEBIBYTE + 1, dialect=None)
    try:
        found = findings_in(path, options)
    except UnreadableError as error:
        raise CommandError(f"{path}: {error}") from error
    _tell(path, found)
    return int(any(item.severity == Severity.ERROR for item in found))


def _tell(path: Path, findings: list[Finding]) -> None:
    for item in findings:
        if item.severity != Severity.INFO:
            sys.stderr.write(f"{path}: {item}\n")
