"""Limits, drives and collisions of USD files that change over time, judged by OpenUSD itself."""

import math
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from omi_joints_addon.core.findings.loss import How
from omi_joints_addon.core.meaning.animated import scene_at
from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.core.model.animation import ENABLE_COLLISION, Interpolation, Track
from omi_joints_addon.core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.solver.trajectory import simulate
from omi_joints_addon.io.formats.format import Document, Kept, Options, Target
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.formats.usd import USD
from tests.cases import EXAMPLES
from tests.core.usd_scenes import chain, read, read_text, write

pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")

ROTOR = """(
    metersPerUnit = {meters}
    upAxis = "Z"
    timeCodesPerSecond = {rate}
)
def Xform "Base" {{}}
def Xform "Rotor" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
{{
    float physics:mass = 1
    float3 physics:diagonalInertia = (0.5, 0.5, 0.5)
}}
def {kind} "J" ({schemas})
{{
    rel physics:body0 = </Base>
    rel physics:body1 = </Rotor>
    uniform token physics:axis = "Z"
    # A note.
    {lines}
}}
"""
DEGREES = 180.0 / math.pi


def rotor(
    folder: Path,
    *lines: str,
    kind: str = "PhysicsRevoluteJoint",
    schemas: tuple[str, ...] = (),
    rate: float = 24,
    meters: float = 1.0,
) -> Any:
    names = f"prepend apiSchemas = {list(schemas)}".replace("'", '"') if schemas else ""
    text = ROTOR.format(
        lines="\n    ".join(lines), kind=kind, schemas=names, rate=rate, meters=meters
    )
    return read_text(text, folder)


def keys(scene: PhysicsScene, member: str) -> np.ndarray:
    """Return times and values of the one track of a member, shape (n, 2)."""
    (track,) = (each for each in scene.tracks if each.member == member)
    return np.column_stack((track.seconds, track.values))


def near(*found: tuple[float, float]) -> Any:
    return pytest.approx(np.array(found), abs=1e-6)


def the_limit(scene: PhysicsScene, axis: int = 2) -> JointLimit:
    (limit,) = (each for each in scene.joints[0].settings.limits if each.angular_axes == (axis,))
    return limit


def on_stage(path: Path, name: str, code: float) -> float:
    """Return what OpenUSD says of the one joint at a time code."""
    from pxr import Usd

    stage = Usd.Stage.Open(str(path))
    (joint,) = (prim for prim in stage.Traverse() if str(prim.GetTypeName()).endswith("Joint"))
    return float(joint.GetAttribute(name).Get(code))


def hinged(*tracks: Track, **changes: Any) -> PhysicsScene:
    """Return a chain of one hinge about Z with a motor."""
    drive = JointDrive(type=DriveType.ANGULAR, axis=2, velocity_target=1.0, damping=2.0)
    settings = preset_settings(Preset.HINGE)
    settings = replace(settings, drives=(drive,), **changes)
    scene = chain(1)
    return replace(scene, joints=(replace(scene.joints[0], settings=settings),), tracks=tracks)


def track(kind: str, number: int, member: str, *found: tuple[float, float], **more: Any) -> Track:
    seconds, values = np.array(found).T
    fields = {"kind": kind, "number": number, "member": member}
    return Track(joints=(0,), **fields, seconds=seconds, values=values, **more)


