"""Shapes, centers, inertia and velocities stay with the mesh whatever is done to mesh or axes."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion, Vector

from omi_joints_addon.authoring.fixes import fix
from omi_joints_addon.scene.findings import settled_findings
from omi_joints_addon.scene.structure import followers_of
from omi_joints_addon.scene.watch import shown_scene
from tests.blender.scenes import add_cube, add_door, rows, select
from tests.next_steps.rows import ragdoll_beside


def add_crate(**options: Any) -> Any:
    """Return a tilted, unevenly scaled, off-center body with a center and velocity of its own."""
    turn, scale = (0.1, 0.53, -0.2), (0.47, 1.3, 2.1)
    crate = add_cube("Crate", (2.13, -0.4, 1.07), rotation=turn, scale=scale)
    crate.data.transform(Matrix.Translation((0.31, 0.0, 0.17)))
    crate.data.update()
    select(crate)
    bpy.ops.omi.body_add(**options)
    crate.omi_body.center_of_mass = (0.11, 0.02, -0.37)
    crate.omi_body.linear_velocity = (0.3, -0.7, 2.9)
    crate.omi_body.angular_velocity = (0.2, 1.1, -0.4)
    crate.omi_body.inertia_diagonal = (1.3, 2.1, 2.9)
    bpy.context.view_layer.update()
    return crate


def in_world(obj: Any) -> dict[str, list[float]]:
    """Return where a body's center, velocities and its axis of least inertia are in the world."""
    bpy.context.view_layer.update()
    body, turn = obj.omi_body, obj.matrix_world.decompose()[1]
    main = turn @ Quaternion(body.inertia_orientation) @ Vector((1.0, 0.0, 0.0))
    return {
        "center": list(obj.matrix_world @ Vector(body.center_of_mass)),
        "velocity": list(turn @ Vector(body.linear_velocity)),
        "spin": list(turn @ Vector(body.angular_velocity)),
        "least": list(main * math.copysign(1.0, main.x)),
    }


def assert_encloses(obj: Any) -> None:
    """Assert that the box of a shape is the box of the mesh, in the object's axes."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    points = np.array([vertex.co for vertex in obj.evaluated_get(graph).data.vertices])
    shape = obj.omi_body.collider.shape
    low, high = points.min(axis=0), points.max(axis=0)
    assert list(shape.offset) == pytest.approx(((low + high) / 2.0).tolist(), abs=1e-4)
    assert list(shape.size) == pytest.approx((high - low).tolist(), abs=1e-4)


def apply(**what: bool) -> Callable[[Any], object]:
    options = {"location": False, "rotation": False, "scale": False} | what
    return lambda _obj: bpy.ops.object.transform_apply(**options)


def set_origin(type_: str) -> Callable[[Any], object]:
    return lambda _obj: bpy.ops.object.origin_set(type=type_)


AXES = {
    "scale": apply(scale=True),
    "rotation": apply(rotation=True),
    "location": apply(location=True),
    "all": apply(location=True, rotation=True, scale=True),
    "origin to cursor": set_origin("ORIGIN_CURSOR"),
    "origin to geometry": set_origin("ORIGIN_GEOMETRY"),
    "origin to mass": set_origin("ORIGIN_CENTER_OF_MASS"),
}


@pytest.mark.parametrize("name", AXES)
def test_other_axes_of_the_object_change_nothing_in_the_world(name: str) -> None:
    crate = add_crate(shape="BOX")
    before = in_world(crate)
    AXES[name](crate)
    assert_encloses(crate)
    for what, value in in_world(crate).items():
        assert value == pytest.approx(before[what], abs=2e-4), what


def edit(step: Callable[[], object]) -> Callable[[Any], None]:
    def run(_obj: Any) -> None:
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="SELECT")
        step()
        bpy.ops.object.mode_set(mode="OBJECT")

    return run


def add_array(obj: Any) -> None:
    obj.modifiers.new("Array", "ARRAY").count = 3


def apply_array(obj: Any) -> None:
    add_array(obj)
    bpy.ops.object.modifier_apply(modifier="Array")


def exchange_mesh(obj: Any) -> None:
    obj.data = add_cube("Other", (9, 0, 0), scale=(1, 1, 1)).data
    obj.data.transform(Matrix.Diagonal((3.1, 0.7, 1.9, 1.0)))


def join(obj: Any) -> None:
    select(obj, add_cube("Handle", (5.0, 1.0, 0.0)))
    bpy.ops.object.join()


EDITS = {
    "moved": edit(lambda: bpy.ops.transform.translate(value=(0.7, 0.1, 0.0))),
    "scaled": edit(lambda: bpy.ops.transform.resize(value=(1.7, 0.6, 1.0))),
    "bisected": edit(
        lambda: bpy.ops.mesh.bisect(
            plane_co=(2.0, 0, 1.2), plane_no=(0, 0, 1), clear_outer=True, use_fill=True
        )
    ),
    "modifier": add_array,
    "modifier applied": apply_array,
    "another mesh": exchange_mesh,
    "joined": join,
}


@pytest.mark.parametrize("name", EDITS)
def test_a_fitted_shape_is_fitted_to_the_edited_mesh(name: str) -> None:
    crate = add_crate(shape="BOX")
    EDITS[name](crate)
    assert_encloses(crate)


def test_both_halves_of_a_separated_mesh_have_their_own_shape() -> None:
    crate = add_crate(shape="BOX")
    select(crate, add_cube("Other", (6.0, 0.0, 1.0)))
    bpy.ops.object.join()
    edit(lambda: bpy.ops.mesh.separate(type="LOOSE"))(crate)
    halves = [obj for obj in bpy.data.objects if obj.omi_body.collider.source == "CUSTOM"]
    assert len(halves) == 2
    for half in halves:
        assert_encloses(half)


def test_a_shape_edited_by_hand_stays_with_its_mesh() -> None:
    crate = add_crate(shape="BOX")
    shape = crate.omi_body.collider.shape
    shape.size = (1.4, 1.5, 1.6)
    bpy.context.view_layer.update()
    before = box_in_world(crate)
    for step in (AXES["scale"], AXES["origin to cursor"], EDITS["modifier"]):
        step(crate)
        assert box_in_world(crate) == pytest.approx(before, abs=1e-4)


def box_in_world(obj: Any) -> list[float]:
    """Return middle and sizes of a body's box in meters."""
    bpy.context.view_layer.update()
    shape, world = obj.omi_body.collider.shape, obj.matrix_world
    return [*(world @ Vector(shape.offset)), *(Vector(shape.size) * world.to_scale())]


