"""A hand that makes, plays, saves and exports a scene: by mouse and keys, from the default file."""

import json
import math
import shutil
import struct
import tempfile
from pathlib import Path
from typing import Any

import bpy
from harness import Gui, Point, Steps, addon, browse_in_this_window

SIZE = "1280x900"
LONGEST = 600.0

CELLS = {
    "HINGE": (0, 2),
    "SLIDER": (0, 3),
    "BALL_WITH_CONE": (1, 0),
    "SUSPENSION_SPRING": (1, 2),
    "HINGE_MOTOR": (1, 3),
    "CHAIN": (0, 7),
}
"""Column and row of buttons in Create."""

BOXES: dict[str, Any] = {
    "Door Frame": ((0.1, 0.2, 2.0), (-4.0, 0.0, 1.0)),
    "Door": ((1.0, 0.06, 2.0), (-3.4, 0.0, 1.0)),
    "Cabinet": ((0.8, 0.6, 0.8), (-1.6, 0.0, 0.4)),
    "Drawer": ((0.7, 0.5, 0.2), (-1.6, -0.15, 0.55)),
    "Torso": ((0.4, 0.3, 0.8), (0.0, 0.0, 1.0)),
    "Upper Arm": ((0.5, 0.12, 0.12), (0.5, 0.0, 1.3)),
    "Forearm": ((0.5, 0.1, 0.1), (1.05, 0.0, 1.3)),
    "Chassis": ((0.6, 0.6, 0.3), (2.2, 0.0, 1.2)),
    "Hub": ((0.2, 0.2, 0.2), (2.2, 0.0, 0.8)),
    "Wheel": ((0.5, 0.1, 0.5), (2.2, -0.3, 0.4)),
    "Link": ((0.1, 0.1, 0.2), (-0.7, 0.0, 2.2)),
}
"""Size and place [m] of what the hand makes; the link is duplicated eight times."""


def hand_makes_plays_saves_and_exports(gui: Gui) -> Steps:
    """A door, a drawer, a rope, an arm and a wheel: made, played, edited meanwhile, exported."""
    gui.expect("Draco|MeshOptimizer")  # Debian leaves these libraries out
    browse_in_this_window()
    bpy.ops.wm.read_homefile(app_template="")
    (light,) = Path(bpy.utils.resource_path("SYSTEM")).rglob("Blender_Light.xml")
    themes = "USERPREF_MT_interface_theme_presets"
    bpy.ops.script.execute_preset(filepath=str(light), menu_idname=themes)  # for the manual
    yield from gui.wait()
    yield from _make_bodies(gui)
    yield from _open_sidebar(gui)
    yield from _joint(gui, "Door", "Door Frame", "HINGE", ("0", "110"))
    yield from _joint(gui, "Drawer", "Cabinet", "SLIDER", ("0", "0.4"))
    yield from _joint(gui, "Upper Arm", "Torso", "BALL_WITH_CONE", ())
    yield from _joint(gui, "Forearm", "Upper Arm", "BALL_WITH_CONE", ())
    yield from _rope(gui)
    yield from _joint(gui, "Hub", "Chassis", "SUSPENSION_SPRING", ())
    yield from _joint(gui, "Wheel", "Hub", "HINGE_MOTOR", ())
    yield from _move_pivot_to_the_wheel(gui)
    yield from gui.picture("made")
    assert len(_joints()) == 14, sorted(joint.name for joint in _joints())
    yield from _play(gui)
    yield from _save_and_export(gui)


def _make_bodies(gui: Gui) -> Steps:
    """Empty the default file and make boxes by keys alone, in the middle of the viewport."""
    region = gui.region
    yield from gui.move((region.x + 0.4 * region.width, region.y + 0.5 * region.height))
    yield from gui.write("a", "<DEL>")
    for name, (size, place) in BOXES.items():
        yield from _box(gui, name, size, place)
    for _ in range(8):
        yield from gui.key("D", shift=True)
        yield from gui.write("z", "-0.25", "<RET>")
    yield
    assert len(bpy.data.objects) == 19, list(bpy.data.objects)
    yield from gui.write("<NUMPAD_1>")
    yield from gui.write("<HOME>")
    yield from gui.write("<NUMPAD_MINUS>")
    yield from gui.picture("bodies")
    yield from gui.wait()


def _box(gui: Gui, name: str, size: Any, place: Any) -> Steps:
    """Add a cube by typing its name in the menu, scale and move it by numbers, and name it."""
    yield from gui.key("A", shift=True)
    yield from gui.write("cube")
    yield from gui.write("<RET>")
    yield
    keys = []
    for axis, length, at in zip("xyz", size, place, strict=True):
        keys += ["s", axis, f"{length / 2.0:g}", "<RET>"]
        keys += ["g", axis, f"{at:g}", "<RET>"] if at else []
    yield from gui.write(*keys)
    yield from gui.write("<F2>")
    yield from gui.key("A", ctrl=True)
    yield from gui.write(name, "<RET>")
    yield
    made = bpy.context.object
    print(f"[made] {name}", flush=True)
    assert made.name == name
    assert (made.location - type(made.location)(place)).length < 1e-5, made.location


