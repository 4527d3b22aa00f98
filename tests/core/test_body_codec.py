"""OMI_physics_body: what is read from documents and what is written."""

import json
import math
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.model.axes import motion_from_gltf, motion_to_gltf
from omi_joints_addon.core.model.body import CollisionFilter, Motion, PhysicsMaterial
from omi_joints_addon.core.model.numbers import LARGEST
from omi_joints_addon.io.formats.gltf.members import CodecError
from omi_joints_addon.io.formats.gltf.omi.body import (
    BodiesDocument,
    NodeBody,
    NodeCollider,
    NodeTrigger,
    document_from_json,
    document_to_json,
    motion_to_json,
    node_body_from_json,
    node_body_to_json,
)
from omi_joints_addon.io.formats.gltf.omi.body_resources import filter_from_json, filter_to_json

FINITE = st.floats(-LARGEST, LARGEST)
VECTORS = st.tuples(FINITE, FINITE, FINITE)
POSITIVE = st.floats(min_value=1e-9, max_value=1e9)
CARRIED = st.sampled_from(("", '{"extras": {"a": 1}}'))
INDICES = st.none() | st.integers(0, 9)
MOTIONS = st.builds(
    Motion,
    type=st.sampled_from(("static", "kinematic", "dynamic")),
    mass=POSITIVE,
    center_of_mass=VECTORS,
    inertia_diagonal=st.tuples(POSITIVE, POSITIVE, POSITIVE),
    inertia_orientation=st.sampled_from(((0.0, 0.0, 0.0, 1.0), (0.6, 0.0, 0.0, 0.8))),
    linear_velocity=VECTORS,
    angular_velocity=VECTORS,
    gravity_factor=FINITE,
    carried=CARRIED,
)
COLLIDERS = st.builds(
    NodeCollider,
    shape=INDICES,
    physics_material=INDICES,
    collision_filter=INDICES,
    carried=CARRIED,
)
TRIGGERS = st.builds(
    NodeTrigger,
    shape=INDICES,
    nodes=st.lists(st.integers(0, 9), unique=True, max_size=3).map(tuple),
    collision_filter=INDICES,
    carried=CARRIED,
)
BODIES = st.builds(
    NodeBody,
    motion=st.none() | MOTIONS,
    collider=st.none() | COLLIDERS,
    trigger=st.none() | TRIGGERS,
    carried=CARRIED,
)
SYSTEMS = st.lists(st.text(max_size=3), max_size=3).map(tuple)
FILTERS = st.builds(
    CollisionFilter,
    name=st.text(max_size=3),
    collision_systems=SYSTEMS,
    collide_with_systems=st.none() | SYSTEMS,
    carried=CARRIED,
) | st.builds(CollisionFilter, not_collide_with_systems=st.none() | SYSTEMS)
FRICTIONS = st.floats(min_value=0.0, max_value=10.0)
MATERIALS = st.builds(
    PhysicsMaterial,
    name=st.text(max_size=3),
    static_friction=FRICTIONS,
    dynamic_friction=FRICTIONS,
    restitution=FRICTIONS,
    friction_combine=st.sampled_from(("average", "minimum", "maximum", "multiply")),
    carried=CARRIED,
)
DOCUMENTS = st.builds(
    BodiesDocument,
    materials=st.lists(MATERIALS, max_size=3).map(tuple),
    filters=st.lists(FILTERS, max_size=3).map(tuple),
    carried=CARRIED,
)
NAMES = (
    *("motion", "collider", "trigger", "type", "mass", "shape", "nodes", "centerOfMass"),
    *("physicsMaterials", "collisionFilters", "collisionSystems", "collideWithSystems"),
    *("notCollideWithSystems", "inertiaOrientation", "inertiaDiagonal", "frictionCombine"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(BODIES)
def test_a_written_body_reads_as_itself(body):
    text = json.dumps(node_body_to_json(body), allow_nan=False)
    assert node_body_from_json(json.loads(text), "/b") == (body, [])


@given(DOCUMENTS)
def test_written_materials_and_filters_read_as_themselves(document):
    text = json.dumps(document_to_json(document), allow_nan=False)
    read, findings = document_from_json(json.loads(text), "/d")
    assert read == document
    # Systems may have no name, which is reported.
    assert {found.code for found in findings} <= {"OMI-J450"}


@given(JSON)
def test_any_json_reads_or_raises_the_codecs_own_error(value):
    for read in (node_body_from_json, document_from_json):
        with suppress(CodecError):
            read(value, "/b")


@given(MOTIONS)
def test_axes_to_gltf_and_back_change_no_bit(motion):
    assert motion_from_gltf(motion_to_gltf(motion)) == motion


def test_axes_of_a_motion_by_hand():
    motion = Motion(
        center_of_mass=(1.0, 2.0, 3.0),
        inertia_diagonal=(1.0, 2.0, 3.0),
        inertia_orientation=(0.6, 0.0, 0.0, 0.8),
        linear_velocity=(0.0, 1.0, 0.0),
        angular_velocity=(0.0, 0.0, 1.0),
    )
    assert motion_to_gltf(motion) == replace(
        motion,
        center_of_mass=(1.0, 3.0, -2.0),
        inertia_diagonal=(1.0, 3.0, 2.0),
        inertia_orientation=(0.6, 0.0, 0.0, 0.8),
        linear_velocity=(0.0, 0.0, -1.0),
        angular_velocity=(0.0, 1.0, 0.0),
    )


def test_defaults_are_left_out_but_the_type_never():
    assert motion_to_json(Motion()) == {"type": "dynamic"}
    assert node_body_to_json(NodeBody(collider=NodeCollider())) == {"collider": {}}


def test_minus_one_is_no_index():
    value = {"collider": {"shape": -1, "physicsMaterial": -1}, "trigger": {"shape": -1.0}}
    body, findings = node_body_from_json(value, "/b")
    assert body == NodeBody(collider=NodeCollider(), trigger=NodeTrigger())
    assert findings == []


@pytest.mark.parametrize(
    ("motion", "place", "code"),
    [
        ({"mass": 1}, "/b/motion", "OMI-B001"),
        ({"type": "floating"}, "/b/motion/type", "OMI-B002"),
        ({"type": "dynamic", "mass": 0}, "/b/motion/mass", "OMI-B003"),
        ({"type": "dynamic", "mass": -5}, "/b/motion/mass", "OMI-B003"),
        ({"type": "dynamic", "mass": math.nan}, "/b/motion/mass", "OMI-J422"),
        (
            {"type": "dynamic", "inertiaOrientation": [0, 0, 0, 0]},
            "/b/motion/inertiaOrientation",
            "OMI-B004",
        ),
        (
            {"type": "dynamic", "inertiaDiagonal": [1, -1, 1]},
            "/b/motion/inertiaDiagonal",
            "OMI-J423",
        ),
        (
            {"type": "dynamic", "linearVelocity": [math.inf, 0, 0]},
            "/b/motion/linearVelocity",
            "OMI-J421",
        ),
    ],
)
def test_a_bad_member_of_a_motion_is_a_finding_and_the_rest_is_kept(motion, place, code):
    body, findings = node_body_from_json({"motion": motion | {"gravityFactor": 0.5}}, "/b")
    assert [(finding.place, finding.code) for finding in findings] == [(place, code)]
    assert body.motion is not None
    assert body.motion.gravity_factor == 0.5
    assert body.motion.mass == 1.0


def test_an_unknown_motion_type_is_kept_for_the_next_export():
    body, _ = node_body_from_json({"motion": {"type": "floating"}}, "/b")
    assert node_body_to_json(body) == {"motion": {"type": "floating"}}


def test_a_part_of_a_wrong_type_costs_no_other_part():
    value = {"motion": 7, "collider": {"shape": 2}, "trigger": [], "extras": {"k": 1}}
    body, findings = node_body_from_json(value, "/b")
    assert body.collider == NodeCollider(shape=2)
    assert [finding.place for finding in findings] == ["/b/motion", "/b/trigger"]
    assert node_body_to_json(body)["extras"] == {"k": 1}


def test_indices_that_are_none_are_findings():
    value = {"collider": {"shape": "box", "physicsMaterial": -2}, "trigger": {"nodes": [1, {}, 1]}}
    body, findings = node_body_from_json(value, "/b")
    assert body == NodeBody(collider=NodeCollider(), trigger=NodeTrigger(nodes=(1,)))
    assert [finding.place for finding in findings] == [
        "/b/collider/shape",
        "/b/collider/physicsMaterial",
        "/b/trigger/nodes/1",
        "/b/trigger/nodes/2",
    ]


def test_a_filter_that_allows_and_forbids_keeps_what_it_allows():
    filters = [{"collideWithSystems": ["a"], "notCollideWithSystems": ["b"]}]
    document, findings = document_from_json({"collisionFilters": filters}, "/d")
    assert document.filters == (CollisionFilter(collide_with_systems=("a",)),)
    assert [finding.code for finding in findings] == ["OMI-B005"]


def test_a_filter_that_allows_and_forbids_is_never_written():
    both = CollisionFilter(collide_with_systems=("a",), not_collide_with_systems=("b",))
    with pytest.raises(CodecError, match="both"):
        filter_to_json(both)


def test_bad_materials_are_findings_and_keep_their_indices():
    materials = [
        7,
        {"staticFriction": -1},
        {"restitution": 0.5, "frictionCombine": "VENDOR_geometric"},
    ]
    document, findings = document_from_json({"physicsMaterials": materials}, "/d")
    assert document.materials == (
        None,
        PhysicsMaterial(),
        PhysicsMaterial(restitution=0.5, friction_combine="VENDOR_geometric"),
    )
    assert [finding.code for finding in findings] == ["OMI-J420", "OMI-J423", "OMI-B006"]
    written = document_to_json(document)["physicsMaterials"]
    assert written[2] == {"restitution": 0.5, "frictionCombine": "VENDOR_geometric"}


@pytest.mark.parametrize(
    "motion",
    [
        Motion(mass=math.nan),
        Motion(mass=-1.0),
        Motion(linear_velocity=(0.0, math.inf, 0.0)),
        Motion(gravity_factor=math.nan),
    ],
)
def test_what_json_cannot_hold_is_never_written(motion):
    with pytest.raises(CodecError):
        motion_to_json(motion)


def test_every_official_body_and_shape_reads_without_finding(corpus):
    from omi_joints_addon.io.formats.gltf.omi import shape as omi_physics_shape

    files = [*corpus.glob("omi_body/*.gltf"), *corpus.glob("omi/*.gltf")]
    assert files
    for file in files:
        document = json.loads(file.read_text())
        shapes = document["extensions"]["OMI_physics_shape"]
        assert omi_physics_shape.document_from_json(shapes, "/e")[1] == [], file.name
        for node in document["nodes"]:
            value = node.get("extensions", {}).get("OMI_physics_body")
            if value is not None:
                assert node_body_from_json(value, "/n")[1] == [], file.name


@pytest.mark.parametrize("name", ["collisionSystems", "collideWithSystems"])
def test_a_list_of_systems_that_is_null_is_no_list(name):
    found, findings = filter_from_json({name: None}, "/f")
    assert (found, [(f.code, f.place) for f in findings]) == (
        CollisionFilter(),
        [("OMI-J421", f"/f/{name}")],
    )


def test_a_node_counts_once_for_a_trigger():
    body, findings = node_body_from_json({"trigger": {"nodes": [4, 4]}}, "/b")
    assert body.trigger == NodeTrigger(nodes=(4,))
    assert [(f.code, f.place) for f in findings] == [("OMI-J431", "/b/trigger/nodes/1")]
