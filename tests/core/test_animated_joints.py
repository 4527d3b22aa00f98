"""Joints whose numbers change over time: read from glTF, simulated and checked, without Blender."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.checks.scene import check_scene
from omi_joints_addon.core.meaning.animated import scene_at
from omi_joints_addon.core.model.animation import Track
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.solver.trajectory import simulate
from omi_joints_addon.io.formats.checking import check
from omi_joints_addon.io.formats.format import Read, Source
from omi_joints_addon.io.formats.gltf.animations import pointer_of
from omi_joints_addon.io.formats.gltf.reading import read_file
from tests.core.animated_gltf import DAMPING, INERTIA, KHR, OMI, animate, rotor, written
from tests.oracles.property_joints import sliding
from tests.oracles.property_row import DOWN, linear

SETTINGS = f"/extensions/{OMI}/physicsJoints/0"
SPEED = f"{SETTINGS}/drives/0/velocityTarget"
TAU = INERTIA / DAMPING


def read(document: object, folder: Path) -> Read:
    return read_file(Source(path=written(document, folder)))


def turns(scene: PhysicsScene, seconds: float, fps: float = 60.0) -> tuple[np.ndarray, np.ndarray]:
    """Return times and how far the rotor has turned [rad]."""
    motion = simulate(scene, seconds=seconds, fps=fps)
    return motion.times, np.unwrap(motion.joint_values[:, 0, 5])


@pytest.mark.slow
@pytest.mark.parametrize("fps", [24.0, 60.0])
def test_a_motor_whose_speed_grows_follows_the_closed_form(fps: float, tmp_path: Path) -> None:
    """I·ω' = D·(a·t - ω)."""
    rate = 3.0
    document = rotor(velocityTarget=0.0)
    animate(document, SPEED, [(0.0, 0.0), (2.0, 2.0 * rate)])
    times, angles = turns(read(document, tmp_path).scene, 2.0, fps)
    rest = 1.0 - np.exp(-times / TAU)
    assert angles == pytest.approx(rate * (times**2 / 2.0 - TAU * times + TAU**2 * rest), abs=2e-3)


def test_a_motor_that_is_switched_follows_the_closed_form(tmp_path: Path) -> None:
    """A jump acts within half a step of 1/240 s: 4 rad/s make 0.0083 rad of that."""
    document = rotor(velocityTarget=0.0)
    animate(document, SPEED, [(0.0, 2.0), (1.0, -2.0)], "STEP")
    times, angles = turns(read(document, tmp_path).scene, 2.0)
    first = 2.0 * (times - TAU * (1.0 - np.exp(-times / TAU)))
    after = np.maximum(times - 1.0, 0.0)
    back = 4.0 * (after - TAU * (1.0 - np.exp(-after / TAU)))
    assert angles == pytest.approx(first - back, abs=1e-2)


def test_a_bound_that_closes_pushes_what_it_meets(tmp_path: Path) -> None:
    document = rotor({"angularAxes": [2], "min": -1.0, "max": 1.0})
    animate(document, f"{SETTINGS}/limits/2/min", [(0.0, -1.0), (1.0, 0.5)])
    times, angles = turns(read(document, tmp_path).scene, 0.95)
    bound = -1.0 + 1.5 * times
    assert (angles >= bound - 0.02).all()
    assert angles[-1] > 0.3


def test_a_cubic_spline_is_that_of_glTF(tmp_path: Path) -> None:  # noqa: N802
    """t³: slopes 0 and 3 at its ends, exact as a Hermite piece."""
    document = rotor(velocityTarget=0.0)
    animate(document, SPEED, [(1.0, (0.0, 0.0, 0.0)), (2.0, (3.0, 1.0, 3.0))], "CUBICSPLINE")
    scene = read(document, tmp_path).scene
    for seconds in np.linspace(0.5, 2.5, 9):
        (drive,) = scene_at(scene, seconds).joints[0].settings.drives
        expected = min(max(seconds - 1.0, 0.0), 1.0) ** 3
        assert drive.velocity_target == pytest.approx(expected, abs=1e-7)


