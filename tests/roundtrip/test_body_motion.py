"""Motion: from Rigid Body and `Object.omi_body` to the file and back."""

import math

import bpy
import pytest

from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.properties.body import motion_of
from tests.roundtrip.bodies import block, export, export_again, import_document, make_rigid
from tests.roundtrip.body_meaning import body_of
from tests.roundtrip.documents import add


@pytest.mark.parametrize(
    ("settings", "motion_type"),
    [
        ({"type": "ACTIVE"}, "dynamic"),
        ({"type": "ACTIVE", "kinematic": True}, "kinematic"),
        ({"type": "PASSIVE", "kinematic": True}, "kinematic"),
        ({"type": "PASSIVE"}, "static"),
        ({"type": "ACTIVE", "enabled": False}, "static"),
    ],
)
def test_rigid_body_decides_the_motion_type(tmp_path, settings, motion_type):
    make_rigid(block("Body"), enabled=True)
    body = bpy.data.objects["Body"]
    body.omi_body.motion_type = "STATIC"
    for name, value in settings.items():
        setattr(body.rigid_body, name, value)
    assert body_of(export(tmp_path), "Body")["motion"]["type"] == motion_type


def test_mass_comes_from_the_rigid_body_and_the_rest_from_omi_body(tmp_path):
    body = block("Body")
    make_rigid(body, enabled=True, mass=2.5)
    body.omi_body.mass = 7.0
    body.omi_body.gravity_factor = 0.25
    body.omi_body.linear_velocity = (1.0, 2.0, 3.0)
    motion = body_of(export(tmp_path), "Body")["motion"]
    # Blender's y is glTF's -z, Blender's z is glTF's y.
    assert motion == {
        "type": "dynamic",
        "mass": 2.5,
        "gravityFactor": 0.25,
        "linearVelocity": [1, 3, -2],
    }


def author(obj):
    body = obj.omi_body
    body.motion_type = "DYNAMIC"
    body.mass = 0.1
    body.center_of_mass = (0.1, 0.2, 0.3)
    body.inertia_diagonal = (1.0, 2.0, 3.0)
    # 90 degrees about Blender's z is 90 degrees about glTF's y.
    body.inertia_orientation = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    body.angular_velocity = (0.0, 0.5, 0.0)
    return body


def test_an_empty_has_all_from_omi_body_in_gltf_axes(tmp_path):
    author(add("Body"))
    motion = body_of(export(tmp_path), "Body")["motion"]
    assert motion["mass"] == 0.1
    assert motion["centerOfMass"] == [0.1, 0.3, -0.2]
    assert motion["inertiaDiagonal"] == [1, 3, 2]
    assert motion["inertiaOrientation"] == pytest.approx([0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5)])
    assert motion["angularVelocity"] == [0, 0, -0.5]
    assert "linearVelocity" not in motion


def test_vectors_are_in_the_bodys_own_axes_below_turned_and_scaled_parents(tmp_path):
    parent = add("Parent", scale=(2.0, 2.0, 2.0), rotation_euler=(0.3, 0.4, 0.5))
    author(add("Body", parent=parent, rotation_euler=(1.0, 0.0, 0.0)))
    author(add("Alone"))
    document = export(tmp_path)
    assert body_of(document, "Body") == body_of(document, "Alone")


def test_without_axis_conversion_vectors_stay_as_they_are(tmp_path):
    author(add("Body"))
    motion = body_of(export(tmp_path, export_yup=False), "Body")["motion"]
    assert motion["centerOfMass"] == [0.1, 0.2, 0.3]
    assert motion["inertiaDiagonal"] == [1, 2, 3]


def test_a_body_on_a_camera_is_in_the_axes_of_its_node(tmp_path):
    author(add("Body", bpy.data.cameras.new("Camera")))
    motion = body_of(export(tmp_path, export_cameras=True), "Body")["motion"]
    assert motion["centerOfMass"] == [0.1, 0.2, 0.3]
    before = motion_of(bpy.data.objects["Body"])
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "file.gltf"))
    assert motion_of(bpy.data.objects["Body"]) == before


def test_motion_comes_back_as_it_was(tmp_path):
    author(add("Body"))
    before = motion_of(bpy.data.objects["Body"])
    first = export(tmp_path)
    assert body_of(export_again(tmp_path), "Body") == body_of(first, "Body")
    assert motion_of(bpy.data.objects["Body"]) == before


