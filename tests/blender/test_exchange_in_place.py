"""Robots that pass through Blender and go back into their own text.

Judged by the bytes, and for edits by ElementTree on the text as it was.
"""

import difflib
import xml.etree.ElementTree as ET
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix

from omi_joints_addon.cli.main import main
from omi_joints_addon.io.formats.format import Source, UnreadableError
from omi_joints_addon.io.formats.meshes.stl import stl_from_mesh
from omi_joints_addon.io.formats.mjcf import MJCF
from omi_joints_addon.io.formats.shift import SHIFT
from omi_joints_addon.io.formats.urdf import URDF
from tests.core.test_mesh_files import TETRAHEDRON
from tests.core.test_mjcf_in_place import ARM as MJCF_TEXT
from tests.core.test_shift_in_place import TEXT as SHIFT_TEXT
from tests.elsewhere import robots_folder

ROBOT = """<?xml version="1.0"?>
<!-- A robot as people write it, by hand. -->
<robot name="arm-7" xmlns:drake="http://drake.mit.edu">
\t<material name="orange"><color rgba="1.0 0.423529411765 0.04 1"/></material>

\t<link name="base">
\t\t<inertial><mass value="2.50"/>
			<inertia ixx="0.1" ixy="0" ixz="0" iyy="1e-1" iyz="0" izz=".1"/></inertial>
\t\t<visual><geometry><mesh filename="meshes/base.stl" scale="1e-3 1e-3 1e-3"/></geometry>
\t\t\t<material name="orange"/></visual>
\t\t<visual><origin xyz="0 0 .250" rpy="0 1.5708 0"/>
			<geometry><sphere radius="0.10"/></geometry></visual>
\t\t<collision><origin xyz="0 0 0.1"/><geometry><box size="0.1 0.2 0.30"/></geometry></collision>
\t</link>
\t<joint name="j1" type="revolute">
\t\t<origin xyz="0.0 0 0.333" rpy="0.3 1.5707 0.7"/> <!-- near gimbal lock -->
\t\t<parent link="base"/><child link="upper"/>
\t\t<axis xyz="0 0 1"/>
\t\t<limit lower="-2.8973" upper="2.8973" effort="87" velocity="2.1750"/>
\t\t<dynamics damping="0.5"/>
\t\t<safety_controller soft_lower_limit="-2.8" k_position="100" k_velocity="40"/>
\t</joint>
\t<link name="upper">
\t\t<inertial>
\t\t\t<origin xyz="0.01 -0.02 0.03" rpy="0.1 0.2 0.3"/>
\t\t\t<mass value="1.25"/>
\t\t\t<inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.025"/>
\t\t</inertial>
\t\t<collision name="upper_c">
			<geometry><cylinder radius="0.05" length="0.30"/></geometry></collision>
\t</link>
\t<joint name="hand_mount" type="fixed"><parent link="upper"/><child link="hand"/>
\t\t<origin xyz="0 0 0.2"/></joint>
\t<link name="hand"/>
\t<joint name="j2" type="prismatic"><parent link="hand"/><child link="finger"/>
\t\t<origin xyz="0 0.04 0"/><axis xyz="0 1 0"/>
		<limit lower="0" upper="0.04" effort="20" velocity="0.2"/></joint>
\t<link name="finger">
		<inertial><mass value="0.1"/>
			<inertia ixx="1e-5" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/></inertial></link>
\t<joint name="j3" type="prismatic"><parent link="hand"/><child link="finger2"/>
\t\t<origin xyz="0 -0.04 0"/><axis xyz="0 -1 0"/>
		<limit lower="0" upper="0.04" effort="20" velocity="0.2"/>
\t\t<mimic joint="j2"/></joint>
\t<link name="finger2">
		<inertial><mass value="0.1"/>
			<inertia ixx="1e-5" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/></inertial></link>
\t<transmission name="t1">
		<type>transmission_interface/SimpleTransmission</type><joint name="j1"/></transmission>
\t<gazebo reference="hand"><mu1>0.2</mu1></gazebo>
</robot>
"""


