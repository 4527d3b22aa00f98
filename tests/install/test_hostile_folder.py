"""No command runs code of the folder that it works in, neither itself nor by what it starts."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

NAMES = {
    *sys.stdlib_module_names,
    *(name for name in packages_distributions() if name.isidentifier()),
    *("omi_joints", "omi_joints_addon", "addon_utils", "bpy", "glfw", "OpenGL", "hatchling"),
    *("sitecustomize", "usercustomize", "evil_backend"),
}
"""Top-level modules of Python, of whatever is installed, and of ourselves."""
STARTER = (
    "import subprocess, sys\n"
    "subprocess.run([sys.executable, '-c', 'import json, pickle, ctypes'])\n"
    "raise ImportError\n"
)
"""A library that starts a Python, as glfw below MuJoCo does, and is then of no use."""
STAGE = '#usda 1.0\ndef Sphere "A" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {}\n'
REPLICATED = (
    '<mujoco><worldbody><replicate count="2" offset="0 0 0.3"><body><joint/>'
    '<geom size="0.1"/></body></replicate></worldbody></mujoco>'
)
COMMANDS = {
    "check": "check arm.urdf",
    "check in processes": "check --jobs 2 arm.urdf copy.urdf s.usda",
    "check in each format": "check --recursive --format github .",
    "check USD": "check s.usda",
    "check a Blender file": "check scripted.blend",
    "check in Node": "check --with-validator arm.glb",
    "expand by MuJoCo": "check replicated.mjcf",
    "convert": "convert arm.urdf out.glb --verify --force",
    "convert to USD": "convert arm.urdf out.usda --verify --force",
    "convert in Blender": "convert arm.glb out.blend --force",
    "simulate": "simulate arm.urdf --seconds 0.02 --csv o.csv --picture o.png --force",
    "picture": "picture arm.urdf out.png --size 480 270 --force",
    "show": "show arm.urdf",
    "explain": "explain J102",
    "schema": "schema report",
    "completion": "completion bash",
}
DOORS = ("omi-joints", "python -P -m omi_joints")


@pytest.fixture(scope="module")
def marks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which code of the hostile folder leaves its mark."""
    return tmp_path_factory.mktemp("marks")


