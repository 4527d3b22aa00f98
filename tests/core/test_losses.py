"""The report of what a file does not say: its levels, its lines, and what refuses to write."""

import json
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.findings.loss import How, Kind, Loss, Noun, are_worse, grouped
from omi_joints_addon.core.findings.sentence import Sentence
from omi_joints_addon.io import registry
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.gltf.document import scene_from_document
from omi_joints_addon.io.formats.keeping import unnamed, written_scene
from tests.core.documents import DOOR, drive
from tests.core.probes import PROBES
from tests.core.urdf_robots import INERTIAL, joint, link, robot

ROOT = Path(__file__).resolve().parents[2]
MOTOR = """<mujoco><worldbody><body name="arm"><joint name="j" axis="0 0 1" range="-60 60"/>
<geom name="g" type="box" size=".1 .1 .1"/></body></worldbody>
<actuator><motor name="m" joint="j" gear="7"/></actuator></mujoco>"""
SERVO = MOTOR.replace(
    '<motor name="m" joint="j" gear="7"/>', '<position name="m" joint="j" kp="5"/>'
)


def convert(folder: Path, text: str, target: str, *options: str) -> int:
    source = folder / "source.xml"
    source.write_text(text)
    return main(["convert", str(source), str(folder / target), "--force", *options])


def test_lines_about_many_places_are_one_with_their_number():
    losses = [Loss(f"part{n}", "material", How.LOST, "no room for it") for n in range(92)]
    losses.insert(5, Loss("j", "limit", How.CONVERTED, "turned"))
    assert grouped(losses) == [
        "changed: limit (j): turned",
        "looks only: material ×92 (part0, part1, part2 and 89 more): no room for it",
    ]


def test_lines_that_only_differ_by_a_value_are_one():
    losses = [
        Loss(name, "effort", How.CARRIED, Sentence("it is {value}", value=value))
        for name, value in (("a", 1.0), ("b", 2.0))
    ]
    assert grouped(losses) == [
        "kept aside: effort ×2 (a, b): it is 1.0 (other values at the other 1)"
    ]


@pytest.mark.parametrize(
    ("loss", "failing"),
    [
        (Loss("j", Noun.LIMIT, How.LOST, ""), {"changed", "kept aside", "looks only"}),
        (Loss("j", Noun.DRIVE, How.CARRIED, ""), {"changed", "kept aside", "looks only"}),
        (Loss("j", Noun.EFFORT, How.CARRIED, ""), {"kept aside", "looks only"}),
        (Loss("", "rgba of site", How.LOST, ""), {"looks only"}),
        (Loss("v", Noun.COLOR, How.CONVERTED, ""), {"looks only"}),
    ],
)
def test_a_level_fails_on_its_lines_and_on_graver_ones(loss, failing):
    assert {str(kind) for kind in Kind if are_worse([loss], kind)} == failing


def test_strict_refuses_a_motor_in_urdf_which_other_programs_do_not_find(tmp_path, capsys):
    assert convert(tmp_path, SERVO, "arm.urdf", "--strict") == 1
    assert not (tmp_path / "arm.urdf").exists()
    lines = capsys.readouterr().err.splitlines()
    assert "changed: drive (j): URDF does not support springs and motors, only damping" in lines[0]
    assert lines[0].endswith("; glTF and USD have it")
    assert lines[-1].startswith("arm.urdf was not written: 2 changed values; leave out --strict ")
    assert convert(tmp_path, SERVO, "arm.urdf") == 0


def test_a_door_that_hangs_on_a_static_body_is_in_the_urdf_and_not_reported_missing(
    tmp_path, capsys
):
    text = (
        '<mujoco><worldbody><geom name="floor" type="box" size="1 1 .1"/>'
        '<body name="wall" pos="0 0 1"><geom name="w" type="box" size=".1 .1 1"/>'
        '<body name="door"><joint name="hinge" range="0 90" axis="0 0 1"/>'
        '<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body></body></worldbody></mujoco>'
    )
    assert convert(tmp_path, text, "door.urdf") == 0
    assert "hinge" not in capsys.readouterr().err
    assert '<joint name="hinge" type="revolute">' in (tmp_path / "door.urdf").read_text()


