"""The car of docs/tutorials/car.md."""

import math

import bpy
from harness import Gui, Steps, addon
from tutorial import follow

SIZE = "2400x1500"
LONGEST = 900.0
RADIUS, TURNS_PER_SECOND = 0.35, 1.0
"""Of a wheel [m, 1/s]."""


def car(gui: Gui) -> Steps:
    yield from follow(gui, "car", {}, after={9: _drives}, moved=[("car", "car-driving")])
    yield from gui.wait(2)
    meshes = [obj for obj in bpy.data.objects if obj.type == "MESH"]
    wheels = [mesh for mesh in meshes if mesh.name.startswith("Wheel")]
    assert len(wheels) == 4, [obj.name for obj in wheels]
    assert {round(abs(wheel.matrix_world.translation.x), 5) for wheel in wheels} == {0.6}
    assert bpy.data.objects["Road"].omi_body.motion_type == "STATIC"


def _drives() -> None:
    """Compare the way from 1 s to 1.5 s with that of wheels that roll and do not slip."""
    preview = addon("preview.session").running()
    assert preview.without_contacts is None, str(preview.without_contacts)
    first, frames = round(1.0 / preview.frame_time), round(0.5 / preview.frame_time)
    moving = sorted(preview.simulation.moving_nodes)
    ways = (preview.record[first + frames] - preview.record[first])[moving, :3, 3]
    assert len(ways) == 5, ways
    rolled = frames * preview.frame_time * TURNS_PER_SECOND * 2.0 * math.pi * RADIUS
    for way in ways:
        assert abs(abs(way[0]) - rolled) < 0.02 * rolled, way
        assert abs(way[2]) < 0.002, way
