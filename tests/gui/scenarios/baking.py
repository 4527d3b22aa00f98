"""A motion that was pulled by hand, baked by the dialog while it is shown."""

from typing import Any

import bpy
from harness import FRONT, Gui, Steps, addon
from joint_scenes import HINGE, activate, add_joint

SIZE = "1000x1000"


def a_running_simulation_is_baked_by_the_dialog(gui: Gui) -> Steps:
    bpy.context.scene.gravity = (0.0, 9.81, 0.0)
    add_joint(*HINGE)
    activate(bpy.data.objects["Body"])
    gui.look((0, 0, 0), rotation=FRONT, distance=12)
    yield from gui.show_sidebar("Joints")
    gui.remember()
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    running = addon("preview.session").running
    yield from gui.until(lambda: running().simulation.time > 0.5)
    yield from gui.press_button("omi.preview_bake")
    yield from gui.wait(6)
    yield from gui.picture("bake-dialog")
    assert running() is not None, "the dialog ended the preview before it was confirmed"
    assert not _curves(), "keyed before it was confirmed"
    yield from gui.write("<RET>")
    yield from gui.until(lambda: bool(_curves()))
    assert running() is None
    (start, end) = bpy.data.objects["Body"].animation_data.action.frame_range
    assert start == 1.0, start
    assert end >= 12.0, end
    yield from gui.move(gui.to_window((0.0, 0.0, 0.0)))
    yield from gui.key("Z", ctrl=True)
    yield from gui.wait(6)
    assert not _curves(), "one step back does not undo it"


def _curves() -> Any:
    data = bpy.data.objects["Body"].animation_data
    return data is not None and data.action
