"""Buttons for pairs of bodies that pass through each other."""

from typing import Any

import bpy
import pytest

from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.recording_layout import drawn
from tests.blender.scenes import add_cube, select


def bodies(*names: str) -> list[Any]:
    found = [add_cube(name, (2.0 * at, 0, 0)) for at, name in enumerate(names)]
    for obj in found:
        obj.omi_body.motion_type = "DYNAMIC"
    return found


def pairs() -> list[set[str]]:
    """Return the names of the pairs that the scene has."""
    core, _ = scene_to_core(bpy.context.scene)
    return [{core.names[node] for node in pair} for pair in core.excluded_pairs]


def listed(obj: Any) -> list[str]:
    return [each.body.name for each in obj.omi_body.excluded]


def test_the_active_body_passes_through_the_other_selected_ones() -> None:
    a, b, c = bodies("A", "B", "C")
    select(a, b, c)
    assert bpy.ops.omi.body_pair_add() == {"FINISHED"}
    assert pairs() == [{"A", "B"}, {"A", "C"}]
    assert sorted(listed(a)) == ["B", "C"]
    assert (listed(b), listed(c)) == (["A"], ["A"])
    assert bpy.ops.omi.body_pair_add() == {"FINISHED"}
    assert len(pairs()) == 2


def test_a_pair_is_removed_from_either_side() -> None:
    for active in (0, 1):
        found = bodies("A", "B")
        select(*found)
        bpy.ops.omi.body_pair_add()
        select(found[active])
        assert bpy.ops.omi.body_pair_remove(index=0) == {"FINISHED"}
        assert pairs() == []
        assert not any(map(listed, found))
        assert bpy.ops.omi.body_pair_remove(index=0) == {"CANCELLED"}
        bpy.ops.wm.read_homefile(use_empty=True)


def test_undo_rename_copy_and_delete() -> None:
    a, b = bodies("A", "B")
    select(a, b)
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.omi.body_pair_add()
    bpy.ops.ed.undo_push(message="Pair")
    bpy.ops.ed.undo()
    assert pairs() == []
    bpy.ops.ed.redo()
    assert pairs() == [{"A", "B"}]
    a, b = (bpy.data.objects[name] for name in "AB")
    b.name = "Renamed"
    select(a)
    bpy.ops.object.duplicate()
    assert {frozenset(pair) for pair in pairs()} == {
        frozenset(("A", "Renamed")),
        frozenset(("A.001", "Renamed")),
    }
    select(b)
    bpy.ops.object.delete()
    assert pairs() == []


def test_a_file_that_is_saved_and_loaded_has_the_pair(tmp_path: Any) -> None:
    select(*bodies("A", "B"))
    bpy.ops.omi.body_pair_add()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "pair.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "pair.blend"))
    assert pairs() == [{"A", "B"}]


def test_the_button_says_what_to_select() -> None:
    a, b = bodies("A", "B")
    joint = bpy.data.objects.new("Plain", None)
    bpy.context.scene.collection.objects.link(joint)
    for chosen, text in (
        ((a,), "Select the bodies that the active body is to pass through, too"),
        ((joint, a, b), "The active object is not a physics body"),
        ((a, joint), "Select the bodies that the active body is to pass through, too"),
    ):
        select(*chosen)
        with pytest.raises(RuntimeError, match=text):
            bpy.ops.omi.body_pair_add()


def test_the_panel_lists_bodies_with_a_button_each() -> None:
    a, b, c = bodies("A", "B", "C")
    select(a)
    assert ("operator", "omi.body_pair_remove") not in drawn(bpy.types.OMI_PT_body)
    select(a, b, c)
    bpy.ops.omi.body_pair_add()
    calls = drawn(bpy.types.OMI_PT_body)
    assert calls.count(("operator", "omi.body_pair_remove")) == 2
    assert calls.count(("operator", "omi.body_pair_add")) == 1
