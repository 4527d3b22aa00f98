"""What commands write: nothing of the user's is lost, whatever goes wrong."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.io import files
from omi_joints_addon.io.staging import OutputError, staged
from tests.core.documents import door


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "door.gltf"
    path.write_text(json.dumps(door()))
    return path


def run(*arguments: Any) -> int:
    return main([str(argument) for argument in arguments])


def writers(source: Path, target: Path) -> list[list[Any]]:
    """Return commands that write a file."""
    return [["convert", source, target], ["simulate", source, "--seconds", "0.1", "--csv", target]]


@pytest.mark.parametrize("number", [0, 1])
def test_input_is_never_written_over(source, number, capsys):
    before = source.read_bytes()
    assert run(*writers(source, source)[number], "--force") == 2
    link = source.with_name("link.gltf")
    link.symlink_to(source)
    assert run(*writers(source, link)[number], "--force") == 2
    assert capsys.readouterr().err.count("is an input") == 2
    assert source.read_bytes() == before


@pytest.mark.parametrize("number", [0, 1])
def test_folder_that_is_missing_is_said_and_not_made(source, number, capsys):
    for folder in (source.with_name("missing"), source):
        assert run(*writers(source, folder / "x.gltf")[number], "--force") == 2
        assert capsys.readouterr().err.endswith(f": {folder} is not a folder\n")
    assert not source.with_name("missing").exists()


@pytest.mark.parametrize("number", [0, 1])
def test_existing_file_needs_force(source, number, capsys):
    target = source.with_name("other.gltf")
    target.write_text("mine")
    target.chmod(0o640)
    assert run(*writers(source, target)[number]) == 2
    assert f"{target} already exists; use --force to overwrite it" in capsys.readouterr().err
    assert target.read_text() == "mine"
    assert run(*writers(source, target)[number], "--force") == 0
    assert target.read_text() != "mine"
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("number", [0, 1])
def test_dangling_link_is_not_written_through(source, number, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "x.gltf"
    link = source.with_name("link.gltf")
    link.symlink_to(elsewhere)
    assert run(*writers(source, link)[number]) == 2
    assert run(*writers(source, link)[number], "--force") == 0
    assert not elsewhere.exists()
    assert not link.is_symlink()


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("step", ["open", "replace"])
def test_failed_write_leaves_the_old_file(source, number, step, monkeypatch, capsys):
    target = source.with_name("other.gltf")
    target.write_text("mine")
    whole = getattr(Path, step)

    def fail(self: Path, *args: Any, **kwargs: Any) -> Any:
        if ".omi_" not in str(self):
            return whole(self, *args, **kwargs)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, step, fail)
    assert run(*writers(source, target)[number], "--force") == 2
    monkeypatch.undo()
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "No space left on device" in error
    assert target.read_text() == "mine"
    assert sorted(path.name for path in source.parent.iterdir()) == ["door.gltf", "other.gltf"]


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("is_linked", [False, True])
def test_pipes_and_devices_are_not_replaced(source, number, is_linked, capsys):
    pipe = source.with_name("pipe.gltf")
    os.mkfifo(pipe)
    target = pipe
    if is_linked:
        target = source.with_name("link.gltf")
        target.symlink_to(pipe)
    assert run(*writers(source, target)[number], "--force") == 2
    assert capsys.readouterr().err.count(f"{target} is not a regular file\n") == 1
    assert pipe.is_fifo()
    assert target.is_symlink() == is_linked


@pytest.mark.parametrize("names", [("x.png", "x.png"), ("x.png", "./x.png"), ("-", "-")])
def test_table_and_plot_are_two_files(source, names, capsys, monkeypatch):
    monkeypatch.chdir(source.parent)
    options = ("--csv", names[0], "--picture", names[1], "--force")
    assert run("simulate", source, "--seconds", "0.1", *options) == 2
    assert "are both" in capsys.readouterr().err
    assert not source.with_name("x.png").exists()


def test_files_beside_the_target_are_not_written_over_either(source):
    document = door() | {"buffers": [{"uri": "other.bin", "byteLength": 4}]}
    source.write_text(json.dumps(document))
    source.with_name("other.bin").write_bytes(b"1234")
    below = source.parent / "below"
    below.mkdir()
    (below / "other.bin").write_bytes(b"mine")
    assert run("convert", source, below / "door.gltf") == 2
    assert (below / "other.bin").read_bytes() == b"mine"
    assert not (below / "door.gltf").exists()


@pytest.mark.parametrize("made", ["meshes", "meshes/inner"])
def test_nothing_is_written_through_a_link_to_another_folder(tmp_path, made, capsys):
    """A stranger's folder has links where meshes will be written."""
    own, mine = tmp_path / "own", tmp_path / "mine"
    (own / made).parent.mkdir(parents=True)
    mine.mkdir()
    (own / made).symlink_to(mine)
    with pytest.raises(OutputError, match="is a link to another folder"):
        write_with_mesh(own / "arm.xml", made)
    assert list(mine.iterdir()) == []
    assert not (own / "arm.xml").exists()


def write_with_mesh(target: Path, made: str) -> None:
    with staged(target) as folder:
        (folder / made).mkdir(parents=True)
        (folder / made / "arm.obj").write_text("")
        (folder / target.name).write_text("")


def test_picture_refuses_other_suffixes(source, capsys):
    assert run("picture", source, source.with_name("x.jpg")) == 2
    assert "does not end in .png" in capsys.readouterr().err
    assert run("simulate", source, "--picture", source.with_name("x.jpg")) == 2


