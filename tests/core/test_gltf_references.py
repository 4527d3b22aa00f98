"""References of a glTF document that lead nowhere, wherever they are."""

from typing import Any

import pytest

from tests.core.documents import check_document

ACCESSOR = {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}


def _document(**members: Any) -> dict[str, Any]:
    return {"asset": {"version": "2.0"}, **members}


def _found(document: dict[str, Any]) -> list[tuple[str, str]]:
    return [(found.code, found.place) for found in check_document(document)]


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"scene": 2, "scenes": [{}]}, "/scene"),
        ({"scenes": [{"nodes": [0]}]}, "/scenes/0/nodes/0"),
        ({"nodes": [{"mesh": 0}]}, "/nodes/0/mesh"),
        ({"nodes": [{}, {"camera": -1}]}, "/nodes/1/camera"),
        ({"nodes": [{"skin": 1.5}]}, "/nodes/0/skin"),
        ({"nodes": [{"mesh": True}], "meshes": [{}, {}]}, "/nodes/0/mesh"),
        (
            {"meshes": [{"primitives": [{"attributes": {"A/B": 0}}]}]},
            "/meshes/0/primitives/0/attributes/A~1B",
        ),
        (
            {"meshes": [{"primitives": [{"targets": [{"NORMAL": 0}]}]}]},
            "/meshes/0/primitives/0/targets/0/NORMAL",
        ),
        ({"accessors": [ACCESSOR]}, "/accessors/0/bufferView"),
        ({"bufferViews": [{"buffer": 0}]}, "/bufferViews/0/buffer"),
        (
            {"materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]},
            "/materials/0/pbrMetallicRoughness/baseColorTexture/index",
        ),
        ({"textures": [{"source": 3}]}, "/textures/0/source"),
        ({"skins": [{"joints": [9]}]}, "/skins/0/joints/0"),
        (
            {"animations": [{"channels": [{"target": {"node": 4}}]}]},
            "/animations/0/channels/0/target/node",
        ),
    ],
)
def test_references_lead_somewhere(members: dict[str, Any], place: str) -> None:
    assert ("OMI-J401", place) in _found(_document(**members))


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"buffers": [{"byteLength": 35}]}, "/bufferViews/0"),
        ({"accessors": [ACCESSOR | {"count": 4}]}, "/accessors/0"),
        ({"accessors": [ACCESSOR | {"byteOffset": 4}]}, "/accessors/0"),
        ({"bufferViews": [{"buffer": 0, "byteLength": 36, "byteStride": 16}]}, "/accessors/0"),
    ],
)
def test_parts_of_buffers_exist(changes: dict[str, Any], place: str) -> None:
    sound = {
        "buffers": [{"byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [ACCESSOR],
    }
    assert _found(_document(**sound)) == []
    assert _found(_document(**sound | changes)) == [("OMI-J497", place)]


@pytest.mark.parametrize("wrong", [None, 3, "text", [], [[]], {}, [None], [{"nodes": 3}]])
@pytest.mark.parametrize("name", ["scenes", "meshes", "accessors", "bufferViews", "animations"])
def test_arrays_of_any_kind_are_survived(name: str, wrong: object) -> None:
    check_document(_document(**{name: wrong}))
