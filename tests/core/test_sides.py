"""The end that moves, and joints drawn from the end that stays."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.meaning.presets import hinge, slider
from omi_joints_addon.core.meaning.range_of_motion import hanging_bodies, moving_body_of
from omi_joints_addon.core.meaning.sides import End, moving_end, moving_ends
from omi_joints_addon.core.model.body import Motion, MotionType
from omi_joints_addon.core.model.graph import links_of, reached
from omi_joints_addon.core.model.joint import DriveType, JointDrive
from omi_joints_addon.core.model.pose import (
    Pose,
    compose,
    relative_pose,
    rotate,
)
from omi_joints_addon.core.outline.handles import HandleCourse, handles
from omi_joints_addon.core.outline.joint import OutlinedJoints, Part, outline
from omi_joints_addon.core.outline.labels import labels
from omi_joints_addon.core.outline.pieces import Role
from omi_joints_addon.core.outline.sides import drawn_from
from tests.core.solver_scenes import SceneBuilder

STATIC, KINEMATIC = Motion(type=MotionType.STATIC), Motion(type=MotionType.KINEMATIC)
LIGHT, HEAVY = Motion(mass=1.0), Motion(mass=5.0)


@pytest.mark.parametrize(
    ("own", "connected", "expected"),
    [
        (LIGHT, STATIC, End.JOINT),
        (STATIC, LIGHT, End.CONNECTED),
        (KINEMATIC, HEAVY, End.CONNECTED),
        (LIGHT, None, End.JOINT),
        (None, LIGHT, End.CONNECTED),
        (LIGHT, HEAVY, End.JOINT),
        (HEAVY, LIGHT, End.CONNECTED),
        (LIGHT, LIGHT, End.JOINT),
        (STATIC, STATIC, End.JOINT),
    ],
)
def test_the_body_that_can_moves_and_of_two_the_lighter(own, connected, expected):
    assert moving_end(own, connected) == expected


def unit(values):
    array = np.array(values)
    return array / np.linalg.norm(array)


rotations = (
    st.tuples(*[st.floats(-1.0, 1.0)] * 4).filter(lambda q: np.linalg.norm(q) > 0.1).map(unit)
)
places = st.tuples(*[st.floats(-5.0, 5.0)] * 3).map(np.array)
one_axis_joints = st.tuples(
    st.booleans(), st.integers(0, 2), st.floats(-1.5, 0.0), st.floats(0.1, 1.5)
)


@given(
    kind=one_axis_joints,
    moving=st.sampled_from(End),
    place=places,
    rotation=rotations,
    share=st.floats(0.0, 1.0),
)
def test_needle_stands_where_the_body_was_moved_to(kind, moving, place, rotation, share):
    """The body moved by v along or about the drawn axis puts needle and handle at v."""
    is_slider, axis, low, high = kind
    value = low + share * (high - low)
    settings = (
        slider(axis=axis, min_distance=low, max_distance=high)
        if is_slider
        else hinge(axis=axis, min_angle=low, max_angle=high)
    )
    drawn = drawn_from(settings, moving)
    assert drawn.is_at_connected == (moving == End.JOINT)
    rest = Pose(place, rotation)
    way = (-1.0 if drawn.is_at_connected else 1.0) * np.eye(3)[axis]
    step = (
        Pose(value * way, np.array((0.0, 0.0, 0.0, 1.0)))
        if is_slider
        else Pose(np.zeros(3), np.array((*(math.sin(value / 2.0) * way), math.cos(value / 2.0))))
    )
    moved = compose(rest, step)
    seen = relative_pose(rest, moved)
    (needle,) = [
        piece.points()[0]
        for piece in outline(
            OutlinedJoints(
                settings=[drawn.settings],
                pose=Pose(seen.position[None], seen.rotation[None]),
                is_connected=np.array([True]),
            ),
            [Part.LIMITS],
        )
        if piece.role == Role.CURRENT and not piece.is_face and piece.axis[0] == axis
    ]
    (handle,) = [
        each
        for each in handles(settings, is_mirrored=drawn.is_at_connected)
        if each.field == "max"
        and each.axis == axis
        and each.value == high
        and each.course == (HandleCourse.LINE if is_slider else HandleCourse.ARC)
    ]
    anchor, offset = handle.place(value)
    if is_slider:
        np.testing.assert_allclose(needle.mean(axis=0) @ np.eye(3)[axis], anchor[axis], atol=1e-6)
        np.testing.assert_allclose(anchor, seen.position, atol=1e-9)
    else:
        far = needle[int(np.argmax(np.linalg.norm(needle, axis=-1)))]
        np.testing.assert_allclose(unit(far), unit(offset), atol=1e-6)
        np.testing.assert_allclose(rotate(seen.rotation, np.eye(3)[axis - 2]), offset, atol=1e-9)
    told = {label.value for label in labels(drawn.settings, is_mirrored=drawn.is_at_connected)}
    assert told <= {low, high, 0.0 - low, 0.0 - high} & {low, high}


def test_what_has_no_meaning_from_the_connected_frame_is_drawn_in_the_joint_s():
    loose = replace(slider(), limits=slider().limits[:1] + slider().limits[2:])
    assert not drawn_from(loose, End.JOINT).is_at_connected


def test_targets_are_seen_from_the_staying_end_too():
    drive = JointDrive(type=DriveType.ANGULAR, axis=2, position_target=0.7, velocity_target=2.0)
    drawn = drawn_from(replace(hinge(), drives=(drive,)), End.JOINT)
    (seen,) = drawn.settings.drives
    assert (seen.position_target, seen.velocity_target) == (-0.7, -2.0)


def test_zero_is_written_without_a_sign() -> None:
    door = hinge(axis=2, min_angle=0.0, max_angle=1.0)
    shown = [label.value for label in labels(door, is_mirrored=True)]
    assert [math.copysign(1.0, value) for value in shown if value == 0.0] == [1.0]


def ends_of(*pairs, held=(), roots=()):
    """Return the initial of the end of each joint that moves; all bodies are dynamic but some."""
    bodies = {body for pair in pairs for body in pair}
    found = moving_ends(pairs, bodies - {-1, *held}, roots)
    return "".join("-" if end is None else end.name[0] for end in found)


def test_the_side_that_reaches_no_static_body_moves_whichever_is_lighter():
    # base 0, light 1, heavy 2; the joints' frames are on the child, then on the parent
    assert ends_of((1, 0), (2, 1), held=(0,)) == "-J"
    assert ends_of((0, 1), (1, 2), held=(0,)) == "-C"
    # the static body is at the far end, and the world is one
    assert ends_of((2, 1), (1, 0), (3, 2), (3, -1)) == "CCC-"


def test_of_two_sides_that_are_held_the_one_farther_from_it_moves():
    # a chain between two walls 0 and 5: 1 2 3 4
    assert ends_of((1, 0), (2, 1), (3, 2), (4, 3), (5, 4), held=(0, 5)) == "-J-C-"


def test_where_nothing_is_held_the_side_away_from_the_root_moves():
    hand = ((1, 0), (2, 1), (3, 0), (4, 3))
    assert ends_of(*hand) == "JJJJ"
    # two links behind the first knuckle, though two are more than one
    assert ends_of((1, 0), (2, 1), (3, 2)) == "JJJ"
    assert ends_of((1, 0), (2, 1), (3, 2), roots=(3,)) == "CCC"


def test_the_smaller_side_moves_where_no_body_is_the_only_root():
    # a chassis 4 that has the frames of four wheels
    assert ends_of((4, 0), (4, 1), (4, 2), (4, 3)) == "CCCC"


def test_two_bodies_alone_are_left_to_their_masses():
    assert ends_of((1, 0)) == "-"
    assert ends_of((1, 0), (3, 2), (2, 2)) == "---"


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12), st.integers(0, 7))
def test_a_side_that_alone_can_reach_what_is_held_stays(pairs, held):
    bodies = {body for pair in pairs for body in pair}
    found = moving_ends(pairs, bodies - {held})
    for number, (own, connected) in enumerate(pairs):
        if held in (own, connected) or own == connected:
            continue
        links = links_of(pair for other, pair in enumerate(pairs) if other != number)
        reach = [held in reached(links, (body,)) for body in (own, connected)]
        if reach == [True, False]:
            assert found[number] == End.CONNECTED
        elif reach == [False, True]:
            assert found[number] == End.JOINT


def test_the_base_of_a_robot_stays_where_its_heavier_arm_moves():
    build = SceneBuilder()
    base = build.body((0, 0, 0), type=MotionType.STATIC)
    light, heavy = build.body((0, 0, 1), mass=1.0), build.body((0, 0, 2), mass=5.0)
    build.joint(hinge(), base, light, (0, 0, 0.5))
    build.joint(hinge(), light, heavy, (0, 0, 1.5))
    assert [moving_body_of(build.scene(), number) for number in (0, 1)] == [light, heavy]


def test_a_static_body_behind_a_loop_stays():
    build = SceneBuilder()
    wall = build.body((0, 0, 0), type=MotionType.STATIC)
    one, two = build.body((1, 0, 0), mass=1.0), build.body((2, 0, 0), mass=5.0)
    for first, second in ((wall, one), (one, two), (two, wall)):
        build.joint(hinge(), first, second, (0, 0, 0.5))
    assert wall not in hanging_bodies(build.scene(), 1, two)
