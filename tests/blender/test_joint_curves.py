"""Keys and drivers belong to their limit or drive: they follow it where it goes."""

from collections.abc import Callable
from typing import Any

import bpy
import pytest

from tests.blender.scenes import add_cube, add_door, add_joint, select

FRAMES = (1, 17, 50)


def keyed_door() -> tuple[Any, Any, Any]:
    """Return door, frame and hinge; its maximum goes from 1.9 to 0.3 rad."""
    door, frame, joint = add_door()
    limit = joint.omi_joint.limits[2]
    for at, value in ((1, 1.9), (50, 0.3)):
        limit.max_angle = value
        limit.keyframe_insert("max_angle", frame=at)
    joint.omi_joint.limits[2].driver_add("damping").driver.expression = "frame * 0.07"
    select(joint)
    return door, frame, joint


def ranges(joint: Any) -> list[dict[tuple[str, str], tuple[float, ...]]]:
    """Return at some frames the numbers of the limits of a joint, by their axes."""
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        found.append(
            {
                (str(list(limit.linear_axes)), str(list(limit.angular_axes))): tuple(
                    round(value, 5)
                    for value in (
                        limit.min if limit.use_min else -9.0,
                        limit.max if limit.use_max else 9.0,
                        limit.damping,
                    )
                )
                for limit in joint.omi_joint.limits
            }
        )
    return found


def move_up(joint: Any) -> None:
    joint.omi_joint.active_limit = 2
    bpy.ops.omi.joint_limit_move(direction="UP")


def move_twice(joint: Any) -> None:
    move_up(joint)
    bpy.ops.omi.joint_limit_move(direction="UP")


def duplicate_first(joint: Any) -> None:
    joint.omi_joint.active_limit = 0
    bpy.ops.omi.joint_limit_duplicate()


def apply_hinge(_joint: Any) -> None:
    bpy.ops.omi.joint_preset_apply(preset="HINGE", max_angle=1.9)


def swap_twice(_joint: Any) -> None:
    bpy.ops.omi.joint_ends_swap()
    bpy.ops.omi.joint_ends_swap()


@pytest.mark.parametrize("step", [move_up, move_twice, duplicate_first, apply_hinge, swap_twice])
def test_what_moves_at_each_frame_stays(step: Callable[[Any], None]) -> None:
    _, _, joint = keyed_door()
    before = ranges(joint)
    assert before[0] != before[1] != before[2]
    step(joint)
    assert ranges(joint) == before


def test_the_first_limit_is_removed() -> None:
    _, _, joint = keyed_door()
    before = ranges(joint)
    joint.omi_joint.active_limit = 0
    bpy.ops.omi.joint_limit_remove()
    assert [dict(list(each.items())[1:]) for each in before] == ranges(joint)


def test_swapped_ends_have_the_keys_turned_round() -> None:
    _, _, joint = keyed_door()
    connected = joint.omi_joint.connected_object
    before = ranges(joint)
    bpy.ops.omi.joint_ends_swap()
    axis = list(before[0])[2]
    after = ranges(connected)
    for one, other in zip(before, after, strict=True):
        low, high, damping = one[axis]
        assert other[axis] == pytest.approx((-high, -low, damping))
    assert joint.animation_data is None or not curves(joint)


def test_the_mirrored_joint_has_them_too() -> None:
    door, frame, joint = keyed_door()
    for each in (door, frame):
        each.location.x += 3.0
    bpy.context.view_layer.update()
    before = ranges(joint)
    select(joint)
    bpy.ops.omi.joint_mirror(axis="X")
    twin = bpy.context.object
    assert twin != joint
    values = [list(each.values())[2] for each in before]
    mirrored = [list(each.values())[2] for each in ranges(twin)]
    for (low, high, damping), other in zip(values, mirrored, strict=True):
        assert other in (
            pytest.approx((low, high, damping)),
            pytest.approx((-high, -low, damping)),
        )


@pytest.mark.parametrize("step", ["preset", "remove"])
def test_what_is_gone_loses_them(step: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, joint = keyed_door()
    if step == "preset":
        bpy.ops.omi.joint_preset_apply(preset="SLIDER")
    else:
        joint.omi_joint.active_limit = 2
        bpy.ops.omi.joint_limit_remove()
    assert not curves(joint)
    assert "have no limit or drive any longer: 2" in capsys.readouterr().out
    assert ranges(joint)[0] == ranges(joint)[2]


def test_a_needle_reads_the_same_limit() -> None:
    _, _, joint = keyed_door()
    needle = add_cube("Needle", (0.0, 5.0, 0.0))
    driver = needle.driver_add("location", 2).driver
    variable = driver.variables.new()
    variable.name, driver.expression = "angle", "angle"
    variable.targets[0].id = joint
    variable.targets[0].data_path = "omi_joint.limits[2].max"
    before = heights(needle)
    select(joint)
    move_up(joint)
    assert heights(needle) == before
    bpy.ops.omi.joint_ends_swap()
    assert heights(needle) == before


def test_single_user_settings_keep_moving() -> None:
    _, _, joint = keyed_door()
    wall, leaf = add_cube("Wall", (7.0, 0.0, 0.0)), add_cube("Leaf", (9.0, 0.0, 0.0))
    other = add_joint(wall, leaf)
    select(other, joint)
    bpy.ops.omi.joint_settings_link()
    before = ranges(joint)
    select(other)
    bpy.ops.omi.joint_settings_unlink()
    assert ranges(other) == ranges(joint) == before


def test_an_action_of_two_is_not_changed_for_the_other() -> None:
    _, _, joint = keyed_door()
    twin = joint.copy()
    bpy.context.collection.objects.link(twin)
    assert twin.animation_data.action == joint.animation_data.action
    before = ranges(twin)
    move_up(joint)
    assert ranges(twin) == before


def curves(joint: Any) -> list[Any]:
    data = joint.animation_data
    action = [
        curve
        for layer in (data.action.layers if data.action else ())
        for strip in layer.strips
        for bag in strip.channelbags
        for curve in bag.fcurves
    ]
    return [*action, *data.drivers]


def heights(needle: Any) -> list[float]:
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        found.append(round(needle.location.z, 5))
    return found
