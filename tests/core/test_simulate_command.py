"""`simulate` writes where bodies go and what joints measure."""

import csv
import itertools
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.solver.course import Course

BODY = {"motion": {"type": "dynamic", "mass": 2.0, "inertiaDiagonal": [0.1, 0.1, 0.1]}}


def document(limit):
    """Return a glTF document: a body one metre beside the world, hung from it."""
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {
                "name": "Wall",
                "children": [1],
                "extensions": {"OMI_physics_body": {"motion": {"type": "static"}}},
            },
            {"name": "End"},
            {
                "name": "Bob",
                "translation": [1.0, 0.0, 0.0],
                "children": [3],
                "extensions": {"OMI_physics_body": BODY},
            },
            {
                "name": "Joint",
                "translation": [-1.0, 0.0, 0.0],
                "extensions": {"OMI_physics_joint": {"joint": 0, "connectedNode": 1}},
            },
        ],
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_joint"],
        "extensions": {"OMI_physics_joint": {"physicsJoints": [{"limits": [limit]}]}},
    }


@pytest.fixture
def simulate(tmp_path, capsys):
    """Return a function that simulates a document: exit code, output, table."""

    def run(limit, *arguments):
        file, table = tmp_path / "scene.gltf", tmp_path / "out.csv"
        file.write_text(json.dumps(document(limit)))
        code = main(["simulate", str(file), "--csv", str(table), "-f", *arguments])
        rows = list(csv.DictReader(table.open())) if table.exists() else []
        return code, capsys.readouterr(), rows

    return run


LOCK = {"linearAxes": [0, 1, 2], "min": 0, "max": 0}


def test_pendulum_swings_about_its_joint(simulate):
    code, output, rows = simulate(LOCK, "--seconds", "1", "--fps", "30")
    assert code == 0
    assert output.out.startswith("wrote ")
    assert output.out.endswith("out.csv: 30 frames, 1 moving body, 1 joint, without contacts\n")
    assert len(rows) == 31
    assert (rows[0]["Bob.x"], rows[0]["Bob.y"]) == ("1", "0")
    last = {name: float(value) for name, value in rows[-1].items()}
    assert last["time"] == pytest.approx(1.0)
    assert last["Bob.x"] ** 2 + last["Bob.z"] ** 2 == pytest.approx(1.0, abs=1e-6)
    assert last["Bob.z"] < 0.0
    assert abs(last["Joint.x"]) < 1e-6


def test_soft_lock_is_told_and_can_be_taken_as_rigid(simulate):
    soft = {**LOCK, "stiffness": 0.5}
    code, output, rows = simulate(soft, "--seconds", "1")
    assert code == 0
    assert "sags 39.2 m" in output.err
    fallen = float(rows[-1]["Bob.z"])
    _, _, rows = simulate(soft, "--seconds", "1", "--rigid-locks")
    assert fallen < -3.0
    assert float(rows[-1]["Bob.z"]) > -1.001


FLOOR = {
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0, 1]}],
    "nodes": [
        {
            "name": "Ball",
            "translation": [0, 0.3, 0],
            "extensions": {
                "OMI_physics_body": {
                    "motion": {"type": "dynamic", "mass": 1},
                    "collider": {"shape": 0},
                }
            },
        },
        {"name": "Floor", "extensions": {"OMI_physics_body": {"collider": {"shape": 1}}}},
    ],
    "extensionsUsed": ["OMI_physics_body", "OMI_physics_shape"],
    "extensions": {
        "OMI_physics_shape": {
            "shapes": [
                {"type": "sphere", "sphere": {"radius": 0.1}},
                {"type": "box", "box": {"size": [10, 0.2, 10]}},
            ]
        }
    },
}


@pytest.mark.parametrize(("arguments", "height"), [((), 0.2), (("--no-contacts",), -4.605)])
def test_a_ball_lands_on_a_floor_unless_contacts_are_left_out(arguments, height, tmp_path, capsys):
    """It rests at radius and half the floor's thickness; without it falls by g t² / 2."""
    file, table = tmp_path / "ball.gltf", tmp_path / "ball.csv"
    file.write_text(json.dumps(FLOOR))
    assert main(["simulate", str(file), "--seconds", "1", "--csv", str(table), *arguments]) == 0
    how = "without" if arguments else "with"
    assert capsys.readouterr().out.endswith(f"1 moving body, 0 joints, {how} contacts\n")
    last = list(csv.DictReader(table.open()))[-1]
    assert float(last["Ball.z"]) == pytest.approx(height, abs=2e-2 if arguments else 1e-4)


