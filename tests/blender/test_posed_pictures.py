"""The command `pose` with a picture: that of the file which it writes otherwise."""

import subprocess
import sys
from pathlib import Path


def run(repository: Path, *arguments: object) -> None:
    command = [sys.executable, "-m", "omi_joints_addon", *map(str, arguments)]
    subprocess.run(command, cwd=repository, check=True, capture_output=True, timeout=300)


def test_a_pose_is_drawn_as_the_file_with_that_pose_is(repository: Path, tmp_path: Path) -> None:
    arm = repository / "omi_joints_addon" / "examples" / "arm.urdf"
    pose = ("--set", "lift=60deg", "--set", "bend=-0.9")
    run(repository, "pose", arm, tmp_path / "posed.png", *pose)
    run(repository, "pose", arm, tmp_path / "posed.glb", *pose)
    run(repository, "picture", tmp_path / "posed.glb", tmp_path / "same.png")
    run(repository, "pose", arm, tmp_path / "rest.png")
    posed = (tmp_path / "posed.png").read_bytes()
    assert posed == (tmp_path / "same.png").read_bytes()
    assert posed != (tmp_path / "rest.png").read_bytes()