def _open_sidebar(gui: Gui) -> Steps:
    """Open the sidebar and click its tab."""
    yield from gui.write("n")
    yield from gui.wait()
    region = gui.region_of(gui.viewport, "UI")
    yield from _tap(gui, (region.x + region.width - 14, region.y + region.height - 243))
    assert region.active_panel_category == "Joints"


def _joint(gui: Gui, moving: str, anchor: str, preset: str, values: tuple[str, ...]) -> Steps:
    """Click both bodies and the button, and type the last values of the panel of the operator."""
    yield from _tap(gui, _seen(gui, moving))
    yield from _tap(gui, _seen(gui, anchor), shift=True)
    assert bpy.context.object.name == anchor, bpy.context.object.name
    yield from _tap(gui, _button(gui, preset))
    joint = bpy.context.object
    assert joint.omi_joint.enabled, f"no {preset} between {moving} and {anchor}"
    assert (joint.parent.name, joint.omi_joint.connected_object.parent.name) == (moving, anchor)
    yield from _adjust(gui, values)


def _adjust(gui: Gui, values: tuple[str, ...]) -> Steps:
    """Type values into the last fields of the panel that adjusts the last operator."""
    panel = gui.region_of(gui.viewport, "HUD")
    if panel.height < 50:
        yield from _tap(gui, (panel.x + 20, panel.y + panel.height - 12))
    for row, value in enumerate(reversed(values)):
        panel = gui.region_of(gui.viewport, "HUD")
        yield from gui.move((panel.x + 0.65 * panel.width, panel.y + 18 + 23 * row))
        yield from gui.write("<RET>")
        yield from gui.write(value, "<RET>")
        yield
    yield from gui.picture("adjusted")


def _move_pivot_to_the_wheel(gui: Gui) -> Steps:
    """Turn the mouse wheel with Ctrl over the pivot in the panel, to the origin of what moves."""
    panel = gui.region_of(gui.viewport, "HUD")
    wheel = bpy.data.objects["Wheel"].matrix_world.translation
    for turn in range(8):
        if (bpy.context.object.matrix_world.translation - wheel).length < 1e-4:
            return
        yield from gui.move((panel.x + 0.65 * panel.width + turn, panel.y + 18 + 23 * 8))
        yield from gui.key("WHEELDOWNMOUSE", ctrl=True)
        yield from gui.wait()
    raise AssertionError("the wheel does not turn about its middle")


def _rope(gui: Gui) -> Steps:
    """Drag a box around the links, click the upper one, which holds, and then Chain."""
    links = [obj for obj in bpy.data.objects if obj.name.startswith("Link")]
    top, bottom = _at(gui, (-0.7, 0.0, 2.2)), _at(gui, (-0.7, 0.0, 0.2))
    yield from gui.drag((top[0] - 25, top[1] + 30), (bottom[0] + 25, bottom[1] - 25))
    yield from _tap(gui, top, shift=True)
    assert len(bpy.context.selected_objects) == 9, bpy.context.selected_objects
    yield from _tap(gui, _button(gui, "CHAIN"))
    order = sorted(links, key=lambda obj: -obj.location.z)
    made = {joint.parent: joint.omi_joint.connected_object.parent for joint in _joints()}
    assert [made.get(link) for link in order[1:]] == order[:-1], made


def _play(gui: Gui) -> Steps:
    """Simulate, see everything move, change a damping meanwhile, and leave by Esc."""
    sidebar = gui.region_of(gui.viewport, "UI")
    yield from gui.find(sidebar, "omi.preview_simulate", columns=(0.2,))
    yield from gui.press()
    yield from gui.release()
    preview = addon("preview.session").running()
    assert preview is not None, "the button starts nothing"
    rest = {obj.name: obj.matrix_world.copy() for obj in bpy.context.scene.objects}
    yield from gui.until(lambda: preview.simulation.time > 0.4)
    for name in ("Upper Arm", "Forearm", "Wheel"):
        assert _differs(_shown(name), rest[name]), f"{name} does not move"
    yield from _pull_the_rope(gui)
    yield from _change_damping(gui, preview)
    yield from gui.move(_middle(gui))
    yield from gui.key("ESC")
    yield from gui.wait()
    assert addon("preview.session").running() is None
    for name, pose in rest.items():
        assert bpy.data.objects[name].matrix_world == pose, f"{name} is not where it was"


