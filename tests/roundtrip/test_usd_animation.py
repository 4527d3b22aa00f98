"""Keyed limits, drives and collisions through Blender's USD files, judged by OpenUSD."""

import math
from pathlib import Path
from typing import Any

import bpy
import pytest

from omi_joints_addon.io.usd.hooks import problem
from omi_joints_addon.scene.animation import curves_of
from tests.roundtrip.documents import add_door
from tests.roundtrip.test_animation_pointers import MAX, key
from tests.usd_layers import opinions

pytestmark = pytest.mark.skipif(bool(problem()), reason=problem() or "-")
SPEED = "omi_joint.drives[0].velocity_target_angle"
UPPER, TARGET = "physics:upperLimit", "drive:angular:physics:targetVelocity"


def door() -> Any:
    """Return a joint with a motor."""
    *_, joint, _connected = add_door()
    drive = joint.omi_joint.drives.add()
    drive.type, drive.axis, drive.damping = "ANGULAR", "Z", 2.0
    drive.use_velocity_target = True
    return joint


class Exported:
    """The joint of a scene as OpenUSD finds it in the exported file."""

    def __init__(self, path: Path, **changes: Any) -> None:
        from pxr import Usd

        options = {"export_animation": True} | changes
        assert bpy.ops.wm.usd_export(filepath=str(path), **options) == {"FINISHED"}
        self.stage = Usd.Stage.Open(str(path))
        (self._joint,) = (
            prim
            for prim in self.stage.Traverse()
            if str(prim.GetTypeName()) in ("PhysicsRevoluteJoint", "PhysicsFixedJoint")
        )

    def value(self, name: str, frame: float) -> float:
        return float(self._joint.GetAttribute(name).Get(frame))

    def samples(self, name: str) -> list[float]:
        return list(self._joint.GetAttribute(name).GetTimeSamples())


def evaluated(obj: Any, path: str, frame: int) -> float:
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    return float(obj.evaluated_get(graph).path_resolve(path))


def imported(path: Path) -> Any:
    bpy.ops.wm.read_homefile(use_empty=True)
    assert bpy.ops.wm.usd_import(filepath=str(path)) == {"FINISHED"}
    (joint,) = [obj for obj in bpy.context.scene.objects if obj.omi_joint.enabled]
    return joint


@pytest.mark.parametrize("interpolation", ["LINEAR", "BEZIER"])
@pytest.mark.parametrize("rate", [(24, 1.0), (30, 1.001)])
def test_openusd_has_the_values_of_blender_at_each_frame(
    interpolation: str, rate: tuple[int, float], tmp_path: Path
) -> None:
    joint = door()
    render = bpy.context.scene.render
    render.fps, render.fps_base = rate
    key(joint, MAX, [(1, 0.5), (20, 1.5), (31, -0.1)], interpolation)
    key(joint, SPEED, [(5, 2.0), (25, -3.0)], interpolation)
    found = Exported(tmp_path / "door.usda")
    assert found.stage.GetTimeCodesPerSecond() == pytest.approx(rate[0] / rate[1])
    for frame in (1, 5, 10, 20, 28, 31, 40):
        for path, name in ((MAX, UPPER), (SPEED, TARGET)):
            assert found.value(name, frame) == pytest.approx(
                math.degrees(evaluated(joint, path, frame)), rel=1e-6, abs=1e-5
            )
    if interpolation == "LINEAR":
        assert found.samples(UPPER) == [1.0, 20.0, 31.0]


def test_what_jumps_jumps(tmp_path: Path) -> None:
    joint = door()
    key(joint, SPEED, [(1, 2.0), (20, -3.0)], "CONSTANT")
    key(joint, "omi_joint.enable_collision", [(1, 0.0), (10, 1.0)], "CONSTANT")
    found = Exported(tmp_path / "door.usda")
    speeds = [math.radians(found.value(TARGET, frame)) for frame in (19, 20)]
    assert speeds == pytest.approx([2.0, -3.0])
    assert [found.value("physics:collisionEnabled", frame) for frame in (9, 10)] == [0.0, 1.0]


