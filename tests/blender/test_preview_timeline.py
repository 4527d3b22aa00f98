"""Simulations that follow keyed numbers of joints, and the timeline."""

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector

from omi_joints_addon.authoring.joints import add_joint
from omi_joints_addon.authoring.patterns import Pair
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.preview.session import begin
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.properties.preview import preview_options
from tests.blender.scenes import add_cube

pytestmark = pytest.mark.usefixtures("empty_scene")

INERTIA, DAMPING, RATE = 0.5, 2.0, 3.0
SPEED = "omi_joint.drives[0].velocity_target_angle"
FPS = 24
LOCKS = (
    JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
    JointLimit(angular_axes=(0, 1), min=0.0, max=0.0),
)


@pytest.fixture(autouse=True)
def _no_timeline_left(no_preview_left: None) -> Any:
    yield
    preview_options(bpy.context).use_timeline = False


def add_rotor(*limits: JointLimit) -> Any:
    """Add a body on a motor about Z through its origin; return the joint."""
    wall, rotor = (add_cube(name, (0.0, 0.0, 0.0)) for name in ("Wall", "Rotor"))
    drive = JointDrive(type="angular", axis=2, velocity_target=0.0, damping=DAMPING)
    settings = JointSettings(limits=(*LOCKS, *limits), drives=(drive,))
    joint = add_joint(bpy.context, Pair(rotor, wall), settings, place=Vector())
    wall.omi_body.motion_type, rotor.omi_body.motion_type = "STATIC", "DYNAMIC"
    rotor.omi_body.mass, rotor.omi_body.inertia_diagonal = 1.0, (INERTIA,) * 3
    return joint


def key(obj: Any, path: str, keys: list[tuple[float, float]], kind: str = "LINEAR") -> None:
    data = obj.animation_data or obj.animation_data_create()
    data.action = data.action or bpy.data.actions.new("Program")
    curve = data.action.fcurve_ensure_for_datablock(obj, path)
    for frame, value in keys:
        curve.keyframe_points.insert(frame, value).interpolation = kind
    curve.update()


def expected(seconds: np.ndarray) -> np.ndarray:
    """Return the turn [rad] of a rotor whose motor's speed grows: I·ω' = D·(a·t - ω)."""
    tau = INERTIA / DAMPING
    rest = 1.0 - np.exp(-seconds / tau)
    return RATE * (seconds**2 / 2.0 - tau * seconds + tau**2 * rest)


def turn(preview: SimulationPreview) -> np.ndarray:
    """Return how far the rotor has turned at each frame [rad]."""
    node = [obj.name for obj in preview.objects].index("Rotor")
    matrices = np.array(preview.record)[:, node]
    return np.unwrap(np.arctan2(matrices[:, 1, 0], matrices[:, 0, 0]))


def started(*, use_timeline: bool = True) -> SimulationPreview:
    preview_options(bpy.context).use_timeline = use_timeline
    preview = SimulationPreview(bpy.context)
    begin(preview)
    preview.tick(bpy.context, 0.0)
    return preview


def play(preview: SimulationPreview, frames: range) -> None:
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        preview.tick(bpy.context, 1.0 / FPS)


def test_a_keyed_motor_follows_the_closed_form() -> None:
    joint = add_rotor()
    key(joint, SPEED, [(1, 0.0), (49, 2.0 * RATE)])
    bpy.context.scene.frame_set(1)
    preview = SimulationPreview(bpy.context)
    for _ in range(48):
        preview.next_frame()
    assert turn(preview) == pytest.approx(expected(np.arange(49) / FPS), abs=1e-3)


def test_the_timeline_moves_the_simulation() -> None:
    joint = add_rotor()
    key(joint, SPEED, [(1, 0.0), (49, 2.0 * RATE)])
    bpy.context.scene.frame_set(1)
    preview = started()
    assert len(preview.record) == 1
    play(preview, range(2, 26))
    assert turn(preview) == pytest.approx(expected(np.arange(25) / FPS), abs=1e-3)
    preview.tick(bpy.context, 1.0)
    assert len(preview.record) == 25, "no frame has passed"
    assert joint.omi_joint.drives[0].velocity_target == pytest.approx(RATE)


def shown_turn(preview: Any) -> float:
    """Return the turn [rad] of what is shown."""
    record, preview.record = preview.record, [preview.shown_matrices]
    found = float(turn(preview)[-1])
    preview.record = record
    return found


