"""Files of Blender as a format, read and written by a Blender of their own.

What runs here plays the user: it opens files and runs operators. Blender is imported only then.
"""

import contextlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from .files import real, scratch
from .formats.format import Options, Read, Source, Target, UnreadableError, UnwritableError, Written
from .stopping import unstopped

if TYPE_CHECKING:
    from ..core.findings.finding import Finding
    from ..core.findings.loss import Loss
    from ..core.model.mesh import Mesh, MeshData
    from ..core.model.scene import PhysicsScene

PACKAGE = __package__.rpartition(".")[0]
_COMPRESSED = (b"\x28\xb5\x2f\xfd", b"\x1f\x8b")
"""Starts of files in Zstandard, and in gzip, which Blender used before 3.0."""
_GLTF_FORMATS = {".glb": "GLB", ".gltf": "GLTF_SEPARATE"}


class BlendFormat:
    """The format of .blend files."""

    name = "blend"
    label = "Blender"
    suffixes = (".blend",)
    reading_options = ("constraints",)
    writing_options: tuple[str, ...] = ()

    def recognizes(self, head: bytes) -> bool:
        """Return whether this is a file of Blender; of all formats only it may be compressed."""
        return head.startswith((b"BLENDER", *_COMPRESSED))

    def read(self, source: Source) -> tuple[Read, ...]:
        """Return the scenes of a file, whose scripts do not run; raises `UnreadableError`.

        The option `constraints` makes joints of Rigid Body Constraints.
        """
        with blender() as bpy:
            open_blend(bpy, source.path)
            made = _joints_of_constraints(bpy) if source.options.get("constraints") else {}
            moving = importlib.import_module(f"{PACKAGE}.scene.joint_keys").moving_scene
            found = [
                (scene.name, *moving(scene, simulated=_depsgraph(bpy, scene)))
                for scene in bpy.data.scenes
            ]
            # Meshes can only be read while the file is open.
            return tuple(
                Read(
                    scene=_with_meshes(core),
                    findings=(*made.get(name, ()), *findings),
                    name=name,
                    unread=left_out(findings),
                )
                for name, core, findings in found
            )

    def write(self, scene: "PhysicsScene", target: Target) -> Written:
        """Return a file with the objects of a scene; raises `UnwritableError`."""
        if target.options:
            raise UnwritableError(f"Blender has no option {', '.join(sorted(target.options))}")
        from ..core.findings.loss import How, Loss, Noun

        with scratch() as folder, blender() as bpy:
            # Not before: importing Blender prints.
            build = importlib.import_module(f"{PACKAGE}.authoring.build").build_scene
            result = folder / target.path.name
            bpy.ops.wm.read_homefile(use_empty=True)
            title = scene.name or target.path.stem
            built = build(bpy.context, scene, name=title, sets_gravity=True)
            _call(bpy.ops.wm.save_as_mainfile, result, {"check_existing": False})
            files = {target.path.name: result.read_bytes()}
        losses = tuple(Loss("", Noun.MESH, How.LOST, problem) for problem in built.problems)
        return Written(files=files, losses=losses, names_all=True, holds_animation=True)


BLEND = BlendFormat()


def _depsgraph(bpy: Any, scene: Any) -> Any:
    """Return what evaluates the modifiers of a scene."""
    with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
        return bpy.context.evaluated_depsgraph_get()


def _joints_of_constraints(bpy: Any) -> "dict[str, list[Finding]]":
    """Make joints of the constraints of all scenes; return what of them is not exact, by scene."""
    authoring = importlib.import_module(f"{PACKAGE}.authoring.constraints")
    found = {}
    for scene in bpy.data.scenes:
        layer = scene.view_layers[0]
        with bpy.context.temp_override(scene=scene, view_layer=layer, collection=scene.collection):
            converter = authoring.ConstraintConverter(bpy.context)
            sources = [obj for obj in scene.objects if obj.rigid_body_constraint is not None]
            made = [source for source in sources if converter.convert(source) is not None]
            authoring.retire_constraints(bpy.context, made)
        layer.update()
        found[scene.name] = converter.findings
    return found


def left_out(findings: "Sequence[Finding]") -> "tuple[Loss, ...]":
    """Return what is lost where exporting or reading a scene found that it is left out."""
    from ..core.findings.loss import How, Loss
    from .lost import LOST

    return tuple(
        Loss(found.place if "/" not in found.place else "", noun, How.LOST, found.message)
        for found in findings
        if (noun := LOST.get(found.code)) is not None
    )


def _with_meshes(scene: "PhysicsScene") -> "PhysicsScene":
    """Return a scene that has read its meshes."""
    return replace(scene, meshes=tuple(map(_with_data, scene.meshes)))


def _with_data(mesh: "Mesh") -> "Mesh":
    try:
        data = mesh.read()
    except ValueError as error:
        return replace(mesh, read=partial(_unreadable, str(error)))
    return replace(mesh, read=lambda: data)


def _unreadable(problem: str) -> "MeshData":
    raise ValueError(problem)


