"""Buttons for bones that pass through each other, in Pose Mode."""

from typing import Any

import bpy
import pytest

from omi_joints_addon.core.model.filters import filtered_pairs
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.recording_layout import drawn
from tests.blender.test_ragdoll import ragdoll
from tests.rigs import add_human
from tests.roundtrip.documents import export

HAND, FOOT, HEAD = (f"mixamorig:{name}" for name in ("LeftHand", "LeftFoot", "Neck"))


@pytest.fixture
def rig() -> Any:
    rig = add_human()
    ragdoll(rig)
    bpy.ops.object.mode_set(mode="POSE")
    return rig


def choose(rig: Any, active: str, *others: str) -> None:
    bpy.ops.pose.select_all(action="DESELECT")
    for name in (active, *others):
        owner = rig.pose.bones[name]
        (owner if hasattr(owner, "select") else owner.bone).select = True
    rig.data.bones.active = rig.data.bones[active]


def pairs() -> set[frozenset[str]]:
    """Return the names of the bodies that filters keep apart."""
    core, _ = scene_to_core(bpy.context.scene)
    filters = {node: each.collision_filter for node, each in core.colliders.items()}
    found = filtered_pairs(core, filters)
    return {frozenset(core.names[node] for node in pair) for pair in found}


def test_the_active_bone_passes_through_the_selected_ones(rig):
    before = pairs()
    choose(rig, HAND, FOOT, HEAD)
    for _ in range(2):
        assert bpy.ops.omi.body_pair_add() == {"FINISHED"}
        assert pairs() - before == {frozenset((HAND, FOOT)), frozenset((HAND, HEAD))}
    calls = drawn(bpy.types.OMI_PT_bone_body)
    assert calls.count(("operator", "omi.body_pair_remove")) == 2
    choose(rig, FOOT)
    assert bpy.ops.omi.body_pair_remove(index=0) == {"FINISHED"}
    assert pairs() - before == {frozenset((HAND, HEAD))}
    assert not rig.pose.bones[FOOT].omi_body.collider.collision_filter.use_filter
    assert bpy.ops.omi.body_pair_remove(index=0) == {"CANCELLED"}


@pytest.mark.parametrize("dialect", ["OMI", "KHR"])
def test_pairs_come_back_from_a_file_by_names_of_bones_of_then(rig, dialect, tmp_path):
    choose(rig, HAND, FOOT)
    bpy.ops.omi.body_pair_add()
    rig.data.bones[FOOT].name = "Renamed"
    expected = pairs()
    assert frozenset((HAND, "Renamed")) in expected
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.scene.omi_gltf.export_dialects = {dialect}
    export(tmp_path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "file.gltf"))
    bpy.context.view_layer.update()
    assert pairs() == expected


def test_bones_that_were_edited_stay_when_the_ragdoll_is_renewed(rig):
    choose(rig, HAND, FOOT)
    bpy.ops.omi.body_pair_add()
    bpy.ops.omi.ragdoll_add()
    assert frozenset((HAND, FOOT)) in pairs()


def test_a_name_that_other_bones_use_is_not_taken_again(rig):
    choose(rig, HAND, FOOT)
    bpy.ops.omi.body_pair_add()
    rig.data.bones[HAND].name = "Renamed"
    rig.data.bones[HEAD].name = HAND
    choose(rig, HAND, FOOT)
    before = pairs()
    bpy.ops.omi.body_pair_add()
    assert pairs() - before == {frozenset((HAND, FOOT))}


def test_filters_that_list_what_they_meet_stay(rig):
    for name in (HAND, FOOT):
        collision_filter = rig.pose.bones[name].omi_body.collider.collision_filter
        collision_filter.use_filter, collision_filter.mode = True, "ONLY"
    before = pairs()
    choose(rig, HAND, FOOT)
    bpy.ops.omi.body_pair_add()
    assert pairs() == before
    assert not rig.pose.bones[HAND].omi_body.collider.collision_filter.systems
    choose(rig, HAND, HEAD)
    rig.pose.bones[HAND].omi_body.collider.collision_filter.mode = "ALL"
    bpy.ops.omi.body_pair_add()
    assert frozenset((HAND, HEAD)) in pairs()


def test_bones_without_a_collider_of_their_own_have_no_filter(rig):
    rig.pose.bones[FOOT].omi_body.collider.source = "NONE"
    choose(rig, HAND, FOOT)
    with pytest.raises(RuntimeError, match="Only bones with a collider of their own"):
        bpy.ops.omi.body_pair_add()


def test_the_button_says_what_to_select(rig):
    toe = next(b.name for b in rig.pose.bones if b.omi_body.motion_type == "NONE")
    for chosen, text in (
        ((toe, HAND), "The active bone is not a physics body"),
        ((HAND, toe), "Select the bones that the active bone is to pass through, too"),
    ):
        choose(rig, *chosen)
        with pytest.raises(RuntimeError, match=text):
            bpy.ops.omi.body_pair_add()
