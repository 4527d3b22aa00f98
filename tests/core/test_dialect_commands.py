"""Dialects on the command line, without Blender."""

import copy
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.gltf.dialect import Dialect
from tests.core.documents import dialects_of

KHR, OMI = "KHR_physics_rigid_bodies", "OMI_physics_joint"
MASS = {"mass": 2.5}
DOOR = {
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0, 2]}],
    "extensionsUsed": [KHR],
    "extensions": {
        KHR: {"physicsJoints": [{"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}]}
    },
    "nodes": [
        {"name": "Door", "children": [1], "extensions": {KHR: {"motion": MASS}}},
        {"name": "Pin", "extensions": {KHR: {"joint": {"joint": 0, "connectedNode": 2}}}},
        {"name": "Wall"},
    ],
}


@pytest.fixture
def door(tmp_path: Path) -> Path:
    """Return a file in KHR only."""
    return write(tmp_path / "door.gltf", DOOR)


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document), "utf-8")
    return path


def converted(source: Path, target: Path, *options: str) -> dict[str, Any]:
    assert main(["convert", str(source), str(target), *options]) == 0
    return json.loads(target.read_text("utf-8"))


@pytest.mark.parametrize(
    ("names", "dialects"),
    [
        ("omi", {Dialect.OMI}),
        ("khr", {Dialect.KHR}),
        ("omi,khr", {Dialect.OMI, Dialect.KHR}),
        ("khr, omi", {Dialect.OMI, Dialect.KHR}),
    ],
)
def test_document_is_written_in_the_wanted_dialects(door, names, dialects):
    document = converted(door, door.with_name("out.gltf"), "--dialect", names)
    assert dialects_of(document) == dialects
    assert [node["name"] for node in document["nodes"][:3]] == ["Door", "Pin", "Wall"]
    body, joint = (node["extensions"] for node in document["nodes"][:2])
    if Dialect.KHR in dialects:
        assert (body[KHR]["motion"], joint[KHR]["joint"]["connectedNode"]) == (MASS, 2)
    if Dialect.OMI in dialects:
        assert body["OMI_physics_body"] == {"motion": {"type": "dynamic"} | MASS}
        assert joint[OMI] == {"joint": 0, "connectedNode": 2}
        # The world has no body in OMI, so the frame gets a static one.
        assert document["nodes"][3]["name"] == "Wall World Anchor"


def test_there_and_back_says_the_same(door):
    omi = door.with_name("omi.gltf")
    converted(door, omi, "-d", "omi")
    back = converted(omi, door.with_name("back.gltf"), "-d", "khr")
    assert back["extensions"] == DOOR["extensions"]
    assert [node.get("extensions", {}).get(KHR) for node in back["nodes"][:2]] == [
        node["extensions"][KHR] for node in DOOR["nodes"][:2]
    ]


def test_binary_container_keeps_its_other_chunks(tmp_path):
    text = json.dumps(DOOR).encode()
    text += b" " * (-len(text) % 4)
    binary = struct.pack("<II", 8, 0x004E4942) + b"\x01\x02\x03\x04\x05\x06\x07\x08"
    chunk = struct.pack("<II", len(text), 0x4E4F534A) + text
    header = struct.pack("<4sII", b"glTF", 2, 12 + len(chunk) + len(binary))
    source, target = tmp_path / "door.glb", tmp_path / "out.glb"
    source.write_bytes(header + chunk + binary)
    assert main(["convert", str(source), str(target), "--dialect", "omi"]) == 0
    data = target.read_bytes()
    magic, version, total = struct.unpack_from("<4sII", data)
    length, kind = struct.unpack_from("<II", data, 12)
    assert (magic, version, total, kind, length % 4) == (b"glTF", 2, len(data), 0x4E4F534A, 0)
    assert data[20 + length :] == binary
    assert dialects_of(json.loads(data[20 : 20 + length])) == {Dialect.OMI}


