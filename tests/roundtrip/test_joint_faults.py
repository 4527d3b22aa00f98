"""One bad joint never costs another, and each is named where a person looks."""

import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.io.gltf import document_import, joint_export
from tests.roundtrip.documents import (
    BODY,
    HINGE,
    JOINT,
    add,
    add_body,
    add_door,
    export,
    import_file,
    joints,
    make_hinge,
    popups,
    write,
)


def add_bad(name: str = "Bad") -> Any:
    """Return one more joint between the bodies of `add_door`."""
    door, wall = bpy.data.objects["Door"], bpy.data.objects["Wall"]
    return make_hinge(add(name, parent=door), add(f"End of {name}", parent=wall))


def no_connected_object(bad: Any) -> None:
    bad.omi_joint.connected_object = None


def not_a_number(bad: Any) -> None:
    bad.omi_joint.limits[0].max = float("nan")


def endless_sources(bad: Any) -> None:
    other = add_bad("Worse")
    bad.omi_joint.settings_source, other.omi_joint.settings_source = other, bad


def source_is_itself(bad: Any) -> None:
    bad.omi_joint.settings_source = bad


def connected_not_selected(bad: Any) -> None:
    for obj in bpy.context.scene.objects:
        obj.select_set(obj is not bad.omi_joint.connected_object)


def connected_hidden(bad: Any) -> None:
    bad.omi_joint.connected_object.hide_set(True)


def connected_deleted(bad: Any) -> None:
    bpy.context.view_layer.objects.active = bad.omi_joint.connected_object
    with bpy.context.temp_override(selected_objects=[bad.omi_joint.connected_object]):
        bpy.ops.object.delete()
    assert bad.omi_joint.connected_object is not None


def carried_no_json(bad: Any) -> None:
    bad.omi_joint.carried = "{"


OPTIONS = {connected_not_selected: {"use_selection": True}, connected_hidden: {"use_visible": True}}
CODES = {
    no_connected_object: "OMI-J001",
    not_a_number: "OMI-J420",
    endless_sources: "OMI-J003",
    source_is_itself: "OMI-J003",
    connected_not_selected: "OMI-J002",
    connected_hidden: "OMI-J002",
    connected_deleted: "OMI-J002",
    carried_no_json: "OMI-J420",
}


