"""What joints have beyond the extensions: in extras of nodes, beside what is there already."""

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.model.articulation import Articulation, Coupling
from omi_joints_addon.core.model.attributes import JointAttributes
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.gltf.document import DocumentScene, scene_from_document
from tests.core.documents import BODY, JOINT, door

GEAR = {"effort": 5, "friction": 0.1, "inArticulation": False, "carried": {"mjcf": '{"a":1}'}}
FOLLOWS = {"node": 3, "name": "Joint", "coefficients": [0.1, -2]}


def geared() -> dict[str, Any]:
    """Return a door with a second one, whose joint follows the first."""
    document = door(
        "nodes", 2, extras={BODY: {"articulation": {"fixed": True}, "excludedPairs": [{"node": 4}]}}
    )
    more = copy.deepcopy(document["nodes"][2:4])
    more[0] |= {"name": "Slave", "children": [5]}
    more[0]["extras"] = {"note": "mine"}
    more[1] |= {"name": "Gear", "extras": {"note": 7, JOINT: GEAR | {"follows": FOLLOWS}}}
    document["nodes"] += more
    return document


def gear(**changes: Any) -> dict[str, Any]:
    """Return the document with changes to what the second joint has beyond the extension."""
    document = geared()
    document["nodes"][5]["extras"][JOINT] |= changes
    return document


def codes(found: DocumentScene) -> list[tuple[str, str]]:
    return [(finding.code, finding.place) for finding in found.findings]


def test_extras_of_nodes_are_read() -> None:
    found = scene_from_document(geared())
    first, second = found.scene.joints
    assert first.attributes == JointAttributes()
    assert second.attributes == JointAttributes(
        effort=5.0, friction=0.1, in_articulation=False, carried=(("mjcf", '{"a":1}'),)
    )
    assert found.scene.couplings == (Coupling(joint=1, source=0, coefficients=(0.1, -2.0)),)
    assert found.scene.articulations == (Articulation(root=2, is_fixed=True),)
    assert found.scene.excluded_pairs == ((2, 4),)
    assert not found.findings


def test_a_scene_that_is_unchanged_leaves_them_as_they_stand(tmp_path: Path) -> None:
    source, target = tmp_path / "a.gltf", tmp_path / "b.gltf"
    source.write_text(json.dumps(geared()))
    scene = GLTF.read(Source(path=source))[0].scene
    written = GLTF.write(scene, Target(path=target)).files["b.gltf"]
    assert json.dumps(json.loads(written)["nodes"]) == json.dumps(geared()["nodes"])


@pytest.mark.parametrize("dialect", ["omi", "khr", "omi,khr"])
def test_they_are_written_beside_what_is_there(tmp_path: Path, dialect: str) -> None:
    source, target = tmp_path / "a.gltf", tmp_path / "b.gltf"
    source.write_text(json.dumps(geared()))
    scene = GLTF.read(Source(path=source))[0].scene
    joints = (scene.joints[0], replace(scene.joints[1], attributes=JointAttributes(armature=0.5)))
    scene = replace(scene, joints=joints, couplings=(Coupling(joint=1, source=0),))
    written = GLTF.write(scene, Target(path=target, options={"dialect": dialect}))
    document = json.loads(written.files["b.gltf"])
    nodes = document["nodes"]
    follows = {"node": 3, "name": "Joint", "coefficients": [0.0, 1.0]}
    assert nodes[5]["extras"] == {"note": 7, JOINT: {"armature": 0.5, "follows": follows}}
    assert nodes[4]["extras"] == {"note": "mine"}
    pair = {"node": 4, "name": "Slave"}
    assert nodes[2]["extras"] == {BODY: {"articulation": {"fixed": True}, "excludedPairs": [pair]}}
    again = scene_from_document(document).scene
    assert again.couplings == scene.couplings
    assert [joint.attributes for joint in again.joints] == [j.attributes for j in scene.joints]


