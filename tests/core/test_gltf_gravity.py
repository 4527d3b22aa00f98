"""OMI_physics_gravity, and extensions of physics that are not read."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.cli.main import main
from omi_joints_addon.core.model.scene import GRAVITY
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.gltf.document import scene_from_document
from omi_joints_addon.io.formats.gltf.reading import read_file

EXTENSION = "OMI_physics_gravity"
BALL = {"motion": {"type": "dynamic", "mass": 2.5}, "collider": {"shape": 0}}
SHAPES = {"shapes": [{"type": "sphere", "sphere": {"radius": 0.3}}]}


def document_of(gravity=None, **extensions):
    """Return a document with a ball, and whatever more its node has."""
    root = {"OMI_physics_shape": SHAPES} | ({} if gravity is None else {EXTENSION: gravity})
    body = {"OMI_physics_body": BALL, **extensions}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": sorted({*root, *body}),
        "extensions": root,
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Ball", "translation": [0, 5, 0], "extensions": body}],
    }


def write(folder, document, name="ball.gltf"):
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


class TestGravity:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ({"gravity": 0}, (0.0, 0.0, 0.0)),
            ({"gravity": 1.62}, (0.0, 0.0, -1.62)),
            ({"gravity": -3.7}, (0.0, 0.0, 3.7)),
            ({"gravity": 5.0, "direction": [0.6, 0.0, 0.8]}, (3.0, -4.0, 0.0)),
            (None, GRAVITY),
        ],
    )
    def test_that_of_the_document_is_that_of_the_scene(self, value, expected):
        found = scene_from_document(document_of(value))
        assert found.scene.gravity == pytest.approx(expected)
        assert found.findings == ()

    @pytest.mark.parametrize(
        ("value", "code"),
        [
            ({"gravity": "much"}, "OMI-J421"),
            ({"gravity": 2.0, "direction": [0, 0, 0]}, "OMI-J490"),
            (7, "OMI-J409"),
        ],
    )
    def test_what_is_no_gravity_is_named(self, value, code):
        found = scene_from_document(document_of(value))
        assert found.scene.gravity == GRAVITY
        assert [each.code for each in found.findings] == [code]

    def test_bodies_fall_as_the_document_says(self, tmp_path):
        read = omi_joints.read(write(tmp_path, document_of({"gravity": 1.62})))
        motion = omi_joints.simulate(read, seconds=1.0, fps=10.0)
        assert motion.positions[-1, 0][2] == pytest.approx(5.0 - 1.62 / 2.0, abs=0.02)

    @pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (0.0, 0.0, -1.62), (3.0, -4.0, 0.5)])
    def test_that_of_a_scene_is_written(self, tmp_path, gravity):
        scene = read_file(Source(write(tmp_path, document_of()))).scene
        path = tmp_path / "written.gltf"
        for changed in (
            replace(scene, gravity=gravity),
            replace(scene, carried={}, gravity=gravity),
        ):
            path.write_bytes(GLTF.write(changed, Target(path=path)).files[path.name])
            document = json.loads(path.read_text("utf-8"))
            declared = document["extensions"][EXTENSION]
            direction = declared.get("direction", [0, -1, 0])
            x, y, z = np.array(direction) * declared["gravity"]
            # Y up: up is the second axis, and Blender's Y points against the third.
            assert (x, -z, y) == pytest.approx(gravity)
            assert math.hypot(*direction) == pytest.approx(1.0)
            assert EXTENSION in document["extensionsUsed"]
            assert read_file(Source(path)).scene.gravity == pytest.approx(gravity)

    def test_that_of_most_scenes_is_left_out(self, tmp_path):
        scene = read_file(Source(write(tmp_path, document_of()))).scene
        path = tmp_path / "written.gltf"
        written = GLTF.write(replace(scene, carried={}), Target(path=path))
        assert EXTENSION.encode() not in bytes(written.files[path.name])


class TestUnread:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("OMI_vehicle_body", {"angularDampeners": True}),
            ("OMI_seat", {"back": [0, 0, 0]}),
            ("EXT_ragdoll_physics", {}),
            ("MOZ_hubs_components", {"ammo-shape": {"type": "box"}}),
            (EXTENSION, {"type": "point", "gravity": 9.8}),
        ],
    )
    def test_each_is_named_once(self, name, value):
        document = document_of(**{name: value})
        document["nodes"] *= 2
        document["nodes"][1] = dict(document["nodes"][1])
        found = [each for each in scene_from_document(document).findings if each.code == "OMI-J499"]
        assert [each.place for each in found] == [f"/nodes/0/extensions/{name}"]
        assert name in found[0].message

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("VRM", {"secondaryAnimation": {"boneGroups": [{}]}}),
            ("VRMC_springBone", {"springs": []}),
        ],
    )
    def test_springs_of_characters_are_named(self, name, value):
        document = document_of()
        document["extensions"][name] = value
        found = scene_from_document(document).findings
        assert [(each.code, each.place) for each in found] == [("OMI-J499", f"/extensions/{name}")]

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("VRM", {"secondaryAnimation": {"boneGroups": []}}),
            ("MOZ_hubs_components", {"spawn-point": {}}),
            ("KHR_lights_punctual", {"light": 0}),
        ],
    )
    def test_what_is_not_about_physics_is_not_named(self, name, value):
        document = document_of(**({} if name == "VRM" else {name: value}))
        if name == "VRM":
            document["extensions"][name] = value
        assert scene_from_document(document).findings == ()

    def test_other_formats_lose_them_and_strict_says_so(self, tmp_path, capsys):
        path = write(tmp_path, document_of(OMI_vehicle_body={}))
        other = tmp_path / "ball.xml"
        assert main(["convert", str(path), str(other), "--strict"]) == 1
        assert "OMI_vehicle_body" in capsys.readouterr().err
        assert not other.exists()
        again = tmp_path / "again.gltf"
        assert main(["convert", str(path), str(again), "--strict"]) == 0
        assert "OMI_vehicle_body" in again.read_text("utf-8")
