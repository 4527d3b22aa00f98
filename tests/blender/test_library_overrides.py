"""Library overrides of a door: what is edited here lasts, what changes in the library arrives."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest

from omi_joints_addon import properties
from omi_joints_addon.gizmos.shape_handles import shaped_node
from omi_joints_addon.panels.body import OMI_PT_body
from omi_joints_addon.panels.preview import draw_range_tools
from omi_joints_addon.scene.findings import settled_findings
from tests.blender.recording_layout import RecordingLayout
from tests.blender.scenes import add_door, select

JOINT = "Door to Wall Joint"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Return a file with a door in the collection "Asset"."""
    asset = bpy.data.collections.new("Asset")
    add_door()
    for obj in list(bpy.context.scene.objects):
        for collection in obj.users_collection:
            collection.objects.unlink(obj)
        asset.objects.link(obj)
    bpy.context.scene.collection.children.link(asset)
    path = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def override(library: Path, *, is_editable: bool) -> None:
    """Link the asset into an empty file and make it a library override."""
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, here):
        here.collections = ["Asset"]
    asset = bpy.data.collections["Asset"]
    bpy.context.scene.collection.children.link(asset)
    asset.override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=is_editable
    )
    bpy.context.scene.collection.children.unlink(asset)
    bpy.context.view_layer.update()


def own(name: str) -> Any:
    """Return an override by its name."""
    return bpy.data.objects[name, None]


def reopen(path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    bpy.context.view_layer.update()


def edit() -> None:
    """Change a limit, a flag, an attribute, a frame and a body of the overrides."""
    joint, door = own(JOINT), own("Door")
    for obj in (joint, door):
        obj.override_library.is_system_override = False
    joint.omi_joint.limits[2].max_angle = 1.0
    joint.omi_joint.limits[2].damping = 0.5
    joint.omi_joint.enable_collision = True
    joint.omi_joint.attributes.break_force = 50.0
    joint.location.z += 0.25
    door.omi_body.mass = 7.0
    door.omi_body.gravity_factor = 0.5
    door.omi_body.collider.shape.size = (2.0, 2.0, 3.0)
    door.omi_body.collider.material.use_material = True
    door.omi_body.collider.material.restitution = 0.25


def assert_edited(height: float) -> None:
    joint, door = own(JOINT), own("Door")
    data, body = joint.omi_joint, door.omi_body
    assert data.connected_object == own("Door to Wall Connected")
    assert (data.limits[2].max, data.limits[2].damping) == (1.0, 0.5)
    assert (data.enable_collision, data.attributes.break_force) == (True, 50.0)
    assert joint.location.z == pytest.approx(height)
    assert (body.mass, body.gravity_factor) == (7.0, 0.5)
    assert tuple(body.collider.shape.size) == (2.0, 2.0, 3.0)
    assert body.collider.material.restitution == 0.25


@pytest.mark.parametrize("is_editable", [False, True], ids=["system", "editable"])
def test_edits_of_an_override_last(library: Path, is_editable: bool, tmp_path: Path) -> None:
    override(library, is_editable=is_editable)
    edit()
    height = own(JOINT).location.z
    for _ in range(2):
        reopen(tmp_path / "user.blend")
        assert_edited(height)
    assert exported(tmp_path / "door.glb") == (1.0, 7.0)


def exported(path: Path) -> tuple[float, float]:
    """Return the largest angle of the hinge and the mass of the door in a glTF file."""
    bpy.ops.export_scene.gltf(filepath=str(path))
    data = path.read_bytes()
    document = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
    (settings,) = document["extensions"]["OMI_physics_joint"]["physicsJoints"]
    (turning,) = (each for each in settings["limits"] if each.get("angularAxes") == [2])
    (door,) = (each for each in document["nodes"] if each.get("name") == "Door")
    return turning["max"], door["extensions"]["OMI_physics_body"]["motion"]["mass"]


def test_changes_of_the_library_arrive_beside_the_edits(library: Path, tmp_path: Path) -> None:
    override(library, is_editable=True)
    edit()
    height = own(JOINT).location.z
    reopen(tmp_path / "user.blend")
    bpy.ops.wm.open_mainfile(filepath=str(library))
    bpy.data.objects[JOINT].omi_joint.limits[2].min = -0.25
    bpy.data.objects["Wall"].omi_body.motion_type = "KINEMATIC"
    # A new object makes Blender resynchronize the whole hierarchy.
    knob = bpy.data.objects.new("Knob", None)
    knob.parent = bpy.data.objects["Door"]
    bpy.data.collections["Asset"].objects.link(knob)
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "user.blend"))
    assert_edited(height)
    assert own(JOINT).omi_joint.limits[2].min == -0.25
    assert own("Wall").omi_body.motion_type == "KINEMATIC"


