"""A hinge keeps its author's numbers: the same range, and the same pose at the same angle."""

import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.cli.main import main
from omi_joints_addon.core.findings.loss import How
from omi_joints_addon.core.model.pose import Pose, matrix_from_pose
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Source, Target
from omi_joints_addon.io.formats.keeping import written_scene
from omi_joints_addon.io.registry import format_for, format_of
from tests.core import urdf_robots

RANGES = {
    "within": (-0.53, 1.21),
    "beyond": (-0.5, 4.4),
    "below": (-3.9, 0.37),
    "pair": (3.3, 5.1),
    "turns": (-6.2831853, 6.2831853),
    "lone": (-math.pi, math.pi),
    "slide": (-0.13, 0.29),
}
"""Range of each joint of a chain, from its base on [rad], the last one [m]."""
ANGLES = {"within": 0.71, "beyond": 3.93, "below": -3.47, "pair": 4.21, "turns": 2.03, "lone": -1.1}
STAGES = (ANGLES | {"slide": 0.17}, dict.fromkeys(RANGES, 0.0))
FORMATS = ("xml", "urdf", "usda")


def robot() -> str:
    elements = [urdf_robots.link("base", "")]
    above = "base"
    for number, (name, (low, high)) in enumerate(RANGES.items()):
        inner = (
            f'<origin xyz="0.{number + 1} 0.2 -0.17" rpy="0.{number}7 -0.4 1.3"/>'
            f'<axis xyz="0.3 {number - 2.6} 1.1"/>'
            f'<limit lower="{low!r}" upper="{high!r}" effort="11" velocity="3"/>'
        )
        kind = "prismatic" if name == "slide" else "revolute"
        elements += [
            urdf_robots.link(f"link {number}"),
            urdf_robots.joint(name, kind, above, f"link {number}", inner),
        ]
        above = f"link {number}"
    return urdf_robots.robot(*elements)


TRUTH = [urdf_robots.text_kinematics(robot(), values) for values in STAGES]


def converted(source: Path, suffix: str) -> tuple[Path, list[str]]:
    """Write a file in another format; return it and the losses about numbers of joints."""
    target = source.with_name(f"{source.stem}_{suffix}.{suffix}")
    scene = format_of(source).read(Source(path=source))[0].scene
    written = written_scene(format_for(target), scene, Target(path=target))
    write_files(target.parent, written.files)
    words = ("zero", "range", "limit", "joint", "position target")
    losses = (loss for loss in written.losses if loss.how != How.CONVERTED)
    return target, [
        f"{loss.place}: {loss.noun}: {loss.text}" for loss in losses if loss.noun in words
    ]


def ranges_of(path: Path) -> dict[str, tuple[float, float]]:
    """Return the ranges as the text of a file has them [rad or m]."""
    text = path.read_text()
    if path.suffix == ".xml":
        pairs = {each.get("name"): each.get("range") for each in ET.fromstring(text).iter("joint")}
        return {name: tuple(map(float, found.split())) for name, found in pairs.items() if found}
    if path.suffix == ".urdf":
        limits = {
            each.get("name"): each.find("limit") for each in ET.fromstring(text).iter("joint")
        }
        return {
            name: (float(limit.get("lower")), float(limit.get("upper")))
            for name, limit in limits.items()
            if limit is not None
        }
    stage = pytest.importorskip("pxr.Usd").Stage.Open(str(path))
    found = {}
    for prim in stage.TraverseAll():
        low, high = (prim.GetAttribute(f"physics:{end}Limit") for end in ("lower", "upper"))
        if low and low.HasAuthoredValue():
            factor = math.radians(1.0) if prim.GetTypeName() == "PhysicsRevoluteJoint" else 1.0
            found[str(prim.GetName())] = (low.Get() * factor, high.Get() * factor)
    return found


def poses_of(path: Path, values: dict[str, float]) -> dict[str, np.ndarray]:
    """Return where the reader of its format puts the links of a file with joints at values."""
    if path.suffix == ".urdf":
        return in_yourdfpy(path, values)
    return in_mujoco(path, values) if path.suffix == ".xml" else in_openusd(path, values)


def in_yourdfpy(path: Path, values: dict[str, float]) -> dict[str, np.ndarray]:
    yourdfpy = pytest.importorskip("yourdfpy")
    robot = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=True)
    robot.update_cfg(values)
    return {link: robot.get_transform(link, "base") for link in robot.link_map}


def in_mujoco(path: Path, values: dict[str, float]) -> dict[str, np.ndarray]:
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    for name, value in values.items():
        data.joint(name).qpos[0] = value
    mujoco.mj_kinematics(model, data)
    found = {}
    for number in range(1, model.nbody):
        found[model.body(number).name] = world = np.eye(4)
        world[:3, :3], world[:3, 3] = data.xmat[number].reshape(3, 3), data.xpos[number]
    return found


