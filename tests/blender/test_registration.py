"""Registering and unregistering leave nothing behind, and can be repeated."""

import bpy

import omi_joints_addon


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
