"""Documents for Godot's importer: what they say, and that they come back exactly."""

import copy
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.gltf.container import read_gltf
from omi_joints_addon.io.formats.gltf.document import scene_from_document
from omi_joints_addon.io.formats.gltf.godot_original import as_authored, is_for_godot
from omi_joints_addon.io.formats.gltf.godot_target import for_godot
from tests.core.documents import BODY, DOOR, JOINT, check_document, door

SHAPE = "OMI_physics_shape"


def _settings(document: Any, index: int = 0) -> Any:
    return document["extensions"][JOINT]["physicsJoints"][index]


def _hinge_about_x() -> dict[str, Any]:
    """Return a door whose hinge is about X and which carries a handle below the joint."""
    document = door("nodes", 3, children=[4], rotation=[0.0, 0.6, 0.0, 0.8])
    document["nodes"][1]["rotation"] = [0.0, 0.6, 0.0, 0.8]
    limits = _settings(document)["limits"]
    limits[1]["angularAxes"], limits[2]["angularAxes"] = [1, 2], [0]
    _settings(document)["drives"] = []
    document["nodes"].append({"name": "Handle", "translation": [0.1, 0.2, 0.3]})
    return document


def _with_capsule() -> dict[str, Any]:
    document = door("nodes", 2, "extensions", BODY, collider={"shape": 1})
    capsule = {"type": "capsule", "capsule": {"radiusBottom": 0.1, "radiusTop": 0.1}}
    document["extensions"][SHAPE] = {"shapes": [{"type": "box", "box": {}}, capsule]}
    return document


def _shared_by_two() -> dict[str, Any]:
    """Return two joints with the same settings, of which one rests turned; and unused settings."""
    document = copy.deepcopy(DOOR)
    document["extensions"][JOINT]["physicsJoints"].insert(0, {"name": "unused", "limits": []})
    document["nodes"][3]["extensions"][JOINT]["joint"] = 1
    other = {"joint": 1, "connectedNode": 5}
    document["nodes"][2]["children"].append(4)
    document["nodes"].append({"translation": [1, 0, 0], "extensions": {JOINT: other}})
    turned = [0.0, 0.0, math.sin(0.25), math.cos(0.25)]
    document["nodes"].append({"translation": [1, 0, 0], "rotation": turned})
    document["nodes"][0]["children"].append(5)
    return document


MADE = {
    "door": DOOR,
    "hinge about X": _hinge_about_x(),
    "capsule": _with_capsule(),
    "shared": _shared_by_two(),
}


def _written(document: Any) -> Any:
    """Return the document for Godot, as it is after a file."""
    return json.loads(json.dumps(for_godot(document)[0]))


@pytest.mark.parametrize("name", MADE)
def test_document_comes_back_exactly(name: str) -> None:
    before = copy.deepcopy(MADE[name])
    written = _written(MADE[name])
    assert MADE[name] == before
    assert is_for_godot(written)
    assert written["extensions"] != before["extensions"]
    back, findings = as_authored(written)
    assert back == before
    assert [found.code for found in findings] == ["OMI-J468"]


def test_official_documents_come_back_exactly(corpus: Path) -> None:
    count = 0
    for path in sorted(corpus.rglob("*.gltf")):
        document = read_gltf(path).document
        if JOINT in document.get("extensionsUsed", ()):
            assert as_authored(_written(document))[0] == document, path
            count += 1
    assert count > 3


def test_range_and_target_are_mirrored() -> None:
    settings = _settings(_written(DOOR))
    assert settings["limits"][2] == {"angularAxes": [0], "min": -0.5, "max": 1.5}
    assert settings["drives"][0]["positionTarget"] == -0.1


def test_hinge_is_turned_to_z_and_what_is_below_stays() -> None:
    before = _hinge_about_x()
    written = _written(before)
    assert _settings(written)["limits"][2]["angularAxes"] == [2]
    one, other = (scene_from_document(_unmarked(each)).scene for each in (before, written))
    assert one.matrices[4] == pytest.approx(other.matrices[4], abs=1e-12)
    assert one.matrices[3][:3, 3] == pytest.approx(other.matrices[3][:3, 3], abs=1e-12)
    # What was X is Z now.
    assert one.matrices[3][:3, 0] == pytest.approx(other.matrices[3][:3, 2], abs=1e-12)


def _unmarked(document: Any) -> Any:
    return document | {"asset": {"version": "2.0"}}


def test_capsule_has_its_full_height() -> None:
    shapes = _written(_with_capsule())["extensions"][SHAPE]["shapes"]
    assert shapes[1]["capsule"]["height"] == pytest.approx(1.2)
    assert shapes[1]["capsule"]["radius"] == 0.1


@pytest.mark.parametrize(
    "sizes", [{"height": 1.0, "radiusBottom": 0.3, "radiusTop": 0.3}, {"radius": 0.3}, {}]
)
def test_cylinder_has_the_one_radius_that_godot_reads(sizes: dict[str, float]) -> None:
    document = _with_capsule()
    document["extensions"][SHAPE]["shapes"][1] = {"type": "cylinder", "cylinder": sizes}
    written = _written(document)
    shape = written["extensions"][SHAPE]["shapes"][1]["cylinder"]
    assert shape["radius"] == (0.3 if sizes else 0.5)
    assert as_authored(written)[0]["extensions"] == document["extensions"]


def test_zero_is_the_pose_at_load() -> None:
    written = _written(_shared_by_two())
    plain = _settings(written, written["nodes"][3]["extensions"][JOINT]["joint"])
    turned = _settings(written, written["nodes"][4]["extensions"][JOINT]["joint"])
    assert plain["limits"][2]["max"] == 1.5
    assert turned["limits"][2]["max"] == pytest.approx(2.0)


