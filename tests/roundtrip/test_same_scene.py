"""A file that is read directly and the same file in Blender are one scene, with equal findings.

Nodes are matched by name. Blender adds nothing but the frames that the reader adds as well.
"""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.engines.engines import ENGINES
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import MeshShape
from omi_joints_addon.io.formats.checking import check
from omi_joints_addon.io.formats.format import Read, Source
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.gltf.container import glb_pieces, read_gltf
from omi_joints_addon.scene.reading import scene_to_core
from tests.core.documents import BODY, JOINT, door, drive, joint, limit, motion, settings
from tests.elsewhere import corpus_folder
from tests.whole_check import shown_findings

HALF = 0.5**0.5


def both(path: Path) -> tuple[Read, PhysicsScene]:
    """Return a file as it is read directly, and as Blender has it."""
    (read,) = GLTF.read(Source(path=path))
    bpy.ops.import_scene.gltf(filepath=str(path))
    bpy.context.view_layer.update()
    core, findings = scene_to_core(bpy.context.scene)
    assert findings == []
    return read, core


def assert_same(one: PhysicsScene, other: PhysicsScene) -> None:
    """Compare scenes; what Blender's importer renames or adds for itself is left out."""
    there = {name: node for node, name in enumerate(other.names)}
    whose = {node: there[name] for node, name in enumerate(one.names) if name in there}
    # A mesh shape may share a node; all other nodes of a file are objects.
    assert len(whose) == len(one.names), sorted(set(one.names) - set(there))
    for node, match in whose.items():
        np.testing.assert_allclose(
            one.matrices[node], other.matrices[match], atol=2e-5, err_msg=one.names[node]
        )
        above, matched = int(one.parents[node]), int(other.parents[match])
        assert (above < 0 and matched < 0) or whose[above] == matched, one.names[node]
    assert {whose[node] for node in one.motions} == set(other.motions)
    for node, value in one.motions.items():
        assert_close(value, other.motions[whose[node]])
    # In Blender the shape of a scaled node is on a node of its own below, without scale.
    known = set(whose.values())
    holder = {node: node if node in known else int(other.parents[node]) for node in other.colliders}
    assert {whose[node] for node in one.colliders} == set(holder.values())
    places = {owner: node for node, owner in holder.items()}
    for node, collider in one.colliders.items():
        found = other.colliders[places[whose[node]]]
        if places[whose[node]] in known:
            assert_volume(one, collider, other, found)
        else:
            assert type(collider.shape) is type(found.shape)
    assert {whose[node] for node in one.triggers} == set(other.triggers)
    for node, trigger in one.triggers.items():
        volume = other.triggers[whose[node]]
        assert sorted(whose[part] for part in trigger.nodes) == sorted(volume.nodes)
        assert_volume(one, trigger, other, volume)
    ends = [(whose[j.node], whose.get(j.connected), j.settings) for j in one.joints]
    assert sorted(ends, key=lambda end: end[0]) == sorted(
        ((j.node, j.connected, j.settings) for j in other.joints), key=lambda end: end[0]
    )


def assert_volume(one: PhysicsScene, volume: Any, other: PhysicsScene, found: Any) -> None:
    shape, match = volume.shape, found.shape
    assert type(shape) is type(match)
    if isinstance(shape, MeshShape):
        assert shape.mesh is not None
        assert match.mesh is not None
        points, matches = one.meshes[shape.mesh].read(), other.meshes[match.mesh].read()
        # Blender joins points at the same place.
        rows, others = ({tuple(row) for row in np.round(data.points, 4) + 0.0} for data in
                        (points, matches))  # fmt: skip
        assert rows == others
    elif shape is not None:
        assert_close(replace(shape, name="", carried=""), replace(match, name="", carried=""))
    if hasattr(volume, "material"):
        assert (volume.material is None) == (found.material is None)


def assert_close(value: Any, match: Any) -> None:
    for name in value.__slots__ if hasattr(value, "__slots__") else value.__dataclass_fields__:
        one, other = getattr(value, name), getattr(match, name)
        if isinstance(one, float | tuple):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6, err_msg=name)
        else:
            assert one == other, name


def codes(findings: Any) -> Counter[str]:
    return Counter(found.code for found in findings)


