"""What is worked on bit by bit between Blender's redraws: by one timer, with one budget of time."""

from collections import deque
from enum import IntEnum
from math import inf
from time import perf_counter
from typing import Protocol

import bpy

from .windows import redraw_panels, redraw_views

SLICE = 0.0025
"""Time [s] after which nothing more is begun, so that Blender never waits for more than 4 ms."""
FIRST, LONGER = 0.25, 8.0
"""Time [s] of work after which what is known so far is drawn, and how many times longer each next.

At 5,000 joints each redraw takes Blender a fifth to half a second without a graphics card.
"""
REST = 1.0
"""Time [s] without work after which the next is new: what is drawn often gives more to do."""


class Redraw(IntEnum):
    """What shows a change."""

    NONE = 0
    PANELS = 1
    """All panels; to draw what views show as well takes Blender much longer."""
    VIEWS = 2
    """3D views and editors of properties, with their panels."""


class Job(Protocol):
    """Something to be worked on while anything of it is due."""

    def work(self, until: float) -> bool:
        """Go on until a moment of `time.perf_counter`; return whether nothing more is due."""

    def undrawn(self) -> Redraw:
        """Return what shows what was worked out since this was asked last."""


class Work:
    """The jobs of this Blender process that are due."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._undrawn: list[Job] = []
        """Jobs that were worked on since views were drawn for them last."""
        self._spent, self._limit, self._ended = 0.0, FIRST, -REST

    @property
    def is_done(self) -> bool:
        """Whether nothing is due."""
        return not self._jobs

    def is_due(self, job: Job) -> bool:
        """Return whether a job is worked on."""
        return job in self._jobs

    def later(self, job: Job) -> None:
        """Have a job worked on between redraws, of which there are none without windows."""
        if job not in self._jobs:
            self._jobs.append(job)
        if not (bpy.app.background or bpy.app.timers.is_registered(_tick)):
            bpy.app.timers.register(_tick, first_interval=0.0, persistent=True)

    def slice(self) -> bool:
        """Work for a while, on each job in turn; return whether all is done."""
        start = perf_counter()
        if start - self._ended > REST:
            self._spent, self._limit = 0.0, FIRST
        until = start + SLICE
        for _ in range(len(self._jobs)):
            # A job that fails is over.
            job = self._jobs.popleft()
            if job not in self._undrawn:
                self._undrawn.append(job)
            if not job.work(until):
                self._jobs.append(job)
            if perf_counter() >= until:
                break
        end = perf_counter()
        # Where more is due, time until the next slice is what Blender takes to draw: no rest.
        self._ended = end if self.is_done else inf
        self._draw(end - start)
        return self.is_done

    def _draw(self, spent: float) -> None:
        """Have drawn what is known: all at the end, and some after ever longer work before.

        A redraw of a large scene takes much longer than what is done between two of them.
        """
        self._spent += spent
        is_late = self._spent > self._limit
        if is_late:
            self._limit *= LONGER
        if self.is_done or is_late:
            jobs, self._undrawn = self._undrawn, []
            redraw(max((job.undrawn() for job in jobs), default=Redraw.NONE))

    def stop(self) -> None:
        """Work on nothing more."""
        self._jobs.clear()
        self._undrawn.clear()
        if bpy.app.timers.is_registered(_tick):
            bpy.app.timers.unregister(_tick)


WORK = Work()


def redraw(what: Redraw) -> None:
    """Have something drawn again."""
    if what == Redraw.VIEWS:
        redraw_views()
    elif what == Redraw.PANELS:
        redraw_panels()


def _tick() -> float | None:
    """Return when to go on, None for never."""
    return None if WORK.slice() else 0.0