def test_undo_and_redo_hold_shape_and_mesh_together() -> None:
    bpy.ops.ed.undo_push(message="empty")
    crate = add_crate(shape="BOX")
    bpy.ops.ed.undo_push(message="made")
    apply(scale=True, rotation=True)(crate)
    bpy.ops.ed.undo_push(message="applied")
    bpy.ops.ed.undo()
    assert_encloses(bpy.data.objects["Crate"])
    bpy.ops.ed.redo()
    assert_encloses(bpy.data.objects["Crate"])


def test_an_older_file_follows_from_its_first_look(tmp_path: Path) -> None:
    crate = add_crate(shape="BOX")
    crate.omi_body.anchor = crate.omi_body.collider.shape.fitted = ""
    path = str(tmp_path / "old.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    crate = bpy.data.objects["Crate"]
    select(crate)
    apply(scale=True)(crate)
    assert_encloses(crate)


def test_shapes_on_bones_follow_the_scale_of_their_armature() -> None:
    data = bpy.data.armatures.new("Rig")
    rig = bpy.data.objects.new("Rig", data)
    bpy.context.collection.objects.link(rig)
    rig.scale = (0.01,) * 3
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for name, low, high in (("hips", 100, 123), ("spine", 123, 151), ("head", 151, 180)):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0, 0, low), (0, 0, high), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.omi.ragdoll_add()
    before = bone_sizes(rig)
    apply(scale=True)(rig)
    assert bone_sizes(rig) == pytest.approx(before, rel=1e-4)
    bpy.ops.omi.ragdoll_add()
    assert bone_sizes(rig) == pytest.approx(before, rel=1e-4)


def bone_sizes(rig: Any) -> list[float]:
    """Return radius, height and distance from the bone of all shapes in the world."""
    bpy.context.view_layer.update()
    scale = rig.matrix_world.to_scale().x
    shapes = [bone.omi_body.collider.shape for bone in rig.pose.bones]
    return [
        scale * value
        for shape in shapes
        for value in (shape.radius_bottom, shape.height, shape.offset.length, *shape.size)
    ]


def codes() -> list[str]:
    return [found.code for found in settled_findings(bpy.context.scene)]


def test_a_shape_that_leaves_out_its_mesh_is_a_finding_with_a_fix() -> None:
    crate = add_crate(shape="BOX")
    assert "OMI-S008" not in codes()
    crate.omi_body.collider.shape.size = (0.4, 1.0, 1.0)
    bpy.context.view_layer.update()
    (found,) = [f for f in settled_findings(bpy.context.scene) if f.code == "OMI-S008"]
    assert "leaves out" in str(found)
    fix(bpy.context, found)
    bpy.context.view_layer.update()
    assert "OMI-S008" not in codes()
    assert_encloses(crate)


@pytest.mark.parametrize("size", [(2.3, 2.2, 2.1), (7.0, 7.0, 7.0)])
def test_a_shape_a_little_larger_is_none_and_one_far_larger_is(size: tuple[float, ...]) -> None:
    crate = add_cube("Crate", (0.3, 0.0, 0.0))
    select(crate)
    bpy.ops.omi.body_add(shape="BOX")
    crate.omi_body.collider.shape.size = size
    bpy.context.view_layer.update()
    assert ("OMI-S008" in codes()) == (size[0] == 7.0)