def assert_panel_finds(read: Read) -> None:
    """Assert that Blender's panel finds in its scene what `check` finds in the file."""
    scene = bpy.context.scene
    options = scene.omi_checks
    options.use_engine, options.show_info = False, True
    reported = [found for found in shown_findings(scene) if found.code not in read.exempt]
    found = check(read._replace(findings=()))
    assert codes(reported) == codes(found)
    options.use_engine = True
    for name, engine in ENGINES.items():
        options.engine = name.upper()
        reported = [found for found in shown_findings(scene) if found.code not in read.exempt]
        lost = [item for item in engine.check(read.scene) if item.code not in read.exempt]
        assert (name, codes(reported)) == (name, codes([*found, *lost]))


def corpus_files() -> list[str]:
    folder = corpus_folder()
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.gl*"))


def named_apart(path: Path, folder: Path) -> Path:
    """Return a file whose nodes have names of their own: a copy where they have not."""
    file = read_gltf(path)
    names = [node.get("name") for node in file.document["nodes"]]
    if len(set(names)) == len(names):
        return path
    for number, node in enumerate(file.document["nodes"]):
        node["name"] = f"{node.get('name')} {number}"
    copy = folder / "named.glb"
    copy.write_bytes(bytes(glb_pieces(file.document, file.chunks())))
    return copy


@pytest.mark.parametrize("name", corpus_files())
def test_official_files_are_the_same_scene(corpus: Path, tmp_path: Path, name: str) -> None:
    read, core = both(named_apart(corpus / name, tmp_path))
    assert_same(read.scene, core)
    reported = [found for found in check_scene(core) if found.code not in read.exempt]
    assert codes(check(read._replace(findings=()))) == codes(reported)
    assert_panel_finds(read)


def turned_door() -> dict[str, Any]:
    """Return a document whose frames are on bodies and meshes, turned, scaled and nested."""
    document = door()
    document["nodes"] += [
        {"name": "Holder", "rotation": [HALF, 0, 0, HALF], "children": [5]},
        {
            "name": "Own Frame",
            "translation": [0.25, 1, -2],
            "rotation": [0, HALF, 0, HALF],
            "extensions": {
                BODY: {
                    "motion": {
                        "type": "dynamic",
                        "mass": 2.5,
                        "centerOfMass": [0.1, 0.2, 0.3],
                        "inertiaDiagonal": [1, 2, 2.5],
                        "linearVelocity": [1, 2, 3],
                    },
                    "collider": {"shape": 0},
                },
                JOINT: {"joint": 0, "connectedNode": 0},
            },
        },
        {"name": "Trigger", "extensions": {BODY: {"trigger": {"shape": 1}}}},
    ]
    document["extensions"]["OMI_physics_shape"] = {
        "shapes": [
            {"type": "box", "box": {"size": [1, 2, 3]}},
            {"type": "capsule", "capsule": {"height": 2, "radiusBottom": 0.5, "radiusTop": 0.5}},
        ]
    }
    document["extensionsUsed"].append("OMI_physics_shape")
    return document


DOCUMENTS = {
    "sound": door(),
    "frames that mean more": turned_door(),
    "contradictory limit": limit(min=1.0, max=-1.0),
    "soft lock": settings(
        limits=[{"linearAxes": [0, 1, 2], "min": 0, "max": 0, "stiffness": 1, "damping": 1}]
    ),
    "soft without damping": limit(stiffness=3.0),
    "drive without target": drive(positionTarget=None),
    "drive beyond the limits": drive(positionTarget=2.0),
    "empty settings": settings(limits=None, drives=None),
    "static joint": motion(type="static"),
    "no bodies": door("nodes", 0, extensions=None),
    "frames apart": door("nodes", 1, translation=[1, 0.5, 0]),
    "scaled frame": door("nodes", 1, scale=[1, 2, 1]),
    "one body": joint(connectedNode=2),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_findings_are_the_same_in_a_file_and_in_its_scene(tmp_path: Path, name: str) -> None:
    path = tmp_path / "scene.gltf"
    path.write_text(json.dumps(DOCUMENTS[name]))
    read, core = both(path)
    assert_same(read.scene, core)
    assert codes(check(read._replace(findings=()))) == codes(check_scene(core))
    assert_panel_finds(read)
