"""Energy and gaps at the solver's own choice of steps: neither gained nor lost beyond bounds.

Scenes that have no room to move as drawn, light links under load, and what turns fast.
"""

import itertools
import math

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import G, SceneBuilder, turn

PIN = presets.pin()
MASS, LINK, INERTIA = 0.1, 0.1, 1e-4


class Course:
    """The largest gap [m] and the energies [J] of the islands of a simulation, from the start."""

    def __init__(self, scene, seconds):
        simulation = Simulation(scene)
        self.island = simulation.model.system.island
        self.gap, values = 0.0, [self._energies(simulation)]
        for _ in range(round(seconds * 60)):
            simulation.advance(1.0 / 60.0)
            values.append(self._energies(simulation))
            gaps = np.linalg.norm(simulation.relative_poses().position, axis=-1)
            self.gap = max(self.gap, gaps.max())
        self.simulation = simulation
        self.change = np.array(values) - values[0]

    def _energies(self, simulation):
        return np.bincount(self.island, simulation.energies())


def beam(build, start, end, **motion):
    """Add a link between two points."""
    middle = (np.asarray(start, float) + end) / 2.0
    return build.body(middle, mass=MASS, inertia=INERTIA, **motion)


def linked(build, edges, posts):
    """Add a link per pair of points, pinned together and to the world where they meet."""
    at = {}
    for start, end in edges:
        link = beam(build, start, end)
        for point in (tuple(start), tuple(end)):
            if point in at or point in posts:
                build.joint(PIN, at.get(point, -1), link, point)
            at.setdefault(point, link)


def test_straight_chains_between_two_posts_hold():
    """Every number of links from 2 to 50, as an artist draws a rope first."""
    build = SceneBuilder()
    for count in range(2, 51):
        points = [(LINK * n, 0.5 * count, 0.0) for n in range(count + 1)]
        linked(build, list(itertools.pairwise(points)), {points[0], points[-1]})
    course = Course(build.scene(), 0.5)
    assert course.gap <= 1e-3
    assert course.change.max() <= 1e-6
    course.simulation.advance(1.0 / 60.0)
    heights = course.simulation.motions.center[2, 1:]
    assert -0.1 < heights.min() < -1e-3


def grid(size, *, is_braced=False):
    """Return the edges of a flat grid, with diagonals where it is braced."""
    edges = []
    for x in range(size):
        for y in range(size):
            steps = [(1, 0), (0, 1), (1, 1)] if is_braced else [(1, 0), (0, 1)]
            edges += [
                ((LINK * x, LINK * y, 0.0), (LINK * (x + i), LINK * (y + j), 0.0))
                for i, j in steps
                if x + i < size and y + j < size
            ]
    return edges


@pytest.mark.parametrize("is_braced", [False, True], ids=["net", "triangles"])
def test_flat_grids_hung_by_a_corner_hold(is_braced):
    build = SceneBuilder()
    linked(build, grid(4, is_braced=is_braced), {(0.0, 0.0, 0.0)})
    course = Course(build.scene(), 1.0)
    assert course.gap <= 1e-3
    assert course.change.max() <= 1e-3 * MASS * G


@pytest.mark.parametrize("size", [4, 7, 10])
def test_nets_of_plates_hold(size):
    """Plates at the points of a grid, pinned to their neighbours half way."""
    build = SceneBuilder()
    plates = {
        (x, y): build.body((LINK * x, LINK * y, 0.0), mass=MASS, inertia=INERTIA)
        for x in range(size)
        for y in range(size)
    }
    for (x, y), plate in plates.items():
        for i, j in ((1, 0), (0, 1)):
            if (x + i, y + j) in plates:
                place = (LINK * (x + i / 2), LINK * (y + j / 2), 0.0)
                build.joint(PIN, plate, plates[x + i, y + j], place)
    build.joint(PIN, -1, plates[0, 0], (0, 0, 0))
    course = Course(build.scene(), 0.4)
    assert course.gap <= 1e-3
    assert course.change.max() <= 1e-3 * MASS * G


def test_rings_hold_also_where_they_lie_flat_on_themselves():
    build = SceneBuilder()
    for row, count in enumerate((3, 4, 5, 12)):
        radius = LINK / 2.0 / math.sin(math.pi / count)
        angles = 2.0 * math.pi * np.arange(count + 1) / count
        points = [(radius * math.cos(a), row + radius * math.sin(a), 0.0) for a in angles]
        points[-1] = points[0]
        linked(build, list(itertools.pairwise(points)), {points[0]})
    for row, count in enumerate((4, 6, 12)):
        there = [(LINK * n, -1.0 - row, 0.0) for n in range(count // 2 + 1)]
        back = [(x, y, 1e-12) for x, y, _ in reversed(there[1:-1])]
        points = [*there, *back, there[0]]
        linked(build, list(itertools.pairwise(points)), {points[0]})
    course = Course(build.scene(), 1.0)
    assert course.gap <= 1e-3
    assert course.change.max() <= 2e-3 * MASS * G


def hanging(build, count, *, place, end, mass=MASS, angle=0.5):
    """Add light links with a heavy body at the end, swung out about X; return what it can give."""
    way, rotation = np.array((0.0, math.sin(angle), -math.cos(angle))), turn((1, 0, 0), angle)
    before, start = -1, np.asarray(place, float)
    for number in range(count + 1):
        weight = end if number == count else mass
        middle = start + LINK * (number + 0.5) * way
        link = build.body(middle, rotation, mass=weight, inertia=weight * LINK**2 / 12.0)
        build.joint(PIN, before, link, start + LINK * number * way, rotation)
        before = link
    return end * G * (count + 0.5) * LINK * (1.0 - math.cos(angle))


def test_light_links_under_load_keep_their_swing():
    build = SceneBuilder()
    given = [
        hanging(build, count, place=(row, 0, 0), end=end, mass=mass)
        for row, (count, end, mass) in enumerate(
            ((1, 10.0, 0.01), (5, 100.0, 0.1), (20, 100.0, 0.1), (50, 100.0, 0.1))
        )
    ]
    course = Course(build.scene(), 10.0)
    islands = np.unique(course.island[1:])
    kept = 1.0 + course.change[-60:, islands].min(axis=0) / given
    assert (kept >= 0.995).all(), kept
    assert (course.change[:, islands].max(axis=0) <= 1e-3 * np.array(given)).all()
    assert course.gap <= 1e-4
