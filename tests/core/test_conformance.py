"""The conformance set: its files are those of its script, and this program does what it asks."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.model.axes import quaternion_to_gltf, vector_to_gltf

FOLDER = Path(__file__).resolve().parents[2] / "conformance"
INDEX = json.loads((FOLDER / "index.json").read_text("utf-8"))
FEATURES = [entry for entry in INDEX["files"] if entry["kind"] == "feature"]
FAULTS = [entry for entry in INDEX["files"] if entry["kind"] == "fault"]


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "entry", [each for each in FEATURES if each["poses"]], ids=lambda entry: entry["path"]
)
def test_bodies_are_where_the_closed_form_has_them(entry: dict[str, Any]) -> None:
    scene = omi_joints.read(FOLDER / entry["path"])
    end = max(pose["time"] for pose in entry["poses"])
    motion = omi_joints.simulate(scene, seconds=end, fps=20.0)
    for pose in entry["poses"]:
        frame = int(np.argmin(np.abs(motion.times - pose["time"])))
        assert motion.times[frame] == pytest.approx(pose["time"])
        body = motion.bodies.index(pose["node"])
        x, y, z = motion.positions[frame, body].tolist()
        offset = np.subtract(vector_to_gltf((x, y, z)), pose["translation"])
        assert np.linalg.norm(offset) <= pose["meters"], pose["time"]
        if "rotation" in pose:
            a, b, c, w = motion.rotations[frame, body].tolist()
            cosine = abs(np.dot(quaternion_to_gltf((a, b, c, w)), pose["rotation"]))
            assert 2.0 * np.arccos(min(1.0, cosine)) <= pose["radians"], pose["time"]
