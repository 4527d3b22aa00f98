"""Operators of bodies: shapes that fit, masses and inertia by hand, undo."""

import math
from pathlib import Path

import bpy
import pytest

from omi_joints_addon.properties.body import motion_of
from omi_joints_addon.properties.collider import collider_shape_of, has_collider
from omi_joints_addon.properties.mesh_points import MeshReader
from omi_joints_addon.scene.solids import body_solid, children_of
from tests.blender.scenes import add_cube, select


def add_body(*objects, **options):
    select(*objects)
    assert bpy.ops.omi.body_add(**options) == {"FINISHED"}


def make_rigid(obj, **settings):
    select(obj)
    bpy.ops.rigidbody.object_add()
    for name, value in settings.items():
        setattr(obj.rigid_body, name, value)


def shape_group(obj):
    return obj.omi_body.collider.shape


def add_mesh(kind, **options):
    getattr(bpy.ops.mesh, f"primitive_{kind}_add")(**options)
    return bpy.context.object


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        ("cube", "BOX"),
        ("uv_sphere", "SPHERE"),
        ("cylinder", "CYLINDER"),
        ("cone", "CONVEX"),
        ("monkey", "CONVEX"),
        ("plane", "BOX"),
    ],
)
def test_add_body_guesses_the_shape(kind, shape):
    obj = add_mesh(kind)
    add_body(obj)
    assert (obj.omi_body.motion_type, obj.omi_body.collider.source) == ("DYNAMIC", "CUSTOM")
    assert shape_group(obj).type == shape


def test_add_body_guesses_a_capsule_along_its_axis():
    obj = add_mesh("uv_sphere", segments=32, ring_count=16, radius=0.5)
    for vertex in obj.data.vertices:
        vertex.co.x, vertex.co.z = vertex.co.z + math.copysign(1.0, vertex.co.z), vertex.co.x
    add_body(obj)
    group = shape_group(obj)
    assert (group.type, group.up) == ("CAPSULE", "X")
    assert (group.height, group.radius_top) == pytest.approx((2.0, 0.5), rel=1e-4)


def test_add_body_fits_the_evaluated_mesh_where_it_is():
    obj = add_cube("Beam", (0, 0, 0))
    obj.modifiers.new("Array", "ARRAY").count = 2
    add_body(obj, motion_type="STATIC")
    group = shape_group(obj)
    assert tuple(group.size) == (4.0, 2.0, 2.0)
    assert tuple(group.offset) == (1.0, 0.0, 0.0)
    assert obj.omi_body.motion_type == "STATIC"


def test_add_body_takes_all_selected_objects_in_one_undo_step():
    names = ["A", "B", "C"]
    objects = [add_cube(name, (3.0 * index, 0, 0)) for index, name in enumerate(names)]
    bpy.ops.ed.undo_push(message="before")
    add_body(*objects, shape="SPHERE")
    bpy.ops.ed.undo_push(message="after")
    assert all(bpy.data.objects[name].omi_body.motion_type == "DYNAMIC" for name in names)
    bpy.ops.ed.undo()
    assert all(bpy.data.objects[name].omi_body.motion_type == "NONE" for name in names)
    assert bpy.data.objects["A"].omi_body.collider.source == "AUTO"


def test_add_body_changes_the_type_of_a_rigid_body_and_leaves_its_shape():
    obj = add_cube("Cube", (0, 0, 0))
    make_rigid(obj, collision_shape="SPHERE")
    add_body(obj, motion_type="KINEMATIC")
    assert obj.rigid_body.kinematic
    assert obj.rigid_body.collision_shape == "SPHERE"
    assert (obj.omi_body.motion_type, obj.omi_body.collider.source) == ("NONE", "AUTO")


def test_add_body_again_forgets_the_mesh_of_another_object():
    obj, other = add_mesh("monkey"), add_cube("Other", (9, 0, 0))
    add_body(obj)
    shape_group(obj).mesh = other.data
    add_body(obj)
    assert shape_group(obj).type == "CONVEX"
    assert shape_group(obj).mesh is None


def test_inertia_of_a_rigid_body_leaves_the_motion_type_to_it():
    obj = add_cube("Cube", (0, 0, 0))
    make_rigid(obj, mass=3.0)
    bpy.ops.omi.body_inertia_from_shape()
    assert tuple(obj.omi_body.inertia_diagonal) == pytest.approx((2.0, 2.0, 2.0))
    assert obj.omi_body.motion_type == "NONE"
    select(obj)
    bpy.ops.rigidbody.object_remove()
    assert motion_of(obj) is None


