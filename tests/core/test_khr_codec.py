"""KHR_physics_rigid_bodies and KHR_implicit_shapes: what is read and what is written."""

import json
import math
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.meaning.presets import position_servo
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.joint import JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.shape import (
    Box,
    Capsule,
    Convex,
    Cylinder,
    OtherShape,
    Sphere,
    Trimesh,
)
from omi_joints_addon.io.formats.gltf.khr import implicit_shapes as khr_implicit_shapes
from omi_joints_addon.io.formats.gltf.khr.geometry import GeometryReader, GeometryWriter
from omi_joints_addon.io.formats.gltf.khr.rigid_bodies import (
    NodePhysics,
    document_from_json,
    document_to_json,
    khr_settings,
    node_from_json,
    node_to_json,
    settings_from_json,
    settings_to_json,
)
from omi_joints_addon.io.formats.gltf.members import CodecError
from omi_joints_addon.io.formats.gltf.omi.body import NodeBody, NodeCollider, NodeTrigger
from omi_joints_addon.io.formats.gltf.omi.joint import NodeJoint
from omi_joints_addon.io.formats.gltf.omi.shape import ShapesDocument
from tests.core.strategies import carried, doubles, joint_settings, json_values
from tests.schemas import schema_errors

ORIGINAL = "OMI_physics_joint"
SHAPES = (Box(size=(1.0, 2.0, 3.0)), Sphere(), Convex(mesh=4), Trimesh(mesh=4))
VECTORS = st.tuples(doubles, doubles, doubles)
MOTIONS = st.builds(
    Motion,
    type=st.sampled_from(("static", "kinematic", "dynamic", "VENDOR_soft")),
    mass=st.floats(1e-3, 1e6),
    center_of_mass=VECTORS,
    inertia_diagonal=st.tuples(*3 * (st.floats(0.0, 9.0),)),
    linear_velocity=VECTORS,
    gravity_factor=doubles,
    carried=carried,
)
INDICES = st.none() | st.integers(0, 3)
COLLIDERS = st.builds(
    NodeCollider, shape=INDICES, physics_material=INDICES, collision_filter=INDICES, carried=carried
)
TRIGGERS = st.builds(
    NodeTrigger,
    shape=INDICES,
    nodes=st.lists(st.integers(0, 9), unique=True, max_size=3).map(tuple),
    collision_filter=INDICES,
    carried=carried,
)
JOINTS = st.builds(
    NodeJoint,
    joint=st.integers(0, 9),
    connected_node=st.integers(0, 9),
    enable_collision=st.booleans(),
    carried=st.just(""),
)
PARTS = {
    "motion": st.none() | MOTIONS,
    "collider": st.none() | COLLIDERS,
    "trigger": st.none() | TRIGGERS,
    "carried": st.just(""),
}
NODES = st.builds(NodePhysics, body=st.builds(NodeBody, **PARTS), joint=st.none() | JOINTS)


def reader() -> GeometryReader:
    return GeometryReader(SHAPES[:2], [None, 7, 4])


def writer() -> GeometryWriter:
    return GeometryWriter(SHAPES, {4: 2}.__getitem__)


def node_of(value, geometries=None):
    physics, findings = node_from_json(value, "/n", geometries or reader())
    return physics, [found.code for found in findings]


def by_shape(physics, shapes):
    """Return a node with shapes in place of their indices."""
    body = physics.body
    found = [
        None if part is None or part.shape is None else shapes[part.shape]
        for part in (body.collider, body.trigger)
    ]
    parts = [part and part._replace(shape=None) for part in (body.collider, body.trigger)]
    return body.motion, parts, found, physics.joint


