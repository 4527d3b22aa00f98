"""Bodies that are duplicated without the empties of their joints."""

from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from omi_joints_addon.authoring.fixes import fix
from omi_joints_addon.scene.findings import settled_findings
from tests.blender.scenes import add_cube, add_door, add_joint, rows, select


def copies() -> list[Any]:
    bpy.context.view_layer.update()
    return [f for f in settled_findings(bpy.context.scene) if f.code == "OMI-J025"]


def test_a_pair_of_copies_gets_a_joint_between_the_two() -> None:
    wall, door, joint = add_door()
    ends = [rows(each.matrix_world) for each in (joint, joint.omi_joint.connected_object)]
    select(wall, door)
    bpy.ops.object.duplicate()
    motion = Matrix.Translation((0.3, 5.1, 0.0)) @ Matrix.Rotation(0.7, 4, "Z")
    for copy in bpy.context.selected_objects:
        copy.matrix_world = motion @ copy.matrix_world
    assert [found.place for found in copies()] == ["Wall.001", "Door.001"]
    fix(bpy.context, copies()[0])
    assert copies() == []
    (new,) = [o for o in bpy.data.objects if o.omi_joint.enabled and o != joint]
    end = new.omi_joint.connected_object
    assert {new.parent.name, end.parent.name} == {"Wall.001", "Door.001"}
    for frame, before in zip((new, end), ends, strict=True):
        assert np.allclose(rows(frame.matrix_world), np.array(motion @ Matrix(before)), atol=1e-5)
    assert new.omi_joint.limits[2].max == joint.omi_joint.limits[2].max


def test_one_copy_hangs_from_the_same_wall() -> None:
    wall, door, joint = add_door()
    select(door)
    bpy.ops.object.duplicate(linked=True)
    bpy.context.object.location.z += 2.3
    fix(bpy.context, copies()[0])
    (new,) = [o for o in bpy.data.objects if o.omi_joint.enabled and o != joint]
    parents = {new.parent, new.omi_joint.connected_object.parent}
    assert parents == {wall, bpy.data.objects["Door.001"]}
    assert copies() == []


def test_bodies_with_names_of_their_own_are_none() -> None:
    _wall, door, _joint = add_door()
    select(door)
    bpy.ops.object.duplicate()
    bpy.context.object.name = "Crate"
    assert copies() == []


def test_a_mirrored_rigid_body_is_in_its_world_once() -> None:
    wall, door = add_cube("Wall", (3.0, 0.0, 0.0)), add_cube("Door", (6.0, 0.0, 0.3))
    for obj, kind in ((wall, "PASSIVE"), (door, "ACTIVE")):
        select(obj)
        bpy.ops.rigidbody.object_add(type=kind)
    joint = add_joint(wall, door)
    select(joint)
    bpy.ops.omi.joint_mirror(axis="X")
    world = bpy.context.scene.rigidbody_world.collection.objects
    assert sorted(world.keys()) == ["Door", "Door.001", "Wall", "Wall.001"]
