"""URDF in and out: poses against plain kinematics of the text, and every noun."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from omi_joints_addon.core.checks.differences import differences
from omi_joints_addon.core.checks.matching import matched_by_name
from omi_joints_addon.core.findings.loss import How, Noun
from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.core.meaning.recognition import JointKind, joint_kind
from omi_joints_addon.core.model.body import Motion
from omi_joints_addon.core.model.joint import DriveType, JointDrive
from omi_joints_addon.core.model.pose import Pose, matrix_from_pose
from omi_joints_addon.core.model.shape import Box, Convex, Cylinder, Sphere
from omi_joints_addon.io.formats.meshes.stl import stl_from_mesh
from omi_joints_addon.io.formats.origins import Origin, origin_of_matrix
from tests.core.physics_scenes import door
from tests.core.test_mesh_files import TETRAHEDRON
from tests.core.urdf_robots import (
    INERTIAL,
    arm,
    joint,
    link,
    read,
    robot,
    scene_kinematics,
    text_kinematics,
    write,
)

numbers = st.floats(-2.0, 2.0).map(lambda value: round(value, 3))
vectors = st.tuples(numbers, numbers, numbers)
quarter = st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi]) | numbers
turns = st.tuples(quarter, quarter, quarter)
axes = vectors.filter(lambda axis: np.linalg.norm(axis) > 0.1) | st.sampled_from(
    [(0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
)
limits = st.tuples(st.floats(-3.0, 0.0), st.floats(0.1, 4.0))


def spaced(values) -> str:
    return " ".join(map(repr, values))


@st.composite
def robots(draw) -> str:
    """Return the text of a random tree of links."""
    count = draw(st.integers(1, 6))
    elements = [link("l0", draw(st.sampled_from(["", INERTIAL])))]
    for number in range(1, count):
        kind = draw(st.sampled_from(["revolute", "continuous", "prismatic", "fixed"]))
        lower, upper = draw(limits)
        inner = f'<origin xyz="{spaced(draw(vectors))}" rpy="{spaced(draw(turns))}"/>'
        inner += f'<axis xyz="{spaced(draw(axes))}"/>'
        if kind in ("revolute", "prismatic"):
            inner += f'<limit lower="{lower}" upper="{upper}" effort="3" velocity="2"/>'
        parent = f"l{draw(st.integers(0, number - 1))}"
        elements += [link(f"l{number}"), joint(f"j{number}", kind, parent, f"l{number}", inner)]
    return robot(*elements)


@given(robots(), st.lists(st.floats(-1.5, 1.5), min_size=6, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_links_are_where_the_text_says_at_any_angles(tmp_path, text, angles):
    values = {f"j{number}": angle for number, angle in enumerate(angles)}
    scene = read(text, tmp_path).scene
    poses = scene_kinematics(scene, values)
    for name, matrix in text_kinematics(text, values).items():
        assert poses[name] == pytest.approx(matrix, abs=1e-9)


@given(robots(), st.lists(st.floats(-1.5, 1.5), min_size=6, max_size=6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_written_trees_move_as_the_ones_read_and_keep_every_field(tmp_path, text, angles):
    values = {f"j{number}": angle for number, angle in enumerate(angles)}
    scene = read(text, tmp_path).scene
    written = write(scene, tmp_path)
    assert [loss for loss in written.losses if loss.how != How.CARRIED] == []
    out = written.files["out.urdf"]
    again = read(out, tmp_path).scene
    assert differences(scene, again, matched_by_name(scene, again)) == []
    before, after = text_kinematics(text, values), text_kinematics(out, values)
    for name, matrix in before.items():
        assert after[name] == pytest.approx(matrix, abs=1e-9)


def test_limits_keep_their_numbers_and_signs(tmp_path):
    scene = read(arm('<axis xyz="0 0 1"/><limit lower="-1" upper="2"/>'), tmp_path).scene
    (found,) = scene.joints
    assert joint_kind(found.settings) == JointKind.HINGE
    assert (found.settings.limits[-1].min, found.settings.limits[-1].max) == (-1.0, 2.0)
    assert scene.parents[found.node] == scene.names.index("tip")
    assert scene.parents[found.connected] == scene.names.index("base")


def test_ranges_beyond_half_a_turn_are_exact_and_come_back(tmp_path):
    """The Panda's sixth joint."""
    text = arm('<axis xyz="0 0 1"/><limit lower="-0.02" upper="3.75" effort="1" velocity="1"/>')
    scene = read(text, tmp_path).scene
    limit = scene.joints[0].settings.limits[-1]
    assert (limit.min, limit.max) == pytest.approx((-1.885, 1.885))
    out = write(scene, tmp_path).files["out.urdf"]
    assert b'lower="-0.02' in out
    element = read(out, tmp_path).scene.joints[0].settings.limits[-1]
    assert (element.min, element.max) == pytest.approx((-1.885, 1.885), abs=1e-15)