def test_collision_of_the_pair_is_switched(tmp_path: Path) -> None:
    document = rotor(velocityTarget=1.0)
    for middle in ("/joint", ""):
        each = {**document, "animations": [], "accessors": [], "bufferViews": [], "buffers": []}
        pointer = f"/nodes/1/extensions/{OMI}{middle}/enableCollision"
        animate(each, pointer, [(0.0, 0.0), (1.0, 1.0)], "STEP")
        scene = read(each, tmp_path).scene
        found = [scene_at(scene, seconds).joints[0].enable_collision for seconds in (0.5, 1.5)]
        assert found == [False, True]


def test_ranges_that_cross_on_the_way_are_reported(tmp_path: Path) -> None:
    document = rotor({"angularAxes": [2], "min": -1.0, "max": 1.0})
    animate(document, f"{SETTINGS}/limits/2/min", [(0.0, -1.0), (2.0, 0.5), (3.0, 1.5)])
    (found,) = (each for each in check(read(document, tmp_path)) if each.code == "OMI-J023")
    assert found.place == f"{SETTINGS}/limits/2"
    assert "at 3 s" in found.message
    assert "above its maximum" in found.message


def test_cones_that_a_curve_brings_below_zero_are_reported(tmp_path: Path) -> None:
    cone = {"angularAxes": [0, 1], "min": 0.0, "max": 0.5}
    document = rotor(cone)
    keys = [(0.0, (0.0, 0.2, -2.0)), (1.0, (2.0, 0.2, 0.0))]
    animate(document, f"{SETTINGS}/limits/2/max", keys, "CUBICSPLINE")
    codes = {each.code for each in check(read(document, tmp_path))}
    assert "OMI-J023" in codes


def test_what_is_wrong_at_rest_is_not_reported_again(tmp_path: Path) -> None:
    document = rotor({"angularAxes": [2], "min": 2.0, "max": 1.0})
    animate(document, f"{SETTINGS}/limits/2/max", [(0.0, 1.0), (1.0, 0.9)])
    codes = [each.code for each in check_scene(read(document, tmp_path).scene)]
    assert codes.count("OMI-J103") == 1
    assert "OMI-J023" not in codes


@pytest.mark.parametrize(
    ("pointer", "code"),
    [
        (f"{SETTINGS}/limits/7/max", "OMI-J454"),
        (f"/extensions/{OMI}/physicsJoints/4/limits/0/max", "OMI-J454"),
        ("/nodes/0/extensions/OMI_physics_joint/enableCollision", "OMI-J454"),
        (f"{SETTINGS}/drives/0/axis", "OMI-J455"),
        (f"/nodes/1/extensions/{OMI}/connectedNode", "OMI-J455"),
        ("/nodes/2/extensions/OMI_physics_body/motion/inertiaOrientation", "OMI-J461"),
        ("/materials/0/emissiveFactor", "OMI-J454"),
        ("", "OMI-J454"),
        ("nodes/0/translation", "OMI-J454"),
        ("/nodes", "OMI-J454"),
    ],
)
def test_pointers_that_change_nothing_are_reported(pointer: str, code: str, tmp_path: Path) -> None:
    document = rotor(velocityTarget=1.0)
    animate(document, pointer, [(0.0, 0.0), (1.0, 1.0)])
    (found,) = (each for each in check(read(document, tmp_path)) if each.code == code)
    assert found.place == "/animations/0/channels/0"
    assert pointer in found.message


def test_a_channel_without_a_pointer_is_reported(tmp_path: Path) -> None:
    document = rotor(velocityTarget=1.0)
    animate(document, SPEED, [(0.0, 0.0), (1.0, 1.0)])
    del document["animations"][0]["channels"][0]["target"]["extensions"]
    assert "OMI-J454" in {each.code for each in check(read(document, tmp_path))}


