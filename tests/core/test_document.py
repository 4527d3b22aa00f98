"""Every rule about a document has a minimal bad example; the good twin of all is the sound door."""

import json
import struct
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omi_joints_addon.core.findings.finding import rules
from omi_joints_addon.io.formats.format import UnreadableError
from omi_joints_addon.io.formats.gltf.container import leads_out, read_gltf
from omi_joints_addon.io.formats.gltf.document import scene_from_document
from omi_joints_addon.io.formats.gltf.schemas import document_schema
from tests.core.documents import (
    BODY,
    DOOR,
    JOINT,
    check_document,
    door,
    drive,
    joint,
    limit,
    motion,
    settings,
)

NAN = float("nan")
BAD: dict[str, Any] = {
    "OMI-J401": joint(connectedNode=10**18),
    "OMI-J402": door(extensionsUsed=[BODY]),
    "OMI-J403": door(extensions=None),
    "OMI-J404": door(
        "extensions", JOINT, physicsJoints=[DOOR["extensions"][JOINT]["physicsJoints"][0]] * 2
    ),
    "OMI-J405": joint(nodeA=1, nodeB=2),
    "OMI-J406": limit(minimum=0.0),
    "OMI-J407": door("nodes", 1, children=[0]),
    "OMI-J408": door("nodes", 1, translation=[0, NAN, 0]),
    "OMI-J409": door(nodes={"0": 1}),
    "OMI-J411": door(buffers=[{"byteLength": 1, "uri": "../secret.bin"}]),
    "OMI-J412": door(extensionsRequired=[JOINT]),
    "OMI-J413": settings(limits=[{"max": 1.0}] * 1001),
    "OMI-J414": door(asset=None),
    "OMI-J420": joint(joint="zero"),
    "OMI-J421": limit(min="low"),
    "OMI-J422": limit(min=NAN),
    "OMI-J423": limit(damping=-1.0),
    "OMI-J424": limit(extras={"note": NAN}),
    "OMI-J426": settings(limits=[7]),
    "OMI-J427": drive(mode=None),
    "OMI-J428": drive(axis=3),
    "OMI-J429": joint(connectedNode=None),
    "OMI-J430": limit(angularAxes=[2, 3]),
    "OMI-B001": motion(type=None),
    "OMI-B002": motion(type="liquid"),
    "OMI-B003": motion(mass=0),
    "OMI-B004": motion(inertiaOrientation=[0, 0, 0, 2]),
    "OMI-J431": limit(angularAxes=[2, 2]),
    "OMI-J432": door("nodes", 2, "extensions", BODY, trigger={"nodes": []}),
    "OMI-B006": door("extensions", **{BODY: {"physicsMaterials": [{"frictionCombine": "odd"}]}}),
    "OMI-B007": door("nodes", 2, "extensions", BODY, collider={"physicsMaterial": 4}),
    "OMI-J450": door("extensions", **{BODY: {"collisionFilters": [{"collisionSystems": [""]}]}}),
    "OMI-S003": door("nodes", 2, "extensions", BODY, collider={"shape": 4}),
}


def _codes(document: Any) -> set[str]:
    return {found.code for found in check_document(document)}


@pytest.mark.parametrize("code", BAD)
def test_rule_finds_the_bad_document(code: str) -> None:
    assert code in _codes(BAD[code])


def test_sound_document_has_no_findings() -> None:
    assert check_document(DOOR) == []


def test_every_rule_about_a_document_has_a_case() -> None:
    # J410 and J415 are about bytes, J425 about nesting, J44x about Blender's glTF add-on.
    others = {"OMI-J410", "OMI-J415", "OMI-J425"}
    known = {
        code for code in rules() if code.startswith(("OMI-J40", "OMI-J41", "OMI-J42", "OMI-J43"))
    }
    assert known - others == {code for code in BAD if code < "OMI-J44" and "-J4" in code}


def test_findings_of_settings_have_the_pointer_of_the_limit() -> None:
    found = check_document(limit(min=1.0, max=-1.0))
    (place,) = [item.place for item in found if item.code == "OMI-J103"]
    assert place == f"/extensions/{JOINT}/physicsJoints/0/limits/2"


def test_world_matrices_follow_the_tree() -> None:
    half = 0.5**0.5
    document = door(
        nodes=[
            {"children": [1], "translation": [1, 2, 3], "rotation": [0, 0, half, half]},
            {"children": [2], "scale": [2, 2, 2]},
            {"matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]},
        ]
    )
    # 5 along x, doubled, turned to y, moved; then Y up becomes Z up.
    end = scene_from_document(document).scene.matrices[2]
    assert end[:3, 3] == pytest.approx([1.0, -3.0, 12.0])
    assert np.linalg.det(end[:3, :3]) == pytest.approx(8.0)


def test_unusable_joint_costs_that_joint_only() -> None:
    document = joint()
    document["nodes"].append({"extensions": {JOINT: {"joint": 99, "connectedNode": 0}}})
    read = scene_from_document(document)
    assert [item.node for item in read.scene.joints] == [3]
    assert [found.code for found in read.findings] == ["OMI-J401"]


def test_official_files_have_no_errors(corpus: Path) -> None:
    files = [*corpus.rglob("*.gltf"), *corpus.rglob("*.glb")]
    assert files
    for file in files:
        findings = check_document(read_gltf(file).document)
        assert [str(found) for found in findings if found.severity == "error"] == [], file.name


@pytest.mark.parametrize(
    ("uri", "is_out"),
    [
        ("door.bin", False),
        ("textures/wood%20dark.png", False),
        ("data:application/octet-stream;base64,AA==", False),
        ("../door.bin", True),
        ("a/%2e%2e/%2e%2e/b", True),
        ("/etc/passwd", True),
        ("C:\\door.bin", True),
        ("https://example.org/door.bin", True),
        ("..\\door.bin", True),
    ],
)
def test_uris_that_leave_the_folder(uri: str, is_out: bool) -> None:
    assert leads_out(uri) == is_out


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["nodes", "extensions", JOINT, BODY, "joint"]), inner)
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_value_is_read(value: Any) -> None:
    for found in check_document(value):
        str(found).encode("utf-8")


