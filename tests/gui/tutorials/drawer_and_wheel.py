"""The drawer and the wheel of docs/tutorials/drawer-and-wheel.md."""

import math

import bpy
from harness import Gui, Steps
from tutorial import follow

SIZE = "2400x1500"
LONGEST = 900.0


def drawer_and_wheel(gui: Gui) -> Steps:
    yield from follow(gui, "drawer-and-wheel", {}, after={7: _drawer})
    motor = bpy.data.objects["Wheel to Cart Joint"]
    wheel, place = bpy.data.objects["Wheel"], motor.matrix_world.translation
    middle = wheel.matrix_world.translation
    assert abs(place.x - middle.x) + abs(place.z - middle.z) < 1e-4, (
        "the wheel turns beside its axis"
    )
    assert wheel.omi_body.collider.shape.type == "CYLINDER"
    (drive,) = motor.omi_joint.drives
    assert round(math.degrees(drive.velocity_target), 3) == 360.0
    assert abs(abs(motor.matrix_world.col[2].y) - 1.0) < 1e-5, "the wheel turns about another axis"
    assert wheel.omi_body.motion_type == "DYNAMIC"


def _drawer() -> None:
    slider = bpy.data.objects["Drawer to Cabinet Joint"]
    limit = slider.omi_joint.limits[-1]
    assert tuple(limit.linear_axes) == (True, False, False)
    assert (limit.min, round(limit.max, 6)) == (0.0, 0.4)
    way = slider.matrix_world.col[0].xyz
    assert abs(abs(way.x) - 1.0) < 1e-5, f"the drawer slides along {way}"
    assert bpy.data.objects["Drawer"].omi_body.motion_type == "DYNAMIC"
