"""Tables of joint positions that drives follow in simulations."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.cli.main import main

ARM = """<mujoco><option gravity="0 0 0"/><worldbody><body name="upper">
<joint name="shoulder" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/>
<body name="fore" pos="1 0 0"><joint name="elbow" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/></body></body></worldbody>
<actuator><position joint="shoulder" kp="5000" kv="500"/></actuator></mujoco>"""


def simulate(folder: Path, table: str, *arguments: str) -> int:
    (folder / "arm.xml").write_text(ARM)
    (folder / "moves.csv").write_text(table)
    files = [str(folder / name) for name in ("arm.xml", "moves.csv", "out.csv")]
    options = ["--program", files[1], "--csv", files[2], "--seconds", "2", "--force"]
    return main(["simulate", files[0], *options, *arguments])


def angles(folder: Path, name: str = "shoulder.rz") -> np.ndarray:
    with (folder / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    return np.array([[float(row["time"]), float(row[name])] for row in rows])


@pytest.mark.slow
def test_a_stiff_drive_goes_through_the_positions_of_its_column(tmp_path):
    """The target moves at a constant speed v; a damped servo lags by v·d/k behind it."""
    assert simulate(tmp_path, "time,shoulder\n0,0\n1,0.6\n2,-0.6\n") == 0
    found = dict(map(tuple, angles(tmp_path).round(6)))
    for seconds, target, speed in ((0.9, 0.54, 0.6), (1.9, -0.48, -1.2)):
        assert found[seconds] == pytest.approx(target - speed * 500.0 / 5000.0, abs=0.02)


@pytest.mark.slow
def test_the_motion_of_one_file_is_the_program_of_another(tmp_path):
    assert simulate(tmp_path, "t;shoulder.rz\n0;0\n1;0.5\n") == 0
    before = angles(tmp_path)
    moves = (tmp_path / "out.csv").read_text()
    assert simulate(tmp_path, moves) == 0
    assert abs(angles(tmp_path)[-1, 1] - before[-1, 1]) < 0.02


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("time,knee\n0,1\n", "no drive follows any of its columns"),
        ("time,elbow\n0,1\n", "without a drive with stiffness: elbow"),
        ("shoulder\n0\n", "the first column is 'shoulder', but has to be time"),
        ("time,shoulder\n0,a\n", "line 2 has"),
        ("", "no first row"),
    ],
)
def test_what_no_drive_can_follow_is_one_line(table, problem, tmp_path, capsys):
    assert simulate(tmp_path, table) == 2
    report = capsys.readouterr().err
    assert problem in report
    assert "Traceback" not in report


def test_columns_that_name_no_joint_are_named_and_the_rest_is_followed(tmp_path, capsys):
    assert simulate(tmp_path, "time,shoulder,knee\n0,0,0\n1,0.5,1\n") == 0
    assert "not joints of the file: knee" in capsys.readouterr().err
    assert not math.isclose(angles(tmp_path)[-1, 1], 0.0, abs_tol=0.1)
