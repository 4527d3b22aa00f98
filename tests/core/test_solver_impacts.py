"""Impacts of joints on their limits beside equations of the angles, integrated finely."""

import math

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.solver import Simulation
from tests.core.solver_scenes import G, SceneBuilder

pytestmark = pytest.mark.slow

LENGTH, FIRST, REACH = 1.0, 0.5, 0.8
"""Of the first link, and to the centers of mass of both from their joints [m]."""
MASSES, INERTIA = (1.0, 2.0), 0.05
BOUND, PARTS = 0.5, 300
STEP = 1.0 / 60.0 / PARTS
ACROSS = np.array((-1.0, 1.0))
"""How the angle between the links grows with theirs."""


def equations(angle, rate):
    """Return mass matrix (2, 2) and forces (2,) of two links in a plane, by their angles."""
    light, heavy = MASSES
    between, tie = angle[0] - angle[1], heavy * LENGTH * REACH
    own = INERTIA + light * FIRST**2 + heavy * LENGTH**2
    matrix = np.array(
        ((own, tie * math.cos(between)), (tie * math.cos(between), INERTIA + heavy * REACH**2))
    )
    swirl = tie * math.sin(between) * np.array((-(rate[1] ** 2), rate[0] ** 2))
    weight = np.array((light * FIRST + heavy * LENGTH, heavy * REACH)) * np.cos(angle)
    return matrix, swirl - G * weight


def acceleration(angle, rate, side):
    """Return the angular accelerations; where `side` is not 0 its bound only pushes back."""
    matrix, force = equations(angle, rate)
    free = np.linalg.solve(matrix, force)
    if side * (ACROSS @ free) <= 0.0:
        return free
    held = np.linalg.solve(matrix, ACROSS)
    return free - held * (ACROSS @ free) / (ACROSS @ held)


def course(seconds):
    """Return the angles (60 a second) of links let go from the horizontal, impacts inelastic."""
    angle, rate, side, count = np.zeros(2), np.zeros(2), 0.0, 0
    result = []
    for number in range(1, round(seconds / STEP) + 1):
        middle = rate + 0.5 * STEP * acceleration(angle, rate, side)
        way = angle + 0.5 * STEP * rate
        angle, rate = angle + STEP * middle, rate + STEP * acceleration(way, middle, side)
        bend = ACROSS @ angle
        is_out = abs(bend) >= BOUND
        side = math.copysign(1.0, bend) if is_out else 0.0
        if is_out and side * (ACROSS @ rate) > 0.0:
            held = np.linalg.solve(equations(angle, rate)[0], ACROSS)
            rate = rate - held * (ACROSS @ rate) / (ACROSS @ held)
            count += 1
        if number % PARTS == 0:
            result.append(angle)
    return np.array(result), count


def test_links_that_meet_their_limit_go_on_as_their_equations():
    build = SceneBuilder()
    free = presets.hinge(axis=0, min_angle=-math.inf, max_angle=math.inf)
    first = build.body((0.0, FIRST, 0.0), mass=MASSES[0], inertia=INERTIA)
    second = build.body((0.0, LENGTH + REACH, 0.0), mass=MASSES[1], inertia=INERTIA)
    build.joint(free, -1, first, (0, 0, 0))
    limited = presets.hinge(axis=0, min_angle=-BOUND, max_angle=BOUND)
    build.joint(limited, first, second, (0, LENGTH, 0))
    expected, impacts = course(0.75)
    simulation = Simulation(build.scene())
    centers = []
    for _ in expected:
        simulation.advance(1.0 / 60.0)
        centers.append(simulation.motions.center[1:, 1:].T.copy())
    ends = np.stack((np.cos(expected), np.sin(expected)), axis=-1)
    wanted = np.stack((FIRST * ends[:, 0], LENGTH * ends[:, 0] + REACH * ends[:, 1]), axis=1)
    off = np.linalg.norm(np.array(centers) - wanted, axis=-1).max(axis=1)
    assert impacts > 0
    assert off.max() <= 6e-4


@pytest.mark.parametrize("speed", [0.37, 1.13, 1.93, 4.61])
@pytest.mark.parametrize("room", [0.1, 0.1037])
def test_what_hangs_on_a_slider_that_meets_its_limit_swings_as_in_closed_form(speed, room):
    """Its spin about the pin is kept; the inertia that steadies links under load slowed it."""
    mass, length, angle, inertia = 0.053, 0.31, 0.29, 6e-5
    build = SceneBuilder((0.0, 0.0, 0.0))
    moves = {"linear_velocity": (speed, 0.0, 0.0)}
    slider = build.body((0.0, 0.0, 0.0), mass=3.1, inertia=0.02, **moves)
    place = (length * math.sin(angle), 0.0, -length * math.cos(angle))
    ball = build.body(place, mass=mass, inertia=inertia, **moves)
    build.joint(presets.slider(axis=0, min_distance=-1.0, max_distance=room), -1, slider, (0, 0, 0))
    free = presets.hinge(axis=1, min_angle=-math.inf, max_angle=math.inf)
    build.joint(free, slider, ball, (0, 0, 0))
    rate = mass * speed * length * math.cos(angle) / (mass * length**2 + inertia)
    simulation = Simulation(build.scene())
    # As long as it is ahead it pulls the slider to its limit.
    while simulation.time < room / speed + min(2.4 / rate, 1.0):
        simulation.advance(1.0 / 60.0)
    way = simulation.motions.center[:, 2] - simulation.motions.center[:, 1]
    swung = math.atan2(way[0], -way[2])
    expected = angle + rate * (simulation.time - room / speed)
    assert math.degrees(abs(swung - expected)) <= 0.25
