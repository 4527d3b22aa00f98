"""A hand that makes a scene: it clicks bodies and buttons, and changes values afterwards."""

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import bpy
from harness import Gui, Steps

CELLS = {
    "PIN": (0, 1),
    "HINGE": (0, 2),
    "SLIDER": (0, 3),
    "BALL_WITH_CONE": (1, 0),
    "SUSPENSION_SPRING": (1, 2),
    "HINGE_MOTOR": (1, 3),
}
"""Column and row of buttons in Create."""


def hand_makes_saves_and_exports(gui: Gui) -> Steps:
    """A door of 110°, a drawer of 0.4 m, an arm with a cone, a sprung wheel with a motor."""
    gui.expect("Draco|MeshOptimizer")  # Debian leaves these libraries out
    _bodies()
    gui.look((0.0, 0.0, 1.0), distance=14.0)
    yield from gui.show_sidebar("Joints")
    yield from _joint(gui, "Door", "Door Frame", "HINGE", max_angle=math.radians(110), min_angle=0)
    yield from _joint(gui, "Drawer", "Cabinet", "SLIDER", min_distance=0.0, max_distance=0.4)
    yield from _joint(gui, "Arm", "Torso", "BALL_WITH_CONE", cone=0.6)
    yield from _joint(gui, "Hub", "Chassis", "SUSPENSION_SPRING", stiffness=2000.0)
    yield from _joint(gui, "Wheel", "Hub", "HINGE_MOTOR", velocity_target=3.0)
    yield from gui.picture("made")
    joints = {obj.parent.name: obj for obj in bpy.data.objects if obj.omi_joint.enabled}
    assert len(joints) == 5, sorted(joints)

    _assert_files_tell_what_was_made()


def _assert_files_tell_what_was_made() -> None:
    """Save and export, and read the joints from the file."""
    folder = Path(tempfile.mkdtemp())
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "hand.blend"))
    bpy.ops.export_scene.gltf(filepath=str(folder / "hand.gltf"), export_format="GLTF_SEPARATE")
    document = json.loads((folder / "hand.gltf").read_text(encoding="utf-8"))
    told = _joints_of(document)
    assert len(told) == 5, sorted(told)
    door, drawer = _range(told["Door"], "angularAxes"), _range(told["Drawer"], "linearAxes")
    assert abs(door[0]) < 1e-9
    assert abs(door[1] - math.radians(110.0)) < 1e-6
    assert abs(drawer[0]) < 1e-9
    assert abs(drawer[1] - 0.4) < 1e-6
    assert told["Wheel"]["drives"][0]["velocityTarget"] == 3.0


def _bodies() -> None:
    for name, size, place in (
        ("Door Frame", (0.1, 0.2, 2.0), (-4.0, 0.0, 1.0)),
        ("Door", (1.0, 0.06, 2.0), (-3.4, 0.0, 1.0)),
        ("Cabinet", (0.8, 0.6, 0.8), (-1.6, 0.0, 0.4)),
        ("Drawer", (0.7, 0.5, 0.2), (-1.6, -0.15, 0.55)),
        ("Torso", (0.4, 0.3, 0.8), (0.0, 0.0, 1.0)),
        ("Arm", (0.6, 0.12, 0.12), (0.55, 0.0, 1.3)),
        ("Chassis", (0.6, 0.6, 0.3), (2.2, 0.0, 1.2)),
        ("Hub", (0.2, 0.2, 0.2), (2.2, 0.0, 0.8)),
        ("Wheel", (0.5, 0.1, 0.5), (2.2, -0.3, 0.4)),
    ):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
        obj = bpy.context.object
        obj.name = name
        for vertex in obj.data.vertices:
            vertex.co = [part * length for part, length in zip(vertex.co, size, strict=True)]
    for name in ("Torso", "Chassis"):
        bpy.data.objects[name].omi_body.motion_type = "STATIC"
    bpy.context.view_layer.update()


def _joint(gui: Gui, moving: str, anchor: str, preset: str, **values: Any) -> Steps:
    """Click both bodies and the button, then set values in the redo panel."""
    yield from _pick(gui, moving, anchor)
    column, row = CELLS[preset]
    yield from gui.click(_button(gui, column, row))
    yield from gui.wait(2)
    joint = bpy.context.object
    assert joint.omi_joint.enabled, f"no {preset} between {moving} and {anchor}"
    assert (joint.parent.name, joint.omi_joint.connected_object.parent.name) == (moving, anchor)
    last = bpy.context.window_manager.operators[-1]
    for name, value in values.items():
        setattr(last.properties, name, value)
    bpy.ops.ed.undo_redo("EXEC_DEFAULT", True)
    yield from gui.wait(2)


def _pick(gui: Gui, first: str, *others: str) -> Steps:
    """Click a body, then with Shift the others, where they can be seen from the front."""
    yield from gui.click(gui.to_window(_front(first)))
    for name in others:
        yield from gui.click(gui.to_window(_front(name)), shift=True)
    chosen = {obj.name for obj in bpy.context.selected_objects}
    assert chosen == {first, *others}, chosen
    assert bpy.context.object.name == (others or (first,))[-1]


def _front(name: str) -> Any:
    """Return a point of a body that nothing hides from the front."""
    place = bpy.data.objects[name].matrix_world.translation.copy()
    if name == "Cabinet":
        place.z -= 0.25
    return place


def _button(gui: Gui, column: int, row: int) -> Any:
    """Return where a button of Create is."""
    region = gui.region_of(gui.viewport, "UI")
    lines = (48, 70, 93, 116, 139, 162, 186, 209)
    return region.x + 75 + 118 * column, region.y + region.height - lines[row]


def _joints_of(document: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of each joint of a glTF document by the name of the body above it."""
    settings = document["extensions"]["OMI_physics_joint"]["physicsJoints"]
    above = {
        child: node["name"] for node in document["nodes"] for child in node.get("children", ())
    }
    return {
        above[index]: settings[node["extensions"]["OMI_physics_joint"]["joint"]]
        for index, node in enumerate(document["nodes"])
        if "OMI_physics_joint" in node.get("extensions", {})
    }


def _range(settings: dict[str, Any], kind: str) -> tuple[float, float]:
    """Return the bounds of the limit that leaves room."""
    (limit,) = [each for each in settings["limits"] if kind in each and each["min"] != each["max"]]
    return limit["min"], limit["max"]
