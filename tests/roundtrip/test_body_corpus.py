"""Official example files: export after import says the same about bodies and shapes."""

import json
from pathlib import Path
from typing import Any

import bpy
import pytest

from tests.roundtrip.body_meaning import meaning

FILES = (
    *("compound_trigger", "concave_trimesh", "convex_hull", "dynamic_box"),
    *("dynamic_with_velocity", "indirect_children", "shape_box_collider"),
    *("shape_capsule_collider", "shape_cylinder_collider", "shape_default_box"),
    *("shape_sphere_collider", "static_with_trigger", "trigger_box"),
)
JOINTED = ("hanging_rope", "simple_joint", "slider_ball", "weld_joint")


def round_trip(file: Path, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    bpy.ops.import_scene.gltf(filepath=str(file))
    target = folder / "again.gltf"
    bpy.ops.export_scene.gltf(filepath=str(target), export_format="GLTF_SEPARATE")
    return json.loads(file.read_text()), json.loads(target.read_text())


@pytest.mark.parametrize(
    "name", [*(f"omi_body/{file}" for file in FILES), *(f"omi/{file}" for file in JOINTED)]
)
def test_export_after_import_means_the_same(corpus, tmp_path, name):
    before, after = round_trip(corpus / f"{name}.gltf", tmp_path)
    assert meaning(after) == meaning(before)
    assert {"OMI_physics_body", "OMI_physics_shape"} <= set(after["extensionsUsed"])
    assert not after.get("extensionsRequired")


def test_every_file_of_the_corpus_is_tried(corpus):
    assert {file.stem for file in corpus.glob("omi_body/*.gltf")} == set(FILES)
    assert {file.stem for file in corpus.glob("omi/*.gltf")} == set(JOINTED)


@pytest.mark.parametrize("name", ["omi_body/compound_trigger", "omi/hanging_rope"])
def test_a_second_round_trip_changes_nothing_and_grows_nothing(corpus, tmp_path, name):
    _, once = round_trip(corpus / f"{name}.gltf", tmp_path)
    first = tmp_path / "first.gltf"
    first.write_text(json.dumps(once))
    for buffer in once.get("buffers", ()):
        if (tmp_path / buffer["uri"]).exists():
            continue
    bpy.ops.wm.read_homefile(use_empty=True)
    _, twice = round_trip(first, tmp_path)
    assert meaning(twice) == meaning(once)
    assert len(twice["nodes"]) == len(once["nodes"])
