"""What is in the file: numbers, names, references, and nothing that does not belong there."""

import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.authoring.joints import EMPTY_SIZE
from omi_joints_addon.properties.joint import settings_owner
from tests.roundtrip.documents import (
    HINGE,
    JOINT,
    add,
    add_body,
    add_door,
    export,
    import_file,
    joint_nodes,
    joints,
    make_hinge,
    triangle,
    write,
)

SETTINGS = {
    "name": "Ünïcode ☃",
    "limits": [
        {
            "linearAxes": [0, 2],
            "min": -0.123456789012345678,
            "max": 1e-300,
            "stiffness": 1e15,
            "damping": 0.1,
            "extras": {"note": [1, {}, None]},
            "VENDOR": 5,
        },
        {"linearAxes": [1], "angularAxes": [0, 1, 2], "min": 0, "max": 0},
        {"angularAxes": [1], "max": 3.141592653589793},
    ],
    "drives": [
        {
            "type": "angular",
            "mode": "acceleration",
            "axis": 2,
            "maxForce": 0.3,
            "positionTarget": -1.0000000000000002,
            "velocityTarget": 1e15,
            "stiffness": 7,
            "damping": 0.7,
            "extensions": {"VENDOR_x": {"deep": [{"a": 1}]}},
        },
        {"type": "VENDOR_screw", "mode": "VENDOR_mode", "axis": 0},
    ],
    "extras": {"colour": "red"},
}


def _pairs(*values: dict[str, Any], **extension: Any) -> dict[str, Any]:
    """Return a document of pairs of nodes, one for each joint object of `values`."""
    nodes: list[dict[str, Any]] = []
    for n, value in enumerate(values):
        joint = {"connectedNode": 2 * n + 1} | value
        nodes.append({"name": f"Joint{n}", "extensions": {JOINT: joint}})
        nodes.append({"name": f"Connected{n}"})
    return {
        "extensionsUsed": [JOINT],
        "extensions": {JOINT: extension},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
    }


def test_everything_of_a_file_is_written_back(tmp_path: Path) -> None:
    document = _pairs(
        {"joint": 1, "enableCollision": True, "extras": {"a": 1}, "VENDOR_y": [0.1]},
        {"joint": 0},
        {"joint": 1},
        physicsJoints=[HINGE, SETTINGS],
        extras={"author": "me"},
        VENDOR_z={"b": 0.2},
    )
    import_file(write(tmp_path, document))
    written = export(tmp_path)
    assert joints(written) == joints(document)
    expected = document["extensions"][JOINT]
    found = written["extensions"][JOINT]
    assert {k: v for k, v in found.items() if k != "physicsJoints"} == {
        k: v for k, v in expected.items() if k != "physicsJoints"
    }
    assert len(found["physicsJoints"]) == 2


def test_what_is_empty_comes_back_where_blender_lets_it(tmp_path: Path) -> None:
    """Blender 4.5 leaves nulls and what is empty out of all that it writes."""
    empty = {"VENDOR_x": {"none": None, "nothing": {}, "list": [], "full": 1}}
    document = _pairs({"joint": 0} | empty, physicsJoints=[HINGE | empty])
    import_file(write(tmp_path, document))
    written = export(tmp_path)
    expected = empty if bpy.app.version >= (5, 0) else {"VENDOR_x": {"full": 1}}
    (settings,) = written["extensions"][JOINT]["physicsJoints"]
    node = next(node for node in written["nodes"] if node["name"] == "Joint0")
    for found in (settings, node["extensions"][JOINT]):
        assert {"VENDOR_x": found["VENDOR_x"]} == expected


@pytest.mark.parametrize("name", ["hanging_rope", "simple_joint", "slider_ball", "weld_joint"])
@pytest.mark.parametrize("ending", ["gltf", "glb"])
def test_official_example_is_written_back(
    name: str, ending: str, corpus: Path, tmp_path: Path
) -> None:
    source = corpus / "omi" / f"{name}.gltf"
    document = json.loads(source.read_text())
    import_file(source)
    if ending == "glb":
        target = tmp_path / "file.glb"
        bpy.ops.export_scene.gltf(filepath=str(target))
        import_file(target)
    written = export(tmp_path)
    assert joints(written) == joints(document)
    assert (
        written["extensions"][JOINT]["physicsJoints"]
        == document["extensions"][JOINT]["physicsJoints"]
    )


