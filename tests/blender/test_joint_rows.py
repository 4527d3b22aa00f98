"""The lists of joints: which rows they show, in which order, and which joint is active."""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.scene import joint_rows
from omi_joints_addon.scene.joint_rows import LISTS, Search
from omi_joints_addon.scene.watch import WATCH
from tests.blender.recording_layout import RecordingLayout, list_drawer
from tests.blender.scenes import add_cube, add_door, add_joint, add_rope, select


@pytest.fixture(autouse=True)
def in_scene_order() -> Iterator[None]:
    """Start each test with the order that Blender starts with."""
    manager().omi_joint_sort = "SCENE"
    yield
    manager().omi_joint_sort = "SCENE"


def manager() -> Any:
    return bpy.context.window_manager


def listed(
    text: str = "",
    *,
    invert: bool = False,
    problems: bool = False,
    scene: Any = None,
    kind: str = "OMI_UL_joints",
) -> list[str]:
    """Return the names of the joints that a list shows; Blender itself inverts its marks."""
    context = SimpleNamespace(scene=scene or bpy.context.scene)
    fake = SimpleNamespace(
        filter_name=text,
        use_filter_invert=invert,
        problems_only=problems,
        is_popup=getattr(bpy.types, kind).is_popup,
    )
    LISTS.look(context.scene)
    marks, order = getattr(bpy.types, kind).filter_items(fake, context, manager(), "omi_joint_rows")
    assert order == []
    places = len(manager().omi_joint_rows)
    assert len(marks) in {0, places}
    shown = [not marks or bool(marks[row] & 1 << 30) != invert for row in range(places)]
    rows = LISTS.of(context.scene)
    joints = (rows.joint(row) for row in range(places) if shown[row])
    return [joint.name for joint in joints]


def names_of(joints: list[Any]) -> list[str]:
    """Return the names of joints as Blender lists the objects of the scene."""
    return [obj.name for obj in bpy.context.scene.objects if obj in joints]


def test_list_shows_the_joints_as_blender_lists_them_and_searches() -> None:
    joints = add_rope(3)
    names = names_of(joints)
    assert listed() == names
    assert listed("Link 3") == ["Link 3 to Link 2 Joint"]
    assert listed("link 3*joint") == ["Link 3 to Link 2 Joint"]
    assert listed("Link 3", invert=True) == [n for n in names if n != "Link 3 to Link 2 Joint"]
    assert listed(invert=True) == names
    assert listed("nothing") == []


def test_300_joints_are_sorted_by_name_kind_and_state_and_problems_filtered() -> None:
    joints = add_rope(300)
    for number, joint in enumerate(joints):
        joint.name = f"J{(7 * number) % 300:03d}"
    hinge, broken = bpy.data.objects["J100"], bpy.data.objects["J200"]
    hinge.omi_joint.settings_from_core(preset_settings(Preset.HINGE))
    broken.omi_joint.connected_object = None
    bpy.context.view_layer.update()
    assert len(listed(kind="OMI_UL_joint_table")) == 300
    assert listed(problems=True) == ["J200"]
    assert listed("J2", problems=True, invert=True) == []
    assert listed("J1", problems=True, invert=True) == ["J200"]
    for sort, first in (("KIND", "J100"), ("STATE", "J200")):
        manager().omi_joint_sort = sort
        rest = sorted(joint.name for joint in joints if joint.name != first)
        assert listed() == listed(kind="OMI_UL_joint_table") == [first, *rest]
    manager().omi_joint_sort = "NAME"
    assert listed() == sorted(joint.name for joint in joints)


def test_row_draws_its_joint_and_nothing_where_the_joint_is_gone() -> None:
    joint = add_door()[2]
    LISTS.look(bpy.context.scene)
    drawer = list_drawer("OMI_UL_joint_table")

    def draw(row: int) -> list[tuple[str, str]]:
        layout = RecordingLayout()
        drawer.draw_item(bpy.context, layout, None, None, 0, None, "", row)
        return layout.drawn

    assert ("prop", "name") in draw(0)
    assert ("label", "Hinge") in draw(0)
    bpy.data.objects.remove(joint)
    bpy.context.view_layer.update()
    LISTS.look(bpy.context.scene)
    assert draw(0) == draw(5) == [("label", "")]


def test_rows_follow_what_happens_to_the_joints() -> None:
    """Renamed, removed, undone, redone, hidden, made no joint: the list is the scene's."""
    joints = add_rope(4)
    bpy.ops.ed.undo_push(message="Rope")
    names = listed()
    joints[0].name = "Aardvark"
    assert "Aardvark" in listed()
    assert listed("aard") == ["Aardvark"]
    bpy.ops.ed.undo_push(message="Name")
    select(joints[1])
    bpy.ops.omi.joint_remove()
    bpy.ops.ed.undo_push(message="Remove")
    assert len(listed()) == 3
    bpy.ops.ed.undo()
    assert len(listed()) == 4
    bpy.ops.ed.undo()
    assert listed() == names
    bpy.ops.ed.redo()
    assert "Aardvark" in listed()
    joint = bpy.data.objects["Aardvark"]
    joint.hide_set(True)
    assert "Aardvark" in listed()
    joint.omi_joint.enabled = False
    assert "Aardvark" not in listed()


