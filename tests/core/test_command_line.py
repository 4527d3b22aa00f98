"""The command line where no Blender is needed: output, exit codes, and input that is no good."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import COMMANDS, main, run_in_blender
from omi_joints_addon.cli.terminal import printable, progress, working
from tests.core.documents import door, joint, limit

COLOR = "\x1b["


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with a sound file, one with a warning and one with an error below."""
    (tmp_path / "sound.gltf").write_text(json.dumps(door()))
    (tmp_path / "warning.gltf").write_text(json.dumps(limit(min=None, max=None)))
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "error.gltf").write_text(json.dumps(joint(connectedNode=99)))
    (tmp_path / "below" / "notes.txt").write_text("no glTF")
    return tmp_path


def _json(capsys: pytest.CaptureFixture[str], *arguments: Any) -> tuple[int, list[dict[str, Any]]]:
    code = main(["check", "--format", "json", *map(str, arguments)])
    return code, json.loads(capsys.readouterr().out)["files"]


def test_exit_code_tells_the_worst(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error, missing = files / "below" / "error.gltf", files / "missing.glb"
    assert main(["check", str(files / "sound.gltf")]) == 0
    assert main(["check", str(files / "warning.gltf")]) == 0
    assert main(["check", str(error)]) == 1
    assert main(["check", str(error), str(missing)]) == 2
    assert f"{missing}: No such file or directory" in capsys.readouterr().err


def test_findings_as_text_are_one_line_each(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = files / "below" / "error.gltf"
    main(["check", str(file)])
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith(f"{file}: error OMI-J401 /nodes/3/extensions/OMI_physics_joint")


def test_findings_as_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (report,) = _json(capsys, files / "warning.gltf")
    assert code == 0
    assert report["counts"] == {"error": 0, "warning": 1, "info": 0}
    (found,) = report["findings"]
    assert found["code"] == "OMI-J102"
    assert found["place"] == "/extensions/OMI_physics_joint/physicsJoints/0/limits/2"


def test_folders_are_searched_on_demand(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(files)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    code, reports = _json(capsys, files, "--recursive")
    assert code == 1
    assert [Path(report["path"]).name for report in reports] == [
        "error.gltf",
        "sound.gltf",
        "warning.gltf",
    ]


MJCF = '<mujoco><worldbody><body name="b"/></worldbody></mujoco>'
URDF = '<robot name="r"><link name="a"/></robot>'
SHIFT = '{"model_parameters": {"version": "0.2"}, "assemblies": []}'


@pytest.fixture
def checkout(files: Path) -> Path:
    """Return a folder as repositories are, with much that is none of ours."""
    others = {
        "package.json": '{"name": "x"}',
        "tsconfig.json": "// comment",
        "pom.xml": "<project/>",
        ".hidden/broken.gltf": "{",
        "src/.cache/broken.urdf": "<",
        "third_party/broken.gltf": "{",
        "models/arm.xml": MJCF,
        "models/arm.urdf": URDF,
        "models/crane.json": SHIFT,
    }
    for name, text in others.items():
        path = files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return files


def test_folders_are_searched_for_what_is_recognized(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, reports = _json(capsys, checkout, "--recursive", "--exclude", "third_party")
    assert sorted(Path(report["path"]).name for report in reports) == [
        "arm.urdf",
        "arm.xml",
        "crane.json",
        "error.gltf",
        "sound.gltf",
        "warning.gltf",
    ]
    assert not any(report["unreadable"] for report in reports)


def test_files_of_a_format_that_are_broken_are_reported(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--recursive", "--exclude", "models/*", "--exclude", "w*.gltf")
    code, reports = _json(capsys, checkout, *options)
    assert code == 2
    unreadable = [Path(report["path"]).name for report in reports if report["unreadable"]]
    assert unreadable == ["broken.gltf"]
    assert {Path(report["path"]).name for report in reports} == {
        "broken.gltf",
        "error.gltf",
        "sound.gltf",
    }


def test_a_file_that_is_named_twice_is_checked_once(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = (files / "sound.gltf", files, files / ".." / files.name / "sound.gltf")
    _, reports = _json(capsys, *names, "--recursive")
    assert [Path(report["path"]).name for report in reports].count("sound.gltf") == 1


def test_blender_files_in_folders_are_skipped_without_blender(
    files: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omi_joints_addon.cli.sources.is_blender_here", lambda: False)
    (files / "a.blend").write_bytes(b"BLENDER-v405")
    assert main(["check", "--recursive", "--exclude", "error.gltf", str(files)]) == 0
    assert capsys.readouterr().err.count(".blend files skipped, because they require Blender") == 1


def test_links_in_folders_are_not_followed(
    files: Path, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.gltf"
    outside.write_text("{}")
    (files / "link.gltf").symlink_to(outside)
    _, reports = _json(capsys, files, "--recursive")
    assert "link.gltf" not in [Path(report["path"]).name for report in reports]


def test_least_severity_and_engine(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sound = files / "sound.gltf"
    assert _json(capsys, sound)[1][0]["findings"] == []
    code, (report,) = _json(capsys, sound, "--engine", "godot")
    assert code == 1
    assert "OMI-E102" in [found["code"] for found in report["findings"]]
    _, (report,) = _json(capsys, sound, "--engine", "godot", "--least", "error")
    assert {found["severity"] for found in report["findings"]} == {"error"}


def test_size_limit(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--max-size", "0", str(files / "sound.gltf")]) == 2
    assert "more than the 0 MiB allowed" in capsys.readouterr().err


def test_names_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evil.gltf"
    file.write_text(json.dumps(door("nodes", 3, name="\x1b[2J\ud800")))
    assert main(["check", str(file)]) == 0
    assert main(["show", str(file)]) == 0
    assert COLOR not in capsys.readouterr().out


def test_colors_on_demand_only(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(files / "warning.gltf")])
    assert COLOR not in capsys.readouterr().out
    main(["check", str(files / "warning.gltf"), "--color", "always"])
    assert COLOR in capsys.readouterr().out


def test_show_tells_who_holds_whom(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(files / "sound.gltf")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 bodies, 1 joint"
    assert lines[1:3] == ["Wall [static]", "  └ Hinge Joint: Door [dynamic, 1 kg]"]
    joint_row = next(line for line in lines if line.startswith("Joint "))
    assert joint_row.split()[:3] == ["Joint", "Hinge", "HingeJoint3D"]
    assert any("turns about Z -85.94" in line for line in lines)


def test_show_of_a_long_chain_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = door()
    body = {"OMI_physics_body": {"motion": {"type": "dynamic"}}}
    for _ in range(3000):
        first = len(document["nodes"])
        link = {"joint": 0, "connectedNode": first - 2}
        document["nodes"] += [
            {"children": [first + 1], "extensions": body},
            {"extensions": {"OMI_physics_joint": link}},
        ]
    file = tmp_path / "chain.gltf"
    file.write_text(json.dumps(document))
    assert main(["show", str(file)]) == 0
    assert capsys.readouterr().out.startswith("3002 bodies, 3001 joints")


def test_unreadable_input_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "broken.glb"
    file.write_bytes(b"glTF")
    for command in ("check", "show"):
        assert main([command, str(file)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("number", ["1e400", "x" * 1000, "9" * 5000, ""])
def test_a_size_that_is_no_number_is_told_in_words(
    number: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["check", "--max-size", number, str(files / "sound.gltf")])
    assert stop.value.code == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert message.endswith(f"argument --max-size: {number[:20]!r} is not a whole number")


def test_convert_refuses_before_it_needs_blender(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = str(files / "sound.gltf")
    assert main(["convert", sound, str(files / "missing" / "door.blend")]) == 2
    (files / "door.blend").write_text("mine")
    assert main(["convert", sound, str(files / "door.blend")]) == 2
    assert main(["convert", sound, str(files / "new.blend"), "--option", "nonsense"]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    assert (files / "door.blend").read_text() == "mine"


def _robot(folder: Path) -> Path:
    mass = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial>"
    )
    links = f'<link name="a">{mass}</link><link name="b">{mass}</link>'
    joint = '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit/></joint>'
    (folder / "in.urdf").write_text(f'<robot name="r">{links}{joint}</robot>')
    return folder / "in.urdf"


def _model(folder: Path) -> Path:
    hinges = '<joint name="one" axis="1 0 0"/><joint name="two" axis="0 1 0"/>'
    bodies = f'<geom name="f" type="plane" size="1 1 1"/><body>{hinges}<geom size="1"/></body>'
    (folder / "in.xml").write_text(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    return folder / "in.xml"


def _shift(folder: Path) -> Path:
    model = {
        "model_parameters": {"version": "0.2", "gravity": [0, 0, 9.81]},
        "assemblies": [{"name": "A", "bodies": [{"name": "b", "mass": 1}]}],
    }
    (folder / "in.json").write_text(json.dumps(model))
    return folder / "in.json"


@pytest.mark.parametrize(
    ("written", "option"),
    [
        (_robot, "base=fixed"),
        (_robot, "nested=True"),
        (_robot, "bare_limits=free"),
        (_model, "stacked=combine"),
        (_model, "planes=box"),
        (_shift, "turn=keep"),
    ],
)
def test_convert_reads_with_the_options_of_the_format(
    written: Callable[[Path], Path], option: str, tmp_path: Path
) -> None:
    source, target = str(written(tmp_path)), tmp_path / "out.gltf"
    assert main(["convert", source, str(target)]) == 0
    plain = json.loads(target.read_text())
    assert main(["convert", source, str(target), "--force", "-o", option]) == 0
    assert json.loads(target.read_text()) != plain


def test_convert_finds_the_packages_that_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two", "robot"):
        (tmp_path / name).mkdir()
    box = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    meshes = ""
    for name in ("one", "two"):
        (tmp_path / name / "box.obj").write_text(box)
        mesh = f'<mesh filename="package://{name}/box.obj"/>'
        meshes += f'<visual name="{name}"><geometry>{mesh}</geometry></visual>'
    path = tmp_path / "robot" / "in.urdf"
    path.write_text(f'<robot name="r"><link name="a">{meshes}</link></robot>')
    out = tmp_path / "out" / "out.urdf"
    out.parent.mkdir()
    options = [f"package={name}={tmp_path / name}" for name in ("one", "two")]
    flags = [word for option in (*options, "package=mine") for word in ("-o", option)]
    assert main(["convert", str(path), str(out)]) == 0
    assert "box.obj" in capsys.readouterr().err
    assert main(["convert", str(path), str(out), "--force", *flags]) == 0
    assert "box.obj" not in capsys.readouterr().err


def test_version_is_that_of_the_manifest(repository: Path) -> None:
    manifest = tomllib.loads((repository / "omi_joints_addon/blender_manifest.toml").read_text())
    command = [sys.executable, "-m", "omi_joints_addon", "--version"]
    run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=repository)
    assert run.stdout == f"omi-joints {manifest['version']}\n"


def test_a_script_calls_itself_by_its_own_name(tmp_path: Path, repository: Path) -> None:
    script = tmp_path / "omi-joints"
    script.write_text("from omi_joints_addon.__main__ import main; raise SystemExit(main())")
    command = [sys.executable, str(script), "show", "missing.glb"]
    environment = os.environ | {"PYTHONPATH": str(repository)}
    run = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert (run.returncode, run.stderr.partition(":")[0]) == (2, "omi-joints show")


def test_standard_input_may_have_its_members_in_any_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    accessor = {"componentType": 5126, "count": 1, "type": "SCALAR"}
    document = {"accessors": [accessor] * 200, **door()}
    data = json.dumps(document, indent=1).encode()
    assert data.index(b'"asset"') > 4096
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["check", "-"]) == 0, capsys.readouterr().err


def test_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert "$defs" in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_reads_like_a_manual(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_in_blender([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: blender --command omi_joints {command}")
    _, _, rest = text.partition("\nexamples:\n")
    examples = rest.partition("\n\n")[0].splitlines()
    assert examples
    assert all(f"blender --command omi_joints {command} " in line for line in examples)


def test_unknown_command_is_an_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_in_blender(["fly"]) == 2
    assert "invalid choice" in capsys.readouterr().err


def test_module_runs_without_blender(repository: Path, files: Path) -> None:
    block = "import sys, runpy; sys.modules['bpy'] = None; sys.argv = sys.argv[1:];"
    code = f"{block} runpy.run_module('omi_joints_addon', run_name='__main__', alter_sys=True)"
    sound = str(files / "sound.gltf")
    for arguments, expected in ((["check", sound], 0), (["check", str(files / "x.blend")], 2)):
        run = subprocess.run(
            [sys.executable, "-c", code, "omi", *arguments],
            cwd=repository,
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert run.returncode == expected, run.stderr
        assert "Traceback" not in run.stderr


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_a_command_starts_no_threads(repository: Path, files: Path) -> None:
    code = (
        "import os, sys; from omi_joints_addon.__main__ import main; main();"
        "assert 'numpy' in sys.modules; sys.exit(len(os.listdir('/proc/self/task')))"
    )
    command = [sys.executable, "-c", code, "check", str(files / "sound.gltf")]
    environment = {name: os.environ[name] for name in os.environ if "OPENBLAS" not in name}
    run = subprocess.run(
        command, check=False, cwd=repository, capture_output=True, text=True, env=environment
    )
    assert run.returncode == 1, run.stderr


def test_progress_is_for_terminals_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        with contextlib.redirect_stderr(stream):
            assert list(progress([1, 2], "files", count=2)) == [1, 2]
    assert "1/2 files" in terminal.getvalue()
    assert pipe.getvalue() == ""


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals to test with")
def test_an_interrupted_command_leaves_one_line_on_a_terminal(files: Path) -> None:
    code = (
        # A shell lets what runs in the background ignore the key.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "import sys, time; from omi_joints_addon.cli.main import main;"
        "check = __import__('omi_joints_addon.cli.checked_files', fromlist=['check']);"
        "check.findings_in = lambda *_: time.sleep(60);"
        "sys.exit(main(['check', sys.argv[1], '--format', 'json']))"
    )
    screen, terminal = os.openpty()
    command = [sys.executable, "-c", code, str(files / "sound.gltf")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal) as run:
        os.close(terminal)
        shown = os.read(screen, 1000)
        run.send_signal(signal.SIGINT)
        output, _ = run.communicate(timeout=300)
        shown += os.read(screen, 1000)
    assert shown.startswith(b"\r[")
    assert shown.decode().endswith("\r\x1b[Kpython -m omi_joints_addon check: interrupted\r\n")
    assert shown.count(b"\n") == 1
    assert (run.returncode, output) == (130, b"")


def test_what_is_done_is_told_on_terminals_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        with contextlib.redirect_stderr(stream), working("reading"):
            pass
    assert (terminal.getvalue(), pipe.getvalue()) == ("\rreading …\r\x1b[K", "")


def test_printable_replaces_control_characters() -> None:
    assert printable("a\x1b\né") == "a\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}é"


def _many(count: int, *, name: str) -> dict[str, Any]:
    """Return a document with links of one name that hang in a chain, two on the last but one."""
    document = door()
    body = {"OMI_physics_body": {"motion": {"type": "dynamic"}}}
    for _ in range(count):
        first = len(document["nodes"])
        link = {"joint": 0, "connectedNode": first - 2}
        document["nodes"] += [
            {"name": name, "children": [first + 1], "extensions": body},
            {"name": "Pin", "extensions": {"OMI_physics_joint": link}},
        ]
    return document


def test_show_keeps_a_chain_in_one_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "chain.gltf"
    file.write_text(json.dumps(_many(300, name="Link")))
    assert main(["show", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    tree = lines[1 : lines.index("")]
    assert len(tree) == 302
    assert sum(line.startswith("  ↓ ") for line in tree) >= 298
    assert max(map(len, tree)) < 100


def test_show_tells_equal_names_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "chain.gltf"
    document = _many(2, name="Link")
    file.write_text(json.dumps(document))
    assert main(["show", str(file)]) == 0
    out = capsys.readouterr().out
    first = next(n for n, node in enumerate(document["nodes"]) if node.get("name") == "Link")
    for name in (f"Link#{first}", f"Link#{first + 2}", f"Pin#{first + 1}"):
        assert name in out
    assert "Door [" in out


def test_show_as_json(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(files / "sound.gltf"), "--format", "json"]) == 0
    (scene,) = json.loads(capsys.readouterr().out)["scenes"]
    document = door()
    names = {body["node"]: body["name"] for body in scene["bodies"]}
    assert names == {body: document["nodes"][body]["name"] for body in names}
    (joint_,) = scene["joints"]
    assert (joint_["kind"], joint_["engine"]["name"]) == ("Hinge", "godot")
    assert {names[joint_["body"]], names[joint_["connected_body"]]} == {"Door", "Wall"}
    (settings,) = document["extensions"]["OMI_physics_joint"]["physicsJoints"]
    assert len(joint_["settings"]["limits"]) == len(settings["limits"])
    assert "OMI_physics_joint" in document["nodes"][joint_["node"]]["extensions"]


def test_convert_prints_what_it_wrote(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sound, out = str(files / "sound.gltf"), files / "out.glb"
    assert main(["convert", sound, str(out)]) == 0
    assert capsys.readouterr().out == f"wrote {out}: 2 bodies, 1 joint\n"
    assert main(["convert", sound, str(out), "--force", "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["convert", sound, str(out), "--force", "--report", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["written"] == ["out.glb"]
    assert report["tool"]["name"] == "omi-joints"
    assert main(["convert", sound, "-", "--to", "gltf"]) == 0
    assert json.loads(capsys.readouterr().out)["asset"]


def test_no_command_prints_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert all(f"    {name} " in printed.err for name in ("check", "convert", "simulate"))
