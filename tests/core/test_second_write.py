"""A file that is read and written again is the same, byte by byte: a repository shows no change."""

import json
import math
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from omi_joints_addon.cli.main import main
from omi_joints_addon.core.meaning.presets import fixed, hinge, pin
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.joint import DriveType, JointDrive, JointLimit, JointSettings
from omi_joints_addon.core.model.mesh import MeshData
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.io.contents import write_files
from omi_joints_addon.io.formats.format import Format, Source, Target
from omi_joints_addon.io.formats.meshes.stl import mesh_from_stl, stl_from_mesh
from omi_joints_addon.io.formats.origins import Origin, origin_of_matrix
from omi_joints_addon.io.registry import FORMATS
from tests.core.scene_strategies import scenes
from tests.core.solver_scenes import SceneBuilder, turn
from tests.hostile import door_of_everything


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def rewritten(source: Path, folder: Path, suffix: str) -> dict[str, bytes]:
    """Return what a conversion writes into a new folder."""
    folder.mkdir()
    assert main(["convert", str(source), str(folder / f"scene.{suffix}")]) in (0, 1)
    return files_of(folder)


@pytest.mark.parametrize("suffix", ["gltf", "glb", "urdf", "mjcf", "usda", "json"])
def test_second_write_is_the_first(suffix: str, corpus: Path, tmp_path: Path) -> None:
    if suffix == "usda":
        pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
    everything = tmp_path / "everything.gltf"
    everything.write_text(json.dumps(door_of_everything()))
    for number, source in enumerate([everything, *sorted((corpus / "omi").glob("*.gltf"))]):
        first = rewritten(source, tmp_path / f"{number}a", suffix)
        path = tmp_path / f"{number}a" / f"scene.{suffix}"
        assert rewritten(path, tmp_path / f"{number}b", suffix) == first, source.name


