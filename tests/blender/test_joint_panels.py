"""Every panel, menu and redo panel of joints draws, in every state, with names that exist."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_joints_addon import operators, panels
from omi_joints_addon.classes import classes_of
from omi_joints_addon.core.meaning.presets import PRESETS, Preset, preset_settings, settings_label
from omi_joints_addon.core.model.joint import JointDrive, JointLimit
from omi_joints_addon.operators.exchange.formats import offered, title
from omi_joints_addon.scene.joint_rows import LISTS
from tests.blender.recording_layout import RecordingLayout, drawn, list_drawer
from tests.blender.scenes import add_cube, add_door, add_joint, add_rope, select


def texts(calls: list[tuple[str, str]]) -> list[str]:
    return [text for kind, text in calls if kind == "label"]


def props(calls: list[tuple[str, str]]) -> list[str]:
    return [name for kind, name in calls if kind == "prop"]


def panel(name: str) -> list[tuple[str, str]]:
    return drawn(getattr(bpy.types, name))


def test_empty_can_be_turned_into_a_joint() -> None:
    bpy.ops.object.empty_add()
    assert props(panel("OMI_PT_joint")) == ["enabled"]
    assert ("list", "OMI_UL_joint_limits") not in panel("OMI_PT_joint")


def test_mesh_has_no_joint_panel_unless_it_is_one() -> None:
    cube = add_cube("Cube", (0, 0, 0))
    assert not bpy.types.OMI_PT_joint.poll(bpy.context)
    cube.omi_joint.enabled = True
    assert "enable_collision" in props(panel("OMI_PT_joint"))


@pytest.mark.parametrize("preset", [preset.name for preset in Preset])
def test_panels_of_every_preset(preset: str) -> None:
    add_joint(add_cube("Fan", (0, 0, 0)), preset=preset)
    assert panel("OMI_PT_joint")


def test_body_s_motion_type_can_be_set_in_the_joint_panel() -> None:
    add_door()
    calls = panel("OMI_PT_joint")
    assert {"omi_joint_body", "omi_connected_body"} < set(props(calls))
    assert props(calls).count("motion_type") == 2


def test_rigid_body_shows_what_it_means() -> None:
    wall, _door, joint = add_door()
    bpy.ops.rigidbody.world_add()
    select(wall)
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    select(joint)
    calls = panel("OMI_PT_joint")
    assert props(calls).count("motion_type") == 1


def test_joint_that_cannot_work_says_why() -> None:
    _wall, door, joint = add_door()
    door.omi_body.motion_type = "STATIC"
    assert "dynamic body" in " ".join(texts(panel("OMI_PT_joint")))
    joint.omi_joint.connected_object = None
    joint.update_tag()
    bpy.context.view_layer.update()
    assert "no connected object" in " ".join(texts(panel("OMI_PT_joint")))


@pytest.mark.parametrize(
    ("limit", "shown"),
    [
        (JointLimit(linear_axes=(0,)), "max_distance"),
        (JointLimit(angular_axes=(0, 1)), "max_angle"),
        (JointLimit(linear_axes=(0,), angular_axes=(1,)), "max"),
        (JointLimit(), "max"),
    ],
)
def test_limits_are_shown_in_their_unit(limit: JointLimit, shown: str) -> None:
    joint = add_door()[2].omi_joint
    joint.limits.clear()
    joint.limits.add().from_core(limit)
    calls = props(panel("OMI_PT_joint"))
    assert {name for name in calls if name.startswith("max")} == {shown}


@pytest.mark.parametrize(
    ("drive", "shown"),
    [
        (JointDrive(type="linear"), {"position_target_distance", "velocity_target_distance"}),
        (JointDrive(type="angular"), {"position_target_angle", "velocity_target_angle"}),
        (JointDrive(type="magnetic"), {"position_target", "velocity_target", "other_type"}),
    ],
)
def test_drives_are_shown_in_their_unit(drive: JointDrive, shown: set[str]) -> None:
    joint = add_door()[2].omi_joint
    joint.drives.add().from_core(drive)
    calls = set(props(panel("OMI_PT_joint")))
    targets = {n for n in calls if "target" in n and not n.startswith("use")}
    assert targets | (calls & {"other_type"}) == shown


def test_shared_settings_name_their_owner() -> None:
    joints = add_rope(3, share_settings=True)
    owner = next(joint for joint in joints if joint.omi_joint.settings_source is None)
    follower = next(joint for joint in joints if joint != owner)
    select(follower)
    calls = panel("OMI_PT_joint")
    assert f"Shared with {owner.name}" in texts(calls)
    assert ("operator", "omi.joint_settings_unlink") in calls
    select(owner)
    assert "3 users" in texts(panel("OMI_PT_joint"))


def test_long_messages_wrap() -> None:
    joint = add_door()[2]
    joint.omi_joint.settings_source = bpy.data.objects["Wall"]
    lines = texts(panel("OMI_PT_joint"))
    assert "was deleted or is no longer a joint" in " ".join(lines)
    assert all(len(line) <= 60 for line in lines)


def test_circle_of_shared_settings_draws_its_finding() -> None:
    joint = add_door()[2]
    joint.omi_joint.settings_source = joint
    assert any("loop" in text for text in texts(panel("OMI_PT_joint")))
    assert ("list", "OMI_UL_joint_limits") not in panel("OMI_PT_joint")


def test_sidebar_and_menus_draw() -> None:
    for name in (
        "OMI_PT_joint_create",
        "OMI_PT_joint_list",
        "OMI_MT_joint_add",
        "OMI_MT_joint_context",
    ):
        panel(name)
    add_door()
    for name in ("OMI_PT_joint_edit", "OMI_PT_joint_list", "OMI_MT_joint_context"):
        assert panel(name)
    select(bpy.data.objects["Wall"])
    # Presets, Chain, and Each to Active.
    made = [call for call in panel("OMI_PT_joint_create") if call == ("operator", "omi.joint_add")]
    assert len(made) == len(PRESETS) + 2


def test_the_active_joint_takes_the_place_of_create() -> None:
    joint = add_door()[2]
    create, edit = bpy.types.OMI_PT_joint_create, bpy.types.OMI_PT_joint_edit
    assert (create.poll(bpy.context), edit.poll(bpy.context)) == (False, True)
    select(joint.parent)
    assert (create.poll(bpy.context), edit.poll(bpy.context)) == (True, False)
    assert create.bl_order == edit.bl_order


@pytest.mark.parametrize(
    ("preset", "rows", "bounds"),
    [("HINGE", 1, 2), ("CYLINDRICAL", 2, 2), ("BALL_WITH_CONE", 3, 4), ("FIXED", 0, 0)],
)
def test_the_active_joint_has_a_line_for_each_free_axis(
    preset: str, rows: int, bounds: int
) -> None:
    """A cone is one limit of two axes: its bounds are shown once."""
    select(add_cube("A", (0, 0, 0)), add_cube("B", (3, 0, 0)))
    bpy.ops.omi.joint_add(preset=preset)
    shown = props(panel("OMI_PT_joint_edit"))
    assert shown.count("omi_joint_parts") == rows
    assert len([name for name in shown if name.startswith(("min", "max"))]) == bounds


def test_panels_of_nothing() -> None:
    bpy.context.view_layer.objects.active = None
    for module in panels.MODULES:
        for cls in classes_of(module):
            if hasattr(cls, "poll"):
                cls.poll(bpy.context)


def test_connected_frame_shows_its_joint() -> None:
    joint = add_door()[2]
    select(joint.omi_joint.connected_object)
    assert "Connected frame of" in texts(panel("OMI_PT_joint"))
    assert ("list", "OMI_UL_joint_limits") in panel("OMI_PT_joint")
    assert bpy.ops.omi.joint_limit_add() == {"FINISHED"}
    assert len(joint.omi_joint.limits) == 4


def test_body_shows_its_joints_and_is_deleted_with_them() -> None:
    wall, door, _joint = add_door()
    select(wall)
    assert ("operator", "omi.joint_select") in panel("OMI_PT_body_joints")
    assert bpy.ops.omi.body_remove() == {"FINISHED"}
    assert list(bpy.data.objects) == [door]


def test_presets_keep_their_names() -> None:
    for preset in Preset:
        assert settings_label(preset_settings(preset)) in {PRESETS[preset].label, "Fixed (Weld)"}


def test_limit_with_a_range_is_the_active_one() -> None:
    joint = add_door()[2]
    data = joint.omi_joint
    assert not data.limits[data.active_limit].to_core().is_locked


def test_blender_s_menus_have_an_entry() -> None:
    for menu, menus in (
        (bpy.types.VIEW3D_MT_add, 2),
        (bpy.types.VIEW3D_MT_object_context_menu, 1),
    ):
        entries = [draw for draw in menu.draw._draw_funcs if draw.__module__.startswith("omi_")]
        assert len(entries) == 1
        layout = RecordingLayout()
        entries[0](type("Menu", (), {"layout": layout}), bpy.context)
        assert [kind for kind, _name in layout.drawn] == ["menu"] * menus


@pytest.mark.parametrize(("width", "is_table"), [(280.0, False), (600.0, True)])
def test_list_in_a_wide_sidebar_is_edited_in_place(width: float, *, is_table: bool) -> None:
    joint = add_door()[2]
    context = SimpleNamespace(
        region=SimpleNamespace(width=width),
        preferences=SimpleNamespace(system=SimpleNamespace(ui_scale=1.0)),
        scene=bpy.context.scene,
        object=joint,
    )
    layout = RecordingLayout()
    LISTS.look(bpy.context.scene)
    drawer = list_drawer("OMI_UL_joints")
    drawer.draw_item(context, layout, context.scene, None, 0, None, "", 0)
    assert (("prop", "max_angle") in layout.drawn) == is_table


@pytest.mark.parametrize("preset", [preset.name for preset in Preset])
@pytest.mark.parametrize("pattern", ["ACTIVE_PAIR", "CHAIN"])
def test_redo_panel_of_add_shows_the_parameters(preset: str, pattern: str) -> None:
    select(add_cube("A", (0, 0, 0)), add_cube("B", (3, 0, 0)))
    calls = props(redo(operators.joint.add.OMI_OT_joint_add, preset=preset, pattern=pattern))
    assert ("axis" in calls) == (PRESETS[Preset[preset]].axis is not None)
    assert ("use_ring" in calls) == (pattern == "CHAIN")


def redo(cls: Any, **values: Any) -> list[tuple[str, str]]:
    """Return what the redo panel of an operator shows for these values of its properties."""
    module, name = cls.bl_idname.split(".")
    known = getattr(getattr(bpy.ops, module), name).get_rna_type()
    defaults = {prop.identifier: getattr(prop, "default", None) for prop in known.properties}
    members = {
        n: m for b in reversed(cls.__mro__) for n, m in vars(b).items() if not n.startswith("__")
    }
    fake = type("Fake", (), members | defaults | values | {"bl_rna": known})()
    fake.layout = RecordingLayout()
    fake.draw(bpy.context)
    return fake.layout.drawn


def operator_classes() -> list[Any]:
    return [
        cls
        for module in operators.MODULES
        for cls in classes_of(module)
        if cls.__name__.startswith("OMI_OT_joint")
    ]


def test_every_operator_is_offered_somewhere() -> None:
    add_rope(2, share_settings=True)
    panel("OMI_MT_joint_context")
    select(*[joint for joint in bpy.context.scene.objects if joint.omi_joint.settings_source])
    bpy.ops.omi.joint_drive_add()
    names = ["OMI_MT_joint_context", "OMI_MT_joint_add"]
    names += [
        cls.__name__
        for module in (panels.joint, panels.joint_settings, panels.joint_tools, panels.joint_list)
        for cls in classes_of(module)
        if not cls.__name__.startswith("OMI_UL")
        and (not hasattr(cls, "poll") or cls.poll(bpy.context))
    ]
    offered = {idname for name in names for kind, idname in panel(name) if kind == "operator"}
    # A tool of the toolbar and the panels of findings and of the preview offer these.
    elsewhere = {
        "omi.joint_frame_place",
        "omi.joint_portable_make",
        "omi.joint_limit_from_pose",
        "omi.joint_limits_fit",
        # Menus and the list offer these.
        "omi.joint_table",
        "omi.joint_loops_close",
        "omi.joint_connected_select",
        "omi.joint_preset_save",
        "omi.joint_preset_load",
        "omi.joint_preset_delete",
        "omi.joint_profile_store",
        "omi.joint_profile_apply",
        "omi.joint_profile_remove",
    }
    assert {cls.bl_idname for cls in operator_classes()} <= offered | elsewhere


def test_search_finds_what_users_type() -> None:
    """F3 looks for words in labels of menus; each of these is in one that is drawn."""
    words = {"ragdoll", "motor", "rope", "pivot", "bake", "hinge", "simulate", "table", "nest"}
    add_door()
    layout, labels = SpokenLayout(), ""
    for name in ("OMI_MT_joint_add", "OMI_MT_joint_context", "OMI_MT_body", "OMI_MT_bones"):
        drawn(getattr(bpy.types, name), layout=layout)
    labels = " ".join(layout.labels).lower()
    assert {word for word in words if word not in labels} == set()
    titles = " ".join(title(row) for row in offered())
    assert "URDF Robot (.urdf)" in titles
    assert "MuJoCo MJCF Robot" in titles


class SpokenLayout(RecordingLayout):
    """Also records the labels of buttons, as search reads them."""

    def __init__(self, drawn: Any = None, labels: Any = None) -> None:
        super().__init__(drawn)
        self.__dict__["labels"] = [] if labels is None else labels

    def _nested(self, *_arguments: Any, **_named: Any) -> "SpokenLayout":
        return SpokenLayout(self.drawn, self.labels)

    def _operator(self, idname: str, *, text: str = "", **named: Any) -> Any:
        module, name = idname.split(".")
        label = getattr(getattr(bpy.ops, module), name).get_rna_type().name
        self.labels.append(text or label)
        return super()._operator(idname, **named)


@pytest.mark.parametrize("cls", operator_classes(), ids=lambda cls: cls.__name__)
def test_poll_says_why(cls: Any) -> None:
    """Nothing is selected: nothing can be done, and Blender shows the reason."""
    module, name = cls.bl_idname.split(".")
    operator = getattr(getattr(bpy.ops, module), name)
    if name in {"joint_select", "joint_table"}:
        return
    with pytest.raises(RuntimeError) as caught:
        operator()
    reason = re.split(r"poll\(\)|Error: ", str(caught.value))[1].strip()
    assert len(reason) > 15
    assert "context is incorrect" not in reason


@pytest.mark.parametrize("cls", operator_classes(), ids=lambda cls: cls.__name__)
def test_labels_follow_blender_s_habits(cls: Any) -> None:
    small = {"to", "of", "in", "and", "with"}
    words = cls.bl_label.replace("-", " ").split()
    assert all(word[0].isupper() or word in small for word in words), cls.bl_label
    assert not cls.__doc__.endswith(".")
    assert "UNDO" in cls.bl_options
    module, name = cls.bl_idname.split(".")
    for prop in getattr(getattr(bpy.ops, module), name).get_rna_type().properties:
        assert prop.identifier == "rna_type" or prop.description.strip(), prop.identifier
        assert not prop.description.endswith("."), prop.identifier


def test_all_keys_are_on_the_page_of_shortcuts(repository: Path) -> None:
    text = (repository / "docs" / "how-to" / "shortcuts.md").read_text(encoding="utf-8")
    for letter, *_ in panels.keys.KEYS:
        assert f"<kbd>Shift</kbd> <kbd>Alt</kbd> <kbd>{letter}</kbd>" in text


def test_an_imported_joint_shows_the_limit_that_leaves_room(tmp_path) -> None:
    path = tmp_path / "door.urdf"
    path.write_text(
        '<robot name="d"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/><axis xyz="0 1 0"/>'
        '<limit lower="-0.3" upper="1.1" effort="5" velocity="2"/></joint></robot>'
    )
    assert bpy.ops.omi.scene_import(filepath=str(path)) == {"FINISHED"}
    (joint,) = (obj for obj in bpy.data.objects if obj.omi_joint.enabled)
    limit = joint.omi_joint.limits[joint.omi_joint.active_limit]
    assert limit.use_max
    assert limit.max > limit.min
