"""Damaged physics through Blender's importer: no exception escapes, the sound joint arrives."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.io.formats.gltf.dialect import Dialect
from omi_joints_addon.io.gltf.report import Report
from omi_joints_addon.properties.joint import shared_settings
from omi_joints_addon.scene.watch import WATCH
from tests.cases import cases
from tests.core.documents import BODY, DOOR, JOINT
from tests.hostile import OLD, door_of_everything, hostile, in_dialects, written
from tests.mutation import damage
from tests.tally import Faults, Tally

CASES = cases(20, 300)
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


@pytest.fixture
def caught(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """Return a list that gets the faults that the importer's guards catch."""
    found: list[BaseException] = []
    monkeypatch.setattr(Report, "fault", lambda _report, _place, error: found.append(error))
    return found


@pytest.mark.fuzz
@pytest.mark.parametrize("batch", range(BATCHES))
def test_sound_joint_arrives_beside_damaged_ones(
    corpus: Path, tmp_path: Path, caught: list[BaseException], tally: Tally, batch: int
) -> None:
    bases, faults = _bases(corpus), Faults()
    for case in range(CASES // BATCHES):
        seed = f"import {batch} {case}"
        source = random.Random(seed)
        document = _damaged(source.choice(bases), source)
        _add_sound_joint(document)
        with faults.of(seed):
            assert_arrives(document, tmp_path, caught)
        tally.add("damaged physics through Blender's importer", seed)
    faults.tell()


@pytest.mark.fuzz
@pytest.mark.parametrize("batch", range(BATCHES))
def test_sound_joint_arrives_beside_hostile_structures(
    corpus: Path, tmp_path: Path, caught: list[BaseException], tally: Tally, batch: int
) -> None:
    doors = {each.value: in_dialects(DOOR, tmp_path, each) for each in (Dialect.OMI, Dialect.KHR)}
    rich, faults = door_of_everything(), Faults()
    bases = [
        in_dialects(document, tmp_path, *dialects)
        for document in (rich, DOOR)
        for dialects in ((Dialect.OMI,), (Dialect.KHR,), (Dialect.OMI, Dialect.KHR))
    ] + [written(rich, tmp_path, {"for": "godot"}), OLD]
    for case in range(CASES // BATCHES):
        seed = f"structure {batch} {case}"
        source = random.Random(seed)
        base, is_generic = source.choice(bases), case % 2 == 1
        document = hostile(base, source, doors, generic=is_generic, only_physics=True)
        with faults.of(seed):
            assert_arrives(document, tmp_path, caught)
        tally.add("hostile structures through Blender's importer", seed)
    faults.tell()


def assert_arrives(document: dict[str, Any], folder: Path, caught: list[BaseException]) -> None:
    """Import a document; its sound joint is there, no guard had to catch anything."""
    file = folder / "damaged.gltf"
    file.write_text(_strict(document))
    bpy.ops.wm.read_homefile(use_empty=True)
    caught.clear()
    assert bpy.ops.import_scene.gltf(filepath=str(file)) == {"FINISHED"}
    sound = bpy.data.objects["Sound Joint"]
    assert sound.omi_joint.enabled
    assert sound.omi_joint.connected_object == bpy.data.objects["Sound Frame"]
    assert len(shared_settings(sound).limits) == 3
    WATCH.settled(bpy.context.scene)
    assert caught == []