def written_anew(row: Format, scene: PhysicsScene, folder: Path) -> tuple[dict[str, bytes], Source]:
    """Return the files of a scene, written without those that it was read from."""
    path = folder / f"scene{row.suffixes[0]}"
    files = row.write(scene, Target(path=path)).files
    folder.mkdir(exist_ok=True)
    write_files(folder, files)
    return {name: bytes(content) for name, content in files.items()}, Source(path=path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gltf", "usd", "shift", "mjcf", "urdf"])
@given(scene=scenes())
@settings(suppress_health_check=list(HealthCheck))
def test_files_that_are_written_anew_reach_a_fixed_point(
    name: str, tmp_path: Path, scene: PhysicsScene
) -> None:
    """A random scene, whose poses are products of poses of a tree after it was read."""
    if name == "usd":
        pytest.importorskip("pxr.UsdPhysics", reason="usd-core is not installed")
    (row,) = (each for each in FORMATS if each.name == name)
    _, source = written_anew(row, scene, tmp_path / "a")
    if name in ("urdf", "shift"):
        # Joints of loops come after all others in URDF, another order to find a tree in; Shift
        # places a kinematic body in a loop by that, not by itself.
        _, source = written_anew(row, row.read(source)[0].scene, tmp_path / "order")
    second, source = written_anew(row, row.read(source)[0].scene, tmp_path / "b")
    third, _ = written_anew(row, row.read(source)[0].scene, tmp_path / "c")
    assert third == second


def test_half_a_turn_keeps_its_sign(tmp_path: Path) -> None:
    """A free axis that is half a turn away, by frames whose rounding falls to either side."""
    matrices = np.tile(np.eye(4), (4, 1, 1))
    for node, (x, y) in ((0, (15 / 17, 8 / 17)), (1, (0.6, 0.8))):
        matrices[node, :3, :3] = ((x, y, 0.0), (y, -x, 0.0), (0.0, 0.0, -1.0))
    matrices[2] = np.diag((-1.0, -1.0, 1.0, 1.0))
    matrices[3] = np.diag((-1.0, 1.0, -1.0, 1.0))
    along = JointSettings(limits=(JointLimit(linear_axes=(1, 2), min=0.0, max=0.0),))
    scene = PhysicsScene(
        names=("base", "arm", "joint", "end"),
        parents=np.array([-1, -1, 0, 1]),
        matrices=matrices,
        motions={0: Motion(type="static"), 1: Motion(type="dynamic")},
        joints=(Joint(node=2, connected=3, settings=along, place="joint"),),
    )
    (row,) = (each for each in FORMATS if each.name == "mjcf")
    _, source = written_anew(row, scene, tmp_path / "a")
    second, source = written_anew(row, row.read(source)[0].scene, tmp_path / "b")
    third, _ = written_anew(row, row.read(source)[0].scene, tmp_path / "c")
    assert third == second


@pytest.mark.parametrize("name", ["gltf", "shift", "mjcf", "urdf"])
def test_half_a_turn_of_a_hinge_keeps_its_sign(name: str, tmp_path: Path) -> None:
    """At rest it is outside of its range, to which the pose of either sign is as far."""
    (row,) = (each for each in FORMATS if each.name == name)
    build = SceneBuilder()
    base, moving = build.body((0, 0, 0), type="static"), build.body((0, 0, 0))
    build.joint(fixed(), base, base, (0, 0, 0))
    build.joint(hinge(), base, moving, (0, 0, 0), turned=(0, 0, 1, 0))
    scene, files = build.scene(), []
    for folder in "abcd":
        written, source = written_anew(row, scene, tmp_path / folder)
        files.append(written)
        scene = row.read(source)[0].scene
    assert files[3] == files[2]


def written_twice(name: str, scene: PhysicsScene, folder: Path) -> tuple[list[bytes], list[bytes]]:
    """Return the files of a scene, and those of the scene that is read from them."""
    (row,) = (each for each in FORMATS if each.name == name)
    first, source = written_anew(row, scene, folder / "a")
    second, _ = written_anew(row, row.read(source)[0].scene, folder / "b")
    return list(first.values()), list(second.values())


def test_carried_hinge_about_x_keeps_its_axis_in_shift(tmp_path: Path) -> None:
    """A hinge with a drive is carried: its frames have to be turned back about its own axis."""
    (row,) = (each for each in FORMATS if each.name == "shift")
    driven = replace(hinge(axis=0), drives=(JointDrive(type=DriveType.ANGULAR, axis=0),))
    build = SceneBuilder()
    build.joint(driven, -1, build.body((0, 0, 0)), (0, 0, 0))
    scene = build.scene()
    for folder in "ab":
        _, source = written_anew(row, scene, tmp_path / folder)
        scene = row.read(source)[0].scene
        (joint,) = scene.joints
        assert joint.settings.drives == driven.drives
        assert np.abs(scene.matrices[joint.node][:3, 0]) == pytest.approx((1, 0, 0))


def test_a_kinematic_body_that_a_weld_holds_too_stays_where_it_is(tmp_path: Path) -> None:
    """Shift places it twice, by itself and by the frames of the weld, whose digits are rounded."""
    (row,) = (each for each in FORMATS if each.name == "shift")
    build = SceneBuilder()
    one = build.body((0, 0, 0))
    other = build.body((0, 0, 0), turn((0, 0, 1), 2.0 * math.atan(0.25)), type="kinematic")
    build.joint(pin(), one, build.body((0, 0, 0), type="static"), (0, 0, 0))
    quarter = turn((0, 0, 1), math.pi / 2)
    build.joint(fixed(), one, other, (0, 0, 0), quarter, turned=(0, 0, 0, 1))
    scene, files = build.scene(), []
    for folder in "abc":
        written, source = written_anew(row, scene, tmp_path / folder)
        scene = row.read(source)[0].scene
        files.append(written)
    assert files[2] == files[1]


def test_a_connect_between_bodies_that_never_move_is_kept_and_named(tmp_path: Path) -> None:
    (row,) = (each for each in FORMATS if each.name == "mjcf")
    geom = '<geom type="box" size=".1 .1 .1"/>'
    path = tmp_path / "model.xml"
    path.write_text(
        f'<mujoco><worldbody><body name="a">{geom}</body><body name="b" pos="1 0 0">{geom}</body>'
        '</worldbody><equality><connect name="c" body1="a" body2="b" anchor="0 0 0"/></equality>'
        "</mujoco>"
    )
    read = row.read(Source(path=path))[0]
    assert [str(each) for each in read.findings if "connect" in str(each)]
    first, source = written_anew(row, read.scene, tmp_path / "a")
    assert len(ET.fromstring(first["scene.mjcf"]).findall("equality/connect")) == 1
    again, _ = written_anew(row, row.read(source)[0].scene, tmp_path / "b")
    assert again == first


def test_speeds_that_no_joint_allows_make_no_keyframe(tmp_path: Path) -> None:
    (row,) = (each for each in FORMATS if each.name == "mjcf")
    build = SceneBuilder()
    build.joint(fixed(), -1, build.body((0, 0, 0), linear_velocity=(1.0, 0.0, 0.0)), (0, 0, 0))
    files, _ = written_anew(row, build.scene(), tmp_path / "a")
    assert ET.fromstring(files["scene.mjcf"]).find("keyframe") is None


def test_sites_of_a_loop_are_written_once(tmp_path: Path) -> None:
    """A pin whose frames are apart is between two sites, which reading makes nodes of their own."""
    (row,) = (each for each in FORMATS if each.name == "mjcf")
    build = SceneBuilder()
    one, two = build.body((0, 0, 0)), build.body((1, 0, 0))
    build.joint(pin(), one, two, (0.5, 0, 0))
    scene = build.scene()
    (joint,) = scene.joints
    scene.matrices[joint.node][2, 3] += 0.1
    loop = replace(joint, attributes=replace(joint.attributes, in_articulation=False))
    scene = replace(scene, joints=(loop,))
    for folder in "abc":
        files, source = written_anew(row, scene, tmp_path / folder)
        assert len(ET.fromstring(files["scene.mjcf"]).findall(".//site")) == 2
        scene = row.read(source)[0].scene


def test_tendons_of_limits_are_written_alike_twice(tmp_path: Path) -> None:
    """A limit that gives way is a tendon, as stiff as the defaults that are written make it."""
    soft = JointLimit(linear_axes=(0,), min=-0.5, max=0.5, stiffness=100.0, damping=1.0)
    held = JointLimit(linear_axes=(1, 2), min=0.0, max=0.0)
    turn = JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.0)
    build = SceneBuilder()
    build.joint(JointSettings(limits=(soft, held, turn)), -1, build.body((0, 0, 0)), (0, 0, 0))
    (first,), (second,) = written_twice("mjcf", build.scene(), tmp_path)
    assert b"<fixed" in first
    assert second == first