def test_ranges_of_a_turn_are_free_and_carried(tmp_path):
    found = read(arm('<limit lower="-6.28318" upper="6.28318" effort="1" velocity="1"/>'), tmp_path)
    assert [finding.code for finding in found.findings] == ["OMI-J474"]
    assert len(found.scene.joints[0].settings.limits) == 2
    out = write(found.scene, tmp_path).files["out.urdf"]
    assert b'type="revolute"' in out
    assert b'lower="-6.28318" upper="6.28318"' in out


def test_effort_velocity_friction_and_damping(tmp_path):
    inner = (
        '<limit lower="0" upper="1" effort="7" velocity="3"/><dynamics damping="2" friction="4"/>'
    )
    (found,) = read(arm(inner, "prismatic"), tmp_path).scene.joints
    attributes = found.attributes
    assert (attributes.effort, attributes.velocity, attributes.friction) == (7.0, 3.0, 4.0)
    brake = JointDrive(type=DriveType.LINEAR, axis=0, velocity_target=0.0, damping=2.0)
    assert found.settings.drives == (brake,)


def test_inertia_is_about_the_centre_of_mass_in_the_axes_of_its_origin(tmp_path):
    inertial = (
        '<inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="4"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial>'
    )
    (motion,) = read(robot(link("a", inertial)), tmp_path).scene.motions.values()
    assert motion == Motion(
        mass=4.0,
        center_of_mass=(1.0, 2.0, 3.0),
        inertia_diagonal=(1.0, 2.0, 2.5),
        inertia_orientation=pytest.approx((0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5))),
    )


@pytest.mark.parametrize(
    ("base", "root", "expected"),
    [
        ("auto", "", "static"),
        ("auto", INERTIAL, "dynamic"),
        ("fixed", INERTIAL, "static"),
        ("floating", INERTIAL, "dynamic"),
    ],
)
def test_base(tmp_path, base, root, expected):
    text = robot(link("a", root), link("b"), joint("j", "continuous", "a", "b"))
    scene = read(text, tmp_path, base=base).scene
    assert scene.motions[scene.names.index("a")].type == expected


def test_floating_base_without_mass_is_a_frame_on_the_link_that_is_fixed_to_it(tmp_path):
    text = robot(link("base", ""), link("trunk"), joint("j", "fixed", "base", "trunk"))
    scene = read(text, tmp_path, base="floating").scene
    base, trunk = (scene.names.index(name) for name in ("base", "trunk"))
    assert (list(scene.motions), scene.parents[base], scene.joints) == ([trunk], trunk, ())


def test_links_without_mass_are_frames_and_written_again(tmp_path):
    text = robot(link("a"), link("tool", ""), joint("j", "fixed", "a", "tool"))
    scene = read(text, tmp_path).scene
    assert (scene.joints, list(scene.motions)) == ((), [0])
    assert scene.parents[scene.names.index("tool")] == 0
    assert b'<link name="tool" />' in write(scene, tmp_path).files["out.urdf"]


def test_mimic_is_a_coupling_that_counts_moved_zeros(tmp_path):
    limit = '<limit lower="0" upper="4" effort="1" velocity="1"/>'
    text = robot(
        link("a", ""),
        link("b"),
        link("c"),
        joint("j", "revolute", "a", "b", limit),
        joint("k", "revolute", "b", "c", f'{limit}<mimic joint="j" multiplier="2" offset="0.5"/>'),
    )
    (coupling,) = read(text, tmp_path).scene.couplings
    # Both zeros are moved by 2: k + 2 = 2 (j + 2) + 0.5.
    assert (coupling.joint, coupling.source) == (1, 0)
    assert coupling.coefficients == pytest.approx((2.5, 2.0))
    out = write(read(text, tmp_path).scene, tmp_path).files["out.urdf"]
    assert b'<mimic joint="j" multiplier="2" offset="0.5" />' in out


@pytest.mark.parametrize("noise", [-4e-16, 4e-16])
def test_digits_that_depend_on_the_processor_are_not_written(tmp_path, noise):
    limit = '<limit lower="0" upper="4" effort="1" velocity="1"/>'
    scene = read(
        robot(link("a"), link("b"), joint("j", "revolute", "a", "b", limit)), tmp_path
    ).scene
    connected = scene.joints[0].connected
    matrices = scene.matrices.copy()
    matrices[connected, :3, :3] += noise
    out = write(replace(scene, matrices=matrices), tmp_path).files["out.urdf"]
    assert b'<limit lower="0" upper="4" effort="1" velocity="1" />' in out


