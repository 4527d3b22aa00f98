"""Handles: which there are, and that dragging one to where a value is seen gives that value."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from omi_joints_addon.core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.outline.handles import (
    Handle,
    HandleCourse,
    bounded,
    handles,
    nearest_value,
    snapped,
)


def handle(
    course: HandleCourse, *, field: str = "max", axis: int = 2, value: float = 0.0
) -> Handle:
    return Handle(course=course, axis=axis, is_drive=False, index=0, field=field, value=value)


def keys(*limits: JointLimit, drives: tuple[JointDrive, ...] = ()) -> list[tuple]:
    found = handles(JointSettings(limits=limits, drives=drives))
    return [(each.course, each.axis, each.field, each.value) for each in found]


@given(
    course=st.sampled_from(HandleCourse),
    axis=st.sampled_from((0, 1, 2)),
    start=st.floats(0.2, 2.9),
    move=st.floats(-0.6, 0.6),
    seed=st.integers(0, 2**32 - 1),
)
def test_dragging_to_where_a_value_is_seen_gives_the_value(
    course: HandleCourse, axis: int, start: float, move: float, seed: int
) -> None:
    dragged = handle(course, axis=axis)
    view = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0][:2] * 100.0

    def seen(value: float) -> np.ndarray:
        anchor, offset = dragged.place(value)
        return view @ (anchor + offset)

    target = min(max(start + move, 0.0), math.pi)
    # Where the view makes the curve a line, a value may be seen twice or not move at all.
    speeds = [
        np.linalg.norm(seen(value + 1e-4) - seen(value)) / 1e-4
        for value in np.linspace(start, target, 9)
    ]
    assume(min(speeds) > 40.0)
    found = nearest_value(seen, seen(target), start, dragged)
    assert found == pytest.approx(target, abs=1e-3)


def test_handle_out_of_sight_keeps_its_value() -> None:
    assert nearest_value(lambda _value: None, np.zeros(2), 0.3, handle(HandleCourse.ARC)) == 0.3


def test_hinge_has_two_handles_and_its_locks_none() -> None:
    assert keys(
        JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
        JointLimit(angular_axes=(0, 1), min=0.0, max=0.0),
        JointLimit(angular_axes=(2,), min=-1.0, max=0.5),
    ) == [(HandleCourse.ARC, 2, "min", -1.0), (HandleCourse.ARC, 2, "max", 0.5)]


def test_cone_has_its_rim_and_an_inner_hole_when_there_is_one() -> None:
    assert keys(JointLimit(angular_axes=(0, 2), max=0.5)) == [(HandleCourse.RIM, 1, "max", 0.5)]
    assert keys(JointLimit(angular_axes=(0, 1), min=0.0, max=0.5)) == [
        (HandleCourse.RIM, 2, "max", 0.5)
    ]
    assert keys(JointLimit(angular_axes=(0, 1), min=0.2, max=0.5)) == [
        (HandleCourse.RIM, 2, "min", 0.2),
        (HandleCourse.RIM, 2, "max", 0.5),
    ]


def test_unbounded_side_has_no_handle() -> None:
    assert keys(JointLimit(linear_axes=(1,), min=-0.5)) == [(HandleCourse.LINE, 1, "min", -0.5)]


def test_drive_has_a_handle_at_its_position_target() -> None:
    spring = JointDrive(type=DriveType.ANGULAR, axis=1, position_target=0.4, stiffness=1.0)
    motor = JointDrive(type=DriveType.LINEAR, axis=0, velocity_target=1.0)
    assert keys(drives=(spring, motor)) == [(HandleCourse.ARC, 1, "position_target", 0.4)]


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [("min", 0.9, 0.5), ("min", -4.0, -math.pi), ("max", -2.0, -1.0), ("max", 4.0, math.pi)],
)
def test_bound_stops_at_the_other_and_where_angles_end(
    field: str, value: float, expected: float
) -> None:
    settings = JointSettings(limits=(JointLimit(angular_axes=(2,), min=-1.0, max=0.5),))
    assert bounded(handle(HandleCourse.ARC, field=field), value, settings) == expected


def test_distance_is_never_negative() -> None:
    settings = JointSettings(limits=(JointLimit(linear_axes=(0, 1), max=0.5),))
    assert bounded(handle(HandleCourse.RADIUS), -1.0, settings) == 0.0


def test_snapping_takes_steps_of_five_degrees_and_ten_centimetres() -> None:
    assert math.degrees(snapped(handle(HandleCourse.ARC), math.radians(13.0))) == pytest.approx(
        15.0
    )
    assert snapped(handle(HandleCourse.LINE), 0.3321) == pytest.approx(0.3)
