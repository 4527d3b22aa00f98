"""Plays the scenarios of tests/gui/contacts in a window with the zip for this platform."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Desktop, Scenario, scenarios_in

PLATFORMS = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}


@pytest.fixture(scope="module")
def desktop_with_contacts(
    desktop: Desktop, repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> Desktop:
    """Return a desktop Blender with the zip that brings MuJoCo."""
    folder = tmp_path_factory.mktemp("contacts")
    build = [sys.executable, repository / "tools" / "build_zip.py", folder]
    build.append(PLATFORMS[platform.machine()])
    run = subprocess.run(build, check=False, capture_output=True, text=True, timeout=300)
    if "No wheel of MuJoCo" in run.stderr:
        pytest.skip(run.stderr.strip())
    assert run.returncode == 0, run.stdout + run.stderr
    (archive,) = folder.glob("*.zip")
    return Desktop(tmp_path_factory.mktemp("desktop"), archive)


@pytest.mark.parametrize("scenario", scenarios_in("contacts"), ids=str)
def test_contacts(scenario: Scenario, desktop_with_contacts: Desktop) -> None:
    desktop_with_contacts.play([scenario])
    fault = desktop_with_contacts.ended[scenario]
    if fault:
        pytest.fail(fault, pytrace=False)
