"""Files of other programs by hand: dropped into the window, and by the file browser."""

import tempfile
from pathlib import Path
from typing import Any

import bpy
from adjustable import CASES
from adjustable_scenes import joints
from harness import Gui, Steps, browse_in_this_window

SIZE = "1280x900"


def dropped_robot_asks_for_options_and_arrives(gui: Gui) -> Steps:
    """What Blender calls when a file is dropped; Return accepts the dialog."""
    path = _robot()
    yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
    files = [{"name": path.name}]
    bpy.ops.wm.drop_import_file("INVOKE_DEFAULT", directory=str(path.parent), files=files)
    yield from gui.wait(3)
    yield from gui.picture("dropped")
    yield from gui.write("<RET>")
    yield from gui.wait(2)
    assert {"base", "arm"} <= set(bpy.data.objects.keys())
    assert len(joints()) == 1


def robot_goes_through_every_format_by_the_file_browser(gui: Gui) -> Steps:
    """Import and export by typing paths into the browser; the sidebar lists what was lost."""
    browse_in_this_window()
    yield from gui.show_sidebar("Joints")
    yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
    bpy.ops.omi.scene_import("INVOKE_DEFAULT")
    yield from gui.name_file(_robot())
    assert len(joints()) == 1
    folder = Path(tempfile.mkdtemp(dir=bpy.app.tempdir))
    for suffix in (".urdf", ".mjcf", ".json"):
        path = folder / f"robot{suffix}"
        yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
        bpy.ops.omi.scene_export("INVOKE_DEFAULT", suffix=suffix, filter_glob=f"*{suffix}")
        yield from gui.name_file(path)
        assert path.exists(), path
        yield from gui.write("<ESC>")  # the message of what was lost
        yield from _import_again(gui, path)
    yield from gui.picture("report")
    assert bpy.context.scene.omi_report.title.startswith("Imported ")


def _import_again(gui: Gui, path: Path) -> Steps:
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
    bpy.ops.omi.scene_import("INVOKE_DEFAULT")
    yield from gui.name_file(path)
    yield from gui.write("<ESC>")
    assert len(joints()) == 1, path


def _robot() -> Any:
    case = next(each for each in CASES if each.name == "scene_import")
    return Path(case.start()["filepath"])
