"""SDF: places as libsdformat resolves them, what models say, written files and edits in place."""

import json
import math
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import omi_joints
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.core.meaning.recognition import JointKind
from omi_joints_addon.core.model.body import MotionType
from omi_joints_addon.core.model.pose import Pose, matrix_from_pose
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.core.model.shape import Box, Capsule
from omi_joints_addon.io.formats.format import Read, Source, UnreadableError
from omi_joints_addon.io.formats.origins import Origin
from omi_joints_addon.io.formats.sdf import SDF

DATA = Path(__file__).resolve().parents[1] / "data" / "sdf"
EXPECTED: dict[str, dict[str, list[float]]] = json.loads((DATA / "expected.json").read_text())


def read(path: Path, *folders: Path) -> Read:
    (found,) = SDF.read(Source(path=path, folders=folders))
    return found


def model(tmp_path: Path, body: str, version: str = "1.9") -> Read:
    """Return what is read of a model with these elements."""
    path = tmp_path / "model.sdf"
    path.write_text(f'<sdf version="{version}"><model name="m">{body}</model></sdf>')
    return read(path)


def codes(found: Read) -> list[str]:
    return [each.code for each in found.findings]


LINK = "<link name='{}'><inertial><mass>{}</mass></inertial></link>"
TWO = LINK.format("a", 1.5) + LINK.format("b", 0.4)


def _matrix(values: list[float]) -> np.ndarray:
    w, x, y, z = values[3:]
    return matrix_from_pose(Pose(np.array(values[:3]), np.array((x, y, z, w))))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_everything_is_where_libsdformat_has_it(name: str) -> None:
    scene = read(DATA / f"{name}.sdf", DATA).scene
    nodes = {each: number for number, each in enumerate(scene.names)}
    joints = {scene.names[joint.node]: joint for joint in scene.joints}
    seen = 0
    for key, values in EXPECTED[name].items():
        kind, path = key.split(" ")
        last = path.split("::")[-1]
        if kind == "link":
            assert scene.matrices[nodes[last]] == pytest.approx(_matrix(values), abs=1e-9), key
        elif kind == "joint" and last in joints:
            at = scene.matrices[joints[last].node, :3, 3]
            assert at == pytest.approx(values[:3], abs=1e-9), key
        elif kind == "axis" and last in joints:
            number = 0 if omi_joints.recognize(joints[last].settings) == JointKind.SLIDER else 2
            axis = -scene.matrices[joints[last].node, :3, number]
            assert axis == pytest.approx(values, abs=1e-9), key
        elif kind == "com":
            center = scene.motions[nodes[last]].center_of_mass
            assert center == pytest.approx(values[:3], abs=1e-12), key
        seen += 1
    assert seen == len(EXPECTED[name])


def test_what_a_model_says_is_in_the_scene() -> None:
    scene = omi_joints.read(DATA / "frames.sdf")
    turn, lift = scene.joint("turn"), scene.joint("lift")
    assert (turn.parent.name, turn.child.name) == ("world", "mast")
    assert (turn.effort, turn.velocity) == (math.inf, math.inf)  # 12.5 does not limit the spring
    assert (lift.lower, lift.upper) == (-0.07, 0.35)
    (drive,) = turn.settings.drives
    assert (drive.stiffness, drive.damping) == (3.5, 0.7)
    assert turn.joint.attributes.friction == 0.05
    assert scene.joint("swivel").kind == JointKind.PIN
    boom, mast = scene.body("boom"), scene.body("mast")
    assert boom.motion.gravity_factor == 0.0
    assert mast.mass == 2.3
    (shape,) = mast.shapes
    assert shape == Box(size=(0.1, 0.2, 0.3))
    (collider,) = scene.colliders.values()
    assert collider.material is not None
    assert collider.material.static_friction == 0.7


def test_a_link_without_inertial_weighs_what_the_specification_says() -> None:
    found = read(DATA / "old.sdf", DATA)
    post = found.scene.names.index("post")
    assert found.scene.motions[post].type == MotionType.STATIC
    assert found.scene.motions[post].mass == 1.0
    assert "OMI-J523" in codes(found)
    assert found.scene.gravity == (0.0, 0.0, -9.8)


