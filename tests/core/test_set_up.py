"""The set-up says in one line what a machine lacks and how to get it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def checkout(repository: Path, tmp_path: Path) -> Path:
    """Return a folder with what the set-up consists of."""
    for name in ("tools", "requirements"):
        shutil.copytree(repository / name, tmp_path / name)
    return tmp_path


def run(checkout: Path, script: str, *arguments: str, **variables: str):
    return subprocess.run(
        [sys.executable, checkout / "tools" / script, *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.slow
def test_without_a_package_index_the_network_is_named(checkout: Path) -> None:
    nowhere = {"PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0", "PIP_FIND_LINKS": ""}
    (checkout / "requirements" / "release.txt").write_text("a-package-that-nobody-has==1\n")
    done = run(
        checkout, "environments.py", "release", PIP_INDEX_URL="http://127.0.0.1:9/", **nowhere
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "release: pip reaches no package index: connect to the network, or name a folder of wheels"
        " in PIP_FIND_LINKS"
    ]


def test_a_checkout_that_cannot_be_written_is_named(checkout: Path) -> None:
    (checkout / ".venv").write_text("a file where the folder would be, which stops root as well\n")
    done = run(checkout, "environments.py", "release")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert ".venv" in done.stderr
    assert "cannot be written" in done.stderr


def test_pythons_of_somebody_else_are_passed_over(repository: Path) -> None:
    """`su` keeps PYENV_ROOT, which may be a folder that the other user cannot list."""
    script = (
        "import environments, pathlib\n"
        "def refused(*_): raise PermissionError('not yours')\n"
        "pathlib.Path.glob = refused\n"
        "print(environments.find_python(('9.9',)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=repository / "tools",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "None\n", "")


def test_no_tool_needs_what_only_posix_has(repository: Path) -> None:
    """The tests start on Windows, too: python tools/run_tests.py."""
    script = (
        "import sys\n"
        "for name in ('fcntl', 'pwd', 'grp', 'resource', 'termios'): sys.modules[name] = None\n"
        "import environments, libraries, run_tests"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=repository / "tools",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_missing_libraries_are_named_with_their_packages(checkout: Path) -> None:
    script = checkout / "tools" / "libraries.py"
    script.write_text(script.read_text().replace('"libXi.so.6"', '"libXi.so.none"'))
    done = run(checkout, "libraries.py", "missing")
    assert done.returncode == 1
    assert done.stdout == (
        "Blender needs libXi.so.none; on Debian and Ubuntu: sudo apt install libxi6\n"
    )
    done = run(checkout, "environments.py")
    assert done.stdout.count("left out: Blender needs libXi.so.none") == 2
    assert "No release of Blender can be used here" in done.stderr
    assert "Traceback" not in done.stderr
