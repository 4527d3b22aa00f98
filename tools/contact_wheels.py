"""The wheels of MuJoCo that a zip of the extension for one platform brings along.

Standard library only, and no syntax newer than Python 3.9: any Python may start it.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINNED = ROOT / "requirements" / "contacts.txt"
PLATFORMS = {
    "linux-x64": ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64"),
    "linux-arm64": ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64"),
    "windows-x64": ("win_amd64",),
    "macos-arm64": ("macosx_11_0_arm64",),
}
"""Platforms by Blender's names, each with the tags of its wheels."""

PYTHONS = ("3.11", "3.13", "3.14")
"""Blender rejects an extension with wheels but none for its Python, so a later one is here, too."""


def add_wheels(source: Path, platform: str) -> None:
    """Make a copy of the package the one for a platform: wheels, their licenses, the manifest."""
    folder = source / "wheels"
    folder.mkdir()
    wheels = [Path(shutil.copy(wheel, folder)) for wheel in wheels_for(platform)]
    _add_licenses(wheels, source / "licenses")
    manifest = source / "blender_manifest.toml"
    names = [wheel.name for wheel in wheels]
    manifest.write_text(platform_manifest(manifest.read_text("utf-8"), platform, names), "utf-8")


def platform_manifest(text: str, platform: str, wheels: list[str]) -> str:
    """Return the manifest of the zip for one platform, by that of the checkout."""
    listed = "".join(f'    "./wheels/{name}",\n' for name in wheels)
    added = f'platforms = ["{platform}"]\nwheels = [\n{listed}]\n'
    text = re.sub(r"^(license = \[.*)\]$", r'\1, "SPDX:Apache-2.0"]', text, flags=re.MULTILINE)
    head, table, rest = text.partition("\n[permissions]")
    return head + added + table + rest


def wheels_for(platform: str) -> list[Path]:
    """Return a wheel for each Python, downloaded into `build` once; exits where pip cannot."""
    folder = ROOT / "build" / "wheels" / platform
    if len(_pinned_in(folder)) < len(PYTHONS):
        folder.mkdir(parents=True, exist_ok=True)
        # The tests of two releases may come here at once.
        with tempfile.TemporaryDirectory(dir=folder) as own:
            for python in PYTHONS:
                _download(Path(own), platform, python)
            for wheel in Path(own).iterdir():
                wheel.replace(folder / wheel.name)
    return _pinned_in(folder)


def _pinned_in(folder: Path) -> list[Path]:
    """Return the wheels in a folder that have a pinned digest."""
    pinned = re.findall(r"sha256:(\w+)", PINNED.read_text("utf-8"))
    wheels = sorted(folder.glob("*.whl"))
    return [each for each in wheels if hashlib.sha256(each.read_bytes()).hexdigest() in pinned]


def _download(folder: Path, platform: str, python: str) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
    command += ["--requirement", str(PINNED), "--dest", str(folder), "--python-version", python]
    for tag in PLATFORMS[platform]:
        command += ["--platform", tag]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"No wheel of MuJoCo for {platform} and Python {python}:\n{run.stderr.strip()}")


def _add_licenses(wheels: list[Path], folder: Path) -> None:
    """Copy the licenses inside wheels into a folder each distribution."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                found = re.fullmatch(r"([^/]+)\.dist-info/licenses/([^/]+)", name)
                if found:
                    (folder / found[1]).mkdir(parents=True, exist_ok=True)
                    (folder / found[1] / found[2]).write_bytes(archive.read(name))
