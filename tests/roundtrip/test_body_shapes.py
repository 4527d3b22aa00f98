"""Collision shapes: sizes, places and meshes in the file, worked out by hand."""

import math

import bpy
import numpy as np
import pytest

from tests.roundtrip.bodies import block, child_names, collide, export, export_again, make_rigid
from tests.roundtrip.body_meaning import body_of, meaning, nodes_by_name, shapes_of, world_of
from tests.roundtrip.documents import add

Y_UP = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], float)


def capsule(height, bottom, top=None):
    if top is not None:
        return {"height": height, "radiusBottom": bottom, "radiusTop": top}
    return {"height": height, "radius": bottom, "radiusBottom": bottom, "radiusTop": bottom}


def up_axis(document, name):
    """Return where a node's up axis Y points in Blender's world."""
    return (Y_UP.T @ world_of(document, name))[:3, 1]


def center(document, name):
    return (Y_UP.T @ world_of(document, name))[:3, 3]


@pytest.mark.parametrize(
    ("shape", "written"),
    [
        ("BOX", {"type": "box", "box": {"size": [2, 8, 4]}}),
        ("SPHERE", {"type": "sphere", "sphere": {"radius": 4}}),
        ("CAPSULE", {"type": "capsule", "capsule": capsule(4, 2)}),
        ("CYLINDER", {"type": "cylinder", "cylinder": capsule(8, 2)}),
        ("CONE", {"type": "cylinder", "cylinder": capsule(8, 2, 0)}),
    ],
)
def test_rigid_body_shapes_are_sized_as_in_blender(tmp_path, shape, written):
    # 2 m along x, 4 m along y, 8 m along z: glTF's y is Blender's z.
    make_rigid(block("Body", low=(-1, -2, -4), high=(1, 2, 4)), collision_shape=shape)
    document = export(tmp_path)
    assert shapes_of(document) == [written]
    assert body_of(document, "Body")["collider"]["shape"] == 0
    assert len(document["nodes"]) == 1


def test_a_mesh_off_its_origin_gets_a_shape_node_at_its_middle(tmp_path):
    door = block("Door", low=(0, -0.1, 0), high=(1, 0.1, 2), location=(5, 0, 0))
    make_rigid(door, collision_shape="BOX")
    document = export(tmp_path)
    assert child_names(document, "Door") == ["Door Shape"]
    assert "collider" not in body_of(document, "Door")
    assert set(body_of(document, "Door Shape")) == {"collider"}
    assert shapes_of(document) == [{"type": "box", "box": {"size": [1, 2, 0.2]}}]
    assert nodes_by_name(document)["Door Shape"]["translation"] == [0.5, 1, 0]
    assert center(document, "Door Shape") == pytest.approx([5.5, 0.0, 1.0])


def test_a_cone_points_up_in_the_file(tmp_path):
    make_rigid(block("Cone", rotation_euler=(math.pi / 2.0, 0, 0)), collision_shape="CONE")
    document = export(tmp_path)
    # Blender's local z, turned by 90 degrees about x, points along -y.
    assert up_axis(document, "Cone") == pytest.approx([0, -1, 0], abs=1e-6)
    assert shapes_of(document)[0]["cylinder"]["radiusTop"] == 0


@pytest.mark.parametrize("yup", [True, False])
@pytest.mark.parametrize(("axis", "direction"), [("X", 0), ("Y", 1), ("Z", 2)])
def test_a_capsule_stands_on_the_wanted_axis_in_the_world(tmp_path, yup, axis, direction):
    rod = add("Rod", rotation_euler=(0.3, 0.2, 0.1), location=(1, 2, 3))
    collide(rod, "CAPSULE", up=axis, height=2.0, offset=(0.5, 0.0, 0.0))
    document = export(tmp_path, export_yup=yup)
    expected = np.array(rod.matrix_world)[:3, direction]
    file_axis = world_of(document, "Rod Shape")[:3, 1]
    in_blender = Y_UP[:3, :3].T @ file_axis if yup else file_axis
    assert in_blender == pytest.approx(expected, abs=1e-6)
    place = world_of(document, "Rod Shape")[:3, 3]
    place = Y_UP[:3, :3].T @ place if yup else place
    middle = np.array(rod.matrix_world) @ (0.5, 0.0, 0.0, 1.0)
    assert place == pytest.approx(middle[:3], abs=1e-6)