def test_bounds_without_end_are_none_and_crossed_ones_are_reported(tmp_path: Path) -> None:
    joint = (
        "<joint name='{0}' type='revolute'><parent>a</parent><child>b</child>"
        "<axis><limit><lower>{1}</lower><upper>{2}</upper></limit></axis></joint>"
    )
    found = model(tmp_path, TWO + joint.format("free", -1e16, 1e16))
    assert omi_joints.Scene.of(found.scene).joint("free").upper == math.inf
    found = model(tmp_path, TWO + joint.format("crossed", 2.0, -1.0))
    assert "OMI-J529" in codes(found)
    found = model(tmp_path, TWO + joint.format("locked", 0.0, 0.0))
    assert omi_joints.Scene.of(found.scene).joint("locked").kind == JointKind.FIXED


@pytest.mark.parametrize(
    ("pitch", "version", "meters"),
    [
        ("<screw_thread_pitch>0.03</screw_thread_pitch>", "1.10", 0.03),
        ("<thread_pitch>-25.0</thread_pitch>", "1.9", 2.0 * math.pi / 25.0),
    ],
)
def test_a_screw_goes_along_as_it_turns(
    tmp_path: Path, pitch: str, version: str, meters: float
) -> None:
    joint = (
        f"<joint name='screw' type='screw'><parent>a</parent><child>b</child><axis/>{pitch}</joint>"
    )
    scene = omi_joints.Scene.of(model(tmp_path, TWO + joint, version).scene)
    turned = scene.posed({"screw": 2.0 * math.pi * 3.0})
    assert turned.body("b").pose.position == pytest.approx((0.0, 0.0, 3.0 * meters), abs=1e-9)


def test_a_universal_joint_turns_about_both_axes_in_a_row(tmp_path: Path) -> None:
    joint = (
        "<joint name='u' type='universal'><parent>a</parent><child>b</child>"
        "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>"
    )
    found = model(tmp_path, TWO + joint)
    scene = omi_joints.Scene.of(found.scene).posed({"u": 0.6, "u 2": -0.4})
    turn = scene.matrices[scene.body("b").node, :3, :3]
    x, y = (_about(axis, angle) for axis, angle in ((0, 0.6), (1, -0.4)))
    assert turn == pytest.approx(x @ y, abs=1e-9)


def _about(axis: int, angle: float) -> np.ndarray:
    one, two = [n for n in range(3) if n != axis]
    matrix = np.eye(3)
    matrix[one, one] = matrix[two, two] = math.cos(angle)
    sign = -1.0 if axis == 1 else 1.0
    matrix[one, two], matrix[two, one] = -sign * math.sin(angle), sign * math.sin(angle)
    return matrix


def test_a_mimic_and_a_gearbox_couple_joints(tmp_path: Path) -> None:
    links = TWO + LINK.format("c", 0.2)
    joint = (
        "<joint name='{0}' type='revolute'><parent>a</parent><child>{1}</child>"
        "<axis><xyz>0 0 1</xyz>{2}</axis></joint>"
    )
    mimic = (
        "<mimic joint='lead' axis='axis'><multiplier>-2</multiplier><offset>0.3</offset>"
        "<reference>0.1</reference></mimic>"
    )
    body = links + joint.format("lead", "b", "") + joint.format("follow", "c", mimic)
    scene = omi_joints.Scene.of(model(tmp_path, body, "1.11").scene)
    posed = scene.posed({"lead": 0.5}).positions()
    assert posed["follow"] == pytest.approx(0.3 - 2.0 * (0.5 - 0.1))
    gear = (
        "<joint name='gear' type='gearbox'><parent>b</parent><child>c</child>"
        "<gearbox_ratio>3.5</gearbox_ratio><gearbox_reference_body>a</gearbox_reference_body></joint>"
    )
    body = links + joint.format("lead", "b", "") + joint.format("follow", "c", "") + gear
    scene = omi_joints.Scene.of(model(tmp_path, body).scene)
    assert scene.posed({"lead": 0.2}).positions()["follow"] == pytest.approx(-0.7)


def test_broken_parts_cost_only_themselves(tmp_path: Path) -> None:
    wrong = (
        "<link name='c'><pose relative_to='nowhere'>0 0 1 0 0 0</pose></link>"
        "<joint name='j' type='revolute'><parent>a</parent><child>missing</child></joint>"
        "<joint name='k' type='wheel'><parent>a</parent><child>b</child></joint>"
        "<link name='d'><pose>1 2 x 0 0 0</pose><inertial><mass>heavy</mass></inertial></link>"
        "<include><uri>https://example.org/models/tree</uri></include>"
        "<frame name='p'><pose relative_to='q'/></frame>"
        "<frame name='q'><pose relative_to='p'/></frame>"
    )
    good = "<joint name='good' type='fixed'><parent>a</parent><child>b</child></joint>"
    found = model(tmp_path, TWO + wrong + good)
    assert {"OMI-J520", "OMI-J521", "OMI-J522", "OMI-J524"} <= set(codes(found))
    assert [found.scene.names[joint.node] for joint in found.scene.joints] == ["good"]
    assert {"a", "b", "d"} <= set(found.scene.names)


