"""Steps with contacts end in bounded work, whatever the numbers; what was not exact is named."""

import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.model.body import Collider, MotionType, PhysicsMaterial
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.pose import Array
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box, Shape, Sphere
from omi_joints_addon.core.solver import Options, Simulation
from omi_joints_addon.core.solver import course as joints_course
from omi_joints_addon.core.solver.contacts import convex, fields
from omi_joints_addon.core.solver.contacts.shapes import solid_points
from omi_joints_addon.io.formats.format import Source
from omi_joints_addon.io.formats.urdf import URDF
from tests.core.solver_scenes import SceneBuilder, matrix, pendulum

pytestmark = pytest.mark.slow

FLOOR = Box(size=(20.0, 20.0, 1.0))
CUBE = Box(size=(0.2, 0.2, 0.2))
HAND = Path(__file__).with_name("hand_of_one_heavy_inertia.urdf")


def solid(build: SceneBuilder, shapes: dict[int, Shape], **material: float) -> Simulation:
    made = PhysicsMaterial(**material)
    colliders = {node: Collider(shape=shape, material=made) for node, shape in shapes.items()}
    return started(replace(build.scene(), colliders=colliders))


def started(scene: PhysicsScene) -> Simulation:
    return Simulation(scene, options=Options(contacts=True))


def codes(moving: Simulation) -> list[str]:
    return [found.code for found in moving.problems()]


def hand() -> Simulation:
    """Return links that overlap, one of which has 4.7 kg·m² for 4.7e-6."""
    (found,) = URDF.read(Source(path=HAND))
    return started(found.scene)


def test_a_hand_with_one_inertia_out_of_proportion_gains_no_energy() -> None:
    """Contacts multiplied speeds until a matrix had no factors: 1,340 J in a tenth of a second."""
    moving, sums = hand(), list[float]()
    for _ in range(60):
        moving.advance(1.0 / 60.0)
        sums.append(float(moving.energies().sum()))
        assert np.isfinite(moving.matrices()).all()
        assert np.abs(moving.motions.linear).max() < 30.0
    assert max(sums) < sums[0] + 1.0
    assert "OMI-P035" not in codes(moving)


def test_what_contacts_would_speed_up_without_end_is_held_and_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where bodies keep the speed that overlaps are taken back with, that of the hand grows."""
    monkeypatch.setattr(convex, "_KEPT", 1.0)
    moving = hand()
    for _ in range(20):
        moving.advance(1.0 / 60.0)
        assert np.isfinite(moving.matrices()).all()
        assert np.abs(moving.motions.linear).max() < 1e4
    assert "OMI-P035" in codes(moving)


def test_bodies_that_start_in_each_other_part_and_stay_where_they_part() -> None:
    build = SceneBuilder((0.0, 0.0, 0.0))
    one, other = (build.body((0.1 * side, 0.0, 0.0), inertia=0.004) for side in (-0.73, 0.73))
    moving = solid(build, dict.fromkeys((one, other), Sphere(radius=0.1)))
    moving.advance(1.0)
    places = moving.matrices()[:, 0, 3]
    # A hundredth of a meter a second of the speed they part at is theirs.
    assert 0.199 < places[other] - places[one] < 0.21
    assert np.abs(moving.motions.linear).max() < 0.01


def test_bodies_without_end_at_one_place_take_bounded_work() -> None:
    """150 boxes in each other have 11,175 pairs that touch."""
    build = SceneBuilder()
    boxes = [build.body((0.0, 0.0, 0.1), inertia=0.01) for _ in range(150)]
    moving = solid(build, {build.node((0.0, 0.0, -0.5)): FLOOR, **dict.fromkeys(boxes, CUBE)})
    moving.advance(1.0 / 60.0)
    assert np.isfinite(moving.matrices()).all()
    assert "OMI-P037" in codes(moving)


def test_an_arm_that_was_pasted_without_end_takes_bounded_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What joints hold in each other does not part: passes went on for four seconds a frame."""
    entries, solve = list[int](), fields.RowProblem.solve

    def counted(self: fields.RowProblem, goals: Array) -> tuple[Array, Array, Array]:
        found = solve(self, goals)
        entries.append(int(self.data.solver_niter[0]) * int(self.data.solver_nnz[0]))
        return found

    monkeypatch.setattr(fields.RowProblem, "solve", counted)
    build, shapes = SceneBuilder(), dict[int, Shape]()
    for _ in range(100):
        arm = build.body((0.0, 0.0, 0.75), mass=5.3, inertia=0.11)
        hand = build.body((0.0, 0.0, 0.5), mass=4.1, inertia=0.02)
        build.joint(presets.hinge(axis=1, min_angle=-1.0, max_angle=1.0), -1, arm, (0, 0, 1.0))
        build.joint(presets.hinge(axis=0, min_angle=-1.0, max_angle=1.0), arm, hand, (0, 0, 0.5))
        shapes |= {arm: Box(size=(0.1, 0.1, 0.5)), hand: Sphere(radius=0.1)}
    moving = solid(build, shapes)
    moving.advance(1.0 / 60.0)
    assert sum(entries) < 4 * 9e6
    assert "OMI-P037" in codes(moving)