def zone(height):
    """Return the scene with the ball 2 m up, and a trigger of a height about 1 m."""
    document = json.loads(json.dumps(FLOOR))
    document["nodes"][0]["translation"] = [0, 2, 0]
    trigger = {"OMI_physics_body": {"trigger": {"shape": 2}}}
    document["nodes"].append({"name": "Zone", "translation": [0, 1, 0], "extensions": trigger})
    document["scenes"][0]["nodes"].append(2)
    document["extensions"]["OMI_physics_shape"]["shapes"].append(
        {"type": "box", "box": {"size": [2, height, 2]}}
    )
    return document


def test_what_falls_through_a_trigger_is_named_with_its_times(tmp_path, capsys):
    """From 2 m through 0.5 m about 1 m: in from sqrt(2 · 0.65 / g) to sqrt(2 · 1.35 / g)."""
    file = tmp_path / "zone.gltf"
    file.write_text(json.dumps(zone(0.5)))
    assert main(["simulate", str(file), "--seconds", "1"]) == 0
    found = re.search(r"Ball is in Zone: ([0-9.]+) s to ([0-9.]+) s", capsys.readouterr().err)
    times = [float(each) for each in found.groups()]
    wanted = [math.sqrt(2.0 * way / 9.81) for way in (0.65, 1.35)]
    assert times == pytest.approx(wanted, abs=1.0 / 240.0 + 5e-4)


def table_of(scene, tmp_path, *arguments):
    """Return the rows of the table that a simulation of a document writes."""
    file, table = tmp_path / "scene.gltf", tmp_path / "scene.csv"
    file.write_text(json.dumps(scene))
    assert main(["simulate", str(file), "--csv", str(table), "-f", *arguments]) == 0
    rows = csv.DictReader(table.open())
    return [{name: float(value) for name, value in row.items()} for row in rows]


def test_columns_of_contacts_carry_weight_and_momentum(tmp_path, capsys):
    """The ball falls 0.1 m: forces over time carry m g t in all, and m g at rest (Z up)."""
    rows = table_of(FLOOR, tmp_path, "--columns", "contacts", "--seconds", "2", "--fps", "60")
    names = ["Ball from Floor.fx", "Ball from Floor.fy", "Ball from Floor.fz"]
    assert list(rows[0])[-3:] == names
    forces = [[row[name] for name in names] for row in rows]
    assert forces[0] == forces[1] == [0.0, 0.0, 0.0]
    assert forces[-1] == pytest.approx([0.0, 0.0, 9.81], abs=1e-3)
    # Velocities are half a step of 1/240 s early.
    assert sum(force[2] for force in forces) / 60.0 == pytest.approx(9.81 * (2.0 - 1 / 480), 1e-4)
    capsys.readouterr()


def test_columns_of_triggers_say_who_is_inside_when(tmp_path, capsys):
    """From 2 m through 0.5 m about 1 m: in from sqrt(2 · 0.65 / g) to sqrt(2 · 1.35 / g)."""
    rows = table_of(zone(0.5), tmp_path, "--columns", "triggers", "--seconds", "1", "--fps", "240")
    assert list(rows[0])[-1] == "Ball in Zone"
    times = [row["time"] for row in rows if row["Ball in Zone"]]
    assert times[0] == pytest.approx(math.sqrt(2.0 * 0.65 / 9.81), abs=2.0 / 240.0)
    assert times[-1] == pytest.approx(math.sqrt(2.0 * 1.35 / 9.81), abs=2.0 / 240.0)
    assert len(times) == round(240.0 * (times[-1] - times[0])) + 1
    # Between two lines of the table the ball passes 5 mm, at 4.4 m/s and 0.205 m.
    rows = table_of(zone(0.005), tmp_path, "--columns", "triggers", "--seconds", "1", "--fps", "15")
    assert sum(row["Ball in Zone"] for row in rows) in {1.0, 2.0}
    capsys.readouterr()


def test_unknown_columns_are_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["simulate", "scene.gltf", "--columns", "contact"])
    assert (
        "unknown columns 'contact' (choose from states, contacts, triggers)"
        in capsys.readouterr().err
    )


