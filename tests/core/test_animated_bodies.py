"""Bodies whose numbers change over time: read from glTF, simulated and named, without Blender."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.meaning.animated import scene_at
from omi_joints_addon.core.solver.trajectory import Trajectory, simulate
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.gltf.reading import read_file
from omi_joints_addon.io.formats.keeping import written_scene
from tests.core.animated_gltf import KHR, POINTER, animate, written
from tests.core.solver_scenes import integrate

G = 9.81
BODY = "OMI_physics_body"
MOTION = f"/nodes/0/extensions/{BODY}/motion"


def body(**motion: object) -> dict[str, object]:
    """Return a document with a body at (0.3, 1.1, -0.7) in glTF's axes."""
    motion = {"type": "dynamic", "mass": 1.3, "inertiaDiagonal": [0.05, 0.07, 0.06]} | motion
    node = {
        "name": "Body",
        "translation": [0.3, 1.1, -0.7],
        "extensions": {BODY: {"motion": motion}},
    }
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [BODY, POINTER],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [node],
    }


def course(document: object, folder: Path, seconds: float, fps: float = 60.0) -> Trajectory:
    read = read_file(Source(path=written(document, folder)))
    assert not read.findings
    return simulate(read.scene, seconds=seconds, fps=fps)


@pytest.mark.parametrize("fps", [24.0, 60.0, 240.0])
def test_a_gravity_factor_that_changes_acts_in_each_step(fps: float, tmp_path: Path) -> None:
    """Off for a second, then 0.47 to -1.3 over 0.9 s."""
    document = body(gravityFactor=0.0)
    keys = [(0.0, 0.0), (1.0, 0.0), (1.0 + 1e-6, 0.47), (1.9, -1.3)]
    animate(document, f"{MOTION}/gravityFactor", keys)
    path = course(document, tmp_path, 2.0, fps)
    late = np.clip(path.times - 1.0, 0.0, 0.9)
    speed = 0.47 * 0.9 - 1.77 / 0.9 * 0.9**2 / 2.0
    after = np.maximum(path.times - 1.9, 0.0)
    fallen = 0.47 * late**2 / 2.0 - 1.77 / 0.9 * late**3 / 6.0 + speed * after - 0.65 * after**2
    assert path.positions[:, 0, 2] == pytest.approx(1.1 - G * fallen, abs=2e-3)


@pytest.mark.parametrize("fps", [24.0, 60.0, 240.0])
@pytest.mark.parametrize("extension", [BODY, KHR])
def test_a_kinematic_body_follows_its_velocity(fps: float, extension: str, tmp_path: Path) -> None:
    """Upward in glTF is along Z here, and glTF's Z is our -Y."""
    document = body(type="kinematic")
    if extension == KHR:
        motion = {"isKinematic": True, "mass": 1.3}
        document["nodes"][0]["extensions"] = {KHR: {"motion": motion}}
        document["extensionsUsed"] = [KHR, POINTER]
    place = f"/nodes/0/extensions/{extension}/motion/linearVelocity"
    animate(document, place, [(0.0, (0.1, 0.0, 0.3)), (2.0, (0.1, 0.6, 0.7))], type_="VEC3")
    path = course(document, tmp_path, 2.0, fps)
    time = path.times
    moved = np.column_stack((0.1 * time, -0.3 * time - 0.1 * time**2, 0.15 * time**2))
    assert path.positions[:, 0] - path.positions[0, 0] == pytest.approx(moved, abs=1e-6)


def test_a_mass_that_changes_swings_slower(tmp_path: Path) -> None:
    """A weight on a spring to a base that takes on 2.1 kg within 0.7 s."""
    document = body(gravityFactor=0.0, linearVelocity=[0.0, 0.9, 0.0])
    document["nodes"][0]["children"] = [1]
    document["nodes"] += [{"name": "End"}, {"name": "Joint", "translation": [0.3, 1.1, -0.7]}]
    joint = "OMI_physics_joint"
    document["scenes"][0]["nodes"] += [2]
    document["nodes"][2]["extensions"] = {joint: {"joint": 0, "connectedNode": 1}}
    locks = [
        {"linearAxes": [0, 2], "min": 0, "max": 0},
        {"angularAxes": [0, 1, 2], "min": 0, "max": 0},
    ]
    spring = {
        "type": "linear",
        "mode": "force",
        "axis": 1,
        "stiffness": 70.0,
        "positionTarget": 0.0,
    }
    document["extensions"] = {joint: {"physicsJoints": [{"limits": locks, "drives": [spring]}]}}
    document["extensionsUsed"].append(joint)
    animate(document, f"{MOTION}/mass", [(0.0, 1.3), (0.7, 3.4)])
    path = course(document, tmp_path, 1.4)
    time = [0.0]

    def acceleration(x: float, _rate: float) -> float:
        return -70.0 * x / (1.3 + 3.0 * min(time[0], 0.7))

    expected, x, v = [0.0], 0.0, 0.9
    for frame in range(84):
        for part in range(50):
            time[0] = (frame + (part + 0.5) / 50.0) / 60.0
            before = x
            x = float(integrate(acceleration, x, v, 1.0 / 3000.0, step=1.0 / 3000.0)[-1])
            v += acceleration((x + before) / 2.0, v) / 3000.0
        expected.append(x)
    assert path.positions[:, 0, 2] - 1.1 == pytest.approx(expected, abs=2e-3)


