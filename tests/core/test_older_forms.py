"""Bodies and shapes in forms that the extensions had before; joints are in test_older_joints."""

import copy
import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.body import MotionType
from omi_joints_addon.core.model.pose import rotation_matrix
from omi_joints_addon.core.model.shape import Box, Capsule, Convex, Cylinder, Sphere, Trimesh
from omi_joints_addon.io.formats.gltf.document import ALL_DIALECTS, scene_from_document
from omi_joints_addon.io.formats.gltf.document_nodes import DocumentNodes
from omi_joints_addon.io.formats.gltf.older.parts import DOCUMENT, NODE, PARTS
from omi_joints_addon.io.formats.gltf.older.upgrade import upgrade
from omi_joints_addon.io.formats.gltf.older.values import principal_inertia
from tests.core.strategies import json_values

MESHES = [{"primitives": []}, {"primitives": []}]


def document_of(nodes, extensions, **members):
    names = {
        name
        for owner in (*nodes, {"extensions": extensions})
        for name in owner.get("extensions", ())
    }
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": sorted(names),
        "extensions": extensions,
        "nodes": nodes,
        "meshes": MESHES,
        **members,
    }


def read(nodes, extensions, **members):
    """Return the scene of a document and the codes of its findings; the document stays as it is."""
    document = document_of(nodes, extensions, **members)
    before = copy.deepcopy(document)
    found = scene_from_document(document)
    assert document == before
    return found.scene, sorted(each.code for each in found.findings), found


def node(children=(), **extensions):
    return {"extensions": extensions} | ({"children": list(children)} if children else {})


def bare_body(type_, **members):
    return {"OMI_physics_body": {"type": type_, **members}}


class TestBodiesOf2023:
    @pytest.mark.parametrize(
        ("word", "type_"),
        [
            ("rigid", MotionType.DYNAMIC),
            ("vehicle", MotionType.DYNAMIC),
            ("dynamic", MotionType.DYNAMIC),
            ("character", MotionType.KINEMATIC),
            ("kinematic", MotionType.KINEMATIC),
            ("static", MotionType.STATIC),
        ],
    )
    def test_types_are_those_of_today(self, word, type_):
        scene, codes, _ = read([node(**bare_body(word, mass=2.5))], {})
        assert scene.motions[0].type == type_
        assert scene.motions[0].mass == 2.5
        assert codes == ["OMI-J447"]

    def test_shapes_below_belong_to_the_body(self):
        shapes = {"OMI_physics_shape": {"shapes": [{"type": "box", "box": {"size": [1, 2, 3]}}]}}
        nodes = [
            node([1], **bare_body("rigid", linearVelocity=[0, 3, 0])),
            node(OMI_physics_shape={"shape": 0}),
        ]
        scene, codes, found = read(nodes, shapes)
        assert scene.motions[0].linear_velocity == (0.0, 0.0, 3.0)
        assert scene.colliders[1].shape == Box(size=(1.0, 3.0, 2.0))
        assert not scene.triggers
        assert codes == ["OMI-J447", "OMI-J447"]
        assert found.document["extensionsUsed"] == ["OMI_physics_body", "OMI_physics_shape"]

    def test_a_body_that_is_a_trigger_consists_of_the_shapes_below(self):
        shapes = {"OMI_physics_shape": {"shapes": [{"type": "hull", "mesh": 1}]}}
        nodes = [
            node([1], **bare_body("trigger")),
            {"children": [2]},
            node(OMI_physics_shape={"shape": 0}),
        ]
        scene, _, _ = read(nodes, shapes, scenes=[{"nodes": [0]}])
        assert scene.triggers[0].nodes == (2,)
        assert scene.triggers[2].shape == Convex(mesh=1)
        assert (scene.motions, scene.colliders) == ({}, {})

    def test_inertia_tensor_becomes_moments_about_turned_axes(self):
        tensor = [3.0, 1.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 7.0]
        made = principal_inertia(tensor)
        axes = rotation_matrix(np.array(made["inertiaOrientation"]))
        again = axes @ np.diag(made["inertiaDiagonal"]) @ axes.T
        assert again == pytest.approx(np.array(tensor).reshape(3, 3))
        assert np.linalg.det(axes) == pytest.approx(1.0)
        assert principal_inertia([0.0] * 9) == {}
        assert principal_inertia([2, 0, 0, 0, 3, 0, 0, 0, 4]) == {"inertiaDiagonal": [2, 3, 4]}

    def test_triggers_without_shape_consist_of_those_below(self):
        """As Godot 4.3 to 4.6 write areas."""
        shapes = {"OMI_physics_shape": {"shapes": [{"type": "sphere", "sphere": {"radius": 2}}]}}
        nodes = [
            node([1], OMI_physics_body={"trigger": {}}),
            node(OMI_physics_body={"trigger": {"shape": 0}}),
        ]
        scene, codes, _ = read(nodes, shapes)
        assert scene.triggers[0].nodes == (1,)
        assert codes == ["OMI-J447"]


