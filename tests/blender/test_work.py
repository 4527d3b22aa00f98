"""How often what is worked on between redraws is drawn."""

import pytest

from omi_joints_addon.scene import work
from omi_joints_addon.scene.work import Redraw, Work


class LongJob:
    """Takes `slices` steps of 2.5 ms each."""

    def __init__(self, slices, clock):
        self.left, self._clock = slices, clock

    def work(self, until):
        self._clock[0] = until
        self.left -= 1
        return self.left <= 0

    def undrawn(self):
        return Redraw.VIEWS


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(work, "perf_counter", lambda: now[0])
    return now


@pytest.fixture
def drawn(monkeypatch, clock):
    found = []
    monkeypatch.setattr(work, "redraw", lambda _what: found.append(round(clock[0] - 100.0, 1)))
    return found


def run(works, seconds, clock):
    works.later(LongJob(round(seconds / work.SLICE), clock))
    while not works.slice():
        pass


def test_long_work_is_drawn_after_a_quarter_second_and_then_ever_more_rarely(clock, drawn):
    run(Work(), 3.0, clock)
    assert drawn == [0.3, 2.0, 3.0]


def test_what_a_draw_gives_to_do_is_drawn_when_it_is_done(clock, drawn):
    works = Work()
    run(works, 1.0, clock)
    run(works, 0.5, clock)
    assert drawn == [0.3, 1.0, 1.5]
    clock[0] += 2.0
    run(works, 0.5, clock)
    assert drawn[3:] == [3.8, 4.0]


def test_a_draw_that_takes_long_is_no_rest(clock, monkeypatch):
    drawn = []

    def draw(_what):
        drawn.append(clock[0])
        clock[0] += 2.0

    monkeypatch.setattr(work, "redraw", draw)
    run(Work(), 3.0, clock)
    assert len(drawn) == 3