def _pull_the_rope(gui: Gui) -> Steps:
    """Take the lowest link by the mouse and move it aside: the rope follows."""
    start = _shown("Link.008").translation
    yield from gui.move(_at(gui, start))
    yield from gui.press()
    yield from gui.pull(_at(gui, (start.x - 0.5, 0.0, start.z + 0.2)), steps=3)
    # It swings back at once when it is let go.
    yield from gui.until(
        lambda: all(
            _shown(name).translation.x < -0.7 - far
            for name, far in (("Link.004", 0.02), ("Link.008", 0.2))
        )
    )
    yield from gui.picture("playing")
    yield from gui.release()


def _change_damping(gui: Gui, preview: Any) -> Steps:
    """Type another damping of the motor in the Physics tab: it holds at once, the play goes on."""
    joint = bpy.context.object
    assert joint.parent.name == "Wheel"
    area = gui.area("PROPERTIES")
    tabs = gui.region_of(area, "NAVIGATION_BAR")
    yield from _tap(gui, (tabs.x + 15, tabs.y + tabs.height - 308))
    assert area.spaces.active.context == "PHYSICS", area.spaces.active.context
    panel = gui.region_of(area, "WINDOW")
    yield from gui.move((panel.x + 100, panel.y + 100))
    yield from gui.write(*["<WHEELDOWNMOUSE>"] * 40)
    print("[scrolled]", flush=True)
    yield from gui.wait()
    yield from gui.find(panel, "drives[0].damping", columns=(0.5,), is_upward=True)
    yield from gui.write("<RET>")
    yield from gui.key("A", ctrl=True)
    yield from gui.write("0.25", "<RET>")
    before = preview.simulation.time
    yield from gui.until(lambda: preview.simulation.time > before + 0.2)
    assert joint.omi_joint.drives[0].damping == 0.25
    settings = [each.settings for each in preview.simulation.scene.joints]
    assert any(drive.damping == 0.25 for each in settings for drive in each.drives)
    assert addon("preview.session").running() is preview
    yield from gui.picture("damping")


def _save_and_export(gui: Gui) -> Steps:
    """Save by Ctrl S, export by Blender's own dialog, and read the file."""
    folder = Path(tempfile.mkdtemp(dir=bpy.app.tempdir))
    yield from gui.move(_middle(gui))
    yield from gui.key("S", ctrl=True)
    yield from gui.name_file(folder / "hand.blend")
    yield from gui.until((folder / "hand.blend").exists)
    yield from gui.move(_middle(gui))
    bpy.ops.export_scene.gltf("INVOKE_DEFAULT")  # what File > Export calls
    yield from gui.name_file(folder / "hand.glb")
    yield from gui.until((folder / "hand.glb").exists)
    yield from gui.wait()
    _assert_file_has_what_was_made(folder / "hand.glb")
    shutil.rmtree(folder)


def _assert_file_has_what_was_made(path: Path) -> None:
    """Read the joints from the JSON of a .glb."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    joints = _joints_of(json.loads(data[20 : 20 + length]))
    links = {f"Link.{number:03d}" for number in range(1, 9)}
    assert joints.keys() == links | {"Door", "Drawer", "Upper Arm", "Forearm", "Hub", "Wheel"}
    door, drawer = _range(joints["Door"], "angularAxes"), _range(joints["Drawer"], "linearAxes")
    assert math.dist(door, (0.0, math.radians(110.0))) < 1e-6, door
    assert math.dist(drawer, (0.0, 0.4)) < 1e-6, drawer
    assert joints["Wheel"]["drives"][0]["damping"] == 0.25


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


def _tap(gui: Gui, at: Point, **modifiers: bool) -> Steps:
    """Click in few steps."""
    yield from gui.move(at)
    yield from gui.press(**modifiers)
    yield from gui.release()
    yield


def _button(gui: Gui, name: str) -> Point:
    """Return where a button of Create is."""
    column, row = CELLS[name]
    region = gui.region_of(gui.viewport, "UI")
    lines = (48, 70, 93, 116, 139, 162, 186, 209)
    return region.x + 75 + 118 * column, region.y + region.height - lines[row]


def _seen(gui: Gui, name: str) -> Point:
    """Return a point of a body that nothing hides from the front."""
    place = bpy.data.objects[name].matrix_world.translation.copy()
    if name == "Cabinet":
        place.z -= 0.25
    return _at(gui, place)


def _at(gui: Gui, place: Any) -> Point:
    return gui.to_window(place)


def _middle(gui: Gui) -> Point:
    return gui.region.x + 0.4 * gui.region.width, gui.region.y + 0.9 * gui.region.height


def _joints() -> list[Any]:
    return [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]


def _shown(name: str) -> Any:
    """Return the world matrix that the viewport shows; a preview leaves the object itself alone."""
    graph = bpy.context.evaluated_depsgraph_get()
    return bpy.data.objects[name].evaluated_get(graph).matrix_world.copy()


def _differs(first: Any, second: Any) -> bool:
    rows = zip(first, second, strict=True)
    return any(abs(a - b) > 1e-3 for one, two in rows for a, b in zip(one, two, strict=True))
