"""Probes in real Godot with the reference importer, given to it as files for "Godot 4 importer".

OMI_GODOT names the program and OMI_GODOT_IMPORTER the folder `addons/omi_extensions` of omi-godot.
Neither is a requirement, and nothing of them is kept here.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from omi_joints_addon.core.model.body import Motion, MotionType
from omi_joints_addon.core.model.pose import Pose, matrix_from_pose, pose_from_matrix
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.gltf import GLTF
from tests.core.probe import Probe

HERE = Path(__file__).resolve().parent
RATE = 960
"""Steps per second: at 240 a free fall is 1 cm off, since Jolt's steps are of first order."""
PROGRAM, IMPORTER = "OMI_GODOT", "OMI_GODOT_IMPORTER"
Z_UP: NDArray[np.float64] = np.array(
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
)
PROJECT = f"""config_version=5
[physics]
3d/physics_engine="Jolt Physics"
common/physics_ticks_per_second={RATE}
[editor_plugins]
enabled=PackedStringArray("res://addons/omi_extensions/plugin.cfg")
"""


def is_here() -> bool:
    """Return whether Godot can be asked."""
    return PROGRAM in os.environ and Path(os.environ.get(IMPORTER, "")).is_dir()


def measures(probes: Sequence[Probe]) -> list[float | None]:
    """Return what is measured of each probe in the end [m or rad], None where there is no body."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jobs = [_job(folder / f"probe{n}.gltf", probe) for n, probe in enumerate(probes)]
        found = _run(folder, jobs)
    return [_measured(probe, poses) for probe, poses in zip(probes, found, strict=True)]


def scene_of(probe: Probe) -> PhysicsScene:
    """Return a probe whose fixed end is a static body: the importer wants joints below one."""
    scene = probe.scene()
    return replace(scene, motions={**scene.motions, 1: Motion(type=MotionType.STATIC)})


def _job(path: Path, probe: Probe) -> dict[str, object]:
    written = GLTF.write(scene_of(probe), Target(path=path, options={"for": "godot"}))
    for name, content in written.files.items():
        (path.parent / name).write_bytes(content)
    x, y, z = probe.gravity
    return {"file": str(path), "gravity": [x, z, -y], "steps": round(probe.seconds * RATE)}


def _run(folder: Path, jobs: Sequence[dict[str, object]]) -> list[dict[str, list[float]]]:
    (folder / "jobs.json").write_text(json.dumps(jobs), "utf-8")
    (folder / "project.godot").write_text(PROJECT, "utf-8")
    shutil.copy(HERE / "godot.gd", folder / "run.gd")
    shutil.copytree(os.environ[IMPORTER], folder / "addons" / "omi_extensions")
    godot = [os.environ[PROGRAM], "--headless", "--path", str(folder)]
    subprocess.run([*godot, "--import"], check=True, capture_output=True, timeout=300)
    command = [*godot, "--fixed-fps", str(RATE), "--script", "res://run.gd"]
    done = subprocess.run(
        [*command, "--", str(folder / "jobs.json")],
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return [json.loads(row[7:]) for row in done.stdout.splitlines() if row.startswith("RESULT")]


def _measured(probe: Probe, poses: dict[str, list[float]]) -> float | None:
    """Return the metric of the connected frame from where the body ended, which is node 0."""
    if "node0" not in poses:
        return None
    scene = probe.scene()
    (joint,) = scene.joints
    assert joint.connected is not None
    numbers = np.array(poses["node0"])
    body = Z_UP @ matrix_from_pose(Pose(numbers[:3], numbers[3:])) @ Z_UP.T
    frame = body @ np.linalg.inv(scene.matrices[0]) @ scene.matrices[joint.connected]
    return probe.measured(pose_from_matrix(np.linalg.inv(scene.matrices[joint.node]) @ frame))
