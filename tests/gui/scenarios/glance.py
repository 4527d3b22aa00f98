"""Every panel at interface scales 1 and 1.5, to be looked at."""

import bpy
from harness import Gui, Steps

SIZE = "1600x1000"
LONGEST = 600.0


def panels_at_both_scales(gui: Gui) -> Steps:
    view = bpy.context.preferences.view
    _scene()
    for scale in (1.0, 1.5):
        view.ui_scale = scale
        yield from gui.wait(4)
        name = f"{scale:g}"
        for active in ("Door to Wall Joint", "Door", "Wheel"):
            bpy.ops.object.select_all(action="DESELECT")
            obj = bpy.data.objects[active]
            obj.select_set(True)
            bpy.context.view_layer.objects.active = obj
            yield from gui.show_sidebar("Joints")
            yield from gui.show_properties("PHYSICS")
            yield from gui.wait(6)
            yield from gui.picture(
                f"{active.split()[0 if active != 'Door to Wall Joint' else 3]}-{name}"
            )
    view.ui_scale = 1.0


def _scene() -> None:
    for name, x in (("Wall", -1.5), ("Door", 1.5), ("Wheel", 6.0), ("Car", 9.0)):
        bpy.ops.mesh.primitive_cube_add(location=(x, 0.0, 0.0))
        bpy.context.object.name = name
    for pair, preset in ((("Door", "Wall"), "HINGE"), (("Wheel", "Car"), "HINGE_MOTOR")):
        bpy.ops.object.select_all(action="DESELECT")
        for name in pair:
            bpy.data.objects[name].select_set(True)
            bpy.context.view_layer.objects.active = bpy.data.objects[name]
        bpy.ops.omi.joint_add(preset=preset)
    joint = bpy.data.objects["Wheel to Car Joint"]
    joint.omi_joint.connected_object = None
