"""Which axis a new joint gets, and in which direction its numbers count."""

import math
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from omi_joints_addon.core.meaning.metric import angular_metric, linear_metric
from omi_joints_addon.core.meaning.presets import PRESETS, Preset
from omi_joints_addon.core.meaning.recognition import JointKind, joint_kind, main_axis_of
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.scenes import add_cube, add_door, add_joint, select


@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
@pytest.mark.parametrize("preset", ["HINGE", "SLIDER", "BALL_WITH_CONE", "PLANAR"])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_canonical_axis_lies_on_the_chosen_one(axis: str, preset: str, sign: float) -> None:
    """Against it where numbers have a sign: the connected frame moves against the moving body."""
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0), rotation=(0.3, 0.2, 0.1))
    joint = add_joint(wall, door, preset=preset, axis=axis, use_reverse=sign < 0.0)
    canonical = PRESETS[Preset[preset]].axis
    if preset != "BALL_WITH_CONE":
        sign = -sign
    wanted = sign * np.eye(3)["XYZ".index(axis)]
    for frame in (joint, joint.omi_joint.connected_object):
        axes = np.array(frame.matrix_world)[:3, :3]
        np.testing.assert_allclose(axes[:, canonical], wanted, atol=1e-6)
        assert np.linalg.det(axes) == pytest.approx(1.0)
        # Axes lie on axes: each column has one entry that is not zero.
        np.testing.assert_allclose(np.abs(axes).max(axis=0), 1.0, atol=1e-6)


def test_local_axis_is_the_moving_body_s() -> None:
    turn = math.radians(30.0)
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0), rotation=(turn, 0, 0))
    joint = add_joint(wall, door, preset="HINGE", axis="Z", axis_space="LOCAL")
    wanted = (0.0, -math.sin(turn), math.cos(turn))
    np.testing.assert_allclose(-joint.matrix_world.col[2].xyz, wanted, atol=1e-6)


def test_cursor_axis_and_pivot() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    cursor = bpy.context.scene.cursor
    cursor.location, cursor.rotation_euler = (1.0, 2.0, 3.0), (0.0, math.pi / 2.0, 0.0)
    joint = add_joint(wall, door, axis="Z", axis_space="CURSOR", pivot="CURSOR")
    np.testing.assert_allclose(joint.matrix_world.col[2][:3], (-1.0, 0.0, 0.0), atol=1e-6)
    np.testing.assert_allclose(joint.matrix_world.translation, (1.0, 2.0, 3.0), atol=1e-6)


SIGNED = [
    preset
    for preset, info in PRESETS.items()
    if info.axis is not None and preset not in (Preset.BALL_WITH_CONE, Preset.UNIVERSAL)
]
"""A cone has no sign."""


@pytest.mark.parametrize("preset", SIGNED)
@pytest.mark.parametrize("axis", ["X", "Y", "Z"])
@pytest.mark.parametrize("is_reversed", [False, True])
def test_numbers_tell_how_the_moving_body_moves_along_the_chosen_axis(
    preset: Preset, axis: str, is_reversed: bool
) -> None:
    """Move the body by 0.3 along or about the axis in the world: the metric says 0.3."""
    settings = PRESETS[preset].build()
    kind, main = joint_kind(settings), main_axis_of(settings)
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0), rotation=(0.3, 0.2, 0.1))
    joint = add_joint(wall, door, preset=preset.name, axis=axis, use_reverse=is_reversed)
    way = Vector(np.eye(3)["XYZ".index(axis)]) * (-1.0 if is_reversed else 1.0)
    is_sliding = kind in (JointKind.SLIDER, JointKind.CYLINDRICAL)
    pivot = joint.matrix_world.translation.copy()
    move = (
        Matrix.Translation(0.3 * way)
        if is_sliding
        else (Matrix.Translation(pivot) @ Matrix.Rotation(0.3, 4, way) @ Matrix.Translation(-pivot))
    )
    door.matrix_world = move @ door.matrix_world
    bpy.context.view_layer.update()
    scene, _ = scene_to_core(bpy.context.scene)
    pose = scene.relative_poses()
    value = (
        linear_metric((main,), pose.position)
        if is_sliding
        else angular_metric((main,), pose.rotation)
    )
    np.testing.assert_allclose(value, [0.3], atol=1e-5)


def box(name: str, size: Any, location: Any) -> Any:
    obj = add_cube(name, location)
    for vertex in obj.data.vertices:
        vertex.co = [0.5 * part * length for part, length in zip(vertex.co, size, strict=True)]
    return obj


