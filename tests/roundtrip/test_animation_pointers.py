"""Keyed limits and drives in glTF files, read by pygltflib and numpy alone, and back in Blender."""

import json
import math
import struct
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pygltflib
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omi_joints_addon.scene.animation import is_animated
from tests.core.animated_gltf import animate, rotor, written
from tests.roundtrip.documents import add_door, export, import_file, popups

OMI, KHR = "OMI_physics_joint", "KHR_physics_rigid_bodies"
POINTER = "KHR_animation_pointer"
MAX = "omi_joint.limits[2].max_angle"
MODES = ["ACTIONS", "ACTIVE_ACTIONS", "BROADCAST", "NLA_TRACKS", "SCENE"]


def key(obj: Any, path: str, keys: list[tuple[float, float]], interpolation: str) -> Any:
    """Key a property of an object and return its curve."""
    data = obj.animation_data or obj.animation_data_create()
    if data.action is None:
        data.action = bpy.data.actions.new("Doors")
    curve = data.action.fcurve_ensure_for_datablock(obj, path)
    for frame, value in keys:
        curve.keyframe_points.insert(frame, value).interpolation = interpolation
    curve.update()
    return curve


class Tracks:
    """The channels with pointers of a file, without Blender and without this program."""

    def __init__(self, folder: Path, name: str = "file.gltf") -> None:
        self.gltf = pygltflib.GLTF2().load(str(folder / name))
        self._folder = folder

    def pointers(self) -> dict[str, tuple[str, np.ndarray, np.ndarray, str]]:
        """Return animation, times, values and interpolation by pointer."""
        found = {}
        for animation in self.gltf.animations:
            for channel in animation.channels:
                if channel.target.path == "pointer":
                    sampler = animation.samplers[channel.sampler]
                    pointer = channel.target.extensions[POINTER]["pointer"]
                    values = (self._numbers(sampler.input), self._numbers(sampler.output))
                    found[pointer] = (animation.name, *values, sampler.interpolation)
        return found

    def value(self, pointer: str, seconds: float) -> float:
        """Return what a pointer is at a time, by the rules of glTF."""
        _, times, values, kind = self.pointers()[pointer]
        seconds = float(np.clip(seconds, times[0], times[-1]))
        at = min(int(np.searchsorted(times, seconds + 1e-9, side="right")) - 1, len(times) - 2)
        if len(times) == 1:
            return float(values[0])
        span = times[at + 1] - times[at]
        t = (seconds - times[at]) / span
        if kind == "STEP":
            return float(values[at + 1] if t > 1 - 1e-6 else values[at])
        if kind == "LINEAR":
            return float(values[at] + t * (values[at + 1] - values[at]))
        (_, p, m), (n, q, _) = values.reshape(-1, 3)[at : at + 2]
        return float(
            (2 * t**3 - 3 * t**2 + 1) * p
            + span * (t**3 - 2 * t**2 + t) * m
            + (-2 * t**3 + 3 * t**2) * q
            + span * (t**3 - t**2) * n
        )

    def resolve(self, pointer: str) -> Any:
        """Return what a pointer is in the JSON."""
        place: Any = json.loads((self._folder / "file.gltf").read_text())
        for step in pointer.split("/")[1:]:
            place = place[int(step)] if isinstance(place, list) else place[step]
        return place

    def _numbers(self, index: int) -> np.ndarray:
        accessor = self.gltf.accessors[index]
        view = self.gltf.bufferViews[accessor.bufferView]
        data = (self._folder / self.gltf.buffers[view.buffer].uri).read_bytes()
        letter = {5126: "f", 5121: "B"}[accessor.componentType]
        count = accessor.count
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        return np.array(struct.unpack_from(f"<{count}{letter}", data, start))


