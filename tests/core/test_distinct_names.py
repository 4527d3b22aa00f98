"""Bodies and joints of the same name in tables that are read by name."""

import csv
import json

from omi_joints_addon.cli.main import main


def doors(count):
    """Return a document of doors of one name, each with a motor of its own."""
    motor = {"type": "angular", "axis": 2, "positionTarget": 0.0, "stiffness": 50, "damping": 9}
    limits = [{"linearAxes": [0, 1, 2], "min": 0, "max": 0}]
    limits.append({"angularAxes": [0, 1], "min": 0, "max": 0})
    nodes = [{"name": "Wall", "extensions": {"OMI_physics_body": {"motion": {"type": "static"}}}}]
    for index in range(count):
        body = {"motion": {"type": "dynamic", "inertiaDiagonal": [0.2, 0.3, 0.4]}}
        first = len(nodes)
        nodes[0].setdefault("children", []).append(first + 2)
        end = {"joint": 0, "connectedNode": first + 2}
        nodes += [
            {
                "name": "Door",
                "translation": [3.0 * index, 0, 0],
                "children": [first + 1],
                "extensions": {"OMI_physics_body": body},
            },
            {"name": "Hinge", "extensions": {"OMI_physics_joint": end}},
            {"name": "End", "translation": [3.0 * index, 0, 0]},
        ]
    settings = {"limits": limits, "drives": [motor | {"mode": "force"}]}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["OMI_physics_body", "OMI_physics_joint"],
        "extensions": {"OMI_physics_joint": {"physicsJoints": [settings]}},
        "scene": 0,
        "scenes": [{"nodes": [0, *range(1, len(nodes), 3)]}],
        "nodes": nodes,
    }


def test_columns_and_programs_name_each_of_several(tmp_path):
    path, table = tmp_path / "doors.gltf", tmp_path / "doors.csv"
    path.write_text(json.dumps(doors(2)), encoding="utf-8")
    program = tmp_path / "program.csv"
    program.write_text("time,Hinge#5.rz\n0,0\n1,0.5\n", encoding="utf-8")
    command = ["simulate", str(path), "--seconds", "2", "--csv", str(table)]
    assert main([*command, "--program", str(program)]) == 0
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert {"Door#1.x", "Door#4.x", "Hinge#2.rz", "Hinge#5.rz", "Wall.x"} <= rows[0].keys()
    assert len(rows[0]) == len(set(rows[0]))
    assert (float(rows[-1]["Door#1.x"]), float(rows[-1]["Door#4.x"])) == (0.0, 3.0)
    # The connected frame is the wall's, so the angle is minus the door's.
    assert abs(abs(float(rows[-1]["Hinge#5.rz"])) - 0.5) < 0.05
    assert abs(float(rows[-1]["Hinge#2.rz"])) < 0.01


def test_characters_in_folders_are_checked(tmp_path, capsys):
    (tmp_path / "person.vrm").write_text(json.dumps(doors(1)), encoding="utf-8")
    assert main(["check", "-r", str(tmp_path)]) == 0
    assert "1 file checked" in capsys.readouterr().out