def test_samples_are_read_in_seconds_and_radians(tmp_path: Path) -> None:
    scene = rotor(
        tmp_path,
        "float physics:lowerLimit = -90",
        "float physics:upperLimit.timeSamples = { 0: 10, 30: 50, 60: 20 }",
        "float drive:angular:physics:stiffness.timeSamples = { 30: 1, 60: 3 }",
        "float drive:angular:physics:targetPosition = 30",
        "float drive:angular:physics:targetPosition.timeSamples = { 0: 0, 30: 45 }",
        "float drive:angular:physics:maxForce.timeSamples = { 0: 7, 30: 9 }",
        "bool physics:collisionEnabled.timeSamples = { 0: 0, 15: 1 }",
        schemas=("PhysicsDriveAPI:angular",),
        rate=30,
    ).scene
    assert keys(scene, "max") == near((0.0, 10 / DEGREES), (1.0, 50 / DEGREES), (2.0, 20 / DEGREES))
    assert keys(scene, "stiffness") == near((1.0, DEGREES), (2.0, 3.0 * DEGREES))
    assert keys(scene, "position_target") == near((0.0, 0.0), (1.0, math.pi / 4))
    assert keys(scene, "max_force") == near((0.0, 7.0), (1.0, 9.0))
    assert keys(scene, ENABLE_COLLISION) == near((0.0, 0.0), (0.5, 1.0))
    (drive,) = scene.joints[0].settings.drives
    assert drive.position_target == pytest.approx(math.pi / 6)
    assert drive.stiffness == pytest.approx(DEGREES)
    assert the_limit(scene).max == pytest.approx(10 / DEGREES)
    assert scene_at(scene, 0.5).joints[0].enable_collision


def test_lengths_of_sliders_are_in_the_unit_of_the_stage(tmp_path: Path) -> None:
    scene = rotor(
        tmp_path,
        "float physics:lowerLimit = 0",
        "float physics:upperLimit.timeSamples = { 0: 10, 24: 50 }",
        "float drive:linear:physics:damping = 4",
        "float drive:linear:physics:targetVelocity.timeSamples = { 0: -20, 24: 20 }",
        kind="PhysicsPrismaticJoint",
        schemas=("PhysicsDriveAPI:linear",),
        meters=0.01,
    ).scene
    assert keys(scene, "max") == near((0.0, 0.1), (1.0, 0.5))
    assert keys(scene, "velocity_target") == near((0.0, -0.2), (1.0, 0.2))


def test_a_bolt_that_is_drawn_back_unlocks(tmp_path: Path) -> None:
    """UsdPhysics locks an axis by a low above its high."""
    scene = rotor(
        tmp_path,
        "float limit:rotZ:physics:low.timeSamples = { 0: 1, 24: 1, 25: -30 }",
        "float limit:rotZ:physics:high.timeSamples = { 0: -1, 24: -1, 25: 60 }",
        kind="PhysicsJoint",
        schemas=tuple(f"PhysicsLimitAPI:{dof}" for dof in ("rotX", "rotZ")),
    ).scene
    assert (the_limit(scene).min, the_limit(scene).max) == (0.0, 0.0)
    assert keys(scene, "min") == near((0.0, 0.0), (1.0, 0.0), (25 / 24, -math.pi / 6))
    assert keys(scene, "max") == near((0.0, 0.0), (1.0, 0.0), (25 / 24, math.pi / 3))


def test_the_zero_of_a_range_beyond_half_a_turn_counts_for_all_times(tmp_path: Path) -> None:
    scene = rotor(
        tmp_path,
        "float physics:lowerLimit = 40",
        "float physics:upperLimit.timeSamples = { 0: 100, 24: 260 }",
    ).scene
    widths = [high - the_limit(scene).min for _, high in keys(scene, "max")]
    assert widths == pytest.approx([60 / DEGREES, 220 / DEGREES])
    assert the_limit(scene).max - the_limit(scene).min == pytest.approx(60 / DEGREES)


def test_what_a_joint_cannot_change_here_is_reported(tmp_path: Path) -> None:
    found = rotor(
        tmp_path,
        "bool physics:jointEnabled.timeSamples = { 0: 1, 24: 0 }",
        "float physics:upperLimit.timeSamples = { 0: 1, 24: None }",
        "float physics:breakForce.timeSamples = { 0: 1, 24: 2 }",
    )
    assert [each.code for each in found.findings] == ["OMI-U027"] * 3
    assert not found.scene.tracks