def test_file_takes_along_the_files_that_it_refers_to(tmp_path):
    source = write(tmp_path / "door.gltf", DOOR | {"buffers": [{"uri": "a.bin", "byteLength": 1}]})
    (tmp_path / "a.bin").write_bytes(b"x")
    folder = tmp_path / "other"
    folder.mkdir()
    assert main(["convert", str(source), str(folder / "door.gltf"), "-d", "khr"]) == 0
    assert sorted(file.name for file in folder.iterdir()) == ["a.bin", "door.gltf"]
    assert (folder / "a.bin").read_bytes() == b"x"
    assert main(["convert", str(source), str(tmp_path / "khr.gltf"), "-d", "khr"]) == 0


@pytest.mark.parametrize("names", ["godot", "", "omi,,khr"])
def test_unknown_dialects_are_refused(door, names, capsys):
    with pytest.raises(SystemExit):
        main(["convert", str(door), str(door.with_name("out.gltf")), "--dialect", names])
    assert "(choose from omi, khr)" in capsys.readouterr().err


def test_without_a_wish_the_dialect_stays(door):
    assert dialects_of(converted(door, door.with_name("out.gltf"))) == {Dialect.KHR}


def test_show_and_check_read_every_dialect(door, capsys):
    assert main(["show", str(door)]) == 0
    shown = capsys.readouterr().out
    assert "1 body, 1 joint" in shown
    assert "2.5 kg" in shown
    assert main(["check", str(door)]) == 0


def test_show_one_of_two_dialects(door, capsys):
    both = door.with_name("both.gltf")
    document = converted(door, both, "--dialect", "omi,khr")
    del document["nodes"][1]["extensions"][OMI]
    document["nodes"][0]["extensions"]["OMI_physics_body"]["motion"]["mass"] = 9
    write(both, document)
    seen = {}
    for dialect in ("omi", "khr"):
        assert main(["show", str(both), "--dialect", dialect]) == 0
        seen[dialect] = capsys.readouterr().out
    assert "9 kg" in seen["omi"]
    assert " 0 joints" in seen["omi"]
    assert "2.5 kg" in seen["khr"]
    assert ", 1 joint\n" in seen["khr"]


def test_show_joints_of_2023(tmp_path, capsys):
    body = {"extensions": {"OMI_physics_body": {"motion": {"type": "dynamic"}}}}
    old = {"constraints": [0], "nodeA": 1, "nodeB": 2}
    document = {
        "asset": {"version": "2.0"},
        "extensions": {OMI: {"constraints": [{"linearAxes": [0, 1, 2]}]}},
        "nodes": [{"name": "Old", "extensions": {OMI: old}}, body, body],
    }
    assert main(["show", str(write(tmp_path / "old.gltf", document))]) == 0
    shown = capsys.readouterr().out
    assert "2 bodies, 1 joint\n" in shown
    assert "Pin" in shown


def at(document, pointer):
    """Return what a JSON pointer leads to."""
    place = document
    for step in pointer.split("/")[1:]:
        place = place[int(step)] if isinstance(place, list) else place[step]
    return place


def test_findings_in_khr_point_into_the_file(door, capsys):
    document = copy.deepcopy(DOOR)
    joint = document["extensions"][KHR]["physicsJoints"][0]
    joint["limits"].append({"angularAxes": [2], "min": 1, "max": -1})
    document["nodes"][0]["extensions"][KHR]["motion"]["inertiaDiagonal"] = [1, 1, 9]
    write(door, document)
    assert main(["check", str(door), "--format", "json"]) == 1
    (report,) = json.loads(capsys.readouterr().out)["files"]
    found = {item["code"]: item["place"] for item in report["findings"]}
    # On no body is in the world here, which is no fault (OMI-J006).
    assert set(found) == {"OMI-J103", "OMI-B015"}
    assert at(document, found["OMI-J103"]) == joint["limits"][1]
    assert at(document, found["OMI-B015"])["inertiaDiagonal"] == [1, 1, 9]