def test_a_limit_that_is_added_lasts(library: Path, tmp_path: Path) -> None:
    override(library, is_editable=True)
    own(JOINT).omi_joint.limits.add().max = 0.5
    reopen(tmp_path / "user.blend")
    assert [limit.max for limit in own(JOINT).omi_joint.limits][3:] == [0.5]


def test_what_cannot_last_is_refused(library: Path) -> None:
    override(library, is_editable=True)
    select(own(JOINT))
    for name in ("joint_limit_remove", "joint_preset_apply", "joint_remove"):
        with pytest.raises(RuntimeError, match="everything else in its library"):
            getattr(bpy.ops.omi, name)()
    assert bpy.ops.omi.joint_limit_from_pose(part="MAX") == {"FINISHED"}


def test_system_overrides_say_how_they_become_editable(library: Path) -> None:
    override(library, is_editable=False)
    select(own(JOINT))
    with pytest.raises(RuntimeError, match="make it editable in the Outliner"):
        bpy.ops.omi.joint_limit_from_pose(part="MAX")


def groups(struct: Any) -> Iterator[Any]:
    """Yield the structure of a group and those inside."""
    yield struct
    for each in struct.properties:
        if each.type in {"POINTER", "COLLECTION"} and each.fixed_type.identifier.startswith("OMI_"):
            yield from groups(each.fixed_type)


@pytest.mark.parametrize("name", ["omi_body", "omi_joint", "omi_position"])
def test_every_property_of_objects_is_overridable(name: str) -> None:
    assert name in properties.property_names()
    for group in groups(getattr(bpy.data.objects.new("Any", None), name).bl_rna):
        for each in group.properties:
            if each.identifier not in {"rna_type", "name"}:
                assert each.is_overridable, f"{group.identifier}.{each.identifier}"


def test_to_show_an_override_gives_it_no_data(library: Path) -> None:
    """Blender cannot set data that the library does not have when it opens the file again."""
    bpy.data.collections["Asset"].objects.link(bpy.data.objects.new("Mark", None))
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    override(library, is_editable=True)
    mark = own("Mark")
    # Blender 4.5 makes it by itself when it makes the override.
    is_made = mark.is_property_set("omi_body")
    assert is_made == (bpy.app.version < (5, 0))
    bpy.context.view_layer.objects.active = mark
    assert shaped_node(bpy.context) is None
    panel: Any = SimpleNamespace(layout=RecordingLayout())
    OMI_PT_body.draw_header(panel, bpy.context)
    OMI_PT_body.draw(panel, bpy.context)
    settled_findings(bpy.context.scene)
    assert mark.is_property_set("omi_body") == is_made


def test_to_show_the_range_of_an_override_gives_it_no_positions(library: Path) -> None:
    override(library, is_editable=True)
    joint = own(JOINT)
    is_made = joint.is_property_set("omi_position")
    assert is_made == (bpy.app.version < (5, 0))
    bpy.context.view_layer.objects.active = joint
    draw_range_tools(RecordingLayout(), bpy.context)
    assert joint.is_property_set("omi_position") == is_made
