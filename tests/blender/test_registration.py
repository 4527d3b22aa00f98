"""Registering and unregistering leave nothing behind, and can be repeated."""

import bpy
import io_scene_gltf2
import pytest

import omi_joints_addon
from omi_joints_addon import operators, registration
from omi_joints_addon.classes import classes_of
from tests.blender.recording_layout import RecordingLayout

ADDON = "omi_joints_addon"


def traces() -> set[str]:
    """Return all names through which Blender knows the add-on."""
    types = {name for name in dir(bpy.types) if name.startswith("OMI_")}
    pointers = {
        f"{cls.__name__}.{name}"
        for cls in (
            bpy.types.Object,
            bpy.types.Scene,
            bpy.types.WindowManager,
            bpy.types.Collection,
        )
        for name in dir(cls)
        if name.startswith("omi_")
    }
    operators = {f"bpy.ops.omi.{name}" for name in dir(bpy.ops.omi)}
    handlers = {
        f"{name}:{function.__name__}"
        for name in dir(bpy.app.handlers)
        if isinstance(getattr(bpy.app.handlers, name), list)
        for function in getattr(bpy.app.handlers, name)
        if function.__module__.startswith("omi_joints_addon")
    }
    return types | pointers | operators | handlers | menu_entries()


def menu_entries() -> set[str]:
    return {
        f"{name}:{function.__name__}"
        for name in dir(bpy.types)
        for function in getattr(getattr(getattr(bpy.types, name), "draw", None), "_draw_funcs", ())
        if function.__module__.startswith("omi_joints_addon")
    }


def test_nothing_stays_and_everything_comes_back() -> None:
    before = traces()
    assert "Object.omi_joint" in before
    for _ in range(2):
        omi_joints_addon.unregister()
        assert traces() == set()
        omi_joints_addon.register()
        assert traces() == before


def test_data_of_joints_survives_unregistering() -> None:
    bpy.ops.object.empty_add()
    joint = bpy.context.object
    joint.omi_joint.enabled = True
    joint.omi_joint.limits.add().max = 0.5
    omi_joints_addon.unregister()
    omi_joints_addon.register()
    assert joint.omi_joint.enabled
    assert joint.omi_joint.limits[0].max == 0.5


def test_it_is_removed_whatever_others_did_to_it(caplog) -> None:
    before = traces()
    for name in dir(bpy.app.handlers):
        if isinstance(getattr(bpy.app.handlers, name), list):
            getattr(bpy.app.handlers, name).clear()
    bpy.utils.unregister_class(bpy.types.OMI_PT_joint)
    del bpy.types.Scene.omi_joint_row
    del bpy.types.WindowManager.omi_joint_rows
    del bpy.types.Scene.omi_gltf
    omi_joints_addon.unregister()
    assert traces() == set()
    assert caplog.text == ""
    omi_joints_addon.register()
    assert traces() == before


def test_handlers_that_others_have_copied_are_removed() -> None:
    before = traces()
    handlers = bpy.app.handlers.depsgraph_update_post
    handlers.extend(list(handlers))
    omi_joints_addon.unregister()
    assert traces() == set()
    omi_joints_addon.register()
    assert traces() == before


def test_registering_twice_is_registering_once() -> None:
    before = traces()
    omi_joints_addon.register()
    assert traces() == before
    omi_joints_addon.unregister()
    assert traces() == set()
    omi_joints_addon.unregister()
    omi_joints_addon.register()
    assert traces() == before


def test_a_part_that_cannot_be_removed_does_not_keep_the_others(monkeypatch, caplog) -> None:
    before = traces()

    def fail() -> None:
        raise ValueError("on purpose")

    monkeypatch.setattr("omi_joints_addon.registration._undo", [*registration._undo, fail])
    omi_joints_addon.unregister()
    assert traces() == set()
    assert "on purpose" in caplog.text
    monkeypatch.undo()
    registration._undo.clear()
    omi_joints_addon.register()
    assert traces() == before


def test_a_class_that_could_not_be_removed_does_not_keep_it_from_being_enabled(monkeypatch) -> None:
    before, left = traces(), bpy.types.OMI_PT_joint
    undo = [each for each in registration._undo if getattr(each, "args", ()) != (left,)]
    assert len(undo) == len(registration._undo) - 1
    monkeypatch.setattr("omi_joints_addon.registration._undo", undo)
    omi_joints_addon.unregister()
    assert traces() == {"OMI_PT_joint"}
    omi_joints_addon.register()
    assert traces() == before
    omi_joints_addon.unregister()
    assert traces() == set()
    monkeypatch.undo()
    registration._undo.clear()
    omi_joints_addon.register()


def test_a_failed_registration_leaves_nothing(monkeypatch) -> None:
    before = traces()
    omi_joints_addon.unregister()

    def fail(*_arguments: object) -> None:
        raise ValueError("on purpose")

    with monkeypatch.context() as patch:
        patch.setattr("omi_joints_addon.panels.exporters.add_dialog_panels", fail)
        with pytest.raises(ValueError, match="on purpose"):
            omi_joints_addon.register()
    assert traces() == set()
    omi_joints_addon.register()
    assert traces() == before


def test_hooks_that_the_exporter_does_not_see_are_told(caplog) -> None:
    addons = bpy.context.preferences.addons
    assert ADDON in addons
    assert caplog.text == ""
    addons.remove(addons[ADDON])
    try:
        omi_joints_addon.register()
        assert "cannot see this extension" in caplog.text
        assert "addon_utils.enable('omi_joints_addon', default_set=True)" in caplog.text
        layout = RecordingLayout()
        io_scene_gltf2.exporter_extension_layout_draw[ADDON](bpy.context, layout)
        assert "cannot see" in " ".join(text for kind, text in layout.drawn if kind == "label")
    finally:
        addons.new().module = ADDON


def test_every_operator_ends_in_a_redraw_of_what_shows_it() -> None:
    """But for one that deletes a file, which only menus list, and one that opens a dialog."""
    silent = set()
    for module in operators.MODULES:
        for cls in classes_of(module):
            execute = getattr(cls, "execute", None)
            if execute is not None and not hasattr(execute, "__wrapped__"):
                silent.add(cls.__name__)
    assert silent - {"OMI_OT_joint_preset_delete", "OMI_OT_joint_table"} == set()