class TestColliders:
    def test_each_type_has_the_sizes_of_its_time(self):
        colliders = [
            {"type": "box", "size": [1, 2, 3]},
            {"type": "sphere", "radius": 0.7},
            {"type": "capsule", "radius": 0.3, "height": 1.8},
            {"type": "cylinder", "radius": 0.4, "height": 1.1},
            {"type": "hull", "mesh": 0},
            {"type": "trimesh", "mesh": 1, "isTrigger": True},
        ]
        nodes = [node(OMI_collider={"collider": index}) for index in range(6)]
        scene, codes, found = read(nodes, {"OMI_collider": {"colliders": colliders}})
        assert [scene.colliders[index].shape for index in range(5)] == [
            Box(size=(1.0, 3.0, 2.0)),
            Sphere(radius=0.7),
            Capsule(height=pytest.approx(1.2), radius_bottom=0.3, radius_top=0.3),
            Cylinder(height=1.1, radius_bottom=0.4, radius_top=0.4),
            Convex(mesh=0),
        ]
        assert scene.triggers[5].shape == Trimesh(mesh=1)
        assert codes == ["OMI-J447"]
        assert found.document["extensionsUsed"] == ["OMI_physics_body", "OMI_physics_shape"]

    def test_those_of_2022_have_half_sizes_centers_and_middles(self):
        colliders = [
            {"type": "box", "extents": [0.5, 1.0, 1.5], "center": [0.0, 4.0, 0.0]},
            {"type": "mesh", "mesh": 0},
            {"type": "capsule", "radius": 2.0, "height": None},
        ]
        nodes = [node(OMI_collider={"collider": index}) for index in range(3)]
        nodes[0] |= {"name": "Wall", "translation": [1.0, 0.0, 0.0]}
        scene, _, _ = read(nodes, {"OMI_collider": {"colliders": colliders}})
        assert scene.names[3] == "Wall Collider"
        assert scene.matrices[3, :3, 3] == pytest.approx((1.0, 0.0, 4.0))
        assert scene.colliders[3].shape == Box(size=(1.0, 3.0, 2.0))
        assert scene.colliders[1].shape == Trimesh(mesh=0)
        assert scene.colliders[2].shape == Capsule(height=1.0, radius_bottom=2.0, radius_top=2.0)

    def test_shapes_on_nodes_themselves_are_shared_where_equal(self):
        nodes = [node(OMI_collider={"type": "sphere", "radius": 0.4}) for _ in range(2)]
        scene, _, found = read(nodes, {})
        assert scene.colliders[1].shape == Sphere(radius=0.4)
        assert len(found.document["extensions"]["OMI_physics_shape"]["shapes"]) == 1

    def test_a_trigger_setting_of_its_own_counts(self):
        colliders = [{"type": "sphere"}, {"type": "sphere", "isTrigger": True}]
        nodes = [
            node([1, 2], **bare_body("static")),
            node(OMI_collider={"collider": 0}),
            node(OMI_collider={"collider": 1}),
        ]
        scene, _, _ = read(nodes, {"OMI_collider": {"colliders": colliders}})
        assert (set(scene.colliders), set(scene.triggers)) == ({1}, {2})

    def test_an_older_twin_of_todays_form_is_left_alone(self):
        extensions = {
            "OMI_collider": {"colliders": [{"type": "sphere", "radius": 9.0}]},
            "OMI_physics_shape": {"shapes": [{"type": "sphere", "sphere": {"radius": 0.3}}]},
        }
        twin = {"OMI_collider": {"collider": 0}, "OMI_physics_body": {"collider": {"shape": 0}}}
        scene, codes, _ = read([node(**twin)], extensions)
        assert scene.colliders[0].shape == Sphere(radius=0.3)
        assert codes == []


