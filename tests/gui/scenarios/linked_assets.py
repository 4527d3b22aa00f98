"""A door of a library in a scene: what docs/how-to/linked-assets.md says, in the window."""

import math
import tempfile
from collections.abc import Generator
from pathlib import Path

import bpy
from glb import exported, is_close
from harness import Gui, Steps
from joint_scenes import activate, handle_at
from mathutils import Vector

SIZE = "1280x900"
LONGEST = 400.0
ASSET = "Asset Door"
JOINT = "Door to Frame Joint"
TO_EDGE = 0.5
"""From the middle of the door to its hinge [m]."""


def override_keeps_a_limit_that_was_dragged(gui: Gui) -> Steps:
    """Link, make an override by the menu's command, drag a limit, save, open, export."""
    library = yield from _save_library(gui)
    yield from _link(gui, library)
    bpy.ops.object.make_override_library("INVOKE_DEFAULT")
    yield from gui.wait(3)
    joint = bpy.data.objects[JOINT, None]
    joint.override_library.is_system_override = False  # Outliner > Library Override > Make
    activate(joint)
    gui.look(joint.matrix_world.translation, rotation=(0.9, 0.0, 0.4), distance=4.0)
    yield from gui.wait(3)
    start, end = handle_at(gui, "max", 2), handle_at(gui, "max", 2, math.radians(60.0))
    yield from gui.drag(start, end, ctrl=True)
    yield from gui.wait()
    yield from gui.picture("dragged")
    assert is_close(joint.omi_joint.limits[2].max, math.radians(60.0)), "the handle has no effect"
    yield from _reopen(gui)
    joint = bpy.data.objects[JOINT, None]
    assert joint.omi_joint.connected_object.library is None, "connected to the library's frame"
    assert is_close(joint.omi_joint.limits[2].max, math.radians(60.0)), "the edit is gone"
    file = yield from exported(gui, "override")
    (found,) = file.joints()
    assert is_close(found.angular[2], (math.radians(-60.0), 0.0))


def instances_are_exported_where_they_are(gui: Gui) -> Steps:
    """Link the door twice as instances, one turned; save, open, export."""
    library = yield from _save_library(gui)
    places = (Vector((0.0, 0.0, 0.0)), Vector((3.0, 1.0, 0.0)))
    for place in places:
        yield from _link(gui, library)
        bpy.context.object.location = place
    bpy.context.object.rotation_euler.z = math.pi / 2
    yield from _reopen(gui)
    yield from gui.picture("instances")
    file = yield from exported(gui, "instances")
    joints = file.joints()
    # In the file Y is up, and the turned door has its hinge toward -Y of Blender.
    wanted = [(-TO_EDGE, 0.0), (3.0, -(1.0 - TO_EDGE))]
    found = sorted((joint.place.x, joint.place.z) for joint in joints)
    assert len(found) == 2, found
    assert all(is_close(one, other, 0.06) for one, other in zip(found, wanted, strict=True)), found
    for joint in joints:
        assert is_close(joint.angular[2], (math.radians(-110.0), 0.0))


def appended_door_is_ones_own(gui: Gui) -> Steps:
    """Append the collection: the joint is edited and removed like any other."""
    library = yield from _save_library(gui)
    bpy.ops.wm.append(
        filepath=f"{library}/Collection/{ASSET}",
        directory=f"{library}/Collection/",
        filename=ASSET,
    )
    yield from gui.wait(2)
    activate(bpy.data.objects[JOINT])
    assert bpy.ops.omi.joint_remove("INVOKE_DEFAULT", True) == {"FINISHED"}
    yield from gui.wait()
    assert not any(obj.omi_joint.enabled for obj in bpy.context.scene.objects)
    assert {"Door", "Frame"} == {obj.name for obj in bpy.context.scene.objects}


def asset_dragged_from_its_browser_keeps_everything(gui: Gui) -> Steps:
    """Drag the door into the view, as a copy and as an instance; save, open, export."""
    library = yield from _save_library(gui)
    libraries = bpy.context.preferences.filepaths.asset_libraries
    libraries.new(name="Doors", directory=str(library.parent))
    browser = gui.area("PROPERTIES")
    browser.ui_type = "ASSETS"
    yield from gui.wait(3)
    shown = browser.spaces.active
    shown.show_region_toolbar = False
    for count, method in enumerate(("APPEND", "LINK"), start=1):
        shown.params.asset_library_reference = "Doors"
        shown.params.import_method = method
        yield from gui.until(lambda: bool(_assets(gui)))
        yield from gui.wait(10)
        region = gui.region_of(browser, "WINDOW")
        tile = (region.x + 60.0, region.y + region.height - 70.0)
        yield from gui.drag(tile, gui.to_window((3.0 * count, 0.0, 0.0)), steps=12)
        yield from gui.wait(6)
        yield from gui.picture(f"asset-{method.lower()}")
    libraries.remove(libraries["Doors"])
    yield from _reopen(gui)
    file = yield from exported(gui, "asset")
    joints = file.joints()
    assert len(joints) == 2, joints
    for joint in joints:
        assert is_close(joint.angular[2], (math.radians(-110.0), 0.0))


def _assets(gui: Gui) -> bool:
    """Return whether the asset browser shows something."""
    browser = gui.area("FILE_BROWSER")
    with bpy.context.temp_override(area=browser, region=gui.region_of(browser, "WINDOW")):
        bpy.ops.file.select_all(action="SELECT")
        return bool(bpy.context.selected_assets)


def _save_library(gui: Gui) -> Generator[None, None, Path]:
    """Save a door in a collection of a file of its own, and open an empty one."""
    for name, size, x in (("Frame", (0.1, 0.1, 2.0), -0.56), ("Door", (1.0, 0.05, 2.0), 0.0)):
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=(x, 0.0, 1.0))
        obj = bpy.context.object
        obj.name, obj.scale = name, size
        bpy.ops.object.transform_apply(location=False, rotation=False)
    bpy.ops.object.select_all(action="SELECT")
    bpy.context.view_layer.objects.active = bpy.data.objects["Frame"]
    bpy.ops.omi.joint_add(preset="HINGE", min_angle=0.0, max_angle=math.radians(110.0))
    asset = bpy.data.collections.new(ASSET)
    for obj in list(bpy.context.scene.objects):
        for collection in obj.users_collection:
            collection.objects.unlink(obj)
        asset.objects.link(obj)
    bpy.context.scene.collection.children.link(asset)
    asset.asset_mark()
    path = Path(tempfile.mkdtemp(dir=bpy.app.tempdir)) / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True)
    yield from gui.wait(4)
    return path


def _link(gui: Gui, library: Path) -> Steps:
    """Do File > Link with a collection, as an instance."""
    yield from gui.wait(2)
    bpy.ops.wm.link(
        filepath=f"{library}/Collection/{ASSET}",
        directory=f"{library}/Collection/",
        filename=ASSET,
        instance_collections=True,
    )
    yield from gui.wait(2)


def _reopen(gui: Gui) -> Steps:
    path = Path(tempfile.mkdtemp(dir=bpy.app.tempdir)) / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    yield from gui.wait(2)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    yield from gui.wait(4)
