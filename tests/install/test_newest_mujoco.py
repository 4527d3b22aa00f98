"""Contacts with the newest MuJoCo that users may have; all other tests have that of the zips."""

import os
import re
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.once]

TESTS = "tests/core/test_solver_contacts.py"
CHOSEN = (
    "passes_its_test or block or bounces or bullet or door or meshes or touches_nothing or alike"
)


def _pinned(path: Path) -> str:
    """Return the version of MuJoCo in a file of requirements."""
    found = re.search(r"^mujoco-core==([\d.]+)", path.read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def test_contacts_are_the_same(repository: Path) -> None:
    requirements = repository / "requirements"
    oldest, newest = (_pinned(requirements / name) for name in ("contacts.txt", "release.txt"))
    assert _pinned(requirements / "test.txt") == oldest != newest
    python = repository / ".venv" / "release" / "bin" / "python"
    asked = [python, "-P", "-c", "import mujoco; print(mujoco.__version__)"]
    if not python.is_file() or subprocess.run(asked, check=False, capture_output=True).returncode:
        pytest.skip("no newest MuJoCo: python3 tools/environments.py release")
    here = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    found = subprocess.run(asked, check=True, capture_output=True, text=True, env=here)
    assert found.stdout.strip() == newest
    tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not fuzz", TESTS]
    run = subprocess.run(
        [*tests, "-k", CHOSEN],
        check=False,
        cwd=repository,
        env=here,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-3000:]
    assert "skipped" not in run.stdout.splitlines()[-1]