def test_drivers_and_strips_are_evaluated(tmp_path: Path) -> None:
    joint = door()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 20
    driver = joint.driver_add(SPEED).driver
    driver.expression = "frame / 10"
    curve = key(joint, MAX, [(1, 0.5), (11, 1.5)], "LINEAR")
    assert curve is not None
    data = joint.animation_data
    action, slot = data.action, data.action_slot
    data.action = None
    strip = data.nla_tracks.new().strips.new("Later", 6, action)
    strip.action_slot = slot
    found = Exported(tmp_path / "door.usda")
    for frame in (1, 6, 9, 20):
        assert math.radians(found.value(TARGET, frame)) == pytest.approx(frame / 10)
        wanted = evaluated(joint, MAX, frame)
        assert math.radians(found.value(UPPER, frame)) == pytest.approx(wanted, abs=1e-6)


def test_keys_come_back_as_they_were(tmp_path: Path) -> None:
    joint = door()
    key(joint, MAX, [(1, 0.5), (20, 1.5), (31, 0.25)], "LINEAR")
    key(joint, SPEED, [(5, 2.0), (25, -3.0)], "CONSTANT")
    key(joint, "omi_joint.enable_collision", [(1, 0.0), (10, 1.0)], "CONSTANT")
    Exported(tmp_path / "door.usda")
    again = imported(tmp_path / "door.usda")
    curves = {curve.data_path: curve for curve in curves_of(again.animation_data)}
    assert set(curves) == {MAX, SPEED, "omi_joint.enable_collision"}
    for path, kind, wanted in (
        (MAX, "LINEAR", [(1, 0.5), (20, 1.5), (31, 0.25)]),
        (SPEED, "CONSTANT", [(5, 2.0), (25, -3.0)]),
    ):
        points = curves[path].keyframe_points
        assert {point.interpolation for point in points} == {kind}
        for point, (frame, value) in zip(points, wanted, strict=True):
            assert (point.co.x, point.co.y) == pytest.approx((frame, value), abs=1e-6)
    assert evaluated(again, MAX, 10) == pytest.approx(0.5 + 9 / 19, abs=1e-6)


def test_without_animation_the_values_of_the_frame_are_written_and_that_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    key(door(), MAX, [(1, 0.5), (20, 1.5)], "LINEAR")
    bpy.context.scene.frame_set(20)
    found = Exported(tmp_path / "door.usda", export_animation=False)
    assert not found.samples(UPPER)
    assert math.radians(found.value(UPPER, 1)) == pytest.approx(1.5)
    assert "Animation is off in the dialog" in caplog.text


def test_a_layer_of_edits_has_only_the_keys_that_changed(tmp_path: Path) -> None:
    joint = door()
    key(joint, MAX, [(1, 0.5), (20, 1.5)], "LINEAR")
    key(joint, SPEED, [(5, 2.0), (25, -3.0)], "LINEAR")
    path = tmp_path / "door.usda"
    Exported(path)
    again = imported(path)
    layer = tmp_path / "layer.usda"
    bpy.context.scene.frame_set(12)
    assert bpy.ops.omi.usd_layer_export(filepath=str(layer)) == {"FINISHED"}
    assert opinions(layer) == {}
    (curve,) = (each for each in curves_of(again.animation_data) if each.data_path == MAX)
    curve.keyframe_points[1].co.y = 1.0
    curve.update()
    assert bpy.ops.omi.usd_layer_export(filepath=str(layer)) == {"FINISHED"}
    assert [name for name in opinions(layer) if "." in name.rpartition("/")[2]] == [
        f"/root/Joints/Joint.{UPPER}"
    ]
    from pxr import Usd

    stage = Usd.Stage.Open(str(layer))
    prim = stage.GetPrimAtPath("/root/Joints/Joint")
    assert math.radians(prim.GetAttribute(UPPER).Get(20)) == pytest.approx(1.0)
    assert math.radians(prim.GetAttribute(TARGET).Get(25)) == pytest.approx(-3.0)
