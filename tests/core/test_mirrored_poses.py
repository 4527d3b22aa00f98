"""Poses mirrored by names: judged by reflecting the bodies themselves."""

import math

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.meaning.mirrored import mirrored_values, other_sides

SPOT = [f"{side}_{part}" for side in ("FL", "FR", "RL", "RR") for part in ("hip", "thigh", "calf")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("elbow.L", "elbow.R"),
        ("left_hip_yaw", "right_hip_yaw"),
        ("front_left_hip_x", "front_right_hip_x"),
        ("LeftArm", "RightArm"),
        ("mixamorig:LeftForeArm Joint", "mixamorig:RightForeArm Joint"),
        ("upperleg_l", "upperleg_r"),
        ("FL_calf", "FR_calf"),
        ("lh.knee", "rh.knee"),
        ("thigh_L.001", "thigh_R.001"),
    ],
)
def test_names_tell_sides(one: str, other: str) -> None:
    assert other_sides([one, other, "spine", "leftover"]) == {one: other, other: one}


def test_front_and_rear_legs_are_not_exchanged() -> None:
    found = other_sides(SPOT)
    assert len(found) == 12
    assert found["RL_thigh"] == "RR_thigh"
    assert other_sides(["wheel_left", "roller"]) == {}


def walker() -> omi_joints.Scene:
    """Return a trunk that yaws, with two arms whose axes are written in different senses."""
    build = omi_joints.SceneBuilder()
    build.add_body("base", mass=5.0)
    build.add_body("trunk", pose=(0.1, 0.0, 0.5), mass=3.0)
    build.hinge("yaw", "base", "trunk", pivot=(0.1, 0.0, 0.2), axis=(0.0, 0.0, 1.0))
    for side, y, sign in (("left", 0.3, 1.0), ("right", -0.3, -1.0)):
        for name, out in (("upper", 0.2), ("lower", 0.5)):
            build.add_body(f"{side}_{name}", pose=(0.1, y + math.copysign(out, y), 0.7), mass=0.4)
        shoulder = {
            "pivot": (0.1, y, 0.7),
            "axis": (sign * 0.6, 0.0, sign * 0.8),
            "cone": 1.4,
            "twist": 1,
        }
        build.ball(f"{side}_shoulder", "trunk", f"{side}_upper", **shoulder)
        pivot, axis = (0.1, y + math.copysign(0.35, y), 0.7), (sign * 1.0, 0.0, 0.0)
        build.hinge(f"{side}_elbow", f"{side}_upper", f"{side}_lower", pivot=pivot, axis=axis)
    return build.scene()


def test_bodies_are_where_a_mirror_shows_those_of_the_other_side() -> None:
    scene = walker()
    tree = scene.kinematics
    numbers = {name: scene.joint(name).number for name in scene.joint_names}
    pairs = {numbers[one]: numbers[other] for one, other in other_sides(numbers).items()}
    values = tree.rest.copy()
    values[numbers["yaw"], tree.freedoms[numbers["yaw"]].number] = 0.37
    for name, angle in (("left_elbow", 0.9), ("right_elbow", -0.25)):
        number = numbers[name]
        values[number, tree.freedoms[number].number] = angle
    values[numbers["left_shoulder"], 3:] = (0.31, -0.22, 0.43)
    values[numbers["right_shoulder"], 3:] = (-0.12, 0.5, 0.17)
    mirrored = mirrored_values(tree, values, pairs)
    one, other = tree.motions(values), tree.motions(mirrored)
    across = np.diag((1.0, -1.0, 1.0, 1.0))
    for name in scene.body_names:
        twin = other_sides(scene.body_names).get(name, name)
        shown = across @ one[scene.body(twin).node] @ across
        np.testing.assert_allclose(other[scene.body(name).node], shown, atol=1e-9)
    np.testing.assert_allclose(mirrored_values(tree, mirrored, pairs), values, atol=1e-9)
