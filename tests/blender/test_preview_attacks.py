"""Previews attacked: whatever happens while one runs, Blender's data are as without it.

Before and after each case all that RNA says of scenes, objects, meshes, actions and collections is
compared; and every tick fails once at its steps.
"""

import random
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.operators.preview.preview import Modal
from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import Command, Preview, begin, running, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from omi_joints_addon.scene.findings import settled_findings
from omi_joints_addon.scene.reading import scene_to_core
from omi_joints_addon.scene.watch import WATCH, live_scene
from omi_joints_addon.scene.work import SLICE
from tests.blender.scene_dump import dumped
from tests.blender.scenes import add_cube, add_door, add_rope
from tests.blender.test_preview import awkward_door, hanging_cube, world
from tests.blender.test_registration import traces
from tests.cases import cases
from tests.injection import InjectedError, calls, chosen, steps_of
from tests.tally import Tally

CASES = cases(6, 40)


pytestmark = pytest.mark.usefixtures("no_preview_left")


# What is previewed


def pendulum() -> Any:
    return hanging_cube()[0]


def door() -> Any:
    return add_door()[2]


def odd_door() -> Any:
    return awkward_door()[2]


def rope() -> Any:
    return add_rope(4)[0]


def animated() -> Any:
    joint, _bob = hanging_cube()
    beam = bpy.data.objects["Beam"]
    beam.omi_body.motion_type = "KINEMATIC"
    for frame, place in ((1, 0.0), (25, 2.0)):
        beam.location.x = place
        beam.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(5, subframe=0.25)
    beam.location.y = 0.375
    return joint


def constrained() -> Any:
    joint, bob = hanging_cube()
    follower = add_cube("Follower", (9.0, 0.0, 0.0))
    follower.constraints.new("COPY_LOCATION").target = bob
    follower.parent = bpy.data.objects["Beam"]
    follower.animation_data_create()
    driver = follower.driver_add("location", 2).driver
    driver.expression = "frame * 0.125"
    return joint


SCENES = (pendulum, door, odd_door, rope, animated, constrained)


# What happens meanwhile, and how it is left


def nothing(_folder: Path) -> None:
    pass


def undo_push(_folder: Path) -> None:
    bpy.ops.ed.undo_push(message="meanwhile")


def save(folder: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "copy.blend"), copy=True)


def export(folder: Path) -> None:
    bpy.ops.export_scene.gltf(filepath=str(folder / "out.glb"))
    bpy.context.scene.property_unset("omi_report")  # What it had to say is for the sidebar.


def write_library(folder: Path) -> None:
    bpy.data.libraries.write(str(folder / "library.blend"), set(bpy.context.scene.objects))


def frames(_folder: Path) -> None:
    scene = bpy.context.scene
    frame, subframe = scene.frame_current, scene.frame_subframe
    beam = bpy.data.objects.get("Beam")
    kept = tuple(beam.location) if beam else None
    scene.frame_set(9)
    scene.frame_set(frame, subframe=subframe)
    if beam is not None:
        beam.location = kept


def buttons(_folder: Path) -> None:
    preview = running()
    assert preview is not None
    for command in (Command.PAUSE, Command.STEP, Command.PLAY, Command.RESET, Command.SWEEP):
        if command != Command.SWEEP or isinstance(preview, PosePreview):
            preview.obey(command)
        preview.tick(bpy.context)


def other_preview(_folder: Path) -> None:
    preview = SimulationPreview(bpy.context)
    begin(preview)
    preview.tick(bpy.context)


EVENTS = (nothing, undo_push, save, export, write_library, frames, buttons, other_preview)


def by_stop() -> None:
    stop()


def by_button() -> None:
    if running() is not None:
        assert bpy.ops.omi.preview_control(command="STOP") == {"FINISHED"}


LEAVING = (by_stop, by_button)


def simulated(_joint: Any) -> Preview:
    begin(preview := SimulationPreview(bpy.context))
    return preview


def moved(joint: Any) -> Preview:
    begin(preview := PosePreview(bpy.context, joint))
    for name in ("about_x", "about_y", "about_z"):
        setattr(preview_options(bpy.context), name, 0.3)
    return preview


def posed(_joint: Any) -> Preview:
    begin(preview := PosePreview(bpy.context))
    preview.obey(Command.RANDOM)
    return preview


ATTACKS = [
    attack
    for attack in product(SCENES, (simulated, moved, posed), EVENTS, LEAVING)
    # Blender's exporter goes through the frames, which takes edits without keys, preview or not.
    if attack[0] is not animated or attack[2] is not export
]


