"""What is disabled in viewports is where its parent takes it: Blender does not evaluate it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from omi_joints_addon.io.blend import BLEND
from omi_joints_addon.io.formats.format import Source
from omi_joints_addon.properties.bones import world_matrix
from omi_joints_addon.scene.watch import shown_scene
from tests.blender.scenes import add_cube, add_joint, rows, select


def add_gate() -> tuple[Any, Any, Any]:
    """Return a joint on a tilted, unevenly scaled leaf, its connected frame, and the leaf."""
    post = add_cube("Post", (3.1, 0.17, 1.03), scale=(0.05, 0.05, 1.0))
    leaf = add_cube("Leaf", (3.6, 0.2, 1.01), rotation=(0.1, -0.2, 0.7), scale=(0.45, 0.03, 0.9))
    joint = add_joint(leaf, post, preset="HINGE")
    return joint, joint.omi_joint.connected_object, leaf


def in_collection(obj: Any) -> Any:
    """Return a collection of its own that an object was moved to."""
    found = bpy.data.collections.new("Apart")
    bpy.context.scene.collection.children.link(found)
    for each in [*obj.users_collection]:
        each.objects.unlink(obj)
    found.objects.link(obj)
    return found


def disable(obj: Any) -> None:
    obj.hide_viewport = True


def disable_collection(obj: Any) -> None:
    in_collection(obj).hide_viewport = True


def exclude_collection(obj: Any) -> None:
    name = in_collection(obj).name
    bpy.context.view_layer.layer_collection.children[name].exclude = True


WAYS = pytest.mark.parametrize("way", [disable, disable_collection, exclude_collection])


def save_and_open(path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.open_mainfile(filepath=str(path))
    bpy.context.view_layer.update()


def worlds_in_gltf(path: Path) -> dict[str, Matrix]:
    """Return where the exporter puts nodes, in Blender's axes."""
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE", export_yup=False)
    nodes = json.loads(path.read_text())["nodes"]
    found: dict[str, Matrix] = {}

    def visit(number: int, above: Matrix) -> None:
        node = nodes[number]
        x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
        place, size = node.get("translation", (0.0,) * 3), node.get("scale", (1.0,) * 3)
        found[node["name"]] = above @ Matrix.LocRotScale(place, Quaternion((w, x, y, z)), size)
        for child in node.get("children", ()):
            visit(child, found[node["name"]])

    below = {child for node in nodes for child in node.get("children", ())}
    for number in range(len(nodes)):
        if number not in below:
            visit(number, Matrix())
    return found


def live_place(obj: Any) -> Any:
    """Return the world matrix of an object in the live view of the scene."""
    live = shown_scene(bpy.context.scene)
    return live.nodes.matrices[live.nodes.numbers[obj.session_uid]]


@WAYS
@pytest.mark.parametrize("part", [0, 1, 2], ids=["joint", "connected", "body"])
def test_what_is_disabled_is_in_its_place_when_the_file_is_opened(
    way: Callable[[Any], None], part: int, tmp_path: Path
) -> None:
    parts = add_gate()
    names = [each.name for each in parts]
    known = {each.name: rows(each.matrix_world) for each in parts}
    way(parts[part])
    save_and_open(tmp_path / "gate.blend")
    for name in names:
        obj = bpy.data.objects[name]
        assert np.allclose(rows(world_matrix(obj)), known[name], atol=1e-6), name
        assert np.allclose(live_place(obj), known[name], atol=1e-6), name


@WAYS
def test_what_is_disabled_follows_its_parent(way: Callable[[Any], None]) -> None:
    joint, _, _ = add_gate()
    shown_scene(bpy.context.scene)
    body = joint.parent
    local = body.matrix_world.inverted() @ joint.matrix_world
    way(joint)
    bpy.context.view_layer.update()
    body.location.x += 1.37
    body.rotation_euler.z -= 0.4
    bpy.context.view_layer.update()
    expected = rows(body.matrix_world @ local)
    assert np.allclose(rows(world_matrix(joint)), expected, atol=1e-5)
    assert np.allclose(live_place(joint), expected, atol=1e-5)
    joint.location.z -= 0.3
    bpy.context.view_layer.update()
    assert np.allclose(live_place(joint), rows(world_matrix(joint)), atol=1e-6)
    assert not np.allclose(live_place(joint), expected, atol=0.1)