def test_changed_numbers_are_written_as_the_shortest_decimal(tmp_path: Path) -> None:
    import_file(write(tmp_path, _pairs({"joint": 0}, physicsJoints=[SETTINGS])))
    limit = bpy.data.objects["Joint0"].omi_joint.limits[0]
    limit.min, limit.damping = 0.1, 1e-7
    (settings,) = export(tmp_path)["extensions"][JOINT]["physicsJoints"]
    assert settings["limits"][0] == SETTINGS["limits"][0] | {"min": 0.1, "damping": 1e-7}
    assert '"min":0.1,' in (tmp_path / "file.gltf").read_text().replace(" ", "")


def test_settings_are_written_once(tmp_path: Path) -> None:
    wall, door, joint, _connected = add_door()
    for n in range(3):
        make_hinge(add(f"Same{n}", parent=door), wall)
    shared = add("Shared", parent=door)
    shared.omi_joint.enabled, shared.omi_joint.connected_object = True, wall
    shared.omi_joint.settings_source = joint
    other = make_hinge(add("Other", parent=door), wall)
    other.omi_joint.settings_name = "Named"
    document = export(tmp_path)
    assert document["extensions"][JOINT]["physicsJoints"] in (
        [HINGE, HINGE | {"name": "Named"}],
        [HINGE | {"name": "Named"}, HINGE],
    )
    assert len(list(joint_nodes(document))) == 6


def test_joints_of_one_settings_object_share_it_after_import(tmp_path: Path) -> None:
    document = _pairs({"joint": 0}, {"joint": 1}, {"joint": 0}, physicsJoints=[SETTINGS, HINGE])
    import_file(write(tmp_path, document))
    one, other, third = (bpy.data.objects[f"Joint{n}"] for n in range(3))
    assert [settings_owner(obj) for obj in (one, other, third)] == [one, other, one]
    one.omi_joint.limits[0].damping = 5.0
    written = joints(export(tmp_path))
    assert written["Joint0"]["joint"]["limits"][0]["damping"] == 5
    assert written["Joint0"]["joint"] == written["Joint2"]["joint"]


def test_settings_that_no_joint_uses_stay(tmp_path: Path) -> None:
    document = _pairs({"joint": 1}, physicsJoints=[SETTINGS, HINGE])
    import_file(write(tmp_path, document))
    assert export(tmp_path)["extensions"][JOINT]["physicsJoints"] == [HINGE, SETTINGS]


def test_extension_is_used_and_never_required(tmp_path: Path) -> None:
    add_door()
    document = export(tmp_path)
    assert sorted(document["extensionsUsed"]) == ["OMI_physics_body", JOINT]
    assert "extensionsRequired" not in document


@pytest.mark.parametrize("ending", ["gltf", "glb"])
def test_scene_without_physics_is_what_blender_writes(ending: str, tmp_path: Path) -> None:
    parent = add("Parent", rotation_euler=(1, 2, 3))
    add("Mesh", triangle(), parent=parent)["note"] = 5
    add("Lamp", bpy.data.lights.new("Lamp", "SUN"))
    add("Camera", bpy.data.cameras.new("Camera"), parent=parent)
    options = {"export_extras": True, "export_cameras": True, "export_lights": True}
    target = tmp_path / f"file.{ending}"
    form = "GLB" if ending == "glb" else "GLTF_SEPARATE"

    def written() -> list[bytes]:
        bpy.ops.export_scene.gltf(filepath=str(target), export_format=form, **options)
        return [path.read_bytes() for path in sorted(tmp_path.iterdir())]

    bpy.ops.preferences.addon_disable(module="omi_joints_addon")
    try:
        expected = written()
    finally:
        bpy.ops.preferences.addon_enable(module="omi_joints_addon")
    assert written() == expected