def test_an_empty_becomes_a_body_without_shape():
    bpy.ops.object.empty_add()
    obj = bpy.context.object
    add_body(obj)
    assert obj.omi_body.motion_type == "DYNAMIC"
    assert collider_shape_of(obj, MeshReader(None)) is None


def test_add_body_says_what_it_needs():
    assert not bpy.ops.omi.body_add.poll()
    with pytest.raises(RuntimeError, match="Select objects that are not physics joints"):
        bpy.ops.omi.body_add()


def test_fit_shape_keeps_the_type_and_holds_the_mesh():
    obj = add_cube("Cube", (0, 0, 0))
    add_body(obj, shape="SPHERE")
    shape_group(obj).radius = 9.0
    bpy.ops.omi.body_shape_fit()
    assert shape_group(obj).type == "SPHERE"
    assert shape_group(obj).radius == pytest.approx(math.sqrt(3.0))
    bpy.ops.omi.body_shape_fit(shape="GUESS")
    assert shape_group(obj).type == "BOX"


def test_fit_shape_of_an_empty_holds_the_mesh_above_or_below():
    cube = add_cube("Cube", (5, 0, 0))
    bpy.ops.object.empty_add(location=(5, 0, 2))
    empty = bpy.context.object
    empty.omi_body.collider.source = "CUSTOM"
    shape_group(empty).type = "BOX"
    cube.parent = empty
    cube.matrix_parent_inverse = empty.matrix_world.inverted()
    bpy.context.view_layer.update()
    select(empty)
    bpy.ops.omi.body_shape_fit()
    assert tuple(shape_group(empty).size) == pytest.approx((2.0, 2.0, 2.0))
    assert tuple(shape_group(empty).offset) == pytest.approx((0.0, 0.0, -2.0))


def test_fit_shape_without_shape_says_why_not():
    select(add_cube("Cube", (0, 0, 0)))
    with pytest.raises(RuntimeError, match="No selected object has a collider or trigger"):
        bpy.ops.omi.body_shape_fit()


def test_static_world_anchor_is_a_static_body_at_the_cursor():
    bpy.context.scene.cursor.location = (1, 2, 3)
    assert bpy.ops.omi.body_anchor_add() == {"FINISHED"}
    anchor = bpy.context.object
    bpy.context.view_layer.update()
    assert motion_of(anchor).type == "static"
    assert tuple(anchor.matrix_world.translation) == (1, 2, 3)


def test_mass_from_density_by_hand():
    obj = add_cube("Cube", (0, 0, 0))
    add_body(obj)
    obj.scale = (1, 1, 0.5)
    bpy.context.view_layer.update()
    assert bpy.ops.omi.body_mass_from_density(density=600.0) == {"FINISHED"}
    # 2 m x 2 m x 1 m of wood.
    assert obj.omi_body.mass == pytest.approx(2400.0)


def test_mass_from_density_of_a_rigid_body():
    obj = add_cube("Cube", (0, 0, 0))
    make_rigid(obj, collision_shape="BOX")
    bpy.ops.omi.body_mass_from_density(density=10.0)
    assert motion_of(obj).mass == pytest.approx(80.0)


def test_mass_counts_parts_but_not_the_bodies_below():
    palm, part, finger = (add_cube(name, (0, 0, 0)) for name in ("Palm", "Part", "Finger"))
    part.parent = finger.parent = palm
    add_body(palm, finger)
    add_body(part)
    part.omi_body.motion_type = "NONE"
    select(palm)
    bpy.ops.omi.body_mass_from_density(density=1.0)
    assert palm.omi_body.mass == pytest.approx(16.0)


def test_mass_without_volume_warns_and_changes_nothing():
    bpy.ops.object.empty_add()
    empty = bpy.context.object
    empty.omi_body.motion_type = "DYNAMIC"
    empty.omi_body.mass = 3.0
    bpy.ops.omi.body_mass_from_density()
    assert empty.omi_body.mass == 3.0


def test_inertia_from_shape_by_hand():
    obj = add_cube("Cube", (0, 0, 0))
    add_body(obj)
    obj.scale = (0.5, 1.0, 1.5)
    obj.omi_body.mass = 6.0
    bpy.context.view_layer.update()
    bpy.ops.omi.body_inertia_from_shape()
    # A box of 1 m x 2 m x 3 m and 6 kg: m/12 (b² + c²).
    assert tuple(obj.omi_body.inertia_diagonal) == pytest.approx((6.5, 5.0, 2.5))
    assert motion_of(obj).inertia_orientation == (0.0, 0.0, 0.0, 1.0)
    assert obj.omi_body.motion_type == "DYNAMIC"