@pytest.mark.attack
def test_blender_knows_nothing_of_a_preview_whatever_happens_meanwhile(
    tmp_path: Path, tally: Tally
) -> None:
    source = random.Random("previews")
    for scene, start, event, leave in source.sample(ATTACKS, CASES):
        name = f"{scene.__name__} {start.__name__} {event.__name__} {leave.__name__}"
        bpy.ops.wm.read_homefile(use_empty=True)
        joint = scene()
        bpy.ops.ed.undo_push(message="authored")
        before = dumped()
        preview = start(joint)
        for _ in range(6):
            preview.tick(bpy.context)
        assert dumped() == before, name
        event(tmp_path)
        for _ in range(3):
            preview.tick(bpy.context)
        assert dumped() == before, name
        leave()
        assert running() is None, name
        assert dumped() == before, name
        for obj in bpy.context.scene.objects:
            np.testing.assert_array_equal(world(obj), np.array(obj.matrix_world), name)
        tally.add("previews with a full dump before and after", name)


class Timer:
    """A timer that it is always time for."""

    time_duration = 1.0


def operator(preview: Preview) -> Any:
    class Running(Modal):
        _timer = None

        def _leave(self, _context: Any) -> None:
            self.has_left = True

    made = Running()
    made._preview, made._timer = preview, Timer()
    made.has_left = False
    return made


@pytest.mark.attack
@pytest.mark.parametrize("start", [simulated, moved])
def test_a_tick_that_fails_at_any_step_puts_all_back(
    start: Callable[[Any], Preview], tally: Tally
) -> None:
    joint = pendulum()
    before, registered = dumped(), traces()

    def tick() -> None:
        operator(start(joint))._tick(bpy.context)
        operator(running())._tick(bpy.context)

    names = steps_of(calls, tick)
    stop()
    for number in chosen(names):
        failing_quietly(tick, number)
        stop()
        assert running() is None, names[number]
        assert dumped() == before, names[number]
        assert traces() == registered, names[number]
        for obj in bpy.context.scene.objects:
            np.testing.assert_array_equal(world(obj), np.array(obj.matrix_world), names[number])
        tally.add(f"ticks of previews that fail, {start.__name__}", names[number])
    # It starts again as if nothing had been.
    tick()
    assert running() is not None


def failing_quietly(run: Callable[[], Any], number: int) -> None:
    """Run with a fault at a step, which Blender reports where it calls handlers itself."""
    try:
        with calls(number):
            run()
    except InjectedError:
        return


def edited_scene(*, is_previewed: bool) -> None:
    """Make a scene with steps to undo."""
    bpy.ops.wm.read_homefile(use_empty=True)
    pendulum()
    bpy.ops.ed.undo_push(message="authored")
    bpy.data.objects["Beam"].omi_body.mass = 3.0
    bpy.ops.ed.undo_push(message="mass")
    settled_findings(bpy.context.scene)
    if is_previewed:
        preview = simulated(None)
        for _ in range(3):
            preview.tick(bpy.context)


def run_handlers(path: Path) -> None:
    """Do all that Blender calls handlers for: edit, change the frame, save, undo, redo, load."""
    bpy.data.objects["Bob"].location.y = 0.5
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(3)
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.data.objects["Beam"].omi_body.mass = 4.0
    bpy.ops.ed.undo_push(message="more")
    bpy.ops.ed.undo()
    bpy.ops.ed.redo()
    bpy.ops.wm.open_mainfile(filepath=str(path))


def assert_checked() -> None:
    """Assert that live checks find what a whole check finds."""
    core, found = scene_to_core(bpy.context.scene)
    whole = Counter(str(each) for each in [*found, *check_scene(core)])
    assert Counter(map(str, settled_findings(bpy.context.scene))) == whole


@pytest.mark.attack
@pytest.mark.parametrize("is_previewed", [False, True], ids=["at rest", "previewed"])
def test_handlers_that_fail_at_any_step_lose_nothing(
    is_previewed: bool, tmp_path: Path, tally: Tally
) -> None:
    path = tmp_path / "scene.blend"
    edited_scene(is_previewed=is_previewed)
    names = steps_of(calls, lambda: run_handlers(path))
    registered, after = traces(), dumped()
    for number in chosen(names):
        edited_scene(is_previewed=is_previewed)
        failing_quietly(lambda: run_handlers(path), number)
        assert running() is None, names[number]
        assert traces() == registered, names[number]
        assert dumped() == after, names[number]
        assert_checked()
        tally.add("handlers that fail", names[number])


@pytest.mark.attack
def test_a_timer_that_fails_at_any_step_goes_on_with_the_next_change(tally: Tally) -> None:
    joint = door()
    live_scene(bpy.context.scene)

    def work() -> None:
        joint.omi_joint.limits[0].min = -9.0 - joint.omi_joint.limits[0].min
        WATCH.suspect()
        while not WATCH.work(perf_counter() + SLICE):
            pass

    names = steps_of(calls, work)
    for number in chosen(names):
        failing_quietly(work, number)
        work()
        found = [str(each) for each in settled_findings(bpy.context.scene)]
        WATCH.forget()
        assert found == [str(each) for each in settled_findings(bpy.context.scene)], names[number]
        tally.add("timers that fail", names[number])
