"""A door in moving pictures: its limit is dragged, then the door is pulled. `make pictures`."""

import math
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import bpy
from harness import Gui, Point, Steps, addon
from joint_scenes import handle_at
from mathutils import Matrix
from screen import save

SIZE = "900x640"
LONGEST = 600.0
RED, CREAM, TEAL, BRASS = (0.8, 0.08, 0.05), (0.95, 0.88, 0.7), (0.2, 0.42, 0.44), (0.8, 0.5, 0.1)
WIDTH = 720
"""Of the picture [pixels]."""
HEADER = 32
"""Height of what Blender shows above the scene [pixels]."""
PACE = 9
"""Time that a picture of the film is shown [1/100 s]."""


def door_in_moving_pictures(gui: Gui) -> Steps:
    """Drag the upper limit from 70 to 110 degrees; simulate, and pull the door open to there."""
    door = _make_door()
    joint = bpy.context.object
    yield from _tidy(gui)
    film = _Film(gui)
    yield from film.take(5)
    angles = (70.0, 75.0, 80.0, 85.0, 90.0, 95.0, 100.0, 105.0, 110.0)
    ends = [handle_at(gui, "max", 2, _rad(angle)) for angle in angles]
    yield from _drag(gui, film, *ends, ctrl=True)
    assert abs(joint.omi_joint.limits[2].max - _rad(110.0)) < 1e-5, "not snapped to 110 degrees"
    yield from film.take(4)
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    yield from gui.wait(4)
    knob = door.matrix_world @ Matrix.Translation((0.35, 0.0, 0.2)).translation
    hinge = joint.matrix_world.translation
    reach = Matrix.Translation(knob - hinge)
    places = [
        Matrix.Translation(hinge) @ Matrix.Rotation(-_rad(angle), 4, "Z") @ reach
        for angle in range(15, 136, 15)
    ]
    way = [gui.to_window(place.translation) for place in places]
    yield from _drag(gui, film, gui.to_window(knob), *way)
    seen = door.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    opened = math.degrees(seen.to_euler().z)
    assert abs(abs(opened) - 110.0) < 6.0, f"opened to {opened}"
    yield from film.take(8)
    yield from gui.key("ESC")
    yield from gui.wait()
    film.develop("door-moving")


def _make_door() -> bpy.types.Object:
    """Make a wall with a door in it, connected by a hinge."""
    _box("Wall", (1.0, 0.12, 2.6), (-1.55, 0.0, 1.3), TEAL)
    _box("Wall Right", (1.2, 0.12, 2.6), (0.65, 0.0, 1.3), TEAL)
    _box("Wall Above", (1.1, 0.12, 0.45), (-0.5, 0.0, 2.375), TEAL)
    _box("Floor", (3.3, 2.2, 0.06), (-0.4, -1.0, -0.03), (0.45, 0.25, 0.1))
    frame = _box("Frame", (0.1, 0.2, 2.15), (-1.0, 0.0, 1.075), CREAM)
    _box("Frame Right", (0.1, 0.2, 2.15), (0.0, 0.0, 1.075), CREAM)
    door = _box("Door", (0.88, 0.06, 2.05), (-0.5, -0.06, 1.05), RED)
    for name, size, place, color in (
        ("Panel", (0.6, 0.02, 0.75), (-0.5, -0.1, 0.55), RED),
        ("Panel", (0.6, 0.02, 0.75), (-0.5, -0.1, 1.5), RED),
        ("Knob", (0.05, 0.08, 0.05), (-0.14, -0.12, 1.02), BRASS),
    ):
        part = _box(name, size, place, color)
        part.parent, part.matrix_parent_inverse = door, door.matrix_world.inverted()
    bpy.context.scene.cursor.location = (-0.94, -0.06, 1.02)
    for obj in bpy.context.scene.objects:
        obj.select_set(obj in {frame, door})
    bpy.context.view_layer.objects.active = frame
    bpy.ops.omi.joint_add(
        preset="HINGE",
        axis="Z",
        pivot="CURSOR",
        use_reverse=True,
        min_angle=0.0,
        max_angle=_rad(70.0),
    )
    return door


def _box(
    name: str, size: Sequence[float], place: Sequence[float], color: Sequence[float]
) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    obj = bpy.context.object
    obj.name = name
    obj.data.transform(Matrix.Diagonal((*size, 1.0)))
    material = bpy.data.materials.new(name)
    material.diffuse_color = (*color, 1.0)
    obj.data.materials.append(material)
    bpy.context.view_layer.update()
    return obj


def _tidy(gui: Gui) -> Steps:
    """Show the scene alone, in its colors."""
    space = gui.viewport.spaces.active
    for region in ("header", "tool_header", "toolbar", "ui", "hud"):
        setattr(space, f"show_region_{region}", False)
    space.show_gizmo_navigate = False
    options = addon("properties.overlay").overlay_options(bpy.context)
    options.size, options.show_shapes = 1.6, False
    overlay = space.overlay
    overlay.show_floor = overlay.show_axis_x = overlay.show_axis_y = False
    overlay.show_text = overlay.show_cursor = overlay.show_relationship_lines = False
    overlay.show_extras = overlay.show_outline_selected = overlay.show_object_origins = False
    shading = space.shading
    shading.color_type, shading.show_cavity, shading.show_shadows = "MATERIAL", True, True
    gui.look((-0.5, -0.3, 1.12), rotation=(1.15, 0.0, 0.35), distance=3.7, perspective=True)
    yield from gui.wait(4)


def _drag(gui: Gui, film: "_Film", start: Point, *way: Point, **modifiers: bool) -> Steps:
    """Drag from one point over others, taking pictures."""
    yield from gui.approach(start)
    yield from film.take(2)
    yield from gui.press()
    gui.hold(**modifiers)
    for end in way:
        for _ in range(2):
            yield from gui.pull(end, steps=1)
            yield from film.take(1)
    yield from film.take(3)
    yield from gui.release()


class _Film:
    """Pictures of the viewport, one after the other."""

    def __init__(self, gui: Gui) -> None:
        self._gui = gui
        self._folder = gui.pictures / "film"
        self._folder.mkdir(parents=True, exist_ok=True)
        self._frames: list[Path] = []

    def take(self, count: int) -> Steps:
        """Take some pictures."""
        region = self._gui.region
        rows = slice(region.y, region.y + region.height - HEADER)
        columns = slice(region.x, region.x + region.width)
        for _ in range(count):
            yield from self._gui.wait()
            path = self._folder / f"{len(self._frames):03}.png"
            save(self._gui.screen()[rows, columns], path)
            print(f"[picture] {path.name}", flush=True)
            self._frames.append(path)

    def develop(self, name: str) -> None:
        """Write the pictures as one that moves."""
        folder = Path(os.environ.get("OMI_TUTORIAL_PICTURES") or self._gui.pictures)
        target = folder / f"{name}.webp"
        size = ["-resize", f"{WIDTH}x", "-quality", "78", "-define", "webp:method=6"]
        subprocess.run(
            ["convert", "-delay", str(PACE), "-loop", "0", *self._frames, *size, target], check=True
        )
        assert target.stat().st_size > 10_000


def _rad(angle: float) -> float:
    return math.radians(angle)
