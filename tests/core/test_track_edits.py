"""Animations of joints edited in the library, written back into glTF and read by hand."""

import base64
import json
import struct
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.model.animation import Interpolation, Track
from omi_joints_addon.core.model.scene import PhysicsScene
from tests.core.animated_gltf import KHR, OMI, POINTER, animate, rotor, written

SWING = {"angularAxes": [2], "min": -0.7, "max": 0.9}
UPPER = f"/extensions/{OMI}/physicsJoints/0/limits/2/max"
SPEED = f"/extensions/{OMI}/physicsJoints/0/drives/0/velocityTarget"


def program(folder: Path) -> Path:
    """Write a rotor whose motor, bound and place change, the last in the same animation."""
    document = rotor(SWING, velocityTarget=0.3)
    animate(document, UPPER, [(0.0, 0.9), (0.7, 0.35)])
    animate(document, SPEED, [(0.1, 0.3), (1.3, -2.1)], name="Motor")
    program, moving = document["animations"][0], dict(document["animations"][0]["samplers"][0])
    program["samplers"].insert(0, moving)
    program["channels"][0]["sampler"] = 1
    program["channels"].append({"sampler": 0, "target": {"node": 0, "path": "weights"}})
    return written(document, folder)


def channels(path: Path) -> dict[tuple[str, str], tuple[str, list[float], list[float]]]:
    """Return all channels by animation and what they change: interpolation, times and values."""
    data = path.read_bytes()
    document, binary = json.loads(data) if data[:4] != b"glTF" else None, b""
    if document is None:
        size = struct.unpack_from("<I", data, 12)[0]
        document, binary = json.loads(data[20 : 20 + size]), data[28 + size :]
    found = {}
    for animation in document.get("animations", []):
        assert animation["channels"]
        for channel in animation["channels"]:
            target, sampler = channel["target"], animation["samplers"][channel["sampler"]]
            pointer = target.get("extensions", {}).get(POINTER, {}).get("pointer", target["path"])
            keys = [numbers(document, binary, path, sampler[end]) for end in ("input", "output")]
            place = animation.get("name", ""), pointer
            assert place not in found
            found[place] = (sampler["interpolation"], *keys)
    return found