@pytest.mark.slow
def test_a_motor_of_a_stage_follows_the_closed_form(tmp_path: Path) -> None:
    """I·ω' = D·(a·t - ω), with 2 N·m·s/rad and 3 rad/s²."""
    scene = rotor(
        tmp_path,
        f"float drive:angular:physics:damping = {2.0 / DEGREES}",
        f"float drive:angular:physics:targetVelocity.timeSamples = {{ 0: 0, 48: {6 * DEGREES} }}",
        schemas=("PhysicsDriveAPI:angular",),
    ).scene
    motion = simulate(replace(scene, gravity=(0.0, 0.0, 0.0)), seconds=2.0, fps=60.0)
    angles, times, tau = np.unwrap(motion.joint_values[:, 0, 5]), motion.times, 0.25
    expected = 3.0 * (times**2 / 2.0 - tau * times + tau**2 * (1.0 - np.exp(-times / tau)))
    assert angles == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize("units", [{}, {"meters_per_unit": 0.01, "kilograms_per_unit": 0.001}])
def test_openusd_reads_what_is_written(units: dict[str, float], tmp_path: Path) -> None:
    """One degree of a motor counts as π/180 rad; damping is per degree."""
    mass, length = 1.0 / units.get("kilograms_per_unit", 1.0), units.get("meters_per_unit", 1.0)
    scene = hinged(
        track("drives", 0, "velocity_target", (0.0, 0.0), (2.0, 3.0)),
        track("drives", 0, "damping", (0.5, 1.0), (1.5, 2.0)),
        limits=(*preset_settings(Preset.HINGE).limits[:2], JointLimit(angular_axes=(2,), max=1.0)),
    )
    path, result = write(scene, tmp_path, **units)
    assert result.holds_animation
    assert not [loss for loss in result.losses if loss.noun == "animation"]
    speed, damping = (f"drive:angular:physics:{n}" for n in ("targetVelocity", "damping"))
    assert on_stage(path, speed, 24.0) == pytest.approx(1.5 * DEGREES)
    assert on_stage(path, damping, 24.0) == pytest.approx(1.5 * mass / length**2 / DEGREES)
    assert on_stage(path, damping, 99.0) == pytest.approx(2.0 * mass / length**2 / DEGREES)


def test_values_that_jump_are_held_until_they_do(tmp_path: Path) -> None:
    scene = hinged(
        track(
            "drives",
            0,
            "velocity_target",
            (0.0, 1.0),
            (1.0, 1.0),
            (2.0, -1.0),
            interpolation=Interpolation.STEP,
        ),
        track("", 0, ENABLE_COLLISION, (0.0, 0.0), (1.0, 1.0), interpolation=Interpolation.STEP),
    )
    path, _ = write(scene, tmp_path)
    name = "drive:angular:physics:targetVelocity"
    assert [on_stage(path, name, code) for code in (12.0, 47.9, 48.0)] == pytest.approx(
        [DEGREES, DEGREES, -DEGREES]
    )
    assert [on_stage(path, "physics:collisionEnabled", code) for code in (23.0, 24.0)] == [0, 1]
    again = read(path).scene
    assert keys(again, "velocity_target") == near((0.0, 1.0), (1.0, 1.0), (2.0, -1.0))
    assert {each.interpolation for each in again.tracks} == {Interpolation.STEP}


def test_a_door_that_is_locked_at_rest_is_a_hinge(tmp_path: Path) -> None:
    locks = preset_settings(Preset.HINGE).limits[:2]
    scene = hinged(
        track("limits", 2, "max", (0.0, 0.0), (1.0, 1.5)),
        limits=(*locks, JointLimit(angular_axes=(2,), min=0.0, max=0.0)),
    )
    path, _ = write(scene, tmp_path)
    assert 'def PhysicsRevoluteJoint "' in path.read_text()
    assert [on_stage(path, "physics:upperLimit", c) for c in (0.0, 24.0)] == pytest.approx(
        [0.0, 1.5 * DEGREES]
    )
    assert on_stage(path, "physics:lowerLimit", 12.0) == 0.0
    again = read(path).scene
    assert again.joints[0].settings == scene.joints[0].settings
    assert keys(again, "max") == near((0.0, 0.0), (1.0, 1.5))


