"""Links that are moved, scaled, hung otherwise or set free, in the text that they came from.

Judged by other readers of the files: yourdfpy and MuJoCo place the links, ElementTree has the text.
"""

import xml.etree.ElementTree as ET

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.test_exchange_in_place import ROBOT, exported, imported, losses, mjcf_text

LINKS = ["base", "upper", "hand", "finger", "finger2"]


@pytest.fixture
def robot(tmp_path):
    """Import the robot; return its file."""
    return imported(tmp_path)


def move(*names: str, by: Matrix | None = None) -> None:
    """Move objects in the world, and none of those below them."""
    places = {obj: obj.matrix_world.copy() for obj in bpy.data.objects}
    for name in names:
        obj = bpy.data.objects[name]
        places[obj] = (by or Matrix.Translation((0.0, 0.0, 0.1))) @ places[obj]
    for obj in sorted(places, key=lambda each: len(each.children_recursive), reverse=True):
        obj.matrix_world = places[obj]
        bpy.context.view_layer.update()


def remove(*names: str) -> None:
    for name in names:
        bpy.data.objects.remove(bpy.data.objects[name])


def hang(name: str, parent: str) -> None:
    """Put an object below another one, where it is."""
    obj, place = bpy.data.objects[name], bpy.data.objects[name].matrix_world.copy()
    obj.parent = bpy.data.objects[parent]
    obj.matrix_world = place


def hold_by_hand() -> None:
    """Let the world hold the last link, so that the others hang on it the other way round."""
    remove("j1", "j1 Parent")
    for name, parent in (("anchor", None), ("holds", "finger")):
        obj = bpy.data.objects.new(name, None)
        bpy.context.scene.collection.objects.link(obj)
        obj.matrix_world = bpy.data.objects["finger"].matrix_world
        if parent:
            bpy.context.view_layer.update()
            hang(name, parent)
            obj.omi_joint.enabled = True
            obj.omi_joint.connected_object = bpy.data.objects["anchor"]


