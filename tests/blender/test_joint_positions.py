"""Positions of joints over time from a table, as keys of drives."""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from omi_joints_addon.authoring.joints import add_joint
from omi_joints_addon.authoring.patterns import Pair
from omi_joints_addon.core.meaning import presets
from omi_joints_addon.scene.animation import curves_of
from tests.blender.scenes import add_cube

pytestmark = pytest.mark.usefixtures("empty_scene")


def add_arm() -> tuple[Any, Any]:
    """Add two servos, the second one on the first one's body."""
    cubes = [add_cube(name, (3.0 * n, 0.0, 0.0)) for n, name in enumerate(("Base", "Arm", "Hand"))]
    joints = []
    for name, still, moving in (("shoulder", 0, 1), ("elbow", 1, 2)):
        pair = Pair(cubes[moving], cubes[still])
        joint = add_joint(bpy.context, pair, presets.position_servo(), place=Vector())
        joint.name = name
        joints.append(joint)
    return joints[0], joints[1]


def imported(folder: Path, text: str) -> set[str]:
    path = folder / "program.csv"
    path.write_text(text, "utf-8")
    return bpy.ops.omi.positions_import(filepath=str(path))


def keys(joint: Any) -> list[tuple[float, float]]:
    (curve,) = curves_of(joint.animation_data)
    return [tuple(point.co) for point in curve.keyframe_points]


def test_targets_follow_the_table(tmp_path: Path) -> None:
    shoulder, elbow = add_arm()
    bpy.context.scene.frame_set(11)
    text = "time,shoulder,elbow\n0,0,0.5\n0.5,0.25,\n1.0,-0.25,1\n"
    assert imported(tmp_path, text) == {"FINISHED"}
    assert keys(shoulder) == [(11.0, 0.0), (23.0, 0.25), (35.0, -0.25)]
    assert keys(elbow) == [(11.0, 0.5), (35.0, 1.0)]
    bpy.context.scene.frame_set(29)
    assert shoulder.omi_joint.drives[0].position_target == pytest.approx(0.0, abs=1e-6)
    assert elbow.omi_joint.drives[0].position_target == pytest.approx(0.875)


def test_columns_of_simulate_name_the_axis(tmp_path: Path) -> None:
    shoulder, elbow = add_arm()
    text = "time;shoulder.x;shoulder.rx;Arm.qx;elbow.rz\n0;9;0.1;1;5\n1;9;0.2;1;5\n"
    assert imported(tmp_path, text) == {"FINISHED"}
    assert [value for _, value in keys(shoulder)] == pytest.approx([0.1, 0.2])
    assert elbow.animation_data is None


def test_bodies_are_at_the_positions_of_the_table(tmp_path: Path) -> None:
    """Two servos about X, the hand on the arm: angles add up, and half of the way is between."""
    shoulder, elbow = add_arm()
    hand, arm, base = (bpy.data.objects[name] for name in ("Hand", "Arm", "Base"))
    base.omi_body.motion_type = "STATIC"
    bpy.context.view_layer.update()
    start = [obj.matrix_world.copy() for obj in (base, arm, hand)]
    axes = [joint.matrix_world.to_3x3().col[0].normalized() for joint in (shoulder, elbow)]
    places = [joint.matrix_world.translation.copy() for joint in (shoulder, elbow)]
    (tmp_path / "program.csv").write_text(
        "time,shoulder,elbow,wrist\n0,0,0,1\n0.5,,0.5,1\n1,-0.8,1,1\n"
    )
    path = str(tmp_path / "program.csv")
    assert bpy.ops.omi.positions_import(filepath=path, keyed="POSES") == {"FINISHED"}
    assert shoulder.animation_data is None
    frame = bpy.context.scene.frame_current
    for seconds, first, second in ((0.0, 0.0, 0.0), (0.5, -0.4, 0.5), (1.0, -0.8, 1.0)):
        bpy.context.scene.frame_set(frame + round(24 * seconds))
        turns = [
            Matrix.Translation(place)
            @ Matrix.Rotation(sign * angle, 4, axis)
            @ Matrix.Translation(-place)
            for place, axis, angle, sign in zip(
                places, axes, (first, second), signs(shoulder, elbow), strict=True
            )
        ]
        expected = (start[0], turns[0] @ start[1], turns[0] @ turns[1] @ start[2])
        for obj, matrix in zip((base, arm, hand), expected, strict=True):
            assert np.allclose(obj.matrix_world, matrix, atol=1e-5), (obj.name, seconds)
    assert base.animation_data is None


def signs(*joints: Any) -> list[float]:
    """Return 1 for joints whose connected end moves, -1 for those whose own body does."""
    return [-1.0 if joint.parent.name in ("Arm", "Hand") else 1.0 for joint in joints]


def test_unknown_joints_key_no_poses(tmp_path: Path) -> None:
    add_arm()
    (tmp_path / "program.csv").write_text("time,wrist\n0,0\n1,1\n")
    path = str(tmp_path / "program.csv")
    assert bpy.ops.omi.positions_import(filepath=path, keyed="POSES") == {"CANCELLED"}
    assert not bpy.data.actions


def test_a_second_table_replaces_the_keys(tmp_path: Path) -> None:
    shoulder, _ = add_arm()
    assert imported(tmp_path, "time,shoulder\n0,0\n1,1\n2,0\n") == {"FINISHED"}
    assert imported(tmp_path, "time,shoulder\n0,0.5\n") == {"FINISHED"}
    assert [value for _, value in keys(shoulder)] == [0.5]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no first row"),
        ("name,shoulder\n0,1\n", "has to be time"),
        ("time,shoulder\n", "no rows"),
        ("time,shoulder\n1,0\n0,1\n", "do not ascend"),
        ("time,shoulder\n0,left\n", "line 2"),
        ("time,wrist\n0,1\n", ""),
    ],
)
def test_tables_that_cannot_be_used_are_refused(text: str, words: str, tmp_path: Path) -> None:
    shoulder, _ = add_arm()
    if words:
        with pytest.raises(RuntimeError, match=words):
            imported(tmp_path, text)
    else:
        assert imported(tmp_path, text) == {"CANCELLED"}
    assert shoulder.animation_data is None
