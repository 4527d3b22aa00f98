"""Previews in a real window: sliders, sweeping, simulating, pulling with the mouse, leaving."""

import math
import tempfile
from pathlib import Path
from typing import Any

import bpy
from harness import FRONT, TOP, Gui, Steps, addon, has_colour, near


def sweep_moves_the_door_and_escape_restores_it(gui: Gui) -> Steps:
    door, joint = _door()
    gui.look((0, 0, 0), rotation=(1.0, 0.0, 0.5), distance=9)
    yield from gui.show_sidebar("Joints")
    gui.remember()
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(tempfile.mkdtemp()) / "door.blend"))
    steps = _undo_steps()
    before = _channels(door)
    _select(joint)
    assert bpy.ops.omi.preview_range("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from gui.move(gui.to_window((0, 0, 0)))
    options = bpy.context.window_manager.omi_preview
    options.about_z = 0.6
    yield from gui.until(lambda: _is_elsewhere(door))
    yield from gui.picture("range")
    assert _channels(door) == before, "the preview wrote into the door"
    bpy.ops.omi.preview_control(command="SWEEP")
    yield from gui.wait(6)
    yield from gui.picture("sweep")
    yield from gui.key("ESC")
    yield from gui.wait(2)
    assert _running() is None
    assert _channels(door) == before, "the door is not back to the bit"
    assert not _is_elsewhere(door)
    assert not bpy.data.is_dirty, "the preview made the file dirty"
    assert _undo_steps() == steps, "the preview made an undo step"


def range_is_recorded_by_dragging_the_body(gui: Gui) -> Steps:
    """Past the limits one way and the other; both bounds are what was reached."""
    door, joint = _door()
    gui.look((0, 0, 0), rotation=TOP, distance=7)
    yield from gui.show_sidebar("Joints")
    _select(joint)
    before = _channels(door)
    assert bpy.ops.omi.preview_range("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    bpy.context.window_manager.omi_preview.past_limits = True
    yield from gui.approach(gui.to_window(_at_edge(0.0)))
    yield from gui.press()
    for angle in (0.8, 1.6, 2.3, 1.0, 0.0, -0.7):
        yield from gui.pull(gui.to_window(_at_edge(angle)), steps=4)
        yield from gui.until(lambda goal=angle: abs(_running().joint_values[5] - goal) < 0.03)
    yield from gui.picture("dragged")
    yield from gui.release()
    assert bpy.ops.omi.joint_limit_from_pose(part="RANGE") == {"FINISHED"}
    (limit,) = (each for each in joint.omi_joint.limits if tuple(each.angular_axes) == (0, 0, 1))
    assert abs(limit.min + 0.7) < 0.04, limit.min
    assert abs(limit.max - 2.3) < 0.04, limit.max
    yield from gui.wait(2)
    assert _running() is None
    assert _channels(door) == before


def _at_edge(angle: float) -> Any:
    """Return where the edge of the door is, turned by an angle [rad] about its hinge."""
    return (-0.3 + 1.5 * math.cos(angle), 1.5 * math.sin(angle), 0.0)


def simulation_falls_is_pulled_and_restored(gui: Gui) -> Steps:
    bob = _pendulum()
    gui.look((0, 0, -0.5), rotation=FRONT, distance=8)
    yield from gui.show_sidebar("Joints")
    gui.remember()
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(tempfile.mkdtemp()) / "bob.blend"))
    before = _channels(bob)
    assert bpy.ops.omi.preview_simulate("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
    yield from gui.move(gui.to_window((0, 0, 1)))
    preview = _running()
    bpy.context.window_manager.omi_preview.show_forces = True
    yield from gui.until(lambda: preview.simulation.time > 0.3)
    assert _shown(bob).z < -0.05, "the bob does not fall"
    yield from gui.picture("simulation")
    bpy.ops.omi.preview_control(command="RESET")
    yield from gui.until(lambda: not _is_elsewhere(bob))
    start = gui.to_window(_shown(bob))
    yield from gui.approach(start)
    yield from gui.press()
    assert preview.simulation.grabbed_node is not None, "the bob was not grabbed"
    bpy.ops.omi.preview_control(command="PLAY")
    yield from gui.pull(gui.to_window((0.0, 0.0, 1.2)), steps=4)
    yield from gui.until(lambda: _shown(bob).z > 0.3)
    yield from _see_the_pull(gui, preview)
    yield from gui.release()
    assert preview.simulation.grabbed_node is None
    assert _channels(_saved_copy("Bob")) == before, "the copy holds the preview"
    yield from gui.key("ESC")
    yield from gui.wait(2)
    assert _channels(bob) == before


def _see_the_pull(gui: Gui, preview: Any) -> Steps:
    """Pause, and look for the line to the mouse."""
    bpy.ops.omi.preview_control(command="PAUSE")
    yield from gui.wait(3)
    pulled = yield from gui.picture("pulled")
    middle = gui.to_window(preview.simulation.pull_line().mean(axis=0))
    assert has_colour(near(pulled, middle), (255, 255, 255)), "the pull is not drawn"


def all_bodies_of_a_simulation_are_drawn_where_they_are(gui: Gui) -> Steps:
    """Blender updates only one of them in each frame."""
    hinge = addon("core.meaning.presets").hinge(axis=2, min_angle=-3.0, max_angle=3.0)
    beam = _cube("Beam", (0, 0, 0), (0.2, 0.2, 0.2), "STATIC")
    bobs = [_cube("Bob", (x, 0, 0), (0.4, 0.4, 0.4), "DYNAMIC") for x in (-2.4, -1.2, 1.2, 2.4)]
    for bob in bobs:
        _joint(hinge, beam, bob, (0, 0, 0), (math.pi / 2, 0, 0))
    _select(beam)
    gui.look((0, 0, -1.0), rotation=FRONT, distance=12)
    start = [gui.to_window(bob.location) for bob in bobs]
    before = yield from gui.picture("at_rest")
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    yield from gui.until(lambda: _running().simulation.time > 0.6)
    bpy.ops.omi.preview_control(command="PAUSE")
    yield from gui.wait(3)
    fallen = [gui.to_window(_shown(bob)) for bob in bobs]
    after = yield from gui.picture("fallen")
    for rest, place in zip(start, fallen, strict=True):
        assert near(before, rest).mean() > 120.0
        assert near(after, place).mean() > 120.0, "a body is not drawn where it is"
        assert near(after, rest).mean() < 100.0, "a body is drawn where it was"
    yield from gui.key("ESC")


def the_window_stays_open_while_a_simulation_runs(gui: Gui) -> Steps:
    """Save, edit, undo: all keys reach Blender, and undo ends the preview."""
    bob = _pendulum()
    gui.look((0, 0, -0.5), rotation=FRONT, distance=8)
    yield from gui.show_sidebar("Joints")
    before = _channels(bob)
    gui.remember()
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    yield from gui.move(gui.to_window((0, 0, 1)))
    yield from _save_meanwhile(gui, bob)
    yield from _edit_meanwhile(gui)
    yield from gui.picture("running")
    gui.remember()
    yield from gui.key("Z", ctrl=True)
    yield from gui.until(lambda: _running() is None)
    yield from gui.wait(3)
    bob = bpy.data.objects["Bob"]
    assert _channels(bob) == before
    assert not _is_elsewhere(bob)
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    yield from gui.until(lambda: _is_elsewhere(bpy.data.objects["Bob"]))
    bpy.ops.wm.read_homefile(use_empty=True)
    yield from gui.wait(3)
    assert _running() is None


def _save_meanwhile(gui: Gui, bob: Any) -> Steps:
    """Save by keys; the preview goes on."""
    file = Path(tempfile.mkdtemp()) / "bob.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    written, preview = file.stat().st_mtime_ns, _running()
    yield from gui.until(lambda: preview.simulation.time > 0.2)
    yield from gui.key("S", ctrl=True)
    yield from gui.until(lambda: file.stat().st_mtime_ns != written)
    reached = preview.simulation.time
    yield from gui.until(lambda: preview.simulation.time > reached + 0.1)
    assert _is_elsewhere(bob), "saving ended the preview"


def _edit_meanwhile(gui: Gui) -> Steps:
    """Edit gravity and damping; they take effect."""
    preview = _running()
    joint = next(obj for obj in bpy.data.objects if obj.omi_joint.enabled)
    bpy.context.scene.gravity.z = -1.0
    joint.omi_joint.limits[0].damping = 3.0
    _select(joint)
    reached = preview.simulation.time
    yield from gui.until(lambda: preview.simulation.time > reached + 0.1)
    simulated = preview.simulation.scene
    assert simulated.gravity[2] == -1.0
    assert simulated.joints[0].settings.limits[0].damping == 3.0


def a_click_beside_all_bodies_selects(gui: Gui) -> Steps:
    bob = _pendulum()
    gui.look((0, 0, -0.5), rotation=FRONT, distance=30)
    bpy.ops.mesh.primitive_cube_add(location=(8, 0, 0))
    cube = bpy.context.object
    cube.select_set(False)
    yield from gui.wait()
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    preview = _running()
    yield from gui.until(lambda: preview.simulation.time > 0.1)
    yield from gui.click(gui.to_window((8, 0, 0)))
    yield from gui.wait(2)
    assert cube.select_get(), "the click did not reach Blender"
    assert _running() is preview
    yield from gui.key("ESC")
    yield from gui.wait(2)
    assert _running() is None
    assert not _is_elsewhere(bob)


def undo_and_disabling_leave_nothing(gui: Gui) -> Steps:
    bob = _pendulum()
    gui.remember()
    before = _channels(bob)
    bpy.ops.omi.preview_simulate("INVOKE_DEFAULT")
    preview = _running()
    yield from gui.until(lambda: preview.simulation.time > 0.1)
    assert _is_elsewhere(bob)
    addon("preview.session").detach()
    assert _channels(bob) == before
    bpy.context.view_layer.update()
    assert not _is_elsewhere(bob)
    addon("preview.session").attach()
    yield from gui.wait(2)


def _saved_copy(name: str) -> Any:
    """Return an object as a copy of the file that is saved now holds it."""
    copy = Path(tempfile.mkdtemp()) / "copy.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(copy), copy=True)
    with bpy.data.libraries.load(str(copy)) as (_, loaded):
        loaded.objects = [name]
    return loaded.objects[0]


def _shown(obj: Any) -> Any:
    """Return where the viewport shows an object."""
    graph = bpy.context.evaluated_depsgraph_get()
    return obj.evaluated_get(graph).matrix_world.translation.copy()


def _is_elsewhere(obj: Any) -> bool:
    return (_shown(obj) - obj.location).length > 1e-4


def _running() -> Any:
    return addon("preview.session").running()


def _undo_steps() -> list[str]:
    manager = bpy.context.window_manager
    return [operator.bl_idname for operator in manager.operators]


def _channels(obj: Any) -> Any:
    names = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale")
    return [tuple(getattr(obj, name)) for name in names]


def _select(active: Any) -> None:
    for obj in bpy.context.scene.objects:
        obj.select_set(obj == active)
    bpy.context.view_layer.objects.active = active


def _cube(name: str, location: Any, scale: Any, kind: str) -> Any:
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=location)
    cube = bpy.context.object
    cube.name, cube.scale = name, scale
    cube.omi_body.motion_type = kind
    return cube