@pytest.mark.parametrize(
    "text",
    [
        "<gazebo version='1.0'/>",
        "<robot name='r'/>",
        "<!DOCTYPE sdf><sdf version='1.9'/>",
        "<sdf version='1.9'><model>",
    ],
)
def test_what_is_not_sdf_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.sdf").write_text(text)
    with pytest.raises(UnreadableError):
        SDF.read(Source(path=tmp_path / "x.sdf"))


def test_prefixes_late_declarations_and_comments_are_read(tmp_path: Path) -> None:
    """What Gazebo's parser takes and the standard library's does not."""
    (tmp_path / "x.sdf").write_text(
        "\n<!-- a -- b --><?xml version='1.0'?><sdf version='1.9'><model name='m'>"
        "<gz:system_priority>1</gz:system_priority><link name='a'><inertial><mass><!-- kg -->2.5"
        "</mass></inertial><drake:proximity/></link></model></sdf>"
    )
    assert omi_joints.read(tmp_path / "x.sdf").body("a").mass == 2.5


def test_models_of_other_folders_are_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.sdf"
    outside.write_text(f"<sdf version='1.9'><model name='o'>{LINK.format('far', 1)}</model></sdf>")
    inner = tmp_path / "inner"
    inner.mkdir()
    for uri in ("../outside.sdf", str(outside), f"file://{outside}", "model://../outside.sdf"):
        path = inner / "model.sdf"
        include = f"<include><uri>{uri}</uri></include>"
        path.write_text(f"<sdf version='1.9'><model name='m'>{TWO}{include}</model></sdf>")
        found = read(path)
        assert "OMI-J522" in codes(found), uri
        assert "far" not in found.scene.names


def _same_bodies(one: PhysicsScene, other: PhysicsScene) -> None:
    for node in one.motions:
        name = one.names[node]
        if name != "world":
            again = other.names.index(name)
            assert other.matrices[again] == pytest.approx(one.matrices[node], abs=1e-9), name
            assert other.motions[again].mass == pytest.approx(one.motions[node].mass), name


def test_a_robot_comes_back_from_sdf(repository: Path, tmp_path: Path) -> None:
    arm = omi_joints.read(repository / "omi_joints_addon" / "examples" / "arm.urdf")
    losses = omi_joints.write(arm, tmp_path / "arm.sdf")
    assert not [loss for loss in losses if loss.kind == "changed"]
    again = omi_joints.read(tmp_path / "arm.sdf")
    _same_bodies(arm, again)
    wanted = {"turn": 0.4, "lift": -0.6, "bend": 1.1, "roll": -1.7, "grip": 0.02}
    for name in ("hand", "left_finger", "right_finger"):
        one = arm.posed(wanted).body(name).pose
        other = again.posed(wanted).body(name).pose
        assert other.position == pytest.approx(one.position, abs=1e-9), name
    for joint in arm.moving_joints():
        twin = again.joint(joint.name)
        assert (twin.lower, twin.upper) == pytest.approx((joint.lower, joint.upper)), joint.name
        assert (twin.effort, twin.velocity) == (joint.effort, joint.velocity)


def test_meshes_colors_and_capsules_are_written(tmp_path: Path) -> None:
    build = omi_joints.SceneBuilder()
    corners = [(x, y, z) for x in (0.0, 0.2) for y in (0.0, 0.3) for z in (0.0, 0.5)]
    hull = omi_joints.hull(corners)
    build.add_body("brick", pose=(0.1, 0, 1), shape=hull, mass=2.7, color=(0.6, 0.1, 0.2, 0.5))
    build.add_body("pill", pose=(0.5, 0, 1), shape=omi_joints.capsule(0.07, 0.21), mass=0.3)
    build.hinge("h", "brick", "pill", pivot=(0.3, 0, 1), axis=(0.0, 0.6, 0.8), lower=-0.4)
    omi_joints.write(build.scene(), tmp_path / "two.sdf")
    again = omi_joints.read(tmp_path / "two.sdf")
    assert again.body("pill").shapes == (Capsule(height=0.21, radius_bottom=0.07, radius_top=0.07),)
    (mesh,) = {id(each): each for each in again.meshes}.values()
    assert sorted(map(tuple, mesh.read().points.tolist())) == sorted(corners)
    color = next(v.color for v in again.visuals.values() if v.mesh is not None)
    assert color == pytest.approx((0.6, 0.1, 0.2, 0.5), abs=1e-9)
    assert again.joint("h").lower == pytest.approx(-0.4)


