"""Blender files saved in the folder of a Godot project, which Godot has Blender export by itself.

Godot and the desktop Blender that `tools/godot.sh install` got, with the extension installed into
it from its zip; the room of `examples/room.py` as an artist would save it. Run by
`tools/oracles.py`.
"""

import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.oracles import godot
from tests.oracles.programs import printed

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DESKTOP = ROOT / "tools" / "desktop_blender.sh"
SETTINGS = """[gd_resource type="EditorSettings" format=3]
[resource]
filesystem/import/blender/blender_path = "/usr/bin/blender"
"""
TORQUE = 20.0
"""About the upright, which opens the door [N·m]; the opposite one closes it."""
EXPECTED = (15, 0, 110.0, 0.0)
"""Number of joints and of bodies without a mesh, and the ends of the door's range [°]."""


class Saving(NamedTuple):
    """How a file is saved."""

    name: str
    target: str
    dialect: str
    is_right: bool
    """Whether it arrives as authored."""


class Arrival(NamedTuple):
    """What has become of a Blender file."""

    saving: Saving
    joints: dict[str, int]
    """Number of joints between two bodies, by the class of their nodes."""
    hidden: int
    """Number of bodies without a mesh."""
    opened: float
    """Where the door is after it was pushed open [°]."""
    closed: float
    """Where it is after it was pushed shut [°]."""

    @property
    def is_right(self) -> bool:
        """Whether the file arrived as authored."""
        joints, _, opened, closed = EXPECTED
        angles = abs(self.opened - opened) < 1.0 and abs(self.closed - closed) < 1.0
        return angles and sum(self.joints.values()) == joints and not self.hidden


SAVINGS = (
    Saving("as it comes, target *Automatic*", "AUTO", "OMI", is_right=True),
    Saving("target *Godot 4 Importer*", "GODOT", "OMI", is_right=True),
    Saving("target *Specification*", "SPECIFICATION", "OMI", is_right=False),
    Saving("format *KHR* alone", "AUTO", "KHR", is_right=False),
)


def is_here() -> bool:
    """Return whether Blender, and Godot beside a desktop Blender can be asked."""
    is_installed = godot.is_here() and godot.command()[0] == str(godot.INSTALLED)
    return is_installed and importlib.util.find_spec("bpy") is not None


def arrivals() -> list[Arrival]:
    """Return what becomes of each file that was saved into a project."""
    with TemporaryDirectory() as name, TemporaryDirectory() as other:
        project, home = Path(name), Path(other)
        _install(home)
        for number, saving in enumerate(SAVINGS):
            _save(project / f"room{number}.blend", saving)
        jobs = [
            [f"res://room{number}.blend", "Door", torque]
            for number in range(len(SAVINGS))
            for torque in (TORQUE, -TORQUE)
        ]
        rows = godot.results(project, HERE / "blend.gd", jobs, rate=godot.DEFAULT_RATE, home=home)
    return [*_arrivals(rows)]


def _arrivals(rows: list[Any]) -> Iterator[Arrival]:
    for saving, opened, closed in zip(SAVINGS, rows[::2], rows[1::2], strict=True):
        turned = [
            float("nan" if row["turned"] is None else row["turned"]) for row in (opened, closed)
        ]
        joints = {kind: int(count) for kind, count in opened["joints"].items()}
        yield Arrival(saving, joints, int(opened["hidden"]), *turned)


def _install(home: Path) -> None:
    """Install the extension into the desktop Blender, and name that to Godot."""
    printed([sys.executable, ROOT / "tools" / "build_zip.py", home])
    (archive,) = home.glob("*.zip")
    settings = home / ".config" / "godot" / "editor_settings-4.6.tres"
    settings.parent.mkdir(parents=True)
    settings.write_text(SETTINGS, "utf-8")
    install = ("--command", "extension", "install-file", "-r", "user_default", "--enable")
    console = printed(
        [DESKTOP, "program", "blender", *install, archive],
        cwd=home,
        env=os.environ | {"HOME": str(home), "DESKTOP_BLENDER_HOME": str(home)},
    )
    # Its exit code is 0 even for a zip that is not there.
    if "Installed" not in console:
        raise RuntimeError(console)


def _save(path: Path, saving: Saving) -> None:
    """Author the room and save it, without looking at its export options unless they are named."""
    import bpy

    sys.path.insert(0, str(ROOT / "examples"))
    try:
        room, session = (importlib.import_module(name) for name in ("room", "session"))
    finally:
        sys.path.remove(str(ROOT / "examples"))
    with session.blender():
        room.build()
        options: Any = bpy.context.scene.omi_gltf  # type: ignore[union-attr]
        if saving.target != "AUTO":
            options.export_for = saving.target
        if saving.dialect != "OMI":
            options.export_dialects = {saving.dialect}
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
