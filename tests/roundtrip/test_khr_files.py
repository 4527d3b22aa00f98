"""Official example files through Blender and both dialects."""

import json
from typing import Any

import bpy
import pytest

from tests.roundtrip.body_meaning import MATERIAL, meaning
from tests.roundtrip.documents import (
    assert_same_frame,
    import_file,
    joints,
    world,
)
from tests.roundtrip.khr_files import (
    KHR,
    OMI,
    SHAPES,
    export_as,
    extensions_in,
    json_of_glb,
    khr_parts,
)
from tests.schemas import schema_errors


def _in_full(values: dict[str, Any]) -> dict[str, Any]:
    """Return members with the defaults of a material: loaders have others (docs/engines.md)."""
    if "physicsMaterial" not in values:
        return values
    return values | {"physicsMaterial": MATERIAL | values["physicsMaterial"]}


class TestOfficialExample:
    """What the add-on of the Khronos draft loses on the way is kept here."""

    def test_everything_of_it_is_written_back(self, corpus, tmp_path, schemas):
        file = corpus / "khr" / "JointTypes.glb"
        import_file(file)
        after = export_as(tmp_path, "KHR")
        before = json_of_glb(file)
        assert schema_errors(after, schemas) == []
        assert extensions_in(after) == {KHR, SHAPES}
        for part, count in {"motion": 14, "collider": 20, "joint": 11}.items():
            pairs = list(zip(khr_parts(after, part), khr_parts(before, part), strict=True))
            assert len(pairs) == count
            for (places, values), (expected, value) in pairs:
                assert values == _in_full(value)
                for place, original in zip(places, expected, strict=True):
                    assert_same_frame(place, original)

        # Colliders of scaled bodies get nodes of their own, frames of joints none.
        found = [node["name"] for node in after["nodes"] if not node["name"].endswith(" Shape")]
        # Blender writes cameras on demand only.
        assert len(found) == len([node for node in before["nodes"] if "camera" not in node])

    def test_bodies_keep_their_joints_and_second_frames(self, corpus):
        import_file(corpus / "khr" / "JointTypes.glb")
        found = [obj for obj in bpy.data.objects if obj.omi_joint.enabled]
        assert len(found) == 11
        assert all(obj.omi_joint.connected_object is not None for obj in found)

    def test_it_is_valid_in_omi(self, corpus, tmp_path, schemas):
        import_file(corpus / "khr" / "JointTypes.glb")
        document = export_as(tmp_path, "OMI")
        assert schema_errors(document, schemas) == []
        assert len(joints(document)) == 11


@pytest.mark.parametrize("folder", ["omi", "omi_body"])
def test_official_omi_examples_come_back_through_khr(corpus, tmp_path, folder, schemas):
    for file in sorted((corpus / folder).glob("*.gltf")):
        import_file(file)
        khr = export_as(tmp_path, "KHR", name="khr.gltf")
        assert (file.name, extensions_in(khr) & OMI, schema_errors(khr, schemas)) == (
            file.name,
            set(),
            [],
        )
        import_file(tmp_path / "khr.gltf")
        after = export_as(tmp_path, "OMI", name="omi.gltf")
        before = json.loads(file.read_text())
        assert (file.name, schema_errors(after, schemas)) == (file.name, [])
        assert (file.name, meaning(after)) == (file.name, meaning(before))
        if folder == "omi":
            assert (file.name, joints(after)) == (file.name, joints(before))
            names = [node["name"] for node in after["nodes"]]
            for index, node in enumerate(before["nodes"]):
                if set(node.get("extensions", {})) & OMI:
                    found = world(after, names.index(node["name"]))
                    assert_same_frame(found, world(before, index))


def test_file_of_both_dialects_comes_back_and_grows_nothing(corpus, tmp_path):
    import_file(corpus / "omi" / "weld_joint.gltf")
    once = export_as(tmp_path, "OMI", "KHR", name="once.gltf")
    import_file(tmp_path / "once.gltf")
    twice = export_as(tmp_path, "OMI", "KHR", name="twice.gltf")
    assert twice["extensions"] == once["extensions"]
    assert len(twice["nodes"]) == len(once["nodes"])
    assert "extras" not in json.dumps(once["extensions"])