def test_a_pose_near_a_quarter_turn_of_pitch_keeps_its_digits(tmp_path: Path) -> None:
    # The arc sine of a pitch loses half of its digits there: 1e-8 before.
    turn = Origin(rpy=(0.4, math.pi / 2.0 - 3e-6, -1.3)).matrix()
    build = omi_joints.SceneBuilder()
    build.add_body("tilted", pose=turn, shape=omi_joints.sphere(0.05), mass=0.6)
    scene = build.scene()
    omi_joints.write(scene, tmp_path / "tilted.sdf")
    again = omi_joints.read(tmp_path / "tilted.sdf")
    one, other = (each.matrices[each.names.index("tilted")] for each in (scene, again))
    assert other == pytest.approx(one, abs=1e-12)


def test_a_range_of_more_than_a_turn_is_written(tmp_path: Path) -> None:
    bounds = "<limit><lower>-4.71</lower><upper>5.02</upper></limit>"
    text = f"<parent>a</parent><child>b</child><axis><xyz>0 0.6 0.8</xyz>{bounds}</axis>"
    scene = model(tmp_path, f'{TWO}<joint name="j" type="revolute">{text}</joint>').scene
    losses = omi_joints.write(scene, tmp_path / "again.sdf")
    assert not [loss for loss in losses if loss.place == "j"]
    (joint,) = ET.parse(tmp_path / "again.sdf").iter("joint")
    assert joint.get("type") == "revolute"  # libsdformat reads no limits of continuous joints
    found = [float(joint.findtext(f"axis/limit/{side}", "nan")) for side in ("lower", "upper")]
    assert found == pytest.approx([-4.71, 5.02], abs=1e-12)


def test_a_loop_is_written_and_read(tmp_path: Path) -> None:
    build = omi_joints.SceneBuilder()
    y = (0.0, 1.0, 0.0)
    for name, x in (("a", 0.0), ("b", 0.4), ("c", 0.8)):
        build.add_body(name, pose=(x, 0, 0.3), shape=omi_joints.sphere(0.05), mass=0.6)
    build.hinge("1", None, "a", pivot=(0, 0, 0), axis=y)
    build.hinge("2", "a", "b", pivot=(0.2, 0, 0.3), axis=y)
    build.hinge("3", "b", "c", pivot=(0.6, 0, 0.3), axis=y)
    build.hinge("4", None, "c", pivot=(0.8, 0, 0), axis=y)
    omi_joints.write(build.scene(), tmp_path / "loop.sdf")
    again = omi_joints.read(tmp_path / "loop.sdf")
    assert len(again.joints) == 4
    assert sum(not joint.attributes.in_articulation for joint in again.joints) == 1


def test_versions_are_chosen_and_others_refused(tmp_path: Path, repository: Path) -> None:
    arm: Any = omi_joints.read(repository / "omi_joints_addon" / "examples" / "arm.urdf")
    omi_joints.write(arm, tmp_path / "a.sdf")
    assert '<sdf version="1.11">' in (tmp_path / "a.sdf").read_text()
    omi_joints.write(replace(arm, couplings=()), tmp_path / "b.sdf")
    assert '<sdf version="1.9">' in (tmp_path / "b.sdf").read_text()
    losses = omi_joints.write(arm, tmp_path / "c.sdf", sdf_version="1.9")
    assert "coupling" in {loss.noun for loss in losses}
    with pytest.raises(omi_joints.UnwritableError, match=r"unknown version '2\.0'"):
        omi_joints.write(arm, tmp_path / "d.sdf", sdf_version="2.0")


CRANE = DATA / "frames.sdf"


def changed_lines(path: Path, original: Path) -> list[tuple[str, str]]:
    """Return the lines that differ, before and after."""
    pairs = zip(original.read_text().splitlines(), path.read_text().splitlines(), strict=True)
    return [(one.strip(), other.strip()) for one, other in pairs if one != other]


