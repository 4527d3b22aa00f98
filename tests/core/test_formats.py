"""A format is one row of the registry: every command reads and writes it without knowing which."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.findings.loss import How, Loss
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.joint import JointLimit, JointSettings
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Read, Source, Target, UnreadableError, Written
from tests.core.documents import door


class Pendulum:
    """Names of bodies, one a line; each hangs from the one before by a pin."""

    name, label, suffixes = "pendulum", "Pendulum", (".pendulum",)
    reading_options = writing_options = ()

    def recognizes(self, head: bytes) -> bool:
        return head.startswith(b"pendulum\n")

    def read(self, source: Source) -> tuple[Read, ...]:
        names = tuple(source.path.read_text().split()[1:])
        if not names:
            raise UnreadableError("has no bodies")
        pin = JointSettings(limits=(JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),))
        count = len(names)
        scene = PhysicsScene(
            names=(*names, *(f"{name} Pin" for name in names), *(f"{name} End" for name in names)),
            parents=np.array([-1] * count + list(range(count)) * 2),
            matrices=np.array([np.eye(4)] * 3 * count),
            motions={0: Motion(type="static")} | {n: Motion() for n in range(1, count)},
            joints=tuple(
                Joint(node=count + n, connected=2 * count + n - 1, settings=pin, place=names[n])
                for n in range(1, count)
            ),
        )
        return (Read(scene=scene),)

    def write(self, scene: PhysicsScene, target: Target) -> Written:
        text = "\n".join(["pendulum", *(scene.names[node] for node in scene.motions)])
        losses = tuple(
            Loss(scene.names[node], "mass", How.LOST, "bodies have no mass here")
            for node, motion in scene.motions.items()
            if motion.mass != 1.0
        )
        return Written(files={target.path.name: text.encode()}, losses=losses)


@pytest.fixture(autouse=True)
def row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, Pendulum()))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "clock.pendulum"
    path.write_text("pendulum\nPost\nRod\nBob")
    return path


def run(*arguments: Any) -> int:
    return main([str(argument) for argument in arguments])


def test_it_is_checked(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", file) == 0
    assert run("check", file, "--engine", "godot", "--format", "json") == 0
    file.write_text("pendulum\n")
    assert run("check", file) == 2
    assert f"{file}: has no bodies" in capsys.readouterr().err


def test_it_is_found_in_folders(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "-r", file.parent, "--format", "json") == 0
    (report,) = json.loads(capsys.readouterr().out)["files"]
    assert report["path"] == str(file)


def test_it_is_shown_whatever_it_is_called(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = file.rename(file.with_suffix(".gltf"))
    assert run("show", other) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 bodies, 2 joints"
    assert "└ Pin Rod Pin: Rod [dynamic, 1 kg]" in lines[2]


def test_it_is_simulated(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("simulate", file, "--seconds", "0.1", "--csv", "-") == 0
    table = capsys.readouterr()
    assert table.out.startswith("time,Post.x")
    assert table.out.count("\n") == 8
    assert "2 moving bodies" in table.err


def test_it_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "door.gltf", tmp_path / "door.pendulum"
    source.write_text(
        json.dumps(door("nodes", 2, "extensions", "OMI_physics_body", "motion", mass=7))
    )
    assert run("convert", source, target, "--strict") == 1
    assert not target.exists()
    assert run("convert", source, target) == 0
    assert target.read_text() == "pendulum\nWall\nDoor"
    assert "changed: mass (Door): bodies have no mass here" in capsys.readouterr().err
    assert run("convert", source, target, "--force", "--report", "json") == 0
    losses = json.loads(capsys.readouterr().out)["losses"]
    told = {(loss["place"], loss["noun"]): loss for loss in losses}
    assert told["Door", "mass"]["text"] == "bodies have no mass here"
    # What the writer drops without a word is named all the same.
    assert told["Joint", "joint"]["how"] == "lost"


def test_it_becomes_every_other_format_and_comes_back(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for suffix in (".glb", ".gltf"):
        there = tmp_path / f"there{suffix}"
        assert run("convert", file, there) == 0
        assert run("check", there) == 0
        assert run("show", there) == 0
        assert capsys.readouterr().out.count("PinJoint3D") == 2
        assert run("convert", there, tmp_path / f"back{suffix}.pendulum") == 0
        assert (tmp_path / f"back{suffix}.pendulum").read_text() == file.read_text()


def test_loops_are_closed_on_the_way(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A door on its hinge turns by 1 rad until a second pin fits."""
    document = door("nodes", 1, translation=None)
    document["nodes"][3].pop("translation")
    document["nodes"][0]["children"].append(4)
    document["nodes"][2]["children"].append(5)
    document["extensions"]["OMI_physics_joint"]["physicsJoints"].append(
        {"limits": [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]}
    )
    link = {"joint": 1, "connectedNode": 4}
    document["nodes"] += [
        {"name": "Goal", "translation": [math.cos(1.0), math.sin(1.0), 0]},
        {"name": "Pin", "translation": [1, 0, 0], "extensions": {"OMI_physics_joint": link}},
    ]
    source, target = tmp_path / "door.gltf", tmp_path / "closed.glb"
    source.write_text(json.dumps(document))
    assert run("check", source) == 0
    assert "OMI-J303" in capsys.readouterr().out
    assert run("convert", source, target, "--close-loops") == 0
    assert "loops: largest gap" in capsys.readouterr().err
    assert run("check", target) == 0
    assert "OMI-J303" not in capsys.readouterr().out


NAMES = [row.suffixes[0] for row in registry.FORMATS if row.name != "blend"]


@pytest.mark.slow
@pytest.mark.parametrize("first", NAMES)
@pytest.mark.parametrize("second", NAMES)
def test_every_format_becomes_every_other(tmp_path: Path, first: str, second: str) -> None:
    """A door keeps its two bodies and its hinge on every way; nothing of it is lost unsaid."""
    source, one, two = (tmp_path / name for name in ("a.gltf", f"b{first}", f"c{second}"))
    source.write_text(json.dumps(door()))
    assert run("convert", source, one) == 0
    assert run("convert", one, two) == 0
    (read,) = registry.format_of(two).read(Source(path=two))
    scene = read.scene
    assert len(scene.joints) == 1
    bodies = scene.bodies()
    (joint,) = scene.joints
    assert scene.is_dynamic(int(bodies[joint.node])) or scene.is_dynamic(int(bodies[joint.other]))
    turns = [limit for limit in joint.settings.limits if limit.angular_axes in ((0,), (1,), (2,))]
    # Formats of one-axis joints may turn the frame, so that another axis has the range.
    assert any(limit.max - limit.min == pytest.approx(2.0, abs=1e-6) for limit in turns), (
        joint.settings
    )


def test_an_option_that_neither_format_has_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "a.pendulum", tmp_path / "b.urdf"
    source.write_text("pendulum\na\nb\n")
    assert main(["convert", str(source), str(target), "-o", "meshez=stl"]) == 2
    assert not target.exists()
    assert capsys.readouterr().err == (
        "python -m omi_joints_addon convert: unknown option meshez (options from Pendulum to URDF: "
        "source, names, meshes, package, carry)\n"
    )
    assert main(["convert", str(source), str(target), "-o", "meshes=stl"]) == 0
