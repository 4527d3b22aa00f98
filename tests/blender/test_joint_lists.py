"""Limits and drives as lists, and presets."""

from typing import Any

import bpy
import pytest

from omi_joints_addon.core.meaning.recognition import JointKind, joint_kind
from omi_joints_addon.core.model.joint import JointDrive, JointLimit
from omi_joints_addon.properties.exact import shortest_decimal
from tests.blender.scenes import add_cube, add_door, add_joint, select


def axes(joint: Any) -> list[tuple[int, ...]]:
    limits = joint.omi_joint.settings_to_core().limits
    return [limit.linear_axes + limit.angular_axes for limit in limits]


@pytest.fixture
def hinge() -> Any:
    """Limits on the axes 0 1 2 (linear), 0 1 and 2 (angular); the second is active."""
    joint = add_door()[2]
    joint.omi_joint.active_limit = 1
    return joint


def test_added_limit_is_last_and_active(hinge: Any) -> None:
    bpy.ops.omi.joint_limit_add()
    assert axes(hinge) == [(0, 1, 2), (0, 1), (2,), ()]
    assert hinge.omi_joint.active_limit == 3


def test_removed_limit_leaves_the_next_active(hinge: Any) -> None:
    bpy.ops.omi.joint_limit_remove()
    assert axes(hinge) == [(0, 1, 2), (2,)]
    assert hinge.omi_joint.active_limit == 1
    bpy.ops.omi.joint_limit_remove()
    assert hinge.omi_joint.active_limit == 0
    bpy.ops.omi.joint_limit_remove()
    assert axes(hinge) == []
    assert not bpy.ops.omi.joint_limit_remove.poll()


def test_duplicate_is_below_and_whole(hinge: Any) -> None:
    exact = JointLimit(
        angular_axes=(0, 1), min=0.1, max=0.123456789012, stiffness=7.5, carried='{"a": 1}'
    )
    hinge.omi_joint.limits[1].from_core(exact)
    bpy.ops.omi.joint_limit_duplicate()
    limits = hinge.omi_joint.settings_to_core().limits
    assert limits[1] == limits[2] == exact
    assert hinge.omi_joint.active_limit == 2


def test_move_stops_at_the_ends(hinge: Any) -> None:
    bpy.ops.omi.joint_limit_move(direction="UP")
    assert axes(hinge) == [(0, 1), (0, 1, 2), (2,)]
    assert bpy.ops.omi.joint_limit_move(direction="UP") == {"CANCELLED"}
    bpy.ops.omi.joint_limit_move(direction="DOWN")
    bpy.ops.omi.joint_limit_move(direction="DOWN")
    assert axes(hinge) == [(0, 1, 2), (2,), (0, 1)]
    assert hinge.omi_joint.active_limit == 2


def test_drives_have_the_same_operators(hinge: Any) -> None:
    bpy.ops.omi.joint_drive_add()
    hinge.omi_joint.drives[0].from_core(JointDrive(type="magnetic", mode="force", axis=1))
    bpy.ops.omi.joint_drive_duplicate()
    bpy.ops.omi.joint_drive_add()
    bpy.ops.omi.joint_drive_move(direction="UP")
    drives = hinge.omi_joint.settings_to_core().drives
    assert [drive.type for drive in drives] == ["magnetic", "linear", "magnetic"]
    bpy.ops.omi.joint_drive_remove()
    assert [drive.type for drive in hinge.omi_joint.settings_to_core().drives] == ["magnetic"] * 2


def test_index_beyond_the_list_means_the_last(hinge: Any) -> None:
    hinge.omi_joint.active_limit = 99
    bpy.ops.omi.joint_limit_remove()
    assert axes(hinge) == [(0, 1, 2), (0, 1)]


def test_lists_of_shared_settings_are_the_owner_s(hinge: Any) -> None:
    wall = bpy.data.objects["Wall"]
    other = add_joint(wall, add_cube("Flap", (0, 3, 0)), preset="PIN")
    select(hinge, other)
    bpy.ops.omi.joint_settings_link()
    select(other)
    bpy.ops.omi.joint_limit_add()
    assert len(hinge.omi_joint.limits) == 4


def test_preset_replaces_limits_and_drives_and_keeps_the_name(hinge: Any) -> None:
    hinge.omi_joint.settings_name = "Front Door"
    bpy.ops.omi.joint_preset_apply(preset="SUSPENSION_SPRING", travel=0.25)
    settings = hinge.omi_joint.settings_to_core()
    assert joint_kind(settings) == JointKind.SLIDER
    assert settings.name == "Front Door"
    assert (settings.limits[-1].min, settings.limits[-1].max) == (-0.25, 0.25)
    assert len(settings.drives) == 1


def test_numbers_read_from_files_come_back_as_they_were(hinge: Any) -> None:
    limit = hinge.omi_joint.limits[0]
    exact = JointLimit(linear_axes=(0,), min=-1e-300, max=0.1234567890123456789, damping=1e300)
    limit.from_core(exact)
    assert limit.to_core() == exact
    limit.max = 0.5
    assert limit.to_core().max == 0.5
    assert limit.to_core().min == -1e-300
    limit.max = 0.3
    assert limit.to_core().max == 0.3


def test_shortest_decimal_is_what_a_person_typed(hinge: Any) -> None:
    limit = hinge.omi_joint.limits[0]
    for typed in (0.1, 0.35, 123.456, -7e-5, 1e30):
        limit.min = typed
        assert limit.min != typed or typed == 0.0
        assert shortest_decimal(limit.min) == typed


def test_shown_values_are_the_stored_ones(hinge: Any) -> None:
    limit = hinge.omi_joint.limits[2]
    limit.max_angle = 0.25
    assert limit.max == 0.25
    limit.min = -0.5
    assert limit.min_angle == limit.min_distance == -0.5