def test_a_box_keeps_blenders_axes_where_the_file_does(tmp_path):
    collide(add("Box"), "BOX", size=(1.0, 2.0, 3.0))
    assert shapes_of(export(tmp_path, export_yup=False))[0]["box"]["size"] == [1, 2, 3]
    assert shapes_of(export(tmp_path))[0]["box"]["size"] == [1, 3, 2]


def test_uniform_scale_goes_into_the_sizes_of_a_node_without_scale(tmp_path):
    parent = add("Parent", scale=(2, 2, 2), rotation_euler=(0.1, 0.2, 0.3))
    ball = add("Ball", parent=parent, location=(1, 0, 0), scale=(1.5, 1.5, 1.5))
    collide(ball, "SPHERE", radius=0.5, offset=(0, 0, 1))
    document = export(tmp_path)
    assert shapes_of(document) == [{"type": "sphere", "sphere": {"radius": 1.5}}]
    world = world_of(document, "Ball Shape")
    assert np.linalg.norm(world[:3, :3], axis=0) == pytest.approx([1, 1, 1], rel=1e-5)
    expected = np.array(ball.matrix_world) @ (0, 0, 1, 1)
    assert center(document, "Ball Shape") == pytest.approx(expected[:3], abs=1e-5)


def test_uneven_scale_goes_into_the_size_of_a_box(tmp_path):
    slab = block("Slab", scale=(1, 2, 3), rotation_euler=(0.4, 0.5, 0.6))
    make_rigid(slab, collision_shape="BOX")
    document = export(tmp_path)
    assert shapes_of(document) == [{"type": "box", "box": {"size": [2, 6, 4]}}]
    world = world_of(document, "Slab Shape")
    assert np.linalg.norm(world[:3, :3], axis=0) == pytest.approx([1, 1, 1], rel=1e-5)


def test_a_cylinder_along_a_scaled_axis_grows_longer(tmp_path):
    axle = add("Axle", scale=(3, 1, 1))
    collide(axle, "CYLINDER", up="X", height=2.0, radius_bottom=0.25, radius_top=0.25)
    document = export(tmp_path)
    assert shapes_of(document)[0]["cylinder"] == capsule(6, 0.25)
    assert up_axis(document, "Axle Shape") == pytest.approx([1, 0, 0], abs=1e-6)


def test_a_sphere_scaled_unevenly_is_a_finding_and_holds_the_scaled_one(tmp_path, caplog):
    collide(add("Egg", scale=(1, 1, 2)), "SPHERE", radius=1.0)
    document = export(tmp_path)
    assert shapes_of(document) == [{"type": "sphere", "sphere": {"radius": 2}}]
    assert "OMI-S005 Egg" in caplog.text


def test_a_box_turned_below_an_uneven_scale_is_a_finding(tmp_path, caplog):
    parent = add("Parent", scale=(1, 1, 3))
    collide(add("Box", parent=parent, rotation_euler=(0.5, 0, 0)), "BOX")
    export(tmp_path)
    assert "OMI-S005 Box" in caplog.text


def test_identical_shapes_are_written_once(tmp_path):
    for index in range(4):
        collide(add(f"Box {index}"), "BOX", size=(1, 1, 1 + index % 2))
    document = export(tmp_path)
    assert len(shapes_of(document)) == 2
    indices = [body_of(document, f"Box {index}")["collider"]["shape"] for index in range(4)]
    assert indices == [indices[0], indices[1]] * 2


