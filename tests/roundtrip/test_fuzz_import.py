"""Damaged physics through Blender's importer: no exception escapes, the sound joint arrives."""

import copy
import json
import os
import random
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.properties.joint import shared_settings
from tests.core.documents import BODY, DOOR, JOINT
from tests.mutation import damage

CASES = int(os.environ.get("OMI_FUZZ_CASES", "500"))
BATCHES = 10
SHAPE = "OMI_physics_shape"
PHYSICS = (JOINT, BODY, SHAPE)


def _bases(corpus: Path) -> list[dict[str, Any]]:
    """Return documents without meshes and textures, which are not what is damaged here."""
    bases = [copy.deepcopy(DOOR)]
    for file in sorted(corpus.rglob("*.gltf")):
        document = json.loads(file.read_text())
        kept = {name: document[name] for name in ("asset", "nodes", "scenes", "scene")}
        for node in kept["nodes"]:
            for name in ("mesh", "camera", "skin"):
                node.pop(name, None)
        extensions = document.get("extensions", {})
        kept["extensions"] = {name: extensions[name] for name in PHYSICS if name in extensions}
        bases.append(kept)
    return bases


def _damaged(base: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """Return the document with damaged physics."""
    document = copy.deepcopy(base)
    extensions = document["extensions"]
    targets = [extensions.get(JOINT, {}).get("physicsJoints", []), extensions.get(SHAPE, {})]
    for node in document["nodes"]:
        targets += [node["extensions"][n] for n in PHYSICS if n in node.get("extensions", {})]
    targets = [target for target in targets if target]
    for _ in range(source.randrange(1, 5)):
        damage(source.choice(targets), source, times=source.randrange(1, 4))
    return document


def _strict(document: dict[str, Any]) -> str:
    """Return JSON text without NaN, for which Blender's importer refuses the whole file."""
    return json.dumps(json.loads(json.dumps(document), parse_constant=lambda _name: None))


def _add_sound_joint(document: dict[str, Any]) -> None:
    """Add bodies and a joint whose members nothing has touched."""
    nodes, joints = document["nodes"], document["extensions"].setdefault(JOINT, {})
    settings = joints.setdefault("physicsJoints", [])
    settings.append(copy.deepcopy(DOOR["extensions"][JOINT]["physicsJoints"][0]))
    first = len(nodes)
    for node in copy.deepcopy(DOOR["nodes"]):
        node["name"] = f"Sound {node['name']}"
        node["children"] = [child + first for child in node.get("children", [])]
        nodes.append({name: value for name, value in node.items() if value != []})
    nodes[-1]["extensions"][JOINT] = {"joint": len(settings) - 1, "connectedNode": first + 1}
    scenes = document.setdefault("scenes", [{"nodes": [0, 2]}])
    scenes[0]["nodes"] += [first, first + 2]
    document["extensionsUsed"] = list(PHYSICS)


@pytest.mark.fuzz
@pytest.mark.parametrize("batch", range(BATCHES))
def test_sound_joint_arrives_beside_damaged_ones(
    corpus: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], batch: int
) -> None:
    bases = _bases(corpus)
    file = tmp_path / "damaged.gltf"
    for case in range(CASES // BATCHES):
        source = random.Random(f"import {batch} {case}")
        document = _damaged(source.choice(bases), source)
        _add_sound_joint(document)
        file.write_text(_strict(document))
        bpy.ops.wm.read_homefile(use_empty=True)
        assert bpy.ops.import_scene.gltf(filepath=str(file)) == {"FINISHED"}
        joint = bpy.data.objects["Sound Joint"].omi_joint
        assert joint.enabled, (batch, case)
        assert joint.connected_object == bpy.data.objects["Sound Frame"], (batch, case)
        assert len(shared_settings(bpy.data.objects["Sound Joint"]).limits) == 3, (batch, case)
        # A fault that the importer's guard caught.
        assert "Traceback" not in "".join(capfd.readouterr()), (batch, case)
