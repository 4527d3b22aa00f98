"""Keyed values of bodies in glTF files, read by pygltflib and numpy alone, and back in Blender."""

import json
import struct
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pygltflib
import pytest

from omi_joints_addon.scene.animation import is_animated
from tests.roundtrip.documents import add_body, add_door, export, import_file, popups, triangle

OMI, KHR = "OMI_physics_body", "KHR_physics_rigid_bodies"
POINTER = "KHR_animation_pointer"
SURFACE = "omi_body.collider.material"
Keys = list[tuple[float, float]]


def key(obj: Any, path: str, keys: Keys, index: int = 0, interpolation: str = "LINEAR") -> Any:
    data = obj.animation_data or obj.animation_data_create()
    if data.action is None:
        data.action = bpy.data.actions.new("Bodies")
    curve = data.action.fcurve_ensure_for_datablock(obj, path, index=index)
    for frame, value in keys:
        curve.keyframe_points.insert(frame, value).interpolation = interpolation
    curve.update()
    return curve


def add_ball(name: str = "Ball") -> Any:
    body = add_body(name, "DYNAMIC")
    body.omi_body.collider.source = "CUSTOM"
    body.omi_body.collider.shape.type = "SPHERE"
    body.omi_body.collider.material.use_material = True
    return body


def channels(folder: Path) -> dict[str, tuple[str, np.ndarray, np.ndarray]]:
    """Return interpolation, times and values (n, width) by pointer, as pygltflib reads them."""
    file = pygltflib.GLTF2().load(str(folder / "file.gltf"))
    document = json.loads((folder / "file.gltf").read_text())
    data = (folder / file.buffers[0].uri).read_bytes()

    def numbers(index: int) -> np.ndarray:
        accessor = file.accessors[index]
        width = {"SCALAR": 1, "VEC3": 3}[accessor.type]
        start = (file.bufferViews[accessor.bufferView].byteOffset or 0) + (accessor.byteOffset or 0)
        found = struct.unpack_from(f"<{accessor.count * width}f", data, start)
        return np.array(found).reshape(-1, width)

    found = {}
    for animation in file.animations:
        for channel in animation.channels:
            if channel.target.path != "pointer":  # Blender writes how its Rigid Bodies move
                continue
            sampler = animation.samplers[channel.sampler]
            pointer = channel.target.extensions[POINTER]["pointer"]
            place: Any = document
            for step in pointer.split("/")[1:]:
                place = place[int(step)] if isinstance(place, list) else place[step]
            assert place is not None
            times = numbers(sampler.input)[:, 0]
            found[pointer] = (sampler.interpolation, times, numbers(sampler.output))
    return found


def at_frame(found: tuple[str, np.ndarray, np.ndarray], frame: float) -> list[float]:
    """Return what linear keys are at a frame, 24 a second."""
    kind, times, values = found
    assert kind == "LINEAR"
    return [float(np.interp(frame / 24, times, column)) for column in values.T]


def of_kind(found: dict[str, Any], member: str) -> Any:
    first, *rest = (keys for pointer, keys in found.items() if pointer.endswith(f"/{member}"))
    # Each dialect has the same.
    assert all(np.array_equal(first[1], times) for _, times, _ in rest)
    return first