def test_an_extension_of_pointers_that_is_not_listed_is_reported_and_fixed(tmp_path: Path) -> None:
    document = rotor({"angularAxes": [2]}, velocityTarget=1.0)
    animate(document, SPEED, [(0.0, 0.0), (1.0, 1.0)])
    document["extensionsUsed"].remove("KHR_animation_pointer")
    found = read(document, tmp_path)
    (unlisted,) = (each for each in check(found) if each.code == "OMI-J402")
    assert "KHR_animation_pointer is used but missing" in unlisted.message
    assert main(["check", "--fix", str(tmp_path / "rotor.gltf")]) == 0
    fixed = json.loads((tmp_path / "rotor.gltf").read_text())
    assert "KHR_animation_pointer" in fixed["extensionsUsed"]
    # What the animation counts stays where it is, also what has no effect.
    settings = fixed["extensions"][OMI]["physicsJoints"][0]
    assert settings == document["extensions"][OMI]["physicsJoints"][0]


def test_pointers_of_others_are_not_judged(tmp_path: Path) -> None:
    document = rotor(velocityTarget=1.0) | {"materials": [{}]}
    animate(document, "/materials/0/pbrMetallicRoughness/metallicFactor", [(0.0, 0.0), (1.0, 1.0)])
    animate(document, "/nodes/2/extensions/EXT_other/value", [(0.0, 0.0), (1.0, 1.0)])
    found = read(document, tmp_path)
    assert found.scene.tracks == ()
    assert not {"OMI-J454", "OMI-J455", "OMI-J456"} & {each.code for each in check(found)}


@pytest.mark.parametrize(
    "keys",
    [
        [(0.0, math.nan)],
        [(1.0, 0.0), (0.0, 1.0)],
        [(0.0, (1.0, 2.0))],
    ],
)
def test_broken_keys_are_reported_and_passed_over(
    keys: list[tuple[float, float]], tmp_path: Path
) -> None:
    document = rotor(velocityTarget=1.0)
    animate(document, SPEED, keys)
    found = read(document, tmp_path)
    assert found.scene.tracks == ()
    assert "OMI-J456" in {each.code for each in found.findings}


def test_animations_follow_their_joints_into_another_dialect(tmp_path: Path) -> None:
    document = rotor({"angularAxes": [2], "min": -1.0, "max": 1.0}, velocityTarget=0.0)
    animate(document, SPEED, [(0.0, 0.0), (1.0, 3.0)])
    pointer = f"/nodes/1/extensions/{OMI}/enableCollision"
    animate(document, pointer, [(0.0, 0.0), (1.0, 1.0)], "STEP")
    before = read(document, tmp_path).scene
    for dialects, count in (("khr", 2), ("omi,khr", 4)):
        target = tmp_path / "other.gltf"
        asked = ["convert", "-f", str(tmp_path / "rotor.gltf"), str(target), "--dialect", dialects]
        assert main(asked) == 0
        written_text = target.read_text()
        assert written_text.count('"pointer":') == count
        found = read_file(Source(path=target))
        assert not {each.code for each in check(found)} & {"OMI-J454", "OMI-J455"}
        assert len(found.scene.tracks) == 2
        for seconds in (0.25, 0.75):
            now, then = scene_at(found.scene, seconds), scene_at(before, seconds)
            assert now.joints[0].settings.drives == then.joints[0].settings.drives
        again = tmp_path / "again.gltf"
        assert main(["convert", "-f", str(target), str(again), "--dialect", "omi"]) == 0
        channels = [each["channels"] for each in json.loads(again.read_text())["animations"]]
        assert [pointer_of(only) for (only,) in channels] == [SPEED, pointer]


def test_animations_follow_limits_that_khr_splits(tmp_path: Path) -> None:
    """KHR has a limit for the linear and one for the angular axes of the first one."""
    document = rotor(velocityTarget=0.0)
    (settings,) = document["extensions"][OMI]["physicsJoints"]
    lock = {"linearAxes": [0, 1, 2], "angularAxes": [0, 1], "min": 0, "max": 0}
    settings["limits"] = [lock, {"angularAxes": [2], "min": -1.0, "max": 1.0}]
    animate(document, f"{SETTINGS}/limits/1/max", [(0.0, 1.0), (1.0, 0.5)])
    path, khr = written(document, tmp_path), tmp_path / "khr.gltf"
    assert main(["convert", str(path), str(khr), "--dialect", "khr"]) == 0
    ((channel,),) = [each["channels"] for each in json.loads(khr.read_text())["animations"]]
    assert pointer_of(channel) == f"/extensions/{KHR}/physicsJoints/0/limits/2/max"
    (track,) = read_file(Source(path=khr)).scene.tracks
    assert (track.number, track.member) == (1, "max")
    again = tmp_path / "again.gltf"
    assert main(["convert", str(khr), str(again), "--dialect", "omi"]) == 0
    ((channel,),) = [each["channels"] for each in json.loads(again.read_text())["animations"]]
    assert pointer_of(channel) == f"{SETTINGS}/limits/1/max"


