"""The command `pose` with a picture: that of the file which it writes otherwise."""

import subprocess
import sys
from pathlib import Path

SMALL = """
import sys
from functools import partial
from omi_joints_addon.cli import picture
from omi_joints_addon.cli.main import main
picture.drawn = partial(picture.drawn, size=(480, 270))
sys.exit(main(sys.argv[1:]))
"""
"""Runs a command that draws a sixteenth of the pixels."""


def run(repository: Path, *arguments: object) -> None:
    command = [sys.executable, "-c", SMALL, *map(str, arguments)]
    subprocess.run(command, cwd=repository, check=True, capture_output=True, timeout=300)


def test_a_pose_is_drawn_as_the_file_with_that_pose_is(repository: Path, tmp_path: Path) -> None:
    arm = repository / "omi_joints_addon" / "examples" / "arm.urdf"
    pose = ("--set", "lift=60deg", "--set", "bend=-0.9")
    run(repository, "pose", arm, tmp_path / "posed.png", *pose)
    run(repository, "pose", arm, tmp_path / "posed.glb", *pose)
    size = ("--size", 480, 270)
    run(repository, "picture", tmp_path / "posed.glb", tmp_path / "same.png", *size)
    run(repository, "pose", arm, tmp_path / "rest.png")
    posed = (tmp_path / "posed.png").read_bytes()
    assert posed == (tmp_path / "same.png").read_bytes()
    assert posed != (tmp_path / "rest.png").read_bytes()