EDITS = {
    "a fixed link": lambda: move("hand"),
    "a fixed link with what hangs on it": lambda: move(
        "hand", "finger", "finger2", "j2", "j3", "j2 Parent", "j3 Parent"
    ),
    "a body with its joint": lambda: move("finger", "j2", "j2 Parent"),
    "a fixed link removed": lambda: remove("hand"),
    "a body set free": lambda: remove("j2", "j2 Parent"),
    "a body on another one": lambda: hang("j3 Parent", "base"),
    "the first body removed": lambda: remove(
        "base_visual", "base_visual.001", "base_collision", "base", "j1", "j1 Parent"
    ),
    "held at the other end": hold_by_hand,
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_links_of_the_text_are_where_blender_has_them(robot, tmp_path, edit):
    yourdfpy = pytest.importorskip("yourdfpy")
    edit()
    bpy.context.view_layer.update()
    exported(tmp_path)
    read = yourdfpy.URDF.load(str(tmp_path / "out.urdf"), load_meshes=False, build_scene_graph=True)
    there = [name for name in LINKS if name in bpy.data.objects]
    if edit is hold_by_hand:
        # A link has its origin at its joint, which is at its other end now.
        there.remove("upper")
    root = bpy.data.objects.get("base") or bpy.data.objects["upper"]
    top = read.get_transform(root.name)
    for name in there:
        one = np.linalg.solve(top, read.get_transform(name))
        other = np.array(root.matrix_world.inverted() @ bpy.data.objects[name].matrix_world)
        assert np.abs(one[:3, 3] - other[:3, 3]).max() < 2e-6, name
    assert {joint.child for joint in read.robot.joints} | {read.base_link} >= set(there)


def test_a_body_set_free_leaves_no_transmission_of_its_joint(robot, tmp_path):
    remove("j1", "j1 Parent")
    root = ET.fromstring(exported(tmp_path))
    assert root.find("transmission") is None
    assert root.find("joint[@name='j1']") is None
    assert root.find("joint[@name='upper_joint']").get("type") == "floating"


def test_a_joint_that_hangs_the_other_link_keeps_its_transmission(tmp_path):
    imported(tmp_path, ROBOT.replace('<joint name="j1"/></tr', '<joint name="j2"/></tr'))
    hold_by_hand()
    root = ET.fromstring(exported(tmp_path))
    joint = root.find("joint[@name='j2']")
    assert [joint.find(end).get("link") for end in ("parent", "child")] == ["finger", "upper"]
    assert joint.find("limit").get("effort") == "20"
    assert root.find("transmission/joint").get("name") == "j2"


def scale_all(factor: float) -> None:
    """Scale what is in the scene, as an artist does it with an empty above all."""
    rig = bpy.data.objects.new("rig", None)
    for obj in bpy.data.objects:
        if obj.parent is None and obj != rig:
            obj.parent = rig
    bpy.context.scene.collection.objects.link(rig)
    rig.scale = (factor,) * 3
    bpy.context.view_layer.update()


def test_a_scaled_robot_has_longer_links_and_larger_shapes_in_their_places(robot, tmp_path):
    scale_all(2.0)
    root = ET.fromstring(exported(tmp_path))
    assert [link.get("name") for link in root.iter("link")] == LINKS
    box = root.find("link[@name='base']/collision/geometry/box")
    assert box.get("size") == "0.2 0.4 0.6"
    cylinder = root.find("link[@name='upper']/collision/geometry/cylinder")
    assert (cylinder.get("radius"), cylinder.get("length")) == ("0.1", "0.6")
    sphere = root.find("link[@name='base']/visual/geometry/sphere")
    assert sphere.get("radius") == "0.2"
    assert root.find("link/visual/geometry/mesh").get("scale") == "0.002 0.002 0.002"
    assert root.find("joint[@name='j1']/origin").get("xyz") == "0.0 0 0.666"
    assert root.find("link[@name='upper']/inertial/origin").get("xyz") == "0.02 -0.04 0.06"


def test_a_scaled_robot_keeps_its_shapes_when_its_file_is_read_again(robot, tmp_path):
    scale_all(2.0)
    robot.write_bytes(ROBOT.replace("by hand", "again").encode())
    bpy.ops.omi.scene_import(filepath=str(robot))
    root = ET.fromstring(exported(tmp_path))
    assert [link.get("name") for link in root.iter("link")] == LINKS
    assert len(root.findall("link/collision")) == 2


MUJOCO_EDITS = {
    "a body with its joint": lambda: move("finger", "j3", "j3 parent"),
    "a welded body": lambda: move("mount", "mount weld", "mount weld parent"),
    "a body whose joint is gone": lambda: remove("j3", "j3 parent"),
    "a moved body whose joint is gone": lambda: (remove("j3", "j3 parent"), move("finger")),
    "a body on another one": lambda: hang("j3 parent", "upper"),
    "a body removed from between": lambda: remove(
        "mount", "mount weld", "mount weld parent", "j3 parent", "j3"
    ),
}
WELDED = """<mujoco>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="j1" axis="0 1 0"/>
      <geom name="g1" type="capsule" fromto="0 0 0 0 0 .5" size="0.04"/>
      <body name="mount" pos="0.1 0 0.5" euler="30 0 0">
        <geom name="g2" type="box" size=".05 .05 .1"/>
        <body name="finger" pos="0 0 .1">
          <joint name="j3" type="slide" axis="1 0 0" range="0 0.10" pos="0 0 0.01"/>
          <geom name="g3" type="box" size=".01 .01 .1"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("edit", MUJOCO_EDITS.values(), ids=MUJOCO_EDITS)
def test_mujoco_has_bodies_where_blender_has_them(tmp_path, edit):
    mujoco = pytest.importorskip("mujoco")
    path, out = tmp_path / "arm.xml", tmp_path / "out.xml"
    path.write_text(WELDED)
    bpy.ops.omi.scene_import(filepath=str(path))
    edit()
    bpy.context.view_layer.update()
    bpy.ops.omi.scene_export(filepath=str(out))
    model = mujoco.MjModel.from_xml_path(str(out))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for name in ("upper", "mount", "finger"):
        if name in bpy.data.objects:
            place = np.array(bpy.data.objects[name].matrix_world)[:3, 3]
            assert data.body(name).xpos == pytest.approx(place, abs=2e-6), name


def test_a_scaled_model_of_mujoco_is_larger_and_as_heavy(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    path, out = tmp_path / "arm.xml", tmp_path / "out.xml"
    path.write_text(mjcf_text().replace('size="0.1" mass="2"', 'size="0.1"'))
    bpy.ops.omi.scene_import(filepath=str(path))
    scale_all(2.0)
    bpy.ops.omi.scene_export(filepath=str(out))
    old, new = (mujoco.MjModel.from_xml_path(str(each)) for each in (path, out))
    assert new.geom_size == pytest.approx(2.0 * old.geom_size, rel=1e-5)
    assert new.geom_contype.tolist() == old.geom_contype.tolist()
    assert new.geom_group.tolist() == old.geom_group.tolist()
    assert new.body_pos == pytest.approx(2.0 * old.body_pos, abs=1e-5)
    assert new.body_mass == pytest.approx(old.body_mass, rel=1e-5)
    assert new.body_inertia == pytest.approx(old.body_inertia, rel=1e-5)
    assert not [line for line in losses().splitlines() if line.startswith("changed")]
