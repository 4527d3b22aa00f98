"""A simulation keeps to real time where frames are late, and says where it cannot."""

import math

import bpy
import pytest

from omi_joints_addon.operators.preview import preview as operators
from omi_joints_addon.preview import simulated as simulation
from omi_joints_addon.preview.pace import Pace
from omi_joints_addon.preview.session import Command, begin
from omi_joints_addon.preview.simulated import SimulationPreview
from tests.blender.scenes import add_rope

pytestmark = pytest.mark.usefixtures("no_preview_left")

FRAME = 1.0 / 60.0


def simulated(pace: Pace, *, frame: float, others: float, ticks: int = 200) -> list[int]:
    """Return the frames of each tick where a frame takes some time [s], and all else, too."""
    counts, elapsed = [], FRAME
    for _ in range(ticks):
        counts.append(pace.frames_due(elapsed))
        pace.note(counts[-1], counts[-1] * frame)
        # Blender's timer goes on in whole frames.
        elapsed = FRAME * math.ceil((others + counts[-1] * frame) / FRAME)
    return counts


def test_each_tick_on_time_is_one_frame() -> None:
    pace = Pace(FRAME)
    for number in range(60):
        assert pace.frames_due(FRAME * (1.0 + 0.2 * (-1) ** number)) == 1
        pace.note(1, 0.004)
    assert pace.share == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("others", [0.02, 0.1, 0.3])
def test_slow_drawing_is_made_up_for(others: float) -> None:
    pace = Pace(FRAME)
    counts = simulated(pace, frame=0.004, others=others)
    assert pace.share == pytest.approx(1.0, abs=0.02)
    assert max(counts[20:]) <= math.ceil(1.5 * (others + FRAME) / (FRAME - 0.004))


def test_slow_simulation_goes_on_frame_by_frame_and_says_so() -> None:
    pace = Pace(FRAME)
    assert set(simulated(pace, frame=0.04, others=0.008)) == {1}
    assert pace.share == pytest.approx(1.0 / 3.0, abs=0.01)


def test_what_is_slow_in_both_shares_the_time() -> None:
    """Simulating takes twice as long as all else at most, so that views still move."""
    pace = Pace(FRAME)
    counts = simulated(pace, frame=0.03, others=0.06)
    assert max(counts) <= 5
    assert 0.35 < pace.share < 0.55


def test_a_long_wait_is_not_made_up_for() -> None:
    """As where a menu was open: nobody wants to see half a minute at once."""
    pace = Pace(FRAME)
    counts = []
    for elapsed in (FRAME, 30.0, FRAME, FRAME, FRAME):
        counts.append(pace.frames_due(elapsed))
        pace.note(counts[-1], 0.001 * counts[-1])
    assert counts == [1, 30, 1, 1, 1]


def test_frames_that_are_late_are_simulated_and_kept_for_baking() -> None:
    add_rope(3)
    preview = SimulationPreview(bpy.context)
    begin(preview)
    preview.tick(bpy.context, preview.frame_time)
    preview._pace.note(1, 0.001)
    preview.tick(bpy.context, 4.0 * preview.frame_time)
    assert len(preview.record) == 1 + 1 + 4
    assert preview.simulation.time == pytest.approx(5.0 * preview.frame_time)
    preview.obey(Command.STEP)
    preview.tick(bpy.context, 4.0 * preview.frame_time)
    assert len(preview.record) == 1 + 1 + 4 + 1


def test_frames_are_as_long_as_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """A late tick is made up for where frames take little of the time, else only in part."""
    add_rope(3)
    for took, elapsed, frames in ((0.0005, 4.0 / 24.0, 4), (0.06, 3.4 / 24.0, 2)):
        times = iter(1000.0 + took * number for number in range(100))
        monkeypatch.setattr(simulation, "perf_counter", lambda times=times: next(times))
        preview = SimulationPreview(bpy.context)
        begin(preview)
        preview.tick(bpy.context, preview.frame_time)
        before = len(preview.record)
        preview.tick(bpy.context, elapsed)
        assert len(preview.record) - before == frames


def test_a_simulation_that_nobody_stops_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    add_rope(3)
    monkeypatch.setattr(simulation, "_MOST_FRAMES", 10)
    preview = SimulationPreview(bpy.context)
    begin(preview)
    for _ in range(20):
        preview.tick(bpy.context, preview.frame_time)
    assert preview.activity == "Paused"
    assert len(preview.record) == 10
    assert not preview.is_over


def test_the_header_tells_how_slow_it_is() -> None:
    add_rope(3)
    preview = SimulationPreview(bpy.context)
    begin(preview)
    assert preview.activity == "Running"
    for _ in range(30):
        preview._pace.note(1, 10.0 * preview.frame_time)
        preview.tick(bpy.context, 2.0 * preview.frame_time)
    assert preview.activity == "Running at 50% of real time"
    preview.obey(Command.PAUSE)
    assert preview.activity == "Paused"
    preview.obey(Command.PLAY)
    assert preview.activity == "Running"


class Area:
    """A 3D view that remembers what it should draw."""

    type = "VIEW_3D"

    def __init__(self) -> None:
        self.regions = [Region("WINDOW"), Region("UI"), Region("HEADER")]
        self.headers: list[str | None] = []

    def header_text_set(self, text: str | None) -> None:
        self.headers.append(text)


class Region:
    """A region of it."""

    def __init__(self, kind: str) -> None:
        self.type, self.tags = kind, 0

    def tag_redraw(self) -> None:
        self.tags += 1


class Timer:
    """A timer that goes on."""

    time_duration = 0.0


def test_sidebars_and_headers_are_drawn_anew_a_few_times_a_second_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_rope(3)
    bpy.data.objects["Link 1"].location.x += 0.5
    area, preview = Area(), SimulationPreview(bpy.context)
    begin(preview)
    monkeypatch.setattr(operators.windows, "areas", lambda _kind: [area])
    operator = operators.Modal()
    operator._preview, operator._timer = preview, Timer()
    for frame in range(60):
        operator._timer.time_duration = (frame + 1) / 60.0
        operator._tick(bpy.context)
    drawn = {region.type: region.tags for region in area.regions}
    assert drawn["WINDOW"] == 60
    assert 5 <= drawn["UI"] <= 10
    assert len(area.headers) == drawn["UI"]
    preview.obey(Command.PAUSE)
    for frame in range(60, 120):
        operator._timer.time_duration = (frame + 1) / 60.0
        operator._tick(bpy.context)
    assert area.regions[0].tags == 60, "nothing moves while it is paused"
    assert area.headers[-1] == f"Simulation: Paused  {preview.clock}"