def test_what_was_changed_since_counts() -> None:
    written = _written(DOOR)
    _settings(written)["limits"][2]["max"] = 1.0
    back, findings = as_authored(written)
    assert _settings(back)["limits"][2]["max"] == 1.0
    assert [found.code for found in findings] == ["OMI-J468", "OMI-J469"]
    assert findings[1].place == f"/extensions/{JOINT}/physicsJoints/0"


def test_what_cannot_be_said_is_told() -> None:
    document = door()
    _settings(document)["limits"][0]["stiffness"] = 100.0
    document["nodes"][2]["extensions"][BODY]["motion"]["gravityFactor"] = 0.5
    codes = {found.code for found in for_godot(document)[1]}
    assert codes == {"OMI-E107", "OMI-E121"}


def test_check_judges_what_was_authored() -> None:
    codes = {found.code for found in check_document(_written(DOOR))}
    assert codes == {"OMI-J468"} | {found.code for found in check_document(DOOR)}


@pytest.mark.parametrize("kind", ["gltf", "glb"])
def test_report_for_godot_judges_the_file_that_was_made_for_it(
    tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = _hinge_about_x()
    document["meshes"] = [{"primitives": [{"attributes": {}}]}]
    document["nodes"][2]["mesh"] = 0
    _settings(document)["limits"][2]["max"] = 2.0
    source, target = tmp_path / "a.gltf", tmp_path / f"b.{kind}"
    source.write_text(json.dumps(document))
    assert main(["convert", str(source), str(target), "--for", "godot"]) == 0
    capsys.readouterr()
    main(["check", "--engine", "godot", str(source)])
    assert {"OMI-E104", "OMI-E124"} <= set(re.findall(r"OMI-E\d+", capsys.readouterr().out))
    main(["check", "--engine", "godot", str(target)])
    assert re.findall(r"OMI-E\d+", capsys.readouterr().out) == ["OMI-E135"]
    _settings(document)["limits"][2] |= {"min": 0.5, "stiffness": 5.0, "damping": 1.0}
    source.write_text(json.dumps(document))
    main(["convert", str(source), str(target), "--for", "godot", "--force"])
    capsys.readouterr()
    main(["check", "--engine", "godot", str(target)])
    assert re.findall(r"OMI-E\d+", capsys.readouterr().out) == ["OMI-E107", "OMI-E135"]


def test_convert_for_godot_and_back(tmp_path: Path) -> None:
    source, target, back = (tmp_path / name for name in ("a.gltf", "b.gltf", "c.gltf"))
    source.write_text(json.dumps(_hinge_about_x()))
    assert main(["convert", str(source), str(target), "--for", "godot"]) == 0
    assert is_for_godot(json.loads(target.read_text()))
    assert main(["convert", str(target), str(back)]) == 0
    assert json.loads(back.read_text()) == _hinge_about_x()


def test_convert_for_godot_refuses_khr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.gltf"
    source.write_text(json.dumps(DOOR))
    target = str(tmp_path / "b.gltf")
    assert main(["convert", str(source), target, "--for", "godot", "--dialect", "khr"]) == 2
    assert "leave out khr" in capsys.readouterr().err


def test_khr_file_becomes_omi_for_godot(tmp_path: Path) -> None:
    source, khr, target = (tmp_path / name for name in ("a.gltf", "k.gltf", "g.gltf"))
    source.write_text(json.dumps(DOOR))
    assert main(["convert", str(source), str(khr), "--dialect", "khr"]) == 0
    assert main(["convert", str(khr), str(target), "--for", "godot"]) == 0
    written = json.loads(target.read_text())
    assert _settings(written)["limits"][2]["max"] == 1.5
    assert "KHR_physics_rigid_bodies" not in written["extensionsUsed"]


def test_meshes_of_physics_nodes_are_on_nodes_below_and_come_back() -> None:
    """Godot makes nothing of a mesh beside a body on one node."""
    body = {"OMI_physics_body": {"motion": {"type": "dynamic"}}}
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 3]}],
        "nodes": [
            {"name": "Door", "mesh": 0, "children": [1], "extensions": body},
            {"name": "Frame"},
            {"mesh": 1, "weights": [0.5], "extensions": body},
            {"name": "Lamp", "mesh": 1, "children": [2]},
            {"name": "Person", "mesh": 1, "skin": 0, "extensions": body},
        ],
        "meshes": [{}, {}],
        "skins": [{"joints": [1]}],
    }
    authored = copy.deepcopy(document)
    written, _ = for_godot(document)
    assert document == authored
    nodes = written["nodes"]
    assert "mesh" not in nodes[0]
    assert nodes[0]["children"] == [1, 5]
    assert nodes[5] == {"name": "Door Mesh", "mesh": 0, "extras": {"OMI_mesh_of": 0}}
    assert nodes[6] == {"mesh": 1, "weights": [0.5], "extras": {"OMI_mesh_of": 2}}
    assert nodes[2]["children"] == [6]
    assert nodes[3:5] == authored["nodes"][3:5]
    assert as_authored(written)[0] == authored


def test_a_mesh_that_another_program_put_elsewhere_stays_there() -> None:
    body = {"OMI_physics_body": {"motion": {"type": "dynamic"}}}
    document = {"asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "extensions": body}]}
    written, _ = for_godot(document)
    written["nodes"].append({"name": "Added later"})
    back, _ = as_authored(written)
    assert back["nodes"] == written["nodes"]