def test_what_a_dialect_cannot_animate_is_a_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = rotor(velocityTarget=0.0)
    path = written(document, tmp_path)
    khr = tmp_path / "khr.gltf"
    assert main(["convert", str(path), str(khr), "--dialect", "khr"]) == 0
    document = json.loads(khr.read_text())
    animate(document, f"/nodes/2/extensions/{KHR}/motion/isKinematic", [(0.0, 1.0), (1.0, 0.0)])
    path = written(document, tmp_path)
    capsys.readouterr()
    omi = tmp_path / "omi.gltf"
    assert main(["convert", str(path), str(omi), "--dialect", "omi"]) == 0
    assert "motion/isKinematic" in capsys.readouterr().err
    assert "animations" not in json.loads(omi.read_text())


@pytest.mark.parametrize(("start", "goal"), [("omi", "khr"), ("khr", "omi")])
def test_what_changes_of_bodies_goes_into_the_other_dialect(
    start: str, goal: str, tmp_path: Path
) -> None:
    """Both object models list the gravity factor of a motion and the friction of a material."""
    path = written(rotor(velocityTarget=0.0), tmp_path)
    one, other = tmp_path / "one.gltf", tmp_path / "other.gltf"
    assert main(["convert", str(path), str(one), "--dialect", start]) == 0
    document = json.loads(one.read_text())
    names = {"omi": "OMI_physics_body", "khr": KHR}
    place = "/nodes/2/extensions/{}/motion/gravityFactor"
    animate(document, place.format(names[start]), [(0.0, 0.47), (1.0, -1.3)])
    path = written(document, tmp_path)
    assert main(["convert", "-f", str(path), str(other), "--dialect", goal]) == 0
    ((channel,),) = [each["channels"] for each in json.loads(other.read_text())["animations"]]
    assert pointer_of(channel) == place.format(names[goal])


def test_a_cone_that_khr_holds_by_two_bounds_is_a_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = rotor({"angularAxes": [0, 1], "max": 0.5}, velocityTarget=0.0)
    animate(document, f"{SETTINGS}/limits/2/max", [(0.0, 0.5), (1.0, 1.0)])
    path, khr = written(document, tmp_path), tmp_path / "khr.gltf"
    assert main(["convert", str(path), str(khr), "--dialect", "khr"]) == 0
    assert "the cone opens to one side" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["usda", "urdf", "xml", "json", "glb"])
def test_formats_without_animation_name_what_they_lose(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = rotor({"angularAxes": [2], "min": -1.0, "max": 1.0}, velocityTarget=0.0)
    animate(document, SPEED, [(0.0, 0.0), (1.0, 3.0)])
    path = written(document, tmp_path)
    assert main(["convert", str(path), str(tmp_path / f"other.{suffix}")]) == 0
    line = "changed: animation (Motor): velocity target over time"
    assert (line in capsys.readouterr().err) == (suffix not in ("usda", "glb"))


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 240.0])
def test_a_moving_bound_is_followed_without_delay_whatever_the_frames(fps: float) -> None:
    """A rail whose lower bound rises by 0.23 m/s lifts what lies on it, 2 mm late before."""
    scene = sliding("rail", 0.0, linear(2, min=0.0, max=2.0), gravity=DOWN).scene
    track = Track(
        joints=(0,),
        kind="limits",
        number=2,
        member="min",
        seconds=np.array((0.0, 2.0)),
        values=np.array((0.0, 0.46)),
    )
    path = simulate(replace(scene, tracks=(track,)), seconds=1.0, fps=fps)
    heights = path.positions[1:, 1, 2]
    assert heights == pytest.approx(0.23 * path.times[1:], abs=2e-4)