def test_a_center_that_is_put_elsewhere_flies_on_as_the_body_turns(tmp_path: Path) -> None:
    spin = 2.3
    document = body(gravityFactor=0.0, inertiaDiagonal=[0.06] * 3, angularVelocity=[0.0, spin, 0.0])
    keys = [(0.0, (0.0, 0.0, 0.0)), (0.5, (0.2, 0.0, 0.0))]
    animate(document, f"{MOTION}/centerOfMass", keys, "STEP", type_="VEC3")
    path = course(document, tmp_path, 1.3)
    late = np.maximum(path.times - 0.5, 0.0)
    start, now = 0.5 * spin, spin * path.times
    # About Z here; the center has the velocity that it had in the body, and the body turns on.
    flown = np.column_stack((-np.sin(start) * late, np.cos(start) * late)) * spin * 0.2
    circle = 0.2 * np.column_stack((np.cos(now) - np.cos(start), np.sin(now) - np.sin(start)))
    expected = (flown - circle) * (late > 0.0)[:, None]
    moved = path.positions[:, 0, :2] - path.positions[0, 0, :2]
    assert moved == pytest.approx(expected, abs=4e-3)


def test_a_velocity_that_a_dynamic_body_only_starts_with_is_named(tmp_path: Path) -> None:
    document = body(gravityFactor=0.0)
    animate(document, f"{MOTION}/linearVelocity", [(0.0, (0.3, 0.0, 0.0)), (1.0, (9.0, 0.0, 0.0))],
            type_="VEC3")  # fmt: skip
    path = course(document, tmp_path, 1.0)
    assert path.positions[-1, 0, 0] == pytest.approx(0.6, abs=1e-6)
    assert [item.code for item in path.assumptions] == ["OMI-P039"]


def test_curves_and_keys_that_cannot_be_used(tmp_path: Path) -> None:
    document = body()
    animate(
        document, f"{MOTION}/mass", [(0.0, (0.0, 1.3, 0.4)), (2.0, (-0.2, 2.7, 0.0))], "CUBICSPLINE"
    )
    animate(document, f"{MOTION}/gravityFactor", [(0.0, (0.1, 0.2, 0.3))], type_="VEC3")
    read = read_file(Source(path=written(document, tmp_path)))
    assert [item.code for item in read.findings] == ["OMI-J456"]
    mass = scene_at(read.scene, 0.8).motions[0].mass
    part = 0.4
    hermite = (
        (1 + 2 * part) * (1 - part) ** 2 * 1.3
        + part * (1 - part) ** 2 * 2.0 * 0.4
        + part**2 * (3 - 2 * part) * 2.7
        - part**2 * (1 - part) * 2.0 * -0.2
    )
    assert mass == pytest.approx(hermite, rel=1e-6)


@pytest.mark.parametrize("suffix", ["usda", "urdf", "xml", "json", "sdf", "glb"])
def test_formats_without_pointers_name_what_they_lose(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = body()
    animate(document, f"{MOTION}/mass", [(0.0, 1.3), (1.0, 3.1)])
    path = written(document, tmp_path)
    assert main(["convert", str(path), str(tmp_path / f"other.{suffix}")]) == 0
    line = "changed: animation (Body): mass over time"
    assert (line in capsys.readouterr().err) == (suffix != "glb")


def test_new_documents_name_them_too(tmp_path: Path) -> None:
    document = body()
    animate(document, f"{MOTION}/mass", [(0.0, 1.3), (1.0, 3.1)])
    scene = read_file(Source(path=written(document, tmp_path))).scene
    new = written_scene(GLTF, replace(scene, carried={}), Target(path=tmp_path / "new.glb"))
    assert [str(loss.noun) for loss in new.losses] == ["animation"]