@pytest.fixture
def robot(tmp_path) -> Path:
    """Import the robot; return its file."""
    return imported(tmp_path)


def imported(folder: Path, text: str = ROBOT, name: str = "arm.urdf") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    (folder / "meshes").mkdir(exist_ok=True)
    (folder / "meshes" / "base.stl").write_bytes(stl_from_mesh(TETRAHEDRON))
    assert bpy.ops.omi.scene_import(filepath=str(path)) == {"FINISHED"}
    return path


def exported(folder: Path, **options) -> bytes:
    path = folder / "out.urdf"
    assert bpy.ops.omi.scene_export(filepath=str(path), **options) == {"FINISHED"}
    return path.read_bytes()


def changed_lines(data: bytes, text: str = ROBOT) -> list[str]:
    """Return what lines were replaced by, with those that are gone."""
    old, new = text.splitlines(), data.decode().splitlines()
    found = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        line.strip()
        for kind, i, j, k, m in found
        if kind != "equal"
        for line in (new[k:m] or [f"gone: {line.strip()}" for line in old[i:j]])
    ]


def losses() -> str:
    return bpy.data.texts["Exchange Report"].as_string()


def test_a_robot_that_nobody_edited_is_the_same_to_the_byte(robot, tmp_path):
    assert exported(tmp_path) == ROBOT.encode()
    assert "lost" not in losses()


def test_windows_line_ends_and_a_byte_order_mark_stay(tmp_path):
    text = "\ufeff" + ROBOT.replace("\n", "\r\n")
    imported(tmp_path, text)
    assert exported(tmp_path) == text.encode()


def test_saved_and_loaded_it_is_the_same_to_the_byte_with_its_file_gone(robot, tmp_path):
    blend = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.read_homefile(use_empty=True)
    robot.unlink()
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    assert exported(tmp_path) == ROBOT.encode()


def test_an_appended_robot_is_the_same_to_the_byte(robot, tmp_path):
    blend = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(blend)) as (_, data):
        data.collections = ["arm-7"]
    bpy.context.scene.collection.children.link(data.collections[0])
    assert exported(tmp_path) == ROBOT.encode()


def edit_limit():
    limit = bpy.data.objects["j1"].omi_joint.limits[2]
    limit.max = 1.5
    return '<limit lower="-2.8973" upper="1.5" effort="87" velocity="2.1750"/>'


def edit_mass():
    bpy.data.objects["upper"].omi_body.mass = 3.5
    return '<mass value="3.5"/>'


def edit_friction():
    bpy.data.objects["j1"].omi_joint.attributes.friction = 0.25
    return '<dynamics damping="0.5" friction="0.25"/>'


def edit_damping():
    bpy.data.objects["j1"].omi_joint.drives[0].damping = 0.75
    return '<dynamics damping="0.75"/>'


def move_collider():
    bpy.data.objects["base_collision"].location.x += 0.05
    return (
        '<collision><origin xyz="0.05 0 0.1"/>'
        '<geometry><box size="0.1 0.2 0.30"/></geometry></collision>'
    )


def resize_collider():
    bpy.data.objects["upper_c"].omi_body.collider.shape.radius_bottom = 0.06
    bpy.data.objects["upper_c"].omi_body.collider.shape.radius_top = 0.06
    return '<geometry><cylinder radius="0.06" length="0.30"/></geometry></collision>'


@pytest.mark.parametrize(
    "edit", [edit_limit, edit_mass, edit_friction, edit_damping, move_collider, resize_collider]
)
def test_one_edit_is_one_changed_line(robot, tmp_path, edit):
    line = edit()
    assert changed_lines(exported(tmp_path)) == [line]
    assert "lost" not in losses()