def test_center_of_mass_from_a_shape_off_the_origin_is_in_the_scaled_space_of_the_node():
    obj = add_cube("Cube", (0, 0, 0))
    for vertex in obj.data.vertices:
        vertex.co.x += 3.0
    add_body(obj)
    obj.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    bpy.ops.omi.body_inertia_from_shape()
    assert tuple(obj.omi_body.center_of_mass) == pytest.approx((3.0, 0.0, 0.0))


@pytest.mark.parametrize("shape", ["BOX", "CONVEX", "TRIMESH"])
def test_a_cube_weighs_the_same_as_box_hull_and_mesh(shape):
    obj = add_cube("Cube", (1, 2, 3), rotation=(0.3, 0.4, 0.5))
    add_body(obj, shape=shape)
    solid = body_solid(obj, children_of([obj]), MeshReader(None))
    assert solid.volume == pytest.approx(8.0, rel=1e-5)
    assert solid.inertia.diagonal() == pytest.approx([8.0 * 8.0 / 12.0] * 3, rel=1e-5)


def test_a_turned_cylinder_part_counts_about_the_axis_that_it_stands_on():
    wheel = add_mesh("cylinder", vertices=256, radius=0.5, depth=0.2)
    add_body(wheel, shape="CYLINDER")
    shape_group(wheel).up = "X"
    solid = body_solid(wheel, children_of([wheel]), MeshReader(None))
    moments = solid.inertia.diagonal()
    assert moments[0] == pytest.approx(solid.volume * 0.125, rel=1e-3)
    assert moments[1] == pytest.approx(moments[2])


def test_systems_are_added_and_removed():
    obj = add_cube("Cube", (0, 0, 0))
    select(obj)
    for _ in range(2):
        bpy.ops.omi.body_system_add(owner="collider", names="systems")
    systems = obj.omi_body.collider.collision_filter.systems
    systems[0].system, systems[1].system = "a", "b"
    bpy.ops.omi.body_system_remove(owner="collider", names="systems", index=0)
    assert [item.system for item in systems] == ["b"]
    assert bpy.ops.omi.body_system_remove(owner="trigger", names="systems", index=0) == {
        "CANCELLED"
    }


def test_triggers_below_become_the_parts_of_a_compound():
    whole, part, below, aside = (add_cube(name, (0, 0, 0)) for name in ("W", "P", "B", "A"))
    part.parent, below.parent = whole, part
    for obj in (below, aside):
        obj.omi_body.trigger.enabled = True
    select(whole)
    bpy.ops.omi.body_trigger_parts()
    assert [item.node for item in whole.omi_body.trigger.nodes] == [below]


def test_bodies_survive_saving_and_loading(tmp_path):
    obj = add_cube("Cube", (0, 0, 0))
    add_body(obj, shape="CAPSULE")
    obj.omi_body.linear_velocity = (1, 2, 3)
    before = motion_of(obj), collider_shape_of(obj, MeshReader(None))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "file.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "file.blend"))
    obj = bpy.data.objects["Cube"]
    assert (motion_of(obj), collider_shape_of(obj, MeshReader(None))) == before


@pytest.mark.parametrize("dialect", ["OMI", "KHR"])
def test_an_imported_body_keeps_its_one_shape(dialect: str, tmp_path: Path) -> None:
    door = add_cube("Door", (0.5, 0.0, 1.0), scale=(0.45, 0.03, 1.0))
    select(door)
    bpy.ops.omi.body_add()
    bpy.context.scene.omi_gltf.export_dialects = {dialect}
    path = str(tmp_path / "door.glb")
    bpy.ops.export_scene.gltf(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    before = [obj.name for obj in bpy.data.objects if has_collider(obj)]
    select(bpy.data.objects["Door"])
    bpy.ops.omi.body_add(motion_type="STATIC")
    assert [obj.name for obj in bpy.data.objects if has_collider(obj)] == before
    assert bpy.data.objects["Door"].omi_body.motion_type == "STATIC"


def test_an_empty_that_becomes_a_body_gives_shapes_to_the_meshes_below() -> None:
    bpy.ops.object.empty_add()
    root = bpy.context.object
    parts = [add_cube(f"Part {x}", (x, 0.0, 0.0)) for x in (0.0, 3.0)]
    for part in parts:
        part.parent = root
    select(root)
    bpy.ops.omi.body_add()
    assert all(map(has_collider, parts))
    assert not has_collider(root)
