"""Meshes of Rigid Bodies in files, whatever the exporter makes of modifiers; what is keyed."""

import bpy
import pytest

from tests.roundtrip.bodies import block, export, make_rigid
from tests.roundtrip.documents import popups


def shape_size(document):
    """Return the extents of the one mesh that a shape refers to, Y up."""
    (shape,) = document["extensions"]["OMI_physics_shape"]["shapes"]
    mesh = document["meshes"][shape[shape["type"]]["mesh"]]
    position = document["accessors"][mesh["primitives"][0]["attributes"]["POSITION"]]
    return [high - low for low, high in zip(position["min"], position["max"], strict=True)]


@pytest.mark.parametrize("shape", ["CONVEX_HULL", "MESH"])
@pytest.mark.parametrize("is_applied", [False, True])
@pytest.mark.parametrize(
    ("source", "kinds", "height"),
    [
        ("BASE", ("SIMPLE_DEFORM",), 2.0),
        ("DEFORM", ("SIMPLE_DEFORM",), 2.5),
        ("BASE", ("SOLIDIFY",), 2.0),
        ("DEFORM", ("SOLIDIFY",), 2.0),
        ("FINAL", ("SOLIDIFY",), 3.0),
    ],
)
def test_the_source_of_the_mesh_is_that_of_bullet(
    tmp_path, shape, is_applied, source, kinds, height
):
    crate = block("Crate")
    make_rigid(crate, type="PASSIVE", collision_shape=shape, mesh_source=source)
    for kind in kinds:
        made = crate.modifiers.new(kind, kind)
        if kind == "SIMPLE_DEFORM":
            made.deform_method, made.deform_axis, made.factor = "STRETCH", "Z", 0.5
        else:
            made.thickness, made.offset, made.use_even_offset = 0.5, 1.0, True
    document = export(tmp_path, export_apply=is_applied)
    assert shape_size(document)[1] == pytest.approx(height, abs=1e-4)


@pytest.mark.parametrize("is_applied", [False, True])
def test_a_box_encloses_all_modifiers(tmp_path, is_applied):
    crate = block("Crate")
    make_rigid(crate, collision_shape="BOX", mesh_source="BASE")
    made = crate.modifiers.new("Thick", "SOLIDIFY")
    made.thickness, made.offset, made.use_even_offset = 0.5, 1.0, True
    (shape,) = export(tmp_path, export_apply=is_applied)["extensions"]["OMI_physics_shape"][
        "shapes"
    ]
    assert shape["box"]["size"] == pytest.approx([3.0, 3.0, 3.0], abs=1e-4)


def test_surface_and_collections_of_a_compound_are_its_own(tmp_path):
    top, part, floor = block("Top"), block("Part"), block("Floor")
    make_rigid(top, collision_shape="COMPOUND", friction=0.25)
    make_rigid(part, collision_shape="BOX", friction=0.75)
    make_rigid(floor, type="PASSIVE", collision_shape="BOX", friction=0.375)
    part.parent = top
    part.rigid_body.collision_collections = [index == 5 for index in range(20)]
    top.rigid_body.collision_collections = [index == 2 for index in range(20)]
    document = export(tmp_path)
    named = {node["name"]: node["extensions"]["OMI_physics_body"] for node in document["nodes"]}
    root = document["extensions"]["OMI_physics_body"]
    collider = named["Part"]["collider"]
    assert root["physicsMaterials"][collider["physicsMaterial"]]["dynamicFriction"] == 0.25
    systems = root["collisionFilters"][collider["collisionFilter"]]["collisionSystems"]
    assert systems == ["Collection 3"]


def test_keyed_switches_are_named(tmp_path, capsys):
    ball, floor = block("Ball"), block("Floor")
    make_rigid(ball, floor)
    floor.rigid_body.type = "PASSIVE"
    ball.rigid_body.kinematic = True
    ball.rigid_body.keyframe_insert("kinematic", frame=1)
    world = bpy.context.scene.rigidbody_world
    world.constraints = bpy.data.collections.new("Constraints")
    latch = bpy.data.objects.new("Latch", None)
    bpy.context.scene.collection.objects.link(latch)
    world.constraints.objects.link(latch)
    held = latch.rigid_body_constraint
    held.type, held.object1, held.object2 = "FIXED", floor, ball
    held.keyframe_insert("enabled", frame=1)
    bpy.context.scene.omi_gltf.export_constraints = True
    export(tmp_path)
    lines = [line for line in popups(capsys) if "OMI-J452" in line]
    assert any("Ball" in line and "kinematic" in line for line in lines)
    assert any("Latch" in line and "enabled" in line for line in lines)
