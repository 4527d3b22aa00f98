"""Whatever is raised while a preview runs, and however Blender ends it: all is put back."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.operators.preview.preview import (
    Modal,
    OMI_OT_preview_simulate,
    OMI_OT_preview_window_follow,
)
from omi_joints_addon.preview import draw, forces, session
from omi_joints_addon.preview.session import running, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from omi_joints_addon.scene.live import LiveScene
from omi_joints_addon.scene.preview_poses import PreviewPoses
from omi_joints_addon.scene.shown import ShownScene
from tests.blender.test_preview import channels, hanging_cube, world
from tests.blender.test_preview_traces import simulate

ERRORS = (MemoryError, KeyboardInterrupt, SystemExit)
PLACES: dict[str, tuple[type, str]] = {
    "simulation": (SimulationPreview, "next_frame"),
    "states": (SimulationPreview, "_states"),
    "showing": (ShownScene, "show"),
    "moving": (PreviewPoses, "_move"),
    "refreshing": (LiveScene, "refresh"),
}


pytestmark = pytest.mark.usefixtures("no_preview_left")


class Timers:
    """A window manager that counts the timers that are left."""

    def __init__(self) -> None:
        self.timers = [SimpleNamespace(time_duration=1.0)]
        self.omi_preview = preview_options(bpy.context)

    def event_timer_add(self, duration: float, *, window: Any) -> Any:
        self.timers.append(SimpleNamespace(time_duration=duration))
        return self.timers[-1]

    def modal_handler_add(self, _operator: Any) -> None:
        pass

    def event_timer_remove(self, timer: Any) -> None:
        self.timers.remove(timer)


def operator(preview: SimulationPreview, timers: Timers) -> Any:
    class Running(Modal):
        pass

    made: Any = Running()
    made._preview, made._timer = preview, timers.timers[0]
    return made


def context(timers: Timers) -> Any:
    names = ("scene", "window", "view_layer", "mode", "evaluated_depsgraph_get")
    return SimpleNamespace(
        window_manager=timers, **{name: getattr(bpy.context, name) for name in names}
    )


def raising(error: type[BaseException]) -> Callable[..., Any]:
    def fail(*_arguments: Any, **_options: Any) -> Any:
        raise error("injected")

    return fail


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("error", ERRORS)
def test_an_error_in_a_tick_puts_all_back(
    place: str, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob = hanging_cube()
    before = channels()
    preview, timers = simulate(), Timers()
    assert world(bob)[2, 3] < -0.1
    with monkeypatch.context() as patch:
        patch.setattr(*PLACES[place], raising(error))
        with pytest.raises(error):
            operator(preview, timers)._tick(context(timers))
    assert not timers.timers, "the timer is left"
    assert running() is None
    assert channels() == before
    np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))
    assert OMI_OT_preview_simulate.poll(bpy.context)
    assert simulate().simulation.time > 0.0


@pytest.mark.parametrize("kind", ["TIMER", "LEFTMOUSE"])
def test_an_error_at_an_event_ends_the_preview_with_one_sentence(
    kind: str, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    _, bob = hanging_cube()
    before = channels()
    preview, timers, reports = simulate(), Timers(), []
    made = operator(preview, timers)
    made._hands = SimpleNamespace(take=raising(IndexError))
    made.report = lambda kinds, text: reports.append((kinds, text))
    monkeypatch.setattr(*PLACES["simulation"], raising(IndexError))
    event = SimpleNamespace(type=kind, value="PRESS")
    assert made.modal(context(timers), event) == {"CANCELLED"}
    ((kinds, text),) = reports
    assert kinds == {"ERROR"}
    assert "IndexError: injected" in text
    assert "\n" not in text
    assert "raise error" in "".join(capfd.readouterr()), "the console shows no traceback"
    assert not timers.timers
    assert running() is None
    assert channels() == before
    np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))


def test_an_error_in_another_window_ends_the_preview_too(capfd: Any) -> None:
    hanging_cube()
    preview, reports = simulate(), []
    follower = SimpleNamespace(
        _hands=SimpleNamespace(preview=preview, take=raising(IndexError)),
        report=lambda kinds, text: reports.append((kinds, text)),
    )
    event = SimpleNamespace(type="LEFTMOUSE", value="PRESS")
    found = OMI_OT_preview_window_follow.modal(follower, bpy.context, event)
    assert found == {"CANCELLED"}
    assert [kinds for kinds, _ in reports] == [{"ERROR"}]
    assert running() is None
    assert "injected" in "".join(capfd.readouterr())


def test_an_error_while_all_is_put_back_leaves_no_preview(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be put back is, as soon as Blender evaluates it."""
    _, bob = hanging_cube()
    simulate()
    with monkeypatch.context() as patch:
        patch.setattr(PreviewPoses, "hide", raising(MemoryError))
        with pytest.raises(MemoryError):
            stop()
    assert running() is None
    bob.update_tag()
    np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))
    assert OMI_OT_preview_simulate.poll(bpy.context)


