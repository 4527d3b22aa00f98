"""Tuning ragdolls and robots: stiffness by name, and bodies that need not collide."""

import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import bpy
import mujoco
import numpy as np
import pytest
from mathutils import Vector

from omi_joints_addon.authoring.joints import add_joint
from omi_joints_addon.authoring.patterns import Pair
from omi_joints_addon.core.meaning.presets import hinge
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.scene.reading import scene_to_core
from tests.blender.scenes import add_cube
from tests.blender.test_bone_pairs import choose, pairs
from tests.blender.test_ragdoll import ragdoll
from tests.core.test_named_poses import COMMENTED
from tests.core.test_self_collisions import ARM
from tests.rigs import activate, add_human

pytestmark = pytest.mark.usefixtures("empty_scene")
UPPER, FORE, HAND = (f"mixamorig:Left{name}" for name in ("Arm", "ForeArm", "Hand"))


@pytest.fixture
def rig() -> Any:
    human = add_human()
    ragdoll(human)
    return human


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    bpy.ops.omi.scene_import(filepath=str(path))
    return path


def excluded() -> set[frozenset[str]]:
    core, _ = scene_to_core(bpy.context.scene)
    return {frozenset(core.names[node] for node in pair) for pair in core.excluded_pairs}


def springs() -> dict[str, list[float]]:
    """Return the stiffness of the position drives of each joint [N·m/rad]."""
    core, _ = scene_to_core(bpy.context.scene)
    return {
        core.names[joint.node]: [
            drive.stiffness for drive in joint.settings.drives if drive.position_target is not None
        ]
        for joint in core.joints
    }


def test_a_robot_passes_through_itself_where_it_always_touches(robot: Path, tmp_path: Path) -> None:
    activate(bpy.data.objects["tool"])
    assert bpy.ops.omi.body_pairs_find(samples=600) == {"FINISHED"}
    assert frozenset(("shoulder", "cuff")) in excluded()
    some = len(excluded())
    assert bpy.ops.omi.body_pairs_find(samples=600, use_never=True) == {"FINISHED"}
    assert len(excluded()) > some
    # MuJoCo finds none of them in the file that is written.
    out = tmp_path / "out.xml"
    bpy.ops.omi.scene_export(filepath=str(out))
    model = mujoco.MjModel.from_xml_path(str(out))
    names = {
        frozenset(model.body(int(body)).name for body in (number >> 16, number & 0xFFFF))
        for number in model.exclude_signature.tolist()
    }
    assert excluded() <= names


def test_finding_pairs_can_be_undone(robot: Path) -> None:
    activate(bpy.data.objects["tool"])
    bpy.ops.ed.undo_push(message="before")
    before = excluded()
    assert bpy.ops.omi.body_pairs_find("EXEC_DEFAULT", True, samples=100) == {"FINISHED"}
    assert excluded() != before
    bpy.ops.ed.undo()
    assert excluded() == before
    bpy.ops.ed.redo()
    assert excluded() != before