def test_curves_are_sampled_and_named(tmp_path: Path) -> None:
    cubic = Track(
        joints=(0,),
        kind="drives",
        member="velocity_target",
        seconds=np.array([0.0, 1.0]),
        values=np.array([[0.0, 0.0, 3.0], [0.0, 1.0, 0.0]]),
        interpolation=Interpolation.CUBICSPLINE,
    )
    path, result = write(hinged(cubic), tmp_path)
    name = "drive:angular:physics:targetVelocity"
    for code in (0, 7, 13, 24):
        assert on_stage(path, name, code) == pytest.approx(cubic.value_at(code / 24) * DEGREES)
    (loss,) = (loss for loss in result.losses if loss.noun == "animation")
    assert loss.how == How.CONVERTED
    assert str(loss.text) == "the curve of velocity target is sampled 24 times a second"


def test_what_a_joint_on_the_stage_cannot_change_is_named(tmp_path: Path) -> None:
    scene = hinged(track("drives", 5, "damping", (0.0, 1.0), (1.0, 2.0)))
    losses = [loss for loss in write(scene, tmp_path)[1].losses if loss.noun == "animation"]
    assert [loss.how for loss in losses] == [How.LOST]


@pytest.mark.slow
@pytest.mark.parametrize("preset", list(Preset))
def test_each_kind_of_joint_keeps_its_animation(preset: Preset, tmp_path: Path) -> None:
    """All bounds and drives over time, also where body0 is the connected node's."""
    scene = chain(1)
    settings = replace(
        preset_settings(preset),
        drives=(
            JointDrive(type=DriveType.LINEAR, axis=0, position_target=0.2, stiffness=3.0),
            JointDrive(type=DriveType.ANGULAR, axis=2, velocity_target=0.2, damping=3.0),
        ),
    )
    tracks = [track("drives", 0, "position_target", (0.0, 0.1), (0.5, -0.4))]
    tracks += [track("drives", 1, "damping", (0.25, 1.0), (1.0, 4.0))]
    for number, limit in enumerate(settings.limits):
        is_single = len(limit.linear_axes) + len(limit.angular_axes) == 1
        if is_single and math.isfinite(limit.max - limit.min) and limit.min < limit.max:
            found = [(0.0, limit.max), (1.0, 0.5 * limit.max)]
            tracks.append(track("limits", number, "max", *found))
    for each in (scene.joints[0], turned_round(scene).joints[0]):
        joint = replace(each, settings=settings)
        one = replace(scene, joints=(joint,), tracks=tuple(tracks))
        path, result = write(one, tmp_path)
        assert not [loss for loss in result.losses if loss.noun == "animation"]
        again = read(path).scene
        for seconds in (0.0, 0.3, 0.6, 1.0):
            assert_same(at(one, seconds), at(again, seconds))


def turned_round(scene: PhysicsScene) -> PhysicsScene:
    joint = scene.joints[0]
    assert joint.connected is not None
    return replace(scene, joints=(replace(joint, node=joint.connected, connected=joint.node),))


def at(scene: PhysicsScene, seconds: float) -> JointSettings:
    return scene_at(scene, seconds).joints[0].settings


def assert_same(one: JointSettings, other: JointSettings) -> None:
    for kind in ("limits", "drives"):
        ours, theirs = getattr(one, kind), getattr(other, kind)
        assert len(ours) == len(theirs)
        for first, second in zip(ours, theirs, strict=True):
            for name in ("min", "max", "position_target", "velocity_target", "damping"):
                found = [float(getattr(each, name, None) or 0.0) for each in (first, second)]
                assert found[1] == pytest.approx(found[0], rel=1e-6, abs=1e-6)


_times = st.lists(st.integers(0, 4000), min_size=1, max_size=5, unique=True).map(sorted)


