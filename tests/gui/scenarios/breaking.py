"""A joint breaks before one's eyes: it fades, gets its sign, and Reset makes it whole."""

import bpy
from harness import FRONT, Gui, Picture, Steps, addon, near


def a_joint_that_breaks_is_seen_to_break(gui: Gui) -> Steps:
    for name, z in (("Beam", 3.0), ("Board", 1.0)):
        bpy.ops.mesh.primitive_cube_add(size=0.8, location=(0.0, 0.0, z))
        bpy.context.object.name = name
    beam, board = bpy.data.objects["Beam"], bpy.data.objects["Board"]
    beam.select_set(True)
    board.select_set(True)
    bpy.context.view_layer.objects.active = beam
    assert bpy.ops.omi.joint_add(preset="HINGE") == {"FINISHED"}
    joint = next(each for each in bpy.context.scene.objects if each.omi_joint.enabled)
    beam.omi_body.motion_type, board.omi_body.motion_type = "STATIC", "DYNAMIC"
    board.omi_body.mass = 2.3
    joint.omi_joint.attributes.break_force = 0.9 * 2.3 * 9.81
    gui.look((0.0, 0.0, 1.5), rotation=FRONT, distance=8.0)
    yield from gui.show_sidebar("Joints")
    before = yield from gui.picture("whole")
    assert bpy.ops.omi.preview_simulate("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    preview = addon("preview.session").running()
    yield from gui.until(lambda: preview.simulation.time > 0.4)
    assert bpy.ops.omi.preview_control(command="PAUSE") == {"FINISHED"}
    yield from gui.wait(3)
    assert list(preview.simulation.broken_joints) == [0]
    after = yield from gui.picture("broken")
    place = gui.to_window(joint.matrix_world.translation)
    assert _has_sign(near(after, place, radius=60))
    assert not _has_sign(near(before, place, radius=60))
    assert bpy.ops.omi.preview_control(command="RESET") == {"FINISHED"}
    yield from gui.wait(3)
    assert not preview.simulation.broken_joints
    yield from gui.key("ESC")
    yield from gui.wait(2)


def _has_sign(pixels: Picture) -> bool:
    """Return whether the sign of a broken joint is there, in the color of violations."""
    red, green, blue = pixels.astype(int).T
    return bool(((red > 180) & (blue > 140) & (green < 90)).any())
