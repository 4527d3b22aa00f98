"""What collides in a simulation: shapes as the scene has them, wherever their objects are."""

import math

import bpy
import numpy as np
import pytest

from omi_joints_addon import scene as scenes
from omi_joints_addon.core.model.shape import Box, Convex, Trimesh
from omi_joints_addon.scene.live import LiveScene
from omi_joints_addon.scene.watch import live_scene
from tests.blender.scenes import add_cube, add_joint, select
from tests.rigs import ARM, activate, add_rig

pytestmark = pytest.mark.usefixtures("empty_scene")


def make_body(obj, motion="DYNAMIC", shape="GUESS"):
    select(obj)
    assert bpy.ops.omi.body_add(motion_type=motion, shape=shape) == {"FINISHED"}
    return obj


def solids(*, floor=False):
    """Return the live scene with what collides in it."""
    bpy.context.view_layer.update()
    live: LiveScene = live_scene(bpy.context.scene)
    live.suspect_all()
    live.settle(bpy.context.scene)
    core = scenes.partial.live_to_core(live)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    parts = scenes.solid_scene.solid_parts(live, core, bpy.context.scene, depsgraph, floor=floor)
    return parts.with_motions(core)


def extent(scene, node):
    """Return the least and largest coordinates of a collider in the world."""
    shape, matrix = scene.colliders[node].shape, scene.matrices[node]
    if isinstance(shape, Box):
        half = np.abs(matrix[:3, :3]) @ np.array(shape.size) / 2.0
        return np.array((matrix[:3, 3] - half, matrix[:3, 3] + half))
    points = scene.meshes[shape.mesh].read().points @ matrix[:3, :3].T + matrix[:3, 3]
    return np.array((points.min(axis=0), points.max(axis=0)))


def colliders_of(scene, name):
    """Return the nodes of the colliders that are a body's, named as in Blender."""
    body = scene.names.index(name)
    return [node for node in scene.colliders if int(scene.bodies()[node]) == body]


def test_a_scaled_box_off_its_origin_is_where_it_is_seen():
    cube = add_cube("Crate", (1.0, 2.0, 3.0))
    for vertex in cube.data.vertices:
        vertex.co.x += 0.5
    cube.scale = (2.0, 1.0, 0.5)
    make_body(cube, shape="BOX")
    scene = solids()
    (node,) = colliders_of(scene, "Crate")
    expected = [(0.0, 1.0, 2.5), (4.0, 3.0, 3.5)]
    np.testing.assert_allclose(extent(scene, node), expected, atol=1e-6)


def test_meshes_are_those_that_modifiers_make():
    cube = add_cube("Wall", (0.0, 0.0, 1.0))
    array = cube.modifiers.new("Array", "ARRAY")
    array.count, array.relative_offset_displace = 3, (1.0, 0.0, 0.0)
    make_body(cube, "STATIC", shape="TRIMESH")
    scene = solids()
    (node,) = colliders_of(scene, "Wall")
    assert isinstance(scene.colliders[node].shape, Trimesh)
    np.testing.assert_allclose(extent(scene, node), [(-1, -1, 0), (5, 1, 2)], atol=1e-6)


def test_shapes_of_children_are_those_of_their_body():
    body = make_body(add_cube("Body", (0.0, 0.0, 0.0)))
    part = make_body(add_cube("Part", (4.0, 0.0, 0.0)), shape="CONVEX")
    part.omi_body.motion_type = "NONE"
    part.parent = body
    scene = solids()
    nodes = colliders_of(scene, "Body")
    assert len(nodes) == 2
    assert any(isinstance(scene.colliders[node].shape, Convex) for node in nodes)
    np.testing.assert_allclose(max(extent(scene, node)[1][0] for node in nodes), 5.0)


def test_bones_of_a_ragdoll_have_colliders():
    rig = add_rig("Rig", ARM)
    activate(rig)
    assert bpy.ops.omi.ragdoll_add() == {"FINISHED"}
    scene = solids()
    owners = {scene.names[int(scene.bodies()[node])] for node in scene.colliders}
    assert {"upper", "lower"} <= owners


def test_pairs_that_do_not_collide_are_numbered_as_the_scene():
    one, other = (make_body(add_cube(name, (0.0, 0.0, 0.0))) for name in ("One", "Other"))
    one.omi_body.excluded.add().body = other
    scene = solids()
    names = [{scene.names[node] for node in pair} for pair in scene.excluded_pairs]
    assert names == [{"One", "Other"}]


def test_nodes_keep_their_numbers():
    wall, door = add_cube("Wall", (0, 0, 0)), add_cube("Door", (3, 0, 0))
    add_joint(wall, door, preset="HINGE")
    for vertex in door.data.vertices:
        vertex.co.x += 1.0
    make_body(door, shape="BOX")
    scene, live = solids(floor=True), live_scene(bpy.context.scene)
    assert len(scene.names) > len(live.nodes.objects)
    assert [obj.name for obj in live.nodes.objects] == list(scene.names[: len(live.nodes.objects)])


@pytest.mark.parametrize(
    ("height", "turn", "expected"),
    [(5.0, 0.0, 0.0), (-3.0, 0.0, -4.0), (-3.0, math.pi / 4, -3.0 - math.sqrt(2.0))],
)
def test_a_floor_is_at_the_origin_or_below_the_lowest_collider(height, turn, expected):
    make_body(add_cube("Cube", (0.0, 0.0, height), rotation=(turn, 0.0, 0.0)), shape="BOX")
    add_cube("Backdrop", (0.0, 0.0, -50.0))
    scene = solids(floor=True)
    floor = len(scene.names) - 1
    assert scene.names[floor] == "Floor"
    assert int(scene.bodies()[floor]) == -1
    assert extent(scene, floor)[1][2] == pytest.approx(expected, abs=1e-6)
    assert "Floor" not in solids().names