@pytest.mark.parametrize("fps", [24, 50])
def test_it_follows_steps_scrubbing_and_jumps_of_the_timeline(fps: int) -> None:
    """Arrow keys, also several between two ticks; back and forth through what was simulated."""
    bpy.context.scene.render.fps = fps
    joint = add_rotor()
    key(joint, SPEED, [(1, 0.0), (1 + 4 * fps, 4.0 * RATE)])
    bpy.context.scene.frame_set(1)
    preview = started()
    for frame in (2, 3, 4, 7, 11, 10, 9, 3, 1, 26, 24, 60, 12):
        play(preview, range(frame, frame + 1))
        while len(preview.record) < frame:
            preview.tick(bpy.context, 0.0)
        wanted = float(expected(np.array((frame - 1) / fps)))
        assert abs(math.remainder(shown_turn(preview) - wanted, math.tau)) < 1e-3, frame
    assert len(preview.record) == 60
    bpy.context.scene.render.fps = 24


def test_it_starts_anew_before_the_frame_where_it_began() -> None:
    joint = add_rotor()
    key(joint, SPEED, [(1, 0.0), (49, 2.0 * RATE)])
    bpy.context.scene.frame_set(20)
    preview = started()
    play(preview, range(21, 30))
    play(preview, range(12, 13))
    assert len(preview.record) == 1
    assert preview.simulation.time == 0.0
    assert shown_turn(preview) == pytest.approx(0.0, abs=1e-6)
    play(preview, range(13, 21))
    # From rest the speed is that of the present frames: a motor that already turns.
    tau, seconds = INERTIA / DAMPING, 8 / FPS
    jump = RATE * 11 / FPS * (seconds - tau * (1.0 - np.exp(-seconds / tau)))
    total = expected(np.array(seconds)) + jump
    assert turn(preview)[-1] == pytest.approx(float(total), abs=2e-3)


def test_an_edit_at_an_earlier_frame_is_simulated_up_to_there() -> None:
    joint = add_rotor()
    key(joint, SPEED, [(1, 1.0), (49, 1.0)])
    bpy.context.scene.frame_set(1)
    preview = started()
    play(preview, range(2, 30))
    play(preview, range(10, 11))
    joint.omi_joint.drives[0].damping = 0.0
    for _ in range(9):  # A busy machine needs several redraws for it.
        preview.tick(bpy.context, 0.0)
    assert len(preview.record) == 10
    assert shown_turn(preview) == pytest.approx(0.0, abs=1e-6)


def test_a_bake_begins_where_the_simulation_did() -> None:
    add_rotor()
    bpy.data.objects["Wall"].omi_body.motion_type = "STATIC"
    bpy.context.scene.frame_set(5)
    preview = started()
    play(preview, range(6, 12))
    assert bpy.ops.omi.preview_bake() == {"FINISHED"}
    (first, *_), *_ = [curve.range() for curve in _curves(bpy.data.objects["Rotor"])]
    assert first == 5.0
    assert len(preview.record) == 7


def test_a_body_that_is_keyed_carries_others_along_in_the_timeline() -> None:
    joint = add_rotor()
    wall = bpy.data.objects["Wall"]
    wall.omi_body.motion_type = "KINEMATIC"
    for frame, place in ((1, 0.0), (25, 2.4)):
        wall.location.x = place
        wall.keyframe_insert("location", frame=frame)
    for curve in _curves(wall):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    bpy.context.scene.frame_set(1)
    preview = started()
    play(preview, range(2, 14))
    node = [obj.name for obj in preview.objects].index("Rotor")
    assert preview.record[-1][node, 0, 3] == pytest.approx(1.2, abs=0.02)
    assert len(preview.record) == 13
    assert joint.name in bpy.data.objects


@pytest.mark.parametrize("is_keyed", [False, True])
def test_a_kinematic_body_keeps_its_velocity_unless_it_is_keyed(is_keyed: bool) -> None:
    add_rotor()
    wall = bpy.data.objects["Wall"]
    wall.omi_body.motion_type = "KINEMATIC"
    wall.omi_body.linear_velocity = (1.7, 0.0, 0.0)
    if is_keyed:
        key(wall, "location", [(1, 0.0), (25, 2.4)])
    bpy.context.scene.frame_set(1)
    preview = started()
    start = preview.record[0][:, 0, 3]
    play(preview, range(2, 14))
    for name in ("Wall", "Rotor"):
        node = [obj.name for obj in preview.objects].index(name)
        moved = preview.record[-1][node, 0, 3] - start[node]
        assert moved == pytest.approx(1.2 if is_keyed else 0.85, abs=0.02)


