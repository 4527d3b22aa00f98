"""Joint data through what Blender does to objects: files, libraries, duplicates, deletion."""

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.properties.joint import settings_owner
from tests.blender.scenes import add_cube, add_door, add_joint, codes, select, snapshot

SETTINGS = JointSettings(
    name="Everything",
    limits=(
        JointLimit(linear_axes=(0, 1), angular_axes=(2,), min=-0.123456789012345, max=1e-30),
        JointLimit(
            angular_axes=(0, 2), max=3.0, stiffness=12.5, damping=0.25, carried='{"a": [1]}'
        ),
    ),
    drives=(
        JointDrive(type="angular", axis=2, velocity_target=-1.5, damping=3.0, max_force=7.0),
        JointDrive(type="magnetic", mode="acceleration", axis=1, position_target=0.1),
    ),
    carried='{"extras": {"b": null}}',
)


@pytest.fixture
def door_file(tmp_path: Path) -> Path:
    """A file with a hinge that has every kind of value, and a joint that shares its settings."""
    wall, _door, joint = add_door()
    joint.omi_joint.settings_from_core(SETTINGS)
    flap = add_joint(wall, add_cube("Flap", (0, 3, 0)))
    select(joint, flap)
    bpy.ops.omi.joint_settings_link()
    path = tmp_path / "door.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def load(path: Path, *, link: bool) -> dict[str, Any]:
    """Return the objects of a file, brought into an empty scene."""
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(path), link=link) as (source, target):
        target.objects = source.objects
    for obj in target.objects:
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    return {obj.name: obj for obj in target.objects}


def test_saved_file_loads_the_same(door_file: Path) -> None:
    before = snapshot()
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(door_file))
    assert snapshot() == before
    joint = bpy.data.objects["Door to Wall Joint"]
    assert joint.omi_joint.settings_to_core() == SETTINGS


@pytest.mark.parametrize("link", [False, True], ids=["append", "link"])
def test_other_file_brings_joints_whole(door_file: Path, link: bool) -> None:
    objects = load(door_file, link=link)
    joint, flap = objects["Door to Wall Joint"], objects["Flap to Wall Joint"]
    assert joint.omi_joint.settings_to_core() == SETTINGS
    assert joint.omi_joint.connected_object == objects["Door to Wall Connected"]
    assert settings_owner(flap) == joint
    assert codes(joint) == []


def test_one_appended_joint_brings_what_it_points_to(door_file: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    folder = f"{door_file}/Object/"
    bpy.ops.wm.append(
        filepath=folder + "Flap to Wall Joint", directory=folder, filename="Flap to Wall Joint"
    )
    joint = bpy.data.objects["Flap to Wall Joint"]
    assert joint.omi_joint.connected_object == bpy.data.objects["Flap to Wall Connected"]
    assert settings_owner(joint) == bpy.data.objects["Door to Wall Joint"]


def test_linked_joints_cannot_be_edited(door_file: Path) -> None:
    objects = load(door_file, link=True)
    select(objects["Flap to Wall Joint"])
    for name in ("joint_limit_add", "joint_preset_apply", "joint_ends_swap", "joint_remove"):
        operator = getattr(bpy.ops.omi, name)
        with pytest.raises(RuntimeError, match="is linked from a library; edit it there"):
            operator()


def test_overrides_cannot_be_edited(door_file: Path) -> None:
    objects = load(door_file, link=True)
    override = objects["Door to Wall Joint"].override_create(remap_local_usages=True)
    select(override)
    with pytest.raises(RuntimeError, match="library override"):
        bpy.ops.omi.joint_limit_add()


def test_linked_bodies_can_be_jointed_where_they_are_bodies(door_file: Path) -> None:
    objects = load(door_file, link=True)
    shelf = add_cube("Shelf", (0, -3, 0))
    joint = add_joint(objects["Wall"], shelf)
    assert joint.omi_joint.connected_object.parent == objects["Wall"]


def test_linked_objects_without_motion_are_refused(tmp_path: Path) -> None:
    add_cube("Rock", (0, 0, 0))
    path = tmp_path / "rock.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    rock = load(path, link=True)["Rock"]
    select(rock, add_cube("Shelf", (0, -3, 0)))
    with pytest.raises(RuntimeError, match="Rock is linked from a library"):
        bpy.ops.omi.joint_add()
    assert bpy.data.objects.get("Shelf to Rock Joint") is None


def test_duplicates_point_to_duplicates() -> None:
    wall, door, joint = add_door()
    select(wall, door, joint, joint.omi_joint.connected_object)
    bpy.ops.object.duplicate()
    copy = next(obj for obj in bpy.context.selected_objects if obj.omi_joint.enabled)
    assert copy != joint
    assert copy.parent.name == "Door.001"
    assert copy.omi_joint.connected_object.parent.name == "Wall.001"
    assert copy.omi_joint.settings_to_core() == joint.omi_joint.settings_to_core()


def test_duplicated_joint_alone_keeps_its_connected_object() -> None:
    joint = add_door()[2]
    select(joint)
    bpy.ops.object.duplicate()
    assert bpy.context.object.omi_joint.connected_object == joint.omi_joint.connected_object


def test_settings_of_a_duplicate_are_its_own() -> None:
    joint = add_door()[2]
    select(joint)
    bpy.ops.object.duplicate()
    bpy.context.object.omi_joint.limits[0].max = 9.0
    assert joint.omi_joint.limits[0].max == 0.0


def test_findings_of_missing_ends_and_bodies() -> None:
    wall, door, joint = add_door()
    assert codes(joint) == []
    connected = joint.omi_joint.connected_object
    wall.omi_body.motion_type = "NONE"
    assert codes(joint) == ["OMI-J006"]
    door.omi_body.motion_type = "KINEMATIC"
    assert codes(joint) == ["OMI-J007", "OMI-J006"]
    wall.omi_body.motion_type = "STATIC"
    assert codes(joint) == ["OMI-J007"]
    wall.omi_body.motion_type = "DYNAMIC"
    assert codes(joint) == ["OMI-J005"]
    door.omi_body.motion_type = "DYNAMIC"
    select(connected)
    bpy.ops.object.delete()
    assert codes(joint)[0] == "OMI-J002"
    bpy.data.objects.remove(connected)
    assert codes(joint) == ["OMI-J001"]


def test_joint_within_one_body_is_a_finding() -> None:
    _wall, door, joint = add_door()
    joint.omi_joint.connected_object = door
    assert codes(joint) == ["OMI-J009"]


def test_rename_is_followed() -> None:
    wall, _door, joint = add_door()
    joint.omi_joint.connected_object.name = "Renamed"
    wall.name = "House"
    assert joint.omi_joint.connected_object.name == "Renamed"
    assert codes(joint) == []