def test_what_differs_when_read_again_is_named_with_both_values(tmp_path, capsys):
    source = tmp_path / "arm.urdf"
    parts = joint(
        "j", "revolute", "base", "arm", '<limit lower="-1" upper="1" effort="1e9" velocity="3"/>'
    )
    source.write_text(robot(link("base", ""), link("arm", INERTIAL), parts, name="arm"))
    main(["convert", str(source), str(tmp_path / "arm.json"), "--report", "json"])
    losses = json.loads(capsys.readouterr().out)["losses"]
    (limit,) = [loss for loss in losses if loss["noun"] == "velocity limit"]
    assert limit["kind"] == "changed"
    assert limit["advice"] == "URDF and USD have it"
    assert not [loss for loss in losses if "read again" in loss["text"]]


def test_values_of_what_cannot_move_are_no_lines():
    scene = scene_from_document(DOOR).scene
    heavier = {
        node: replace(motion, mass=mass)
        for (node, motion), mass in zip(scene.motions.items(), (3.0, 4.0), strict=True)
    }
    found = grouped(unnamed(scene, replace(scene, motions=heavier), [], own="mjcf"))
    assert found == ["changed: mass (Door): 1 becomes 4"]


def test_a_velocity_target_that_is_not_given_beside_a_position_is_zero(tmp_path, capsys):
    target = tmp_path / "door.xml"
    (tmp_path / "door.gltf").write_text(json.dumps(drive(damping=0.5)))
    assert main(["convert", str(tmp_path / "door.gltf"), str(target)]) == 0
    assert target.read_text().count('damping="0.5"') == 1
    assert "velocity target" not in capsys.readouterr().err


def test_verify_counts_drives_of_usd(tmp_path, capsys):
    pytest.importorskip("mujoco")
    pytest.importorskip("pxr")
    assert convert(tmp_path, SERVO, "arm.usda", "--verify") == 0
    assert "OMI-J495" not in capsys.readouterr().err


def test_what_no_scene_holds_is_a_line_for_each_kind_of_it_toward_other_formats(tmp_path, capsys):
    ranges = SERVO.replace('kp="5"', 'kp="5" ctrlrange="-1 1"').replace(
        "</mujoco>", '<sensor><jointpos joint="j"/><jointvel joint="j"/></sensor></mujoco>'
    )
    assert convert(tmp_path, ranges, "arm.urdf") == 0
    report = capsys.readouterr().err
    assert "changed: ctrlrange of position: only MuJoCo MJCF files have this; first at m" in report
    assert report.count("sensor") == 1
    assert convert(tmp_path, ranges, "again.xml") == 0
    assert "lost" not in capsys.readouterr().err


def test_what_a_urdf_file_says_to_robots_alone_is_named_toward_other_formats(tmp_path, capsys):
    source = tmp_path / "arm.urdf"
    wheel = joint("j", "continuous", "base", "arm", '<safety_controller k_velocity="1"/>')
    source.write_text(
        robot(link("base", ""), link("arm", INERTIAL), wheel, '<gazebo reference="arm"/>' * 2)
    )
    assert main(["convert", str(source), str(tmp_path / "arm.glb")]) == 0
    report = capsys.readouterr().err
    assert "changed: gazebo ×2: only URDF files have this" in report
    assert "changed: safety_controller: only URDF files have this" in report


def test_planes_are_named_toward_other_formats_and_boxes_of_them_are_not(tmp_path, capsys):
    ground = SERVO.replace(
        "<worldbody>", '<worldbody><geom name="floor" type="plane" size="1 1 1"/>'
    )
    assert convert(tmp_path, ground, "arm.gltf") == 0
    assert "changed: geom (floor): it is of type plane" in capsys.readouterr().err
    assert convert(tmp_path, ground, "box.gltf", "-o", "planes=box") == 0
    assert "of type plane" not in capsys.readouterr().err


def test_the_name_of_a_model_is_that_of_the_scene_in_gltf(tmp_path, capsys):
    named = SERVO.replace("<mujoco", '<mujoco model="crane"')
    assert convert(tmp_path, named, "arm.gltf") == 0
    assert "crane" not in capsys.readouterr().err
    (first,) = json.loads((tmp_path / "arm.gltf").read_text())["scenes"]
    assert first["name"] == "crane"
    assert main(["convert", str(tmp_path / "arm.gltf"), str(tmp_path / "arm.urdf")]) == 0
    assert ET.parse(tmp_path / "arm.urdf").getroot().get("name") == "crane"