def test_shapes_materials_and_meshes(tmp_path):
    (tmp_path / "part.stl").write_bytes(stl_from_mesh(TETRAHEDRON))
    parts = (
        '<visual name="v"><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry>'
        '<material name="red"><color rgba="1 0.5 0 1"/></material></visual>'
        '<collision name="s"><geometry><sphere radius="2"/></geometry></collision>'
        '<collision name="c"><geometry><cylinder radius="2" length="5"/></geometry></collision>'
        '<collision name="m"><geometry><mesh filename="part.stl" scale="2 2 -2"/></geometry>'
        "</collision>"
    )
    scene = read(robot(link("a", INERTIAL + parts)), tmp_path).scene
    node = {name: number for number, name in enumerate(scene.names)}
    visual = scene.visuals[node["v"]]
    assert visual.shape == Box(size=(1.0, 2.0, 3.0))
    assert visual.color == pytest.approx((1.0, 0.21404114, 0.0, 1.0))
    assert scene.colliders[node["s"]].shape == Sphere(radius=2.0)
    assert scene.colliders[node["c"]].shape == Cylinder(
        height=5.0, radius_bottom=2.0, radius_top=2.0
    )
    assert scene.colliders[node["m"]].shape == Convex(mesh=0)
    assert np.diag(scene.matrices[node["m"]]).tolist() == [2.0, 2.0, -2.0, 1.0]
    assert len(scene.meshes[0].read().triangles) == 4
    written = write(scene, tmp_path)
    assert set(written.files) == {"out.urdf", "meshes/out_part.obj"}
    again = read(written.files["out.urdf"], tmp_path).scene
    assert differences(scene, again, matched_by_name(scene, again)) == []
    assert np.sort(again.meshes[0].read().points, axis=0) == pytest.approx(
        np.sort(TETRAHEDRON.points, axis=0)
    )


@pytest.mark.parametrize(
    ("uri", "is_found"),
    [
        ("package://robots/meshes/part.stl", True),
        ("../meshes/part.stl", True),
        ("package://other/part.stl", False),
        ("package://robots/../secret.stl", False),
        ("package://up/secret.stl", False),
        ("package:///secret.stl", False),
        ("../../secret.stl", False),
        ("file:///etc/passwd", False),
        ("http://127.0.0.1/part.stl", False),
        ("", False),
    ],
)
def test_meshes_are_found_in_their_package_and_nowhere_else(tmp_path, uri, is_found):
    package = tmp_path / "up" / "robots"
    for folder in ("urdf", "meshes"):
        (package / folder).mkdir(parents=True)
    (package / "package.xml").write_text("<package/>")
    for place in (package / "meshes" / "part.stl", tmp_path / "up" / "secret.stl"):
        place.write_bytes(stl_from_mesh(TETRAHEDRON))
    part = f'<visual><geometry><mesh filename="{uri}"/></geometry></visual>'
    found = read(robot(link("a", part)), package / "urdf")
    assert bool([f for f in found.findings if f.code == "OMI-J482"]) != is_found
    (mesh,) = found.scene.meshes
    if is_found:
        assert len(mesh.read().triangles) == 4
    else:
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            mesh.read()