def test_uneven_scale_of_a_round_shape_is_a_finding_as_soon_as_it_is_made() -> None:
    ball = add_cube("Ball", (0.0, 0.0, 0.3))
    select(ball)
    bpy.ops.omi.body_add(shape="SPHERE")
    assert "OMI-S005" not in codes()
    ball.scale = (1.7, 0.6, 1.2)
    bpy.context.view_layer.update()
    (found,) = [f for f in settled_findings(bpy.context.scene) if f.code == "OMI-S005"]
    fix(bpy.context, found)
    bpy.context.view_layer.update()
    assert ball.omi_body.collider.shape.type == "CONVEX"
    assert "OMI-S005" not in codes()


def apply_as_from_the_menu(**what: bool) -> None:
    options = {"location": False, "rotation": False, "scale": False} | what
    bpy.ops.object.transform_apply("EXEC_DEFAULT", True, **options)


def test_empties_of_joints_stay_when_all_transforms_are_applied() -> None:
    wall, door, joint = add_door()
    shown_scene(bpy.context.scene)
    frames = [joint, joint.omi_joint.connected_object]
    before = [rows(frame.matrix_world) for frame in frames]
    select(door, wall, *frames)
    apply_as_from_the_menu(location=True, rotation=True, scale=True)
    bpy.context.view_layer.update()
    assert door.matrix_world == Matrix()
    for frame, place in zip(frames, before, strict=True):
        assert np.allclose(rows(frame.matrix_world), place, atol=1e-5)


@pytest.mark.parametrize("with_bodies", [False, True])
def test_a_skin_keeps_its_size_when_the_scale_of_its_rig_is_applied(with_bodies: bool) -> None:
    rig = ragdoll_beside(Path())["holder"]
    rig, skin = bpy.data.objects[rig], bpy.data.objects["Skin"]
    shown_scene(bpy.context.scene)
    before = extent(skin)
    bodies = [each.body for each in followers_of(rig).values()]
    sizes = [each.matrix_world.to_scale().x * radius(each) for each in bodies]
    select(rig, skin, *(bodies if with_bodies else ()))
    apply_as_from_the_menu(scale=True)
    bpy.context.view_layer.update()
    assert extent(skin) == pytest.approx(before, rel=1e-3)
    assert [each.matrix_world.to_scale().x * radius(each) for each in bodies] == (
        pytest.approx(sizes, rel=1e-3)
    )
    assert not {"OMI-J301", "OMI-J303"} & set(codes())


def radius(body: Any) -> float:
    shape = body.omi_body.collider.shape
    return shape.size[0] if shape.type == "BOX" else shape.radius_bottom


def extent(skin: Any) -> list[float]:
    evaluated = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.array([evaluated.matrix_world @ vertex.co for vertex in evaluated.data.vertices])
    return list(np.ptp(points, axis=0))


@pytest.mark.parametrize("copied", ["symmetrize", "duplicate"])
def test_copied_bones_follow_no_body_of_others(copied: str) -> None:
    rig = bpy.data.objects[ragdoll_beside(Path())["holder"]]
    shown_scene(bpy.context.scene)
    own = {name: each.body for name, each in followers_of(rig).items()}
    reach = {body: body.matrix_world.to_scale().x * radius(body) for body in own.values()}
    before = set(rig.pose.bones.keys())
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.armature.select_all(action="SELECT")
    getattr(bpy.ops.armature, copied)()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    bpy.context.view_layer.update()
    copies = [rig.pose.bones[name] for name in {*rig.pose.bones.keys()} - before]
    assert len(copies) == {"symmetrize": 1, "duplicate": 4}[copied]
    for bone in copies:
        assert np.allclose(bone.matrix, bone.bone.matrix_local, atol=1e-3), bone.name
    assert {name: each.body for name, each in followers_of(rig).items()} == own
    select(rig)
    apply_as_from_the_menu(scale=True)
    bpy.context.view_layer.update()
    for body, size in reach.items():
        assert body.matrix_world.to_scale().x * radius(body) == pytest.approx(size, rel=1e-3)


@pytest.mark.parametrize("modifier", ["", "BEVEL"])
def test_bodies_that_share_a_mesh_follow_its_edit(
    modifier: str, capfd: pytest.CaptureFixture[str]
) -> None:
    one = add_cube("One", (0.0, 0.13, 3.0))
    if modifier:
        one.modifiers.new("Bevel", modifier)
    other = one.copy()
    other.location.x = 5.0
    bpy.context.scene.collection.objects.link(other)
    select(one, other)
    bpy.ops.omi.body_add()
    shown_scene(bpy.context.scene)
    select(one)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.view_layer.update()
    codes()
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.resize(value=(1.37, 1.0, 0.81))
    bpy.context.view_layer.update()
    codes()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    for each in (one, other):
        assert list(each.omi_body.collider.shape.size) == pytest.approx([2.74, 2.0, 1.62], rel=1e-3)
    assert "Traceback" not in capfd.readouterr().err
