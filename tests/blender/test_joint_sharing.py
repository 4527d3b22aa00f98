"""Settings that several joints share: linking, copying, making single-user, circles."""

from typing import Any

import bpy
import pytest

from omi_joints_addon.properties.joint import SettingsCycleError, settings_owner, shared_settings
from tests.blender.scenes import add_cube, add_joint, add_rope, codes, select


@pytest.fixture
def joints() -> list[Any]:
    """Three selected joints of a rope, each with settings of its own; the first is active."""
    found = add_rope(3)
    for number, joint in enumerate(found):
        joint.omi_joint.settings_name = f"Settings {number}"
    select(*found)
    return found


def sources(joints: list[Any]) -> list[Any]:
    return [joint.omi_joint.settings_source for joint in joints]


def names(joints: list[Any]) -> list[str]:
    return [shared_settings(joint).name for joint in joints]


def test_link_shares_the_active_joint_s(joints: list[Any]) -> None:
    bpy.ops.omi.joint_settings_link()
    assert sources(joints) == [None, joints[0], joints[0]]
    joints[0].omi_joint.settings_name = "New"
    assert names(joints) == ["New"] * 3


def test_link_to_one_that_shares_names_the_owner(joints: list[Any]) -> None:
    select(joints[0], joints[1])
    bpy.ops.omi.joint_settings_link()
    select(joints[1], joints[2])
    bpy.ops.omi.joint_settings_link()
    assert sources(joints) == [None, joints[0], joints[0]]


def test_link_never_makes_a_circle(joints: list[Any]) -> None:
    """The owner is among those to link to a joint that shares its settings: it stays the owner."""
    bpy.ops.omi.joint_settings_link()
    select(joints[2], joints[0], joints[1])
    bpy.ops.omi.joint_settings_link()
    assert sources(joints) == [None, joints[0], joints[0]]


def test_link_of_an_owner_takes_its_followers_along(joints: list[Any]) -> None:
    select(joints[1], joints[2])
    bpy.ops.omi.joint_settings_link()
    select(joints[0], joints[1])
    bpy.ops.omi.joint_settings_link()
    assert names(joints) == ["Settings 0"] * 3


def test_removed_source_leaves_the_settings(joints: list[Any]) -> None:
    bpy.ops.omi.joint_settings_link()
    bpy.data.objects.remove(joints[0])
    assert names(joints[1:]) == ["Settings 0"] * 2


def test_deleted_source_is_a_finding_and_keeps_the_settings(joints: list[Any]) -> None:
    bpy.ops.omi.joint_settings_link()
    select(joints[0])
    bpy.ops.object.delete()
    assert "OMI-J004" in codes(joints[1])
    assert names(joints[1:]) == ["Settings 0"] * 2


def test_single_user_keeps_the_values(joints: list[Any]) -> None:
    bpy.ops.omi.joint_settings_link()
    joints[0].omi_joint.settings_name = "New"
    select(joints[2])
    bpy.ops.omi.joint_settings_unlink()
    assert sources(joints) == [None, joints[0], None]
    assert names(joints) == ["New"] * 3


def test_single_user_of_the_owner_hands_the_settings_over(joints: list[Any]) -> None:
    bpy.ops.omi.joint_settings_link()
    select(joints[0])
    bpy.ops.omi.joint_settings_unlink()
    assert sources(joints) == [None, None, joints[1]]
    joints[0].omi_joint.settings_name = "New"
    assert names(joints) == ["New", "Settings 0", "Settings 0"]


def test_single_user_of_all(joints: list[Any]) -> None:
    bpy.ops.omi.joint_settings_link()
    bpy.ops.omi.joint_settings_unlink()
    assert sources(joints) == [None] * 3
    assert names(joints) == ["Settings 0"] * 3


def test_copy_is_a_copy(joints: list[Any]) -> None:
    bpy.ops.omi.joint_settings_copy()
    joints[0].omi_joint.settings_name = "New"
    assert names(joints) == ["New", "Settings 0", "Settings 0"]


def test_copy_to_one_that_shares_leaves_its_source_alone(joints: list[Any]) -> None:
    select(joints[1], joints[2])
    bpy.ops.omi.joint_settings_link()
    select(joints[0], joints[2])
    bpy.ops.omi.joint_settings_copy()
    assert names(joints) == ["Settings 0", "Settings 1", "Settings 0"]


def test_circle_is_found_refused_and_can_be_opened(joints: list[Any]) -> None:
    for joint, source in zip(joints, (joints[1], joints[2], joints[0]), strict=True):
        joint.omi_joint.settings_source = source
    with pytest.raises(SettingsCycleError):
        settings_owner(joints[0])
    assert "OMI-J003" in codes(joints[0])
    for name in ("joint_limit_add", "joint_preset_apply", "joint_settings_link", "joint_ends_swap"):
        assert not getattr(bpy.ops.omi, name).poll()
    select(joints[0])
    for operator in (bpy.ops.omi.joint_portable_make, bpy.ops.omi.joint_strength_scale):
        if operator.poll():
            with pytest.raises(RuntimeError, match="form a loop"):
                operator()
    assert bpy.ops.omi.joint_portable_make.poll()
    assert bpy.ops.omi.joint_settings_unlink() == {"FINISHED"}
    assert names(joints) == ["Settings 0", "Settings 0", "Settings 0"]


def test_joint_that_names_itself_is_a_circle(joints: list[Any]) -> None:
    joints[0].omi_joint.settings_source = joints[0]
    assert "OMI-J003" in codes(joints[0])
    select(joints[0])
    assert bpy.ops.omi.joint_settings_unlink() == {"FINISHED"}
    assert names(joints[:1]) == ["Settings 0"]


def test_long_chains_are_followed(joints: list[Any]) -> None:
    previous = joints[0]
    for number in range(2000):
        joint = bpy.data.objects.new(f"Link {number}", None)
        joint.omi_joint.enabled = True
        joint.omi_joint.settings_source = previous
        previous = joint
    assert settings_owner(previous) == joints[0]


def test_thousand_joints_link_and_unlink_at_once() -> None:
    beam = add_cube("Beam", (0, 0, 0))
    balls = [bpy.data.objects.new(f"Ball {n}", None) for n in range(1000)]
    for ball in balls:
        bpy.context.scene.collection.objects.link(ball)
    add_joint(beam, *balls, pattern="EACH_TO_ACTIVE", preset="PIN")
    assert bpy.ops.omi.joint_settings_link() == {"FINISHED"}
    assert bpy.ops.omi.joint_settings_unlink() == {"FINISHED"}
    assert bpy.ops.omi.joint_remove() == {"FINISHED"}
    assert len(bpy.data.objects) == 1001