def _keyed(obj: Any, path: str, index: int, keys: list[tuple[float, float]]) -> None:
    data = obj.animation_data or obj.animation_data_create()
    data.action = data.action or bpy.data.actions.new("Program")
    curve = data.action.fcurve_ensure_for_datablock(obj, path, index=index)
    for frame, value in keys:
        curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
    curve.update()


@pytest.mark.parametrize("use_timeline", [False, True])
def test_keyed_bodies_move_as_their_numbers_do(use_timeline: bool) -> None:
    """A body whose weight comes within half a second, and one that is led."""
    falling, led = (add_cube(name, (x, 0.0, 0.0)) for name, x in (("Falling", 3.0), ("Led", 6.0)))
    falling.omi_body.motion_type, led.omi_body.motion_type = "DYNAMIC", "KINEMATIC"
    falling.omi_body.mass = 1.3
    _keyed(falling, "omi_body.gravity_factor", 0, [(1, 0.0), (13, 0.47)])
    _keyed(led, "omi_body.linear_velocity", 2, [(1, 0.2), (25, 1.4)])
    bpy.context.scene.frame_set(1)
    preview = started(use_timeline=use_timeline)
    if use_timeline:
        play(preview, range(2, 26))
    else:
        while len(preview.record) < 25:
            preview.next_frame()
    time = np.arange(25) / 24.0
    late, after = np.minimum(time, 0.5), np.maximum(time - 0.5, 0.0)
    fallen = 9.81 * 0.47 * (late**3 / 3.0 + 0.25 * after + after**2 / 2.0)
    names, record = [obj.name for obj in preview.objects], np.array(preview.record)
    assert -record[:, names.index("Falling"), 2, 3] == pytest.approx(fallen, abs=1e-3)
    risen = 0.2 * time + 0.6 * time**2
    assert record[:, names.index("Led"), 2, 3] == pytest.approx(risen, abs=1e-4)


def test_a_keyed_bound_pushes_in_each_step_between_frames() -> None:
    """It rises by 0.23 m/s under what lies on it, at 24 frames a second."""
    wall, weight = (add_cube(name, (0.0, 0.0, 0.0)) for name in ("Wall", "Weight"))
    limits = (
        JointLimit(linear_axes=(0, 1), min=0.0, max=0.0),
        JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.0),
        JointLimit(linear_axes=(2,), min=0.0, max=3.0),
    )
    joint = add_joint(bpy.context, Pair(weight, wall), JointSettings(limits=limits), place=Vector())
    wall.omi_body.motion_type, weight.omi_body.motion_type = "STATIC", "DYNAMIC"
    weight.omi_body.mass, weight.omi_body.inertia_diagonal = 1.3, (0.1,) * 3
    key(joint, "omi_joint.limits[2].min_distance", [(1, 0.0), (25, 0.23)])
    bpy.context.scene.frame_set(1)
    preview = started()
    play(preview, range(2, 26))
    node = [obj.name for obj in preview.objects].index("Weight")
    heights = np.array(preview.record)[:, node, 2, 3]
    assert heights[1:] == pytest.approx(0.23 * np.arange(1, 25) / 24.0, abs=2e-4)


def _curves(obj: Any) -> list[Any]:
    from omi_joints_addon.scene.animation import curves_of

    return curves_of(obj.animation_data)


def test_a_keyed_bound_pushes_what_it_meets() -> None:
    joint = add_rotor(JointLimit(angular_axes=(2,), min=-1.0, max=1.0))
    number = len(joint.omi_joint.limits) - 1
    key(joint, f"omi_joint.limits[{number}].min_angle", [(1, -1.0), (25, 0.5)])
    bpy.context.scene.frame_set(1)
    preview = started()
    play(preview, range(2, 25))
    bounds = -1.0 + 1.5 * np.arange(24) / 24
    # Numbers are those of the middle of each frame: half a frame of 0.0625 rad.
    assert (turn(preview) >= bounds - 0.035).all()
    assert turn(preview)[-1] > 0.4


def test_edits_while_playback_stands_act_at_once() -> None:
    joint = add_rotor()
    key(joint, SPEED, [(1, 1.0), (49, 1.0)])
    bpy.context.scene.frame_set(1)
    preview = started()
    play(preview, range(2, 10))
    before = turn(preview)[-1]
    joint.omi_joint.drives[0].damping = 0.0
    preview.tick(bpy.context, 0.0)
    assert preview.scene.joints[0].settings.drives[0].damping == 0.0
    assert turn(preview)[-1] == before
    assert len(preview.record) == 9
