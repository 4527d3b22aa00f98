"""Contacts in a real window, by the MuJoCo that the zip for this platform brings."""

import tempfile
from pathlib import Path

import bpy
from falling import pose_of, ragdoll, solid
from harness import FRONT, Gui, Steps, addon


def a_ragdoll_falls_on_a_floor(gui: Gui) -> Steps:
    """Saving goes on with it, Esc and undo leave nothing of it."""
    rig = ragdoll()
    ground = solid("Ground", (0, 0, -0.1), (4.0, 4.0, 0.1), "STATIC")
    gui.look((0, 0, 0.6), rotation=(FRONT[0] - 0.2, 0.0, 0.4), distance=7)
    yield from gui.show_sidebar("Joints")
    gui.remember()
    file = Path(tempfile.mkdtemp()) / "ragdoll.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    rest = pose_of(rig)
    bpy.context.window_manager.omi_preview.show_forces = True
    assert bpy.ops.omi.preview_simulate("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from gui.move(gui.to_window((0, 0, 1.5)))
    preview = addon("preview.session").running()
    assert preview.without_contacts is None, str(preview.without_contacts)
    yield from gui.until(lambda: preview.simulation.time > 1.5)
    bodies = sorted(preview.simulation.moving_nodes)
    assert preview.record[-1][bodies, 2, 3].min() > -0.01, "a bone is below the ground"
    yield from gui.until(lambda: len(preview.contacts()) > 1)
    yield from gui.picture("ragdoll")
    written = file.stat().st_mtime_ns
    yield from gui.key("S", ctrl=True)
    yield from gui.until(lambda: file.stat().st_mtime_ns != written)
    assert addon("preview.session").running() is preview, "saving ended the preview"
    yield from gui.key("ESC")
    yield from gui.wait(2)
    assert pose_of(rig) == rest
    yield from _undone(gui, ground)


def _undone(gui: Gui, ground: bpy.types.Object) -> Steps:
    """Undo an edit while a simulation runs, which ends it."""
    ground.location.x = 1.0
    gui.remember()
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    yield from gui.until(lambda: addon("preview.session").running().simulation.time > 0.2)
    yield from gui.key("Z", ctrl=True)
    yield from gui.until(lambda: addon("preview.session").running() is None)
    assert bpy.data.objects["Ground"].location.x == 0.0