def test_searches_and_orders_follow_names_and_problems() -> None:
    joints = add_rope(4)
    assert listed("Zed") == listed(problems=True) == []
    joints[-1].name = "Zed"
    assert listed("Zed") == ["Zed"]
    manager().omi_joint_sort = "STATE"
    assert listed()[-1] == "Zed"
    # Only a pose differs: the frames of a pin are no longer at one place.
    joints[-1].omi_joint.connected_object.location.x += 5.0
    bpy.context.view_layer.update()
    assert listed(problems=True) == ["Zed"]
    assert listed()[0] == "Zed"


def test_rows_are_those_of_the_scene_that_is_shown() -> None:
    first = bpy.context.scene
    add_rope(5)
    names = listed()
    second = bpy.data.scenes.new("Second")
    bpy.context.window.scene = second
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    joint = add_joint(wall, door, preset="HINGE")
    assert listed(scene=second) == [joint.name]
    assert listed(scene=second, invert=True) == [joint.name]
    assert listed(scene=first) == names
    assert len(manager().omi_joint_rows) == 5
    assert names[first.omi_joint_row] == first.view_layers[0].objects.active.name
    assert second.omi_joint_row == 0
    bpy.data.scenes.remove(first)
    assert listed(scene=second) == [joint.name]
    assert len(manager().omi_joint_rows) == 1


def test_active_row_is_that_of_the_active_object_both_ways() -> None:
    joints, scene = add_rope(3), bpy.context.scene
    names = listed()
    for joint in joints:
        select(joint)
        assert names[scene.omi_joint_row] == joint.name
    manager().omi_joint_sort = "NAME"
    names = listed()
    for row, name in enumerate(names):
        scene.omi_joint_row = row
        assert bpy.context.object.name == name
        assert [obj.name for obj in bpy.context.selected_objects] == [name]
    select(joints[0].parent)
    assert scene.omi_joint_row == -1
    scene.omi_joint_row = 99
    assert bpy.context.object == joints[0].parent


def test_row_does_not_leave_another_mode() -> None:
    add_rope(2)
    LISTS.look(bpy.context.scene)
    mesh = next(obj for obj in bpy.data.objects if obj.type == "MESH")
    select(mesh)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.scene.omi_joint_row = 0
    assert bpy.context.object == mesh
    assert mesh.mode == "EDIT"


def test_rows_are_in_no_file_and_fit_the_next_one(tmp_path: Path) -> None:
    add_rope(6)
    listed()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "six.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    add_rope(2)
    assert len(listed()) == 2
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "six.blend"))
    assert len(manager().omi_joint_rows) == 0
    assert len(listed()) == 6


def test_linked_joints_are_listed(tmp_path: Path) -> None:
    for joint in add_rope(2):
        joint.name = f"Linked {joint.name}"
    file = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(file))
    bpy.ops.wm.read_homefile(use_empty=True)
    own = add_rope(2)
    with bpy.data.libraries.load(str(file), link=True) as (there, here):
        here.objects = there.objects
    for obj in here.objects:
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    assert len(listed("Linked")) == 2
    assert sorted(listed()) == sorted([*listed("Linked"), *(joint.name for joint in own)])


@pytest.mark.parametrize("sort", ["SCENE", "NAME", "KIND", "STATE"])
def test_what_is_worked_out_bit_by_bit_is_what_is_worked_out_at_once(sort: str) -> None:
    joints = add_rope(200)
    for number, joint in enumerate(joints[::3]):
        joint.name = f"{(37 * number) % 67:03} Joint"
        joint.omi_joint.settings_from_core(preset_settings(list(Preset)[number % len(Preset)]))
    joints[50].omi_joint.connected_object = None
    bpy.context.view_layer.update()
    live, checks = WATCH.scene(bpy.context.scene), WATCH.settled(bpy.context.scene)
    searches = [Search(), Search(text="1*j"), Search(text="1", is_inverted=True)]
    searches.append(Search(problems_only=True))
    whole, slow = joint_rows.JointRows(live, checks), joint_rows.JointRows(live, checks)
    for rows in (whole, slow):
        for search in searches:
            rows.ask(search)
    assert whole.work(sort, perf_counter() + 1000.0)
    turns = 1
    while not slow.work(sort, 0.0):
        turns += 1
    assert turns > 5
    assert slow.uids == whole.uids
    assert len(set(whole.uids)) == 200
    for search in searches:
        assert slow.marks(search, 210) == whole.marks(search, 210)