@pytest.mark.parametrize(("shape", "type_"), [("CONVEX_HULL", "convex"), ("MESH", "trimesh")])
def test_a_mesh_shape_refers_to_the_mesh_of_its_node(tmp_path, shape, type_):
    make_rigid(block("Body", scale=(1, 2, 3)), collision_shape=shape)
    document = export(tmp_path)
    (node,) = document["nodes"]
    assert shapes_of(document) == [{"type": type_, type_: {"mesh": node["mesh"]}}]
    assert len(document["meshes"]) == 1


def test_a_mesh_of_two_materials_gets_a_mesh_of_one_primitive_for_its_shape(tmp_path):
    body = block("Body")
    for name in ("Red", "Blue"):
        body.data.materials.append(bpy.data.materials.new(name))
    body.data.polygons[0].material_index = 1
    collide(body, "TRIMESH")
    document = export(tmp_path)
    mesh = shapes_of(document)[0]["trimesh"]["mesh"]
    assert len(document["meshes"][nodes_by_name(document)["Body"]["mesh"]]["primitives"]) == 2
    (primitive,) = document["meshes"][mesh]["primitives"]
    positions = document["accessors"][primitive["attributes"]["POSITION"]]
    assert (positions["count"], positions["min"], positions["max"]) == (8, [-1] * 3, [1] * 3)
    assert document["accessors"][primitive["indices"]]["count"] == 36


def test_a_collision_mesh_can_be_hidden_from_view(tmp_path):
    body = block("Body")
    collide(body, "CONVEX")
    body.omi_body.collider.is_hidden = True
    document = export(tmp_path)
    assert "mesh" not in nodes_by_name(document)["Body"]
    assert shapes_of(document) == [{"type": "convex", "convex": {"mesh": 0}}]
    assert len(document["meshes"]) == 1
    again = export_again(tmp_path)
    assert meaning(again) == meaning(document)


@pytest.mark.parametrize("is_applied", [False, True])
def test_primitives_enclose_modifiers_as_in_bullet(tmp_path, is_applied):
    body = block("Body")
    array = body.modifiers.new("Array", "ARRAY")
    array.count = 3
    make_rigid(body, collision_shape="BOX")
    document = export(tmp_path, export_apply=is_applied)
    # Three blocks of 2 m in a row along x.
    assert shapes_of(document)[0]["box"]["size"] == [6, 2, 2]
    assert center(document, "Body Shape") == pytest.approx([2, 0, 0])


def test_a_mesh_shape_without_triangles_is_a_finding(tmp_path, caplog):
    collide(add("Hull"), "CONVEX")
    document = export(tmp_path)
    assert "OMI-S006 Hull" in caplog.text
    assert shapes_of(document) == []
    assert body_of(document, "Hull")["collider"] == {"shape": -1}


@pytest.mark.parametrize(
    ("shape", "sizes"),
    [
        ("BOX", {"size": (1, 0, 1)}),
        ("SPHERE", {"radius": 0.0}),
        ("CAPSULE", {"height": 0.0}),
        ("CYLINDER", {"radius_bottom": 0.0, "radius_top": 0.0}),
    ],
)
def test_an_unusable_size_costs_its_body_only(tmp_path, caplog, shape, sizes):
    collide(add("Bad"), shape, **sizes)
    collide(add("Good"), "BOX")
    document = export(tmp_path)
    assert "OMI-B011 Bad" in caplog.text
    assert set(meaning(document)) == {"Good"}


def test_damaged_data_of_other_programs_costs_nothing_else(tmp_path, caplog):
    for name in ("Bad", "Good"):
        collide(add(name), "BOX")
    bpy.data.objects["Bad"].omi_body.carried = "{"
    document = export(tmp_path)
    assert "OMI-B011 Bad" in caplog.text
    assert set(meaning(document)) == {"Bad", "Good"}