def test_a_renamed_link_and_joint_are_renamed_wherever_the_text_names_them(robot, tmp_path):
    bpy.data.objects["hand"].name = "gripper"
    bpy.data.objects["j2"].name = "slide"
    data = exported(tmp_path)
    assert data.decode() == (
        ROBOT.replace('link="hand"', 'link="gripper"')
        .replace('name="hand"', 'name="gripper"')
        .replace('reference="hand"', 'reference="gripper"')
        .replace('name="j2"', 'name="slide"')
        .replace('joint="j2"', 'joint="slide"')
    )


def test_a_renamed_model_is_renamed(robot, tmp_path):
    bpy.data.collections["arm-7"].name = "arm-8"
    assert exported(tmp_path).decode() == ROBOT.replace('name="arm-7"', 'name="arm-8"')


def test_a_deleted_leaf_is_gone_with_its_joint(robot, tmp_path):
    for name in ("finger2", "j3", "j3 Parent"):
        bpy.data.objects.remove(bpy.data.objects[name])
    tree = ET.fromstring(ROBOT)
    for tag, name in (("joint", "j3"), ("link", "finger2")):
        tree.remove(next(e for e in tree.findall(tag) if e.get("name") == name))
    again = ET.fromstring(exported(tmp_path))
    assert ET.canonicalize(ET.tostring(again), strip_text=True) == ET.canonicalize(
        ET.tostring(tree), strip_text=True
    )


def test_a_new_body_and_joint_stand_behind_the_others_in_their_style(robot, tmp_path):
    finger, new = bpy.data.objects["finger"], bpy.data.objects.new("thumb", None)
    bpy.context.scene.collection.objects.link(new)
    new.matrix_world = finger.matrix_world @ Matrix.Translation((0.1, 0.0, 0.0))
    new.omi_body.motion_type = "DYNAMIC"
    new.omi_body.mass = 0.5
    bpy.context.view_layer.update()
    bpy.ops.object.select_all(action="DESELECT")
    new.select_set(True)
    finger.select_set(True)
    bpy.context.view_layer.objects.active = finger
    bpy.ops.omi.joint_add(preset="HINGE")
    data = exported(tmp_path)
    old, new_lines = ROBOT.splitlines(), data.decode().splitlines()
    assert not [line for line in difflib.ndiff(old, new_lines) if line.startswith("-")]
    assert '\t<link name="thumb">' in new_lines
    assert '\t\t<child link="thumb"/>' in new_lines
    links = [e.get("name") for e in ET.fromstring(data).findall("link")]
    assert links == ["base", "upper", "hand", "finger", "finger2", "thumb"]


def test_a_new_color_is_written_at_the_part_alone(robot, tmp_path):
    material = bpy.data.materials.new("Blue")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (0.0, 0.0, 1.0, 1.0)
    obj = bpy.data.objects["base_visual"]
    obj.material_slots[0].material = material
    root = ET.fromstring(exported(tmp_path))
    part = root.find("link/visual/material")
    assert part.get("name") != "orange"
    assert part.find("color").get("rgba") == "0 0 1 1"
    assert root.find("material/color").get("rgba") == "1.0 0.423529411765 0.04 1"


def test_a_robot_that_was_moved_as_a_whole_keeps_its_text_and_the_report_says_so(robot, tmp_path):
    motion = Matrix.Translation((30.0, -4.0, 1.0)) @ Matrix.Rotation(0.7, 4, "Y")
    for obj in bpy.data.objects:
        if obj.parent is None:
            obj.matrix_world = motion @ obj.matrix_world
    assert exported(tmp_path) == ROBOT.encode()
    assert "the model as a whole was moved; the file keeps its own origin" in losses()


def test_two_robots_are_exported_each_from_its_collection(tmp_path):
    imported(tmp_path)
    imported(tmp_path, ROBOT.replace("arm-7", "arm-8"), "arm8.urdf")
    layers = bpy.context.view_layer.layer_collection.children
    for name in ("arm-7", "arm-8"):
        bpy.context.view_layer.active_layer_collection = layers[name]
        data = exported(tmp_path, scope="COLLECTION")
        assert data.decode() == ROBOT.replace("arm-7", name)


