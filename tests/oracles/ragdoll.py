"""Ragdolls in Godot and in Babylon.js with Havok: whether bones and skin move with the bodies.

Blender writes the files. In Godot `examples/ragdoll_bones.gd` moves the bones; Babylon.js does so
itself. Run by `tools/oracles.py`.
"""

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import omi_joints
from tests.oracles import godot, havok
from tests.oracles.files import Job

HERE = Path(__file__).resolve().parent
SCRIPT = HERE.parents[1] / "examples" / "ragdoll_bones.gd"
FILES: dict[str, dict[str, Any]] = {
    "on bones, side by side": {},
    "on bones, nested": {"is_nested": True},
    "beside the skeleton": {"is_beside": True},
    "a rig as of MMD": {"rig": "mmd"},
    "a rig as of Auto-Rig Pro": {"rig": "auto_rig"},
    "a rig as of Auto-Rig Pro, beside it": {"rig": "auto_rig", "is_beside": True},
    "a rig of Mixamo, scaled by 0.01": {"rig": "mixamo"},
}
SKINNED = {name: each for name, each in FILES.items() if not each.keys() & {"is_beside", "rig"}}
"""Bodies beside the skeleton carry no skin until a script moves the bones."""


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


class Swing(NamedTuple):
    """A ragdoll that hung from its hips for a while."""

    file: str
    bodies: int
    """Number of bodies that carry vertices."""
    travel: float
    """How far the fastest vertex of the skin went [m]."""
    gap: float
    """How far a vertex is at worst from where its body has carried it [m]."""
    reported: list[str]
    """Codes of what the check warns of."""


def has_havok() -> bool:
    """Return whether Blender and Havok can be asked."""
    return havok.is_here() and importlib.util.find_spec("bpy") is not None


def swings() -> list[Swing]:
    """Return what becomes of the skin in Babylon.js with Havok."""
    with TemporaryDirectory() as name, _addon():
        jobs, reported = [], []
        for number, options in enumerate(SKINNED.values()):
            path = Path(name) / f"ragdoll{number}.glb"
            _write(path, dialect="KHR", held="mixamorig:Hips", **options)
            jobs.append(Job(path, (0.0, 0.0, -9.81), (1.5,)))
            warned = (each for each in omi_joints.check(path) if each.severity == "warning")
            reported.append(sorted({each.code.removeprefix("OMI-") for each in warned}))
        found = [each.get("skin", (0, 0.0, 0.0)) for each in havok.results(jobs)]
    rows = zip(SKINNED, found, reported, strict=True)
    return [Swing(file, *skin, codes) for file, skin, codes in rows]


@contextmanager
def _addon() -> Iterator[None]:
    import bpy  # noqa: F401, I001 - makes addon_utils importable
    import addon_utils

    addon_utils.enable("omi_joints_addon", default_set=True)
    yield
    addon_utils.disable("omi_joints_addon", default_set=True)


def _write(
    path: Path,
    *,
    is_nested: bool = False,
    is_beside: bool = False,
    dialect: str = "OMI",
    held: str | None = None,
    rig: str = "",
) -> None:
    import bpy

    from tests.character_rigs import add_character
    from tests.rigs import activate, add_human

    bpy.ops.wm.read_homefile(use_empty=True)
    if rig:
        add_character(rig, use_beside=is_beside)
    else:
        activate(human := add_human())
        bpy.ops.omi.ragdoll_add(use_beside=is_beside)
    if held is not None:
        human.pose.bones[held].omi_body.motion_type = "STATIC"
    options: Any = bpy.context.scene.omi_gltf  # type: ignore[union-attr]
    options.export_dialects, options.export_bones_nested = {dialect}, is_nested
    bpy.ops.export_scene.gltf(filepath=str(path))