def test_references_are_found_by_name_where_nodes_were_renumbered() -> None:
    document = geared()
    # Another program puts a node in front and moves all indices that it knows of.
    for node in document["nodes"]:
        node["children"] = [child + 1 for child in node.get("children", [])]
        if joint := node.get("extensions", {}).get(JOINT):
            joint["connectedNode"] += 1
    document["nodes"].insert(0, {"name": "New"})
    document["nodes"][3]["extras"][BODY]["excludedPairs"][0]["name"] = "Slave"
    found = scene_from_document(document)
    assert found.scene.couplings == (Coupling(joint=1, source=0, coefficients=(0.1, -2.0)),)
    assert found.scene.excluded_pairs == ((3, 5),)
    assert not found.findings


@pytest.mark.parametrize(
    ("changes", "code", "place"),
    [
        ({"effort": "wide"}, "OMI-J", "effort"),
        ({"effort": -1}, "OMI-J", "effort"),
        ({"follows": 3}, "OMI-J", "follows"),
        ({"follows": {"node": 99}}, "OMI-J451", "follows"),
        ({"follows": {"node": 5}}, "OMI-J451", "follows"),
        ({"follows": {"node": 1}}, "OMI-J451", "follows"),
        ({"follows": {"node": 3, "coefficients": ["a"]}}, "OMI-J", "follows/coefficients"),
        ({"follows": {"node": 3, "coefficients": []}}, "OMI-J", "follows/coefficients"),
    ],
)
def test_what_cannot_be_read_costs_itself_only(
    changes: dict[str, Any], code: str, place: str
) -> None:
    found = scene_from_document(gear(**changes))
    ((told, where),) = codes(found)
    assert told.startswith(code)
    assert where == f"/nodes/5/extras/{JOINT}/{place}"
    assert len(found.scene.joints) == 2
    assert found.scene.joints[1].attributes.friction == 0.1


def test_a_joint_that_follows_without_coefficients_moves_alike() -> None:
    found = scene_from_document(gear(follows={"node": 3}))
    assert found.scene.couplings == (Coupling(joint=1, source=0, coefficients=(0.0, 1.0)),)
    assert not found.findings


@pytest.mark.parametrize("extras", [7, "text", [1], {JOINT: 5}, {BODY: {}}, {JOINT: {"x": 1}}])
def test_extras_of_others_stay(tmp_path: Path, extras: Any) -> None:
    source, target = tmp_path / "a.gltf", tmp_path / "b.gltf"
    source.write_text(json.dumps(door("nodes", 0, extras=extras)))
    scene = GLTF.read(Source(path=source))[0].scene
    written = GLTF.write(scene, Target(path=target))
    assert json.loads(written.files["b.gltf"])["nodes"][0].get("extras") == extras


def test_a_robot_comes_back_from_gltf(tmp_path: Path) -> None:
    """Effort, velocity, friction and mimic of a gripper come through glTF."""
    source, middle, end = (tmp_path / name for name in ("a.urdf", "b.glb", "c.urdf"))
    source.write_text(
        '<robot name="hand"><link name="palm"/>'
        + "".join(
            f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" '
            f'iyy="1" iyz="0" izz="1"/></inertial></link><joint name="to_{name}" type="revolute">'
            f'<parent link="palm"/><child link="{name}"/><axis xyz="0 0 1"/>'
            f'<limit lower="-1" upper="1" effort="{effort}" velocity="3"/>'
            f'<dynamics friction="0.25"/>{mimic}</joint>'
            for name, effort, mimic in (
                ("left", 7.5, ""),
                ("right", 8.5, '<mimic joint="to_left" multiplier="-2" offset="0.5"/>'),
            )
        )
        + "</robot>"
    )
    assert main(["convert", str(source), str(middle)]) == 0
    assert main(["convert", str(middle), str(end)]) == 0
    joints = {joint.get("name"): joint for joint in ElementTree.parse(end).iter("joint")}
    for name, effort in (("to_left", "7.5"), ("to_right", "8.5")):
        limit, dynamics = joints[name].find("limit"), joints[name].find("dynamics")
        assert limit is not None
        assert dynamics is not None
        assert (limit.get("effort"), limit.get("velocity")) == (effort, "3")
        assert dynamics.get("friction") == "0.25"
    mimic = joints["to_right"].find("mimic")
    assert mimic is not None
    assert dict(mimic.attrib) == {"joint": "to_left", "multiplier": "-2", "offset": "0.5"}