def test_matrices_without_inverse_stop_what_they_are_of(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = Simulation(
        pendulum(
            JointSettings(limits=(JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),)), angle=1.0
        )
    )

    def fail(*_arguments, **_options):
        raise np.linalg.LinAlgError("Singular matrix")

    monkeypatch.setattr(joints_course, "advance", fail)
    before = moving.matrices()
    moving.advance(0.1)
    assert np.array_equal(moving.matrices(), before)
    assert codes(moving) == ["OMI-P005"]


def test_passes_that_end_too_early_are_named_with_the_speed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def heap() -> Simulation:
        build = SceneBuilder()
        shapes = {build.node((0.0, 0.0, -0.5)): FLOOR}
        for n in range(12):
            place = (0.07 * (n % 3), 0.05 * (n % 2), 0.11 + 0.23 * n)
            shapes[build.body(place, inertia=1 / 150, linear_velocity=(0, 0, -3.0))] = CUBE
        return solid(build, shapes)

    whole = heap()
    whole.advance(0.5)
    assert not codes(whole)
    monkeypatch.setattr(convex, "_MOST_PASSES", 1)
    early = heap()
    early.advance(0.5)
    assert codes(early) == ["OMI-P036"]


def test_what_drives_and_strikes_hard_is_not_taken_back() -> None:
    """A motor that starts on the floor, a hammer that is driven, and a heavy body that hits a light
    one speed others up a lot, and rightly."""
    build = SceneBuilder()
    floor = build.node((0.0, 0.0, -0.5))
    hammer = build.body((-1.0, 3.0, 0.1), type=MotionType.KINEMATIC)
    nail = build.body((0.0, 3.0, 0.1), inertia=0.004, mass=0.1)
    heavy = build.body((-1.0, -3.0, 0.1), inertia=1.0, mass=100.0, linear_velocity=(20.0, 0, 0))
    light = build.body((0.0, -3.0, 0.1), inertia=0.0004, mass=0.1)
    wheel = build.body((0.0, 0.0, 0.1), mass=0.1, inertia=0.0004)
    drive = JointDrive(type="angular", axis=1, velocity_target=200.0, damping=10.0)
    build.joint(JointSettings(drives=(drive,)), -1, wheel, (0.0, 0.0, 0.1))
    ball = Sphere(radius=0.1)
    shapes = {floor: FLOOR, hammer: CUBE, nail: ball, heavy: CUBE, light: ball, wheel: ball}
    moving = solid(build, shapes, static_friction=0.0, dynamic_friction=0.0)
    for frame in range(30):
        moving.advance(1 / 60, driven={hammer: matrix((-1.0 + 0.5 * (frame + 1), 3.0, 0.1))})
    assert not codes(moving)
    assert moving.motions.linear[0].max() > 19.9
    place = moving.matrices()[:, 0, 3]
    assert place[nail] > place[hammer] + 0.19
    assert place[light] > place[heavy] + 0.19


@pytest.mark.parametrize("speed", [50.0, 200.0, 800.0])
def test_bullets_stop_at_a_wall_of_ten_millimeters(speed: float) -> None:
    build = SceneBuilder((0.0, 0.0, 0.0))
    wall = build.node((2.0, 0.0, 0.0))
    ball = build.body((0, 0, 0), inertia=1e-5, mass=0.03, linear_velocity=(speed, 0, 0))
    moving = solid(build, {wall: Box(size=(0.01, 4.0, 4.0)), ball: Sphere(radius=0.01)})
    for _ in range(30):
        moving.advance(1.0 / 60.0)
        assert moving.matrices()[ball, 0, 3] < 1.9851
    assert moving.matrices()[ball, 0, 3] == pytest.approx(1.985, abs=1e-4)


def test_a_hull_of_many_corners_takes_the_room_of_its_corners() -> None:
    """It took the square of their number, 72 MB here, and a third of a second for 6,000."""
    corners = np.random.default_rng(5).normal(size=(3000, 3))
    tracemalloc.start()
    assert solid_points(corners) is corners
    assert tracemalloc.get_traced_memory()[1] < 10 * corners.nbytes
    tracemalloc.stop()


def test_flat_and_few_corners_become_solid() -> None:
    flat = np.array(((0.3, 0.1, 0.2), (1.3, 0.1, 0.2), (0.3, 0.7, 0.2), (1.1, 0.9, 0.2)))
    for corners in (flat, flat[:3], flat[:2], flat[:1]):
        spread = np.linalg.svd(solid_points(corners) - corners.mean(axis=0), compute_uv=False)
        assert len(spread) == 3
        assert spread[-1] > 0.0
