"""Every noun of URDF is a value of the scene or named in the report."""

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from omi_joints_addon.io.formats.format import Document, Source
from omi_joints_addon.io.formats.urdf import URDF
from omi_joints_addon.io.formats.urdf.held import HELD

ROOT = Path(__file__).resolve().parents[2]
BASE = """<robot name='r'><link name='a'><inertial><origin xyz='0 0 0'/><mass value='1'/>
<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>
<visual name='v'><origin xyz='0 0 0'/><geometry><box size='1 1 1'/></geometry>
<material name='m'><color rgba='1 0 0 1'/><texture filename='t.png'/></material></visual>
<collision name='c'><geometry><sphere radius='1'/></geometry></collision>
<collision><geometry><cylinder radius='1' length='1'/></geometry></collision>
<collision><geometry><capsule radius='1' length='1'/></geometry></collision>
<collision><geometry><mesh filename='x.stl'/></geometry></collision></link>
<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
<link name='d'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
<link name='e'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>
<limit lower='-1' upper='1' effort='3' velocity='3'/><dynamics damping='0' friction='0'/>
<mimic joint='k'/></joint>
<joint name='k' type='continuous'><parent link='a'/><child link='d'/></joint>
<joint name='l' type='continuous'><parent link='a'/><child link='e'/></joint></robot>"""
TEXTS = {
    **{"name": "other", "xyz": "0 1 0", "rpy": "0 0 1", "value": "2", "filename": "y.stl"},
    **{"scale": "2 2 2", "size": "2 2 2", "radius": "2", "length": "2", "rgba": "0 0 1 1"},
    **{"type": "prismatic", "lower": "-.5", "upper": ".5", "effort": "9", "velocity": "9"},
    **{"damping": "2", "friction": "2", "joint": "l", "multiplier": "2", "offset": ".1"},
    **dict.fromkeys(("ixx", "iyy", "izz"), "1.5"),
    **dict.fromkeys(("ixy", "ixz", "iyz"), ".1"),
}
"""Another text for each attribute."""
LINKS = {"parent": "d", "child": "e"}
VALUES = [(tag, name) for tag, names in HELD.items() if "*" not in names for name in sorted(names)]


def _scene(root: ET.Element, folder: Path) -> str:
    path = folder / "robot.urdf"
    path.write_bytes(ET.tostring(root))
    (found,) = URDF.read(Source(path=path))
    scene, messages = found.scene, [each.message for each in found.findings]
    return repr((scene, scene.matrices.tolist(), messages))


@pytest.mark.parametrize(("tag", "name"), VALUES)
def test_what_the_table_calls_a_value_changes_the_scene(tag, name, tmp_path):
    one, other = ET.fromstring(BASE), ET.fromstring(BASE)
    next(other.iter(tag)).set(name, LINKS[tag] if name == "link" else TEXTS[name])
    assert _scene(one, tmp_path) != _scene(other, tmp_path)


@pytest.mark.parametrize(("tag", "name"), VALUES)
def test_every_other_attribute_and_element_is_named(tag, name, tmp_path):
    root = ET.fromstring(BASE)
    next(root.iter(tag)).set("other", "1")
    ET.SubElement(next(root.iter(tag)), "another")
    files = {"robot.urdf": ET.tostring(root)}
    losses = URDF.unheld(Document(format="urdf", path=tmp_path / "robot.urdf", files=files))
    assert {str(loss.noun) for loss in losses} == {f"other of {tag}", "another"}


def test_the_tables_of_the_manual_are_those_of_the_readers():
    spec = importlib.util.spec_from_file_location("nouns_table", ROOT / "tools" / "nouns_table.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.main(["--check"]) == 0