@pytest.mark.parametrize("is_reversed", [False, True])
def test_excluded_pairs_are_written_by_name(is_reversed: bool, tmp_path: Path) -> None:
    """Also those of joints, which are read as joints whose bodies do not collide."""
    build = SceneBuilder()
    bodies = [build.body((n, 0, 0)) for n in range(3)]
    scene = build.scene()
    pairs = [(bodies[0], bodies[2]), (bodies[1], bodies[0])]
    pairs = [(two, one) for one, two in reversed(pairs)] if is_reversed else pairs
    (first,), (second,) = written_twice(
        "mjcf", replace(scene, excluded_pairs=tuple(pairs)), tmp_path
    )
    excluded = [tuple(each.attrib.values()) for each in ET.fromstring(first).iter("exclude")]
    names = sorted(scene.names[body] for body in bodies)
    assert excluded == [(names[0], names[1]), (names[0], names[2])]
    assert second == first


def test_origins_near_a_quarter_turn_of_pitch_are_fixed() -> None:
    """As robots have them that give 1.5708: roll and yaw are nearly about one axis there."""
    for pitch in (1.5708, -1.5708, 1.57, 1.570796, math.pi / 2.0):
        for yaw in (0.0, 0.3, 3.14159, math.pi, -math.pi, -2.0):
            matrix = Origin((1.0, 2.0, 3.0), (0.7, pitch, yaw)).matrix()
            once = origin_of_matrix(matrix)
            assert np.abs(once.matrix() - matrix).max() < 1e-12
            assert origin_of_matrix(once.matrix()) == once


OF_OTHERS = """<mujoco model="leg"><compiler angle="radian"/><worldbody>
<body name="leg" pos="0 0 1">
<inertial pos="0.1 0 0" quat="0.3 0.4 0.5 0.6" mass="1.013" diaginertia="0.0055 0.00513 0.00065"/>
<joint name="thigh" axis="0 1 0" range="-1.0472 4.18879" damping="2"/>
<geom name="shin" type="capsule" size="0.011207 0.011436" quat="0 0.449008688672 0 0.8935"/>
</body></worldbody></mujoco>"""


def test_file_of_others_is_written_alike_twice(tmp_path: Path) -> None:
    """Its range reaches beyond half a turn, and its quaternions are not of unit length."""
    (row,) = (each for each in FORMATS if each.name == "mjcf")
    path = tmp_path / "leg.xml"
    path.write_text(OF_OTHERS)
    (text,), (second,) = written_twice("mjcf", row.read(Source(path=path))[0].scene, tmp_path)
    assert second == text
    assert b'range="-1.0472 4.18879" damping="2.0"' in text
    assert b'diaginertia="0.0055 0.00513 0.00065"' in text


def test_normals_of_stl_are_those_of_its_points() -> None:
    mesh = MeshData(np.array([(0, 0, 0), (0.1, 0.7, 0), (0.3, 0, 1 / 3)]), np.array([(0, 1, 2)]))
    once = stl_from_mesh(mesh)
    assert stl_from_mesh(mesh_from_stl(once)) == once