class TestCapsules:
    def read_capsule(self, **sizes):
        shapes = {"OMI_physics_shape": {"shapes": [{"type": "capsule", "capsule": sizes}]}}
        body = node(OMI_physics_body={"collider": {"shape": 0}})
        scene, codes, found = read([body], shapes)
        return scene.colliders[0].shape, codes, found

    def test_one_radius_comes_with_the_whole_height(self):
        shape, codes, found = self.read_capsule(height=1.8, radius=0.3)
        assert shape == Capsule(height=pytest.approx(1.2), radius_bottom=0.3, radius_top=0.3)
        assert codes == ["OMI-J447"]
        # Godot reads just that.
        assert "OMI-E119" in found.as_read().exempt

    def test_radii_of_both_ends_come_with_that_of_the_middle(self):
        shape, codes, found = self.read_capsule(
            height=1.8, radius=0.3, radiusBottom=0.3, radiusTop=0.3
        )
        assert shape == Capsule(height=1.8, radius_bottom=0.3, radius_top=0.3)
        assert codes == []
        assert "OMI-E119" not in found.as_read().exempt

    def test_one_without_height_is_two_meters_tall(self):
        shape, _, _ = self.read_capsule(radius=0.3)
        assert shape.height == pytest.approx(1.4)

    def test_one_as_tall_as_wide_is_a_sphere(self):
        shape, codes, _ = self.read_capsule(radius=0.5, height=1.0)
        assert 0.0 < shape.height < 1e-5
        assert codes == ["OMI-J447"]


class TestKhronosDrafts:
    def test_shapes_that_were_meshes_are_geometries(self):
        shapes = [
            {"type": "convex", "convex": {"mesh": 1}},
            {"type": "sphere", "sphere": {"radius": 0.4}},
            {"type": "mesh", "mesh": {"mesh": 0, "convexHull": True, "skin": 0}},
            {
                "type": "mesh",
                "mesh": {"mesh": 0},
                "extensions": {"KHR_physics_rigid_bodies": {"convexHull": True}},
            },
            {"type": "trimesh", "trimesh": {"mesh": 1}},
        ]
        nodes = [node(KHR_physics_rigid_bodies={"collider": {"shape": n}}) for n in range(5)]
        nodes.append(node(KHR_physics_rigid_bodies={"trigger": {"mesh": {"mesh": 1}}}))
        scene, codes, _ = read(nodes, {"KHR_collision_shapes": {"shapes": shapes}})
        assert [scene.colliders[index].shape for index in range(5)] == [
            Convex(mesh=1),
            Sphere(radius=0.4),
            Convex(mesh=0),
            Convex(mesh=0),
            Trimesh(mesh=1),
        ]
        assert scene.triggers[5].shape == Trimesh(mesh=1)
        assert codes == ["OMI-J447", "OMI-J447", "OMI-J498"]

    def test_a_shape_that_the_file_lacks_is_no_mesh_of_another(self):
        nodes = [
            node(KHR_physics_rigid_bodies={"collider": {"geometry": {"mesh": 0}}}),
            node(KHR_physics_rigid_bodies={"collider": {"geometry": {"shape": 0}}}),
        ]
        scene, codes, _ = read(nodes, {})
        assert scene.colliders[1].shape is None
        assert codes == ["OMI-S003"]

    def test_names_of_2023(self):
        root = {
            "physicsMaterials": [{"restitutionCombine": "MAXIMUM", "restitution": 0.3}],
            "physicsJointLimits": [
                {
                    "limits": [
                        {"linearAxes": [0], "max": 1.5, "springConstant": 7, "springDamping": 2}
                    ]
                }
            ],
        }
        nodes = [
            node([1], MSFT_rigid_bodies={"motion": {"mass": 3}, "collider": {"collider": 0}}),
            node(MSFT_rigid_bodies={"joint": {"jointLimits": 0, "connectedNode": 2}}),
            node(MSFT_rigid_bodies={"collider": {"collider": 0, "physicsMaterial": 0}}),
        ]
        capsule = {"height": 1.5, "radiusBottom": 0.2, "radiusTop": 0.3}
        extensions = {
            "MSFT_rigid_bodies": root,
            "MSFT_collision_primitives": {"colliders": [{"type": "capsule", "capsule": capsule}]},
        }
        scene, codes, found = read(nodes, extensions)
        assert scene.motions[0].mass == 3.0
        assert scene.colliders[0].shape == Capsule(height=1.5, radius_bottom=0.2, radius_top=0.3)
        assert scene.colliders[2].material.restitution_combine == "maximum"
        (limit,) = scene.joints[0].settings.limits
        assert (limit.max, limit.stiffness, limit.damping) == (1.5, 7.0, 2.0)
        assert codes == ["OMI-J447", "OMI-J447"]
        used = ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"]
        assert found.document["extensionsUsed"] == used

    def test_the_first_draft_with_everything_on_nodes(self):
        filter_ = {"collisionSystem": "a", "collideWithLayers": ["b"]}
        nodes = [
            node(
                MSFT_physics={
                    "rigidBody": {"mass": 4, "isEnabled": True, "centerOfMass": [0, 1, 0]},
                    "collider": {"cylinder": {"height": 2.5, "radius": 0.4}, **filter_},
                    "joint": {"constraints": [{"linearAxes": [0, 1, 2], "max": 0, "min": 0}]},
                }
            )
        ]
        scene, codes, _ = read(
            nodes,
            {"MSFT_physics": {"physicsMaterials": [{}]}},
            scenes=[{"nodes": [0], "extensions": {"MSFT_physics": {"gravity": [0, -1.62, 0]}}}],
        )
        shape = Cylinder(height=2.5, radius_bottom=0.4, radius_top=0.4)
        assert scene.colliders[0].shape == shape
        declared = scene.colliders[0].collision_filter
        assert (declared.collision_systems, declared.collide_with_systems) == (("a",), ("b",))
        # Without a connected node a joint was to a fixed point of the world.
        (joint,) = scene.joints
        assert scene.names[joint.connected] == "Node 0 World"
        assert codes == ["OMI-J447"]

    def test_what_no_form_of_today_has_is_named(self):
        body = {"rigidBody": {"isEnabled": False}, "collider": {"sphere": {}, "isHollow": True}}
        _, codes, found = read([node(MSFT_physics=body)], {})
        assert codes == ["OMI-B041", "OMI-J447", "OMI-J498", "OMI-J498"]
        names = {str(each.message).split(" of ")[0] for each in found.findings}
        assert {"isEnabled", "isHollow"} <= names