def test_an_unedited_file_comes_back_byte_for_byte(tmp_path: Path) -> None:
    for name in EXPECTED:
        original = DATA / f"{name}.sdf"
        scene = omi_joints.read(original)
        assert not omi_joints.write(scene, tmp_path / f"{name}.sdf", original=original)
        assert (tmp_path / f"{name}.sdf").read_bytes() == original.read_bytes()


def test_an_edited_value_is_one_line(tmp_path: Path) -> None:
    scene = omi_joints.read(CRANE).with_joint("lift", upper=0.41)
    assert not omi_joints.write(scene, tmp_path / "one.sdf", original=CRANE)
    ((before, after),) = changed_lines(tmp_path / "one.sdf", CRANE)
    assert before.replace("<upper>0.35<", "<upper>0.41<") == after
    turned = omi_joints.read(CRANE).with_joint("turn", upper=4.1, friction=0.08)
    assert not omi_joints.write(turned, tmp_path / "two.sdf", original=CRANE)
    texts = [after for _, after in changed_lines(tmp_path / "two.sdf", CRANE)]
    assert "<lower>-0.5</lower><upper>4.1</upper>" in texts[0]
    assert "<friction>0.08</friction>" in texts[1]


def test_a_bound_of_a_continuous_joint_makes_it_revolute(tmp_path: Path) -> None:
    """libsdformat passes over the limits of continuous joints."""
    text = "<parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz></axis>"
    found = model(tmp_path, f'{TWO}<joint name="j" type="continuous">{text}</joint>')
    joint = found.scene.joints[0]
    edited = replace(joint, settings=hinge(min_angle=-0.3, max_angle=1.1))
    scene = replace(found.scene, joints=(edited,))
    original = tmp_path / "model.sdf"
    assert not omi_joints.write(scene, tmp_path / "bound.sdf", original=original)
    (element,) = ET.parse(tmp_path / "bound.sdf").iter("joint")
    assert element.get("type") == "revolute"
    assert omi_joints.read(tmp_path / "bound.sdf").joint("j").upper == pytest.approx(1.1)


def test_an_edited_mass_stays_in_the_axes_of_the_file(tmp_path: Path) -> None:
    scene = omi_joints.read(CRANE)
    mast = scene.body("mast").node
    motion = replace(scene.motions[mast], mass=2.9, center_of_mass=(0.013, 0.0, 0.02))
    edited = replace(scene, motions={**scene.motions, mast: motion})
    assert not omi_joints.write(edited, tmp_path / "mass.sdf", original=CRANE)
    ((_, after),) = changed_lines(tmp_path / "mass.sdf", CRANE)
    assert after == "<pose>0.013 0 0.02 0 0.1 0</pose><mass>2.9</mass>"


def test_a_moved_link_keeps_what_is_relative_to_it_in_place(tmp_path: Path) -> None:
    """All other links stay where they are in the world, by libsdformat's rules."""
    scene = omi_joints.read(CRANE)
    boom = scene.body("boom").node
    matrices = scene.matrices.copy()
    matrices[boom, :3, 3] += (0.11, -0.07, 0.05)
    edited = replace(scene, matrices=matrices)
    omi_joints.write(edited, tmp_path / "moved.sdf", original=CRANE)
    again = omi_joints.read(tmp_path / "moved.sdf")
    for name in ("mast", "boom", "shank"):
        expected = matrices[scene.body(name).node]
        assert again.matrices[again.body(name).node] == pytest.approx(expected, abs=1e-9), name
    for joint in scene.joints:
        twin = again.joint(scene.names[joint.node]).joint
        expected = matrices[joint.node][:3, 3]
        assert again.matrices[twin.node][:3, 3] == pytest.approx(expected, abs=1e-9)
    assert "<!-- Every way" in (tmp_path / "moved.sdf").read_text()