def test_own_properties_do_not_leak_into_extras(tmp_path: Path) -> None:
    _wall, door, joint, _connected = add_door()
    door["mine"] = 5
    bpy.context.scene["scene note"] = "kept"
    bpy.context.scene.omi_gltf.export_bodies = True
    document = export(tmp_path, export_extras=True)
    extras = {node["name"]: node["extras"] for node in document["nodes"] if "extras" in node}
    assert extras == {"Door": {"mine": 5}}
    assert document["scenes"][0]["extras"] == {"scene note": "kept"}
    assert joint.omi_joint.enabled


def test_leaked_extras_of_a_file_do_not_come_back(tmp_path: Path) -> None:
    document = _pairs({"joint": 0}, physicsJoints=[HINGE])
    leaked = {"omi_joint": {"enabled": 1, "limits": [{}]}, "omi_body": {}, "kept": 1}
    document["nodes"][1]["extras"] = dict(leaked)
    document["scenes"][0]["extras"] = {"omi_gltf": {"export_joints": 0}, "kept": 2}
    import_file(write(tmp_path, document))
    obj = bpy.data.objects["Connected0"]
    # Until Blender 5.0 registered groups are custom properties.
    own = {"omi_joint", "omi_body", "omi_gltf"} if bpy.app.version < (5, 0) else set()
    assert set(obj.keys()) - own == {"kept"}
    assert own or "omi_gltf" not in set(bpy.context.scene.keys())
    assert not obj.omi_joint.enabled
    assert len(obj.omi_joint.limits) == 0
    assert bpy.context.scene.omi_gltf.export_joints
    assert bpy.context.scene["kept"] == 2
    written = export(tmp_path, export_extras=True)
    assert written["nodes"][[n["name"] for n in written["nodes"]].index("Connected0")][
        "extras"
    ] == {"kept": 1}


def test_repeated_exports_and_imports_are_alike(tmp_path: Path) -> None:
    add_door()
    first = export(tmp_path)
    assert export(tmp_path) == first
    bpy.data.objects["Joint"].omi_joint.limits[2].max = 1.0
    changed = export(tmp_path)
    assert joints(changed)["Joint"]["joint"]["limits"][2]["max"] == 1
    for _ in range(3):
        import_file(tmp_path / "file.gltf")
        assert joints(export(tmp_path)) == joints(changed)


def test_import_into_a_scene_that_has_the_same_names(tmp_path: Path) -> None:
    add_door()
    export(tmp_path)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "file.gltf"))
    joint = bpy.data.objects["Joint.001"].omi_joint
    assert joint.connected_object is bpy.data.objects["Connected.001"]
    assert bpy.data.objects["Joint"].omi_joint.connected_object is bpy.data.objects["Connected"]


def test_several_files_in_one_import(tmp_path: Path) -> None:
    for n in range(3):
        document = _pairs({"joint": 0}, physicsJoints=[{"name": f"File{n}"} | HINGE])
        for node in document["nodes"]:
            node["name"] += f" of {n}"
        write(tmp_path, document, f"file{n}.gltf")
    # The second has no joints at all.
    lone = [{"name": "Lone"}, {"name": "Other"}]
    write(tmp_path, {"scenes": [{"nodes": [0, 1]}], "nodes": lone}, "file1.gltf")
    bpy.ops.import_scene.gltf(
        directory=str(tmp_path), files=[{"name": f"file{n}.gltf"} for n in range(3)]
    )
    found = {obj.name: obj.omi_joint for obj in bpy.data.objects if obj.omi_joint.enabled}
    assert {name: joint.settings_name for name, joint in found.items()} == {
        "Joint0 of 0": "File0",
        "Joint0 of 2": "File2",
    }
    for name, joint in found.items():
        assert joint.connected_object.name == name.replace("Joint", "Connected")


def test_scenes_of_a_file_as_collections_and_as_scenes(tmp_path: Path) -> None:
    document = _pairs({"joint": 0}, {"joint": 0}, physicsJoints=[HINGE])
    document["scenes"] = [{"nodes": [0, 1]}, {"name": "Second", "nodes": [2, 3]}]
    path = write(tmp_path, document)
    for is_collection in (True, False):
        import_file(path, import_scene_as_collection=is_collection)
        assert bpy.data.objects["Joint1"].omi_joint.connected_object.name == "Connected1"