EXACT = frozenset(
    (
        *("pin", "cone X", "cone Y", "cone Z", "cone with hole", "tube", "distance"),
        *("hinge X up", "hinge Y down", "hinge locked off zero", "slider Z down", "weld"),
        "hinge one-sided",
        *("linear spring", "angular spring", "linear acceleration", "angular acceleration"),
    )
)
"""Probes that `test_mjcf_motion` and the oracles find the same in MuJoCo."""


@pytest.mark.parametrize("name", sorted(EXACT))
def test_what_moves_in_mujoco_as_it_does_here_is_no_line(name, tmp_path):
    (row,) = (each for each in registry.FORMATS if each.name == "mjcf")
    written = written_scene(row, PROBES[name].scene(), Target(path=tmp_path / "probe.xml"))
    assert grouped(written.losses) == []


@pytest.mark.parametrize("name", ["pin", "hinge locked off zero", "slider locked off zero"])
def test_joints_to_the_link_of_the_world_are_no_lines_of_sdf(name, tmp_path):
    (row,) = (each for each in registry.FORMATS if each.name == "sdf")
    written = written_scene(row, PROBES[name].scene(), Target(path=tmp_path / "probe.sdf"))
    assert grouped(written.losses) == []


def test_how_a_site_looks_is_not_changed(tmp_path, capsys):
    site = '<site name="tip" type="box" size=".1 .2 .3" rgba="1 0 0 1"/></body>'
    assert (
        convert(tmp_path, SERVO.replace("</body>", site), "arm.gltf", "--fail-on", "changed") == 0
    )
    report = capsys.readouterr().err
    assert "changed" not in report
    assert "looks only: size of site" in report


@pytest.mark.parametrize(
    "words",
    ['ctrlrange="-1 1" ctrllimited="true"', 'ctrlrange="-1 1" ctrllimited="false"'],
)
def test_the_switch_of_a_range_is_no_line_where_the_range_says_it(words, tmp_path, capsys):
    mujoco = pytest.importorskip("mujoco")
    text = SERVO.replace('kp="5"', f'kp="5" {words}')
    assert convert(tmp_path, text, "again.xml", "-o", "source=new") == 0
    assert capsys.readouterr().err == ""
    models = [
        mujoco.MjModel.from_xml_path(str(tmp_path / name)) for name in ("source.xml", "again.xml")
    ]
    assert models[0].actuator_ctrllimited == models[1].actuator_ctrllimited
    if models[0].actuator_ctrllimited:
        assert (models[0].actuator_ctrlrange == models[1].actuator_ctrlrange).all()


@pytest.mark.parametrize("target", ["again.urdf", "arm.xml", "arm.sdf", "arm.usda"])
def test_parts_of_one_name_are_no_lines_where_formats_number_them(target, tmp_path, capsys):
    box = '<origin xyz="0 0 {}"/><geometry><box size="1 1 1"/></geometry>'
    parts = "".join(
        f'<{tag} name="c">{box.format(place)}</{tag}>'
        for place in (0, 1)
        for tag in ("collision", "visual")
    )
    limit = '<limit lower="-1" upper="1" effort="1"/>'
    one = joint("j", "revolute", "base", "arm", limit)
    source = tmp_path / "arm.urdf"
    source.write_text(robot(link("base", ""), link("arm", INERTIAL + parts), one, name="arm"))
    assert main(["convert", str(source), str(tmp_path / target), "-o", "source=new"]) == 0
    report = capsys.readouterr().err
    assert "it is not in the file" not in report
    assert "name" not in report


def test_the_example_of_the_page_on_ci_passes_and_says_nothing(tmp_path, capsys):
    pytest.importorskip("pxr")
    page = (ROOT / "docs" / "tutorials" / "continuous-checks.md").read_text(encoding="utf-8")
    lines = [
        each.split() for each in page.splitlines() if each.startswith("    omi-joints convert")
    ]
    ((_, *line),) = [words for words in lines if "--strict" in words]
    command, source, target, option = line
    shutil.copy(ROOT / "omi_joints_addon" / "examples" / source, tmp_path / source)
    assert main([command, str(tmp_path / source), str(tmp_path / target), option]) == 0
    assert capsys.readouterr().err == ""
