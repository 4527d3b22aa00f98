"""Scenes of core built as Blender objects."""

import math
from dataclasses import replace

import bpy
import numpy as np
import pytest

from omi_joints_addon.authoring.build import build_scene
from omi_joints_addon.core.checks.differences import differences
from omi_joints_addon.core.checks.matching import matched_by_name
from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.mesh import Mesh, MeshData
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule, Cylinder, Sphere, Trimesh
from omi_joints_addon.core.shapes.surface import shape_surface
from omi_joints_addon.io.formats.origins import Origin
from tests.blender.full_scene import full_scene, scene_now
from tests.core.test_mesh_files import TETRAHEDRON


def test_everything_that_blender_holds_comes_back():
    scene = full_scene()
    built = build_scene(bpy.context, scene, name="Full")
    assert built.problems == []
    core = scene_now()
    left = differences(scene, core, matched_by_name(scene, core))
    # A scene of Blender has a name and a gravity of its own.
    assert [difference.noun for difference in left] == [Noun.NAME]
    assert core.meshes[0].read().points == pytest.approx(TETRAHEDRON.points)


def test_building_changes_nothing_that_is_there():
    build_scene(bpy.context, full_scene(), name="First")
    before = scene_now()
    build_scene(bpy.context, full_scene(), name="First")
    names = [collection.name for collection in bpy.context.scene.collection.children]
    assert names == ["First", "First.001"]
    after = scene_now()
    assert differences(before, after, matched_by_name(before, after)) == []
    assert len(after.joints) == 4


def test_gravity_is_set_where_asked_for():
    scene = replace(full_scene(), gravity=(0.0, 0.0, -1.5))
    build_scene(bpy.context, scene, name="Moon", sets_gravity=True)
    assert scene_now().gravity == (0.0, 0.0, -1.5)


def test_meshes_that_cannot_be_read_cost_only_themselves():
    def missing() -> MeshData:
        raise ValueError("the file does not exist")

    scene = replace(full_scene(), meshes=(Mesh(name="Gone", read=missing),))
    built = build_scene(bpy.context, scene, name="Full")
    assert built.problems == ["Gone: the file does not exist"]
    assert len(scene_now().joints) == 2


def test_joints_that_share_settings_share_them_in_blender():
    settings = hinge()
    scene = full_scene()
    shared = tuple(
        replace(joint, settings=settings, settings_place="/physicsJoints/0")
        for joint in scene.joints
    )
    build_scene(bpy.context, replace(scene, joints=shared), name="Full")
    assert bpy.data.objects["Slider"].omi_joint.settings_source == bpy.data.objects["Joint"]


def test_parents_in_a_circle_lose_one():
    scene = PhysicsScene(
        names=("A", "B"), parents=np.array([1, 0]), matrices=np.tile(np.eye(4), (2, 1, 1))
    )
    build_scene(bpy.context, scene, name="Circle")
    assert sum(obj.parent is not None for obj in bpy.data.objects) == 1


@pytest.mark.parametrize(
    "shape",
    [
        Box(size=(1.0, 2.0, 3.0)),
        Sphere(radius=0.7),
        Cylinder(height=2.0, radius_bottom=0.5, radius_top=0.3),
        Cylinder(height=2.0, radius_bottom=0.5, radius_top=0.0),
        Capsule(height=1.0, radius_bottom=0.5, radius_top=0.3),
        Capsule(height=0.1, radius_bottom=0.5, radius_top=0.1),
    ],
)
def test_surfaces_of_primitives_are_closed_and_as_large_as_the_shape(shape):
    from omi_joints_addon.core.shapes.inertia import mesh_solid, primitive_solid

    surface = shape_surface(shape)
    solid, exact = mesh_solid(surface.points, surface.triangles), primitive_solid(shape)
    assert solid.volume == pytest.approx(exact.volume, rel=0.05)
    a, b, c = surface.points[surface.triangles].transpose(1, 0, 2)
    assert float(np.einsum("ij,ij->", a, np.cross(b, c))) > 0.0
    assert shape_surface(Trimesh()) is None


def test_objects_turned_to_the_lock_of_euler_angles_stay_where_the_file_has_them():
    turn = Origin(rpy=(0.3, math.pi / 2.0 - 1e-4, 0.7)).matrix()
    scene = PhysicsScene(
        names=("arm",),
        parents=np.array([-1]),
        matrices=turn[None],
        motions={0: Motion()},
    )
    built = build_scene(bpy.context, scene, name="Arm")
    assert np.array(built.objects[0].matrix_world) == pytest.approx(turn, abs=1e-6)
