"""Limits and drives from joint to joint: the clipboard, presets of one's own, appended files."""

from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.authoring.own_presets import (
    SettingsTextError,
    load_preset,
    own_presets,
    settings_from_text,
    settings_to_text,
)
from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from tests.blender.scenes import add_cube, add_door, add_joint, select


@pytest.mark.parametrize("preset", list(Preset))
def test_settings_come_back_from_text(preset: Preset) -> None:
    settings = preset_settings(preset)
    assert settings_from_text(settings_to_text(settings)) == settings


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "hello", "[" * 100_000, '{"omi_joint_settings": {"limits": [{"min": "a"}]}}'],
    ids=["nothing", "list", "object", "words", "deep", "no number"],
)
def test_other_text_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(SettingsTextError, match=r"\w+"):
        settings_from_text(text)


def test_own_presets_are_saved_found_loaded_and_deleted() -> None:
    wall, _door, hinge = add_door()
    hinge.omi_joint.limits[2].max = 0.25
    assert bpy.ops.omi.joint_preset_save(name="Cabinet Door") == {"FINISHED"}
    (path,) = [each for each in own_presets() if each.stem == "Cabinet_Door"]
    assert load_preset(path) == hinge.omi_joint.settings_to_core()
    drawer = add_joint(wall, add_cube("Box", (0, 5, 0)), preset="SLIDER")
    assert bpy.ops.omi.joint_preset_load(filepath=str(path)) == {"FINISHED"}
    assert drawer.omi_joint.settings_to_core() == hinge.omi_joint.settings_to_core()
    assert not drawer.omi_joint.limits[drawer.omi_joint.active_limit].to_core().is_locked
    assert bpy.ops.omi.joint_preset_delete(name="Cabinet_Door") == {"FINISHED"}
    assert not path.exists()


def test_a_file_that_is_no_preset_is_told(tmp_path: Path) -> None:
    add_door()
    (tmp_path / "bad.json").write_bytes(b"\xff\xfe")
    with pytest.raises(RuntimeError, match="Not a joint preset"):
        bpy.ops.omi.joint_preset_load(filepath=str(tmp_path / "bad.json"))


@pytest.mark.parametrize("is_linked", [False, True])
def test_jointed_assemblies_come_from_a_library_with_their_frames(
    is_linked: bool, tmp_path: Path
) -> None:
    """As the Asset Browser appends and links: by the collection."""
    _wall, _door, joint = add_door()
    before = joint.omi_joint.settings_to_core()
    assembly = bpy.data.collections.new("Assembly")
    bpy.context.scene.collection.children.link(assembly)
    for obj in list(bpy.context.scene.objects):
        assembly.objects.link(obj)
    assembly.asset_mark()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=is_linked) as (held, wanted):
        wanted.collections = list(held.collections)
    (found,) = wanted.collections
    bpy.context.scene.collection.children.link(found)
    bpy.context.view_layer.update()
    (joint,) = [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]
    assert joint.omi_joint.settings_to_core() == before
    connected: Any = joint.omi_joint.connected_object
    assert (joint.parent.name, connected.parent.name) == ("Door", "Wall")
    assert connected.name in bpy.context.scene.objects


def test_strength_is_for_joints_with_drives() -> None:
    add_door()
    assert not bpy.ops.omi.joint_strength_scale.poll()


def test_strength_of_all_selected_drives_is_scaled_once() -> None:
    """Two servos share their settings, a third one has an unlimited force."""
    wall = add_cube("Wall", (0, 0, 0))
    doors = [add_cube(f"Door {number}", (3, 3 * number, 0)) for number in range(3)]
    values = {"preset": "POSITION_SERVO", "stiffness": 8.0, "damping": 2.0, "max_force": 6.0}
    first = add_joint(wall, *doors[:2], pattern="EACH_TO_ACTIVE", share_settings=True, **values)
    shared = list(bpy.context.selected_objects)
    third = add_joint(wall, doors[2], **values)
    third.omi_joint.drives[0].use_max_force = False
    select(third, *shared)
    assert bpy.ops.omi.joint_strength_scale(factor=0.5) == {"FINISHED"}
    (drive,) = first.omi_joint.settings_to_core().drives
    assert (drive.stiffness, drive.damping, drive.max_force) == (4.0, 1.0, 3.0)
    (drive,) = third.omi_joint.settings_to_core().drives
    assert (drive.stiffness, drive.damping, drive.max_force) == (4.0, 1.0, float("inf"))
    bpy.ops.omi.joint_strength_scale(factor=0.0)
    assert first.omi_joint.settings_to_core().drives[0].stiffness == 0.0