def test_a_preview_that_blender_ends_leaves_no_timer() -> None:
    _, bob = hanging_cube()
    preview, timers = simulate(), Timers()
    operator(preview, timers).cancel(context(timers))
    assert not timers.timers
    assert running() is None
    np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))


def test_an_extension_that_is_disabled_ends_the_operator_of_its_preview() -> None:
    """Blender drops operators whose class is removed, but neither their timers nor their texts."""
    hanging_cube()
    timers = Timers()

    class Running(Modal):
        def make(self, _context: Any) -> SimulationPreview:
            return SimulationPreview(bpy.context)

    assert Running().execute(context(timers)) == {"RUNNING_MODAL"}
    assert len(timers.timers) == 2
    timers.timers.pop(0)
    session.detach()
    session.attach()
    assert running() is None
    assert not timers.timers


def test_forces_that_cannot_be_drawn_do_not_end_a_preview(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging_cube()
    preview = simulate()
    preview_options(bpy.context).show_forces = True
    monkeypatch.setattr(forces, "draw_forces", raising(RuntimeError))
    with pytest.raises(RuntimeError):
        draw.draw_forces(bpy.context)
    preview.tick(bpy.context)
    assert running() is preview


@pytest.mark.parametrize("name", ["depsgraph_update_post", "frame_change_post", "save_pre"])
def test_handlers_of_others_that_fail_change_nothing(name: str, tmp_path: Any, capfd: Any) -> None:
    """Blender tells of the error and goes on with the handlers that come after."""
    _, bob = hanging_cube()
    handlers = getattr(bpy.app.handlers, name)
    fail = raising(RuntimeError)
    handlers.insert(0, fail)
    try:
        before = [tuple(bob.location), tuple(bob.rotation_euler)]
        preview = simulate()
        bpy.context.scene.frame_set(2)
        path = tmp_path / "copy.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
        preview.tick(bpy.context)
        assert running() is preview
        assert world(bob)[2, 3] < -0.1
        stop()
        np.testing.assert_array_equal(world(bob), np.array(bob.matrix_world))
        assert [tuple(bob.location), tuple(bob.rotation_euler)] == before
    finally:
        handlers.remove(fail)
    assert "injected" in "".join(capfd.readouterr())
    with bpy.data.libraries.load(str(path)) as (_, loaded):
        loaded.objects = ["Bob"]
    assert [tuple(loaded.objects[0].location), tuple(loaded.objects[0].rotation_euler)] == before


def test_a_file_that_is_loaded_ends_a_preview_whose_handlers_fail(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    hanging_cube()
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    simulate()
    with monkeypatch.context() as patch:
        patch.setattr(PreviewPoses, "hide", raising(MemoryError))
        bpy.ops.wm.open_mainfile(filepath=path)
    assert running() is None
    assert OMI_OT_preview_simulate.poll(bpy.context)
    assert simulate().simulation.time > 0.0
