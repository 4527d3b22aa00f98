"""The conformance set: its files are those of its script, and this program does what it asks."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.model.axes import quaternion_to_gltf, vector_to_gltf
from omi_joints_addon.core.model.scene import GRAVITY
from omi_joints_addon.core.solver.trajectory import Trajectory

FOLDER = Path(__file__).resolve().parents[2] / "conformance"
INDEX = json.loads((FOLDER / "index.json").read_text("utf-8"))
FEATURES = [entry for entry in INDEX["files"] if entry["kind"] == "feature"]
FAULTS = [entry for entry in INDEX["files"] if entry["kind"] == "fault"]
POSED = [entry for entry in FEATURES if entry["poses"]]
ALONE = ("tracks", "couplings", "excluded_pairs", "triggers", "meshes", "articulations")
"""Fields of scenes that `add_beside` does not add."""
APART = 100.0
"""Between scenes that are simulated side by side [m], further than anything moves to the side."""


def test_the_files_are_those_of_the_script(repository: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "conformance.generate", str(tmp_path)]
    subprocess.run(command, check=True, cwd=repository)
    for made in sorted(tmp_path.rglob("*.*")):
        kept = FOLDER / made.relative_to(tmp_path)
        assert kept.read_bytes() == made.read_bytes(), f"run python -m conformance.generate: {kept}"
    assert {entry["path"] for entry in INDEX["files"]} == {
        path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.gltf")
    }


@pytest.mark.parametrize("entry", FEATURES, ids=lambda entry: entry["path"])
def test_features_are_read_without_errors(entry: dict[str, Any]) -> None:
    scene = omi_joints.read(FOLDER / entry["path"])
    assert {node: str(motion.type) for node, motion in scene.motions.items()} == {
        body["node"]: body["motion"] for body in entry["bodies"]
    }
    assert [scene.motions[body["node"]].mass for body in entry["bodies"] if "mass" in body] == [
        body["mass"] for body in entry["bodies"] if "mass" in body
    ]
    found = [
        (len(joint.settings.limits), len(joint.settings.drives), joint.enable_collision)
        for joint in scene.joints
    ]
    assert found == [
        (len(joint["limits"]), len(joint["drives"]), joint["enableCollision"])
        for joint in entry["joints"]
    ]
    grave = [f for f in omi_joints.check(FOLDER / entry["path"]) if f.severity == "error"]
    assert not grave


@pytest.mark.parametrize("entry", FAULTS, ids=lambda entry: entry["path"])
def test_faults_are_found(entry: dict[str, Any]) -> None:
    found = {finding.code for finding in omi_joints.check(FOLDER / entry["path"])}
    assert set(entry["findings"]) <= found


class Course:
    """Where the bodies of a file are over time, in its own place."""

    def __init__(self, motion: Trajectory, first: int, x: float) -> None:
        """Look at the nodes from the first on, in a scene that was moved along X [m]."""
        self._motion, self._first, self._x = motion, first, x

    def pose(self, node: int, time: float) -> tuple[Any, Any]:
        """Return place and quaternion of a body as glTF has them."""
        frame = int(np.argmin(np.abs(self._motion.times - time)))
        assert self._motion.times[frame] == pytest.approx(time)
        body = self._motion.bodies.index(self._first + node)
        x, y, z = self._motion.positions[frame, body].tolist()
        a, b, c, w = self._motion.rotations[frame, body].tolist()
        return vector_to_gltf((x - self._x, y, z)), quaternion_to_gltf((a, b, c, w))


@pytest.fixture(scope="module")
def courses() -> dict[str, Course]:
    """Return the course of each file: side by side, as a step of many costs little more than one.

    What has more than bodies, colliders and joints is simulated alone.
    """
    scenes = {entry["path"]: omi_joints.read(FOLDER / entry["path"]) for entry in POSED}
    ends = {each["path"]: max(pose["time"] for pose in each["poses"]) for each in POSED}
    build = omi_joints.SceneBuilder()
    begins: dict[str, tuple[int, float]] = {}
    found: dict[str, Course] = {}
    for path, scene in scenes.items():
        if any(getattr(scene, name) for name in ALONE):
            motion = omi_joints.simulate(scene, seconds=ends[path], fps=20.0)
            found[path] = Course(motion, 0, 0.0)
        else:
            begins[path] = len(build.names), APART * len(begins)
            add_beside(build, scene, *begins[path])
    longest = max(ends[path] for path in begins)
    motion = omi_joints.simulate(build.scene(), seconds=longest, fps=20.0)
    return found | {path: Course(motion, *begin) for path, begin in begins.items()}


def add_beside(build: Any, scene: Any, first: int, x: float) -> None:
    """Add a scene that is moved along X."""
    assert scene.gravity == GRAVITY
    place = np.eye(4)
    place[0, 3] = x
    for name, parent, matrix in zip(scene.names, scene.parents, scene.matrices, strict=True):
        build.add(name, int(parent) + first if parent >= 0 else -1, place @ matrix)
    build.motions |= {node + first: motion for node, motion in scene.motions.items()}
    build.colliders |= {node + first: shape for node, shape in scene.colliders.items()}
    for joint in scene.joints:
        ends = joint.node + first, joint.connected + first
        build.add_joint(replace(joint, node=ends[0], connected=ends[1]))


@pytest.mark.slow
@pytest.mark.parametrize("entry", POSED, ids=lambda entry: entry["path"])
def test_bodies_are_where_the_closed_form_has_them(
    entry: dict[str, Any], courses: dict[str, Course]
) -> None:
    for pose in entry["poses"]:
        place, turn = courses[entry["path"]].pose(pose["node"], pose["time"])
        offset = np.subtract(place, pose["translation"])
        assert np.linalg.norm(offset) <= pose["meters"], pose["time"]
        if "rotation" in pose:
            cosine = abs(np.dot(turn, pose["rotation"]))
            assert 2.0 * np.arccos(min(1.0, cosine)) <= pose["radians"], pose["time"]