def numbers(document: dict[str, Any], binary: bytes, path: Path, index: int) -> list[float]:
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    uri = document["buffers"][view["buffer"]].get("uri")
    if uri is not None:
        is_inside = uri.startswith("data:")
        binary = (
            base64.b64decode(uri.split(",")[1]) if is_inside else path.with_name(uri).read_bytes()
        )
    kind = {5126: "<f4", 5121: "u1"}[accessor["componentType"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return np.frombuffer(binary, kind, accessor["count"], start).astype(float).round(5).tolist()


def saved(scene: PhysicsScene, source: Path, name: str, **options: Any) -> tuple[Path, list[str]]:
    target = source.with_name(name)
    losses = omi_joints.write(scene, target, original=source, **options)
    return target, [str(loss) for loss in losses]


def edited(scene: PhysicsScene, member: str, **changes: Any) -> PhysicsScene:
    tracks = [replace(t, **changes) if t.member == member else t for t in scene.tracks]
    return replace(scene, tracks=tuple(tracks))


def test_edited_keys_are_written_and_others_stay(tmp_path: Path) -> None:
    source = program(tmp_path)
    scene = omi_joints.read(source)
    before = channels(source)
    keys = {"seconds": np.array([0.0, 0.4, 1.1]), "values": np.array([0.8, 0.6, 0.55])}
    target, losses = saved(edited(scene, "max", **keys), source, "b.gltf")
    assert losses == []
    edit = {("Program", UPPER): ("LINEAR", [0.0, 0.4, 1.1], [0.8, 0.6, 0.55])}
    assert channels(target) == before | edit
    old, new = (json.loads(path.read_text()) for path in (source, target))
    assert new["buffers"][:-1] == old["buffers"]
    assert new["accessors"][: len(old["accessors"])] == old["accessors"]
    assert [len(each["samplers"]) for each in new["animations"]] == [2, 1]
    tracks = {track.member: track for track in omi_joints.read(target).tracks}
    assert tracks["max"].values == pytest.approx([0.8, 0.6, 0.55])
    assert saved(omi_joints.read(target), target, "c.gltf")[0].read_bytes() == target.read_bytes()


def test_removed_tracks_go_and_take_empty_animations_with_them(tmp_path: Path) -> None:
    source = program(tmp_path)
    scene = omi_joints.read(source)
    left = [track for track in scene.tracks if track.member != "velocity_target"]
    target, losses = saved(replace(scene, tracks=tuple(left)), source, "b.gltf")
    assert losses == []
    expected = {key: value for key, value in channels(source).items() if key[0] == "Program"}
    assert channels(target) == expected
    target, _ = saved(replace(scene, tracks=()), source, "c.gltf")
    assert list(channels(target)) == [("Program", "weights")]
    assert POINTER not in json.loads(target.read_text())["extensionsUsed"]


def steps(joints: Sequence[int], member: str, animation: str) -> Track:
    return Track(
        joints=tuple(joints), kind="drives", number=0, member=member, animation=animation,
        interpolation=Interpolation.STEP, seconds=np.array([0.2, 0.9]), values=np.array([1.7, 0.4]),
    )  # fmt: skip


@pytest.mark.parametrize(("animation", "count"), [("Motor", 2), ("Brake", 3)])
def test_new_tracks_are_in_the_animation_that_they_name(
    animation: str, count: int, tmp_path: Path
) -> None:
    source = program(tmp_path)
    scene = omi_joints.read(source)
    new = replace(scene, tracks=(*scene.tracks, steps([0], "damping", animation)))
    target, losses = saved(new, source, "b.gltf")
    assert losses == []
    pointer = SPEED.replace("velocityTarget", "damping")
    added = {(animation, pointer): ("STEP", [0.2, 0.9], [1.7, 0.4])}
    assert channels(target) == channels(source) | added
    assert len(json.loads(target.read_text())["animations"]) == count


def test_a_file_without_animations_gets_some(tmp_path: Path) -> None:
    source = written(rotor(SWING, velocityTarget=0.3), tmp_path)
    scene = omi_joints.read(source)
    target, losses = saved(replace(scene, tracks=(steps([0], "damping", ""),)), source, "b.gltf")
    assert losses == []
    assert [values for _, _, values in channels(target).values()] == [[1.7, 0.4]]


@pytest.mark.parametrize("name", ["b.glb", "b.gltf"])
@pytest.mark.parametrize("dialect", ["khr", "omi,khr"])
def test_edited_keys_are_in_every_dialect_and_container(
    name: str, dialect: str, tmp_path: Path
) -> None:
    source = program(tmp_path)
    scene = edited(omi_joints.read(source), "velocity_target", values=np.array([0.5, 1.5]))
    target, losses = saved(scene, source, name, dialect=dialect)
    assert losses == []
    found = channels(target)
    names = [{"omi": OMI, "khr": KHR}[word] for word in dialect.split(",")]
    for extension in names:
        pointer = SPEED.replace(OMI, extension)
        assert found["Motor", pointer] == ("LINEAR", [0.1, 1.3], [0.5, 1.5])
    assert len(found) == 1 + 2 * len(names)
    again, _ = saved(
        edited(omi_joints.read(target), "max", values=np.array([0.2, 0.1])), target, f"c{name}"
    )
    assert len(channels(again)) == len(found)
    uppers = [keys for (_, pointer), keys in channels(again).items() if pointer.endswith("/max")]
    assert uppers == [("LINEAR", [0.0, 0.7], [0.2, 0.1])] * len(names)


def test_both_bounds_of_a_cone_of_khr_follow(tmp_path: Path) -> None:
    document = rotor(velocityTarget=0.3)
    limits = document["extensions"][OMI]["physicsJoints"][0]["limits"]
    limits[1] = {"angularAxes": [0, 1], "max": 0.6}
    animate(document, UPPER.replace("limits/2", "limits/1"), [(0.0, 0.6), (0.7, 0.2)])
    scene, source = omi_joints.read(written(document, tmp_path)), tmp_path / "k.gltf"
    omi_joints.write(replace(scene, carried={}), source, dialect="khr")
    assert len(channels(source)) == 2
    scene = edited(omi_joints.read(source), "max", values=np.array([0.5, 0.3]))
    target, losses = saved(scene, source, "b.gltf")
    assert losses == []
    values = {pointer[-3:]: keys[2] for (_, pointer), keys in channels(target).items()}
    assert values == {"max": [0.5, 0.3], "min": [-0.5, -0.3]}
    assert channels(saved(replace(scene, tracks=()), source, "c.gltf")[0]) == {}


def test_what_cannot_be_said_is_named(tmp_path: Path) -> None:
    document = rotor(velocityTarget=0.3)
    document["nodes"] += [
        {"name": "Twin", "extensions": {OMI: {"joint": 0, "connectedNode": 3}}},
    ]
    document["scenes"][0]["nodes"].append(4)
    source = written(document, tmp_path)
    scene = omi_joints.read(source)
    _, (loss,) = saved(replace(scene, tracks=(steps([0], "damping", ""),)), source, "b.gltf")
    assert "(Twin): it is animated as well: it shares the settings" in loss
    missing = replace(steps([0, 1], "damping", ""), number=5)
    _, losses = saved(replace(scene, tracks=(missing,)), source, "c.gltf")
    for loss, name in zip(losses, ("Motor", "Twin"), strict=True):
        assert f"({name}): damping of something in drives that the joint does not have" in loss