@pytest.mark.slow
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.data(), _times, st.sampled_from([Interpolation.LINEAR, Interpolation.STEP]))
def test_random_keys_come_back(data: Any, times: list[int], kind: Interpolation) -> None:
    values = data.draw(st.lists(st.integers(-170, 170), min_size=len(times), max_size=len(times)))
    found = [(time / 960.0, value / DEGREES) for time, value in zip(times, values, strict=True)]
    scene = hinged(track("drives", 0, "velocity_target", *found, interpolation=kind))
    with TemporaryDirectory() as folder:
        again = read(write(scene, Path(folder))[0]).scene
    assert keys(again, "velocity_target") == near(*found)


def kept(path: Path) -> Kept:
    found = read(path)
    return Kept(document=found.document or Document(format="usd", path=path), read=found)


def edited(path: Path, change: Any, **options: Any) -> str:
    document = kept(path)
    assert document.read is not None
    wanted: Options = options
    target = Target(path=path.with_name("out.usda"), options=wanted, kept=document)
    result = written_scene(USD, change(document.read.scene), target)
    assert not [loss for loss in result.losses if loss.noun == "animation"]
    text = bytes(result.files["out.usda"])
    target.path.write_bytes(text)
    return text.decode()


SAMPLED = (
    "float physics:lowerLimit = -90",
    "float physics:upperLimit.timeSamples = { 0: 10, 24: 5.0e1 }",
    "float drive:angular:physics:damping = 2",
    "float drive:angular:physics:targetVelocity.timeSamples = { 0: 0, 24: 1 } # spins up",
)


def sampled(folder: Path) -> Path:
    rotor(folder, *SAMPLED, schemas=("PhysicsDriveAPI:angular",))
    return folder / "text.usda"


def test_samples_that_nobody_edits_stay_as_they_are(tmp_path: Path) -> None:
    path = sampled(tmp_path)
    text = path.read_text()
    assert edited(path, replace) == text

    def stronger(scene: PhysicsScene) -> PhysicsScene:
        (joint,) = scene.joints
        drive = replace(joint.settings.drives[0], damping=3.0 * DEGREES)
        settings = replace(joint.settings, drives=(drive,))
        return replace(scene, joints=(replace(joint, settings=settings),))

    assert edited(path, stronger) == text.replace("physics:damping = 2", "physics:damping = 3")


@pytest.mark.parametrize("layer", ["into", "above"])
def test_edited_samples_are_written_and_others_stay(layer: str, tmp_path: Path) -> None:
    def wider(scene: PhysicsScene) -> PhysicsScene:
        tracks = [
            replace(each, values=each.values * 2.0) if each.member == "max" else each
            for each in scene.tracks
        ]
        return replace(scene, tracks=tuple(tracks))

    path = sampled(tmp_path)
    text = edited(path, wider, layer=layer)
    assert on_stage(tmp_path / "out.usda", "physics:upperLimit", 24.0) == pytest.approx(100.0)
    speed = "drive:angular:physics:targetVelocity"
    assert on_stage(tmp_path / "out.usda", speed, 24.0) == pytest.approx(1.0)
    if layer == "into":
        ours, theirs = (set(each.splitlines()) for each in (text, path.read_text()))
        assert theirs - ours == {"    float physics:upperLimit.timeSamples = { 0: 10, 24: 5.0e1 }"}


@pytest.mark.parametrize("layer", ["into", "above"])
def test_samples_whose_animation_was_removed_go(layer: str, tmp_path: Path) -> None:
    def still(scene: PhysicsScene) -> PhysicsScene:
        tracks = tuple(each for each in scene.tracks if each.member != "max")
        return replace(scene, tracks=tracks)

    edited(sampled(tmp_path), still, layer=layer)
    out = tmp_path / "out.usda"
    assert [on_stage(out, "physics:upperLimit", code) for code in (0.0, 24.0)] == [10.0, 10.0]