@WAYS
def test_what_is_disabled_stays_when_transforms_are_applied(
    way: Callable[[Any], None], tmp_path: Path
) -> None:
    joint, connected, _ = add_gate()
    names = joint.name, connected.name
    known = [rows(joint.matrix_world), rows(connected.matrix_world)]
    way(joint)
    save_and_open(tmp_path / "gate.blend")
    shown_scene(bpy.context.scene)
    objects = [each for each in bpy.context.view_layer.objects if each.visible_get()]
    select(*objects)
    bpy.ops.object.transform_apply("EXEC_DEFAULT", True, location=True, rotation=True, scale=True)
    bpy.context.view_layer.update()
    for name, place in zip(names, known, strict=True):
        assert np.allclose(rows(world_matrix(bpy.data.objects[name])), place, atol=1e-5), name


def test_a_disabled_child_of_a_bone_is_in_its_place(tmp_path: Path) -> None:
    bpy.ops.object.armature_add(location=(0.3, -0.2, 1.1))
    rig = bpy.context.object
    bone = rig.pose.bones[0]
    bone.rotation_mode, bone.rotation_euler.x = "XYZ", 0.6
    child = bpy.data.objects.new("Child", None)
    bpy.context.scene.collection.objects.link(child)
    child.parent, child.parent_type, child.parent_bone = rig, "BONE", bone.name
    child.location = (0.11, 0.02, -0.3)
    bpy.context.view_layer.update()
    known = rows(child.matrix_world)
    child.hide_viewport = True
    save_and_open(tmp_path / "bone.blend")
    assert np.allclose(rows(world_matrix(bpy.data.objects["Child"])), known, atol=1e-6)


def test_what_a_parent_that_is_gone_left_behind_does_not_count(tmp_path: Path) -> None:
    """Blender looks at the inverse of a parent below one only."""
    one = add_cube("One", (0.3, -0.7, 1.9), rotation=(0.2, 0.1, -0.4))
    one.matrix_parent_inverse = Matrix.Translation((-2.1, -0.4, -0.6))
    bpy.context.view_layer.update()
    known = rows(one.matrix_world)
    disable(one)
    save_and_open(tmp_path / "one.blend")
    assert np.allclose(rows(world_matrix(bpy.data.objects["One"])), known, atol=1e-6)


def test_files_have_what_is_disabled_in_its_place(tmp_path: Path) -> None:
    joint, connected, leaf = add_gate()
    known = {each.name: each.matrix_world.translation.copy() for each in (joint, connected, leaf)}
    for each in (joint, connected, leaf):
        disable(each)
    save_and_open(tmp_path / "gate.blend")
    nodes = worlds_in_gltf(tmp_path / "gate.gltf")
    for name, place in known.items():
        assert (nodes[name].translation - place).length < 1e-4, name
    (read,) = BLEND.read(Source(tmp_path / "gate.blend"))
    matrices = dict(zip(read.scene.names, read.scene.matrices, strict=True))
    for name, place in known.items():
        assert np.allclose(matrices[name][:3, 3], place, atol=1e-5), name
    assert "OMI-J303" not in {found.code for found in read.findings}


def test_undo_leaves_what_is_disabled_in_its_place() -> None:
    joint, _, leaf = add_gate()
    disable(joint)
    bpy.context.view_layer.update()
    known, name = rows(joint.matrix_world), joint.name
    bpy.ops.ed.undo_push(message="gate")
    select(leaf)
    bpy.ops.transform.translate(value=(0.7, 0.0, 0.1))
    bpy.ops.ed.undo_push(message="moved")
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    assert np.allclose(rows(world_matrix(bpy.data.objects[name])), known, atol=1e-5)


def test_what_is_only_hidden_is_where_blender_evaluates_it() -> None:
    """To the last digit, below others that are hidden; and where Bullet has it."""
    base = add_cube("Base", (0.3, -0.7, 1.9), rotation=(1.3, 0.1, -0.4), scale=(0.3, 0.5, 0.7))
    arm = add_cube("Arm", (1.7, 0.4, 0.9), rotation=(0.2, -0.8, 2.1), scale=(0.4, 0.6, 0.2))
    arm.parent, arm.matrix_parent_inverse = base, base.matrix_world.inverted()
    ball = add_cube("Ball", (5.0, 0.0, 9.0))
    bpy.ops.rigidbody.world_add()
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    for frame in range(1, 20):
        bpy.context.scene.frame_set(frame)
    assert ball.matrix_world.translation.z < 8.0
    known = [rows(each.matrix_world) for each in (base, arm, ball)]
    for each in (base, arm, ball):
        each.hide_set(True)
    bpy.context.view_layer.update()
    assert [rows(world_matrix(each)) for each in (base, arm, ball)] == known