PLACES = [joint, settings, limit, drive]
MEMBERS = [
    "joint",
    "connectedNode",
    "limits",
    "drives",
    "min",
    "max",
    "linearAxes",
    "angularAxes",
    "damping",
    "type",
    "mode",
    "axis",
    "positionTarget",
    "enableCollision",
    "name",
]
VALUES = st.sampled_from([-1, 0, 1, 0.5, 7, "x", True, [], [0], [0, 0], [3], [{}], {}, "linear"])


@given(st.sampled_from(PLACES), st.sampled_from(MEMBERS), VALUES)
def test_what_the_schema_forbids_is_a_finding(place: Any, name: str, value: Any) -> None:
    document = place(**{name: value})
    if not jsonschema.Draft202012Validator(document_schema("omi")).is_valid(document):
        # Axes named twice mean the same as once, an empty list of axes the same as none.
        assert check_document(document) or _has_lax_axes(value)


def _has_lax_axes(value: Any) -> bool:
    return value in ([], [0, 0])


def test_schema_takes_the_sound_document_and_official_files(corpus: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(document_schema("omi"))
    for document in (DOOR, *(json.loads(f.read_text()) for f in corpus.rglob("*.gltf"))):
        jsonschema.validate(document, document_schema("omi"))


def _glb(
    text: bytes, *, length: int | None = None, total: int | None = None, tail: bytes = b""
) -> bytes:
    size = len(text) if length is None else length
    whole = 20 + len(text) + len(tail) if total is None else total
    return struct.pack("<4sIIII", b"glTF", 2, whole, size, 0x4E4F534A) + text + tail


def _read(folder: Path, data: bytes, **options: int) -> Any:
    file = folder / "file.glb"
    file.write_bytes(data)
    return read_gltf(file, **options)


def test_binary_container_is_read(tmp_path: Path) -> None:
    tail = struct.pack("<II", 4, 0x004E4942) + b"\0\0\0\0"
    read = _read(tmp_path, _glb(b'{"asset": 1}', tail=tail))
    assert (read.document, read.findings) == ({"asset": 1}, ())


@pytest.mark.parametrize(
    "data",
    [
        _glb(b"{}", total=99),
        _glb(b"{}", tail=b"\0\0"),
        _glb(b"{}", tail=struct.pack("<II", 2**32 - 1, 0) + b"x"),
    ],
)
def test_lengths_that_lie_behind_the_json_are_findings(tmp_path: Path, data: bytes) -> None:
    read = _read(tmp_path, data)
    assert read.document == {}
    assert [found.code for found in read.findings] == ["OMI-J410"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not valid JSON"),
        (bytes(1000), "begins with zero bytes"),
        (b"glTF\2\0\0\0", "cut off in its header"),
        (_glb(b"{}", length=2**32 - 1), "cut off in its JSON"),
        (_glb(b"{}").replace(b"JSON", b"BIN\0"), "not JSON"),
        (b"glTF" + struct.pack("<IIII", 1, 20, 0, 0), "version 1"),
        (b"[" * 200_000, "nested too deeply"),
        (b"9" * 10_000, "too many digits"),
        (b"{", "not valid JSON"),
    ],
)
def test_unreadable_bytes_say_why(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(UnreadableError, match=reason):
        _read(tmp_path, data)


def test_more_json_than_allowed_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="more than the"):
        _read(tmp_path, b" " * 100, largest=99)
    with pytest.raises(UnreadableError, match="more than the"):
        _read(tmp_path, _glb(b" " * 100), largest=99)


def test_folders_and_missing_files_are_unreadable(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.glb", Path("/dev/null"), tmp_path / "a\0b"):
        with pytest.raises(UnreadableError):
            read_gltf(path)


def test_names_that_are_not_utf_8_are_replaced(tmp_path: Path) -> None:
    read = _read(tmp_path, b'{"name": "caf\xe9"}')
    assert read.document == {"name": "caf\N{REPLACEMENT CHARACTER}"}
    assert [found.code for found in read.findings] == ["OMI-J415"]


def test_deep_members_are_a_finding() -> None:
    deep: Any = 0
    for _ in range(100_000):
        deep = [deep]
    assert "OMI-J425" in _codes(limit(extras=deep))


def test_joints_on_every_link_of_a_long_chain_without_bodies_end_soon() -> None:
    """Looking upwards from each of them would take hours."""
    count = 5_000
    nodes: list[dict[str, Any]] = [
        {"children": [n + 1], "extensions": {JOINT: {"joint": 0, "connectedNode": count - 1}}}
        for n in range(count - 1)
    ]
    assert "OMI-J006" in _codes(door(nodes=[*nodes, {}]))


def test_half_characters_in_lists_of_extensions_are_shown_as_text():
    """JSON can escape half a character, which no output can encode."""
    document = json.loads('{"asset": {"version": "2.0"}, "extensionsUsed": ["\\ud800", "\\ud800"]}')
    (found,) = [each for each in check_document(document) if each.code == "OMI-J431"]
    assert "extensionsUsed contains" in str(found).encode("utf-8").decode()