def test_packages_may_be_named(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.stl").write_bytes(stl_from_mesh(TETRAHEDRON))
    part = '<visual><geometry><mesh filename="package://x/a.stl"/></geometry></visual>'
    found = read(robot(link("a", part)), tmp_path, package=f"x={tmp_path / 'elsewhere'}")
    assert len(found.scene.meshes[0].read().triangles) == 4


def test_second_parents_close_loops_and_are_carried(tmp_path):
    text = robot(
        *(link(name) for name in "abc"),
        joint("j", "continuous", "a", "b"),
        joint("k", "continuous", "b", "c"),
        joint("l", "continuous", "a", "c"),
    )
    found = read(text, tmp_path)
    assert [finding.code for finding in found.findings] == ["OMI-J479"]
    assert len(found.scene.joints) == 3
    written = write(found.scene, tmp_path)
    assert (Noun.JOINT, How.CARRIED) in {(loss.noun, loss.how) for loss in written.losses}
    again = read(written.files["out.urdf"], tmp_path).scene
    assert differences(found.scene, again, matched_by_name(found.scene, again)) == []


@pytest.mark.parametrize("preset", Preset)
def test_every_preset_comes_back_from_its_carrier(tmp_path, preset):
    scene = replace(door(preset_settings(preset)), name="door")
    written = write(scene, tmp_path)
    again = read(written.files["out.urdf"], tmp_path).scene
    assert differences(scene, again, matched_by_name(scene, again)) == []


@pytest.mark.parametrize("turn", [(-0.453, -0.216, -2.02, -0.232), (-0.865, 3.323, 0.226, -0.353)])
def test_what_is_carried_counts_beside_an_oblique_axis(tmp_path, turn):
    # A unit axis that was divided by its length again had another last digit.
    scene = door(preset_settings(Preset.SUSPENSION_SPRING))
    matrices = scene.matrices.copy()
    matrices[2:] = matrix_from_pose(Pose(np.zeros(3), np.array(turn) / np.linalg.norm(turn)))
    written = write(replace(scene, name="door", matrices=matrices), tmp_path)
    again = read(written.files["out.urdf"], tmp_path)
    assert "OMI-J487" not in [finding.code for finding in again.findings]
    (drive,) = again.scene.joints[0].settings.drives
    assert drive.stiffness == 1000.0


def test_what_is_carried_counts_only_while_the_urdf_stays(tmp_path):
    scene = door(preset_settings(Preset.SUSPENSION_SPRING))
    out = write(scene, tmp_path).files["out.urdf"].decode()
    edited = out.replace('upper="0.1"', 'upper="0.3"')
    assert edited != out
    found = read(edited, tmp_path)
    assert "OMI-J487" in [finding.code for finding in found.findings]
    (drive,) = found.scene.joints[0].settings.drives
    assert (drive.stiffness, drive.damping) == (0.0, 20.0)
    assert found.scene.joints[0].settings.limits[-1].max == 0.3


def test_other_elements_are_kept(tmp_path):
    inner = '<axis xyz="1 0 0"/><safety_controller k_velocity="10"/>'
    text = robot(
        link("base", ""),
        link("tip", INERTIAL + "<sensing/>"),
        joint("j", "continuous", "base", "tip", inner),
        '<gazebo reference="tip"><gravity>0</gravity></gazebo>',
    )
    out = write(read(text, tmp_path).scene, tmp_path).files["out.urdf"]
    for part in (b"<gazebo", b"<sensing", b'k_velocity="10"'):
        assert part in out


@given(st.tuples(vectors, st.tuples(quarter, quarter, quarter)))
def test_angles_of_a_matrix_give_the_matrix(pose):
    matrix = Origin(*pose).matrix()
    assert origin_of_matrix(matrix).matrix() == pytest.approx(matrix, abs=1e-12)


def test_written_files_load_in_other_parsers(tmp_path):
    parser = pytest.importorskip("urdf_parser_py.urdf")
    yourdfpy = pytest.importorskip("yourdfpy")
    for preset in Preset:
        write(door(preset_settings(preset)), tmp_path)
        path = Path(tmp_path / "out.urdf")
        assert parser.URDF.from_xml_string(path.read_bytes()).links
        assert yourdfpy.URDF.load(str(path), load_meshes=False).link_map


def test_written_files_move_in_mujoco_as_the_scene_does(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    text = arm('<origin xyz="0 0 1" rpy="1 2 3"/><axis xyz="0 1 0"/><limit lower="-1" upper="4"/>')
    scene = read(text, tmp_path).scene
    write(scene, tmp_path)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "out.urdf"))
    data = mujoco.MjData(model)
    data.qpos[:] = 0.7
    mujoco.mj_kinematics(model, data)
    expected = scene_kinematics(scene, {"j": 0.7})["tip"]
    assert data.body("tip").xmat.reshape(3, 3) == pytest.approx(expected[:3, :3], abs=1e-9)
    assert data.body("tip").xpos == pytest.approx(expected[:3, 3], abs=1e-9)


def test_two_robots_in_one_folder_have_meshes_of_their_own(tmp_path):
    (tmp_path / "part.stl").write_bytes(stl_from_mesh(TETRAHEDRON))
    part = '<visual><geometry><mesh filename="part.stl"/></geometry></visual>'
    scene = read(robot(link("base", part)), tmp_path).scene
    left, right = ({*write(scene, tmp_path, f"{name}.urdf").files} for name in ("left", "right"))
    assert left == {"left.urdf", "meshes/left_part.obj"}
    assert right == {"right.urdf", "meshes/right_part.obj"}


def test_the_joint_of_a_frame_keeps_its_name(tmp_path):
    text = robot(link("base", INERTIAL), link("tool", ""), joint("tj", "fixed", "base", "tool"))
    written = write(read(text, tmp_path).scene, tmp_path).files["out.urdf"]
    assert b'<joint name="tj" type="fixed">' in written