@pytest.fixture(scope="module")
def programs(built: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment with the wheel as pip installs it, and a library that starts."""
    folder = tmp_path_factory.mktemp("installed")
    (wheel,) = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--ignore-installed", "--prefix", folder, wheel], check=True)
    (script,) = (path.parent for path in folder.rglob("omi-joints*") if path.is_file())
    (packages,) = (path.parent for path in folder.rglob("omi_joints"))
    libraries = tmp_path_factory.mktemp("libraries")
    (libraries / "pinocchio.py").write_text(STARTER)
    path = (str(script), str(Path(sys.executable).parent), os.environ["PATH"])
    kept = {name: os.environ[name] for name in os.environ if name != "NODE_PATH"}
    return kept | {
        "PATH": os.pathsep.join(path),
        "PYTHONPATH": os.pathsep.join((str(packages), str(libraries))),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.fixture(scope="module")
def hostile(
    repository: Path,
    marks: Path,
    programs: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """Return a folder of sound files with a hostile module for each name."""
    folder = tmp_path_factory.mktemp("hostile")
    for name in ("arm.urdf", "copy.urdf"):
        shutil.copy(repository / "omi_joints_addon" / "examples" / "arm.urdf", folder / name)
    _run(programs, "omi-joints", "convert", "arm.urdf", folder / "arm.glb", cwd=folder)
    _run(programs, sys.executable, "-c", _scripted(folder, marks), cwd=folder)
    assert (folder / "arm.glb").is_file()
    assert (folder / "scripted.blend").is_file()
    (folder / "s.usda").write_text(STAGE)
    (folder / "replicated.mjcf").write_text(REPLICATED)
    (folder / "matplotlibrc").write_text("backend: module://evil_backend\ntext.usetex: True\n")
    for name in NAMES:
        (folder / f"{name}.py").write_text(f"open({str(marks / name)!r}, 'w').close()\n")
    validator = folder / "node_modules" / "gltf-validator"
    validator.mkdir(parents=True)
    mark = f"require('fs').writeFileSync({json.dumps(str(marks / 'node'))}, '')\n"
    (validator / "index.js").write_text(mark)
    return folder


def _scripted(folder: Path, marks: Path) -> str:
    """Return a script that saves a Blender file with a script and a driver that leave marks."""
    mark = f"open({str(marks / 'blend')!r}, 'w').close()"
    return (
        "import os\n"
        "import bpy\n"
        "bpy.ops.wm.read_homefile(use_empty=True)\n"
        "text = bpy.data.texts.new('evil.py')\n"
        f"text.write({mark!r})\n"
        "text.use_module = True\n"
        "thing = bpy.data.objects.new('thing', None)\n"
        "bpy.context.collection.objects.link(thing)\n"
        f"thing.driver_add('location', 0).driver.expression = {f'len(str({mark[:-8]}))'!r}\n"
        f"bpy.ops.wm.save_as_mainfile(filepath={str(folder / 'scripted.blend')!r})\n"
        # Blender 4.5 as a module can hang where it ends after a driver was refused.
        "os._exit(0)\n"
    )


def _run(
    programs: dict[str, str], *words: str | Path, cwd: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, check=False, cwd=cwd, env=programs, capture_output=True, text=True, timeout=120
    )


@pytest.fixture(autouse=True)
def _no_mark(marks: Path) -> Iterator[None]:
    for path in marks.iterdir():
        path.unlink()
    yield
    assert sorted(path.name for path in marks.iterdir()) == []


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_command_runs_code_of_the_folder(
    command: str, door: str, hostile: Path, programs: dict[str, str]
) -> None:
    run = _run(programs, *door.split(), *command.split(), cwd=hostile)
    assert "Traceback" not in run.stderr
    if "--with-validator" in command:
        assert run.returncode == 2, run.stdout
        assert "requires" in run.stderr
    else:
        assert run.returncode == 0, run.stdout + run.stderr


def test_the_library_runs_none_either(
    hostile: Path, programs: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "mujoco.py").write_text(STARTER)
    script = tmp_path / "use.py"
    script.write_text(
        "import omi_joints\n"
        "assert omi_joints.read('s.usda').motions\n"
        "print(len(omi_joints.simulate(omi_joints.read('arm.urdf'), seconds=0.02).times))\n"
    )
    run = _run(programs, sys.executable, script, cwd=hostile)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs in bash")
@pytest.mark.parametrize("files", [".", "*.urdf"])
def test_the_action_runs_none(
    files: str, repository: Path, hostile: Path, programs: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "checkout"
    shutil.copytree(hostile, folder)
    (folder / "omi-joints.toml").write_text("fail-on = 'never'\n")
    shutil.copy(folder / "arm.urdf", folder / "--fix.urdf")
    install, check = _scripts(repository / "action.yml")
    inputs = {"GITHUB_ACTION_PATH": str(repository), "EXTRAS": "", "ARGUMENTS": "--quiet"}
    # Nothing may be installed here: that pip starts is what matters.
    offline = {"PIP_NO_INDEX": "1", "PIP_DRY_RUN": "1", "PYTHONSAFEPATH": "1"}
    environment = programs | inputs | offline | {"FILES": files}
    _run(environment, "bash", "-c", install, cwd=folder)
    run = _run(environment, "bash", "-c", check, cwd=folder)
    assert (run.returncode, run.stderr) == (0, "")


def _scripts(action: Path) -> list[str]:
    """Return the commands of the action; its environment is checked to be what the test sets."""
    text = action.read_text("utf-8")
    scripts = re.findall(r"^ +run: (.+)$", text, re.MULTILINE)
    assert text.count('PYTHONSAFEPATH: "1"') == len(scripts) == 2
    return scripts


def test_marks_are_left_where_code_of_the_folder_runs(
    hostile: Path, programs: dict[str, str], marks: Path
) -> None:
    """Else all of the above proves nothing."""
    _run(programs, "python", "-m", "omi_joints", "check", "arm.urdf", cwd=hostile)
    assert list(marks.iterdir())
    for path in marks.iterdir():
        path.unlink()
