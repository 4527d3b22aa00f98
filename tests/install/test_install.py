"""The built zip is what it should be, and works in a Blender that has never seen the checkout."""

import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

SCRIPT = Path(__file__).with_name("install_and_export.py")


def expected_names(repository: Path) -> set[str]:
    """Return the names of manifest, license, examples and all Python files."""
    package = repository / "omi_joints_addon"
    examples = {f"examples/{name}" for name in ("arm.urdf", "buggy.glb", "character.glb")}
    return {"blender_manifest.toml", "LICENSE", "cli/rule_examples.json", *examples} | {
        path.relative_to(package).as_posix() for path in package.rglob("*.py")
    }


def test_zip_holds_the_allowed_files_only(extension_zip: Path, repository: Path) -> None:
    with zipfile.ZipFile(extension_zip) as archive:
        assert set(archive.namelist()) == expected_names(repository)


def test_the_same_files_give_the_same_zip(
    extension_zip: Path, repository: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(repository / "tools", copy / "tools")
    shutil.copytree(repository / "omi_joints_addon", copy / "omi_joints_addon", copy_function=_late)
    build = [sys.executable, copy / "tools" / "build_zip.py", tmp_path]
    run = subprocess.run(build, check=False, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert (tmp_path / extension_zip.name).read_bytes() == extension_zip.read_bytes()


def _late(source: str, target: str) -> None:
    """Copy a file as another checkout has it: with a date and mode of its own."""
    shutil.copyfile(source, target)
    os.utime(target, (time.time() + 86400.0, time.time() + 86400.0))
    Path(target).chmod(0o600)


def test_hooks_of_the_installed_zip_fire(extension_zip: Path, tmp_path: Path) -> None:
    target = tmp_path / "pin.gltf"
    run = subprocess.run(
        [sys.executable, SCRIPT, extension_zip, target],
        cwd=tmp_path,
        env=os.environ | {"BLENDER_USER_RESOURCES": str(tmp_path / "user")},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    document = json.loads(target.read_text())
    pin = {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
    assert document["extensions"]["OMI_physics_joint"] == {"physicsJoints": [pin]}
    joints = {
        node["name"]: document["nodes"][node["extensions"]["OMI_physics_joint"]["connectedNode"]]
        for node in document["nodes"]
        if "OMI_physics_joint" in node.get("extensions", {})
    }
    assert {name: connected["name"] for name, connected in joints.items()} == {"Joint": "Connected"}


def test_the_license_in_the_package_is_that_of_the_project(repository: Path) -> None:
    inside = repository / "omi_joints_addon" / "LICENSE"
    assert inside.read_bytes() == (repository / "LICENSE").read_bytes()
