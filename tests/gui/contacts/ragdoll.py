"""Contacts in a real window, by the MuJoCo that the zip for this platform brings."""

import tempfile
from pathlib import Path

import bpy
from harness import FRONT, Gui, Steps, addon
from mathutils import Vector


def a_ragdoll_falls_on_a_floor(gui: Gui) -> Steps:
    """Saving goes on with it, Esc and undo leave nothing of it."""
    rig = _ragdoll()
    ground = _body("Ground", (0, 0, -0.1), (4.0, 4.0, 0.1), "STATIC")
    gui.look((0, 0, 0.6), rotation=(FRONT[0] - 0.2, 0.0, 0.4), distance=7)
    yield from gui.show_sidebar("Joints")
    gui.remember()
    file = Path(tempfile.mkdtemp()) / "ragdoll.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    rest = _pose(rig)
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
    assert _pose(rig) == rest
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


def _ragdoll() -> bpy.types.Object:
    """Return an armature of a trunk and two legs above the ground, with a body for each bone."""
    bones = {
        "spine": (None, (0, 0, 1.5), (0, 0, 2.1)),
        "head": ("spine", (0, 0, 2.1), (0, 0, 2.4)),
        "thigh.L": ("spine", (0.15, 0, 1.5), (0.2, 0, 1.0)),
        "shin.L": ("thigh.L", (0.2, 0, 1.0), (0.2, 0.05, 0.5)),
        "thigh.R": ("spine", (-0.15, 0, 1.5), (-0.2, 0, 1.0)),
        "shin.R": ("thigh.R", (-0.2, 0, 1.0), (-0.2, 0.05, 0.5)),
    }
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    edit = rig.data.edit_bones
    edit.remove(edit[0])
    for name, (parent, head, tail) in bones.items():
        bone = edit.new(name)
        bone.head, bone.tail = Vector(head), Vector(tail)
        bone.parent = edit[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    return rig


def _body(name: str, place, scale, motion: str) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(location=place)
    cube = bpy.context.object
    cube.name, cube.scale = name, scale
    bpy.ops.omi.body_add(motion_type=motion, shape="BOX")
    return cube


def _pose(rig: bpy.types.Object) -> list[list[float]]:
    return [[number for row in bone.matrix for number in row] for bone in rig.pose.bones]
