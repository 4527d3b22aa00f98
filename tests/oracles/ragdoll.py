"""Ragdolls on bones and beside the skeleton in Godot: whether the bones move with the bodies.

Blender writes the files; `examples/ragdoll_bones.gd` moves the bones. Run by `tools/oracles.py`.
"""

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.oracles import godot

HERE = Path(__file__).resolve().parent
SCRIPT = HERE.parents[1] / "examples" / "ragdoll_bones.gd"
FILES: dict[str, dict[str, bool]] = {
    "on bones, side by side": {},
    "on bones, nested": {"is_nested": True},
    "beside the skeleton": {"is_beside": True},
}


class Fall(NamedTuple):
    """A ragdoll that fell for a second."""

    file: str
    has_script: bool
    bodies: int
    """Number of bodies that belong to a bone."""
    travel: float
    """How far the fastest body fell [m]."""
    gap: float
    """How far a bone is from its body at worst [m]."""


def is_here() -> bool:
    """Return whether Blender and Godot can be asked."""
    return godot.is_here() and importlib.util.find_spec("bpy") is not None


def falls() -> list[Fall]:
    """Return what becomes of each file in Godot, without the script and with it."""
    with TemporaryDirectory() as name, _addon():
        folder = Path(name)
        jobs = []
        for number, (file, options) in enumerate(FILES.items()):
            path = folder / f"ragdoll{number}.glb"
            _write(path, **options)
            jobs += [(file, str(path), ""), (file, str(path), f"res://{SCRIPT.name}")]
        shutil.copy(SCRIPT, folder)
        listed = [[path, script] for _, path, script in jobs]
        found = godot.results(folder, HERE / "ragdoll.gd", listed, rate=godot.DEFAULT_RATE)
    pairs = zip(jobs, found, strict=True)
    return [Fall(file, bool(script), *values) for (file, _, script), values in pairs]


@contextmanager
def _addon() -> Iterator[None]:
    import bpy  # noqa: F401, I001 - makes addon_utils importable
    import addon_utils

    addon_utils.enable("omi_joints_addon", default_set=True)
    yield
    addon_utils.disable("omi_joints_addon", default_set=True)


def _write(path: Path, *, is_nested: bool = False, is_beside: bool = False) -> None:
    import bpy

    from tests.rigs import activate, add_human

    bpy.ops.wm.read_homefile(use_empty=True)
    activate(add_human())
    bpy.ops.omi.ragdoll_add(use_beside=is_beside)
    options: Any = bpy.context.scene.omi_gltf  # type: ignore[union-attr]
    options.export_dialects, options.export_bones_nested = {"OMI"}, is_nested
    bpy.ops.export_scene.gltf(filepath=str(path))
