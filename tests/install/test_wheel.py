"""The wheel in an environment that has numpy and nothing else: no Blender, no checkout."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import numpy
import pytest

README = Path("omi_joints", "README.md")


@pytest.fixture(scope="module")
def python(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new environment with the wheel and numpy."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    (wheel,) = built.glob("*.whl")
    install = ["install", "--quiet", "--no-index", "--no-deps", wheel]
    subprocess.run([sys.executable, "-m", "pip", "--python", python, *install], check=True)
    where = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(
        subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip()
    )
    source = Path(numpy.__file__).parent
    for path in (source, source.with_name("numpy.libs")):
        if path.is_dir():
            (packages / path.name).symlink_to(path)
    return python


def _run(python: Path, folder: Path, *words: str) -> str:
    """Run something in a folder; the environment of the tests is of no use to it."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    command = [python, "-I", *words]
    run = subprocess.run(
        command, check=False, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture
def folder(repository: Path, python: Path, tmp_path: Path) -> Path:
    """Return a folder with a robot, as URDF and as glTF."""
    arm = (repository / "omi_joints_addon" / "examples" / "arm.urdf").read_bytes()
    (tmp_path / "arm.urdf").write_bytes(arm)
    _run(python, tmp_path, "-m", "omi_joints", "convert", "arm.urdf", "arm.glb", "--quiet")
    return tmp_path


def test_nothing_else_is_there(python: Path, tmp_path: Path) -> None:
    code = (
        "import importlib.util as i; print([n for n in ('bpy', 'pxr', 'pytest') if i.find_spec(n)])"
    )
    assert _run(python, tmp_path, "-c", code) == "[]\n"


def test_the_console_script_runs(python: Path, folder: Path) -> None:
    script = python.with_name("omi-joints")
    run = subprocess.run([script, "--version"], check=True, capture_output=True, text=True)
    assert re.fullmatch(r"omi-joints \d+\.\d+\.\d+\n", run.stdout)
    check = [script, "check", "arm.urdf", "arm.glb", "--format", "json", "--jobs", "2"]
    run = subprocess.run(check, check=True, capture_output=True, text=True, cwd=folder)
    report = json.loads(run.stdout)
    assert [file["format"] for file in report["files"]] == ["urdf", "gltf"]
    assert run.stderr == ""


def test_rules_are_known_without_any_extra(python: Path, folder: Path) -> None:
    """Those about what only extras and Blender find, too."""
    listed = _run(python, folder, "-m", "omi_joints", "check", "--list-rules")
    assert {"OMI-J102", "OMI-P034", "OMI-U002", "OMI-B044"} <= set(re.findall(r"OMI-\w+", listed))
    sarif = ("check", "arm.glb", "--format", "sarif", "--select", "P03")
    assert json.loads(_run(python, folder, "-m", "omi_joints", *sarif))["version"] == "2.1.0"


def test_every_public_name_is_there_and_documented(python: Path, tmp_path: Path) -> None:
    code = "import omi_joints as o; print([n for n in o.__all__ if not getattr(o, n).__doc__])"
    assert _run(python, tmp_path, "-c", code) == "[]\n"


def _examples(repository: Path) -> list[str]:
    text = (repository / README).read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_examples_for_the_index_are_short_and_run(
    repository: Path, python: Path, folder: Path
) -> None:
    report, check, plot = _examples(repository)
    for code in (report, check):
        assert len(code.splitlines()) <= 10
        assert _run(python, folder, "-c", code.replace('"arm.glb")', '"again.glb")'))
    assert sum(bool(line.strip()) for line in plot.splitlines()) <= 12


def test_the_example_with_curves_runs(
    repository: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the environment of the tests, which has matplotlib."""
    if importlib.util.find_spec("matplotlib") is None:
        pytest.skip("matplotlib is not installed")
    code = f"import sys; sys.path.insert(0, {str(repository)!r})\n{_examples(repository)[2]}"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=folder, capture_output=True)
    assert (folder / "arm.png").read_bytes().startswith(b"\x89PNG")


def test_types_are_known_to_others(repository: Path, python: Path, tmp_path: Path) -> None:
    mypy = repository / ".venv" / "lint" / "bin" / "mypy"
    if not mypy.is_file():
        pytest.skip("no mypy: python3 tools/environments.py lint")
    user = tmp_path / "user.py"
    user.write_text("import omi_joints\nreveal_type(omi_joints.read('a').joints[0].settings)\n")
    command = [mypy, "--python-executable", python, "--cache-dir", tmp_path / "cache", user]
    run = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True)
    assert 'Revealed type is "omi_joints_addon.core.model.joint.JointSettings"' in run.stdout