def assert_same_over_time(obj: Any, path: str, tracks: Tracks, pointer: str) -> None:
    """Assert that a file says what Blender evaluates, at frames and between them."""
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    for frame in range(1, 31):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        expected = float(obj.evaluated_get(graph).path_resolve(path))
        assert tracks.value(pointer, frame / rate) == pytest.approx(expected, abs=1e-6), frame
    scene.frame_set(1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("interpolation", ["LINEAR", "CONSTANT", "BEZIER", "ELASTIC"])
def test_keyed_bounds_are_channels_of_both_dialects(
    mode: str, interpolation: str, tmp_path: Path
) -> None:
    *_, joint, _ = add_door()
    bpy.context.scene.frame_end = 40
    bpy.context.scene.omi_gltf.export_dialects = {"OMI", "KHR"}
    key(joint, MAX, [(1, 0.5), (10, 1.5), (25, 0.75)], interpolation)
    export(tmp_path, export_animation_mode=mode)
    tracks = Tracks(tmp_path)
    assert set(tracks.pointers()) == {
        f"/extensions/{OMI}/physicsJoints/0/limits/2/max",
        f"/extensions/{KHR}/physicsJoints/0/limits/2/max",
    }
    assert POINTER in tracks.gltf.extensionsUsed
    for pointer in tracks.pointers():
        assert tracks.resolve(pointer) == pytest.approx(0.5)
        assert_same_over_time(joint, MAX, tracks, pointer)
    kinds = {kind for *_, kind in tracks.pointers().values()}
    if mode in ("ACTIONS", "ACTIVE_ACTIONS", "BROADCAST") and interpolation in (
        "LINEAR",
        "CONSTANT",
    ):
        assert kinds == {{"LINEAR": "LINEAR", "CONSTANT": "STEP"}[interpolation]}
        assert {len(times) for _, times, *_ in tracks.pointers().values()} == {3}


def test_handles_at_thirds_are_cubic(tmp_path: Path) -> None:
    *_, joint, _ = add_door()
    curve = key(joint, MAX, [(1, 0.5), (13, 1.5), (25, 0.75)], "BEZIER")
    for point, slope in zip(curve.keyframe_points, (0.02, -0.03, 0.01), strict=True):
        point.handle_left_type = point.handle_right_type = "FREE"
        point.handle_left = point.co.x - 4.0, point.co.y - 4.0 * slope
        point.handle_right = point.co.x + 4.0, point.co.y + 4.0 * slope
    export(tmp_path)
    tracks = Tracks(tmp_path)
    ((pointer, (_, times, _, kind)),) = tracks.pointers().items()
    assert (kind, len(times)) == ("CUBICSPLINE", 3)
    assert_same_over_time(joint, MAX, tracks, pointer)


def test_drivers_are_sampled(tmp_path: Path) -> None:
    *_, joint, _ = add_door()
    bpy.context.scene.frame_end = 30
    driver = joint.driver_add(MAX).driver
    driver.expression = "0.5 + 0.03 * frame"
    bpy.context.view_layer.update()
    export(tmp_path)
    tracks = Tracks(tmp_path)
    (pointer,) = tracks.pointers()
    assert_same_over_time(joint, MAX, tracks, pointer)


def test_collision_is_bytes_in_steps(tmp_path: Path) -> None:
    *_, joint, _ = add_door()
    key(joint, "omi_joint.enable_collision", [(1, 0), (10, 1), (20, 0)], "CONSTANT")
    export(tmp_path)
    tracks = Tracks(tmp_path)
    ((pointer, (_, _, values, kind)),) = tracks.pointers().items()
    assert (values.tolist(), kind) == ([0, 1, 0], "STEP")
    assert pointer.endswith(f"/extensions/{OMI}/enableCollision")
    assert tracks.resolve(pointer) is False


def test_a_cone_of_khr_keeps_its_minimum_negated(tmp_path: Path) -> None:
    *_, joint, _ = add_door()
    cone = joint.omi_joint.limits[1]
    cone.use_min, cone.max = False, 0.4
    bpy.context.scene.omi_gltf.export_dialects = {"KHR"}
    key(joint, "omi_joint.limits[1].max_angle", [(1, 0.4), (20, 0.8)], "LINEAR")
    export(tmp_path)
    tracks = Tracks(tmp_path)
    place = f"/extensions/{KHR}/physicsJoints/0/limits/1"
    assert tracks.value(f"{place}/max", 20 / 24) == pytest.approx(0.8)
    assert tracks.value(f"{place}/min", 20 / 24) == pytest.approx(-0.8)


@pytest.mark.parametrize("dialects", [{"OMI"}, {"KHR"}, {"OMI", "KHR"}])
def test_limits_behind_one_that_khr_splits_come_back(dialects: set[str], tmp_path: Path) -> None:
    """A limit of both kinds of axes is two in files of KHR, so that the next has another number."""
    *_, joint, _ = add_door()
    name, limits = joint.name, joint.omi_joint.limits
    limits[0].angular_axes = limits[1].angular_axes
    limits.remove(1)
    bpy.context.scene.omi_gltf.export_dialects = dialects
    path = "omi_joint.limits[1].max_angle"
    key(joint, path, [(1, 0.5), (10, 1.5)], "LINEAR")
    export(tmp_path)
    numbers = {pointer.split("/")[2]: pointer[-5] for pointer in Tracks(tmp_path).pointers()}
    names = {"OMI": OMI, "KHR": KHR}
    assert numbers == {names[each]: {"OMI": "1", "KHR": "2"}[each] for each in dialects}
    bpy.ops.wm.read_homefile(use_empty=True)
    import_file(tmp_path / "file.gltf")
    joint = bpy.data.objects[name]
    assert len(joint.omi_joint.limits) == 2
    bpy.context.scene.frame_set(10)
    assert joint.omi_joint.limits[1].max == pytest.approx(1.5, abs=1e-6)


@pytest.mark.parametrize(
    ("options", "start"),
    [
        ({}, (5 + 0) / 24),
        ({"export_anim_slide_to_zero": True}, 0.0),
        ({"export_frame_range": True}, 10 / 24),
    ],
)
def test_choices_of_the_exporter_hold(
    options: dict[str, Any], start: float, tmp_path: Path
) -> None:
    *_, joint, _ = add_door()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 10, 20
    key(joint, MAX, [(5, 0.5), (30, 1.5)], "LINEAR")
    export(tmp_path, **{"export_frame_range": False} | options)
    ((_, times, *_),) = Tracks(tmp_path).pointers().values()
    assert times[0] == pytest.approx(start, abs=1e-6)


def test_nothing_is_written_without_animations(tmp_path: Path) -> None:
    *_, joint, _ = add_door()
    key(joint, MAX, [(1, 0.5), (10, 1.5)], "LINEAR")
    assert "animations" not in export(tmp_path, export_animations=False)


@pytest.mark.parametrize("is_driver", [True, False])
@pytest.mark.parametrize("mode", ["ACTIONS", "SCENE"])
def test_what_animates_a_removed_limit_costs_its_own_track(
    is_driver: bool, mode: str, tmp_path: Path, capsys: Any
) -> None:
    """Blender keeps keyframes and drivers of what is removed, by a script as by another add-on."""
    *_, joint, _ = add_door()
    bpy.context.scene.frame_end = 12
    key(joint, MAX, [(1, 0.5), (10, 1.5)], "LINEAR")
    *_, broken, _ = add_door()
    lower = "omi_joint.limits[1].min_distance"
    key(broken, lower, [(1, -0.25), (10, -0.75)], "LINEAR")
    if is_driver:
        broken.driver_add("omi_joint.limits[2].min_angle").driver.expression = "frame"
    else:
        key(broken, "omi_joint.limits[2].min_angle", [(1, 0.5), (10, 1.5)], "LINEAR")
    broken.omi_joint.limits.remove(2)
    document = export(tmp_path, export_animation_mode=mode)
    tracks = Tracks(tmp_path)
    assert len(tracks.pointers()) == 2
    assert sum(len(each["channels"]) for each in document["animations"]) == 2
    for pointer in tracks.pointers():
        assert isinstance(tracks.resolve(pointer), float)
    assert POINTER in document["extensionsUsed"]
    (found,) = [text for text in popups(capsys) if "OMI-J458" in text]
    assert f"{broken.name}: " in found
    assert "limits[2].min_angle" in found


def test_keys_that_are_no_numbers_cost_their_own_track(tmp_path: Path, capsys: Any) -> None:
    """A script or a damaged file has them; Blender itself takes none from drivers."""
    _wall, door, joint, _ = add_door()
    bpy.context.scene.omi_gltf.export_dialects = {"KHR"}
    key(joint, MAX, [(1, 0.5), (10, 1.5)], "LINEAR")
    key(joint, "omi_joint.limits[0].max_distance", [(1, 0.25), (10, math.nan)], "LINEAR")
    key(door, "omi_body.mass", [(1, 1.5), (10, math.nan)], "LINEAR")
    document = export(tmp_path)
    assert list(Tracks(tmp_path).pointers()) == [f"/extensions/{KHR}/physicsJoints/0/limits/2/max"]
    assert sum(len(each["channels"]) for each in document["animations"]) == 1
    found = sorted(text.partition("J459 ")[2] for text in popups(capsys) if "OMI-J459" in text)
    assert [text.partition(" give")[0] for text in found] == [
        f"{door.name}: keyframes or a driver of mass",
        f"{joint.name}: keyframes or a driver of limits[0].max_distance",
    ]


def test_what_has_no_pointer_is_named(tmp_path: Path, capsys: Any) -> None:
    *_, joint, _ = add_door()
    key(joint, "omi_joint.limits[2].use_max", [(1, 0), (10, 1)], "CONSTANT")
    export(tmp_path)
    (found,) = [text for text in popups(capsys) if "OMI-J452" in text]
    assert "limits[2].use_max" in found


def test_a_keyed_body_stays_dynamic(tmp_path: Path, capsys: Any) -> None:
    """Keys of its mass are no motion, so the simulation still moves the body."""
    _wall, door, *_ = add_door()
    key(door, "omi_body.mass", [(1, 1.0), (10, 3.0)], "LINEAR")
    assert not is_animated(door)
    export(tmp_path)
    assert [text for text in popups(capsys) if "OMI-J452" in text] == []


def test_other_physics_that_changes_is_named_on_import(tmp_path: Path, capsys: Any) -> None:
    _wall, door, joint, _ = add_door()
    bpy.context.scene.omi_gltf.export_dialects = {"OMI", "KHR"}
    key(joint, MAX, [(1, 0.5), (10, 1.5)], "LINEAR")
    path = tmp_path / "file.gltf"
    document = export(tmp_path)
    number = [node["name"] for node in document["nodes"]].index(door.name)
    pointer = f"/nodes/{number}/extensions/{KHR}/motion/isKinematic"
    channel = dict(document["animations"][0]["channels"][0])
    channel["target"] = {"path": "pointer", "extensions": {POINTER: {"pointer": pointer}}}
    document["animations"][0]["channels"].append(channel)
    path.write_text(json.dumps(document))
    bpy.ops.wm.read_homefile(use_empty=True)
    capsys.readouterr()
    import_file(path)
    (found,) = [text for text in popups(capsys) if "OMI-J457" in text]
    assert pointer in found


def test_files_for_godot_have_no_pointers(tmp_path: Path, capsys: Any) -> None:
    *_, joint, _ = add_door()
    bpy.context.scene.omi_gltf.export_for = "GODOT"
    key(joint, MAX, [(1, 0.5), (10, 1.5)], "LINEAR")
    assert "animations" not in export(tmp_path)
    assert [text for text in popups(capsys) if "OMI-J453" in text]


def test_files_come_back_key_for_key(tmp_path: Path) -> None:
    *_, joint, _ = add_door()
    name = joint.name
    key(joint, MAX, [(1, 0.5), (10, 1.5), (25, 0.75)], "LINEAR")
    key(joint, "omi_joint.limits[2].min_angle", [(1, -0.5), (12, 0.0)], "CONSTANT")
    key(joint, "omi_joint.enable_collision", [(1, 0), (10, 1)], "CONSTANT")
    export(tmp_path)
    bpy.ops.wm.read_homefile(use_empty=True)
    import_file(tmp_path / "file.gltf")
    joint = bpy.data.objects[name]
    action = joint.animation_data.action
    assert action.name == "Doors"
    bag = action.layers[0].strips[0].channelbag(joint.animation_data.action_slot)
    keys = {
        curve.data_path: [(tuple(p.co), p.interpolation) for p in curve.keyframe_points]
        for curve in bag.fcurves
    }
    assert {path: [kind for _, kind in found] for path, found in keys.items()} == {
        MAX: ["LINEAR"] * 3,
        "omi_joint.limits[2].min_angle": ["CONSTANT"] * 2,
        "omi_joint.enable_collision": ["CONSTANT"] * 2,
    }
    assert np.allclose([co for co, _ in keys[MAX]], [(1, 0.5), (10, 1.5), (25, 0.75)], atol=1e-5)
    bpy.context.scene.frame_set(10)
    assert joint.omi_joint.limits[2].max == pytest.approx(1.5, abs=1e-6)


def test_pointers_that_nobody_reads_are_named(tmp_path: Path, capsys: Any) -> None:
    document = rotor({"angularAxes": [2], "min": -1.0, "max": 1.0}, velocityTarget=0.0)
    document["materials"] = [{"name": "Glass", "alphaMode": "MASK"}]
    keys = [(0.0, 0.0), (1.0, 1.0)]
    unread = ["/extensions/VENDOR_wind/winds/0/speed", "/nodes/2/extensions/VENDOR_glow/power"]
    for pointer in [*unread, "/materials/0/alphaCutoff"]:
        animate(document, pointer, keys)
    animate(document, f"/extensions/{OMI}/physicsJoints/0/drives/0/velocityTarget", keys)
    import_file(written(document, tmp_path))
    texts = [text for text in popups(capsys) if "OMI-J457" in text]
    assert [pointer for pointer in unread if any(pointer in text for text in texts)] == unread
    assert len(texts) == len(unread)


def test_joints_that_share_settings_share_the_channel(tmp_path: Path) -> None:
    *_, joint, _ = add_door()
    *_, other, _ = add_door()
    other.omi_joint.settings_source = joint
    key(joint, MAX, [(1, 0.5), (10, 1.5)], "LINEAR")
    document = export(tmp_path)
    assert len(document["extensions"][OMI]["physicsJoints"]) == 1
    assert len(Tracks(tmp_path).pointers()) == 1


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    keys=st.lists(
        st.tuples(
            st.integers(-20, 60),
            st.floats(-3.0, 3.0, width=32),
            st.sampled_from(["CONSTANT", "LINEAR", "BEZIER", "BOUNCE", "EXPO"]),
        ),
        min_size=1,
        max_size=6,
        unique_by=lambda each: each[0],
    )
)
def test_random_curves(keys: list[tuple[int, float, str]], tmp_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True)
    *_, joint, _ = add_door()
    data = joint.animation_data_create()
    data.action = bpy.data.actions.new("Doors")
    curve = data.action.fcurve_ensure_for_datablock(joint, MAX)
    for frame, value, interpolation in keys:
        curve.keyframe_points.insert(frame, value).interpolation = interpolation
    curve.update()
    export(tmp_path)
    tracks = Tracks(tmp_path)
    (pointer,) = tracks.pointers()
    shift = -min(0, *(frame for frame, *_ in keys))
    for frame in range(min(f for f, *_ in keys), max(f for f, *_ in keys) + 1):
        # Times of glTF are single precision: within its rounding a steep curve moves on.
        seconds = np.float32((frame + shift) / 24)
        slope = 24 * abs(curve.evaluate(frame + 1) - curve.evaluate(frame - 1))
        within = 1e-6 + slope * float(np.spacing(seconds))
        found = tracks.value(pointer, float(seconds))
        assert found == pytest.approx(curve.evaluate(frame), abs=within)