DOUBLES = {
    "type": "dynamic",
    "mass": 1.2345678901234567,
    "centerOfMass": [0.1, 1.0 / 3.0, -1e-9],
    "inertiaDiagonal": [0.123456789012345, 1e-12, 3.0],
    "inertiaOrientation": [0.0, 0.6, 0.0, 0.8],
    "linearVelocity": [1e9 / 7.0, 0.0, 0.1],
    "angularVelocity": [0.0, 0.0, math.pi],
    "gravityFactor": -0.1,
    "extras": {"note": "kept"},
}


@pytest.mark.parametrize(("has_mesh", "rigid_bodies"), [(False, True), (True, False), (True, True)])
def test_doubles_and_unknown_members_come_back_to_the_last_digit(tmp_path, has_mesh, rigid_bodies):
    if has_mesh:
        block("Body").omi_body.motion_type = "DYNAMIC"
        document = export(tmp_path)
    else:
        document = {"nodes": [{"name": "Body"}], "scenes": [{"nodes": [0]}], "scene": 0}
    (node,) = document["nodes"]
    node["extensions"] = {"OMI_physics_body": {"motion": DOUBLES, "extras": {"k": [1]}}}
    document["extensionsUsed"] = ["OMI_physics_body"]
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.omi_gltf.import_rigid_bodies = rigid_bodies
    import_document(tmp_path, document)
    assert (bpy.data.objects["Body"].rigid_body is not None) == (has_mesh and rigid_bodies)
    again = body_of(export(tmp_path, "again.gltf"), "Body")
    assert again == {"motion": DOUBLES, "extras": {"k": [1]}}


def test_a_changed_mass_is_written_as_the_shortest_decimal(tmp_path):
    nodes = [{"name": "Body", "extensions": {"OMI_physics_body": {"motion": DOUBLES}}}]
    import_document(tmp_path, {"nodes": nodes, "scenes": [{"nodes": [0]}], "scene": 0})
    bpy.data.objects["Body"].omi_body.mass = 0.3
    motion = body_of(export(tmp_path), "Body")["motion"]
    assert motion["mass"] == 0.3
    assert motion["gravityFactor"] == -0.1


def test_nested_bodies_are_bodies_of_their_own(tmp_path):
    palm = block("Palm")
    finger = block("Finger", parent=palm)
    make_rigid(palm, finger, enabled=True)
    document = export(tmp_path)
    assert body_of(document, "Palm")["motion"]["type"] == "dynamic"
    assert body_of(document, "Finger")["motion"]["type"] == "dynamic"
    again = export_again(tmp_path)
    assert motion_of(bpy.data.objects["Finger"]) == Motion(type="dynamic")
    assert body_of(again, "Finger") == body_of(document, "Finger")


def test_a_mesh_with_a_motion_becomes_a_rigid_body_where_wanted(tmp_path):
    for name, motion_type in (("A", "STATIC"), ("B", "KINEMATIC"), ("C", "DYNAMIC")):
        body = block(name).omi_body
        body.motion_type = motion_type
        body.mass = 3.0
    export(tmp_path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "file.gltf"))
    assert [obj.rigid_body for obj in bpy.data.objects] == [None, None, None]
    assert bpy.context.scene.rigidbody_world is None
    assert bpy.data.objects["A"].omi_body.mass == 3.0
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.omi_gltf.import_rigid_bodies = True
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "file.gltf"))
    rigid = {obj.name: obj.rigid_body for obj in bpy.data.objects}
    assert [(rigid[n].type, rigid[n].kinematic, rigid[n].mass) for n in "ABC"] == [
        ("PASSIVE", False, 3.0),
        ("PASSIVE", True, 3.0),
        ("ACTIVE", False, 3.0),
    ]


def test_bodies_are_left_out_when_the_dialog_says_so(tmp_path):
    author(add("Body"))
    bpy.context.scene.omi_gltf.export_bodies = False
    document = export(tmp_path)
    assert "extensionsUsed" not in document
    bpy.context.scene.omi_gltf.export_bodies = True
    export(tmp_path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.omi_gltf.import_bodies = False
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "file.gltf"))
    assert motion_of(bpy.data.objects["Body"]) is None


def test_a_scene_without_bodies_is_written_as_without_the_addon(tmp_path):
    block("Plain")
    document = export(tmp_path, export_extras=True)
    assert "extensionsUsed" not in document
    assert "extensions" not in document
    assert all("extras" not in entry for entry in (*document["nodes"], *document["scenes"]))