class TestJoints:
    @given(joint_settings)
    def test_settings_written_and_read_are_the_same(self, settings):
        text = json.dumps(settings_to_json(settings), allow_nan=False)
        assert settings_from_json(json.loads(text), "/s") == (settings, [])

    @given(settings=joint_settings)
    def test_written_settings_satisfy_the_schema(self, settings, schemas):
        value = json.loads(json.dumps(settings_to_json(settings)))
        document = {"extensions": {"KHR_physics_rigid_bodies": {"physicsJoints": [value]}}}
        assert schema_errors(document, schemas) == []

    def test_weld_over_both_kinds_of_axes_is_written_as_two_limits(self):
        weld = JointLimit(linear_axes=(0, 1, 2), angular_axes=(0, 1, 2), min=0.0, max=0.0)
        value = settings_to_json(JointSettings(limits=(weld,)), keep_original=False)
        assert value == {
            "limits": [
                {"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0},
                {"angularAxes": [0, 1, 2], "min": 0.0, "max": 0.0},
            ]
        }

    def test_two_limits_of_a_file_stay_two(self):
        value = {
            "limits": [
                {"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0},
                {"angularAxes": [0, 1, 2], "min": 0.0, "max": 0.0},
            ]
        }
        settings, findings = settings_from_json(value, "/s")
        assert (len(settings.limits), findings, settings_to_json(settings)) == (2, [], value)

    def test_damped_servo_brakes_to_rest(self):
        # The law of OMI with a position target has the same damping term at velocity target 0.
        drive = JointDrive(position_target=0.5, stiffness=10.0, damping=2.0)
        value = settings_to_json(JointSettings(drives=(drive,)), keep_original=False)
        assert value["drives"] == [
            {
                "type": "linear",
                "mode": "force",
                "axis": 0,
                "positionTarget": 0.5,
                "stiffness": 10.0,
                "velocityTarget": 0.0,
                "damping": 2.0,
            }
        ]

    def test_targets_come_with_their_factors_even_when_these_are_zero(self):
        drive = JointDrive(position_target=0.5, velocity_target=1.0)
        (value,) = settings_to_json(JointSettings(drives=(drive,)))["drives"]
        assert (value["stiffness"], value["damping"]) == (0.0, 0.0)

    def test_factors_without_target_act_on_nothing_and_are_not_written(self):
        drive = JointDrive(stiffness=10.0, damping=2.0)
        value = settings_to_json(JointSettings(drives=(drive,)))
        assert value["drives"] == [{"type": "linear", "mode": "force", "axis": 0}]
        assert settings_from_json(value, "/s")[0].drives == (drive,)

    def test_servo_preset_needs_no_original(self):
        settings = position_servo()
        assert ORIGINAL not in settings_to_json(khr_settings(settings)).get("extras", {})

    def test_changed_value_counts_more_than_its_original(self):
        weld = JointLimit(linear_axes=(0,), angular_axes=(0,), min=0.0, max=0.0)
        value = settings_to_json(JointSettings(limits=(weld,)))
        value["limits"][0]["max"] = 0.25
        settings, _ = settings_from_json(value, "/s")
        assert [limit.max for limit in settings.limits] == [0.25, 0.0]

    def test_cone_stays_one_limit_and_absent_bounds_stay_unbounded(self):
        value = {
            "limits": [{"angularAxes": [0, 2], "max": 0.5}, {"linearAxes": [0, 1, 2], "max": 0.25}]
        }
        settings, findings = settings_from_json(value, "/s")
        assert findings == []
        assert settings.limits == (
            JointLimit(angular_axes=(0, 2), max=0.5),
            JointLimit(linear_axes=(0, 1, 2), max=0.25),
        )
        assert settings.limits[0].min == -math.inf
        written = settings_to_json(settings)["limits"]
        assert [(limit["min"], limit["max"]) for limit in written] == [(-0.5, 0.5), (0.0, 0.25)]

    @pytest.mark.parametrize(
        ("limit", "written"),
        [
            # Havok opens a cone without minimum to 167° and locks one with a minimum of 0.
            ({"angular_axes": (0, 1), "max": 0.5}, -0.5),
            ({"angular_axes": (0, 1), "max": 0.5, "min": 0.0}, -0.5),
            ({"angular_axes": (0, 1, 2), "max": 0.5}, -0.5),
            ({"linear_axes": (1, 2), "max": 0.5, "min": -2.0}, -0.5),
            # It holds a ball without minimum at 0.
            ({"linear_axes": (0, 1, 2), "max": 0.5}, 0.0),
            # These bound something.
            ({"angular_axes": (0, 1), "max": 0.5, "min": 0.25}, 0.25),
            ({"linear_axes": (0, 1, 2), "max": 0.0, "min": 0.0}, 0.0),
            ({"angular_axes": (2,), "max": 0.5}, None),
        ],
    )
    def test_minimum_that_clients_need_changes_nothing_when_read(self, limit, written):
        settings = JointSettings(limits=(JointLimit(**limit),))
        value = json.loads(json.dumps(settings_to_json(settings)))
        assert value["limits"][0].get("min") == written
        assert settings_from_json(value, "/s") == (settings, [])
        without = json.loads(json.dumps(settings_to_json(settings, keep_original=False)))
        (read,) = settings_from_json(without, "/s")[0].limits
        # A minimum above -inf draws OMI-J104 where the metric is never negative.
        is_idle = written is not None and written <= 0.0 and limit["max"] > 0.0
        assert read == replace(
            settings.limits[0], min=-math.inf if is_idle else limit.get("min", -math.inf)
        )

    def test_joint_without_limits_has_an_empty_list_of_them(self):
        # The extension author's loader refuses the whole file otherwise.
        assert settings_to_json(JointSettings())["limits"] == []


class TestNodes:
    @given(NODES)
    def test_node_written_and_read_is_the_same(self, physics):
        text = json.dumps(node_to_json(physics, writer()), allow_nan=False)
        geometries = reader()
        read, _ = node_of(json.loads(text), geometries)
        assert by_shape(read, geometries.shapes) == by_shape(physics, SHAPES)

    @given(physics=NODES)
    def test_written_node_satisfies_the_schema(self, physics, schemas):
        value = json.loads(json.dumps(node_to_json(physics, writer())))
        document = {"nodes": [{"extensions": {"KHR_physics_rigid_bodies": value}}]}
        assert schema_errors(document, schemas) == []

    def test_static_body_is_one_without_motion(self):
        physics = NodePhysics(body=NodeBody(motion=Motion(type="static")))
        assert node_to_json(physics, writer(), keep_original=False) == {}

    def test_mass_is_always_written(self):
        # Without it an engine works it out, while OMI's default is one kilogram.
        value = node_to_json(NodePhysics(body=NodeBody(motion=Motion())), writer())
        assert value == {"motion": {"mass": 1.0}}

    def test_joint_has_a_level_of_its_own_beside_the_motion(self):
        joint = NodeJoint(joint=3, connected_node=5)
        physics = NodePhysics(body=NodeBody(motion=Motion(type="kinematic")), joint=joint)
        assert node_to_json(physics, writer()) == {
            "motion": {"isKinematic": True, "mass": 1.0},
            "joint": {"joint": 3, "connectedNode": 5},
        }

    @pytest.mark.parametrize(
        ("motion", "expected", "codes"),
        [
            ({}, Motion(), ["OMI-B041"]),
            ({"mass": 0}, Motion(type="kinematic"), ["OMI-B042"]),
            ({"mass": 2, "inertiaDiagonal": [1, 0, 1]}, Motion(mass=2.0), ["OMI-B043"]),
            ({"mass": 2, "isKinematic": True}, Motion(type="kinematic", mass=2.0), []),
        ],
    )
    def test_motion_that_omi_cannot_say_is_kept_as_long_as_it_holds(self, motion, expected, codes):
        physics, found = node_of({"motion": motion})
        read = physics.body.motion
        assert (replace(read, carried=""), found) == (expected, codes)
        written = node_to_json(physics, writer())["motion"]
        # Blender's exporter would drop an empty object.
        assert written == (motion or {"isKinematic": False})
        heavier = replace(read, mass=8.0)
        changed = node_to_json(NodePhysics(body=NodeBody(motion=heavier)), writer())["motion"]
        assert changed["mass"] == 8.0

    def test_geometry_of_a_mesh_is_a_triangle_mesh_or_its_hull(self):
        geometries = reader()
        node, codes = node_of({"collider": {"geometry": {"node": 2}}}, geometries)
        assert (geometries.shapes[node.body.collider.shape], codes) == (Trimesh(mesh=4), [])
        hull = {"collider": {"geometry": {"mesh": 4, "convexHull": True}}}
        node, codes = node_of(hull, geometries)
        assert (geometries.shapes[node.body.collider.shape], codes) == (Convex(mesh=4), [])

    @pytest.mark.parametrize(
        ("collider", "code"),
        [
            ({}, "OMI-S040"),
            ({"geometry": 3}, "OMI-J421"),
            ({"geometry": None}, "OMI-J421"),
            ({"geometry": {}}, "OMI-S041"),
            ({"geometry": {"node": 0}}, "OMI-S041"),
            ({"geometry": {"node": 99}}, "OMI-S041"),
            ({"geometry": {"shape": 2}}, "OMI-S003"),
        ],
    )
    def test_unusable_geometry_leaves_the_collider_without_shape(self, collider, code):
        physics, codes = node_of({"collider": collider, "motion": {"mass": 3}})
        assert (physics.body.collider.shape, codes) == (None, [code])
        assert physics.body.motion == Motion(mass=3.0)

    def test_unusable_joint_costs_only_itself(self):
        physics, codes = node_of({"joint": {"connectedNode": 2}, "motion": {"mass": 3}})
        assert (physics.joint, codes) == (None, ["OMI-J420"])
        assert physics.body.motion == Motion(mass=3.0)

    @given(
        json_values
        | st.fixed_dictionaries(
            {},
            optional={
                "motion": json_values
                | st.dictionaries(
                    st.sampled_from(["mass", "isKinematic", "inertiaDiagonal", "type"]), json_values
                ),
                "collider": json_values
                | st.fixed_dictionaries(
                    {"geometry": json_values},
                    optional={"collisionFilter": json_values, "shape": json_values},
                )
                | st.fixed_dictionaries(
                    {
                        "geometry": st.dictionaries(
                            st.sampled_from(["shape", "node", "mesh", "convexHull", "x"]),
                            json_values,
                        )
                    }
                ),
                "trigger": json_values,
                "joint": json_values,
                "extras": json_values | st.fixed_dictionaries({"OMI_physics_body": json_values}),
            },
        )
    )
    def test_any_value_reads_or_raises_the_codec_error(self, value):
        with suppress(CodecError):
            physics, _ = node_from_json(value, "/n", reader())
            json.dumps(physics.body.carried)


class TestDocument:
    @given(json_values | st.dictionaries(st.just("physicsJoints"), json_values))
    def test_any_value_reads_or_raises_the_codec_error(self, value):
        with suppress(CodecError):
            document, _ = document_from_json(value, "/e")
            json.dumps(document_to_json(document), allow_nan=False)

    def test_combine_modes_of_other_extensions_are_left_out(self):
        value = {"physicsMaterials": [{"frictionCombine": "VENDOR_mean", "restitution": 0.5}]}
        document, _ = document_from_json(value, "/e")
        (written,) = document_to_json(document)["physicsMaterials"]
        assert (written["restitution"], written["frictionCombine"]) == (0.5, "average")

    def test_materials_are_written_in_full_since_loaders_have_other_defaults(self):
        (written,) = document_to_json(document_from_json({"physicsMaterials": [{}]}, "/e")[0])[
            "physicsMaterials"
        ]
        assert written == {
            "staticFriction": 0.6,
            "dynamicFriction": 0.6,
            "restitution": 0.0,
            "frictionCombine": "average",
            "restitutionCombine": "average",
        }


class TestShapes:
    def test_absent_sizes_take_the_defaults_of_this_extension(self):
        value = {
            "shapes": [
                {"type": "box"},
                {"type": "sphere", "sphere": {}},
                {"type": "capsule", "capsule": {"radiusTop": 0.1}},
                {"type": "cylinder"},
            ]
        }
        document, findings = khr_implicit_shapes.document_from_json(value, "/e")
        assert findings == []
        assert document.shapes == (
            Box(),
            Sphere(),
            Capsule(height=0.5, radius_bottom=0.25, radius_top=0.1),
            Cylinder(height=0.5, radius_bottom=0.25, radius_top=0.25),
        )

    def test_plane_is_kept_whole(self, schemas):
        value = {"shapes": [{"type": "plane", "plane": {"sizeX": 2.0, "doubleSided": True}}]}
        document, _ = khr_implicit_shapes.document_from_json(value, "/e")
        assert isinstance(document.shapes[0], OtherShape)
        written = khr_implicit_shapes.document_to_json(document)
        assert written == value
        assert schema_errors({"extensions": {"KHR_implicit_shapes": written}}, schemas) == []

    @given(json_values | st.dictionaries(st.just("shapes"), json_values))
    def test_any_value_reads_or_raises_the_codec_error(self, value):
        with suppress(CodecError):
            khr_implicit_shapes.document_from_json(value, "/e")

    def test_written_sizes_satisfy_the_schema(self, schemas):
        document = ShapesDocument(shapes=(*SHAPES[:2], Capsule(), Cylinder(radius_top=0.0)))
        value = {"KHR_implicit_shapes": khr_implicit_shapes.document_to_json(document)}
        assert schema_errors({"extensions": value}, schemas) == []