def test_shapes_of_blenders_own_come_back(tmp_path):
    for index, shape in enumerate(("BOX", "SPHERE", "CAPSULE", "CYLINDER", "CONE", "CONVEX_HULL")):
        make_rigid(
            block(shape, low=(-1, -1, -3), high=(1, 1, 3), location=(3 * index, 0, 0)),
            collision_shape=shape,
            type="ACTIVE",
        )
    document = export(tmp_path)
    for rigid_bodies in (False, True):
        again = export_again(tmp_path, rigid_bodies=rigid_bodies)
        assert meaning(again) == meaning(document)
        assert len(again["nodes"]) == len(document["nodes"])
    found = {obj.name: obj.rigid_body.collision_shape for obj in bpy.data.objects}
    assert found == {name: name for name in found}
    assert {obj.omi_body.collider.source for obj in bpy.data.objects} == {"AUTO"}


def test_a_mesh_shape_collides_where_it_is_in_blender(tmp_path):
    make_rigid(block("Hull"), collision_shape="CONVEX_HULL")
    export(tmp_path)
    export_again(tmp_path, rigid_bodies=True)
    rigid = bpy.data.objects["Hull"].rigid_body
    assert (rigid.use_margin, rigid.collision_margin) == (True, 0.0)


def test_shape_nodes_without_mesh_show_what_they_are(tmp_path):
    collide(add("Ball"), "SPHERE", radius=0.75)
    collide(add("Cube"), "BOX", size=(3, 3, 3))
    export(tmp_path)
    export_again(tmp_path)
    ball, cube = bpy.data.objects["Ball"], bpy.data.objects["Cube"]
    assert (ball.empty_display_type, ball.empty_display_size) == ("SPHERE", 0.75)
    assert (cube.empty_display_type, cube.empty_display_size) == ("CUBE", 1.5)


def test_gpu_instancing_keeps_the_nodes_of_bodies(tmp_path):
    parent = add("Parent")
    first = block("First", parent=parent)
    second = add("Second", first.data, parent=parent, location=(5, 0, 0))
    for obj in (first, second):
        collide(obj, "BOX")
        obj.omi_body.motion_type = "DYNAMIC"
    document = export(tmp_path, export_gpu_instances=True)
    assert set(meaning(document)) == {"First", "Second"}


def test_each_instance_of_a_collection_has_its_bodies(tmp_path):
    box = add("Box")
    collection = bpy.data.collections.new("Parts")
    bpy.context.scene.collection.objects.unlink(box)
    collection.objects.link(box)
    collide(box, "BOX", offset=(0, 0, 1))
    for index in range(2):
        instance = add(f"Instance {index}", location=(index, 0, 0))
        instance.instance_type, instance.instance_collection = "COLLECTION", collection
    document = export(tmp_path)
    colliders = [
        node
        for node in document["nodes"]
        if "collider" in node.get("extensions", {}).get("OMI_physics_body", {})
    ]
    assert len(colliders) == 2
    assert len(shapes_of(document)) == 1


def test_a_triangle_mesh_on_a_dynamic_body_is_a_finding(tmp_path, caplog):
    make_rigid(block("Still"), type="PASSIVE", collision_shape="MESH")
    body = add("Body")
    body.omi_body.motion_type = "DYNAMIC"
    collide(block("Part", parent=body), "TRIMESH")
    export(tmp_path)
    assert "OMI-S007 Part" in caplog.text
    assert "OMI-S007 Still" not in caplog.text


def test_a_fitted_shape_is_written_in_clean_decimals_on_its_own_node(tmp_path):
    beam = block("Beam", low=(-1.5, -0.1, -0.1), high=(1.5, 0.1, 0.1))
    bpy.context.view_layer.objects.active = beam
    beam.select_set(True)
    bpy.ops.omi.body_add()
    document = export(tmp_path)
    assert shapes_of(document) == [{"type": "box", "box": {"size": [3, 0.2, 0.2]}}]
    assert len(document["nodes"]) == 1
