"""URDF with faults, and of odd sizes: a finding or one line, never more."""

import numpy as np
import pytest

from omi_joints_addon.core.meaning.presets import Preset, preset_settings
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import UnreadableError
from tests.cases import cases
from tests.core.damaged_files import Attack
from tests.core.physics_scenes import door
from tests.core.urdf_robots import (
    INERTIAL,
    joint,
    link,
    read,
    robot,
    write,
)

REFUSED = [
    ("", "line 1"),
    ("<robot>", "line 1, column 8"),
    ("<sdf/>", "SDF"),
    ("<mujoco/>", "MJCF"),
    ("<html/>", "root 'html'"),
    ("<robot/>", "no links"),
    ('<!DOCTYPE r [<!ENTITY a "b">]><robot><link name="&a;"/></robot>', "DOCTYPE"),
    ('<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:macro/></robot>', "xacro FILE"),
    (f"<robot>{'<a>' * 300}{'</a>' * 300}</robot>", "deep"),
    ('<?xml version="1.0" encoding="nonsense"?><robot/>', "not valid XML"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_refused_says_why_in_one_line(tmp_path, text, reason):
    with pytest.raises(UnreadableError, match=reason) as caught:
        read(text, tmp_path)
    assert "\n" not in str(caught.value)


FAULTS = [
    (joint("j", "revolving", "a", "b"), "OMI-J471"),
    ('<joint name="j" type="fixed"/>', "OMI-J471"),
    (joint("j", "fixed", "a", "nowhere"), "OMI-J471"),
    (joint("j", "fixed", "a", "a"), "OMI-J471"),
    (link("b"), "OMI-J472"),
    (joint("j", "revolute", "a", "b"), "OMI-J475"),
    (joint("j", "revolute", "a", "b", '<limit lower="1" upper="0"/>'), "OMI-J475"),
    (joint("j", "revolute", "a", "b", '<limit effort="1"/>'), "OMI-J476"),
    (joint("j", "continuous", "a", "b", '<mimic joint="none"/>'), "OMI-J477"),
    (joint("j", "continuous", "a", "b", '<axis xyz="0 0 0"/>'), "OMI-J486"),
    (joint("j", "continuous", "a", "b", '<axis xyz="0 0"/>'), "OMI-J470"),
    (joint("j", "continuous", "a", "b", '<origin xyz="nan 0 0"/>'), "OMI-J470"),
    (link("c", "<visual/>"), "OMI-J471"),
    (link("c", "<visual><geometry><torus/></geometry></visual>"), "OMI-J481"),
    (
        link("c") + link("d") + joint("j", "fixed", "c", "d") + joint("k", "fixed", "d", "c"),
        "OMI-J480",
    ),
    (link("c", "") + joint("j", "continuous", "a", "c"), "OMI-J473"),
    (link("c", INERTIAL.replace("0.25", "9")), "OMI-J483"),
]


@pytest.mark.parametrize(("element", "code"), FAULTS)
def test_faults_cost_only_themselves(tmp_path, element, code):
    found = read(robot(link("a"), link("b"), element), tmp_path)
    assert code in [finding.code for finding in found.findings]
    assert {"a", "b"} <= set(found.scene.names)


def test_a_joint_that_follows_a_fixed_one_moves_by_itself_and_is_named(tmp_path):
    """MoveIt and Gazebo refuse such a `mimic` as well; its offset is not a position to hold."""
    limit = '<axis xyz="0 0 1"/><limit lower="-1" upper="2"/>'
    lid = joint("lid", "revolute", "b", "c", f'{limit}<mimic joint="f" offset="0.5"/>')
    found = read(
        robot(link("a"), link("b"), link("c"), joint("f", "fixed", "a", "b"), lid), tmp_path
    )
    (fault,) = (each for each in found.findings if each.code == "OMI-J477")
    assert fault.message == "mimics 'f', which is fixed; it moves independently"
    assert not found.scene.couplings
    (moving,) = (each for each in found.scene.joints if found.scene.names[each.node] == "lid")
    assert moving.settings.limits[-1].max == 2.0


def test_what_hangs_from_a_circle_of_links_stays(tmp_path):
    """The joint written last makes the circle; it closes a loop, and all else is as without it."""
    chain = joint("j", "fixed", "a", "b") + joint("k", "continuous", "b", "c")
    sound = read(robot(link("a"), link("b"), link("c"), chain), tmp_path)
    back = joint("back", "continuous", "c", "a", '<origin xyz="0 0 1"/>')
    found = read(robot(link("a"), link("b"), link("c"), chain + back), tmp_path)
    assert [each.place for each in found.findings if each.code == "OMI-J480"] == ["back"]
    kept = [found.scene.names[each.node] for each in found.scene.joints]
    assert len(kept) == len(sound.scene.joints) + 1
    for name in ("a", "b", "c"):
        one, other = (each.scene for each in (sound, found))
        place = other.matrices[other.names.index(name)]
        assert place == pytest.approx(one.matrices[one.names.index(name)])


RICH = robot(
    link("a", ""),
    link("b", INERTIAL + '<visual><geometry><box size="1 2 3"/></geometry></visual>'),
    link("c"),
    link("d", ""),
    joint("j", "revolute", "a", "b", '<axis xyz="0 0 1"/><limit lower="-1" upper="4"/>'),
    joint("k", "prismatic", "b", "c", '<limit lower="0" upper="1"/><mimic joint="j" offset="2"/>'),
    joint("l", "fixed", "c", "d", '<origin xyz="1 2 3" rpy="1 2 3"/>'),
    '<omi_joint name="k" digest="">{"settings":{}}</omi_joint>'
    '<omi_scene name="" digest="">5</omi_scene>',
)


@pytest.mark.fuzz
def test_mutations_are_read_or_refused(tmp_path, tally):
    carried = write(door(preset_settings(Preset.PIN)), tmp_path).files["out.urdf"].decode()

    def damaged(number, source):
        return mutated((RICH, carried)[number % 2], source)

    Attack("URDF", damaged, read, write).run(cases(60, 2000), tmp_path, tally)


def mutated(text, chance):
    """Return the text with a few letters exchanged for words."""
    letters = list(text)
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(letters))
        letters[place : place + chance.randint(0, 4)] = chance.choice(
            ["", "<", "/>", '"', "0", "-1", "nan", "1e999", " ", "link", "fixed", "{", "]"]
        )
    return "".join(letters)


@pytest.mark.parametrize("axes", ["[0,10,2]", "[2,0]", "[0,0]", "[-1]", "[true]"])
def test_kept_limits_of_axes_that_there_are_not_are_told(axes, tmp_path):
    text = write(door(preset_settings(Preset.PIN)), tmp_path).files["out.urdf"].decode()
    found = read(text.replace('"linear_axes":[0,1,2]', f'"linear_axes":{axes}'), tmp_path)
    assert [item.code for item in found.findings] == ["OMI-J487"]
    assert {"Wall", "Door"} <= set(found.scene.names)


def test_long_chains_need_no_recursion(tmp_path):
    count = 1200
    links = (link(f"l{n}") for n in range(count))
    joints = (joint(f"j{n}", "continuous", f"l{n - 1}", f"l{n}") for n in range(1, count))
    scene = read(robot(*links, *joints), tmp_path).scene
    assert len(scene.joints) == count - 1
    assert len(read(write(scene, tmp_path).files["out.urdf"], tmp_path).scene.joints) == count - 1


def test_an_empty_scene_is_a_robot_with_the_link_world(tmp_path):
    empty = PhysicsScene(names=(), parents=np.zeros(0, np.intp), matrices=np.zeros((0, 4, 4)))
    assert b'<link name="world" />' in write(empty, tmp_path).files["out.urdf"]