def test_lengths_follow_positions_where_the_unit_scale_is_not_one(tmp_path: Path) -> None:
    drive = {"type": "linear", "mode": "force", "axis": 0, "positionTarget": 0.5, "stiffness": 3}
    limits = [{"linearAxes": [0], "min": -1, "max": 2, "stiffness": 10}, HINGE["limits"][2]]
    document = _pairs({"joint": 0}, physicsJoints=[{"limits": limits, "drives": [drive]}])
    document["nodes"][0]["translation"] = [1, 0, 0]
    path = write(tmp_path, document)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.ops.import_scene.gltf(filepath=str(path))
    joint = bpy.data.objects["Joint0"]
    assert joint.location.x == pytest.approx(100.0)
    data = joint.omi_joint
    assert [data.limits[0].min, data.limits[0].max] == pytest.approx([-100.0, 200.0])
    assert data.limits[1].max == 1.5
    assert data.drives[0].position_target == pytest.approx(50.0)
    assert (data.limits[0].stiffness, data.drives[0].stiffness) == (10.0, 3.0)


def test_options_leave_joints_and_bodies_out(tmp_path: Path) -> None:
    add_door()
    options = bpy.context.scene.omi_gltf
    options.export_joints = False
    document = export(tmp_path)
    assert document["extensionsUsed"] == ["OMI_physics_body"]
    options.export_joints, options.export_bodies = True, False
    document = export(tmp_path)
    assert document["extensionsUsed"] == [JOINT]
    path = tmp_path / "both.gltf"
    options.export_bodies = True
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE")
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.omi_gltf.import_joints = False
    bpy.ops.import_scene.gltf(filepath=str(path))
    assert not bpy.data.objects["Joint"].omi_joint.enabled
    assert bpy.data.objects["Door"].omi_body.motion_type == "DYNAMIC"
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.omi_gltf.import_bodies = False
    bpy.ops.import_scene.gltf(filepath=str(path))
    assert bpy.data.objects["Joint"].omi_joint.enabled
    assert bpy.data.objects["Door"].omi_body.motion_type == "NONE"


def test_rigid_body_of_blender_is_the_motion(tmp_path: Path) -> None:
    kinds = {
        "Active": ("ACTIVE", False, "dynamic"),
        "Animated": ("ACTIVE", True, "kinematic"),
        "Passive": ("PASSIVE", False, "static"),
    }
    for name, (kind, is_kinematic, _type) in kinds.items():
        obj = add(name, triangle())
        bpy.context.view_layer.objects.active = obj
        bpy.ops.rigidbody.object_add(type=kind)
        obj.rigid_body.kinematic, obj.rigid_body.mass = is_kinematic, 2.5
    document = export(tmp_path)
    motions = {
        node["name"]: node["extensions"]["OMI_physics_body"]["motion"] for node in document["nodes"]
    }
    for name, (_kind, _is_kinematic, motion_type) in kinds.items():
        assert motions[name]["type"] == motion_type
        assert motions[name]["mass"] == 2.5


def test_imported_frames_look_like_those_made_in_blender(tmp_path: Path) -> None:
    mesh = triangle()
    door = add_body("Door", "DYNAMIC", data=mesh, scale=(2, 2, 2))
    wall = add_body("Wall", "STATIC")
    make_hinge(add("Joint", parent=door, empty_display_size=9.0), add("Connected", parent=wall))
    make_hinge(add("Other", parent=door), wall)
    export(tmp_path)
    import_file(tmp_path / "file.gltf")
    joint, connected = bpy.data.objects["Joint"], bpy.data.objects["Connected"]
    of_wall = bpy.data.objects["Other"].omi_joint.connected_object
    assert of_wall.parent == bpy.data.objects["Wall"]
    assert [obj.empty_display_type for obj in (joint, connected, of_wall)] == ["PLAIN_AXES"] * 3
    assert all(obj.show_in_front for obj in (joint, connected, of_wall))
    # The triangle is 1 m wide; a wall without mesh has the size of what has none.
    assert joint.omi_joint.display_size == pytest.approx(0.35)
    assert joint.empty_display_size == pytest.approx(0.35 * EMPTY_SIZE)
    assert connected.empty_display_size == pytest.approx(0.25 * EMPTY_SIZE)
    assert not bpy.data.objects["Wall"].show_in_front