@pytest.mark.parametrize("mode", ["ACTIONS", "SCENE"])
@pytest.mark.parametrize("how", ["keys", "drivers"])
def test_joints_alike_at_first_are_animated_each_by_its_own(
    mode: str, how: str, tmp_path: Path
) -> None:
    doors = [add_door()[2] for _ in range(2)]
    still = add_door()[2]
    bpy.context.scene.frame_end = 30
    bpy.context.scene.frame_set(1)
    for number, joint in enumerate(doors):
        if how == "keys":
            key(joint, MAX, [(1, 0.5), (25, 0.9 + number)], "LINEAR")
        else:
            driver = joint.driver_add(MAX).driver
            driver.expression = f"0.5 + {number + 1} * (frame - 1) / 50"
    still.omi_joint.limits[2].max_angle = 0.5
    bpy.context.scene.frame_set(1)
    export(tmp_path, export_animation_mode=mode)
    tracks = Tracks(tmp_path)
    document = json.loads((tmp_path / "file.gltf").read_text())
    settings_of = {
        node["name"]: node["extensions"][OMI]["joint"]
        for node in document["nodes"]
        if OMI in node.get("extensions", {})
    }
    names = [joint.name for joint in doors]
    assert len(set(settings_of.values())) == len(document["extensions"][OMI]["physicsJoints"]) == 3
    for joint in doors:
        pointer = f"/extensions/{OMI}/physicsJoints/{settings_of[joint.name]}/limits/2/max"
        assert_same_over_time(joint, MAX, tracks, pointer)
    bpy.ops.wm.read_homefile(use_empty=True)
    import_file(tmp_path / "file.gltf")
    for name in names:
        joint = bpy.data.objects[name]
        pointer = f"/extensions/{OMI}/physicsJoints/{settings_of[name]}/limits/2/max"
        assert_same_over_time(joint, MAX, tracks, pointer)
