"""Whole documents from one dialect of physics to another."""

import copy
import json
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.io.formats.gltf.dialect import Dialect
from omi_joints_addon.io.formats.gltf.document import scene_from_document
from omi_joints_addon.io.formats.gltf.omi.body import node_body_from_json
from omi_joints_addon.io.formats.gltf.omi.joint import document_from_json as joints_from_json
from omi_joints_addon.io.formats.gltf.omi.shape import document_from_json as shapes_from_json
from omi_joints_addon.io.formats.gltf.writing import rewritten
from tests.core.documents import dialects_of
from tests.core.strategies import json_values
from tests.schemas import schema_errors

KHR, OMI = "KHR_physics_rigid_bodies", "OMI_physics_joint"
DOOR = {
    "extensionsUsed": [KHR],
    "extensions": {
        KHR: {
            "physicsJoints": [{"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}],
            "physicsMaterials": [{"restitution": 0.5}],
            "collisionFilters": [{"collisionSystems": ["door"]}],
        },
        "KHR_implicit_shapes": {"shapes": [{"type": "box"}]},
    },
    "nodes": [
        {
            "children": [1],
            "extensions": {
                KHR: {
                    "motion": {"mass": 5},
                    "collider": {
                        "geometry": {"shape": 0},
                        "physicsMaterial": 0,
                        "collisionFilter": 0,
                    },
                }
            },
        },
        {"extensions": {KHR: {"joint": {"joint": 0, "connectedNode": 2}}}},
        {},
    ],
}


def json_of_glb(path) -> dict[str, Any]:
    data = path.read_bytes()
    (length,) = struct.unpack("<I", data[12:16])
    return json.loads(data[20 : 20 + length])


def in_dialects(document: Any, *dialects: Dialect) -> Any:
    """Return a document that says in some dialects what it says."""
    read = scene_from_document(document)
    return rewritten(read.scene, read, set(dialects)).document


def codes(document: Any) -> list[tuple[str, str]]:
    """Return code and place of what is wrong with a document, but for its lists of extensions."""
    found = scene_from_document(document).findings
    return [(each.code, each.place) for each in found if each.code != "OMI-J402"]


def omi_values(document: dict[str, Any]) -> list[Any]:
    """Return what a document says in OMI, defaults filled in and shapes in place of indices."""
    extensions = document.get("extensions", {})
    joints, _ = joints_from_json(extensions.get(OMI, {}), "")
    shapes, _ = shapes_from_json(extensions.get("OMI_physics_shape", {}), "")
    values: list[Any] = []
    for node in document["nodes"]:
        mine = node.get("extensions", {})
        body, _ = node_body_from_json(mine.get("OMI_physics_body", {}), "")
        parts = [body.collider, body.trigger]
        found = [p and (p.shape is not None and shapes.shapes[p.shape], p.carried) for p in parts]
        nodes = body.trigger and body.trigger.nodes
        values.append((body.motion, found, nodes, body.carried, mine.get(OMI)))
    return [joints.settings, values]


def in_both(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document of glTF 2.0 that says in both dialects what one of KHR says."""
    asset = {"asset": {"version": "2.0"}}
    return copy.deepcopy(in_dialects(asset | document, *Dialect))


def test_khr_document_gets_the_same_in_omi():
    document = in_both(DOOR)
    assert document["extensions"][OMI] == {
        "physicsJoints": [{"limits": [{"linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0}]}]
    }
    assert document["extensions"]["OMI_physics_body"] == {
        "physicsMaterials": [{"restitution": 0.5}],
        "collisionFilters": [{"collisionSystems": ["door"]}],
    }
    assert document["extensions"]["OMI_physics_shape"] == {
        "shapes": [{"type": "box", "box": {"size": [1.0, 1.0, 1.0]}}]
    }
    body, joint = (node["extensions"] for node in document["nodes"][:2])
    assert body["OMI_physics_body"] == {
        "motion": {"type": "dynamic", "mass": 5.0},
        "collider": {"shape": 0, "physicsMaterial": 0, "collisionFilter": 0},
    }
    assert joint[OMI] == {"joint": 0, "connectedNode": 2}
    # OMI has the connected node below a body.
    assert document["nodes"][2] == {}
    assert document["nodes"][3] == {
        "name": "Node 2 World Anchor",
        "children": [2],
        "extensions": {"OMI_physics_body": {"motion": {"type": "static"}}},
    }
    assert {OMI, "OMI_physics_body", "OMI_physics_shape"} <= set(document["extensionsUsed"])
    assert document["nodes"][0]["extensions"][KHR] == DOOR["nodes"][0]["extensions"][KHR]


@pytest.mark.parametrize("dialects", [Dialect, [Dialect.OMI], [Dialect.KHR]])
def test_document_without_physics_stays_as_it_is(dialects):
    document = {"nodes": [{"mesh": 0}], "extensionsUsed": ["KHR_lights_punctual"]}
    assert in_dialects(document, *dialects) == document


def test_both_dialects_that_agree_are_read_in_silence():
    document = in_both(DOOR)
    assert codes(document) == []
    assert in_dialects(document, *Dialect) == document


def test_a_file_of_both_dialects_as_blender_writes_it_grows_nothing():
    # Blender writes 0.0 as 0, and the weld over both kinds of axes is two limits in KHR.
    weld = {"linearAxes": [0, 1, 2], "angularAxes": [0, 1, 2], "min": 0, "max": 0}
    body = {"OMI_physics_body": {"motion": {"type": "static"}}}
    document = in_both(
        {
            "nodes": [
                {"extensions": {OMI: {"joint": 0, "connectedNode": 1}}},
                {"extensions": body},
            ],
            "extensions": {OMI: {"physicsJoints": [{"limits": [weld | {"damping": 0}]}]}},
        }
    )
    assert codes(document) == []
    assert in_dialects(document, *Dialect) == document


def test_omi_wins_where_dialects_disagree():
    document = in_both(DOOR)
    document["nodes"][0]["extensions"]["OMI_physics_body"]["motion"]["mass"] = 7.0
    document["nodes"][1]["extensions"][OMI]["enableCollision"] = True
    read = scene_from_document(document)
    found = [each for each in read.findings if each.code == "OMI-J446"]
    assert [each.place for each in found] == ["/nodes/0", "/nodes/1"]
    assert [each.message.split(" about ")[1].split(" here")[0] for each in found] == [
        "the body",
        "the joint",
    ]
    assert read.scene.motions[0].mass == 7.0
    assert read.scene.joints[0].enable_collision


def test_nodes_in_one_dialect_each_share_the_arrays():
    document = copy.deepcopy(DOOR)
    document["extensions"][OMI] = {"physicsJoints": [{"limits": [{"linearAxes": [0], "max": 2}]}]}
    document["nodes"][2]["extensions"] = {OMI: {"joint": 0, "connectedNode": 0}}
    document = in_dialects(document, Dialect.OMI)
    settings = document["extensions"][OMI]["physicsJoints"]
    assert [len(element["limits"][0]["linearAxes"]) for element in settings] == [1, 3]
    joints = [node["extensions"][OMI]["joint"] for node in document["nodes"][1:3]]
    assert joints == [1, 0]


def test_mesh_that_no_node_shows_alone_gets_a_node_outside_of_the_scenes():
    document = {
        "scenes": [{"nodes": [0]}],
        "meshes": [{}],
        "nodes": [
            {
                "mesh": 0,
                "children": [1],
                "extensions": {"OMI_physics_body": {"collider": {"shape": 0}}},
            },
            {"mesh": 1},
        ],
        "extensions": {
            "OMI_physics_shape": {"shapes": [{"type": "convex", "convex": {"mesh": 0}}]}
        },
    }
    document = in_dialects(document, Dialect.KHR)
    assert document["nodes"][2] == {"mesh": 0}
    assert document["scenes"] == [{"nodes": [0]}]
    geometry = document["nodes"][0]["extensions"][KHR]["collider"]["geometry"]
    # Loaders of the text's newer revision know the mesh only, and need the document's object.
    assert geometry == {"mesh": 0, "node": 2, "convexHull": True}
    assert document["extensions"][KHR] == {"extras": {}}


@pytest.mark.parametrize("folder", ["omi", "omi_body"])
def test_official_examples_come_back_from_khr(corpus, folder, schemas):
    files = sorted((corpus / folder).glob("*.gltf"))
    assert files
    for file in files:
        document = json.loads(file.read_text("utf-8"))
        khr = json.loads(json.dumps(in_dialects(document, Dialect.KHR)))
        assert (file.name, schema_errors(khr, schemas)) == (file.name, [])
        assert (file.name, dialects_of(khr)) == (file.name, {Dialect.KHR})
        back = in_dialects(khr, Dialect.OMI)
        assert schema_errors(back, schemas) == []
        known = len(document["nodes"])
        found = omi_values(back | {"nodes": back["nodes"][:known]})
        # Capsules of some are in an older form, which is not written again.
        today = scene_from_document(document).document
        assert (file.name, found) == (file.name, omi_values(today))


def test_official_khr_example_comes_back_from_omi(corpus, schemas):
    document = json_of_glb(corpus / "khr" / "JointTypes.glb")
    assert schema_errors(document, schemas) == []
    omi = json.loads(json.dumps(in_dialects(document, Dialect.OMI)))
    assert schema_errors(omi, schemas) == []
    back = in_dialects(omi, Dialect.KHR)
    assert schema_errors(back, schemas) == []
    nodes = [node.get("extensions", {}).get(KHR) for node in document["nodes"]]
    found = [node.get("extensions", {}).get(KHR) for node in back["nodes"]]
    # A joint to a collider without motion made that a static body, which KHR says by no motion.
    static = {"extras": {"OMI_physics_body": {"motion": {"type": "static"}}}}
    plain = [said and {k: v for k, v in said.items() if {k: v} != static} for said in found]
    assert plain == nodes
    joints = document["extensions"][KHR]["physicsJoints"]
    for settings in joints:
        for limit in settings["limits"]:
            for axes in ("linearAxes", "angularAxes"):
                if axes in limit:
                    # Which axes are limited is a set; the file lists them as 0, 2, 1.
                    limit[axes] = sorted(limit[axes])
    assert back["extensions"][KHR]["physicsJoints"] == joints
    # Materials are written in full: loaders have other defaults.
    defaults = {"restitution": 0, "frictionCombine": "average", "restitutionCombine": "average"}
    material = defaults | document["extensions"][KHR]["physicsMaterials"][0]
    assert back["extensions"][KHR]["physicsMaterials"][0] == material
    for key in ("collisionFilters",):
        assert back["extensions"][KHR][key] == document["extensions"][KHR][key]
    shapes = document["extensions"]["KHR_implicit_shapes"]
    assert back["extensions"]["KHR_implicit_shapes"] == shapes


NAMES = (KHR, "KHR_implicit_shapes", OMI, "OMI_physics_body", "OMI_physics_shape")
MEMBERS = st.sampled_from(
    [
        "motion",
        "collider",
        "trigger",
        "joint",
        "geometry",
        "shape",
        "node",
        "physicsJoints",
        "shapes",
        "limits",
        "type",
        "box",
        "connectedNode",
        "collisionFilters",
        "extras",
        "mass",
    ]
)
NESTED = st.recursive(
    json_values | st.integers(-1, 3),
    lambda inner: st.dictionaries(MEMBERS, inner, max_size=4) | st.lists(inner, max_size=3),
    max_leaves=12,
)
EXTENSIONS = st.dictionaries(st.sampled_from(NAMES), NESTED, max_size=3)


JOINT = st.fixed_dictionaries({"joint": st.integers(-1, 2), "connectedNode": st.integers(-1, 3)})
NODE = st.fixed_dictionaries(
    {"extensions": EXTENSIONS | st.fixed_dictionaries({OMI: JOINT})},
    optional={"children": st.lists(st.integers(0, 3) | json_values, max_size=2) | json_values},
)


@given(
    st.fixed_dictionaries(
        {"nodes": st.lists(NODE | json_values, max_size=4) | json_values},
        optional={
            "extensions": EXTENSIONS | json_values,
            "scenes": st.lists(st.fixed_dictionaries({"nodes": json_values})) | json_values,
            "extensionsUsed": json_values,
        },
    )
)
def test_any_document_is_translated_without_exception_and_not_changed(document):
    before = copy.deepcopy(document)
    translated = in_dialects(document, *Dialect)
    # NaN is not equal to itself, so texts are compared.
    assert repr(document) == repr(before)
    again = in_dialects(translated, Dialect.OMI)
    assert dialects_of(again) <= {Dialect.OMI}
