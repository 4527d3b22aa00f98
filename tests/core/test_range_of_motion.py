"""Moving one joint by hand: the chosen side and what hangs on it moves, everything else stays."""

import math

import numpy as np
import pytest

from omi_joints_addon.core.meaning import presets
from omi_joints_addon.core.meaning.freedom import pose_of_values
from omi_joints_addon.core.meaning.kinematics import Kinematics
from omi_joints_addon.core.meaning.range_of_motion import (
    current_values,
    hanging_bodies,
    moving_body_of,
)
from omi_joints_addon.core.meaning.sides import End
from omi_joints_addon.core.model.pose import Pose, pose_from_matrix, relative_pose
from tests.core.solver_scenes import SceneBuilder, turn

CONE = presets.ball_with_cone(axis=2)
VALUES = np.array((0.0, 0.0, 0.0, 0.3, -0.2, 0.4))


def arm():
    """Return a base, an upper and a lower arm, and the joints between them."""
    build = SceneBuilder()
    base = build.body((0, 0, 0))
    upper = build.body((1, 0, 0), turn((0, 0, 1), 0.2))
    lower = build.body((2, 0, 0))
    build.joint(CONE, base, upper, (0.5, 0, 0), turn((1, 2, 3), 0.7), turned=turn((1, 0, 0), 0.1))
    build.joint(CONE, upper, lower, (1.5, 0, 0))
    return build.scene(), (base, upper, lower)


def moved_to(scene, values, body):
    """Return the world matrices of all nodes with joint 0 at values, moving a body."""
    tree = Kinematics(scene, first=(0, body))
    every = tree.rest.copy()
    every[0] = values
    return tree.matrices(every)


def relative(scene, matrices, number):
    joint = scene.joints[number]
    frames = pose_from_matrix(matrices[[joint.node, joint.connected]])
    return relative_pose(
        Pose(frames.position[0], frames.rotation[0]), Pose(frames.position[1], frames.rotation[1])
    )


@pytest.mark.parametrize("end", list(End))
def test_joint_reaches_the_values_whichever_side_moves(end):
    scene, bodies = arm()
    body = moving_body_of(scene, 0, end=end)
    assert body == (bodies[1] if end == End.CONNECTED else bodies[0])
    moved = moved_to(scene, VALUES, body)
    wanted = pose_of_values(CONE, VALUES)
    found = relative(scene, moved, 0)
    np.testing.assert_allclose(found.position, wanted.position, atol=1e-9)
    assert abs(found.rotation @ wanted.rotation) == pytest.approx(1.0)


def test_what_hangs_on_the_moved_body_follows_rigidly():
    scene, (base, upper, lower) = arm()
    assert hanging_bodies(scene, 0, upper) == {upper, lower}
    moved = moved_to(scene, VALUES, upper)
    np.testing.assert_array_equal(moved[base], scene.matrices[base])
    before = np.linalg.inv(scene.matrices[upper]) @ scene.matrices[lower]
    after = np.linalg.inv(moved[upper]) @ moved[lower]
    np.testing.assert_allclose(after, before, atol=1e-12)


def test_resting_values_move_nothing():
    scene, (_, upper, _) = arm()
    values = current_values(scene, 0)
    np.testing.assert_allclose(moved_to(scene, values, upper), scene.matrices, atol=1e-9)


def test_side_of_the_world_stays():
    build = SceneBuilder()
    body = build.body((0, 0, -1))
    build.joint(CONE, body, -1, (0, 0, 0))
    assert moving_body_of(build.scene(), 0, end=End.CONNECTED) == body


def test_loop_does_not_move_the_other_end():
    build = SceneBuilder()
    one, two, three = (build.body((n, 0, 0)) for n in range(3))
    for a, b in ((one, two), (two, three), (three, one)):
        build.joint(CONE, a, b, (0, math.pi, 0))
    assert hanging_bodies(build.scene(), 0, two) == {two, three}
