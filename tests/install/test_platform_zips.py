"""The zips of single platforms bring MuJoCo along, for every Python that a Blender has."""

import hashlib
import os
import platform
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.install.test_install import expected_names

SCRIPT = Path(__file__).with_name("install_and_import.py")
HERE = {
    ("Linux", "x86_64"): "linux-x64",
    ("Linux", "aarch64"): "linux-arm64",
    ("Windows", "AMD64"): "windows-x64",
    ("Darwin", "arm64"): "macos-arm64",
}
TAGS = {
    "linux-x64": "x86_64.whl",
    "linux-arm64": "aarch64.whl",
    "windows-x64": "win_amd64.whl",
    "macos-arm64": "macosx_11_0_arm64.whl",
}
PYTHONS = ["cp311", "cp313", "cp314"]


def _built(repository: Path, folder: Path, *platforms: str) -> dict[str, Path]:
    """Return the zips of platforms, built and validated by Blender's own tool."""
    command = [sys.executable, repository / "tools" / "build_zip.py", folder, *platforms]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
    if "No wheel of MuJoCo" in run.stderr:
        pytest.skip(run.stderr.strip())
    assert run.returncode == 0, run.stdout + run.stderr
    return {name: next(folder.glob(f"*-{name.replace('-', '_')}.zip")) for name in platforms}


@pytest.fixture(scope="module")
def zips(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return _built(repository, tmp_path_factory.mktemp("platforms"), *TAGS)


def _manifest(archive: Path) -> dict[str, object]:
    with zipfile.ZipFile(archive) as files:
        return tomllib.loads(files.read("blender_manifest.toml").decode())


@pytest.mark.parametrize("name", TAGS)
def test_each_zip_has_a_pinned_wheel_for_each_python(
    zips: dict[str, Path], repository: Path, name: str
) -> None:
    pinned = (repository / "requirements" / "contacts.txt").read_text()
    with zipfile.ZipFile(zips[name]) as archive:
        wheels = [each for each in archive.namelist() if each.endswith(".whl")]
        digests = [hashlib.sha256(archive.read(each)).hexdigest() for each in wheels]
        others = set(archive.namelist()) - set(wheels)
        licenses = {each for each in others if each.startswith("licenses/")}
        assert b"Apache License" in archive.read("licenses/mujoco_core-4.0.0/LICENSE")
    assert [each.split("-")[2] for each in wheels] == PYTHONS
    assert all(each.endswith(TAGS[name]) for each in wheels)
    assert all(f"sha256:{each}" in pinned for each in digests)
    assert others - licenses == expected_names(repository)
    assert {each.split("/")[-1] for each in licenses} == {"LICENSE", "LICENSES_THIRD_PARTY.md"}


@pytest.mark.parametrize("name", TAGS)
def test_manifests_differ_in_platform_wheels_and_license_only(
    zips: dict[str, Path], extension_zip: Path, name: str
) -> None:
    manifest, pure = _manifest(zips[name]), _manifest(extension_zip)
    with zipfile.ZipFile(zips[name]) as archive:
        wheels = [f"./{each}" for each in archive.namelist() if each.endswith(".whl")]
    expected = {"platforms": [name], "wheels": wheels}
    expected["license"] = ["SPDX:GPL-3.0-or-later", "SPDX:Apache-2.0"]
    assert manifest == pure | expected
    assert not {"platforms", "wheels"} & set(pure)


def test_the_same_files_give_the_same_bytes(
    repository: Path, zips: dict[str, Path], tmp_path: Path
) -> None:
    again = _built(repository, tmp_path, "windows-x64")["windows-x64"]
    assert again.read_bytes() == zips["windows-x64"].read_bytes()


def test_the_installed_zip_finds_its_own_wheel(zips: dict[str, Path], tmp_path: Path) -> None:
    here = HERE.get((platform.system(), platform.machine()))
    if here is None:
        pytest.skip(f"no zip for {platform.system()} {platform.machine()}")
    run = subprocess.run(
        [sys.executable, SCRIPT, zips[here], tmp_path / "found.txt"],
        cwd=tmp_path,
        env=os.environ | {"BLENDER_USER_RESOURCES": str(tmp_path / "user")},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    version, file = (tmp_path / "found.txt").read_text().split("\n")
    assert version == "4.0.0"
    assert Path(file).is_relative_to(tmp_path / "user")