def test_bones_that_touch_at_rest_get_filters_that_are_saved(rig: Any, tmp_path: Path) -> None:
    for bone in rig.pose.bones:
        bone.omi_body.collider.collision_filter.use_filter = False
    before = pairs()
    assert before == set()
    activate(rig)
    assert bpy.ops.omi.body_pairs_find(samples=300, use_never=True) == {"FINISHED"}
    found = pairs()
    assert found
    core, _ = scene_to_core(bpy.context.scene)
    jointed = {frozenset(core.names[n] for n in pair) for pair in _jointed(core)}
    assert not found & jointed
    file = str(tmp_path / "rig.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    assert pairs() == found
    assert bpy.ops.omi.body_pairs_find(samples=300, use_never=True) == {"FINISHED"}
    assert pairs() == found


def _jointed(core):
    owner = core.bodies()
    return [(int(owner[joint.node]), int(owner[joint.other])) for joint in core.joints]


def test_a_linked_character_keeps_its_filters(rig: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "rig.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(file, link=True) as (there, loaded):
        loaded.objects = there.objects
    for obj in loaded.objects:
        bpy.context.scene.collection.objects.link(obj)
    before = pairs()
    bpy.context.view_layer.objects.active = next(o for o in loaded.objects if o.type == "ARMATURE")
    assert bpy.ops.omi.body_pairs_find(samples=20, use_never=True) == {"FINISHED"}
    assert pairs() == before
    assert not bpy.ops.omi.joint_stiffness_set.poll()


@pytest.mark.parametrize(
    ("scope", "wanted"),
    [
        ("SELECTED", {FORE}),
        ("CHAIN", {FORE, HAND}),
        ("ALL", None),
    ],
)
def test_stiffness_is_set_of_a_joint_a_chain_or_a_ragdoll(rig, scope, wanted) -> None:
    bpy.ops.object.mode_set(mode="POSE")
    choose(rig, FORE)
    bpy.ops.ed.undo_push(message="before")
    before = springs()
    assert bpy.ops.omi.joint_stiffness_set("EXEC_DEFAULT", True, stiffness="STIFF", scope=scope)
    joints = {name for name, values in springs().items() if values != before[name]}
    bones = {
        joint.parent_bone or joint.omi_joint.connected_object.parent_bone
        for joint in map(bpy.data.objects.get, joints)
    }
    assert bones == wanted if wanted else len(joints) == len(before)
    bpy.ops.ed.undo()
    assert springs() == before


def test_names_are_in_order_and_drives_are_not_doubled(rig) -> None:
    bpy.ops.object.mode_set(mode="POSE")
    choose(rig, FORE)
    found = []
    for name in ("LOOSE", "NATURAL", "STIFF", "HELD"):
        bpy.ops.omi.joint_stiffness_set(stiffness=name, scope="ALL")
        found.append(springs())
    for joint, values in found[0].items():
        assert len(values) == len(found[3][joint])
        for weak, strong in zip(values, found[3][joint], strict=True):
            assert strong == pytest.approx(60.0 * weak, rel=1e-4)
    calls = bpy.context.scene.objects[next(iter(found[0]))].omi_joint.drives
    assert all(drive.damping > 0.0 for drive in calls)


def test_stiffness_of_an_arm_that_is_saved_holds_it_in_the_preview(tmp_path: Path) -> None:
    """By names, a sign of 2.3 kg on a level hinge; loaded again it is as it was."""
    post, board = add_cube("Post", (0.0, 0.0, 3.0)), add_cube("Board", (2.0, 0.0, 3.0))
    place, level = Vector((1.0, 0.0, 3.0)), Vector((0.0, 1.0, 0.0))
    joint = add_joint(bpy.context, Pair(board, post), hinge(axis=2), place=place, direction=level)
    post.omi_body.motion_type, board.omi_body.motion_type = "STATIC", "DYNAMIC"
    board.omi_body.mass = 2.3
    activate(joint)
    sags = []
    for name in ("NATURAL", "HELD"):
        bpy.ops.omi.joint_stiffness_set(stiffness=name)
        file = str(tmp_path / f"{name}.blend")
        bpy.ops.wm.save_as_mainfile(filepath=file)
        bpy.ops.wm.open_mainfile(filepath=file)
        preview = SimulationPreview(bpy.context)
        node = preview.objects.index(bpy.data.objects["Board"])
        for _ in range(48):
            matrices = preview.next_frame()
        sags.append(float(np.arccos(np.clip(matrices[node, 0, 0], -1.0, 1.0))))
        preview.end()
    angle = math.radians(20.0)
    # The torque of the weight of a board that has turned by an angle is less by its cosine.
    assert sags[0] == pytest.approx(angle * math.cos(sags[0]), rel=0.05)
    assert sags[1] == pytest.approx(math.radians(1.0), rel=0.05)


def test_poses_and_pairs_go_into_the_srdf_beside_a_robot(repository: Path, tmp_path: Path) -> None:
    """After undo, redo, saving and loading; the URDF and the rest of the SRDF stay to the byte."""
    path = tmp_path / "arm.urdf"
    path.write_bytes((repository / "omi_joints_addon" / "examples" / "arm.urdf").read_bytes())
    (tmp_path / "config").mkdir()
    beside = tmp_path / "config" / "arm.srdf"
    beside.write_bytes(COMMENTED)
    bpy.ops.omi.scene_import(filepath=str(path))
    urdf = path.read_bytes()
    ready = next(each for each in bpy.context.scene.omi_poses.poses if each.name == "ready")
    positions = dict(ready.found())
    ready.set_positions(positions | {bpy.data.objects["lift"]: 0.25})
    activate(bpy.data.objects["hand"])
    bpy.ops.ed.undo_push(message="pose")
    assert bpy.ops.omi.body_pairs_find("EXEC_DEFAULT", True, samples=200, use_never=True)
    bpy.ops.ed.undo()
    bpy.ops.ed.redo()
    found = excluded()
    assert found > {frozenset(("base", "forearm"))}
    blend = str(tmp_path / "arm.blend")
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    bpy.ops.wm.open_mainfile(filepath=blend)
    assert bpy.ops.omi.scene_export(filepath=str(path), check_existing=False) == {"FINISHED"}
    assert path.read_bytes() == urdf
    text = beside.read_bytes()
    lines = [each for each in text.splitlines(keepends=True) if b'reason="User"' not in each]
    assert b"".join(lines) == COMMENTED.replace(b'"0.60"', b'"0.25"')
    root = ET.fromstring(text)
    said = {
        frozenset((each.get("link1"), each.get("link2")))
        for each in root.iterfind("disable_collisions")
        if each.get("reason") != "Adjacent"
    }
    assert said == found