def export_gltf(source: Path, target: Path, options: Options) -> "list[Finding]":
    """Export a .blend file by Blender's own exporter, whose options are given by name.

    The option `dialect` names dialects of physics, `for` an engine, `constraints` makes joints of
    Rigid Body Constraints. Returns what the export reports. Raises `UnreadableError` and
    `UnwritableError`.
    """
    from .formats.gltf.dialect import dialects_in
    from .formats.gltf.godot_target import require_godot
    from .hook_errors import whole

    values = {"export_format": _GLTF_FORMATS[target.suffix.lower()], **options}
    dialects = dialects_in(values)
    if "for" in values:
        require_godot(values)
    target_engine = values.pop("for", None)
    values.pop("dialect", None)
    is_constrained = values.pop("constraints", None)
    with blender() as bpy, whole() as found:
        open_blend(bpy, source)
        collection = values.get("collection") or None
        if collection is not None and collection not in bpy.data.collections:
            # Blender's exporter would write an empty file.
            raise UnwritableError(f"{source} has no collection {collection!r}")
        given = {
            "export_dialects": None if dialects is None else {each.name for each in dialects},
            "export_for": target_engine and target_engine.upper(),
            "export_constraints": is_constrained and bool(is_constrained),
        }
        for scene in bpy.data.scenes:
            for name in (name for name, value in given.items() if value is not None):
                setattr(scene.omi_gltf, name, given[name])
        _call(bpy.ops.export_scene.gltf, target, values)
    return found


def import_gltf(source: Path, target: Path, options: Options) -> "list[Finding]":
    """Import a glTF file into an empty .blend file, likewise.

    A file that refers to files outside of its folder is refused.
    """
    from .formats.gltf.container import require_inside
    from .hook_errors import whole

    if "dialect" in options:
        raise UnwritableError("--dialect applies only to glTF files")
    require_inside(source)
    with blender() as bpy, whole() as found:
        bpy.ops.wm.read_homefile(use_empty=True)
        try:
            _call(bpy.ops.import_scene.gltf, source, options)
        except UnwritableError as error:
            raise UnreadableError(str(error)) from error
        _call(bpy.ops.wm.save_as_mainfile, target, {"check_existing": False})
    return found


def is_blender_here() -> bool:
    """Return whether this Python has Blender, without starting it."""
    return "bpy" in sys.modules or importlib.util.find_spec("bpy") is not None


@contextlib.contextmanager
def blender() -> Iterator[Any]:
    """Yield the module `bpy` with the extension enabled, the file closed afterwards.

    Raises `UnreadableError` without Blender. What Blender prints meanwhile is lost, and signals
    wait: Blender crashes where its Python is interrupted.
    """
    with quiet(), unstopped():
        bpy, addon_utils = _modules()
        is_enabled = PACKAGE in bpy.context.preferences.addons
        if not is_enabled and addon_utils.enable(PACKAGE, default_set=True) is None:
            raise UnreadableError("the extension failed to start in this Blender")
        try:
            yield bpy
        finally:
            # Blender 4.5 as a module hangs at exit while classes or data of them are there.
            bpy.ops.wm.read_homefile(use_empty=True)
            if not is_enabled:
                addon_utils.disable(PACKAGE, default_set=True)


def _modules() -> tuple[Any, Any]:
    try:
        return importlib.import_module("bpy"), importlib.import_module("addon_utils")
    except ImportError as error:
        raise UnreadableError(
            "Blender is required: install the bpy module, or use blender --command"
        ) from error


def open_blend(bpy: Any, path: Path) -> None:
    """Open a .blend file without running its scripts; raises `UnreadableError`."""
    try:
        bpy.ops.wm.open_mainfile(filepath=str(real(path)), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        raise UnreadableError(one_line(error)) from error


def _call(operator: Any, path: Path, options: Options) -> None:
    """Run an operator; raises `UnwritableError` where it does not like its input or options."""
    if "filepath" in options:
        raise UnwritableError("the option filepath cannot be used; IN and OUT set it")
    try:
        operator(filepath=str(real(path)), **options)
    except (RuntimeError, TypeError, ValueError) as error:
        raise UnwritableError(one_line(error)) from error


def one_line(error: BaseException) -> str:
    """Return the last line of what Blender reports."""
    reported = str(error).strip().splitlines()
    lines = [line for line in reported if line and not line.startswith("Location: ")]
    return lines[-1].removeprefix("Error: ") if lines else type(error).__name__


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep what Blender prints out of what the command prints, also what its C code prints."""
    with contextlib.ExitStack() as stack:
        for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
            stack.enter_context(_to_nowhere(stream, number))
        yield


@contextlib.contextmanager
def _to_nowhere(stream: TextIO | None, number: int) -> Iterator[None]:
    """Send what is written to a stream nowhere; a closed one stays closed."""
    try:
        kept = os.dup(number)
    except OSError:
        yield
        return
    _flush(stream)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    try:
        yield
    finally:
        _flush(stream)
        os.dup2(kept, number)
        os.close(kept)
        os.close(nowhere)


def _flush(stream: TextIO | None) -> None:
    if stream is not None:
        stream.flush()