@pytest.mark.parametrize("spoil", CODES)
def test_bad_joint_is_left_out_and_named(
    spoil: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_door()
    spoil(add_bad())
    document = export(tmp_path, **OPTIONS.get(spoil, {}))
    (door_joint,) = joints(document).items()
    assert door_joint == ("Joint", {"joint": HINGE, "connectedNode": "Connected"})
    seen = popups(capsys)
    assert any(line.startswith(f"error {CODES[spoil]} Bad: ") for line in seen)
    assert document["extensions"][JOINT]["physicsJoints"] == [HINGE]


def test_deleted_source_leaves_its_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _wall, _door, joint, _connected = add_door()
    user = add_bad("User")
    user.omi_joint.settings_source = joint
    user.omi_joint.limits.clear()
    with bpy.context.temp_override(selected_objects=[joint]):
        bpy.ops.object.delete()
    document = export(tmp_path)
    assert joints(document) == {"User": {"joint": HINGE, "connectedNode": "End of User"}}
    (warning,) = popups(capsys)
    assert warning.startswith("warning OMI-J004 User: ")


def test_joint_without_dynamic_body_is_written_as_authored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _wall, door, _joint, connected = add_door()
    door.omi_body.motion_type = "STATIC"
    connected.parent = None
    document = export(tmp_path)
    assert list(joints(document)) == ["Joint"]
    assert [line.split(":")[0] for line in popups(capsys)] == [
        "warning OMI-J005 Joint",
        "error OMI-J007 Joint",
    ]


def test_fault_of_the_program_costs_one_joint_and_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_door()
    add_bad()
    body_findings = joint_export._body_findings

    def fail(name: str, *ends: Any) -> Any:
        if name == "Bad":
            raise ZeroDivisionError("made up")
        return body_findings(name, *ends)

    monkeypatch.setattr(joint_export, "_body_findings", fail)
    document = export(tmp_path)
    assert list(joints(document)) == ["Joint"]
    (warning,) = popups(capsys)
    assert warning.startswith("Bad: ")
    assert "ZeroDivisionError: made up" in warning


def test_hundreds_of_findings_are_in_the_log_and_few_in_the_popup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    door = add_body("Door", "DYNAMIC")
    for n in range(200):
        add(f"Joint{n}", parent=door).omi_joint.enabled = True
    export(tmp_path)
    lines = capsys.readouterr().out.splitlines()
    assert sum("| WARNING: error OMI-J001" in line for line in lines) == 200
    assert sum(line.startswith("Warning: ") for line in lines) == 21


def _document(**nodes: Any) -> dict[str, Any]:
    """Return a document of a good joint and `nodes`, each with its joint object."""
    bad = [{"name": name, "extensions": {JOINT: value}} for name, value in nodes.items()]
    return {
        "extensionsUsed": [JOINT],
        "extensions": {JOINT: {"physicsJoints": [HINGE, {}, 5, {"limits": 7}]}},
        "scene": 0,
        "scenes": [{"nodes": list(range(2 + len(bad)))}],
        "nodes": [
            {"name": "Good", "extensions": {JOINT: {"joint": 0, "connectedNode": 1}}},
            {"name": "Connected"},
            *bad,
        ],
    }


FAULTS = {
    "joint missing": {"connectedNode": 1},
    "joint out of range": {"joint": 9, "connectedNode": 1},
    "joint negative": {"joint": -1, "connectedNode": 1},
    "joint a text": {"joint": "0", "connectedNode": 1},
    "joint true": {"joint": True, "connectedNode": 1},
    "joint null": {"joint": None, "connectedNode": 1},
    "settings no object": {"joint": 2, "connectedNode": 1},
    "connected missing": {"joint": 0},
    "connected out of range": {"joint": 0, "connectedNode": 3},
    "connected negative": {"joint": 0, "connectedNode": -1},
    "connected an object": {"joint": 0, "connectedNode": {}},
    "collision no boolean": {"joint": 0, "connectedNode": 1, "enableCollision": "yes"},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_node_is_named_and_the_rest_arrives(
    fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_file(write(tmp_path, _document(Faulty=FAULTS[fault])))
    good = bpy.data.objects["Good"].omi_joint
    assert good.enabled
    assert good.connected_object is bpy.data.objects["Connected"]
    assert [len(good.limits), good.limits[2].max] == [3, 1.5]
    assert any("Faulty" in line for line in popups(capsys))
    again = export(tmp_path)
    assert joints(again)["Good"] == {"joint": HINGE, "connectedNode": "Connected"}


@pytest.mark.parametrize("value", [{}, {"physicsJoints": {}}, {"physicsJoints": [[]]}])
def test_faulty_document_costs_no_node(
    value: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = _document() | {"extensions": {JOINT: value}}
    import_file(write(tmp_path, document))
    assert {obj.name for obj in bpy.context.scene.objects} == {"Good", "Connected"}
    assert any("Good" in line for line in popups(capsys))


def test_faulty_bodies_cost_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = _document()
    document["nodes"] += [
        {"name": "Odd", "extensions": {BODY: {"motion": 5}}},
        {"name": "Fine", "extensions": {BODY: {"motion": {"type": "dynamic", "mass": 2}}}},
    ]
    document["scenes"] = [{"nodes": [0, 1, 2, 3]}]
    import_file(write(tmp_path, document))
    fine = bpy.data.objects["Fine"].omi_body
    assert (fine.motion_type, fine.mass) == ("DYNAMIC", 2.0)
    assert bpy.data.objects["Good"].omi_joint.connected_object is not None
    assert any("Odd" in line for line in popups(capsys))


def test_fault_of_the_program_does_not_break_off_the_import(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_values: Any) -> Any:
        raise ZeroDivisionError("made up")

    monkeypatch.setattr(document_import, "scene_from_document", fail)
    import_file(write(tmp_path, _document()))
    assert {obj.name for obj in bpy.context.scene.objects} == {"Good", "Connected"}
    assert any("ZeroDivisionError: made up" in line for line in popups(capsys))


def test_numbers_too_large_for_json_do_not_stop_the_export(tmp_path: Path) -> None:
    document = json.dumps({"asset": {"version": "2.0"}} | _document(Odd={"joint": 0, "x": 5}))
    path = tmp_path / "made.gltf"
    path.write_text(document.replace('"x": 5', '"connectedNode": 1, "x": 1e999'))
    import_file(path)
    assert "Odd" in joints(export(tmp_path))