@pytest.mark.parametrize("uri", ["../secret", "%2e%2e/secret", "{}", "file://{}", "link"])
def test_a_picture_opens_no_image_outside_the_folder(tmp_path, uri, capsys):
    """Blender's importer would follow wherever a URI leads."""
    secret, folder = tmp_path / "secret", tmp_path / "folder"
    secret.write_bytes(b"1234")
    folder.mkdir()
    (folder / "link").symlink_to(secret)
    source = folder / "door.gltf"
    source.write_text(json.dumps(door() | {"images": [{"uri": uri.format(secret)}]}))
    assert run("picture", source, folder / "x.png") == 2
    assert "outside its folder" in capsys.readouterr().err
    assert not (folder / "x.png").exists()


def test_standard_output_and_input(source, capsysbinary, monkeypatch):
    assert run("convert", source, "-", "--to", "gltf") == 0
    data = capsysbinary.readouterr().out
    assert json.loads(data)["nodes"] == door()["nodes"]
    for arguments in (["check", "-"], ["show", "-"], ["simulate", "-", "--seconds", "0.1"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert run(*arguments) == 0
    assert run("convert", source, "-") == 2


def test_standard_output_takes_one_file_only(source, capsysbinary):
    buffers = [{"uri": "other.bin", "byteLength": 4}]
    source.write_text(json.dumps(door() | {"buffers": buffers}))
    source.with_name("other.bin").write_bytes(b"1234")
    assert run("convert", source, "-", "--to", "gltf") == 2
    output = capsysbinary.readouterr()
    assert output.out == b""
    assert output.err.endswith(b"needs other files next to it; name OUT\n")
    assert run("convert", source, "-", "--to", "glb") == 0


def _program(*arguments: Any, **options: Any) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "omi_joints_addon", *map(str, arguments)]
    return subprocess.run(
        command, check=False, stderr=subprocess.PIPE, text=True, timeout=300, **options
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_full_output_is_one_line(source, repository):
    with Path("/dev/full").open("w") as full:
        done = _program("show", source, cwd=repository, stdout=full)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr


def test_closed_output_is_one_line(source, repository):
    done = _program("show", source, cwd=repository, preexec_fn=lambda: os.close(1))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "ascii"])
def test_output_without_the_characters(source, repository, encoding):
    source.write_text(json.dumps(door("nodes", 2, name="門")))
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "omi_joints_addon", "show", source]
    done = subprocess.run(
        command, cwd=repository, env=environment, check=False, capture_output=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u9580" in done.stdout


def test_pipe_does_not_hang(tmp_path, capsys):
    pipe = tmp_path / "x.gltf"
    os.mkfifo(pipe)
    assert run("check", pipe) == 2
    assert f"{pipe}: is not a regular file" in capsys.readouterr().err
    assert run("check", "-r", tmp_path) == 2


@pytest.mark.parametrize("kind", ["subLayers = [@./pipe.usda@]", "references"])
def test_pipe_that_a_stage_refers_to_does_not_hang(tmp_path, capsys, kind):
    pytest.importorskip("pxr")
    os.mkfifo(tmp_path / "pipe.usda")
    middle, stage = tmp_path / "middle.usda", tmp_path / "stage.usda"
    if kind == "references":
        middle.write_text('#usda 1.0\ndef Xform "A" (payload = @./pipe.usda@) {}\n')
    else:
        middle.write_text(f"#usda 1.0\n({kind})\n")
    stage.write_text('#usda 1.0\ndef Xform "A" (references = @./middle.usda@</A>) {}\n')
    assert run("check", stage) == 2
    assert capsys.readouterr().err.endswith("pipe.usda, which is not a regular file\n")


def test_module_of_ours_that_is_missing_is_a_bug(source, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "omi_joints_addon.io.formats.gltf.reading", None)
    assert run("check", source) == 3
    assert "this is a bug" in capsys.readouterr().err


def test_fault_of_ours_is_no_fault_of_the_file(source, monkeypatch, capsys):
    monkeypatch.setattr(files, "opened", None)
    monkeypatch.setattr("omi_joints_addon.io.registry.opened", None)
    assert run("check", source) == 3
    assert "this is a bug" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["99999999999999999999", "-1", "1e3", "x"])
def test_size_is_a_sane_number(source, number, capsys):
    with pytest.raises(SystemExit) as stop:
        run("check", source, "--max-size", number)
    assert stop.value.code == 2


def test_help_needs_no_numpy(repository):
    block = "import sys; sys.modules['numpy'] = None;"
    code = f"{block} from omi_joints_addon.cli.main import main; main({{}})"
    for arguments in (["--help"], ["check", "--help"], ["convert", "--help"]):
        done = subprocess.run(
            [sys.executable, "-c", code.format(arguments)],
            cwd=repository, check=False, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert "usage" in done.stdout


def test_missing_numpy_is_one_line(source, repository):
    block = "import sys; sys.modules['numpy'] = None; from omi_joints_addon.cli.main import main;"
    code = f"{block} sys.exit(main(['check', {str(source)!r}]))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=repository, check=False, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 2
    assert "this Python lacks numpy" in done.stderr


def test_interruption_is_one_line(source, monkeypatch, capsys):
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("omi_joints_addon.cli.checked_files.findings_in", interrupt)
    assert run("check", source) == 130
    assert capsys.readouterr().err == "python -m omi_joints_addon check: interrupted\n"