FITTING = {
    "a door turns about its edge": (
        "HINGE",
        ((0.98, 0.06, 2.0), (0.0, 0.0, 1.0)),
        ((0.1, 0.2, 2.1), (-0.54, 0.0, 1.05)),
        (0, 0, 1),
    ),
    "a lid turns about its edge": (
        "HINGE",
        ((1.0, 0.5, 0.02), (0.0, 0.0, 0.51)),
        ((1.0, 0.5, 0.5), (0.0, 0.0, 0.25)),
        (1, 0, 0),
    ),
    "a drawer comes out of its cabinet": (
        "SLIDER",
        ((0.7, 0.5, 0.2), (2.2, 1.4, 0.55)),
        ((0.8, 0.6, 0.8), (2.2, 1.5, 0.4)),
        (0, -1, 0),
    ),
    "a drawer that is flush leaves at the nearest side": (
        "SLIDER",
        ((0.3, 0.4, 0.2), (0.85, 0.0, 0.5)),
        ((2.0, 2.0, 1.0), (0.0, 0.0, 0.5)),
        (1, 0, 0),
    ),
    "a puck stays on its table": (
        "PLANAR",
        ((0.1, 0.1, 0.02), (0.0, 0.0, 1.01)),
        ((2.0, 1.0, 0.1), (0.0, 0.0, 0.95)),
        (0, 0, 1),
    ),
    "a fan turns about its short extent": (
        "HINGE_MOTOR",
        ((1.4, 0.16, 0.03), (0.0, 0.0, 2.8)),
        ((3.0, 0.2, 0.2), (0.0, 0.0, 3.1)),
        (0, 0, 1),
    ),
    "a wheel's spring is upright": (
        "SUSPENSION_SPRING",
        ((0.1, 0.2, 0.2), (0.7, 0.0, 0.3)),
        ((1.4, 4.0, 0.5), (0.0, 0.0, 0.7)),
        (0, 0, 1),
    ),
    "an arm's cone opens along the arm": (
        "BALL_WITH_CONE",
        ((0.6, 0.1, 0.1), (0.6, 0.0, 1.3)),
        ((0.5, 0.3, 0.8), (0.0, 0.0, 1.0)),
        (1, 0, 0),
    ),
}


@pytest.mark.parametrize("case", FITTING, ids=str)
def test_axis_fits_preset_and_pair(case: str) -> None:
    preset, moving, holding, way = FITTING[case]
    wall, door = box("Holding", *holding), box("Moving", *moving)
    joint = add_joint(wall, door, preset=preset)
    main = joint.matrix_world.col[PRESETS[Preset[preset]].axis].xyz
    sign = 1.0 if preset == "BALL_WITH_CONE" else -1.0
    np.testing.assert_allclose(sign * np.array(main), way, atol=1e-6)


def test_axis_of_a_turned_body_turns_with_it() -> None:
    wall = box("Frame", (0.1, 0.1, 2.0), (0.0, 0.0, 0.0))
    door = box("Door", (1.0, 0.05, 2.0), (0.55, 0.0, 0.0))
    turn = Matrix.Rotation(0.4, 4, "X")
    for obj in (wall, door):
        obj.matrix_world = turn @ obj.matrix_world
    joint = add_joint(wall, door, preset="HINGE")
    np.testing.assert_allclose(-joint.matrix_world.col[2].xyz, turn.col[2].xyz, atol=1e-6)


def test_axis_of_the_nearest_face() -> None:
    ramp = add_cube("Ramp", (0, 0, 0), rotation=(0.0, 0.5, 0.0))
    cart = add_cube("Cart", (0.6, 0.0, 2.6))
    joint = add_joint(ramp, cart, preset="SLIDER", axis="FACE")
    wanted = Matrix.Rotation(0.5, 3, "Y").col[2]
    np.testing.assert_allclose(-joint.matrix_world.col[0].xyz, wanted, atol=1e-6)


def test_the_dynamic_one_of_two_bodies_moves_whichever_was_selected_last() -> None:
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    wall.omi_body.motion_type, door.omi_body.motion_type = "STATIC", "DYNAMIC"
    joint = add_joint(door, wall)
    assert (joint.parent, joint.omi_joint.connected_object.parent) == (door, wall)


def test_joints_that_end_at_one_frame_are_reversed_each() -> None:
    """Whoever comes first leaves the frame of the others where it is."""
    _, _, joint = add_door()
    shared = joint.omi_joint.connected_object
    others = []
    for number in range(2):
        other = add_joint(add_cube(f"Flap {number}", (0, 5 + 3 * number, 0)), shared.parent)
        other.omi_joint.connected_object = shared
        others.append(other)
    bpy.context.view_layer.update()
    before = shared.matrix_world.copy()
    joints = [joint, *others]
    select(*joints)
    assert bpy.ops.omi.joint_axis_reverse() == {"FINISHED"}
    bpy.context.view_layer.update()
    ends = [each.omi_joint.connected_object for each in joints]
    assert len(set(ends)) == 3
    assert shared not in ends
    assert shared.matrix_world == before
    for end in ends:
        z = (before.inverted() @ end.matrix_world).col[2]
        assert tuple(z[:3]) == pytest.approx((0.0, 0.0, -1.0), abs=1e-5)


@pytest.mark.parametrize(
    ("turn", "values"),
    [
        ("joint_axis_set", {"axis": "X"}),
        ("joint_axis_reverse", {}),
        ("joint_frame_align", {"end": "CONNECTED"}),
        ("joint_frame_snap", {}),
    ],
)
def test_turning_frames_does_not_evaluate_the_rest_of_the_scene(
    turn: str, values: dict[str, str]
) -> None:
    """Blender relates and evaluates all objects where a parent is set, were it the same one."""
    add_cube("Bystander", (0, 9, 0))
    joint = add_door()[2]
    joint.location.x += 0.25
    select(joint)
    bpy.context.view_layer.update()
    updated: set[str] = set()

    def tell(_scene: Any, depsgraph: Any) -> None:
        updated.update(update.id.name for update in depsgraph.updates)

    bpy.app.handlers.depsgraph_update_post.append(tell)
    assert getattr(bpy.ops.omi, turn)(**values) == {"FINISHED"}
    bpy.context.view_layer.update()
    bpy.app.handlers.depsgraph_update_post.remove(tell)
    assert updated & {joint.name, joint.omi_joint.connected_object.name}
    assert "Bystander" not in updated