def test_a_copied_link_is_new_and_refers_to_the_mesh_of_the_first(robot, tmp_path):
    visual = bpy.data.objects["base_visual"]
    copy = visual.copy()
    copy.location.z += 1.0
    bpy.data.collections["arm-7"].objects.link(copy)
    root = ET.fromstring(exported(tmp_path))
    meshes = [e.get("filename") for e in root.findall("link/visual/geometry/mesh")]
    assert meshes == ["meshes/base.stl", "meshes/base.stl"]
    assert root.findall("link/visual/origin")[-1].get("xyz") == "0 0 1"


def test_an_edited_mesh_is_a_new_file(robot, tmp_path):
    bpy.data.objects["base_visual"].data.vertices[0].co.x += 1.0
    root = ET.fromstring(exported(tmp_path))
    name = root.find("link/visual/geometry/mesh").get("filename")
    assert name != "meshes/base.stl"
    assert (tmp_path / name).is_file()


def test_elsewhere_the_meshes_go_along(robot, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    assert exported(folder) == ROBOT.encode()
    first = (tmp_path / "meshes" / "base.stl").read_bytes()
    assert (folder / "meshes" / "base.stl").read_bytes() == first


def test_a_spring_that_urdf_cannot_say_is_carried_beside_the_unchanged_rest(robot, tmp_path):
    drive = bpy.data.objects["j1"].omi_joint.drives[0]
    drive.stiffness, drive.use_position_target = 30.0, True
    lines = changed_lines(exported(tmp_path))
    assert [line.partition(" ")[0] for line in lines] == ["<omi_joint"]
    assert "changed: j1: drive: " in losses()


def test_written_anew_where_asked(robot, tmp_path):
    data = exported(tmp_path, source="new")
    assert data != ROBOT.encode()
    assert b"by hand" not in data


@pytest.mark.parametrize("suffix", ["urdf", "xml"])
def test_what_was_not_edited_has_the_numbers_of_the_file_in_other_files_too(tmp_path, suffix):
    """Blender holds places in single precision: 0.16 would become 0.1599999964237213."""
    example = Path(__file__).resolve().parents[2] / "omi_joints_addon" / "examples" / "arm.urdf"
    assert main(["convert", str(example), str(tmp_path / "arm.xml")]) == 0
    assert bpy.ops.omi.scene_import(filepath=str(tmp_path / "arm.xml")) == {"FINISHED"}
    bpy.data.objects["left_finger"].location.y += 0.01
    bpy.context.view_layer.update()
    path, right = (tmp_path / f"{name}.{suffix}" for name in ("new", "right"))
    assert bpy.ops.omi.scene_export(filepath=str(path), source="new") == {"FINISHED"}
    assert main(["convert", str(tmp_path / "arm.xml"), str(right)]) == 0
    found, wanted = (numbers(file) for file in (path, right))
    assert found.keys() == wanted.keys()
    unlike = {key for key in found if found[key] != pytest.approx(wanted[key], abs=1e-13)}
    assert unlike
    assert {name for name, _ in unlike} <= {"left_finger", "grip"}


def numbers(file: Path) -> dict[tuple[str, str], list[float]]:
    """Return the places, axes and ranges of the bodies and joints of a file."""
    found = {}
    for element in ET.parse(file).getroot().iter():
        parts = [element, *element.findall("origin"), *element.findall("axis")]
        for part in parts if element.tag in ("body", "joint") and "name" in element.attrib else ():
            for name in ("pos", "quat", "axis", "range", "xyz", "rpy"):
                if name in part.attrib:
                    values = [float(word) for word in part.attrib[name].split()]
                    found[element.attrib["name"], f"{part.tag} {name}"] = values
    return found


@pytest.mark.needs("public robots")
def test_public_robots_that_nobody_edited_are_the_same_to_the_byte(tmp_path):
    files = sorted(robots_folder().rglob("*.urdf"))
    compared = 0
    for path in files:
        try:
            URDF.read(Source(path=path))
        except UnreadableError:
            continue
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.omi.scene_import(filepath=str(path))
        assert exported(tmp_path) == path.read_bytes(), path
        compared += 1
    assert compared > 0.9 * len(files)


def test_the_same_file_updates_its_objects_and_keeps_what_was_edited(robot, tmp_path):
    arm = bpy.data.objects["upper"]
    arm.constraints.new("LIMIT_LOCATION")
    edit_limit()
    bpy.data.objects["hand"].name = "gripper"
    names = set(bpy.data.objects.keys())
    text = ROBOT.replace('mass value="1.25"', 'mass value="4.5"').replace("by hand", "again")
    robot.write_bytes(text.encode())
    bpy.ops.omi.scene_import(filepath=str(robot))
    assert set(bpy.data.objects.keys()) == names
    assert arm.omi_body.mass == 4.5
    assert len(arm.constraints) == 1
    assert bpy.data.objects["j1"].omi_joint.limits[2].max == 1.5
    data = exported(tmp_path)
    renamed = text.replace('"hand"', '"gripper"')
    assert changed_lines(data, renamed) == [
        '<limit lower="-2.8973" upper="1.5" effort="87" velocity="2.1750"/>'
    ]


def test_the_same_file_may_discard_what_was_edited(robot, tmp_path):
    edit_limit()
    edit_mass()
    bpy.data.objects["finger2"].location.x += 1.0
    bpy.ops.omi.scene_import(filepath=str(robot), again="DISCARD")
    assert exported(tmp_path) == ROBOT.encode()


def test_the_same_file_may_be_imported_again_beside_its_objects(robot):
    count = len(bpy.data.objects)
    bpy.ops.omi.scene_import(filepath=str(robot), again="NEW")
    assert len(bpy.data.objects) == 2 * count


def test_links_that_the_file_lost_go_and_new_ones_come(robot, tmp_path):
    start, end = ROBOT.index('\t<joint name="j3"'), ROBOT.index("\t<transmission")
    text = (
        ROBOT[:start]
        + '\t<link name="extra"/>\n\t<joint name="jx" type="fixed">'
        + ('<parent link="hand"/><child link="extra"/></joint>\n' + ROBOT[end:])
    )
    robot.write_bytes(text.encode())
    bpy.ops.omi.scene_import(filepath=str(robot))
    assert "finger2" not in bpy.data.objects
    assert "extra" in bpy.data.objects
    assert exported(tmp_path) == text.encode()


def test_a_moved_robot_stays_where_it_was_moved_when_it_is_updated(robot, tmp_path):
    for obj in bpy.data.objects:
        if obj.parent is None:
            obj.matrix_world = Matrix.Translation((5.0, 0.0, 0.0)) @ obj.matrix_world
    bpy.ops.omi.scene_import(filepath=str(robot))
    assert bpy.data.objects["base"].matrix_world.translation.x == pytest.approx(5.0)
    assert exported(tmp_path) == ROBOT.encode()


@pytest.mark.parametrize("edits", [False, True])
def test_other_formats_that_nobody_edited_are_the_same_to_the_byte(tmp_path, edits):
    for row, name, text, old, new in (
        (MJCF, "arm.xml", mjcf_text(), 'mass="1.50"', 'mass="3"'),
        (SHIFT, "pendulum.json", SHIFT_TEXT.decode(), '"mass": 2.50', '"mass": 3.0'),
    ):
        bpy.ops.wm.read_homefile(use_empty=True)
        path = tmp_path / name
        path.write_text(text)
        bpy.ops.omi.scene_import(filepath=str(path))
        if edits:
            bpy.data.objects["hand" if row is MJCF else "rod"].omi_body.mass = 3.0
        out = tmp_path / f"out{path.suffix}"
        bpy.ops.omi.scene_export(filepath=str(out))
        assert out.read_text() == (text.replace(old, new) if edits else text)


def mjcf_text() -> str:
    return MJCF_TEXT.decode().replace('  <include file="parts/assets.xml"/>\n', "")