def in_openusd(path: Path, values: dict[str, float]) -> dict[str, np.ndarray]:
    """Work out a chain from the attributes of UsdPhysics: frame 1 is moved in frame 0."""
    stage = pytest.importorskip("pxr.Usd").Stage.Open(str(path))
    joints = {str(prim.GetName()): prim for prim in stage.TraverseAll()}
    found = {"base": np.eye(4)}
    for name, value in values.items():
        prim = joints[name]
        bodies = [prim.GetRelationship(f"physics:body{side}").GetTargets() for side in (0, 1)]
        frames = [frame_of(prim, side) for side in (0, 1)]
        axis = "XYZ".index(prim.GetAttribute("physics:axis").Get())
        if prim.GetTypeName() == "PhysicsRevoluteJoint":
            moved = urdf_robots.turn(np.eye(3)[axis], value)
        else:
            moved = urdf_robots.shift(np.eye(3)[axis] * value)
        one, two = (str(ends[0].name) if ends else "base" for ends in bodies)
        one, two = (each.replace("_", " ") for each in (one, two))
        if one in found:
            found[two] = found[one] @ frames[0] @ moved @ np.linalg.inv(frames[1])
        else:
            found[one] = found[two] @ frames[1] @ np.linalg.inv(frames[0] @ moved)
    return found


def frame_of(prim, side: int) -> np.ndarray:
    place = np.array(prim.GetAttribute(f"physics:localPos{side}").Get())
    turn = prim.GetAttribute(f"physics:localRot{side}").Get()
    return matrix_from_pose(Pose(place, np.array((*turn.GetImaginary(), turn.GetReal()))))


def assert_same(path: Path) -> None:
    found = ranges_of(path)
    for name, bounds in RANGES.items():
        assert found[name] == pytest.approx(bounds, abs=2e-6), name
    for values, expected in zip(STAGES, TRUTH, strict=True):
        poses = poses_of(path, values)
        for number in range(len(RANGES)):
            name = f"link {number}"
            assert np.allclose(poses[name], expected[name], atol=5e-6), (path.name, name)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(robot())
    return path


@pytest.mark.parametrize("last", FORMATS)
@pytest.mark.parametrize("first", [*FORMATS, "gltf"])
def test_every_format_counts_as_the_author(first: str, last: str, source: Path) -> None:
    middle, losses = converted(source, first)
    if first == "gltf":
        assert any("beyond: zero: moved by 111.7°" in each for each in losses)
        assert any("turns: range: it turns freely instead of from -360°" in each for each in losses)
    else:
        assert not [each for each in losses if "velocity limit" not in each]
        assert_same(middle)
    end, losses = converted(middle, last)
    assert not [each for each in losses if "velocity limit" not in each]
    assert_same(end)


def test_a_reference_moves_the_zero_of_urdf_and_the_report_says_it(tmp_path: Path) -> None:
    source = tmp_path / "ref.xml"
    source.write_text(
        "<mujoco><worldbody><body name='b'><joint name='j' axis='0 1 0' ref='20'"
        " range='-30 70'/><geom size='.1'/></body></worldbody></mujoco>"
    )
    _, losses = converted(source, "urdf")
    assert losses == ["j: zero: moved by 20°: URDF counts from the pose at rest"]


def test_shift_names_the_zero_and_the_range(source: Path) -> None:
    _, losses = converted(source, "json")
    assert any("beyond: zero: moved by 111.7°" in each for each in losses)
    assert any("turns: range: it turns freely instead of from -360°" in each for each in losses)


def test_show_and_the_library_have_the_authors_numbers(source: Path, capsys) -> None:
    assert main(["show", str(source)]) == 0
    shown = capsys.readouterr().out
    assert "turns about Z -28.6479° to 252.101°" in shown
    assert "turns about Z -360° to 360°" in shown
    scene = format_of(source).read(Source(path=source))[0].scene
    joint = next(each for each in scene.joints if scene.names[each.node] == "beyond")
    assert "turns about Z -28.6479° to 252.101°" in omi_joints.describe(joint)
    assert re.search(r"±?140", " ".join(omi_joints.describe(joint.settings)))


@pytest.mark.parametrize("suffix", ["urdf", "xml", "gltf"])
def test_the_library_moves_joints_as_the_author_counts(suffix: str, source: Path) -> None:
    path = source if suffix == "urdf" else converted(source, suffix)[0]
    scene = omi_joints.read(path)
    for name, bounds in RANGES.items():
        joint = scene.joint(name)
        assert (joint.lower, joint.upper) == pytest.approx(bounds, abs=1e-6), name
        assert joint.position == pytest.approx(0.0, abs=1e-9)
    for values, expected in zip(STAGES, TRUTH, strict=True):
        posed = scene.posed(values)
        assert posed.positions() == pytest.approx(values, abs=1e-9)
        for number in range(len(RANGES)):
            name = f"link {number}"
            found = posed.matrices[posed.body(name).node]
            assert np.allclose(found, expected[name], atol=1e-6), name
    edited = scene.with_joint("beyond", upper=4.1).joint("beyond")
    assert (edited.lower, edited.upper) == pytest.approx((-0.5, 4.1))


def test_targets_and_actuators_count_along(tmp_path: Path) -> None:
    source = tmp_path / "servo.xml"
    source.write_text(
        "<mujoco><compiler angle='radian'/><worldbody><body name='b'><joint name='j' axis='0 1 0'"
        " range='-0.5 4.4' stiffness='2' springref='3.7' damping='.3'/><geom size='.1'/></body>"
        "</worldbody><actuator><motor joint='j' gear='3'/></actuator></mujoco>"
    )
    stage, _ = converted(source, "usda")
    text = stage.read_text()
    assert float(re.search(r"targetPosition = (\S+)", text)[1]) == pytest.approx(
        math.degrees(3.7), abs=1e-4
    )
    again, _ = converted(stage, "xml")
    joint = next(ET.fromstring(again.read_text()).iterfind("worldbody//joint"))
    assert float(joint.get("springref")) == pytest.approx(3.7, abs=1e-6)
    assert joint.get("ref") is None
