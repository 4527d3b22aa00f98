"""Every command that README.md and docs/ print runs as printed, on files that the examples make."""

import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMAND = re.compile(
    r"(?:python -m omi_joints_addon|^    omi-joints) "
    r"(?:check|completion|convert|explain|picture|schema|show|simulate)\b[^`\n]*",
    re.MULTILINE,
)
MODULE = "python -m omi_joints_addon"
MADE = """
import sys
sys.path.insert(0, "examples")
import bpy, hand, room, session
from pathlib import Path
folder = Path(sys.argv[1])
with session.blender():
    for name, module in (("room", room), ("ragdoll", hand)):
        bpy.ops.wm.read_homefile(use_empty=True)
        module.build()
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"))
        bpy.ops.export_scene.gltf(filepath=str(folder / f"{name}.glb"))
"""
SERVOS = """<actuator>
  <position joint="lift" kp="100" kv="10"/>
  <position joint="bend" kp="100" kv="10"/>
</actuator>
"""
OLD = {
    "asset": {"version": "2.0"},
    "extensionsUsed": ["OMI_physics_joint", "OMI_physics_body"],
    "extensions": {"OMI_physics_joint": {"constraints": [{"linearAxes": [0, 1, 2]}]}},
    "nodes": [
        {"name": "A", "extensions": {"OMI_physics_body": {"motion": {"type": "dynamic"}}}},
        {"name": "B", "extensions": {"OMI_physics_body": {"motion": {"type": "static"}}}},
        {
            "name": "J",
            "extensions": {"OMI_physics_joint": {"constraints": [0], "nodeA": 0, "nodeB": 1}},
        },
    ],
    "scenes": [{"nodes": [0, 1, 2]}],
}


def commands() -> list[str]:
    """Return each command that is on a page, once."""
    texts = (page.read_text(encoding="utf-8") for page in PAGES)
    lines = {line.strip() for text in texts for line in COMMAND.findall(text)}
    return sorted({re.sub("^omi-joints", MODULE, line) for line in lines})


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the pages name."""
    folder = tmp_path_factory.mktemp("files")
    made = subprocess.run(
        [sys.executable, "-c", MADE, folder], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stdout + made.stderr
    copies = {"room.blend": ["door.blend", "scene.blend"], "room.glb": ["door.glb", "heap.glb"]}
    for name, others in copies.items():
        for other in others:
            shutil.copy(folder / name, folder / other)
    for name in ("arm", "robot"):
        shutil.copy(ROOT / "omi_joints_addon" / "examples" / "arm.urdf", folder / f"{name}.urdf")
    (folder / "old.glb").write_bytes(glb(OLD))
    (folder / "moves.csv").write_text("time,lift,bend\n0,0,0\n1,0.4,-0.2\n")
    for line in (
        "convert room.glb rope.gltf",
        "convert room.glb khronos.glb --dialect khr",
        "convert room.glb both.glb --dialect omi,khr",
        "convert arm.urdf arm.xml",
        "convert room.glb room.usda",
    ):
        run = shell(f"python -m omi_joints_addon {line}", folder)
        assert run.returncode == 0, run.stderr
    arm = folder / "arm.xml"
    (folder / "assets" / "hand").mkdir(parents=True)
    shutil.copy(arm, folder / "assets" / "hand" / "reach.xml")
    arm.write_text(arm.read_text().replace("</mujoco>", f"{SERVOS}</mujoco>"))
    for name in ("door.glb", "arm.urdf"):
        shutil.copy(folder / name, folder / "assets" / name)
    return folder


def glb(document: dict[str, object]) -> bytes:
    """Return a document as a binary file without buffers."""
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text), len(text), b"JSON") + text


def shell(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a line as in a terminal, with the Python of the tests."""
    program = shlex.quote(sys.executable)
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line.replace("python", program, 1)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )


def target(line: str) -> str | None:
    """Return the file that a command writes."""
    words = [
        word for word in shlex.split(line.split(">", maxsplit=1)[0]) if not word.startswith("-")
    ]
    return words[words.index("convert") + 2] if "convert" in words else None


@pytest.mark.parametrize("line", commands(), ids=lambda line: line.split("addon ")[1])
def test_command_runs(line: str, files: Path, tmp_path: Path) -> None:
    if " picture " in line:
        # A processor draws 1920 x 1080, the default, 16 times as long.
        line = line.replace(" --size 1920 1080", "") + " --size 480 270"
    folder = shutil.copytree(files, tmp_path / "files")
    written = target(line)
    if written and "--force" not in line:
        (folder / written).unlink(missing_ok=True)
    run = shell(line, folder)
    refused = "--strict" in line and "changed: " in run.stderr and "arm.usda" not in line
    assert run.returncode == (1 if refused else 0), f"{run.stdout}\n{run.stderr}"
    assert refused or written is None or (folder / written).stat().st_size