def _joint(settings: Any, first: Any, second: Any, place: Any, turn: Any) -> Any:
    ends = []
    bpy.context.view_layer.update()
    for name, parent in (("Joint", first), ("End", second)):
        end = bpy.data.objects.new(name, None)
        bpy.context.scene.collection.objects.link(end)
        end.location, end.rotation_euler = place, turn
        end.parent = parent
        end.matrix_parent_inverse = parent.matrix_world.inverted()
        ends.append(end)
    joint = ends[0].omi_joint
    joint.enabled = True
    joint.connected_object = ends[1]
    joint.settings_from_core(settings)
    bpy.context.view_layer.update()
    return ends[0]


def _door() -> tuple[Any, Any]:
    wall = _cube("Wall", (-1.5, 0, 0), (2.0, 0.3, 2.5), "STATIC")
    door = _cube("Door", (0.6, 0, 0), (1.6, 0.1, 2.2), "DYNAMIC")
    hinge = addon("core.meaning.presets").hinge(axis=2, min_angle=-0.4, max_angle=1.8)
    return door, _joint(hinge, wall, door, (-0.3, 0, 0), (0, 0, 0))


def _pendulum() -> Any:
    beam = _cube("Beam", (0, 0, 0), (0.6, 0.6, 0.2), "STATIC")
    bob = _cube("Bob", (1.2, 0, 0), (0.5, 0.5, 0.5), "DYNAMIC")
    hinge = addon("core.meaning.presets").hinge(axis=2, min_angle=-3.0, max_angle=3.0)
    _joint(hinge, beam, bob, (0, 0, 0), (math.pi / 2, 0, 0))
    return bob