@pytest.mark.parametrize("mode", ["ACTIONS", "SCENE"])
def test_keyed_motion_is_written_in_the_axes_of_the_file(mode: str, tmp_path: Path) -> None:
    ball = add_ball()
    bpy.context.scene.omi_gltf.export_dialects = {"OMI", "KHR"}
    bpy.context.scene.frame_end = 20
    ball.omi_body.linear_velocity = (0.0, 0.0, 4.0)
    key(ball, "omi_body.mass", [(1, 1.0), (20, 3.0)])
    key(ball, "omi_body.gravity_factor", [(1, 1.0), (10, 0.0)])
    key(ball, "omi_body.linear_velocity", [(1, 0.0), (20, 2.0)], 0)
    key(ball, "omi_body.linear_velocity", [(4, 1.0), (16, 3.0)], 1)
    key(ball, "omi_body.inertia_diagonal", [(1, 1.0), (20, 2.0)], 1)
    key(ball, "omi_body.inertia_diagonal", [(1, 5.0), (20, 6.0)], 2)
    assert not is_animated(ball)
    export(tmp_path, export_animation_mode=mode)
    found = channels(tmp_path)
    for name in (OMI, KHR):
        assert sum(f"/extensions/{name}/motion/" in pointer for pointer in found) == 4
    assert len(found) == 8
    scene = bpy.context.scene
    for frame in range(1, 21):
        scene.frame_set(frame)
        body = ball.evaluated_get(bpy.context.evaluated_depsgraph_get()).omi_body
        x, y, z = body.linear_velocity
        i, j, k = body.inertia_diagonal
        expected = {
            "mass": [body.mass],
            "gravityFactor": [body.gravity_factor],
            "linearVelocity": [x, z, -y],
            "inertiaDiagonal": [i, k, j],
        }
        for member, values in expected.items():
            written = at_frame(of_kind(found, member), frame)
            assert written == pytest.approx(values, abs=1e-6), (member, frame)
    kinds = len(of_kind(found, "inertiaDiagonal")[1]), len(of_kind(found, "mass")[1])
    assert kinds == ((2, 2) if mode == "ACTIONS" else (20, 20))


def test_surfaces_that_change_apart_are_not_shared(tmp_path: Path) -> None:
    one, other = add_ball("One"), add_ball("Other")
    bpy.context.scene.omi_gltf.export_dialects = {"KHR"}
    key(other, f"{SURFACE}.restitution", [(1, 0.0), (13, 1.0)], interpolation="CONSTANT")
    document = export(tmp_path)
    ((pointer, (kind, times, values)),) = channels(tmp_path).items()
    assert (kind, values[:, 0].tolist()) == ("STEP", [0.0, 1.0])
    assert times == pytest.approx(np.array([1, 13]) / 24)
    materials = [
        node["extensions"][KHR]["collider"]["physicsMaterial"]
        for obj in (one, other)
        for node in document["nodes"]
        if node["name"] == obj.name
    ]
    assert materials == [0, 1]
    assert pointer == f"/extensions/{KHR}/physicsMaterials/1/restitution"


def test_keys_of_bodies_come_back(tmp_path: Path) -> None:
    ball, _other = add_ball(), add_ball("Other")
    bpy.context.scene.omi_gltf.export_dialects = {"OMI", "KHR"}
    written = {
        ("omi_body.mass", 0): [(1.0, 1.0), (20.0, 3.0)],
        ("omi_body.center_of_mass", 0): [(1.0, 0.0), (20.0, 0.5)],
        ("omi_body.center_of_mass", 1): [(1.0, 0.25), (20.0, -0.5)],
        ("omi_body.center_of_mass", 2): [(1.0, 0.0), (20.0, 0.125)],
        (f"{SURFACE}.dynamic_friction", 0): [(1.0, 0.25), (8.0, 0.75)],
    }
    for (path, index), keys in written.items():
        key(ball, path, keys, index)
    export(tmp_path)
    bpy.ops.wm.read_homefile(use_empty=True)
    import_file(tmp_path / "file.gltf")
    ball = bpy.data.objects["Ball"]
    data = ball.animation_data
    curves = data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves
    found = {
        (curve.data_path, curve.array_index): [tuple(point.co) for point in curve.keyframe_points]
        for curve in curves
    }
    assert found.keys() == written.keys()
    for place, keys in written.items():
        assert np.allclose(found[place], keys, atol=1e-5), place
    bpy.context.scene.frame_set(20)
    assert ball.omi_body.center_of_mass[:] == pytest.approx((0.5, -0.5, 0.125), abs=1e-6)
    assert bpy.data.objects["Other"].animation_data is None


