"""Named profiles: several sets of limits and drives of a joint, one of which is in use."""

import math
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.authoring.profiles import profiles_in_use, profiles_of
from omi_joints_addon.core.model.joint import JointSettings
from tests.blender.recording_layout import drawn
from tests.blender.scenes import add_cube, add_door, add_joint, add_rope, select

WIDE, NARROW = math.radians(100.0), 0.1
"""Largest angles [rad] of the profiles "Open" and "Shut"; one is no number of single precision."""


def store(name: str) -> None:
    """Store a profile of the selected joints by the operator."""
    assert bpy.ops.omi.joint_profile_store(name=name) == {"FINISHED"}


def use(name: str) -> None:
    """Apply a profile by the operator."""
    assert bpy.ops.omi.joint_profile_apply(name=name) == {"FINISHED"}


def settings_of(joint: Any) -> JointSettings:
    """Return the settings that a joint has itself."""
    settings: JointSettings = joint.omi_joint.settings_to_core()
    return settings


def hinge_with_profiles() -> tuple[Any, JointSettings, JointSettings]:
    """Return a hinge with the profiles Open and Shut, which it uses, and what they hold."""
    _, _, joint = add_door()
    joint.omi_joint.limits[2].max = WIDE
    store("Open")
    opened = settings_of(joint)
    joint.omi_joint.limits[2].max = NARROW
    store("Shut")
    return joint, opened, settings_of(joint)


def test_joint_switches_between_its_profiles() -> None:
    joint, opened, shut = hinge_with_profiles()
    assert opened != shut
    use("Open")
    assert settings_of(joint) == opened
    assert profiles_in_use([joint]) == {"Open": True, "Shut": False}
    use("Shut")
    assert settings_of(joint) == shut
    assert bpy.ops.omi.joint_profile_remove(name="Shut") == {"FINISHED"}
    assert list(profiles_of(joint)) == ["Open"]
    assert settings_of(joint) == shut


def test_joints_of_a_selection_switch_together() -> None:
    """A rope that is stored limp, then made stiff; one joint without the profile stays."""
    joints = add_rope(3)
    select(*joints)
    store("Limp")
    limp = settings_of(joints[0])
    for joint in joints:
        joint.omi_joint.drives.add().stiffness = 5.0
    other = add_joint(add_cube("Wall", (5, 0, 0)), add_cube("Door", (8, 0, 0)), preset="HINGE")
    before = settings_of(other)
    select(other, *joints)
    use("Limp")
    assert [settings_of(joint) for joint in joints] == [limp] * 3
    assert settings_of(other) == before


def test_name_is_required_and_unknown_ones_are_reported() -> None:
    hinge_with_profiles()
    with pytest.raises(RuntimeError, match="A profile needs a name"):
        bpy.ops.omi.joint_profile_store(name="  ")
    assert bpy.ops.omi.joint_profile_apply(name="Ajar") == {"CANCELLED"}


def test_profile_that_another_program_spoiled_is_reported_and_changes_nothing() -> None:
    joint, _, shut = hinge_with_profiles()
    joint.omi_joint.profiles["Open"].settings = "{]"
    with pytest.raises(RuntimeError, match="'Open': it is not valid JSON"):
        bpy.ops.omi.joint_profile_apply(name="Open")
    assert settings_of(joint) == shut
    assert list(profiles_of(joint)) == ["Shut"]


def test_profiles_are_saved_appended_and_duplicated(tmp_path: Path) -> None:
    joint, opened, _ = hinge_with_profiles()
    path = str(tmp_path / "door.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path) as (held, wanted):
        wanted.objects = list(held.objects)
    for obj in wanted.objects:
        bpy.context.scene.collection.objects.link(obj)
    (joint,) = [obj for obj in wanted.objects if obj.omi_joint.enabled]
    select(joint)
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    copy = bpy.context.object
    for each in (joint, copy):
        select(each)
        use("Open")
        assert settings_of(each) == opened


def test_override_of_a_linked_joint_switches_and_keeps_it(tmp_path: Path) -> None:
    joint, opened, _ = hinge_with_profiles()
    name, path = joint.name, str(tmp_path / "door.blend")
    asset = bpy.data.collections.new("Asset")
    for obj in list(bpy.context.scene.objects):
        asset.objects.link(obj)
    bpy.context.scene.collection.children.link(asset)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_, wanted):
        wanted.collections = ["Asset"]
    (linked,) = wanted.collections
    linked.override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=True
    )
    joint = bpy.data.objects[name, None]
    select(joint)
    use("Open")
    store("Own")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    joint = bpy.data.objects[name, None]
    assert settings_of(joint) == opened
    assert set(profiles_of(joint)) == {"Open", "Shut", "Own"}
    joint.omi_joint.limits.add()
    with pytest.raises(RuntimeError, match="keeps as many limits and drives as it has"):
        bpy.ops.omi.joint_profile_apply(name="Open")


def test_swapped_ends_swap_the_profiles() -> None:
    """Seen from the other end the door turns the other way."""
    hinge_with_profiles()
    assert bpy.ops.omi.joint_ends_swap() == {"FINISHED"}
    joint = bpy.context.object
    use("Open")
    limit = joint.omi_joint.limits[2].to_core()
    assert (limit.min, limit.max) == (pytest.approx(-WIDE), pytest.approx(math.pi / 2))


def test_mirrored_joint_has_the_mirrored_profiles() -> None:
    """Both doors are mirrored across X = 0, where each opens by the same numbers."""
    joint, _, _ = hinge_with_profiles()
    joint.parent.location.x += 4.0
    joint.omi_joint.connected_object.parent.location.x += 4.0
    bpy.context.view_layer.update()
    select(joint)
    assert bpy.ops.omi.joint_mirror() == {"FINISHED"}
    twin = bpy.context.object
    assert twin != joint
    assert profiles_of(twin)["Shut"] == settings_of(twin)


def test_joint_that_no_longer_shares_keeps_the_profiles() -> None:
    joint, opened, _ = hinge_with_profiles()
    other = add_joint(add_cube("Wall", (5, 0, 0)), add_cube("Door", (8, 0, 0)), preset="HINGE")
    other.omi_joint.settings_source = joint
    assert list(profiles_of(other)) == ["Open", "Shut"]
    select(other)
    assert bpy.ops.omi.joint_settings_unlink() == {"FINISHED"}
    use("Open")
    assert settings_of(other) == opened
    assert settings_of(joint) != opened


def test_joint_made_portable_has_its_profiles_in_the_turned_axes() -> None:
    joint, _, _ = hinge_with_profiles()
    bpy.ops.omi.joint_portable_make(engine="BULLET")
    assert profiles_of(joint)["Shut"].limits == settings_of(joint).limits


def test_menu_lists_profiles_and_marks_the_one_in_use() -> None:
    hinge_with_profiles()
    calls = drawn(bpy.types.OMI_MT_joint_profiles)
    assert [name for kind, name in calls if kind == "operator"] == [
        *("omi.joint_profile_apply", "omi.joint_profile_remove") * 2,
        "omi.joint_profile_store",
    ]