def test_the_manual_has_a_row_for_each_member(repository):
    command = [sys.executable, "tools/forms_table.py", "--check"]
    done = subprocess.run(command, cwd=repository, check=False)
    assert done.returncode == 0, "run tools/forms_table.py"


@given(st.data())
def test_any_value_is_read_without_exception(data):
    documents = {part.extension for part in PARTS if part.owner == DOCUMENT}
    nodes = {part.extension for part in PARTS if part.owner == NODE}
    members = sorted({row.path.split(".")[0].removesuffix("[]") for p in PARTS for row in p.rows})
    value = json_values | st.integers(0, 1)
    values = st.dictionaries(st.sampled_from(members), value | st.lists(value, max_size=2))
    owner = data.draw(st.dictionaries(st.sampled_from(sorted(nodes)), values | json_values))
    root = data.draw(st.dictionaries(st.sampled_from(sorted(documents)), values | json_values))
    document = {"nodes": [{"extensions": owner}, {"children": [0]}], "extensions": root}
    upgraded = upgrade(document, DocumentNodes(document), ALL_DIALECTS).document
    json.dumps(upgraded)
    scene_from_document(document)


def test_a_mesh_of_minus_one_is_none():
    shapes = {"OMI_physics_shape": {"shapes": [{"type": "convex", "convex": {"mesh": -1}}]}}
    scene, codes, _ = read([node(OMI_physics_body={"collider": {"shape": 0}})], shapes)
    assert "OMI-J421" not in codes
    assert scene.colliders[0].shape is None or scene.colliders[0].shape.mesh is None


def test_a_motion_without_type_is_named_in_plain_words():
    _, _, found = read([node(OMI_physics_body={"motion": {"mass": 2.5}})], {})
    assert [str(each.message) for each in found.findings] == [
        "the motion has no type, so 'dynamic' is used"
    ]