def test_keys_of_rigid_bodies_are_those_of_the_body(tmp_path: Path) -> None:
    _wall, door, *_ = add_door()
    body = add_body("Plate", "DYNAMIC", data=triangle())
    bpy.context.view_layer.objects.active = body
    bpy.ops.rigidbody.object_add()
    bpy.context.scene.omi_gltf.export_dialects = {"OMI", "KHR"}
    key(body, "rigid_body.mass", [(1, 1.0), (20, 3.0)])
    key(body, "rigid_body.friction", [(1, 0.25), (20, 0.5)])
    key(door, "omi_body.mass", [(1, 1.0), (20, 3.0)])
    export(tmp_path)
    found = channels(tmp_path)
    names = sorted(pointer.rpartition("/")[2] for pointer in found if f"/{KHR}/" in pointer)
    assert names == ["dynamicFriction", "mass", "mass", "staticFriction"]
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.omi_gltf.import_rigid_bodies = True
    bpy.ops.import_scene.gltf(filepath=str(tmp_path / "file.gltf"))
    bpy.context.scene.frame_set(20)
    rigid = bpy.data.objects["Plate"].rigid_body
    assert (rigid.mass, rigid.friction) == pytest.approx((3.0, 0.5), abs=1e-6)


def test_drivers_of_bodies_are_sampled(tmp_path: Path) -> None:
    ball = add_ball()
    bpy.context.scene.omi_gltf.export_dialects = {"KHR"}
    bpy.context.scene.frame_end = 10
    driver = ball.driver_add("omi_body.angular_velocity", 2).driver
    driver.type, driver.expression = "SCRIPTED", "frame * 0.1"
    export(tmp_path)
    _, times, values = of_kind(channels(tmp_path), "angularVelocity")
    assert len(times) == 10
    assert values[:, 1] == pytest.approx(0.1 * np.arange(1, 11), abs=1e-6)
    assert not values[:, [0, 2]].any()


def test_what_no_dialect_can_change_is_named(tmp_path: Path, capsys: Any) -> None:
    ball = add_ball()
    key(ball, "omi_body.collider.shape.radius", [(1, 0.2), (20, 0.3)])
    document = export(tmp_path)
    (text,) = (text for text in popups(capsys) if "OMI-J452" in text)
    assert text.endswith("radius")
    assert "animations" not in document


@pytest.mark.parametrize("dialects", [{"OMI"}, {"KHR"}])
def test_each_dialect_alone_has_what_bodies_change(dialects: set[str], tmp_path: Path) -> None:
    """The object models of both list gravityFactor, velocities and materials."""
    ball = add_ball()
    bpy.context.scene.omi_gltf.export_dialects = dialects
    key(ball, "omi_body.gravity_factor", [(1, 0.47), (20, -1.3)])
    key(ball, "omi_body.angular_velocity", [(1, 0.7), (20, 1.1)], 2)
    key(ball, f"{SURFACE}.restitution", [(1, 0.13), (13, 0.62)])
    export(tmp_path)
    name = OMI if dialects == {"OMI"} else KHR
    assert sorted(channels(tmp_path)) == [
        f"/extensions/{name}/physicsMaterials/0/restitution",
        f"/nodes/0/extensions/{name}/motion/angularVelocity",
        f"/nodes/0/extensions/{name}/motion/gravityFactor",
    ]
    bpy.ops.wm.read_homefile(use_empty=True)
    import_file(tmp_path / "file.gltf")
    bpy.context.scene.frame_set(20)
    body = bpy.data.objects["Ball"].omi_body
    assert body.gravity_factor == pytest.approx(-1.3)
    assert body.angular_velocity[2] == pytest.approx(1.1)
    assert body.collider.material.restitution == pytest.approx(0.62)
