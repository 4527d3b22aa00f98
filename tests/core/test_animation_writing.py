"""What changes over time of joints, in new glTF files: judged by pygltflib, numpy and motion."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pygltflib import GLTF2

from omi_joints_addon.core.findings.loss import Noun
from omi_joints_addon.core.model.animation import ENABLE_COLLISION, Interpolation, Track
from omi_joints_addon.core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.solver.trajectory import simulate
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.gltf import GLTF
from omi_joints_addon.io.formats.keeping import written_scene
from tests.core.solver_scenes import LINEAR, LOCK_YZ, SceneBuilder

OMI, KHR = "OMI_physics_joint", "KHR_physics_rigid_bodies"
POINTER = "KHR_animation_pointer"
MOTOR = JointSettings(
    limits=(LINEAR, LOCK_YZ),
    drives=(JointDrive(type=DriveType.ANGULAR, axis=0, velocity_target=0.0, damping=2.0),),
)


def track(seconds: Sequence[float], values: Any, **changes: Any) -> Track:
    given = {"joints": (0,), "kind": "drives", "member": "velocity_target", "animation": "Program"}
    times, heights = np.array(seconds, float), np.array(values, float)
    return Track(seconds=times, values=heights, **(given | changes))


def rotors(count: int, settings: JointSettings, *tracks: Track) -> PhysicsScene:
    """Return bodies that turn about X of the world, with the same settings."""
    build = SceneBuilder((0.0, 0.0, 0.0))
    for number in range(count):
        build.joint(settings, -1, build.body((number, 0, 0), inertia=0.5), (number, 0, 0))
    return replace(build.scene(), tracks=tracks)


def write(scene: PhysicsScene, path: Path, **options: str) -> list[str]:
    """Write a file; return what is lost of what changes over time."""
    written = written_scene(GLTF, scene, Target(path=path, options=options))
    for name, data in written.files.items():
        (path.parent / name).write_bytes(bytes(data))
    return [str(loss) for loss in written.losses if loss.noun == Noun.ANIMATION]


def channels(path: Path) -> dict[str, tuple[str, np.ndarray, np.ndarray]]:
    """Return interpolation, times and values by pointers, as pygltflib and numpy read them."""
    file = GLTF2().load(str(path))
    found = {}
    for animation in file.animations:
        for channel in animation.channels:
            sampler = animation.samplers[channel.sampler]
            keys = [_numbers(file, index) for index in (sampler.input, sampler.output)]
            assert channel.target.path == "pointer"
            assert channel.target.node is None
            pointer = channel.target.extensions[POINTER]["pointer"]
            assert pointer not in found
            found[pointer] = (sampler.interpolation, *keys)
            assert _at(file, pointer) is not None
    assert (POINTER in file.extensionsUsed) == bool(found)
    return found


def _numbers(file: GLTF2, index: int) -> np.ndarray:
    accessor = file.accessors[index]
    view = file.bufferViews[accessor.bufferView]
    data = file.get_data_from_buffer_uri(file.buffers[0].uri) if file.buffers[0].uri else None
    data = data or file.binary_blob()
    kind = {5126: "<f4", 5121: "u1"}[accessor.componentType]
    assert view.byteOffset % 4 == 0
    return np.frombuffer(data, kind, accessor.count, view.byteOffset)


def _at(file: GLTF2, pointer: str) -> Any:
    """Return what a pointer leads to."""
    first, *parts = pointer[1:].split("/")
    value = getattr(file, first)
    for part in parts:
        if isinstance(value, list):
            value = value[int(part)]
        else:
            value = value[part] if isinstance(value, dict) else getattr(value, part)
    return value


def drive(number: int, member: str, *names: str) -> set[str]:
    return {f"/extensions/{name}/physicsJoints/{number}/drives/0/{member}" for name in names}


@pytest.mark.slow
@pytest.mark.parametrize("dialects", [(OMI,), (KHR,), (OMI, KHR)])
def test_a_new_file_moves_as_the_scene_does(dialects: Collection[str], tmp_path: Path) -> None:
    seconds, speeds = (0.0, 0.5, 1.0), (0.0, 3.0, -1.0)
    scene = rotors(1, MOTOR, track(seconds, speeds))
    words = ",".join({OMI: "omi", KHR: "khr"}[name] for name in dialects)
    assert write(scene, tmp_path / "a.glb", dialect=words) == []
    found = channels(tmp_path / "a.glb")
    assert found.keys() == drive(0, "velocityTarget", *dialects)
    for word, times, values in found.values():
        assert word == "LINEAR"
        assert (tuple(times), tuple(values)) == (seconds, speeds)
    again = GLTF.read(Source(path=tmp_path / "a.glb"))[0].scene
    motion, read = (simulate(each, seconds=1.2) for each in (scene, again))
    assert abs(motion.rotations[-1, 0, 0]) > 0.2
    assert read.rotations == pytest.approx(motion.rotations, abs=1e-6)


def test_steps_splines_and_collisions_keep_their_keys(tmp_path: Path) -> None:
    spline = [(0.0, 1.0, 2.0), (-1.0, 4.0, 0.0)]
    scene = rotors(
        1,
        MOTOR,
        track((0.0, 1.0), spline, member="damping", interpolation=Interpolation.CUBICSPLINE),
        track(
            (0.0, 0.5, 2.0),
            (0.0, 1.0, 0.0),
            kind="",
            member=ENABLE_COLLISION,
            interpolation=Interpolation.STEP,
        ),
    )
    assert write(scene, tmp_path / "a.gltf") == []
    found = channels(tmp_path / "a.gltf")
    (collides,) = (pointer for pointer in found if pointer.startswith("/nodes/"))
    assert collides.endswith(f"/extensions/{OMI}/enableCollision")
    assert found[collides][0] == "STEP"
    assert found[collides][2].tolist() == [0, 1, 0]
    word, _times, values = found[drive(0, "damping", OMI).pop()]
    assert word == "CUBICSPLINE"
    assert values.tolist() == [0.0, 1.0, 2.0, -1.0, 4.0, 0.0]


def test_joints_that_are_animated_apart_have_settings_of_their_own(tmp_path: Path) -> None:
    """The first two share a track, the third has its own, the last one is at rest."""
    both = track((0.0, 1.0), (0.0, 3.0), joints=(0, 1))
    own = track((0.0, 1.0), (0.0, -3.0), joints=(2,))
    scene = rotors(4, MOTOR, both, own)
    assert write(scene, tmp_path / "a.glb") == []
    file = GLTF2().load(str(tmp_path / "a.glb"))
    used = [n.extensions[OMI]["joint"] for n in file.nodes if OMI in (n.extensions or {})]
    assert len(used) == 4
    assert used[0] == used[1]
    assert len({used[0], used[2], used[3]}) == 3
    found = channels(tmp_path / "a.glb")
    ends = {pointer: values[-1] for pointer, (_, _, values) in found.items()}
    expected = {drive(used[0], "velocityTarget", OMI).pop(): 3.0}
    assert ends == expected | {drive(used[2], "velocityTarget", OMI).pop(): -3.0}


def test_limits_of_khr_are_changed_where_they_have_gone(tmp_path: Path) -> None:
    """KHR splits a limit of both kinds of axes, and holds a cone by two bounds."""
    settings = JointSettings(
        limits=(
            JointLimit(linear_axes=(0, 1, 2), angular_axes=(0,), min=0.0, max=0.0),
            JointLimit(angular_axes=(1, 2), max=0.5),
        )
    )
    opening = track((0.0, 1.0), (0.5, 1.0), kind="limits", number=1, member="max")
    scene = rotors(1, settings, opening)
    assert write(scene, tmp_path / "a.glb", dialect="khr") == []
    start = f"/extensions/{KHR}/physicsJoints/0/limits/2/"
    found = {
        pointer: values[2].tolist() for pointer, values in channels(tmp_path / "a.glb").items()
    }
    assert found == {f"{start}max": [0.5, 1.0], f"{start}min": [-0.5, -1.0]}
    again = GLTF.read(Source(path=tmp_path / "a.glb"))[0].scene
    (read,) = again.tracks
    assert (read.number, read.member) == (1, "max")
    assert again.joints[0].settings == settings


def test_a_bound_that_is_animated_only_is_in_the_file(tmp_path: Path) -> None:
    settings = JointSettings(limits=(LINEAR, JointLimit(angular_axes=(0,), min=-0.5)))
    closing = track((0.0, 1.0), (2.0, 0.5), kind="limits", number=1, member="max")
    write(rotors(1, settings, closing), tmp_path / "a.glb")
    (pointer,) = channels(tmp_path / "a.glb")
    assert pointer.endswith("/limits/1/max")


def test_times_before_zero_are_moved_and_named(tmp_path: Path) -> None:
    scene = rotors(1, MOTOR, track((-0.5, 0.5), (0.0, 3.0)))
    (loss,) = write(scene, tmp_path / "a.glb")
    assert "0.5 s later" in loss
    ((_, times, _),) = channels(tmp_path / "a.glb").values()
    assert times.tolist() == [0.0, 1.0]


def test_what_is_held_until_it_jumps_jumps_in_single_precision(tmp_path: Path) -> None:
    """As USD holds values: another one a millionth of a time code before the jump."""
    seconds = (0.0, 100.0 - 1e-6 / 24.0, 100.0, 101.0)
    write(rotors(1, MOTOR, track(seconds, (1.0, 1.0, 3.0, 4.0))), tmp_path / "a.glb")
    ((_, times, values),) = channels(tmp_path / "a.glb").values()
    assert values.tolist() == [1.0, 1.0, 3.0, 4.0]
    assert (np.diff(times) > 0.0).all()
    assert times.tolist() == pytest.approx(seconds, abs=1e-5)


def test_joints_without_a_place_in_json_leave_the_animation_of_others(tmp_path: Path) -> None:
    scene = rotors(3, MOTOR, track((0.0, 1.0), (0.0, 3.0), joints=(0, 2)))
    broken = replace(scene.joints[0], settings=JointSettings(drives=(JointDrive(axis=7),)))
    scene = replace(scene, joints=(broken, *scene.joints[1:]))
    write(scene, tmp_path / "a.glb")
    (pointer,) = channels(tmp_path / "a.glb")
    file = GLTF2().load(str(tmp_path / "a.glb"))
    joint = file.nodes[scene.joints[2].node].extensions[OMI]["joint"]
    assert {pointer} == drive(joint, "velocityTarget", OMI)


def test_limits_without_axes_are_not_counted(tmp_path: Path) -> None:
    limits = (JointLimit(), JointLimit(angular_axes=(0,), min=-0.5, max=0.5))
    closing = track((0.0, 1.0), (0.5, 0.25), kind="limits", number=1, member="max")
    write(rotors(1, JointSettings(limits=limits), closing), tmp_path / "a.glb", dialect="omi,khr")
    assert {pointer.partition("Joints")[2] for pointer in channels(tmp_path / "a.glb")} == {
        "/0/limits/0/max"
    }


def test_files_for_godot_hold_what_is_at_rest(tmp_path: Path) -> None:
    scene = rotors(1, MOTOR, track((0.0, 0.5), (0.0, 3.0)))
    (loss,) = write(scene, tmp_path / "a.glb", **{"for": "godot"})
    assert "over time" in loss
    assert not GLTF2().load(str(tmp_path / "a.glb")).animations