def test_picture_without_matplotlib_says_what_is_missing(simulate, monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    code, output, _ = simulate(LOCK, "--seconds", "0.1", "--picture", str(tmp_path / "out.png"))
    assert code == 2
    assert "matplotlib" in output.err


def test_file_without_moving_bodies_is_refused(tmp_path, capsys):
    file = tmp_path / "empty.gltf"
    file.write_text('{"asset": {"version": "2.0"}}')
    assert main(["simulate", str(file)]) == 2
    assert "no dynamic body" in capsys.readouterr().err


def test_rotations_go_on_without_a_jump_of_sign(tmp_path, capsys):
    """A free body that turns three times."""
    body = {"motion": {**BODY["motion"], "angularVelocity": [0.0, 0.0, 6.0]}}
    nodes = [{"name": "Top", "extensions": {"OMI_physics_body": body}}]
    file, table = tmp_path / "top.gltf", tmp_path / "top.csv"
    file.write_text(
        json.dumps(
            {
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": [0]}],
                "nodes": nodes,
                "extensionsUsed": ["OMI_physics_body"],
            }
        )
    )
    assert main(["simulate", str(file), "--csv", str(table), "--seconds", "3"]) == 0
    capsys.readouterr()
    turns = [float(row["Top.qw"]) for row in csv.DictReader(table.open())]
    assert min(turns) < -0.9
    assert max(abs(b - a) for a, b in itertools.pairwise(turns)) < 0.1


FINGER = """
<link name="{name}"><inertial><mass value="{mass}"/>
<inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="{name} slide" type="prismatic"><parent link="hand"/><child link="{name}"/>
<axis xyz="0 {axis} 0"/><limit lower="0" upper="0.04"/>{mimic}</joint>"""


def test_the_fingers_of_a_gripper_follow_each_other(tmp_path, capsys):
    """The hand is tilted: one finger's weight opens the gripper, the other one's closes it."""
    left = FINGER.format(name="left", mass=0.2, axis=1, mimic="")
    right = FINGER.format(name="right", mass=0.3, axis=-1, mimic='<mimic joint="left slide"/>')
    mount = (
        '<link name="world"/><link name="hand"/><joint name="mount" type="fixed">'
        '<parent link="world"/><child link="hand"/><origin rpy="0.3 0 0"/></joint>'
    )
    file, table = tmp_path / "gripper.urdf", tmp_path / "out.csv"
    file.write_text(f'<robot name="gripper">{mount}{left}{right}</robot>')
    assert main(["simulate", str(file), "--csv", str(table), "--seconds", "1"]) == 0
    rows = list(csv.DictReader(table.open()))
    slides = [[float(row[f"{name} slide.x"]) for name in ("left", "right")] for row in rows]
    assert all(one == pytest.approx(other, abs=1e-7) for one, other in slides)
    acceleration = 9.81 * math.sin(0.3) * (0.3 - 0.2) / (0.3 + 0.2)
    assert slides[12][0] == pytest.approx(acceleration * 0.2**2 / 2.0, rel=1e-4)
    assert slides[-1][0] == pytest.approx(0.04, abs=1e-5)
    assert "P01" not in capsys.readouterr().err


@pytest.mark.slow
def test_plots_obey_no_settings_and_no_formulas_of_others(tmp_path, monkeypatch):
    """A matplotlibrc of the working folder may start TeX; a name may look like a formula."""
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    scene = document({"linearAxes": [0, 1, 2], "min": 0, "max": 0})
    scene["nodes"][3]["name"] = r"$\frac{$"
    (tmp_path / "scene.gltf").write_text(json.dumps(scene))
    (tmp_path / "matplotlibrc").write_text("backend: module://evil\ntext.usetex: True\n")
    command = ["-m", "omi_joints_addon", "simulate", "scene.gltf"]
    options = ["--seconds", "0.1", "--picture", "o.png"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    run = subprocess.run(
        [sys.executable, *command, *options],
        check=False,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
    )
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "o.png").read_bytes().startswith(b"\x89PNG")


def test_moments_that_no_computer_can_weigh_are_named(tmp_path, capsys, monkeypatch):
    """An exponent that was mistyped, and mass matrices that are not positive definite for it."""
    scene = document(LOCK)
    body = {"motion": {"type": "dynamic", "mass": 0.01, "inertiaDiagonal": [5e-6, 3e-6, 4.7]}}
    scene["nodes"][2]["extensions"]["OMI_physics_body"] = body
    (tmp_path / "scene.gltf").write_text(json.dumps(scene))

    def fail(*_arguments, **_options):
        raise np.linalg.LinAlgError("Matrix is not positive definite")

    monkeypatch.setattr(Course, "advance", fail)
    command = ["simulate", str(tmp_path / "scene.gltf"), "--csv", str(tmp_path / "o.csv")]
    assert main(command) == 2
    line = capsys.readouterr().err
    assert "check those of 'Bob': " in line
    assert line.count("\n") == 1
    assert not (tmp_path / "o.csv").exists()