def test_values_of_an_element_that_is_missing_make_one_element(tmp_path: Path) -> None:
    found = model(
        tmp_path,
        """<link name="a"/><link name="b"><pose>0.3 0 0 0 0 0</pose></link>
        <joint name="j" type="prismatic"><parent>a</parent><child>b</child>
        <axis><xyz>1 0 0</xyz></axis></joint>""",
    )
    assert found.document is not None
    scene = found.scene
    (joint,) = scene.joints
    (limit,) = (each for each in joint.settings.limits if each.linear_axes == (1, 2))
    bounds = replace(limit, linear_axes=(0,), min=-0.25, max=0.75)
    settings = replace(joint.settings, limits=(*joint.settings.limits, bounds))
    node = scene.names.index("b")
    motion = replace(scene.motions[node], center_of_mass=(0.0, 0.125, 0.0))
    edited = replace(
        scene,
        joints=(replace(joint, settings=settings),),
        motions={**scene.motions, node: motion},
    )
    omi_joints.write(edited, tmp_path / "edited.sdf", original=found.document.path)
    root = ET.parse(tmp_path / "edited.sdf").getroot()
    assert [each.text for each in root.iterfind(".//limit/*")] == ["-0.25", "0.75"]
    assert len(root.findall(".//limit")) == 1
    link = root.find(".//link[@name='b']")
    assert link is not None
    assert link.findtext("pose") == "0.3 0 0 0 0 0"
    assert link.findtext("inertial/pose") == "0 0.125 0 0 0 0"


def test_a_rename_follows_every_reference(tmp_path: Path) -> None:
    scene = omi_joints.read(CRANE)
    names = [{"boom": "jib", "lift": "run"}.get(name, name) for name in scene.names]
    edited = replace(scene, names=tuple(names))
    assert not omi_joints.write(edited, tmp_path / "jib.sdf", original=CRANE)
    text = (tmp_path / "jib.sdf").read_text()
    assert "boom" not in text
    assert 'canonical_link="jib"' in text
    assert '<pose relative_to="run">' in text
    again = omi_joints.read(tmp_path / "jib.sdf")
    assert again.joint("swivel").parent.name == "jib"


def test_a_deleted_joint_leaves_the_file(tmp_path: Path) -> None:
    scene = omi_joints.read(CRANE)
    left = tuple(joint for joint in scene.joints if scene.names[joint.node] != "swivel")
    omi_joints.write(replace(scene, joints=left), tmp_path / "two.sdf", original=CRANE)
    assert omi_joints.read(tmp_path / "two.sdf").joint_names == ["turn", "lift"]


def test_what_no_scene_holds_is_named_toward_other_formats(tmp_path: Path) -> None:
    plugin = "<plugin name='p' filename='f'><gain>2</gain></plugin>"
    more = "<velocity_decay><linear>0.1</linear></velocity_decay>"
    more += "<visual name='v{}'><geometry><mesh><uri>m.dae</uri><submesh><name>part</name>"
    more += "</submesh></mesh></geometry></visual>"
    path = tmp_path / "model.sdf"
    path.write_text(
        f"<sdf version='1.9'><model name='m'>{TWO.replace('</link>', more + '</link>')}{plugin}"
        "<joint name='j' type='fixed'><parent>a</parent><child>b</child></joint></model></sdf>"
    )
    converted = omi_joints.convert(path, tmp_path / "model.glb")
    nouns = {str(loss.noun): loss.number for loss in converted.losses}
    assert nouns["plugin"] == 1
    assert nouns["velocity_decay"] == 2
    assert nouns["submesh"] == 2  # the whole mesh is shown


@pytest.mark.parametrize("levels", [90, 3000])
def test_deep_models_are_read_or_refused(levels: int, tmp_path: Path) -> None:
    nested = '<model name="m"><link name="l"/>' * levels + "</model>" * levels
    path = tmp_path / "deep.sdf"
    path.write_text(f'<sdf version="1.9"><world name="w">{nested}</world></sdf>')
    if levels < 100:
        assert len(read(path).scene.motions) == levels
    else:
        with pytest.raises(UnreadableError, match="nested more than 100 deep"):
            read(path)


@pytest.mark.slow
def test_models_that_include_each_other_twice_and_twice_end(tmp_path: Path) -> None:
    """Fifteen small files would make 14 million models."""
    for number in range(15):
        folder = tmp_path / f"m{number}"
        folder.mkdir()
        (folder / "model.config").write_text("<model><sdf>model.sdf</sdf></model>")
        inner = f"<include><uri>m{number + 1}</uri></include>" * 3
        text = f'<sdf version="1.9"><model name="m">{inner}<link name="l"/></model></sdf>'
        (folder / "model.sdf").write_text(text)
    path = tmp_path / "bomb.sdf"
    path.write_text('<sdf version="1.9"><include><uri>m0</uri></include></sdf>')
    with pytest.raises(UnreadableError, match="includes more than 10000 models"):
        read(path)
